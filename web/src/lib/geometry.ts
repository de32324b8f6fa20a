/**
 * Geometry of the picture. The table has its origin at the bottom left and y up, in inches; an SVG has y down.
 * Nothing here decides a rule: the server's judge does.
 */

import type { Base, Point, TerrainPiece } from "./wire";

export const add = (a: Point, b: Point): Point => [a[0] + b[0], a[1] + b[1]];
export const sub = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1]];
export const distance = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1]);

/** To a thousandth of an inch, which is how exactly the engine keeps positions. */
export const thou = (value: number): number => Math.round(value * 1000) / 1000;
export const roundPoint = (p: Point): Point => [thou(p[0]), thou(p[1])];

/** From table to picture. */
export const flip = (p: Point, tableHeight: number): Point => [p[0], tableHeight - p[1]];

/** An angle in degrees brought into 0 up to 360, to a tenth. */
export function turn(degrees: number): number {
  const whole = Math.round((((degrees % 360) + 360) % 360) * 10) / 10;
  return whole >= 360 ? 0 : whole;
}

/** The direction from one point to another in degrees, counter-clockwise from +x. */
export const bearing = (from: Point, to: Point): number => turn((Math.atan2(to[1] - from[1], to[0] - from[0]) * 180) / Math.PI);

/** The point some way off in a direction. */
export function along(from: Point, degrees: number, far: number): Point {
  const angle = (degrees * Math.PI) / 180;
  return [from[0] + far * Math.cos(angle), from[1] + far * Math.sin(angle)];
}

/** Length along a path of points. */
export function pathLength(points: readonly Point[]): number {
  let sum = 0;
  for (let i = 1; i < points.length; i++) sum += distance(points[i - 1]!, points[i]!);
  return sum;
}

export function centroid(points: readonly Point[]): Point {
  if (points.length === 0) return [0, 0];
  const sum = points.reduce(add, [0, 0] as Point);
  return [sum[0] / points.length, sum[1] / points.length];
}

export type Disc = readonly [x: number, y: number, radius: number];

/** The outline of a template, the hull of two discs, as a path of the picture. */
export function hullPath(near: Disc, far: Disc, tableHeight: number): string {
  const [a, b] = [flip([near[0], near[1]], tableHeight), flip([far[0], far[1]], tableHeight)];
  const [r, s, d] = [near[2], far[2], distance(a, b)];
  const point = (c: Point, angle: number, radius: number): string => `${c[0] + radius * Math.cos(angle)} ${c[1] + radius * Math.sin(angle)}`;
  if (d <= Math.abs(r - s)) {
    const [c, radius] = r >= s ? [a, r] : [b, s];
    return `M${point(c, 0, radius)}A${radius} ${radius} 0 1 1 ${point(c, Math.PI, radius)}A${radius} ${radius} 0 1 1 ${point(c, 0, radius)}Z`;
  }
  const [heading, turned] = [Math.atan2(b[1] - a[1], b[0] - a[0]), Math.acos((r - s) / d)];
  const [left, right] = [heading + turned, heading - turned];
  const back = `A${r} ${r} 0 ${turned < Math.PI / 2 ? 1 : 0} 1 ${point(a, right, r)}`;
  const front = `A${s} ${s} 0 ${turned > Math.PI / 2 ? 1 : 0} 1 ${point(b, left, s)}`;
  return `M${point(a, left, r)}${back}L${point(b, right, s)}${front}Z`;
}

const NEAR = 0.75;

/** The spot a click means: one of those offered if it is near by, else itself. */
export function meant(at: Point, spots: readonly Point[]): Point {
  const nearest = [...spots].sort((a, b) => distance(a, at) - distance(b, at))[0];
  return nearest && distance(nearest, at) <= NEAR ? nearest : at;
}

