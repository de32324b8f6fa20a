import { describe, expect, it } from "vitest";
import { Board } from "./board.svelte";
import * as format from "./format";
import type { DecisionRequest } from "./wire";
import * as weapons from "./weapons";

const board = new Board({
  edition: "toy",
  table: { size: [72, 48] },
  units: [{ id: "a1", side: "A", name: "Rifles", models: [{ id: "a1.1", at: [1, 1], base: { circle: 1 } }] }],
});

const request = (kind: string, about: string | null = null): DecisionRequest => ({
  who: "A",
  kind,
  options: null,
  default: null,
  clause: "X-1",
  point: "",
  about,
  facts: {},
});

describe("kindOf", () => {
  it("says the keywords of a datasheet, and the type only where there are none", () => {
    expect(format.kindOf({ type: "infantry", keywords: ["faction:Hollow Tide", "TIDE", "MONSTER", "EPIC HERO"] })).toEqual(["tide", "monster", "epic hero"]);
    expect(format.kindOf({ type: "vehicle", keywords: ["starts:in 3"] })).toEqual(["vehicle"]);
    expect(format.kindOf({})).toEqual([]);
  });
});

describe("words", () => {
  it("names options as a player would", () => {
    const said = [true, false, 3, "walk-out", "a1", "a1.1"].map((option) => format.optionLabel(option, board));
    expect(said).toEqual(["Yes", "No", "3", "Walk out", "Rifles · A1", "Rifles A1.1"]);
  });

  it("asks by the kind of decision, also one it has never heard of", () => {
    expect(format.heading(request("choose-action", "a1"), board)).toBe("What will Rifles do?");
    expect(format.heading(request("move"), board)).toBe("Move");
    expect(format.heading({ ...request("react", "b9"), facts: { unit: "a1", moment: "shot" } }, board)).toBe("Will you react to Rifles?");
    expect(format.heading({ ...request("choose-option", "a1"), facts: { purpose: "merge" } }, board)).toBe("Merge: Rifles");
    expect(format.heading(request("spend-command-points", "a1"), board)).toBe("Spend command points: Rifles");
  });

  it("shows facts a person can read and no others", () => {
    const facts = { allowance: 6, target: "a1", weapons: [["a1.1", 0, "Rifle"]], moved: true, order: { x: 1 } };
    expect(format.readableFacts(facts, board)).toEqual([
      { name: "Allowance", value: "6" },
      { name: "Target", value: "Rifles" },
      { name: "Moved", value: "yes" },
    ]);
  });

  it("writes lengths and chances without false certainty", () => {
    expect([format.inches(6), format.inches(6.004), format.inches(5.129)]).toEqual(["6″", "6″", "5.13″"]);
    expect([0, 0.001, 0.42, 0.999, 1].map(format.percent)).toEqual(["0%", "<1%", "42%", ">99%", "100%"]);
  });

  it("reads weapons written in words or in fields", () => {
    const gun = { name: "Gun", range: 24, A: 2, rules: ["Linked"], stats: { S: 4 }, mount: "", barrel: [0, 0] };
    expect(format.weaponText(gun)).toBe("Gun (24″, A2, S4, Linked)");
    expect(format.weaponText({ name: "Claw", range: "melee", A: "D3" })).toBe("Claw (melee, A D3)");
    expect([format.weaponRange('Rifle (30", A1)'), format.weaponRange(gun), format.weaponRange("Claws (A1)")]).toEqual([30, 24, null]);
  });

  it("says what sets a model apart from its fellows", () => {
    const one = (id: string, gun: string, wounds = 0) => ({ id, at: null, base: { circle: 1 }, wounds, weapons: [gun, "Knife (A1)"] });
    const models = [one("u.1", 'Rifle (24", A1)'), one("u.2", 'Flamer (12", A6)', 2)];
    const { units } = new Board({ edition: "toy", table: { size: [9, 9] }, units: [{ id: "u", side: "A", models }] });
    const unit = units.get("u")!;
    expect(unit.members.map((model) => format.apart(model, unit))).toEqual(["Rifle", "Flamer, 2 wounds"]);
  });

  it("shows marks, without those that only correct the card", () => {
    const marks = { pinned: 1, "grant:Fear": "next-activation", blood: 2, points: 215, start_size: 5 };
    const words = { stats: [], marks: { points: "", start_size: "", grant: "{name} for a while" }, phases: {} };
    expect(format.markLabels(marks, words)).toEqual(["Pinned", "Fear for a while", "Blood 2"]);
    expect(format.flagLabels(marks, words)).toEqual(["Pinned"]);
  });

  it("keeps the signs of what a mark gives, says it once, and shows what players may set by hand on the table", () => {
    const marks = { "grant:Move(-2)": "end-turn", "grant:Move(-2)#2": "end-turn", shocked: "end-phase", "used:Trick": "end-turn" };
    const words = { stats: [], marks: { grant: "{name}", shocked: "Shocked", used: "" }, phases: {}, by_hand: ["shocked"] };
    expect(format.markLabels(marks, words)).toEqual(["Move(-2)", "Move(-2)#2", "Shocked"]);
    expect(format.markLabels({ "grant:Stealth": "a", "grant-more:Stealth": "b" }, { ...words, marks: { grant: "{name}", "grant-more": "{name}" } })).toEqual(["Stealth"]);
    expect(format.flagLabels(marks, words)).toEqual(["Shocked"]);
  });

  it("leaves keywords for programs off the card where the edition says so", () => {
    const words = { stats: [], marks: {}, phases: {}, keywords: { leads: "may lead {name}", starts: "", "order:left-flank": "Order: Left Flank" } };
    const said = ["faction:Hollow Tide", "BEASTS", "leads:Stalkers", "starts:in 3", "order:left-flank"].map((word) => format.keywordLabel(word, words));
    expect(said).toEqual(["Hollow Tide", "BEASTS", "may lead Stalkers", "", "Order: Left Flank"]);
  });

  it("writes a weapon as a row of a datasheet", () => {
    const gun = { name: "Gun", range: 24, A: "D6", rules: ["Blast"], stats: { skill: 4, S: 4, AP: -1, D: "1" }, mount: "", barrel: [0, 0] };
    expect(format.weaponRow(gun)).toEqual({ name: "Gun", reach: "24″", numbers: { A: "D6", skill: "4+", S: "4", AP: "-1", D: "1" }, rules: ["Blast"] });
    expect(format.weaponRow('Rifle (24", A1)')).toBeNull();
  });
});

