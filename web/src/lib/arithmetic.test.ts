import { describe, expect, it } from "vitest";
import { arithmetic, chance } from "./arithmetic";
import { readRoll } from "./format";
import type { TrailLine } from "./wire";

const roll = (need: number | null, trail: TrailLine[]) =>
  readRoll({ n: 1, kind: "rolled", facts: { purpose: "hit", need, faces: [3, 5], successes: 1 }, clauses: ["SHOOT-9", "ABIL-10"], trail })!;

describe("where a number came from", () => {
  it("starts from the plain number, tells what each rule does by its name, and ends with the sum", () => {
    const trail: TrailLine[] = [
      ["base", null, 4, ["SHOOT-9"], null],
      ["modifier", 0, -1, ["ABIL-10"], "Stealth"],
      ["re-roll", null, "successes", ["RULE-X-1"], "Piercing"],
      ["critical", null, 6, ["CRIT-1"], null],
    ];
    expect(arithmetic(roll(5, trail), "Quality of the attacker")).toEqual([
      { text: "Quality of the attacker: 4+", clauses: ["SHOOT-9"] },
      { text: "Stealth: −1", clauses: ["ABIL-10"] },
      { text: "Piercing: successes are rolled again", clauses: ["RULE-X-1"] },
      { text: "an unmodified 6 or more is critical", clauses: ["CRIT-1"] },
      { text: "So each die needs 5+: 33%", clauses: [] },
    ]);
  });

  it("says where the modifiers end, and where the number does", () => {
    const trail: TrailLine[] = [
      ["base", null, 2, ["ATK-2"], null],
      ["Heavy", 0, 1, ["WPN-13"], "Heavy"],
      ["modifier", 1, 2, ["X-1"], null],
      ["limit", 2, 1, ["MODROLL-4"], null],
      ["least", 1, 2, ["ATK-2"], null],
    ];
    expect(arithmetic(roll(2, trail), undefined).slice(3)).toEqual([
      { text: "together the modifiers count as +1", clauses: ["MODROLL-4"] },
      { text: "no die needs less than 2+", clauses: ["ATK-2"] },
      { text: "So each die needs 2+: 83%", clauses: [] },
    ]);
  });

  it("does with the need and its first clause where no rule left a line, and says nothing of dice that need no number", () => {
    expect(arithmetic(roll(3, []), undefined)[0]).toEqual({ text: "The plain number: 3+", clauses: ["SHOOT-9"] });
    expect(arithmetic(roll(null, []), undefined)).toEqual([]);
  });

  it("knows how likely one die is to make it; a one never is", () => {
    expect([chance(4, 6), chance(1, 6), chance(7, 6)]).toEqual([0.5, 5 / 6, 0]);
  });
});
