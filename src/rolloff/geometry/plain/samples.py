"""Sight by samples, the plain twin: segments between points of two bodies against upright prisms."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

THIN = 1.0
"""A segment that runs through a prism for no longer than this in plan, in thou, only touches it; unless it lies all within:
then it runs straight up or down."""

Corner = tuple[float, float]
Sample = tuple[float, float, float]


class Prism(NamedTuple):
    """Something solid: convex corners (counter-clockwise) grown by a radius, from one height to another, with its box.

    One corner is a disc, two are a stadium, more an outline.
    """

    corners: tuple[Corner, ...]
    r: float
    z0: float
    z1: float
    box: tuple[float, float, float, float]


def _span_disc(c: Corner, r: float, x: float, y: float, dx: float, dy: float) -> tuple[float, float] | None:
    fx, fy = x - c[0], y - c[1]
    a, b, e = dx * dx + dy * dy, fx * dx + fy * dy, fx * fx + fy * fy - r * r
    if a == 0.0:
        return (0.0, 1.0) if e < 0.0 else None
    d = b * b - a * e
    if d <= 0.0:
        return None
    root = sqrt(d)
    t0, t1 = (-b - root) / a, (-b + root) / a
    t0, t1 = (0.0 if t0 < 0.0 else t0), (1.0 if t1 > 1.0 else t1)
    return (t0, t1) if t0 < t1 else None


def _span_polygon(corners: Sequence[Corner], x: float, y: float, dx: float, dy: float) -> tuple[float, float] | None:
    t0, t1 = 0.0, 1.0
    m = len(corners)
    for k in range(m):
        ax, ay = corners[k]
        bx, by = corners[k + 1 if k + 1 < m else 0]
        ex, ey = bx - ax, by - ay
        side, turn = ex * (y - ay) - ey * (x - ax), ex * dy - ey * dx
        if turn == 0.0:
            if side <= 0.0:
                return None
            continue
        t = -side / turn
        if turn > 0.0:
            t0 = max(t0, t)
        else:
            t1 = min(t1, t)
        if t0 >= t1:
            return None
    return t0, t1


def _span(prism: Prism, x: float, y: float, dx: float, dy: float) -> tuple[float, float] | None:
    pt, r = prism.corners, prism.r
    if len(pt) >= 3:
        return _span_polygon(pt, x, y, dx, dy)
    if len(pt) == 1:
        return _span_disc(pt[0], r, x, y, dx, dy)
    (ax, ay), (bx, by) = pt
    ux, uy = bx - ax, by - ay
    length = sqrt(ux * ux + uy * uy)
    wx, wy = -uy / length * r, ux / length * r
    box = ((ax - wx, ay - wy), (bx - wx, by - wy), (bx + wx, by + wy), (ax + wx, ay + wy))
    spans = (_span_polygon(box, x, y, dx, dy), _span_disc(pt[0], r, x, y, dx, dy), _span_disc(pt[1], r, x, y, dx, dy))
    found = [span for span in spans if span is not None]
    return (min(t0 for t0, _ in found), max(t1 for _, t1 in found)) if found else None


def only_touches(t0: float, t1: float, dx: float, dy: float) -> bool:
    """Whether the part of a segment that lies within a prism in plan is too short to count."""
    return (t1 - t0) * sqrt(dx * dx + dy * dy) <= THIN and (t0 > 0.0 or t1 < 1.0)


def stops(prism: Prism, p: Sample, q: Sample) -> bool:
    """Whether the segment from p to q runs through a prism."""
    left, bottom, right, top = prism.box
    if max(p[0], q[0]) <= left or min(p[0], q[0]) >= right or max(p[1], q[1]) <= bottom or min(p[1], q[1]) >= top:
        return False
    dx, dy = q[0] - p[0], q[1] - p[1]
    span = _span(prism, p[0], p[1], dx, dy)
    if span is None or only_touches(span[0], span[1], dx, dy):
        return False
    za, zb = p[2] + span[0] * (q[2] - p[2]), p[2] + span[1] * (q[2] - p[2])
    return min(za, zb) < prism.z1 and max(za, zb) > prism.z0


def _open(prisms: Sequence[Prism], p: Sample, q: Sample, last: list[int]) -> bool:
    if last[0] < len(prisms) and stops(prisms[last[0]], p, q):
        return False
    for k, prism in enumerate(prisms):
        if k != last[0] and stops(prism, p, q):
            last[0] = k
            return False
    return True


def clear_pair(prisms: Sequence[Prism], a: Sequence[Sample], b: Sequence[Sample]) -> tuple[int, int] | int:
    """The first pair of samples with a clear segment; else the number of the prism that stopped the last one."""
    last = [0]
    for i, p in enumerate(a):
        for j, q in enumerate(b):
            if _open(prisms, p, q, last):
                return i, j
    return last[0]


def first_unseen(prisms: Sequence[Prism], a: Sequence[Sample], b: Sequence[Sample]) -> int:
    """The first sample of b that no sample of a has a clear segment to; -1: there is none."""
    last = [0]
    for j, q in enumerate(b):
        if not any(_open(prisms, p, q, last) for p in a):
            return j
    return -1
