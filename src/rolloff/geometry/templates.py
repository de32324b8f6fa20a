"""Templates laid on the table: discs, teardrops and lines, and which bases are under one.

All of them are one shape: the convex hull of two discs. Two equal discs on one spot are a disc, a small and a large one a
teardrop, two of one size a line as broad as they are. Whole thou go in; square roots are the only thing that is not exact.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from math import sqrt
from typing import Final, NamedTuple

from rolloff.geometry.field import Scene
from rolloff.geometry.shapes import Point, core, in_convex, segments_meet
from rolloff.geometry.trig import COS, FULL_TURN, SIN, turned
from rolloff.lengths import NOWHERE

EDGE: Final = 1e-3
"""Bases that touch an edge within so many thou are under the template."""
ROUNDING: Final = 2
"""More than rounding may put the corners of a turned base further out."""


class Area(NamedTuple):
    """The convex hull of two discs (x, y, radius), in thou."""

    near: tuple[int, int, int]
    far: tuple[int, int, int]

    @classmethod
    def disc(cls, x: int, y: int, radius: int) -> Area:
        """A round marker."""
        return cls((x, y, radius), (x, y, radius))

    @classmethod
    def line(cls, start: Point, end: Point, width: int = 0) -> Area:
        """A line from one point to another, as broad as ``width``, with round ends."""
        return cls((*start, width // 2), (*end, width // 2))

    @classmethod
    def teardrop(cls, x: int, y: int, facing: int, near: Point, far: Point) -> Area:
        """A teardrop with its tip at a point, along a facing: two discs, each as its distance from the tip and its radius."""
        (ax, ay), (bx, by) = turned(near[0], 0, facing), turned(far[0], 0, facing)
        return cls((x + ax, y + ay, near[1]), (x + bx, y + by, far[1]))

    def depth(self, x: float, y: float) -> float:
        """How far a point is from the shape; less than nothing inside it."""
        (ax, ay, ra), (bx, by, rb) = self.near, self.far
        ex, ey, px, py = bx - ax, by - ay, x - ax, y - ay
        long = sqrt(ex * ex + ey * ey)
        if long <= abs(ra - rb):  # one disc lies in the other
            cx, cy, r = self.near if ra >= rb else self.far
            return sqrt((x - cx) * (x - cx) + (y - cy) * (y - cy)) - r
        along, across = (px * ex + py * ey) / long, abs(px * ey - py * ex) / long
        lean = (ra - rb) / long
        rise = sqrt(1.0 - lean * lean)
        beside = rise * along - lean * across
        if beside < 0.0:
            return sqrt(px * px + py * py) - ra
        if beside > rise * long:
            return sqrt((x - bx) * (x - bx) + (y - by) * (y - by)) - rb
        return rise * across + lean * along - ra

    def covers(self, x: int, y: int) -> bool:
        """Whether a point is under it."""
        return self.depth(x, y) <= EDGE


def _edge_gap(x: int, y: int, a: Point, b: Point) -> float:
    """The distance of a point from an edge."""
    ex, ey, px, py = b[0] - a[0], b[1] - a[1], x - a[0], y - a[1]
    dot, long = px * ex + py * ey, ex * ex + ey * ey
    if dot <= 0:
        return sqrt(px * px + py * py)
    if dot >= long:
        return sqrt((x - b[0]) * (x - b[0]) + (y - b[1]) * (y - b[1]))
    return abs(px * ey - py * ex) / sqrt(long)


def _meets(area: Area, corners: Sequence[Point], grown: int) -> bool:
    """Whether the shape meets a convex core grown by a radius."""
    if any(area.depth(x, y) <= grown + EDGE for x, y in corners):
        return True
    if len(corners) == 1:
        return False
    (ax, ay, ra), (bx, by, rb) = area.near, area.far
    if len(corners) > 2 and in_convex(corners, ax, ay):
        return True
    for a, b in zip(corners, (*corners[1:], corners[0]), strict=True):
        if _edge_gap(ax, ay, a, b) <= ra + grown + EDGE or _edge_gap(bx, by, a, b) <= rb + grown + EDGE:
            return True
        if (ax, ay) != (bx, by) and segments_meet(a, b, (ax, ay), (bx, by)):
            return True
    return False


def _corners(scene: Scene, slot: int) -> tuple[Sequence[Point], int]:
    x, y = struct.unpack_from("<2i", scene.xy, 8 * slot)
    hl, hw, r, _ = scene.field.bases[slot]
    facing = struct.unpack_from("<h", scene.facing, 2 * slot)[0] if hl or hw else 0
    return core(x, y, facing, hl, hw), r


def under(scene: Scene, area: Area, among: Iterable[int] | None = None) -> tuple[int, ...]:
    """The slots of models on the table whose bases are under a template, be it by an edge; ``among`` some, or all."""
    found = []
    (ax, ay, ra), (bx, by, rb) = area.near, area.far
    west, east, south, north = min(ax - ra, bx - rb), max(ax + ra, bx + rb), min(ay - ra, by - rb), max(ay + ra, by + rb)
    spots = struct.unpack(f"<{2 * scene.field.n}i", scene.xy)
    for slot in range(scene.field.n) if among is None else among:
        x, y, (hl, hw, r, _) = spots[2 * slot], spots[2 * slot + 1], scene.field.bases[slot]
        far = hl + hw + r + ROUNDING
        if x == NOWHERE or not (west - far <= x <= east + far and south - far <= y <= north + far):
            continue
        corners, grown = _corners(scene, slot)
        if _meets(area, corners, grown):
            found.append(slot)
    return tuple(found)


def on_base(scene: Scene, slot: int, x: int, y: int, hole: int = 0) -> bool:
    """Whether a disc about a point (the hole of a marker) lies wholly over a model's base."""
    corners, grown = _corners(scene, slot)
    inside = len(corners) > 2 and in_convex(corners, x, y)
    rim = min(_edge_gap(x, y, a, b) for a, b in zip(corners, (*corners[1:], corners[0]), strict=True))
    return (rim + grown if inside else grown - rim) + EDGE >= hole


def shifted(x: int, y: int, direction: int, distance: int) -> Point:
    """A point moved along a direction in tenths of a degree (0 is east, counter-clockwise)."""
    dx, dy = turned(distance, 0, direction % FULL_TURN)
    return x + dx, y + dy


def direction(dx: int, dy: int) -> int:
    """The whole tenth of a degree nearest to a vector; 0 for none. Integers alone decide."""
    if dx == 0 and dy == 0:
        return 0
    quarter = 0
    while not (dx > 0 and dy >= 0):
        dx, dy, quarter = dy, -dx, quarter + 900
    low, high = 0, 900
    while low < high:  # the first tenth that is not short of the vector
        middle = (low + high) // 2
        if COS[middle] * dy - SIN[middle] * dx <= 0:
            high = middle
        else:
            low = middle + 1
    ahead = low > 0 and abs(COS[low - 1] * dy - SIN[low - 1] * dx) <= abs(COS[low] * dy - SIN[low] * dx)
    return (low - ahead + quarter) % FULL_TURN
