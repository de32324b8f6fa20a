"""Ways up and down: a path in plan unrolled into length and height, taut strings over obstacles, and what turning costs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import sqrt

from rolloff.geometry.field import Place
from rolloff.geometry.shapes import Base
from rolloff.geometry.trig import SCALE, SIN

Spot = tuple[int, int]
Knot = tuple[float, float]
"""How far along a way, and how high."""


def length_of(path: Sequence[Spot]) -> float:
    """The length of a path in plan."""
    far = 0.0
    for (ax, ay), (bx, by) in pairwise(path):
        far += sqrt((bx - ax) ** 2 + (by - ay) ** 2)
    return far


def turning(base: Base, tenths: int) -> float:
    """What turning a base on the spot costs: the straight line its farthest tip travels; a round base turns for nothing."""
    if not (base.hl or base.hw):
        return 0.0
    angle = min(tenths % 3600, -tenths % 3600)
    tip = sqrt(base.hl * base.hl + base.hw * base.hw) if base.r == 0 else max(base.hl, base.hw) + base.r
    return 2.0 * tip * _sine(angle) / SCALE


def _sine(tenths: int) -> float:
    """The scaled sine of half an angle, between two entries of the table where it falls there."""
    low, high = SIN[tenths // 2], SIN[(tenths + 1) // 2]
    return (low + high) / 2.0


def stretches(place: Place, path: Sequence[Spot]) -> list[tuple[float, float]]:
    """The parts of a path, as lengths from its start, over the footprint of a piece."""
    found, gone = [], 0.0
    for a, b in pairwise(path):
        long = length_of((a, b))
        for part in _within(place, a, b) if long else ():
            found.append((gone + part[0] * long, gone + part[1] * long))
        gone += long
    return found


def _within(place: Place, a: Spot, b: Spot) -> Iterable[tuple[float, float]]:
    if place.disc is not None:
        yield from _through_disc(place.disc, a, b)
        return
    for corners in place.parts:
        first, last = 0.0, 1.0
        for (px, py), (qx, qy) in zip(corners, (*corners[1:], corners[0]), strict=True):
            nx, ny = qy - py, px - qx
            start = (a[0] - px) * nx + (a[1] - py) * ny
            step = (b[0] - a[0]) * nx + (b[1] - a[1]) * ny
            if step == 0:
                if start > 0:
                    first, last = 1.0, 0.0
            elif step < 0:
                first = max(first, -start / step)
            else:
                last = min(last, -start / step)
        if first < last:
            yield first, last


def _through_disc(disc: tuple[int, int, int], a: Spot, b: Spot) -> Iterable[tuple[float, float]]:
    x, y, r = disc
    dx, dy, fx, fy = b[0] - a[0], b[1] - a[1], a[0] - x, a[1] - y
    square, half, rest = dx * dx + dy * dy, fx * dx + fy * dy, fx * fx + fy * fy - r * r
    root = half * half - square * rest
    if root > 0:
        first, last = (-half - sqrt(root)) / square, (-half + sqrt(root)) / square
        if max(first, 0.0) < min(last, 1.0):
            yield max(first, 0.0), min(last, 1.0)


def taut(start: Knot, end: Knot, tops: Iterable[Knot]) -> float:
    """The length of the shortest line from start to end that stays on or above some points: their upper convex hull."""
    hull: list[Knot] = []
    for knot in (*sorted({start, *((s, z) for s, z in tops if start[0] < s < end[0])}), end):
        while len(hull) >= 2 and _below(hull[-2], hull[-1], knot):
            hull.pop()
        hull.append(knot)
    return sum(sqrt((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) for a, b in pairwise(hull))


def _below(a: Knot, b: Knot, c: Knot) -> bool:
    """Whether the middle one of three points lies on or below the line of the others."""
    return (b[1] - a[1]) * (c[0] - a[0]) <= (c[1] - a[1]) * (b[0] - a[0])
