"""Sight by brute force, with numpy: thousands of lines from rim to rim, and a check of the evidence.

Nothing here shares code or ideas with the sweep: a line is clear or it is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, hypot, pi, sin

import numpy as np
from numpy.typing import NDArray

Corners = Sequence[tuple[float, float]]
Core = tuple[Corners, float]
Floats = NDArray[np.float64]


def rim_points(core: Core, count: int, shrink: float) -> Floats:
    """Points on the rim of a core grown by its radius, `shrink` inside the true rim."""
    corners, r = core
    points = []
    if len(corners) <= 2 or r > 0:
        for k in range(count):
            c, s = cos(2 * pi * k / count), sin(2 * pi * k / count)
            x, y = max(corners, key=lambda p: p[0] * c + p[1] * s)
            points.append((x + (r - shrink) * c, y + (r - shrink) * s))
        if len(corners) == 2:
            points.extend(_along(corners, r - shrink, count // 4))
        return np.array(points)
    mx, my = sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners)
    inner = [(mx + (x - mx) * _inset(corners, shrink), my + (y - my) * _inset(corners, shrink)) for x, y in corners]
    lengths = [hypot(b[0] - a[0], b[1] - a[1]) for a, b in zip(inner, [*inner[1:], inner[0]], strict=True)]
    step = sum(lengths) / count
    for (ax, ay), (bx, by), long in zip(inner, [*inner[1:], inner[0]], lengths, strict=True):
        for k in range(max(1, round(long / step))):
            u = k / max(1, round(long / step))
            points.append((ax + u * (bx - ax), ay + u * (by - ay)))
    return np.array(points)


def _inset(corners: Corners, shrink: float) -> float:
    """The scale that keeps a rectangle's copy at least `shrink` inside."""
    least = min(hypot(b[0] - a[0], b[1] - a[1]) for a, b in zip(corners, [*corners[1:], corners[0]], strict=True))
    return 1.0 - 2.0 * shrink / least


def _along(corners: Corners, r: float, count: int) -> list[tuple[float, float]]:
    """Points along both straight sides of a stadium."""
    (ax, ay), (bx, by) = corners
    long = hypot(bx - ax, by - ay)
    nx, ny = (by - ay) / long * r, (ax - bx) / long * r
    ways = [k / count for k in range(1, count)]
    return [(ax + u * (bx - ax) + sign * nx, ay + u * (by - ay) + sign * ny) for u in ways for sign in (1, -1)]


def spans(core: Core, x: Floats, y: Floats, dx: Floats, dy: Floats) -> tuple[Floats, Floats]:
    """Where lines run inside a grown core, as multiples of their directions; (inf, -inf) where they miss."""
    corners, r = core
    low, high = np.full(x.shape, np.inf), np.full(x.shape, -np.inf)
    if r > 0:
        square = dx * dx + dy * dy
        for cx, cy in corners:
            b = (x - cx) * dx + (y - cy) * dy
            root = b * b - square * ((x - cx) ** 2 + (y - cy) ** 2 - r * r)
            hit = root > 0
            width = np.sqrt(np.where(hit, root, 0.0))
            low = np.where(hit, np.minimum(low, (-b - width) / square), low)
            high = np.where(hit, np.maximum(high, (width - b) / square), high)
    polygons = [list(corners)] if len(corners) > 2 else []
    if r > 0 and len(corners) > 1:
        for (ax, ay), (bx, by) in zip(corners, [*corners[1:], corners[0]], strict=True):
            long = hypot(bx - ax, by - ay)
            nx, ny = (by - ay) / long * r, (ax - bx) / long * r
            polygons.append([(ax + nx, ay + ny), (bx + nx, by + ny), (bx - nx, by - ny), (ax - nx, ay - ny)])
    for polygon in polygons:
        start, end = _in_polygon(polygon, x, y, dx, dy)
        hit = start < end
        low = np.where(hit, np.minimum(low, start), low)
        high = np.where(hit, np.maximum(high, end), high)
    return low, high


def _in_polygon(polygon: Corners, x: Floats, y: Floats, dx: Floats, dy: Floats) -> tuple[Floats, Floats]:
    """Where lines run inside a convex counter-clockwise polygon."""
    start, end = np.full(x.shape, -np.inf), np.full(x.shape, np.inf)
    for (ax, ay), (bx, by) in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
        ex, ey = bx - ax, by - ay
        inside = ex * (y - ay) - ey * (x - ax)
        change = ex * dy - ey * dx
        with np.errstate(divide="ignore", invalid="ignore"):
            u = -inside / change
        start = np.where(change > 0, np.maximum(start, u), start)
        end = np.where(change < 0, np.minimum(end, u), end)
        end = np.where((change == 0) & (inside <= 0), -np.inf, end)
    return start, end


