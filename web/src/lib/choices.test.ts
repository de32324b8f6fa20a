import { describe, expect, it } from "vitest";
import type { EditionChoice } from "./api";
import { armiesFor, sizeOf, tablesFor } from "./choices";

const sized: EditionChoice = {
  id: "e",
  name: "E",
  points: 1000,
  sizes: [500, 1000],
  armies: [{ id: "big", name: "Big", size: 1000 }, { id: "small", name: "Small", size: 500 }],
  tables: [{ id: "wide", name: "Wide", sizes: [1000] }, { id: "any", name: "Any" }],
  missions: [],
};
const plain: EditionChoice = { ...sized, sizes: [] };

describe("the size of a battle", () => {
  it("is the one wished for if it is offered, else the usual, and none where the rules know none", () => {
    expect([sizeOf(sized, 500), sizeOf(sized, 2000), sizeOf(sized), sizeOf(plain, 500), sizeOf(undefined)]).toEqual([500, 1000, 1000, 0, 0]);
  });

  it("says which armies and tables are offered", () => {
    expect(armiesFor(sized, 500).map(({ id }) => id)).toEqual(["small"]);
    expect(tablesFor(sized, 500).map(({ id }) => id)).toEqual(["any"]);
    expect(armiesFor(plain, 0)).toHaveLength(2);
  });
});
