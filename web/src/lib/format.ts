/** How the page puts things into words: kinds of decisions, options, weapons, marks, odds. It knows no edition. */

import type { Board, ModelView, UnitView } from "./board.svelte";
import { say } from "./speech.svelte";
import { plural, t } from "./text.svelte";
import type { DecisionRequest, EditionWords, Facts, Json, Mark, Marks, Option, TrailLine, WeaponCard } from "./wire";

/** `walk-out` and `power_dice` as a person writes them: `Walk out`, `Power dice`. */
export function words(text: string): string {
  const plain = text.replaceAll(/[-_]+/g, " ").trim();
  return plain ? plain[0]!.toUpperCase() + plain.slice(1) : text;
}

/** What a unit is: the keywords of its card (words with a colon are written for programs); a card without any says its type. */
export function kindOf(card: { type?: string; keywords?: string[] }): string[] {
  const plain = (card.keywords ?? []).filter((word) => !word.includes(":"));
  return plain.length ? plain.map((word) => word.toLowerCase()) : card.type ? [card.type] : [];
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

/** An option as the server spells it among the words of a request. */
export const pythonic = (option: Option): string => (option === true ? "True" : option === false ? "False" : String(option));

/** An option as its button says it. */
export function optionLabel(option: Option, board: Board, request?: Pick<DecisionRequest, "words">): string {
  const said = request?.words?.[pythonic(option)];
  if (said) return say(said);
  if (option === true) return t("Yes");
  if (option === false) return t("No");
  if (typeof option === "number") return String(option);
  const unit = board.units.get(option);
  if (unit) return unitLabel(unit);
  return board.models.has(option) ? board.nameOf(option) : say(option) === option ? say(words(option)) : say(option);
}

const HEADINGS: Record<string, [plain: string, about: string]> = {
  "choose-unit": ["Choose a unit", "Choose a unit for {about}"],
  "choose-action": ["Choose an action", "What will {about} do?"],
  "choose-target": ["Choose a target", "Choose a target for {about}"],
  "choose-side": ["Choose a side", "Choose a side"],
  "choose-option": ["Choose", "Choose for {about}"],
  "choose-model": ["Choose a model", "Choose a model of {about}"],
  "yes-no": ["Yes or no?", "{about}: yes or no?"],
  number: ["How many?", "How many for {about}?"],
  move: ["Move", "Move {about}"],
  place: ["Place the unit", "Place {about}"],
  point: ["Choose a place", "Choose a place for {about}"],
  react: ["Will you react?", "Will you react to {about}?"],
  order: ["What comes first?", "What comes first for {about}?"],
  "assign-weapons": ["Which weapons?", "Which weapons will {about} use?"],
  allocate: ["Who takes it?", "Who of {about} takes it?"],
};

/** The question of a request in one line: the edition's own words, else a purpose it names, else its kind. */
export function heading(request: DecisionRequest, board: Board): string {
  if (request.title) return say(request.title);
  const doing = request.kind === "react" ? request.facts["unit"] : request.about;
  const about = typeof doing === "string" && doing ? board.nameOf(doing) : "";
  const purpose = request.facts["purpose"] ?? request.facts["action"];
  if (typeof purpose === "string") return words(purpose) + (about ? `: ${about}` : "");
  const usual = HEADINGS[request.kind];
  return usual ? t(usual[about ? 1 : 0], { about }) : words(request.kind) + (about ? `: ${about}` : "");
}

const MOVER_FACTS = new Set(["weapons", "most", "zone", "line", "models", "lines", "text", "purpose", "action", "labels", "radius", "reactions", "units", "costs", "choice"]);

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
  const reach = typeof range === "number" ? inches(range) : range && !DASH.test(range) ? String(range) : t("melee");
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
  return [...own, ...(model.wounds ? [plural(model.wounds, "{n} wound", "{n} wounds")] : [])].join(", ");
}

/** The distinct ranges of some models' weapons, shortest first. */
export function ranges(models: readonly ModelView[]): number[] {
  const found = models.flatMap((model) => model.weapons.map(weaponRange)).filter((range) => range !== null);
  return [...new Set(found)].sort((a, b) => a - b);
}

const isFlag = (value: Mark): boolean => value === 1 || value === true || value === "";

