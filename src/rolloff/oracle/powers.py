"""Counts of many like attacks: the law of one, raised to their number.

A law is a flat array of chances by count; two counts share one array, the second counting in steps of a width that the
first can never reach. Only positive terms are ever added, so that far tails keep their digits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import lcm
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rolloff.errors import BadInput
from rolloff.oracle.words import DIGIT, Poly

Array: TypeAlias = NDArray[Any]

MASK = (1 << DIGIT) - 1
LONGEST = 40_000
"""The longest array of counts that is still raised within seconds."""

BLOCK = 8_000
"""The longest piece that is joined at once."""

HEAVIEST = 1.1e9
"""The same for rationals, whose every number grows with the attacks: the length squared, times their number."""


def blank(size: int, exact: bool) -> Array:
    """No chance at all of any count."""
    return np.full(size, Fraction(0), dtype=object) if exact else np.zeros(size)


def flat(poly: Poly, width: int, exact: bool) -> Array:
    """A law of one or two packed counts as a flat array, the second count in steps of `width`."""
    if width == 1 and not exact:
        return np.array([poly.get(count, 0.0) for count in range(max(poly) + 1)])
    found = blank(max((key >> DIGIT) * width + (key & MASK) for key in poly) + 1, exact)
    for key, chance in poly.items():
        found[(key >> DIGIT) * width + (key & MASK)] += chance
    return found


def _checked(law: Array, times: int) -> None:
    """Refuse arrays that would take too long."""
    step, exact = max(len(law) - 1, 1), law.dtype == object
    most = int((HEAVIEST / step**2) ** (1 / 3)) if exact else LONGEST // step
    if times > most:
        how = "exactly" if exact else "in good time"
        raise BadInput(
            "too-large",
            f"{times:,} such attacks are too many; up to {most:,} can be reckoned {how}",
            where="attacks",
            allowed=f"{most:,} attacks",
        )


def _whole(chances: Array) -> tuple[Array, int]:
    """Rationals as whole numbers over one denominator, which multiply much faster."""
    line = chances.ravel().tolist()
    under = lcm(*(chance.denominator for chance in line))
    tops = np.array([chance.numerator * (under // chance.denominator) for chance in line], dtype=object)
    return tops.reshape(chances.shape), under


def _rational(tops: Array, under: int) -> Array:
    """Whole numbers over one denominator as rationals."""
    line = np.array([Fraction(top, under) for top in tops.ravel().tolist()], dtype=object)
    return line.reshape(tops.shape)


def product(first: Array, second: Array) -> Array:
    """The product of two arrays of chances."""
    if first.dtype != object:
        found: Array = first @ second
        return found
    (tops, under), (others, below) = _whole(first), _whole(second)
    return _rational(tops @ others, under * below)


def raised(law: Array, times: int) -> Array:
    """The law of the sum of so many like counts."""
    if times == 0:
        return np.array([Fraction(1)], dtype=object) if law.dtype == object else np.ones(1)
    _checked(law, times)
    if law.dtype != object:
        return _power(law, times, _joined)
    base, under = _whole(law)
    return _rational(_power(base, times, np.convolve), under**times)


def _power(base: Array, times: int, joined: Callable[[Array, Array], Array]) -> Array:
    """A law joined with itself again and again."""
    found = base
    for bit in bin(times)[3:]:
        found = joined(found, found)
        if bit == "1":
            found = joined(found, base)
    return found


def _joined(first: Array, second: Array) -> Array:
    """The law of a sum of two counts, as floats: correlating with the reverse is the quickest way there."""
    if len(second) <= BLOCK or len(first) <= BLOCK:
        return np.correlate(first, second[::-1], "full")
    found = np.zeros(len(first) + len(second) - 1)  # beyond such lengths threads get in each other's way
    for start in range(0, len(second), BLOCK):
        piece = second[start : start + BLOCK]
        found[start : start + len(first) + len(piece) - 1] += np.correlate(first, piece[::-1], "full")
    return found


def mixed(law: Array, number: Mapping[int, Any]) -> Array:
    """The law of the sum of a random number of like counts."""
    if len(number) == 1:
        return raised(law, next(iter(number)))
    most = max(number)
    total: Array = np.zeros((len(law) - 1) * most + 1, dtype=law.dtype)
    current = raised(law, min(number))
    for times in range(min(number), most + 1):
        if times in number:
            total[: len(current)] += current * number[times]
        if times < most:
            current = np.convolve(current, law)
    return total
