"""The leapfrog sweep: is there a slope at which a band of parallel lines meets both ends and no blocker?

At one slope the blockers' shadows form a chain that covers every offset both ends share, or leave a gap.
Tops of shadows are convex in the slope and bottoms concave, so the tangent at a link of the chain tells up
to which slope that link surely holds: the sweep leaps there. No slope is passed over without proof, and a
gap is shown as found.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, sqrt
from typing import NamedTuple

from rolloff.geometry.plain_shadows import Box, Shade

# Leaps never get smaller than this part of the slope, so rounding cannot hold the sweep in place.
LEAST_LEAP = 1e-12
# Far above anything a table needs (a curtain of 100 discs takes 300): a stop, not a limit.
MOST_LEAPS = 20000

Ends = tuple[Sequence[Box], Sequence[Box]]
Line = tuple[float, float]


class Cast(NamedTuple):
    """A blocker's shadow at one slope: bottom and top, and how fast each moves as the slope grows."""

    low: float
    high: float
    low_pace: float
    high_pace: float
    shade: int


def _borders(end: Sequence[Box], t: float, q: float) -> tuple[float, float]:
    """Bottom and top of the shadow of an end, the hull of its members."""
    low, high = inf, -inf
    for box in end:
        grown = box.r * q
        for x, y in box.corners:
            s = y - t * x
            if s - grown < low:
                low = s - grown
            if s + grown > high:
                high = s + grown
    return low, high


def _cast(shades: Sequence[Shade], t: float, q: float, qt: float) -> list[Cast]:
    """The shadows at slope t of the blockers that stand between there."""
    found = []
    for k, shade in enumerate(shades):
        if not shade.slopes[0] < t < shade.slopes[1]:
            continue
        x, y = shade.corners[0]
        low = high = y - t * x
        low_x = high_x = x
        for x, y in shade.corners[1:]:
            s = y - t * x
            if s < low:
                low, low_x = s, x
            if s > high:
                high, high_x = s, x
        grown, pace = shade.r * q, shade.r * qt
        found.append(Cast(low - grown, high + grown, -low_x - pace, pace - high_x, k))
    return found


def _holds(end: Sequence[Box], up: float, t: float, way: float, at: float, pace: float, margin: float) -> float:
    """How far the slope may go until a chain's first or last shadow could part from the border of an end.

    `up` is 1 for the bottom border and -1 for the top one; `at` and `pace` are the shadow's own border and
    its tangent. Each corner of the end gives a bound; the least counts.
    """
    q = sqrt(1.0 + t * t)
    least = inf
    for box in end:
        grown = box.r - margin
        for x, y in box.corners:
            a = up * ((y - t * x) - at)
            b = up * (-x - pace) * way
            if grown <= 0.0:
                # The border moves away at least as fast as its tangent.
                a = a - grown * q
                b = b - grown * (t / q) * way
                bound = a / -b if b < 0.0 else inf
            else:
                square = grown * grown
                c = a * a - square * (1.0 + t * t)
                half = a * b - square * t * way
                root = half * half - (b * b - square) * c
                bound = inf
                if root >= 0.0:
                    below = sqrt(root) - half
                    if below > 0.0:
                        bound = c / below
            if bound < least:
                least = bound
    return least


def _end_bound(ends: Ends, up: float, t: float, way: float, at: float, pace: float, margin: float) -> float:
    """The better of both ends' bounds, of those where the chain reaches the border at all."""
    best = 0.0
    q = sqrt(1.0 + t * t)
    for end in ends:
        low, high = _borders(end, t, q)
        border = low if up > 0.0 else high
        if up * (border - at) + margin * q > 0.0:
            bound = _holds(end, up, t, way, at, pace, margin)
            if bound > best:
                best = bound
    return best


def sweep(
    ends: Ends,
    shades: Sequence[Shade],
    t: float,
    way: float,
    last: float,
    margin: float,
    used: set[int],
) -> Line | None:
    """Go through the slopes from t to `last` in one direction (`way` is 1 or -1).

    Returns slope and offset of the middle of a clear band of lines, or None; blockers that proved there is
    none are added to `used`. `margin` is the width of the band in the frame.
    """
    for _ in range(MOST_LEAPS):
        if (t - last) * way > 0.0:
            return None
        q = sqrt(1.0 + t * t)
        e = margin * q
        low_a, high_a = _borders(ends[0], t, q)
        low_b, high_b = _borders(ends[1], t, q)
        low, high = (low_b if low_b > low_a else low_a), (high_b if high_b < high_a else high_a)
        if high - low < e:
            return None
        casts = _cast(shades, t, q, t / q)
        cover, top, leap = low, None, inf
        while high - cover >= e:
            best, gap_end = None, high
            for cast in casts:
                if cast.high > cover:
                    if cast.low < cover + e:
                        if best is None or cast.high > best.high:
                            best = cast
                    elif cast.low < gap_end:
                        gap_end = cast.low
            if best is None:
                return t, (cover + gap_end) / 2.0
            used.add(best.shade)
            if top is None:
                bound = _end_bound(ends, 1.0, t, way, best.low, best.low_pace, margin)
            else:
                room = top.high - best.low + e
                pace = (top.high_pace - best.low_pace + margin * (t / q)) * way
                bound = room / -pace if pace < 0.0 else inf
            start, end = shades[best.shade].slopes
            stretch = end - t if way > 0.0 else t - start
            leap = min(leap, bound, stretch)
            cover, top = best.high, best
        if top is not None:
            leap = min(leap, _end_bound(ends, -1.0, t, way, top.high, top.high_pace, margin))
        if leap == inf:
            return None
        least = LEAST_LEAP * (1.0 + abs(t))
        t += way * (leap if leap > least else least)
    return None