describe("odds", () => {
  it("works out mean and tails from the distribution", () => {
    const view = format.oddsView({ kills: [0.25, 0.5, 0.25], destroyed: 0.1, morale: { pinned: 0.3, routed: 0 } });
    expect(view.mean).toBeCloseTo(1);
    expect(view.atLeast).toEqual([1, 0.75, 0.25]);
    expect(view.morale).toEqual([{ name: "Pinned", p: 0.3 }]);
  });

  it("takes mean and tails as told", () => {
    const view = format.oddsView({ kills: [0.5, 0.5], kills_summary: { mean: 0.5, at_least: [1, 0.5] } });
    expect([view.mean, view.atLeast, view.destroyed]).toEqual([0.5, [1, 0.5], null]);
  });
});

describe("dice", () => {
  it("shows what became of each die, thrown again or not", () => {
    const roll = format.readRoll({
      n: 4,
      kind: "rolled",
      facts: { purpose: "hit", unit: "a1", need: 4, faces: [4, 2, 6], rerolls: [[1, 5]], successes: 3 },
    });
    expect(roll?.dice).toEqual([
      { face: 4, was: null, success: true },
      { face: 5, was: 2, success: true },
      { face: 6, was: null, success: true },
    ]);
    expect([roll?.purpose, roll?.sides]).toEqual(["Hit", 6]);
    expect(format.readRoll({ n: 5, kind: "rolled", facts: { purpose: "strike", faces: [9], sides: 10 } })?.sides).toBe(10);
  });

  it("lays dice of attacks that are resolved one by one in handfuls", () => {
    const roll = (n: number, purpose: string, face: number, unit = "a1") =>
      format.readRoll({ n, kind: "rolled", facts: { purpose, unit, need: 4, faces: [face], successes: face >= 4 ? 1 : 0 } })!;
    const rolls = [roll(1, "hit", 5), roll(2, "wound", 2), roll(3, "hit", 3), roll(4, "wound", 6), roll(5, "hit", 6, "b1"), roll(8, "hit", 4)];
    const found = format.handfuls(rolls);
    expect(found.map(({ label, unit, dice, successes }) => [label, unit, dice.map((die) => die.face), successes])).toEqual([
      ["hit", "a1", [5, 3], 1],
      ["wound", "a1", [2, 6], 1],
      ["hit", "b1", [6], 1],
      ["hit", "a1", [4], 1],
    ]);
  });

  it("passes no judgement where nothing is needed", () => {
    const roll = format.readRoll({ n: 1, kind: "rolled", facts: { purpose: "roll-off", faces: [3], need: 0 } });
    expect([roll?.need, roll?.dice[0]?.success]).toEqual([null, null]);
    expect(format.readRoll({ n: 1, kind: "moved", facts: {} })).toBeNull();
  });
});

describe("weapons", () => {
  const facts = { weapons: [["a", 0, "Rifle"], ["a", 1, "Rocket"], ["b", 0, "Rifle"]], most: 1 };
  const offered = weapons.offered(facts);

  it("are ticked as suggested and answered in the order offered", () => {
    const chosen = weapons.picked([["b", 0], ["a", 0]]);
    expect(weapons.weaponsAnswer(chosen, offered)).toEqual([["a", 0], ["b", 0]]);
  });

  it("over a model's limit give way to the newest", () => {
    const chosen = weapons.toggled(weapons.picked([["a", 0]]), offered[1]!, weapons.most(facts));
    expect(weapons.weaponsAnswer(chosen, offered)).toEqual([["a", 1]]);
  });

  it("of one name are ticked and unticked together", () => {
    const all = weapons.toggledAll(new Set(), offered, "Rifle", 1);
    expect(weapons.weaponsAnswer(all, offered)).toEqual([["a", 0], ["b", 0]]);
    expect(weapons.toggledAll(all, offered, "Rifle", 1).size).toBe(0);
  });

  it("sends some of the attacks of a weapon that may be divided, and all by default", () => {
    const divided = weapons.offered({ weapons: [["a", 0, "Claws", 5], ["b", 0, "Claws"]] });
    const both = weapons.picked([["a", 0], ["b", 0]]);
    expect(weapons.weaponsAnswer(both, divided)).toEqual([["a", 0], ["b", 0]]);
    expect(weapons.weaponsAnswer(both, divided, new Map([["a#0", 2]]))).toEqual([["a", 0, 2], ["b", 0]]);
  });
});
