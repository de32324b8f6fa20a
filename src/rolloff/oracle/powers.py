"""Counts of many like attacks: the law of one, raised to their number.

A law is a flat array of chances by count; two counts share one array, the second counting in steps of a width that the
first can never reach. Only positive terms are ever added, so that far tails keep their digits.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import comb, lcm, log10, sqrt
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rolloff.errors import BadInput
from rolloff.oracle.law import Number
from rolloff.oracle.words import DIGIT, Poly

Array: TypeAlias = NDArray[Any]

MASK = (1 << DIGIT) - 1
LONGEST = 40_000
"""The longest array of counts that is still raised within seconds."""

BLOCK = 8_000
"""The longest piece that is joined at once."""

HEAVIEST = 1.5e11
"""The most work two laws of rationals may be to join: their lengths times the digits of their denominators."""

LARGEST = 9e6
"""The most digits all denominators of a law of rationals may have together."""

SMALL, OFTEN, MEMO = 4, 200, 4096
"""Laws up to this length, raised up to so often, are kept; so many of them."""

PIECE, HUGE = 250_000, 50_000_000
"""How many products of floats are made at once, and of how many it pays to share them among threads (see `multiplied`)."""

LEAST = 200
"""So many zeros behind the point chances may have and are still multiplied out at once."""

DIGITS = 4_300
"""How many digits the denominator of a law may have: more are neither printed nor read by anybody."""


def blank(size: int, exact: bool) -> Array:
    """No chance at all of any count."""
    return np.full(size, Fraction(0), dtype=object) if exact else np.zeros(size)


def flat(poly: Poly, width: int, exact: bool) -> Array:
    """A law of one or two packed counts as a flat array, the second count in steps of `width`."""
    if width == 1 and not exact:
        line: list[Number] = [0.0] * (max(poly) + 1)
        for count, chance in poly.items():
            line[count] = chance
        return np.array(line)
    found = blank(max((key >> DIGIT) * width + (key & MASK) for key in poly) + 1, exact)
    for key, chance in poly.items():
        found[(key >> DIGIT) * width + (key & MASK)] += chance
    return found


def _checked(law: Array, times: int) -> None:
    """Refuse arrays that would take too long."""
    step, exact = max(len(law) - 1, 1), law.dtype == object
    most = LONGEST // step
    if exact:
        digits = log10(lcm(*(chance.denominator for chance in law.tolist())))
        most = min(most, int(DIGITS / digits), int(sqrt(LARGEST / (step * digits)))) if digits else most
    if times > most:
        how = "exactly" if exact else "in good time"
        raise BadInput(
            "too-large",
            f"{times:,} such attacks are too many; up to {most:,} can be computed {how}",
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
        return multiplied(first, second)
    (tops, under), (others, below) = _whole(first), _whole(second)
    return _rational(tops @ others, under * below)


def multiplied(first: Array, second: Array) -> Array:
    """The product of a row or rows of floats and an array, in pieces too small to be shared among threads.

    A shared product of this size gains nothing, and the threads it wakes go on waiting for more work, busily, for longer
    than a whole report takes. What is huge is shared, in one piece.
    """
    rows = 1 if first.ndim == 1 else len(first)
    work = rows * second.size
    found: Array
    if work <= PIECE or work > HUGE:
        found = first @ second
        return found
    deep, wide = second.shape
    if wide >= rows:
        step = max(1, PIECE // (rows * deep))
        found = np.empty((*first.shape[:-1], wide))
        for at in range(0, wide, step):
            found[..., at : at + step] = first @ second[:, at : at + step]
        return found
    step = max(1, PIECE // second.size)
    return np.concatenate([first[at : at + step] @ second for at in range(0, rows, step)])


def slanted(cube: Array) -> Array:
    """Sum a cube over the pairs of its first two places that have the same sum."""
    rows, others, size = cube.shape
    laid = np.zeros((rows, (rows + others) * size))
    laid[:, : others * size] = cube.reshape(rows, others * size)
    # read one row short of what was written, every line slides along by one more than the line before
    strip = laid.reshape(-1)[: rows * (rows + others - 1) * size]
    found: Array = strip.reshape(rows, rows + others - 1, size).sum(axis=0)
    return found


def raised(law: Array, times: int) -> Array:
    """The law of the sum of so many like counts."""
    if times == 1:
        return law
    if law.dtype == object:
        return _rational_power(law, times)
    if times > OFTEN or len(law) > SMALL:
        return _power(law, times)
    key = law.tobytes(), times  # attacks of many kinds share short laws: kept, and not to be written to
    found = _powers.get(key)
    if found is None:
        found = _power(law, times)
        found.flags.writeable = False
        if len(_powers) >= MEMO:
            _powers.clear()
        _powers[key] = found
    return found


_powers: dict[tuple[bytes, int], Array] = {}


def _rational_power(law: Array, times: int) -> Array:
    """The same in rationals."""
    if times == 0:
        return np.array([Fraction(1)], dtype=object)
    if len(law) == 1 and law[0] == 1:
        return law
    _checked(law, times)
    base, under = _whole(law)
    return _rational(_whole_power(base.tolist(), times), under**times)


def _power(base: Array, times: int) -> Array:
    """A law joined with itself again and again, as floats."""
    if times == 0:
        return np.ones(1)
    size = len(base)
    if times * size > BLOCK:
        _checked(base, times)
    elif size == 2 and times <= OFTEN:
        no, yes = base.tolist()
        if times * log10(min(no or 1.0, yes or 1.0)) > -LEAST:
            return _yes_or_no(no, yes, times)
    found = base
    for bit in bin(times)[3:]:
        found = _joined(found, found)
        if bit == "1":
            found = _joined(found, base)
    return found


def _yes_or_no(no: float, yes: float, times: int) -> Array:
    """The law of how many of some like events happen that happen or do not: all products at once."""
    known = _ways.get(times)
    if known is None:
        known = _ways[times] = np.array([float(comb(times, n)) for n in range(times + 1)]), np.arange(times + 1)
    ways, counts = known
    found: Array = ways * yes**counts * no ** counts[::-1]
    return found


_ways: dict[int, tuple[Array, Array]] = {}
"""For up to `OFTEN` events: in how many ways each number of them may happen, and these numbers."""


def _whole_power(base: list[int], times: int) -> Array:
    """The same in whole numbers: each count from those before it, so that the work grows with the length and not its square.

    With ``p`` the law and ``c`` its power, ``k p[0] c[k]`` is the sum of ``((times + 1) j - k) p[j] c[k - j]`` over j > 0:
    the derivative of a power, written out. Nothing is rounded, so that terms may be taken away here.
    """
    low = next(at for at, weight in enumerate(base) if weight)
    terms = [(j, weight) for j, weight in enumerate(base[low:]) if weight and j]
    first = base[low]
    found = [0] * ((len(base) - 1 - low) * times + 1)
    found[0] = first**times
    for k in range(1, len(found)):
        total = sum([((times + 1) * j - k) * weight * found[k - j] for j, weight in terms if j <= k])
        found[k] = total // (k * first)
    return np.array([0] * (low * times) + found, dtype=object)


def _joined(first: Array, second: Array) -> Array:
    """The law of a sum of two counts, as floats: correlating with the reverse is the quickest way there."""
    if len(second) <= BLOCK or len(first) <= BLOCK:
        return np.correlate(first, second[::-1], "full")
    found = np.zeros(len(first) + len(second) - 1)  # beyond such lengths threads get in each other's way
    for start in range(0, len(second), BLOCK):
        piece = second[start : start + BLOCK]
        found[start : start + len(first) + len(piece) - 1] += np.correlate(first, piece[::-1], "full")
    return found


def joined(first: Array, second: Array) -> Array:
    """The law of the sum of two counts that do not depend on each other."""
    if first.dtype != object:
        return np.convolve(first, second)
    for one, other in ((first, second), (second, first)):
        if np.count_nonzero(one) == 1:  # a number that is certain
            at = int(np.flatnonzero(one)[0])
            found = blank(len(one) + len(other) - 1, True)
            found[at : at + len(other)] = other * one[at]
            return found
    (tops, under), (others, below) = _whole(first), _whole(second)
    work = len(tops) * len(others) * (1 + log10(under)) * (1 + log10(below))
    if work > HEAVIEST:
        message = "these attacks together are too many to be computed exactly; ask for fewer, or without --exact"
        raise BadInput("too-large", message, where="attacks", allowed="fewer attacks")
    return _rational(np.convolve(tops, others), under * below)


def mixed(law: Array, number: Mapping[int, Number]) -> Array:
    """The law of the sum of a random number of like counts."""
    if len(number) == 1:
        return raised(law, next(iter(number)))
    least, most = min(number), max(number)
    if law.dtype != object:
        return _mixed(law, [float(number.get(times, 0.0)) for times in range(least, most + 1)], least)
    total: Array = np.zeros((len(law) - 1) * most + 1, dtype=law.dtype)
    current = raised(law, least)
    for times in range(least, most + 1):
        if times in number:
            total[: len(current)] += current * number[times]
        if times < most:
            current = np.convolve(current, law)
    return total


def _mixed(law: Array, chances: list[float], least: int) -> Array:
    """The same as floats, from the greatest number down: one more count for all above it, then its own chance."""
    if len(law) * len(chances) > BLOCK:
        _checked(law, least + len(chances) - 1)
    total: Array = law * chances[-1]
    total[0] += chances[-2]
    for chance in chances[-3::-1]:
        total = _joined(total, law)
        total[0] += chance
    return total if not least else _joined(raised(law, least), total)
