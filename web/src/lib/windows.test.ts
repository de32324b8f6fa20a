import { describe, expect, it } from "vitest";
import { declined, reactionsOf, toggled } from "./windows";
import type { DecisionRequest } from "./wire";

const asked = (kind: string, reactions: string[]): DecisionRequest => ({
  who: "A", kind, options: [...reactions, "pass"], default: "pass", clause: "X-1", point: "", about: null, facts: { reactions },
});

describe("windows", () => {
  it("names each reaction once", () => {
    expect(reactionsOf(asked("react", ["Dodge", "Dodge", "Fire"]))).toEqual(["Dodge", "Fire"]);
    expect(reactionsOf(asked("choose-target", ["Dodge"]))).toEqual([]);
  });

  it("are passed on when everything offered is declined, and not otherwise", () => {
    expect(declined(asked("react", ["Dodge"]), ["Dodge", "Fire"])).toBe(true);
    expect(declined(asked("react", ["Dodge", "Fire"]), ["Dodge"])).toBe(false);
    expect(declined(asked("choose-unit", []), ["Dodge"])).toBe(false);
  });

  it("are asked about again", () => {
    expect(toggled(["Fire"], "Dodge", false)).toEqual(["Dodge", "Fire"]);
    expect(toggled(["Dodge", "Fire"], "Dodge", true)).toEqual(["Fire"]);
  });
});
