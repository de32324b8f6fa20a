"""One look between two ends, blockers given: frames, shades, arcs, and the sweep's answer as evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf, sqrt
from typing import NamedTuple

from rolloff.geometry.field import Core
from rolloff.geometry.plain.measure import convex_gap
from rolloff.geometry.plain.shadows import (
    EVERYWHERE,
    NEVER,
    TOUCH,
    Axis,
    Box,
    Frame,
    Shade,
    Span,
    ahead,
    astray,
    between,
    both,
    closest,
    frame_along,
    line_in,
    parted,
)
from rolloff.geometry.plain.shards import shards
from rolloff.geometry.plain.sweep import Line, search
from rolloff.geometry.sectors import ANGLE
from rolloff.geometry.trig import COS, FULL_TURN, SCALE, SIN

Segment = tuple[float, float, float, float]
Blocker = tuple[int, tuple[Core, ...]]
"""A tag and the convex cores of an obstacle that blocks this look."""


class Side(NamedTuple):
    """One end of a look: its centre, its convex members, and the arc it looks into."""

    x: float
    y: float
    members: tuple[Core, ...]
    arc: tuple[int, int] | None


class Finding(NamedTuple):
    """The clear segment from the first end to the second, or None and the tags of what blocks."""

    line: Segment | None
    tags: frozenset[int]


def _arcs(arc: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """An arc as one or two arcs of less than half a turn."""
    right, left = arc
    width = (left - right) % FULL_TURN
    if width < FULL_TURN // 2:
        yield right, left
    else:
        middle = (right + width // 2) % FULL_TURN
        yield right, middle
        yield middle, left


def _arc_slopes(frame: Frame, arc: tuple[int, int], way: float) -> Span:
    """The slopes of lines that leave along `way` (1 forward, -1 backward) inside an arc, borders included."""
    slopes = EVERYWHERE
    for border, side in zip(arc, (1.0, -1.0), strict=True):
        c, s = COS[border] / SCALE, SIN[border] / SCALE
        x, y = c + side * ANGLE * s, s - side * ANGLE * c
        u = (x * frame.ax + y * frame.ay) * side * way
        v = (y * frame.ax - x * frame.ay) * side * way
        if u > 0.0:
            slopes = both(slopes, (v / u, inf))
        elif u < 0.0:
            slopes = both(slopes, (-inf, v / u))
        elif v > 0.0:
            return NEVER
    return slopes


def _ranges(frame: Frame, a: Side, b: Side) -> list[Span]:
    """The ranges of slopes that the arcs of both ends leave open."""
    found = [EVERYWHERE]
    for side, way in ((a, 1.0), (b, -1.0)):
        if side.arc is not None:
            found = [both(r, _arc_slopes(frame, part, way)) for part in _arcs(side.arc) for r in found]
    return found


def _search(
    frame: Frame,
    ends: tuple[Sequence[Box], Sequence[Box]],
    shades: list[Shade],
    t: float,
    a: Side,
    b: Side,
    margin: int,
) -> tuple[Line | None, frozenset[int]]:
    """Sweep every open range of slopes, outward from slope t."""
    width = (margin - TOUCH) * frame.scale
    used: set[int] = set()
    for low, high in _ranges(frame, a, b):
        if low > high:
            continue
        line = search(ends, shades, t, low, high, width, used)
        if line is not None:
            return line, frozenset()
    return None, frozenset(shades[k].tag for k in used)


def _evidence(frame: Frame, ends: tuple[Sequence[Box], Sequence[Box]], line: Line) -> Segment:
    """The stretch of a clear line between leaving the first end and entering the second."""
    t, s = line
    start, end = -inf, inf
    for box in ends[0]:
        low, high = line_in(box, 0.0, s, 1.0, t)
        if low <= high and high > start:
            start = high
    for box in ends[1]:
        low, high = line_in(box, 0.0, s, 1.0, t)
        if low <= high and low < end:
            end = low
    x0, y0 = frame.table(start, s + t * start)
    x1, y1 = frame.table(end, s + t * end)
    return x0, y0, x1, y1


def _middle(box: Box) -> tuple[float, float]:
    """The mean of a core's corners."""
    n = len(box.corners)
    x = y = 0.0
    for cx, cy in box.corners:
        x, y = x + cx, y + cy
    return x / n, y / n


def _pair(p: Core, q: Core, blockers: Sequence[Blocker], a: Side, b: Side, margin: int) -> Finding:
    """A look between two convex ends that do not touch."""
    axis = closest(p, q)
    frame = frame_along(p[0][0][0], p[0][0][1], axis)
    first, second = frame.box(p), frame.box(q)
    ends = ((first,), (second,))
    touch = TOUCH * frame.scale
    shades: list[Shade] = []
    for tag, cores in blockers:
        for core in cores:
            box = frame.box(core)
            if astray(ends, box):
                continue
            slopes = between(first, second, box, touch)
            if slopes is None:
                shades.extend(shards(first, second, box, tag, touch))
            elif slopes[0] < slopes[1]:
                shades.append(Shade(tag, box.corners, box.r, slopes))
    (ux, uy), (vx, vy) = _middle(first), _middle(second)
    line, tags = _search(frame, ends, shades, (vy - uy) / (vx - ux), a, b, margin)
    return Finding(None if line is None else _evidence(frame, ends, line), tags)


def _separates(frame: Frame, a: Side, b: Side) -> bool:
    """Whether all members of one end lie left of all members of the other."""
    right = max(frame.box(core).right for core in a.members)
    left = min(frame.box(core).left for core in b.members)
    return right < left


