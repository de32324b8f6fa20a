"""Shapes in plan: model bases as a core grown by a radius, and terrain outlines cut into convex parts.

Everything here is integer arithmetic on thou, so both twins of every kernel start from the same points.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product
from typing import NamedTuple

from rolloff.geometry.trig import turned
from rolloff.lengths import half

Point = tuple[int, int]
Polygon = tuple[Point, ...]


class ShapeError(ValueError):
    """An outline or a base that cannot stand on a table."""


class Base(NamedTuple):
    """A base and its height: half length `hl` (along the facing), half width `hw`, both grown by `r`."""

    hl: int
    hw: int
    r: int
    height: int

    @classmethod
    def circle(cls, diameter: int, height: int) -> Base:
        """A round base."""
        return cls(0, 0, half(diameter), height)

    @classmethod
    def oval(cls, width: int, length: int, height: int) -> Base:
        """An oval base: a stadium, `length` along the facing."""
        short, long = sorted((width, length))
        stretch = half(long) - half(short)
        if length >= width:
            return cls(stretch, 0, half(short), height)
        return cls(0, stretch, half(short), height)

    @classmethod
    def rect(cls, width: int, length: int, height: int) -> Base:
        """A hull: a rectangle, `length` along the facing."""
        return cls(half(length), half(width), 0, height)


def core(x: int, y: int, facing: int, hl: int, hw: int) -> Polygon:
    """Corners of a base's core on the table, counter-clockwise: one, two or four points."""
    if hl == 0 and hw == 0:
        return ((x, y),)
    if hw == 0:
        dx, dy = turned(hl, 0, facing)
        return ((x - dx, y - dy), (x + dx, y + dy))
    if hl == 0:
        dx, dy = turned(0, hw, facing)
        return ((x - dx, y - dy), (x + dx, y + dy))
    ax, ay = turned(hl, hw, facing)
    bx, by = turned(hl, -hw, facing)
    return ((x + ax, y + ay), (x - bx, y - by), (x - ax, y - ay), (x + bx, y + by))


def cross(o: Point, a: Point, b: Point) -> int:
    """Twice the signed area of the triangle o, a, b; positive when it turns left."""
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def doubled_area(outline: Sequence[Point]) -> int:
    """Twice the signed area of a polygon; positive when counter-clockwise."""
    return sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(outline, (*outline[1:], outline[0]), strict=True))


def _between(a: Point, b: Point, p: Point) -> bool:
    """Whether p, known to be on the line a-b, lies on the segment."""
    return min(a[0], b[0]) <= p[0] <= max(a[0], b[0]) and min(a[1], b[1]) <= p[1] <= max(a[1], b[1])