/** `Tough(3)` is about the rule `Tough`. */
export const ruleName = (text: string): string => text.replace(/\s*\(.*$/, "");

/** A word written for programs as people read it. */
export const markText = (text: string): string => words(text);

/** A keyword as it stands on a card; empty if it is for programs alone. */
export function keywordLabel(word: string, said: EditionWords): string {
  const [kind, name] = [word.split(":", 1)[0]!, word.slice(word.indexOf(":") + 1)];
  const template = word.includes(":") ? (said.keywords?.[word] ?? said.keywords?.[kind]) : undefined;
  return template === undefined ? markText(name) : say(template).replace("{name}", name);
}

/** What a mark is about: a name is said as it is written, a word for programs as people write it. */
const aboutOf = (text: string): string => (/[A-Z]/.test(text) ? text : words(text));

/** One mark as the edition calls it; empty if a player need not see it. A name after a colon is what the mark is about. */
export function markLabel(name: string, value: Mark, said: EditionWords): string {
  const [kind, about] = [name.split(":", 1)[0]!, aboutOf(name.slice(name.indexOf(":") + 1))];
  const template = said.marks[name] ?? said.marks[kind];
  if (template !== undefined) return say(template).replace("{name}", about).replace("{value}", String(value));
  return isFlag(value) ? say(about) : typeof value === "string" ? `${about} (${words(value).toLowerCase()})` : `${about} ${value}`;
}

/** Marks as short labels, each once, those a player need not see left out. */
export const markLabels = (marks: Marks, said: EditionWords): string[] =>
  [...new Set(Object.entries(marks).flatMap(([name, value]) => markLabel(name, value, said) || []))];

/** Marks that are simply there or not, and those players may set by hand: what a player must see on the table. */
export function flagLabels(marks: Marks, said: EditionWords): string[] {
  const told = (name: string, value: Mark): boolean => (isFlag(value) || Boolean(said.by_hand?.includes(name))) && !name.includes(":");
  return markLabels(Object.fromEntries(Object.entries(marks).filter(([name, value]) => told(name, value))), said);
}

/** A weapon as a row of a datasheet. */
export interface WeaponRow {
  name: string;
  reach: string;
  numbers: Record<string, string>;
  rules: string[];
}

/** A weapon's line of a datasheet; null for one that is written as a text. */
export function weaponRow(weapon: string | WeaponCard): WeaponRow | null {
  if (typeof weapon === "string") return null;
  const { name, range, rules, stats, mount, ...others } = weapon;
  const reach = typeof range === "number" ? inches(range) : range && !DASH.test(range) ? String(range) : t("melee");
  const numbers = Object.entries({ ...others, ...table(stats) }).flatMap(([key, value]) =>
    value === null || value === undefined || typeof value === "object" ? [] : [[key, key === "skill" && typeof value === "number" ? `${value}+` : String(value)] as const],
  );
  const special = [...(Array.isArray(rules) ? rules.map(String) : []), ...(mount ? [words(String(mount))] : [])];
  return { name, reach, numbers: Object.fromEntries(numbers), rules: special };
}

export interface OddsView {
  kills: number[];
  mean: number | null;
  atLeast: number[];
  destroyed: number | null;
  /** Wounds suffered on average, where they are not the same as models lost. */
  wounds: number | null;
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
  const tails = numbers(summary["at_least"] ?? odds["at_least"]);
  const atLeast = tails.length ? tails : kills.map((_, k) => kills.slice(k).reduce((sum, p) => sum + p, 0));
  const destroyed = odds["destroyed"];
  return {
    kills,
    mean: typeof mean === "number" ? mean : kills.length ? meanOf(kills) : null,
    atLeast,
    destroyed: typeof destroyed === "number" ? destroyed : null,
    wounds: typeof odds["wounds"] === "number" ? odds["wounds"] : null,
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
  /** What the number came from. */
  clauses: string[];
  /** The purpose as the rules call it. */
  label: string;
  trail: TrailLine[];
}

/** The dice of a `rolled` event, each with what became of it; null for any other event. */
export function readRoll(event: { n: number; kind: string; facts: Facts; clauses?: string[]; trail?: TrailLine[] }): Roll | null {
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
    clauses: event.clauses ?? [],
    label: typeof purpose === "string" ? purpose : event.kind,
    trail: event.trail ?? [],
  };
}

/**
 * Rolls as they lie on the table: single dice that follow each other at once, are rolled for the same thing by the same unit and
 * need the same for the same reasons, are one handful. Attacks that are resolved one by one are read like that.
 */
export function handfuls(rolls: readonly Roll[]): Roll[] {
  const found: Roll[] = [];
  let run = new Map<string, number>();
  let last: number | null = null;
  for (const roll of rolls) {
    if (last === null || roll.n !== last + 1) run = new Map();
    last = roll.n;
    const key = JSON.stringify([roll.label, roll.unit, roll.need, roll.sides, roll.trail]);
    const at = roll.dice.length === 1 ? run.get(key) : undefined;
    if (at === undefined) {
      if (roll.dice.length === 1) run.set(key, found.length);
      found.push(roll);
    } else {
      const held = found[at]!;
      const successes = held.successes === null || roll.successes === null ? null : held.successes + roll.successes;
      found[at] = { ...held, dice: [...held.dice, ...roll.dice], successes };
    }
  }
  return found;
}
