import { describe, expect, it } from "vitest";
import { basePath, baseReach, centroid, hullPath, meant, pathLength, terrainMiddle, terrainPath, turn, within, zoom } from "./geometry";
import { lookOf } from "./ground";
import { zonesIn } from "./zones";

describe("the picture", () => {
  it("draws each kind of base with its length along the facing", () => {
    expect(basePath({ rect: [3, 5] })).toBe("M-2.5 -1.5H2.5V1.5H-2.5Z");
    expect(basePath({ oval: [1, 3] })).toContain("M-1 -0.5L1 -0.5");
    expect(basePath({ circle: 2 })).toContain("A1 1");
    expect([baseReach({ circle: 2 }), baseReach({ oval: [1, 3] }), baseReach({ rect: [3, 4] })]).toEqual([1, 1.5, 2.5]);
  });

  it("turns the table's y upside down", () => {
    expect(terrainPath({ id: "t", types: [], polygon: [[0, 0], [1, 0], [1, 2]] }, 10)).toBe("M0 10L1 10L1 8Z");
    expect(terrainPath({ id: "t", types: [], disc: [5, 2, 1] }, 10)).toContain("M4 8");
    expect(terrainMiddle({ id: "t", types: [], polygon: [[0, 0], [4, 0], [4, 2]] })).toEqual([2, 1]);
  });

  it("keeps angles from 0 up to 360", () => {
    expect([turn(-15), turn(360), turn(725.04), turn(359.99)]).toEqual([345, 0, 5, 0]);
  });

  it("measures along a path", () => {
    expect(pathLength([[0, 0], [3, 4], [3, 5]])).toBe(6);
    expect(centroid([[0, 0], [2, 4]])).toEqual([1, 2]);
  });

  it("zooms about the pointer and never shows more than the whole", () => {
    const whole = { x: 0, y: 0, width: 72, height: 48 };
    const near = zoom(whole, whole, [36, 24], 0.5);
    expect(near).toEqual({ x: 18, y: 12, width: 36, height: 24 });
    expect(zoom(near, whole, [0, 0], 10)).toEqual(whole);
    expect(within({ x: -5, y: 40, width: 36, height: 24 }, whole)).toEqual({ x: 0, y: 24, width: 36, height: 24 });
  });

  it("reads the zone of a request as box, boxes or polygon", () => {
    const box = [[0, 0], [72, 0], [72, 12], [0, 12]];
    expect(zonesIn({ zone: [[0, 0, 72, 12]], facts: {} }, [72, 48])).toEqual([box]);
    expect(zonesIn({ facts: { zone: [0, 0, 72, 12] } }, [72, 48])).toEqual([box]);
    expect(zonesIn({ facts: { zone: [[0, 0], [4, 0], [4, 4]] } }, [72, 48])).toEqual([[[0, 0], [4, 0], [4, 4]]]);
    expect(zonesIn({ facts: {} }, [72, 48])).toEqual([]);
  });
});

describe("templates and spots", () => {
  const numbersOf = (path: string): number[] => (path.match(/-?\d+(\.\d+)?(e-\d+)?/g) ?? []).map(Number);
  it("outlines a line by two straight edges and a disc by itself", () => {
    const line = hullPath([2, 5, 1], [8, 5, 1], 10);
    expect(line).toMatch(/^M.*A.*L.*A.*Z$/);
    const [x, y] = numbersOf(line);
    expect([Math.round(x!), Math.round(y!)]).toEqual([2, 6]);
    expect(hullPath([5, 5, 2], [5, 5, 2], 10)).not.toContain("L");
  });
  it("takes a click near a spot for that spot, and others for themselves", () => {
    expect(meant([10.4, 10.3], [[3, 3], [10, 10]])).toEqual([10, 10]);
    expect(meant([12, 10], [[10, 10]])).toEqual([12, 10]);
  });
  it("gives types it has never heard of colours of their own", () => {
    const fills = ["brine", "ash", "reeds", "glass", "salt"].map((type) => lookOf(type).fill);
    expect(new Set(fills).size).toBe(5);
    expect(lookOf("brine").fill).toBe(fills[0]);
  });
});
