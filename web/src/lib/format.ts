/** How the page puts things into words: kinds of decisions, options, weapons, marks, odds. It knows no edition. */

import type { Board, ModelView, UnitView } from "./board.svelte";
import type { DecisionRequest, Facts, Json, Mark, Marks, Option, WeaponCard } from "./wire";

/** `walk-out` and `power_dice` as a person writes them: `Walk out`, `Power dice`. */
export function words(text: string): string {
  const plain = text.replaceAll(/[-_]+/g, " ").trim();
  return plain ? plain[0]!.toUpperCase() + plain.slice(1) : text;
}

/** A length for reading: at most two decimals, with the inch sign. */
export const inches = (length: number): string => `${Number(length.toFixed(2))}″`;

/** A probability for reading; never rounds something possible to never, nor something uncertain to always. */
export function percent(p: number): string {
  if (p > 0 && p < 0.005) return "<1%";
  if (p < 1 && p > 0.995) return ">99%";
  return `${Math.round(p * 100)}%`;
}

/** A unit as options and cards name it, with the tag its tokens wear. */
export const unitLabel = (unit: UnitView): string => `${unit.name} · ${unit.tag}`;

/** An option as its button says it. */
export function optionLabel(option: Option, board: Board): string {
  if (option === true) return "Yes";
  if (option === false) return "No";
  if (typeof option === "number") return String(option);
  const unit = board.units.get(option);
  if (unit) return unitLabel(unit);
  return board.models.has(option) ? board.nameOf(option) : words(option);
}

const HEADINGS: Record<string, (about: string) => string> = {
  "choose-unit": (about) => (about ? `Choose a unit for ${about}` : "Choose a unit"),
  "choose-action": (about) => (about ? `What will ${about} do?` : "Choose an action"),
  "choose-target": (about) => (about ? `Choose a target for ${about}` : "Choose a target"),
  "choose-side": () => "Choose a side",
  "choose-option": (about) => (about ? `Choose for ${about}` : "Choose"),
  "choose-model": (about) => (about ? `Choose a model of ${about}` : "Choose a model"),
  "yes-no": (about) => (about ? `${about}: yes or no?` : "Yes or no?"),
  number: (about) => (about ? `How many for ${about}?` : "How many?"),
  move: (about) => (about ? `Move ${about}` : "Move"),
  place: (about) => (about ? `Place ${about}` : "Place the unit"),
  "assign-weapons": (about) => (about ? `Which weapons will ${about} use?` : "Which weapons?"),
  allocate: (about) => (about ? `Who of ${about} takes it?` : "Who takes it?"),
};

/** The question of a request in one line; a purpose the request names says more than its kind. */
export function heading(request: DecisionRequest, board: Board): string {
  const about = request.about ? board.nameOf(request.about) : "";
  const purpose = request.facts["purpose"] ?? request.facts["action"];
  if (typeof purpose === "string") return words(purpose) + (about ? `: ${about}` : "");
  const say = HEADINGS[request.kind];
  return say ? say(about) : words(request.kind) + (about ? `: ${about}` : "");
}

const MOVER_FACTS = new Set(["weapons", "most", "zone", "line", "models", "lines", "text", "purpose", "action", "labels"]);

function factText(value: Json, board: Board): string | null {
  if (value === null || typeof value === "object") {
    if (!Array.isArray(value) || !value.length || value.some((item) => item === null || typeof item === "object")) return null;
    return value.map((item) => factText(item, board)).join(", ");
  }
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return board.units.has(value) || board.models.has(value) ? board.nameOf(value) : words(value);
  return String(Number(value.toFixed(2)));
}

/** The facts of a request that a person can read, apart from those a control of its own shows. */
export function readableFacts(facts: Facts, board: Board): { name: string; value: string }[] {
  return Object.entries(facts).flatMap(([name, value]) => {
    const text = MOVER_FACTS.has(name) ? null : factText(value, board);
    return text === null || text === "" ? [] : [{ name: words(name), value: text }];
  });
}

const table = (value: Json | undefined): Record<string, Json> =>
  value !== null && typeof value === "object" && !Array.isArray(value) ? value : {};

const DASH = /^(-|melee|none)$/i;

/** A weapon's line on the card. */
export function weaponText(weapon: string | WeaponCard): string {
  if (typeof weapon === "string") return weapon;
  const { name, range, rules, stats, mount, ...others } = weapon;
  const reach = typeof range === "number" ? inches(range) : range && !DASH.test(range) ? String(range) : "melee";
  const numbers = Object.entries({ ...others, ...table(stats) }).flatMap(([key, value]) =>
    value === null || value === undefined || typeof value === "object" ? [] : [`${key}${/^[a-z]/i.test(String(value)) ? " " : ""}${String(value)}`],
  );
  const special = Array.isArray(rules) ? rules.map(String) : [];
  return `${name} (${[reach, ...numbers, ...special, ...(mount ? [words(String(mount))] : [])].join(", ")})`;
}