def segments_meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two closed segments have a point in common."""
    ca, cb, cc, cd = cross(c, d, a), cross(c, d, b), cross(a, b, c), cross(a, b, d)
    if ((ca > 0) != (cb > 0)) and ((cc > 0) != (cd > 0)) and 0 not in (ca, cb, cc, cd):
        return True
    return (
        (ca == 0 and _between(c, d, a))
        or (cb == 0 and _between(c, d, b))
        or (cc == 0 and _between(a, b, c))
        or (cd == 0 and _between(a, b, d))
    )


def _without_needless_corners(outline: Sequence[Point]) -> list[Point]:
    """Drop repeated corners, corners on a straight edge, and spikes."""
    points = list(outline)
    k = 0
    while len(points) >= 3 and k < len(points):
        before, here, after = points[k - 1], points[k], points[(k + 1) % len(points)]
        if cross(before, here, after) == 0:
            del points[k]
            k = max(k - 2, 0)
        else:
            k += 1
    return points


def _goes_once_around(points: list[Point]) -> bool:
    """Whether an outline turns the same way at every corner, and only once in all: then it is convex."""
    n = len(points)
    left = [cross(points[k - 1], points[k], points[(k + 1) % n]) > 0 for k in range(n)]
    if any(left) and not all(left):
        return False
    return sum([points[k - 1] > points[k] < points[(k + 1) % n] for k in range(n)]) == 1


def _meets_itself(points: list[Point]) -> bool:
    """Whether two edges that are no neighbours have a point in common."""
    n = len(points)
    pairs = ((i, j) for i in range(n) for j in range(i + 2, n) if i or j < n - 1)
    return any(segments_meet(points[i], points[i + 1], points[j], points[(j + 1) % n]) for i, j in pairs)


def tidy(outline: Sequence[Point]) -> Polygon:
    """A simple polygon: counter-clockwise, without needless corners.

    Raises:
        ShapeError: fewer than three true corners, no area, or an outline that meets itself.
    """
    points = _without_needless_corners(outline)
    if len(points) < 3 or doubled_area(points) == 0:
        raise ShapeError("an outline needs three corners and an area")
    if not _goes_once_around(points) and _meets_itself(points):
        raise ShapeError("an outline may not cross or touch itself")
    if doubled_area(points) < 0:
        points.reverse()
    return tuple(points)


def in_convex(polygon: Sequence[Point], x: int, y: int) -> bool:
    """Whether a point lies in a convex counter-clockwise polygon, edge included."""
    bx, by = polygon[-1]
    for cx, cy in polygon:
        if (cx - bx) * (y - by) - (cy - by) * (x - bx) < 0:
            return False
        bx, by = cx, cy
    return True


def _triangles(outline: Polygon) -> list[list[int]]:
    """Cut a simple counter-clockwise polygon into triangles of corner numbers by clipping ears."""
    left = list(range(len(outline)))
    found: list[list[int]] = []
    while len(left) > 3:
        for k in range(len(left)):
            a, b, c = left[k - 1], left[k], left[(k + 1) % len(left)]
            ear = (outline[a], outline[b], outline[c])
            if cross(*ear) <= 0:
                continue
            if any(in_convex(ear, *outline[p]) for p in left if outline[p] not in ear):
                continue
            found.append([a, b, c])
            del left[k]
            break
        else:
            raise ShapeError("an outline could not be cut into convex parts")
    found.append(left)
    return found


def _joined(p: list[int], q: list[int]) -> list[int] | None:
    """Join two corner rings along an edge they share, or None when they share none."""
    for i, a in enumerate(p):
        b = p[(i + 1) % len(p)]
        if a in q and b in q:
            j = q.index(b)
            if q[(j + 1) % len(q)] == a:
                return p[i + 1 :] + p[: i + 1] + [q[(j + 2 + k) % len(q)] for k in range(len(q) - 2)]
    return None


def _is_convex(outline: Polygon, ring: list[int]) -> bool:
    """Whether a ring of corners turns left or goes straight everywhere."""
    n = len(ring)
    return all(cross(outline[ring[k - 1]], outline[ring[k]], outline[ring[(k + 1) % n]]) >= 0 for k in range(n))


def convex_parts(outline: Polygon) -> tuple[Polygon, ...]:
    """Cut a tidy polygon into convex counter-clockwise parts that share edges and no area."""
    if _is_convex(outline, list(range(len(outline)))):
        return (outline,)
    rings = _triangles(outline)
    i = 0
    while i < len(rings):
        for j in range(i + 1, len(rings)):
            ring = _joined(rings[i], rings[j])
            if ring is not None and _is_convex(outline, ring):
                rings[i] = ring
                del rings[j]
                break
        else:
            i += 1
    return tuple(tuple(_without_needless_corners([outline[k] for k in ring])) for ring in rings)


def seams(parts: Sequence[Polygon]) -> list[tuple[Point, Point]]:
    """Where convex parts of one polygon meet along an edge: inside of it, though on the rim of both."""
    found = []
    for p, q in combinations(parts, 2):
        for (a, b), (c, d) in product(_edges(p), _edges(q)):
            first, last = max(min(a, b), min(c, d)), min(max(a, b), max(c, d))
            if cross(a, b, c) == 0 == cross(a, b, d) and first < last:
                found.append((first, last))
    return found


def _edges(polygon: Polygon) -> list[tuple[Point, Point]]:
    """The edges of a polygon."""
    return list(zip(polygon, (*polygon[1:], polygon[0]), strict=True))


def hull(points: Sequence[Point]) -> Polygon:
    """The convex hull of points, counter-clockwise, without points on its edges."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return tuple(ordered)

    def chain(run: Sequence[Point]) -> list[Point]:
        kept: list[Point] = []
        for p in run:
            while len(kept) >= 2 and cross(kept[-2], kept[-1], p) <= 0:
                kept.pop()
            kept.append(p)
        return kept[:-1]

    return tuple(chain(ordered) + chain(ordered[::-1]))