def _distance(core: Core, x0: Floats, y0: Floats, x1: Floats, y1: Floats) -> Floats:
    """Distance of segments from a grown core they do not cross."""
    corners, r = core
    best = np.full(x0.shape, np.inf)
    for cx, cy in corners:
        best = np.minimum(best, _to_segment(np.full_like(x0, cx), np.full_like(x0, cy), x0, y0, x1, y1))
    if len(corners) > 1:
        for (ax, ay), (bx, by) in zip(corners, [*corners[1:], corners[0]], strict=True):
            edge = [np.full_like(x0, v) for v in (ax, ay, bx, by)]
            best = np.minimum(best, _to_segment(x0, y0, *edge))
            best = np.minimum(best, _to_segment(x1, y1, *edge))
    return best - r


def _to_segment(px: Floats, py: Floats, ax: Floats, ay: Floats, bx: Floats, by: Floats) -> Floats:
    """Distance of points from segments."""
    ex, ey = bx - ax, by - ay
    square = np.maximum(ex * ex + ey * ey, 1e-300)
    u = np.clip(((px - ax) * ex + (py - ay) * ey) / square, 0.0, 1.0)
    return np.hypot(px - ax - u * ex, py - ay - u * ey)


def clear_lines(
    a: Core, b: Core, blockers: Sequence[Core], x: Floats, y: Floats, dx: Floats, dy: Floats, slack: float
) -> NDArray[np.bool_]:
    """Which lines meet both ends and run through no blocker's interior between them."""
    _, leave = spans(a, x, y, dx, dy)
    enter, _ = spans(b, x, y, dx, dy)
    good: NDArray[np.bool_] = np.isfinite(leave) & np.isfinite(enter)
    leave, enter = np.where(good, leave, 0.0), np.where(good, enter, 0.0)
    long = np.hypot(dx, dy)
    for core in blockers:
        low, high = spans(core, x, y, dx, dy)
        good &= (np.minimum(high, enter) - np.maximum(low, leave)) * long <= slack
    return good


def sampled(a: Core, b: Core, blockers: Sequence[Core], margin: float = 10.0, count: int = 128) -> bool:
    """Whether one of count x count lines from rim to rim is clear, with room for half the margin on both sides."""
    p, q = rim_points(a, count, margin / 2), rim_points(b, count, margin / 2)
    x, y = np.repeat(p[:, 0], len(q)), np.repeat(p[:, 1], len(q))
    dx, dy = np.tile(q[:, 0], len(p)) - x, np.tile(q[:, 1], len(p)) - y
    long = np.hypot(dx, dy)
    good = np.ones(x.shape, dtype=np.bool_)
    for off in (0.0, margin / 2, -margin / 2):
        nx, ny = -dy / long * off, dx / long * off
        good &= clear_lines(a, b, blockers, x + nx, y + ny, dx, dy, 1e-6)
    if not good.any():
        return False
    x, y, dx, dy = x[good], y[good], dx[good], dy[good]
    _, leave = spans(a, x, y, dx, dy)
    enter, _ = spans(b, x, y, dx, dy)
    roomy = np.ones(x.shape, dtype=np.bool_)
    for core in blockers:
        d = _distance(core, x + leave * dx, y + leave * dy, x + enter * dx, y + enter * dy)
        roomy &= d >= margin / 2
    return bool(roomy.any())


def band_is_clear(
    a: Core,
    b: Core,
    blockers: Sequence[Core],
    line: tuple[float, float, float, float],
    margin: float = 10.0,
    slack: float = 1e-3,
) -> bool:
    """Whether 41 parallel lines across the band around a segment meet both ends and no blocker between them."""
    x0, y0, x1, y1 = line
    dx, dy = x1 - x0, y1 - y0
    long = hypot(dx, dy)
    off = np.linspace(-margin / 2 + slack, margin / 2 - slack, 41)
    x, y = x0 - dy / long * off, y0 + dx / long * off
    ways = np.full_like(off, dx), np.full_like(off, dy)
    # Touching counts for nothing, so a blocker may be met over a hair's length where a corner rounds.
    return bool(clear_lines(a, b, blockers, x, y, *ways, 2e-2).all())


