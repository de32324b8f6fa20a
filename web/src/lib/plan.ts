/**
 * A plan: where the player means to put the models of one unit, before it is confirmed.
 * Drag, keys and buttons change the plan; the plan becomes the answer to a `move` or `place` request.
 */

import { add, along, bearing, distance, pathLength, roundPoint, sub, thou, turn } from "./geometry";
import type { Json, Point } from "./wire";

export interface Stand {
  at: Point;
  facing: number;
}

/** One model's part: where it started, bends on the way (with the facing it goes on with), where it ends. */
export interface Leg {
  start: Stand;
  bends: Stand[];
  end: Stand;
}

export type Plan = ReadonlyMap<string, Leg>;

/** A plan in which nobody has moved. */
export function standing(stands: ReadonlyMap<string, Stand>): Plan {
  return new Map([...stands].map(([id, stand]) => [id, { start: stand, bends: [], end: stand }]));
}

const change = (plan: Plan, ids: readonly string[], how: (leg: Leg) => Leg): Plan => {
  const chosen = new Set(ids);
  return new Map([...plan].map(([id, leg]) => [id, chosen.has(id) ? how(leg) : leg]));
};

const lastStop = (leg: Leg): Stand => leg.bends.at(-1) ?? leg.start;

/** The leg with a stop where it ends now, if it has moved or turned since the stop before. */
function stopped(leg: Leg): Leg {
  const last = lastStop(leg);
  const same = distance(last.at, leg.end.at) < 0.01 && last.facing === leg.end.facing;
  return same ? leg : { ...leg, bends: [...leg.bends, leg.end] };
}

/** The models moved on by a vector from where the plan has them; one that was turned there turns first, then goes. */
export function moved(plan: Plan, ids: readonly string[], by: Point): Plan {
  return change(plan, ids, (old) => {
    const leg = old.end.facing === lastStop(old).facing ? old : stopped(old);
    return { ...leg, end: { ...leg.end, at: roundPoint(add(leg.end.at, by)) } };
  });
}

/** A placed model moved by a vector: it has no way behind it. */
export function carried(plan: Plan, ids: readonly string[], by: Point): Plan {
  return change(plan, ids, (leg) => ({ ...leg, end: { ...leg.end, at: roundPoint(add(leg.end.at, by)) } }));
}

/** The models at these places, each by the way it went so far. */
export function arranged(plan: Plan, places: ReadonlyMap<string, Point>): Plan {
  return new Map([...plan].map(([id, leg]) => [id, { ...leg, end: { ...leg.end, at: roundPoint(places.get(id) ?? leg.end.at) } }]));
}

/** Where the models of a formation stand about its middle. */
export function spots(formation: "line" | "block" | "wedge", count: number, gap: number): Point[] {
  const rows: number[] = [];
  const wide = formation === "line" ? Math.min(count, 10) : Math.ceil(Math.sqrt(count * 1.6));
  for (let left = count, row = 1; left > 0; row++) {
    const size = Math.min(left, formation === "wedge" ? 2 * row - 1 : wide);
    rows.push(size);
    left -= size;
  }
  const found = rows.flatMap((size, row) => Array.from({ length: size }, (_, k): Point => [(k - (size - 1) / 2) * gap, -row * gap]));
  const drop = (gap * (rows.length - 1)) / 2;
  return found.map(([x, y]) => [x, y + drop]);
}

const STRAIGHT = 4;
const BACKWARDS = 25;

/** One that goes straight ahead driven toward a point: it turns there first, unless it is nearly ahead or behind. */
export function driven(plan: Plan, id: string, to: Point): Plan {
  return change(plan, [id], (leg) => {
    const from = { at: leg.end.at, facing: leg.end.facing };
    const off = ((bearing(from.at, to) - from.facing + 540) % 360) - 180;
    const far = distance(from.at, to);
    const ahead = Math.abs(off) <= STRAIGHT;
    const behind = Math.abs(off) >= 180 - BACKWARDS;
    const facing = ahead || behind ? from.facing : turn(from.facing + off);
    const way = far * (ahead || behind ? Math.cos((off * Math.PI) / 180) : 1);
    const turned = facing === lastStop(leg).facing ? leg : stopped({ ...leg, end: { ...from, facing } });
    return { ...turned, end: { at: roundPoint(along(from.at, facing, way)), facing } };
  });
}

/** A stop in the path where the models stand in the plan: they walk there first. */
export function bent(plan: Plan, ids: readonly string[]): Plan {
  return change(plan, ids, stopped);
}

/** The models turned on the spot. */
export function turned(plan: Plan, ids: readonly string[], by: number): Plan {
  return change(plan, ids, (leg) => ({ ...leg, end: { ...leg.end, facing: turn(leg.end.facing + by) } }));
}