def _hull_frame(a: Side, b: Side) -> Frame | None:
    """A frame that separates two ends of several members each, if one is found."""
    axes: list[Axis] = [(b.x - a.x, b.y - a.y)]
    axes.extend(closest(p, q) for p in a.members for q in b.members)
    for axis in axes:
        if axis != (0.0, 0.0):
            frame = frame_along(a.x, a.y, axis)
            if _separates(frame, a, b):
                return frame
    return None


def _clear_of(end: Sequence[Box], box: Box, sign: float, touch: float) -> Span:
    """The slopes at which a shape lies before (sign 1) or behind a hull; all if no direction parts them."""
    for member in end:
        vx, vy = parted(member, box, touch)[1]
        long = sqrt(vx * vx + vy * vy)
        far = max(max(x * vx + y * vy for x, y in m.corners) + m.r * long for m in end)
        near = min(x * vx + y * vy for x, y in box.corners) - box.r * long
        if long > 0.0 and far <= near:
            return ahead((vx * sign, vy * sign))
    return EVERYWHERE


def _hull_slopes(ends: tuple[Sequence[Box], Sequence[Box]], box: Box, touch: float) -> Span:
    """The slopes at which a shape may stand between two hulls; too many rather than too few."""
    if box.right <= min(m.left for m in ends[0]) or box.left >= max(m.right for m in ends[1]):
        return NEVER
    slopes = EVERYWHERE
    if box.left < max(m.right for m in ends[0]):
        slopes = both(slopes, _clear_of(ends[0], box, 1.0, touch))
    if box.right > min(m.left for m in ends[1]):
        slopes = both(slopes, _clear_of(ends[1], box, -1.0, touch))
    return slopes


def _hulls(a: Side, b: Side, blockers: Sequence[Blocker], margin: int) -> Segment | None:
    """A look between the hulls of two connected ends: a line that meets such a hull meets the end itself."""
    frame = _hull_frame(a, b)
    if frame is None:
        return None
    ends = (tuple(frame.box(core) for core in a.members), tuple(frame.box(core) for core in b.members))
    shades = []
    for tag, cores in blockers:
        for core in cores:
            box = frame.box(core)
            slopes = _hull_slopes(ends, box, TOUCH * frame.scale)
            if slopes[0] < slopes[1]:
                shades.append(Shade(tag, box.corners, box.r, slopes))
    u, v = (b.x - a.x) * frame.ax + (b.y - a.y) * frame.ay, (b.y - a.y) * frame.ax - (b.x - a.x) * frame.ay
    if u <= 0.0:
        return None
    line = _search(frame, ends, shades, v / u, a, b, margin)[0]
    return None if line is None else _evidence(frame, ends, line)


def contact_line(a: Side, b: Side, contact: float) -> Segment | None:
    """The short way from rim to rim where two ends are in contact, or None; both twins show this one."""
    if (b.x, b.y) < (a.x, a.y):
        line = contact_line(b, a, contact)
        return line and (line[2], line[3], line[0], line[1])
    for p in a.members:
        for q in b.members:
            apart = convex_gap(p[0], q[0])
            if apart < 0.0:
                return a.x, a.y, b.x, b.y
            if apart - (p[1] + q[1]) <= contact:
                return _rim_to_rim(p, q)
    return None


def _rim_to_rim(p: Core, q: Core) -> Segment:
    """The shortest way between two shapes; a point of both where they overlap."""
    x, y, dx, dy = _shortest(p, q)
    long = sqrt(dx * dx + dy * dy)
    if long == 0.0:
        return x, y, x, y
    start, end = p[1] / long, 1.0 - q[1] / long
    if start > end:
        start = end = (start + end) / 2.0
    return x + start * dx, y + start * dy, x + end * dx, y + end * dy


def _shortest(p: Core, q: Core) -> tuple[float, float, float, float]:
    """A point of one core and the way from there to the nearest point of another."""
    best, found = inf, (0.0, 0.0, 0.0, 0.0)
    for near, edges, own in ((p[0], q[0], True), (q[0], p[0], False)):
        for x, y in near:
            for k in range(len(edges)):
                (ax, ay), (bx, by) = edges[k - 1], edges[k]
                ex, ey = bx - ax, by - ay
                long = ex * ex + ey * ey
                u = ((x - ax) * ex + (y - ay) * ey) / long if long > 0.0 else 0.0
                u = 0.0 if u < 0.0 else 1.0 if u > 1.0 else u
                dx, dy = ax + u * ex - x, ay + u * ey - y
                if dx * dx + dy * dy < best:
                    best = dx * dx + dy * dy
                    found = (x, y, dx, dy) if own else (x + dx, y + dy, -dx, -dy)
    return found


def look(a: Side, b: Side, blockers: Sequence[Blocker], margin: int, contact: float) -> Finding:
    """Whether two ends see each other past blockers; the order of the ends makes no difference."""
    if (b.x, b.y) < (a.x, a.y):
        turned, tags = look(b, a, blockers, margin, contact)
        return Finding(turned and (turned[2], turned[3], turned[0], turned[1]), tags)
    line = contact_line(a, b, contact)
    if line is not None:
        return Finding(line, frozenset())
    if len(a.members) == 1 and len(b.members) == 1:
        return _pair(a.members[0], b.members[0], blockers, a, b, margin)
    line = _hulls(a, b, blockers, margin)
    if line is not None:
        return Finding(line, frozenset())
    hiding: frozenset[int] = frozenset()
    for p in a.members:
        for q in b.members:
            found = _pair(p, q, blockers, a, b, margin)
            if found.line is not None:
                return found
            hiding |= found.tags
    return Finding(None, hiding)
