"""Shadows of convex shapes on a sheaf of parallel lines: the geometry under exact sight, in plain Python.

The frame has its x axis along a direction that separates the viewer (left) from the target (right). A line
is y = t*x + s. At slope t a convex core grown by a radius covers the offsets from `low` to `high`.
`csrc/sight.c` is the twin, step for step.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, sqrt
from typing import NamedTuple

from rolloff.geometry.field import Core

Axis = tuple[float, float]
Span = tuple[float, float]

TOUCH = 1e-6
"""Thou: shapes that overlap by less only touch; a band that is too narrow by less is wide enough."""

EVERYWHERE: Span = (-inf, inf)
NEVER: Span = (inf, -inf)


class Box(NamedTuple):
    """A core in the frame: its corners, its radius, and how far it reaches along x and y."""

    corners: tuple[tuple[float, float], ...]
    r: float
    left: float
    right: float
    bottom: float
    top: float


class Shade(NamedTuple):
    """A convex blocker in the frame, which obstacle it is of, and the slopes at which it stands between."""

    tag: int
    corners: tuple[tuple[float, float], ...]
    r: float
    slopes: Span


class Frame(NamedTuple):
    """An origin and an axis; lengths in it are larger than on the table by `scale`."""

    x: float
    y: float
    ax: float
    ay: float
    scale: float

    def box(self, core: Core) -> Box:
        """A core seen in this frame."""
        corners = []
        left, right, bottom, top = inf, -inf, inf, -inf
        for x, y in core[0]:
            dx, dy = x - self.x, y - self.y
            u, v = dx * self.ax + dy * self.ay, dy * self.ax - dx * self.ay
            corners.append((u, v))
            if u < left:
                left = u
            if u > right:
                right = u
            if v < bottom:
                bottom = v
            if v > top:
                top = v
        r = core[1] * self.scale
        return Box(tuple(corners), r, left - r, right + r, bottom - r, top + r)

    def table(self, u: float, v: float) -> tuple[float, float]:
        """A point of the frame back on the table."""
        square = self.ax * self.ax + self.ay * self.ay
        return self.x + (u * self.ax - v * self.ay) / square, self.y + (u * self.ay + v * self.ax) / square


def frame_along(x: float, y: float, axis: Axis) -> Frame:
    """The frame from a point along an axis."""
    ax, ay = axis
    return Frame(x, y, ax, ay, sqrt(ax * ax + ay * ay))


def closest(a: Core, b: Core) -> Axis:
    """The direction from one convex core to another where they are closest; their insides do not meet."""
    best, way = inf, (0.0, 0.0)
    for near, edges, sign in ((a[0], b[0], 1.0), (b[0], a[0], -1.0)):
        px, py = edges[-1]
        for qx, qy in edges:
            ex, ey = qx - px, qy - py
            long = ex * ex + ey * ey
            for x, y in near:
                dx, dy = px - x, py - y
                dot = -(dx * ex + dy * ey)
                if dot <= 0.0:
                    d = dx * dx + dy * dy
                elif dot >= long:
                    dx, dy = qx - x, qy - y
                    d = dx * dx + dy * dy
                else:
                    turn = dx * ey - dy * ex
                    d = turn * turn / long
                    dx, dy = (ey, -ex) if turn > 0.0 else (-ey, ex)
                if d < best:
                    best, way = d, (dx * sign, dy * sign)
            px, py = qx, qy
    return way


def _normals(a: Box, b: Box, sign: float, best: float, way: Axis) -> tuple[float, Axis]:
    """Improve on the best separation with the normals of a's edges; the axis is turned by `sign`."""
    n = len(a.corners)
    if n < 2:
        return best, way
    px, py = a.corners[-1]
    for qx, qy in a.corners:
        ex, ey = qx - px, qy - py
        least = inf
        for x, y in b.corners:
            d = (x - px) * ey - (y - py) * ex
            if d < least:
                least = d
        least = least / sqrt(ex * ex + ey * ey)
        if least > best:
            best, way = least, (ey * sign, -ex * sign)
        px, py = qx, qy
    return best, way