const turnedAtAll = (leg: Leg): boolean => [...leg.bends, leg.end].some((stop) => stop.facing !== leg.start.facing);
const movedAtAll = (leg: Leg): boolean => leg.bends.length > 0 || distance(leg.start.at, leg.end.at) > 1e-9;
const still = (leg: Leg): boolean => !movedAtAll(leg) && !turnedAtAll(leg);

/** Whether the plan changes nothing. */
export const unmoved = (plan: Plan): boolean => [...plan.values()].every(still);

/** The common vector if the whole unit goes straight by one vector without turning; else null. */
export function shiftOf(plan: Plan): Point | null {
  let shift: Point | null = null;
  for (const leg of plan.values()) {
    if (leg.bends.length || turnedAtAll(leg)) return null;
    const by = sub(leg.end.at, leg.start.at);
    if (shift === null) shift = by;
    else if (distance(shift, by) > 0.0015) return null;
  }
  return shift === null ? null : roundPoint(shift);
}

export const legPoints = (leg: Leg): Point[] => [leg.start, ...leg.bends, leg.end].map((stop) => stop.at);

/** How far the model that goes furthest goes. */
export const longest = (plan: Plan): number => Math.max(0, ...[...plan.values()].map((leg) => pathLength(legPoints(leg))));

const written = (stand: Stand, withFacing: boolean): number[] => {
  const at = [thou(stand.at[0]), thou(stand.at[1])];
  return withFacing ? [...at, stand.facing] : at;
};

/** The plan as an answer to a `move` request: stay, a shift (unless paths are asked for), or paths. */
export function moveAnswer(plan: Plan, paths = false): Json {
  if (unmoved(plan)) return "stay";
  const shift = paths ? null : shiftOf(plan);
  if (shift) return { shift };
  const answer: Record<string, Json> = {};
  for (const [id, leg] of plan) {
    if (still(leg)) continue;
    const stops = [leg.start, ...leg.bends, leg.end];
    answer[id] = stops.map((stop, k) => written(stop, k > 0 && stop.facing !== stops[k - 1]!.facing));
  }
  return answer;
}

/** The plan as an answer to a `place` request; facing is told where the base shows it or it was turned. */
export function placeAnswer(plan: Plan, withFacing: (id: string) => boolean): Json {
  const answer: Record<string, Json> = {};
  for (const [id, leg] of plan) answer[id] = written(leg.end, withFacing(id) || turnedAtAll(leg));
  return answer;
}

const isPoint = (value: Json | undefined): value is number[] =>
  Array.isArray(value) && value.length >= 2 && value.every((n) => typeof n === "number");

/** A `move` answer read back onto the models, as the suggestion is shown; null if it is of no known form. */
export function readMove(stands: ReadonlyMap<string, Stand>, answer: Json): Plan | null {
  const still = standing(stands);
  if (answer === "stay") return still;
  if (answer === null || typeof answer !== "object" || Array.isArray(answer)) return null;
  const shift = answer["shift"];
  if (isPoint(shift)) return moved(still, [...stands.keys()], [shift[0]!, shift[1]!]);
  const plan = new Map(still);
  for (const [id, path] of Object.entries(answer)) {
    const leg = plan.get(id);
    if (!leg || !Array.isArray(path) || !path.length || !path.every(isPoint)) return null;
    const points = path as number[][];
    let facing = leg.start.facing;
    const stops = points.map(([x, y, turned]): Stand => ({ at: [x!, y!], facing: (facing = turned ?? facing) }));
    const first = stops[0]!;
    if (stops.length > 1 && distance(first.at, leg.start.at) < 0.002 && first.facing === leg.start.facing) stops.shift();
    plan.set(id, { start: leg.start, bends: stops.slice(0, -1), end: stops.at(-1)! });
  }
  return plan;
}

/** Where an answer of paths sets a model down first, if it has a path. */
export function firstPoint(answer: Json, id: string): Point | null {
  if (answer === null || typeof answer !== "object" || Array.isArray(answer)) return null;
  const path = answer[id];
  const first = Array.isArray(path) ? path[0] : undefined;
  return isPoint(first) ? [first[0]!, first[1]!] : null;
}

/** A `place` answer as stands, to begin dragging from; null if it is of no known form. */
export function readPlace(answer: Json): Map<string, Stand> | null {
  if (answer === null || typeof answer !== "object" || Array.isArray(answer)) return null;
  const stands = new Map<string, Stand>();
  for (const [id, point] of Object.entries(answer)) {
    if (!isPoint(point)) return null;
    stands.set(id, { at: [point[0]!, point[1]!], facing: point[2] ?? 0 });
  }
  return stands.size ? stands : null;
}