def ways_out(barrel: tuple[float, float], b: Core, blockers: Sequence[Core], degrees: Floats, margin: float = 10.0) -> bool:
    """Whether in one of some directions a band around a barrel reaches a target past all blockers."""
    dx, dy = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    good = np.ones(degrees.shape, dtype=np.bool_)
    for off in np.linspace(-margin / 2 + 1e-3, margin / 2 - 1e-3, 5):
        x, y = barrel[0] - dy * off, barrel[1] + dx * off
        enter, _ = spans(b, x, y, dx, dy)
        good &= np.isfinite(enter) & (enter > 0)
        enter = np.where(good, enter, 0.0)
        for core in blockers:
            low, high = spans(core, x, y, dx, dy)
            good &= np.minimum(high, enter) - np.maximum(low, 0.0) <= 1e-3
    return bool(good.any())


def clear_between(starts: Sequence[Core], ends: Sequence[Core], blockers: Sequence[Core], line: Floats) -> NDArray[np.bool_]:
    """Which lines (rows of x, y, dx, dy) lead from some part of a start to some part of an end past all blockers."""
    x, y, dx, dy = line.T
    found = np.zeros(x.shape, dtype=np.bool_)
    for a in starts:
        _, leave = spans(a, x, y, dx, dy)
        for b in ends:
            enter, _ = spans(b, x, y, dx, dy)
            good = np.isfinite(leave) & np.isfinite(enter) & (enter >= leave)
            start, end = np.where(good, leave, 0.0), np.where(good, enter, 0.0)
            for core in blockers:
                low, high = spans(core, x, y, dx, dy)
                good &= (np.minimum(high, end) - np.maximum(low, start)) * np.hypot(dx, dy) <= 1e-2
            found |= good
    return found


def sampled_outlines(starts: Sequence[Core], ends: Sequence[Core], blockers: Sequence[Core], margin: float, count: int) -> bool:
    """Whether some band between rim points of two shapes of several parts each is clear."""
    p = np.concatenate([rim_points(core, count, 0.01) for core in starts])
    q = np.concatenate([rim_points(core, count, 0.01) for core in ends])
    x, y = np.repeat(p[:, 0], len(q)), np.repeat(p[:, 1], len(q))
    dx, dy = np.tile(q[:, 0], len(p)) - x, np.tile(q[:, 1], len(p)) - y
    long = np.maximum(np.hypot(dx, dy), 1e-9)
    good = long > 1.0
    for off in np.linspace(-margin / 2, margin / 2, 7):
        rows = np.stack([x - dy / long * off, y + dx / long * off, dx, dy], axis=1)
        good[good] = clear_between(starts, ends, blockers, rows[good])
        if not good.any():
            return False
    return True


def clear_gap(a: Core, b: Core) -> float:
    """Distance of two grown cores; negative when they overlap (by how much is not told)."""
    for one, other in ((a, b), (b, a)):
        inside = [_inside(one[0], x, y) for x, y in other[0]]
        if len(one[0]) > 2 and any(inside):
            return -1.0
    best = float("inf")
    for corners, others in ((a[0], b[0]), (b[0], a[0])):
        for x, y in corners:
            for (px, py), (qx, qy) in zip(others, [*others[1:], others[0]], strict=True):
                point = [np.array([float(v)]) for v in (x, y, px, py, qx, qy)]
                best = min(best, float(_to_segment(*point)[0]))
    if len(a[0]) > 1 and len(b[0]) > 1 and _edges_cross(a[0], b[0]):
        return -1.0
    return best - a[1] - b[1]


def _inside(corners: Corners, x: float, y: float) -> bool:
    """Whether a point lies strictly inside a convex counter-clockwise polygon."""
    edges = zip(corners, [*corners[1:], corners[0]], strict=True)
    return all((qx - px) * (y - py) - (qy - py) * (x - px) > 0 for (px, py), (qx, qy) in edges)


def _edges_cross(a: Corners, b: Corners) -> bool:
    """Whether an edge of one polygon properly crosses an edge of another."""

    def turn(o: tuple[float, float], p: tuple[float, float], q: tuple[float, float]) -> float:
        return (p[0] - o[0]) * (q[1] - o[1]) - (p[1] - o[1]) * (q[0] - o[0])

    for p, q in zip(a, [*a[1:], a[0]], strict=True):
        for u, v in zip(b, [*b[1:], b[0]], strict=True):
            if turn(p, q, u) * turn(p, q, v) < 0 and turn(u, v, p) * turn(u, v, q) < 0:
                return True
    return False
