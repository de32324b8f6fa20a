import { describe, expect, it } from "vitest";
import * as plans from "./plan";
import type { Stand } from "./plan";

const stands = (): Map<string, Stand> =>
  new Map([
    ["a", { at: [10, 10], facing: 0 }],
    ["b", { at: [11, 10], facing: 0 }],
  ]);
const both = ["a", "b"];

describe("a plan", () => {
  it("that changes nothing is to stay", () => {
    expect(plans.moveAnswer(plans.standing(stands()))).toBe("stay");
  });

  it("that takes the whole unit along one vector is a shift, to a thousandth of an inch", () => {
    const plan = plans.moved(plans.standing(stands()), both, [3.12345, -1]);
    expect(plans.moveAnswer(plan)).toEqual({ shift: [3.123, -1] });
    expect(plans.longest(plan)).toBeCloseTo(Math.hypot(3.123, 1), 3);
  });

  it("of one model is a path for that model alone", () => {
    const plan = plans.moved(plans.standing(stands()), ["b"], [0, 2]);
    expect(plans.moveAnswer(plan)).toEqual({ b: [[11, 10], [11, 12]] });
  });

  it("keeps its bends and measures along them", () => {
    let plan = plans.moved(plans.standing(stands()), both, [0, 3]);
    plan = plans.bent(plan, both);
    plan = plans.bent(plan, both);
    plan = plans.moved(plan, both, [4, 0]);
    expect(plans.moveAnswer(plan)).toEqual({
      a: [[10, 10], [10, 13], [14, 13]],
      b: [[11, 10], [11, 13], [15, 13]],
    });
    expect(plans.longest(plan)).toBeCloseTo(7);
  });

  it("tells a facing only where the model was turned", () => {
    const plan = plans.turned(plans.moved(plans.standing(stands()), both, [1, 0]), ["a"], -15);
    expect(plans.moveAnswer(plan)).toEqual({ a: [[10, 10], [11, 10, 345]], b: [[11, 10], [12, 10]] });
  });

  it("of a model turned before it goes turns it first", () => {
    let plan = plans.turned(plans.standing(stands()), ["a"], 90);
    plan = plans.moved(plan, ["a"], [0, 4]);
    expect(plans.moveAnswer(plan)).toEqual({ a: [[10, 10], [10, 10, 90], [10, 14]] });
    expect(plans.longest(plan)).toBeCloseTo(4);
  });

  it("of one that goes straight ahead turns it toward where it is driven", () => {
    const start = plans.standing(stands());
    expect(plans.moveAnswer(plans.driven(start, "a", [10, 15]))).toEqual({ a: [[10, 10], [10, 10, 90], [10, 15]] });
    expect(plans.moveAnswer(plans.driven(start, "a", [15, 10.1]))).toEqual({ a: [[10, 10], [15, 10]] });
    expect(plans.moveAnswer(plans.driven(start, "a", [6, 10.5]))).toEqual({ a: [[10, 10], [6, 10]] });
  });

  it("to place carries a turned model without a way behind it", () => {
    const plan = plans.carried(plans.turned(plans.standing(stands()), ["a"], 90), ["a"], [1, 0]);
    expect(plans.placeAnswer(plan, () => false)).toEqual({ a: [11, 10, 90], b: [11, 10] });
  });

  it("to place names every model, with facing where the base shows it", () => {
    const plan = plans.moved(plans.standing(stands()), both, [1, 1]);
    expect(plans.placeAnswer(plan, (id) => id === "b")).toEqual({ a: [11, 11], b: [12, 11, 0] });
  });
});

describe("a suggestion", () => {
  it("is read back as the plan that gives the same answer", () => {
    for (const answer of ["stay", { shift: [2, 1] }, { a: [[10, 10], [10, 12], [12, 12, 90]] }, { a: [[10, 10], [10, 10, 90], [10, 14]] }]) {
      const plan = plans.readMove(stands(), answer);
      expect(plan && plans.moveAnswer(plan)).toEqual(answer);
    }
  });

  it("may leave the start of a path out", () => {
    const plan = plans.readMove(stands(), { a: [[12, 12]] });
    expect(plan && plans.moveAnswer(plan)).toEqual({ a: [[10, 10], [12, 12]] });
  });

  it("of another form is no plan", () => {
    for (const answer of [null, 3, [1], { zz: [[1, 1]] }, { a: "there" }]) {
      expect(plans.readMove(stands(), answer)).toBeNull();
    }
  });

  it("for a placement gives where each model begins", () => {
    expect(plans.readPlace({ a: [1, 2], b: [3, 4, 90] })).toEqual(
      new Map([
        ["a", { at: [1, 2], facing: 0 }],
        ["b", { at: [3, 4], facing: 90 }],
      ]),
    );
    expect(plans.readPlace("here")).toBeNull();
    expect(plans.readPlace({})).toBeNull();
  });

  it("starts a model that is not on the table at its first point", () => {
    expect(plans.firstPoint({ a: [[4, 5], [6, 7]] }, "a")).toEqual([4, 5]);
    expect(plans.firstPoint("stay", "a")).toBeNull();
  });
});
