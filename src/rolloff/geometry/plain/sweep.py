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

from rolloff.geometry.plain.shadows import Box, Shade

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


def _end_bound(
    ends: Ends, border: tuple[float, float], up: float, t: float, way: float, at: float, pace: float, margin: float
) -> float:
    """The better of both ends' bounds, of those whose border the chain reaches at all."""
    best = 0.0
    q = sqrt(1.0 + t * t)
    for end, here in zip(ends, border, strict=True):
        if up * (here - at) + margin * q > 0.0:
            bound = _holds(end, up, t, way, at, pace, margin)
            if bound > best:
                best = bound
    return best


def _advanced(t: float, way: float, leap: float) -> float:
    """The next slope to look at."""
    least = LEAST_LEAP * (1.0 + abs(t))
    return t + way * (leap if leap > least else least)


def _links(
    ends: Ends,
    shades: Sequence[Shade],
    chain: Sequence[Cast],
    lows: tuple[float, float],
    highs: tuple[float, float],
    t: float,
    way: float,
    margin: float,
) -> float:
    """How far the slope may go one way until some link of a chain of shadows could break."""
    q = sqrt(1.0 + t * t)
    leap = _end_bound(ends, lows, 1.0, t, way, chain[0].low, chain[0].low_pace, margin)
    before = None
    for cast in chain:
        if before is not None:
            room = before.high - cast.low + margin * q
            pace = (before.high_pace - cast.low_pace + margin * (t / q)) * way
            bound = room / -pace if pace < 0.0 else inf
            if bound < leap:
                leap = bound
        slopes = shades[cast.shade].slopes
        stretch = slopes[1] - t if way > 0.0 else t - slopes[0]
        if stretch < leap:
            leap = stretch
        before = cast
    bound = _end_bound(ends, highs, -1.0, t, way, chain[-1].high, chain[-1].high_pace, margin)
    return bound if bound < leap else leap


class Step(NamedTuple):
    """What one slope shows: a clear line, or leaps to where it could be otherwise (none: nothing to see on)."""

    line: Line | None
    leaps: tuple[float, ...]


def _step(ends: Ends, shades: Sequence[Shade], t: float, ways: tuple[float, ...], margin: float, used: set[int]) -> Step:
    """Look along one slope."""
    q = sqrt(1.0 + t * t)
    e = margin * q
    low_a, high_a = _borders(ends[0], t, q)
    low_b, high_b = _borders(ends[1], t, q)
    low, high = (low_b if low_b > low_a else low_a), (high_b if high_b < high_a else high_a)
    if high - low < e:
        return Step(None, (inf,) * len(ways))
    casts = _cast(shades, t, q, t / q)
    cover = low
    chain: list[Cast] = []
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
            return Step((t, (cover + gap_end) / 2.0), ())
        used.add(best.shade)
        chain.append(best)
        cover = best.high
    borders = (low_a, low_b), (high_a, high_b)
    return Step(None, tuple(_links(ends, shades, chain, *borders, t, way, margin) for way in ways))


def _sweep(
    ends: Ends, shades: Sequence[Shade], t: float, way: float, last: float, margin: float, used: set[int]
) -> Line | None:
    """Go through the slopes from t to `last` one way (`way` is 1 or -1)."""
    for _ in range(MOST_LEAPS):
        if (t - last) * way > 0.0:
            return None
        line, leaps = _step(ends, shades, t, (way,), margin, used)
        if line is not None:
            return line
        if leaps[0] == inf:
            return None
        t = _advanced(t, way, leaps[0])
    return None


def search(
    ends: Ends, shades: Sequence[Shade], t: float, low: float, high: float, margin: float, used: set[int]
) -> Line | None:
    """Go through all slopes from `low` to `high`, outward from t.

    Returns slope and offset of the middle of a clear band of lines, or None; blockers that proved there is none are
    added to `used`. `margin` is the width of the band in the frame.
    """
    if t < low:
        return _sweep(ends, shades, low, 1.0, high, margin, used)
    if t > high:
        return _sweep(ends, shades, high, -1.0, low, margin, used)
    line, leaps = _step(ends, shades, t, (1.0, -1.0), margin, used)
    for way, leap, last in zip((1.0, -1.0), leaps, (high, low), strict=False):
        if leap < inf and line is None:
            line = _sweep(ends, shades, _advanced(t, way, leap), way, last, margin, used)
    return line