def parted(a: Box, b: Box, touch: float) -> tuple[bool, Axis]:
    """Whether two shapes do not overlap, and the best direction found to part the first from the second."""
    grown = a.r + b.r
    best, way = _normals(a, b, 1.0, -inf, (0.0, 0.0))
    best, way = _normals(b, a, -1.0, best, way)
    if best >= grown - touch:
        return True, way
    if -inf < best < 0.0:
        return False, way
    nearest, corner = inf, way
    for x, y in a.corners:
        for u, v in b.corners:
            dx, dy = u - x, v - y
            d = dx * dx + dy * dy
            if d < nearest:
                nearest = d
                corner = (dx, dy)
    if nearest == 0.0:
        return False, way
    # Only if two corners are the closest points does the way between them part the shapes.
    vx, vy = corner
    first, second = -inf, inf
    for x, y in a.corners:
        d = x * vx + y * vy
        if d > first:
            first = d
    for x, y in b.corners:
        d = x * vx + y * vy
        if d < second:
            second = d
    return second - first >= (grown - touch) * sqrt(nearest), corner


def ahead(axis: Axis) -> Span:
    """The slopes at which a line runs forward along an axis."""
    vx, vy = axis
    if vy > 0.0:
        return -vx / vy, inf
    if vy < 0.0:
        return -inf, -vx / vy
    return EVERYWHERE if vx > 0.0 else NEVER


def both(p: Span, q: Span) -> Span:
    """What two ranges of slopes share."""
    return (q[0] if q[0] > p[0] else p[0]), (q[1] if q[1] < p[1] else p[1])


def line_in(box: Box, x: float, y: float, dx: float, dy: float) -> Span:
    """Where a line, as a multiple of (dx, dy) from a point, runs inside a shape; NEVER when it misses."""
    span = NEVER
    n = len(box.corners)
    if n > 2:
        span = _line_in_polygon(box.corners, x, y, dx, dy)
    if box.r > 0.0:
        square = dx * dx + dy * dy
        for cx, cy in box.corners:
            qx, qy = x - cx, y - cy
            b = qx * dx + qy * dy
            root = b * b - square * (qx * qx + qy * qy - box.r * box.r)
            if root >= 0.0:
                root = sqrt(root)
                span = _wider(span, ((-b - root) / square, (root - b) / square))
        for k in range(n if n > 1 else 0):
            span = _wider(span, _line_in_polygon(_slab(box, k), x, y, dx, dy))
    return span


def _wider(p: Span, q: Span) -> Span:
    """The least range that holds two ranges."""
    if q[0] > q[1]:
        return p
    if p[0] > p[1]:
        return q
    return (q[0] if q[0] < p[0] else p[0]), (q[1] if q[1] > p[1] else p[1])


def _slab(box: Box, k: int) -> tuple[tuple[float, float], ...]:
    """The rectangle that one edge of a core sweeps when it is grown."""
    px, py = box.corners[k - 1]
    qx, qy = box.corners[k]
    ex, ey = qx - px, qy - py
    grow = box.r / sqrt(ex * ex + ey * ey)
    nx, ny = ey * grow, -ex * grow
    return ((px + nx, py + ny), (qx + nx, qy + ny), (qx - nx, qy - ny), (px - nx, py - ny))


def _line_in_polygon(corners: Sequence[tuple[float, float]], x: float, y: float, dx: float, dy: float) -> Span:
    """Where a line runs inside a convex counter-clockwise polygon."""
    start, end = -inf, inf
    ax, ay = corners[-1]
    for bx, by in corners:
        ex, ey = bx - ax, by - ay
        inside = ex * (y - ay) - ey * (x - ax)
        change = ex * dy - ey * dx
        if change > 0.0:
            u = -inside / change
            if u > start:
                start = u
        elif change < 0.0:
            u = -inside / change
            if u < end:
                end = u
        elif inside < 0.0:
            return NEVER
        ax, ay = bx, by
    return (start, end) if start <= end else NEVER


def astray(ends: tuple[Sequence[Box], Sequence[Box]], p: Box) -> bool:
    """Whether a shape lies wholly above or below everything between two ends."""
    if all(p.bottom >= m.top for end in ends for m in end):
        return True
    return all(p.top <= m.bottom for end in ends for m in end)


def between(a: Box, b: Box, p: Box, touch: float) -> Span | None:
    """The slopes at which a shape stands between two others; None when it overlaps one of them."""
    if p.right <= a.left or p.left >= b.right:
        return NEVER
    slopes = EVERYWHERE
    for near, far, clear in ((a, p, p.left >= a.right), (p, b, p.right <= b.left)):
        if not clear:
            apart, axis = parted(near, far, touch)
            if not apart:
                return None
            slopes = both(slopes, ahead(axis))
    return slopes
