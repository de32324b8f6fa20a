"""Convex shapes in plain Python: distances of points and segments from them, and their sums.

A shape is a polygon of one corner, two, or more, counter-clockwise. Step for step the twin of
`csrc/paths.c`.
"""

from __future__ import annotations

from functools import lru_cache
from math import sqrt

from rolloff.geometry.shapes import core

Corners = tuple[tuple[float, float], ...]


def point_segment2(px: float, py: float, ax: float, ay: float, bx: float, by: float) -> float:
    """Squared distance of a point from a segment."""
    dx, dy, vx, vy = bx - ax, by - ay, px - ax, py - ay
    t, ll = vx * dx + vy * dy, dx * dx + dy * dy
    if t <= 0.0:
        return vx * vx + vy * vy
    if t >= ll:
        vx, vy = px - bx, py - by
        return vx * vx + vy * vy
    c = vx * dy - vy * dx
    return c * c / ll


def enters(corners: Corners, x0: float, y0: float, x1: float, y1: float, depth: float) -> bool:
    """Whether a segment meets the part of a convex polygon that lies deeper than `depth` inside it."""
    t0, t1 = 0.0, 1.0
    ax, ay = corners[-1]
    for bx, by in corners:
        ex, ey = bx - ax, by - ay
        p, q = ex * (y0 - ay) - ey * (x0 - ax), ex * (y1 - ay) - ey * (x1 - ax)
        if depth > 0.0:
            cut = depth * sqrt(ex * ex + ey * ey)
            p -= cut
            q -= cut
        if p <= 0.0:
            if q <= 0.0:
                return False
            t = p / (p - q)
            if t > t0:
                t0 = t
        elif q <= 0.0:
            t = p / (p - q)
            if t < t1:
                t1 = t
        ax, ay = bx, by
    return t0 < t1


def _segments_cross(corners: Corners, x0: float, y0: float, x1: float, y1: float) -> bool:
    (ax, ay), (bx, by) = corners
    dx, dy, ex, ey = x1 - x0, y1 - y0, bx - ax, by - ay
    p, q = dx * (ay - y0) - dy * (ax - x0), dx * (by - y0) - dy * (bx - x0)
    u, v = ex * (y0 - ay) - ey * (x0 - ax), ex * (y1 - ay) - ey * (x1 - ax)
    parted = (p > 0.0 and q < 0.0) or (p < 0.0 and q > 0.0)
    return parted and ((u > 0.0 and v < 0.0) or (u < 0.0 and v > 0.0))


def comes_closer(corners: Corners, x0: float, y0: float, x1: float, y1: float, tau: float) -> bool:
    """Whether a segment comes closer than tau to a polygon; a negative tau allows so much depth inside."""
    m = len(corners)
    if m == 1:
        px, py = corners[0]
        return tau > 0.0 and point_segment2(px, py, x0, y0, x1, y1) < tau * tau
    if m >= 3:
        if tau <= 0.0:
            return enters(corners, x0, y0, x1, y1, -tau)
        if enters(corners, x0, y0, x1, y1, 0.0):
            return True
    else:
        if tau <= 0.0:
            return False
        if _segments_cross(corners, x0, y0, x1, y1):
            return True
    tt, dx, dy = tau * tau, x1 - x0, y1 - y0
    ll = dx * dx + dy * dy
    for px, py in corners:  # the distance of a point from a segment, written out: this is where the time goes
        vx, vy = px - x0, py - y0
        t = vx * dx + vy * dy
        if t <= 0.0:
            d = vx * vx + vy * vy
        elif t >= ll:
            vx, vy = px - x1, py - y1
            d = vx * vx + vy * vy
        else:
            c = vx * dy - vy * dx
            d = c * c / ll
        if d < tt:
            return True
    ax, ay = corners[-1]
    for bx, by in corners:
        ex, ey = bx - ax, by - ay
        ee = ex * ex + ey * ey
        for px, py in ((x0, y0), (x1, y1)) if ll else ((x0, y0),):
            vx, vy = px - ax, py - ay
            t = vx * ex + vy * ey
            if 0.0 < t < ee:
                c = vx * ey - vy * ex
                if c * c / ee < tt:
                    return True
        ax, ay = bx, by
    return False


def core_distance(corners: Corners, x: float, y: float) -> float:
    """Signed distance of a point from a polygon: negative inside, by how deep."""
    if len(corners) == 1:
        dx, dy = x - corners[0][0], y - corners[0][1]
        return sqrt(dx * dx + dy * dy)
    ax, ay = corners[-1]
    best, depth, inside = -1.0, 1e18, len(corners) >= 3
    for bx, by in corners:
        d = point_segment2(x, y, ax, ay, bx, by)
        if best < 0.0 or d < best:
            best = d
        if inside:
            ex, ey = bx - ax, by - ay
            c = ex * (y - ay) - ey * (x - ax)
            if c <= 0.0:
                inside = False
            else:
                c = c / sqrt(ex * ex + ey * ey)
                if c < depth:
                    depth = c
        ax, ay = bx, by
    return -depth if inside else sqrt(best)


@lru_cache(maxsize=512)
def _from_lowest(corners: Corners) -> Corners:
    """Corners in their order, from the lowest on."""
    first = min(range(len(corners)), key=lambda k: (corners[k][1], corners[k][0]))
    return corners[first:] + corners[:first]


def convex_sum(p: Corners, q: Corners) -> Corners:
    """The sum of two convex polygons of one, two or more corners, from the lowest corner on."""
    m, n = len(p), len(q)
    if m == 1:
        px, py = p[0]
        return tuple([(px + x, py + y) for x, y in _from_lowest(q)])
    i0 = min(range(m), key=lambda k: (p[k][1], p[k][0]))
    j0 = min(range(n), key=lambda k: (q[k][1], q[k][0]))
    im, jn = (0 if m == 1 else m), (0 if n == 1 else n)
    i = j = 0
    out: list[tuple[float, float]] = []
    while True:
        a, b = p[(i0 + i) % m], q[(j0 + j) % n]
        if i == im and j == jn and out:
            break
        out.append((a[0] + b[0], a[1] + b[1]))
        if i == im and j == jn:
            break
        a2, b2 = p[(i0 + i + 1) % m], q[(j0 + j + 1) % n]
        if i == im:
            c = -1.0
        elif j == jn:
            c = 1.0
        else:
            c = (a2[0] - a[0]) * (b2[1] - b[1]) - (a2[1] - a[1]) * (b2[0] - b[0])
        if c >= 0:
            i += 1
        if c <= 0:
            j += 1
    return tuple(out)


@lru_cache(maxsize=512)
def core_offsets(hl: int, hw: int, facing: int) -> Corners:
    """The corners of a core about its own centre."""
    return tuple((float(x), float(y)) for x, y in core(0, 0, facing, hl, hw))


@lru_cache(maxsize=512)
def extent(hl: int, hw: int, r: int, facing: int) -> tuple[int, int]:
    """How far a base reaches along x and along y from its centre."""
    offsets = core(0, 0, facing, hl, hw)
    return max(0, *(x for x, _ in offsets)) + r, max(0, *(y for _, y in offsets)) + r
