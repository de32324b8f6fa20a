/** Snapping: a base let go close to another base or to the edge of cover is drawn to it. The judge still decides. */

import type { Board, ModelView } from "./board.svelte";
import { baseReach, distance, nearestOn, sub } from "./geometry";
import type { Point } from "./wire";

const NEAR = 0.4;
const INSIDE = 0.02;

/** The shift that brings a base into contact with the nearest stranger within reach. */
function toContact(at: Point, model: ModelView, board: Board, own: ReadonlySet<string>): Point | null {
  let best: Point | null = null;
  let least = NEAR;
  for (const other of board.models.values()) {
    if (own.has(other.id) || !other.at || other.unit === model.unit || other.base.circle === undefined || model.base.circle === undefined) continue;
    const far = distance(at, other.at);
    const gap = far - baseReach(model.base) - baseReach(other.base);
    const side = board.unitOf(other)?.side;
    if (side === board.unitOf(model)?.side || far === 0 || Math.abs(gap) > least) continue;
    least = Math.abs(gap);
    best = [((other.at[0] - at[0]) / far) * gap, ((other.at[1] - at[1]) / far) * gap];
  }
  return best;
}

/** The shift that brings the middle of a base just inside a piece of cover it nearly stands in. */
function toCover(at: Point, board: Board): Point | null {
  for (const piece of board.terrain) {
    if (!piece.types.includes("cover") || piece.types.includes("impassable") || !piece.polygon) continue;
    const edge = nearestOn(piece.polygon, at);
    const far = distance(edge, at);
    if (far === 0 || far > NEAR || inside(piece.polygon, at)) continue;
    const by = sub(edge, at);
    return [by[0] * (1 + INSIDE / far), by[1] * (1 + INSIDE / far)];
  }
  return null;
}

function inside(polygon: readonly Point[], [x, y]: Point): boolean {
  let odd = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [a, b] = [polygon[i]!, polygon[j]!];
    if (a[1] > y !== b[1] > y && x < ((b[0] - a[0]) * (y - a[1])) / (b[1] - a[1]) + a[0]) odd = !odd;
  }
  return odd;
}

/** How far a base let go at a point is drawn: to contact, else to cover, else not at all. */
export function snap(at: Point, model: ModelView, board: Board, own: ReadonlySet<string>): Point {
  return toContact(at, model, board, own) ?? toCover(at, board) ?? [0, 0];
}
