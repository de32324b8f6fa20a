"""Blockers that overlap a base, cut into the edges they show outside it: twin of `csrc/shards.c`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf, sqrt

from rolloff.geometry.plain.shadows import EVERYWHERE, NEVER, Box, Shade, Span, ahead, both, line_in, parted
from rolloff.geometry.trig import COS, SCALE, SIN

SHORT = 1e-9
"""Shorter stretches, as a part of an edge, are rounding."""

_RIM = 180
_HALF_STEP = COS[1800 // _RIM] / SCALE
# A rim drawn with straight edges runs as far outside the true one at its corners as inside at its middles.
_SWELL = 2.0 / (1.0 + _HALF_STEP)
_RIM_WAYS = tuple((COS[k * (3600 // _RIM)] / SCALE * _SWELL, SIN[k * (3600 // _RIM)] / SCALE * _SWELL) for k in range(_RIM))


def rim(box: Box) -> tuple[tuple[float, float], ...]:
    """The outline of a shape as corners; where it is curved it is drawn with 180 directions."""
    if box.r == 0.0:
        return box.corners
    ends = [_furthest(box, c, s) for c, s in _RIM_WAYS]
    points = []
    before = ends[-1]
    for end, (c, s) in zip(ends, _RIM_WAYS, strict=True):
        x, y = box.corners[end]
        if end != before:
            px, py = box.corners[before]
            ex, ey = x - px, y - py
            grow = box.r / sqrt(ex * ex + ey * ey)
            points.append((px + ey * grow, py - ex * grow))
            points.append((x + ey * grow, y - ex * grow))
        points.append((x + box.r * c, y + box.r * s))
        before = end
    return tuple(points)


def _furthest(box: Box, c: float, s: float) -> int:
    """Which corner of a core lies furthest in a direction."""
    far, found = -inf, 0
    for k, (x, y) in enumerate(box.corners):
        d = x * c + y * s
        if d > far:
            far, found = d, k
    return found


def _outside(spans: Sequence[Span]) -> Iterator[Span]:
    """The stretches of an edge, from 0 to 1, outside two ranges that do not overlap."""
    first, second = spans if spans[0][0] <= spans[1][0] else (spans[1], spans[0])
    start = 0.0
    for low, high in (first, second):
        if low > high:
            continue
        end = low if low < 1.0 else 1.0
        if end - start > SHORT:
            yield start, end
        if high > start:
            start = high
    if 1.0 - start > SHORT:
        yield start, 1.0


def shards(a: Box, b: Box, p: Box, tag: int, touch: float) -> Iterator[Shade]:
    """A blocker that overlaps a base, as its edges outside both bases and its cut midway between them.

    A line that leaves a base inside the blocker crosses one of those edges, or stays inside it all the way.
    """
    outline = rim(p)
    middle = (a.right + b.left) / 2.0
    low, high = inf, -inf
    px, py = outline[-1]
    for qx, qy in outline:
        dx, dy = qx - px, qy - py
        spans = (line_in(a, px, py, dx, dy), line_in(b, px, py, dx, dy))
        for start, end in _outside(spans):
            ends = ((px + start * dx, py + start * dy), (px + end * dx, py + end * dy))
            left, right = (ends[0][0], ends[1][0]) if dx >= 0.0 else (ends[1][0], ends[0][0])
            edge = Box(ends, 0.0, left, right, -inf, inf)
            slopes = _edge_between(a, b, edge, touch)
            if slopes[0] < slopes[1]:
                yield Shade(tag, ends, 0.0, slopes)
        if (px <= middle) != (qx <= middle):
            v = py + (middle - px) / dx * dy
            low, high = min(low, v), max(high, v)
        px, py = qx, qy
    if low < high:
        yield Shade(tag, ((middle, low), (middle, high)), 0.0, EVERYWHERE)


def _edge_between(a: Box, b: Box, edge: Box, touch: float) -> Span:
    """The slopes at which a clipped edge, which may touch a base, stands between two bases."""
    if edge.right <= a.left or edge.left >= b.right:
        return NEVER
    slopes = EVERYWHERE
    if edge.left < a.right:
        slopes = ahead(parted(a, edge, touch)[1])
    if edge.right > b.left:
        slopes = both(slopes, ahead(parted(edge, b, touch)[1]))
    return slopes