/** How far a weapon reaches in inches, or null in melee. */
export function weaponRange(weapon: string | WeaponCard): number | null {
  if (typeof weapon !== "string") return typeof weapon.range === "number" ? weapon.range : null;
  const found = /(\d+(?:\.\d+)?)\s*(?:"|″|'')/.exec(weapon);
  return found ? Number(found[1]) : null;
}

/** The distinct lines among the models, with how many carry each. */
export function tally(lines: readonly string[]): { text: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return [...counts].map(([text, count]) => ({ text, count }));
}

/** What sets one model apart from the others of its unit: weapons not all of them carry, wounds it has taken. */
export function apart(model: ModelView, unit: UnitView): string {
  const names = (one: ModelView): string[] => one.weapons.map((weapon) => weaponText(weapon).split(" (")[0]!);
  const common = unit.living.map(names).reduce((all, own) => all.filter((name) => own.includes(name)));
  const own = names(model).filter((name) => !common.includes(name));
  return [...own, ...(model.wounds ? [`${model.wounds} wounded`] : [])].join(", ");
}

/** The distinct ranges of some models' weapons, shortest first. */
export function ranges(models: readonly ModelView[]): number[] {
  const found = models.flatMap((model) => model.weapons.map(weaponRange)).filter((range) => range !== null);
  return [...new Set(found)].sort((a, b) => a - b);
}

/** Marks that only correct a figure of the card. */
const FIGURES = new Set(["points", "start_size"]);

const isFlag = (value: Mark): boolean => value === 1 || value === true || value === "";

/** Marks as short labels: `Pinned`, `Fast (next activation)`; a name after a colon is what the mark is about. */
export function markLabels(marks: Marks): string[] {
  return Object.entries(marks).flatMap(([name, value]) => {
    if (FIGURES.has(name)) return [];
    const label = words(name.slice(name.indexOf(":") + 1));
    return [isFlag(value) ? label : typeof value === "string" ? `${label} (${words(value).toLowerCase()})` : `${label} ${value}`];
  });
}

/** Marks that are simply there or not: what a player must see on the table. */
export function flagLabels(marks: Marks): string[] {
  return markLabels(Object.fromEntries(Object.entries(marks).filter(([name, value]) => isFlag(value) && !name.includes(":"))));
}

export interface OddsView {
  kills: number[];
  mean: number | null;
  atLeast: number[];
  destroyed: number | null;
  morale: { name: string; p: number }[];
}

const numbers = (value: Json | undefined): number[] =>
  Array.isArray(value) ? value.filter((item): item is number => typeof item === "number") : [];

const meanOf = (law: readonly number[]): number => law.reduce((sum, p, k) => sum + k * p, 0);

/** The exact odds of an option as the panel draws them: what is missing is worked out from the distribution. */
export function oddsView(odds: Facts): OddsView {
  const kills = numbers(odds["kills"]);
  const summary = table(odds["kills_summary"]);
  const mean = summary["mean"] ?? odds["mean"];
  const told = numbers(summary["at_least"] ?? odds["at_least"]);
  const atLeast = told.length ? told : kills.map((_, k) => kills.slice(k).reduce((sum, p) => sum + p, 0));
  const destroyed = odds["destroyed"];
  return {
    kills,
    mean: typeof mean === "number" ? mean : kills.length ? meanOf(kills) : null,
    atLeast,
    destroyed: typeof destroyed === "number" ? destroyed : null,
    morale: Object.entries(table(odds["morale"])).flatMap(([name, p]) =>
      typeof p === "number" && p > 0 ? [{ name: words(name), p }] : [],
    ),
  };
}

export interface Die {
  face: number;
  /** The face thrown first, if the die was thrown again. */
  was: number | null;
  success: boolean | null;
}

export interface Roll {
  n: number;
  purpose: string;
  unit: string | null;
  need: number | null;
  dice: Die[];
  successes: number | null;
  /** How many sides the dice have. */
  sides: number;
}

/** The dice of a `rolled` event, each with what became of it; null for any other event. */
export function readRoll(event: { n: number; kind: string; facts: Facts }): Roll | null {
  const faces = numbers(event.facts["faces"]);
  if (!faces.length) return null;
  const { need, purpose, unit, successes, rerolls, sides } = event.facts;
  const target = typeof need === "number" && need > 0 ? need : null;
  const again = new Map(
    (Array.isArray(rerolls) ? rerolls : []).map((pair) => numbers(pair)).map(([index, face]) => [index, face] as const),
  );
  const dice = faces.map((face, index): Die => {
    const second = again.get(index);
    const shown = second ?? face;
    return { face: shown, was: second === undefined ? null : face, success: target === null ? null : shown >= target };
  });
  return {
    n: event.n,
    purpose: typeof purpose === "string" ? words(purpose) : words(event.kind),
    unit: typeof unit === "string" ? unit : null,
    need: target,
    dice,
    successes: typeof successes === "number" ? successes : null,
    sides: typeof sides === "number" ? sides : 6,
  };
}