/** The widest half-measure of a base: how far it reaches from its middle. */
export function baseReach(base: Base): number {
  if (base.circle !== undefined) return base.circle / 2;
  const [w, l] = base.oval ?? base.rect ?? [1, 1];
  return base.oval ? l / 2 : Math.hypot(w, l) / 2;
}

/** Whether facing shows in the shape of the base. */
export const hasFacing = (base: Base): boolean => base.circle === undefined;

/** The outline of a base around (0, 0), its length along +x, as an SVG path. */
export function basePath(base: Base): string {
  if (base.circle !== undefined) {
    const r = base.circle / 2;
    return `M${-r} 0A${r} ${r} 0 1 0 ${r} 0A${r} ${r} 0 1 0 ${-r} 0Z`;
  }
  if (base.oval) {
    const [w, l] = base.oval;
    const [r, s] = [w / 2, (l - w) / 2];
    return `M${-s} ${-r}L${s} ${-r}A${r} ${r} 0 0 1 ${s} ${r}L${-s} ${r}A${r} ${r} 0 0 1 ${-s} ${-r}Z`;
  }
  const [w, l] = base.rect ?? [1, 1];
  return `M${-l / 2} ${-w / 2}H${l / 2}V${w / 2}H${-l / 2}Z`;
}

/** The outline of a piece of terrain in picture coordinates. */
export function terrainPath(piece: TerrainPiece, tableHeight: number): string {
  if (piece.disc) {
    const [x, y, r] = piece.disc;
    const cy = tableHeight - y;
    return `M${x - r} ${cy}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
  }
  const points = (piece.polygon ?? []).map((p) => flip(p, tableHeight));
  return points.length ? `M${points.map((p) => p.join(" ")).join("L")}Z` : "";
}

/** Where a piece's name goes. */
export function terrainMiddle(piece: TerrainPiece): Point {
  if (piece.disc) return [piece.disc[0], piece.disc[1]];
  const corners = piece.polygon ?? [];
  const xs = corners.map((p) => p[0]);
  const ys = corners.map((p) => p[1]);
  if (!corners.length) return [0, 0];
  return [(Math.min(...xs) + Math.max(...xs)) / 2, (Math.min(...ys) + Math.max(...ys)) / 2];
}

export interface View {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The view zoomed by a factor about a point of the picture, never wider than the whole. */
export function zoom(view: View, whole: View, about: Point, factor: number): View {
  const width = Math.min(whole.width, Math.max(6, view.width * factor));
  const scale = width / view.width;
  const height = view.height * scale;
  return within(
    { x: about[0] - (about[0] - view.x) * scale, y: about[1] - (about[1] - view.y) * scale, width, height },
    whole,
  );
}

/** The view kept inside the whole. */
export function within(view: View, whole: View): View {
  const hold = (at: number, size: number, from: number, all: number): number =>
    Math.min(Math.max(at, from), from + Math.max(0, all - size));
  return {
    ...view,
    x: hold(view.x, view.width, whole.x, whole.width),
    y: hold(view.y, view.height, whole.y, whole.height),
  };
}

/** The point of a polygon's outline nearest to a point. */
export function nearestOn(polygon: readonly Point[], to: Point): Point {
  let best: Point = polygon[0] ?? to;
  polygon.forEach((a, k) => {
    const b = polygon[(k + 1) % polygon.length]!;
    const [dx, dy] = sub(b, a);
    const size = dx * dx + dy * dy;
    const share = size ? Math.max(0, Math.min(1, ((to[0] - a[0]) * dx + (to[1] - a[1]) * dy) / size)) : 0;
    const here: Point = [a[0] + share * dx, a[1] + share * dy];
    if (distance(here, to) < distance(best, to)) best = here;
  });
  return best;
}

/** The gap between two bases as a ruler would show it; never less than none. Round bases exactly, others by their corners. */
export const gapBetween = (a: Point, reachA: number, b: Point, reachB: number): number => Math.max(0, distance(a, b) - reachA - reachB);
