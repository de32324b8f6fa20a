/** The weapons of an `assign-weapons` request: which may be used, and how many each model may use. */

import type { Facts, Json } from "./wire";

export type Pick = [model: string, index: number];

export interface Weapon {
  model: string;
  index: number;
  name: string;
  /** How many attacks it has, where they may be divided among units; else 0. */
  attacks: number;
}

export const pickKey = (model: string, index: number): string => `${model}#${index}`;

/** What the request offers. */
export function offered(facts: Facts): Weapon[] {
  const rows = Array.isArray(facts["weapons"]) ? facts["weapons"] : [];
  return rows.flatMap((row) =>
    Array.isArray(row) && typeof row[0] === "string" && typeof row[1] === "number"
      ? [{ model: row[0], index: row[1], name: String(row[2] ?? `weapon ${row[1] + 1}`), attacks: typeof row[3] === "number" ? row[3] : 0 }]
      : [],
  );
}

/** How many weapons one model may use; none told, or 0, means all it has. */
export function most(facts: Facts): number {
  return typeof facts["most"] === "number" && facts["most"] > 0 ? facts["most"] : Infinity;
}

/** The picks of an answer, as a set of keys. */
export function picked(answer: Json): Set<string> {
  const rows = Array.isArray(answer) ? answer : [];
  return new Set(
    rows.flatMap((row) => (Array.isArray(row) ? [pickKey(String(row[0]), Number(row[1]))] : [])),
  );
}

/** One weapon ticked or unticked; over the model's limit its earliest other tick goes. */
export function toggled(chosen: ReadonlySet<string>, weapon: Weapon, limit: number): Set<string> {
  const key = pickKey(weapon.model, weapon.index);
  const next = new Set(chosen);
  if (next.delete(key)) return next;
  const own = [...next].filter((other) => other.startsWith(`${weapon.model}#`));
  while (own.length >= limit) next.delete(own.shift()!);
  return next.add(key);
}

/** Every weapon of one name ticked, or unticked if all of them were. */
export function toggledAll(chosen: ReadonlySet<string>, weapons: readonly Weapon[], name: string, limit: number): Set<string> {
  const group = weapons.filter((weapon) => weapon.name === name);
  const full = group.every((weapon) => chosen.has(pickKey(weapon.model, weapon.index)));
  return group.reduce((set, weapon) => {
    const has = set.has(pickKey(weapon.model, weapon.index));
    return has === full ? toggled(set, weapon, limit) : set;
  }, new Set(chosen));
}

/** The ticks as an answer, in the order offered; a weapon that sends fewer attacks than it has, with their number. */
export function weaponsAnswer(
  chosen: ReadonlySet<string>,
  weapons: readonly Weapon[],
  shares: ReadonlyMap<string, number> = new Map(),
): Json {
  return weapons.filter((w) => chosen.has(pickKey(w.model, w.index))).map((w) => {
    const share = shares.get(pickKey(w.model, w.index)) ?? w.attacks;
    return share < w.attacks ? [w.model, w.index, share] : [w.model, w.index];
  });
}
