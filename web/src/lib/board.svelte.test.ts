import { describe, expect, it } from "vitest";
import { Board } from "./board.svelte";
import type { Situation } from "./wire";

const situation = (): Situation => ({
  edition: "toy",
  round: 2,
  active: "B",
  clock: { phase: "turn", first: "A", marks: ["late"] },
  sides: { A: { marks: [{ dice: 3 }] } },
  table: { size: [72, 48], terrain: [] },
  units: [
    {
      id: "a1",
      side: "A",
      name: "Rifles",
      where: "table",
      marks: ["activated", "pinned", { grit: 2 }],
      models: [
        { id: "a1.1", at: [10, 10], base: { circle: 1 } },
        { id: "a1.2", at: [11, 10], base: { circle: 1 } },
      ],
    },
    { id: "a2", side: "A", name: "Captain", where: "table", models: [{ id: "a2.1", at: [5, 5], base: { circle: 1.5 } }] },
    { id: "b1", side: "B", where: "reserve", models: [{ id: "b1.1", at: null, base: { rect: [3, 5] } }] },
  ],
});

describe("the board", () => {
  it("reads a situation: marks, clock, sides and tags", () => {
    const board = new Board(situation());
    const unit = board.units.get("a1")!;
    expect(unit.activated).toBe(true);
    expect(unit.marks).toEqual({ pinned: 1, grit: 2 });
    expect(board.clock).toEqual({ phase: "turn", round: 2, active: "B", first: "A", marks: { late: 1 } });
    expect(board.sides.A).toEqual({ dice: 3 });
    expect([...board.units.values()].map((one) => one.tag)).toEqual(["A1", "A2", "B1"]);
    expect(board.nameOf("a1.2")).toBe("Rifles A1.2");
    expect(board.nameOf("nobody")).toBe("nobody");
  });

  it("moves, turns and wounds a model", () => {
    const board = new Board(situation());
    board.apply(["a1.1", "at", [12.5, 9]]);
    board.apply(["a1.1", "facing", 90]);
    board.apply(["a1.1", "wounds", 2]);
    board.apply(["a1.1", "mark:burning", "hot"]);
    const model = board.models.get("a1.1")!;
    expect([model.at, model.facing, model.wounds, model.marks]).toEqual([[12.5, 9], 90, 2, { burning: "hot" }]);
    board.apply(["a1.1", "mark:burning", null]);
    expect(model.marks).toEqual({});
  });

  it("removes models, and the unit with the last of them", () => {
    const board = new Board(situation());
    board.apply(["a1.1", "removed", true]);
    expect(board.units.get("a1")!.living.map((model) => model.id)).toEqual(["a1.2"]);
    expect(board.units.get("a1")!.where).toBe("table");
    board.apply(["a1.2", "removed", true]);
    expect(board.units.get("a1")!.where).toBe("destroyed");
    expect(board.models.get("a1.2")!.at).toBeNull();
  });

  it("takes a unit that boards another off the table and sets it back", () => {
    const board = new Board(situation());
    board.apply(["a2", "where", "a1"]);
    expect(board.units.get("a2")!.onTable).toEqual([]);
    board.apply(["a2", "where", "table"]);
    board.apply(["a2.1", "at", [6, 6]]);
    expect(board.units.get("a2")!.onTable.length).toBe(1);
  });

  it("joins a unit to another and parts it again", () => {
    const board = new Board(situation());
    board.apply(["a2", "joined", "a1"]);
    expect(board.units.get("a1")!.members.map((model) => model.id)).toEqual(["a1.1", "a1.2", "a2.1"]);
    expect(board.units.get("a2")!.where).toBe("merged");
    expect(board.nameOf("a2.1")).toBe("Rifles A1.3");
    board.apply(["a2.1", "unit", "a2"]);
    expect(board.units.get("a1")!.members.length).toBe(2);
    expect(board.units.get("a2")!.where).toBe("table");
  });

  it("knows from the situation that a model has joined another unit", () => {
    const joined = situation();
    joined.units[1]!.models[0]!.unit = "a1";
    joined.units[1]!.where = "merged";
    expect(new Board(joined).units.get("a1")!.members.length).toBe(3);
  });

  it("sets the clock, the marks of sides and of units", () => {
    const board = new Board(situation());
    board.apply(["clock", "round", 3]);
    board.apply(["clock", "active", "A"]);
    board.apply(["clock", "marks", { done: 1 }]);
    board.apply(["B", "mark:dice", 4]);
    board.apply(["a1", "mark:pinned", null]);
    board.apply(["a1", "activated", false]);
    expect(board.clock).toMatchObject({ round: 3, active: "A", phase: "turn", marks: { done: 1 } });
    expect(board.sides.B).toEqual({ dice: 4 });
    expect(board.units.get("a1")!.marks).toEqual({ grit: 2 });
    expect(board.units.get("a1")!.activated).toBe(false);
  });

  it("lets a patch for something it does not know pass", () => {
    const board = new Board(situation());
    expect(() => board.apply(["zz", "at", [1, 1]])).not.toThrow();
  });
});
