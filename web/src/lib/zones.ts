/** Areas a request names, to be drawn on the table: where a unit may be placed. */

import type { DecisionRequest, Json, Point } from "./wire";

const isNumber = (value: Json): value is number => typeof value === "number";
const isPoint = (value: Json): boolean => Array.isArray(value) && value.length === 2 && value.every(isNumber);

function box([x0, y0, x1, y1]: number[]): Point[] {
  return [
    [x0!, y0!],
    [x1!, y0!],
    [x1!, y1!],
    [x0!, y1!],
  ];
}

/** The zones as polygons in inches: a box `[x0, y0, x1, y1]`, a polygon of points, or a list of either. */
export function zonesIn(request: Pick<DecisionRequest, "zone" | "facts">, size: Point): Point[][] {
  const read = (value: Json | undefined): Point[][] => {
    if (!Array.isArray(value) || !value.length) return [];
    if (value.length === 4 && value.every(isNumber)) return [box(value)];
    if (value.length > 2 && value.every(isPoint)) return [value as Point[]];
    return value.flatMap(read);
  };
  const inside = (zone: Point[]): boolean => zone.every(([x, y]) => Math.abs(x) <= 4 * size[0] && Math.abs(y) <= 4 * size[1]);
  return [...read(request.zone), ...read(request.facts["zone"]), ...read(request.facts["strip"])].filter(inside);
}
