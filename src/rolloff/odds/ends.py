"""Where one planned attack may leave its target: the law every other odd is read from."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from math import fsum
from typing import Any, TypeVar

from rolloff.odds.waste import packeted, pointwise
from rolloff.oracle.calculator import Calculator
from rolloff.oracle.flow import WOUNDS
from rolloff.oracle.law import Number
from rolloff.oracle.target import Ladder
from rolloff.rules.attack import Plan

K = TypeVar("K", bound=Hashable)


def ends(calculator: Calculator, plan: Plan, start: Any) -> dict[Any, Number]:
    """The law of the target's state after an attack from a state."""
    if plan.parts is not None:
        plain, rest = plan.parts
        pairs = ((end, share, calculator.law(rest, end)) for end, share in ends(calculator, plain, plain.start).items())
        return normalised(added((last, share * part) for _, share, law in pairs for last, part in law.items()))
    if plan.step is not None:
        return normalised(calculator.law(plan.step, start, ()).map(lambda spent: spent.state))
    if isinstance(plan.target, Ladder) and pointwise(plan) and not packeted(plan):
        # point by point: the count of wounds says it all, however many there are
        line = points_lost(calculator.spread(plan.volleys, WOUNDS), start, plan.target.whole)
        return {end: chance for end, chance in enumerate(line) if chance}
    return normalised(calculator.after(plan.volleys, plan.target, start))


def points_lost(wounds: Sequence[Number], start: int, whole: int) -> list[Number]:
    """The chances of every state of a ladder when so many single points arrive; those beyond the last find nobody."""
    room = whole - start
    none = 0 * wounds[0]
    line = [none] * start + list(wounds[:room])
    line += [none] * (whole - len(line))
    line.append(total(wounds[room:]) if len(wounds) > room else none)
    return normalised_line(line)


def total(chances: Sequence[Number]) -> Number:
    """Chances added one after the other."""
    return sum(chances[1:], chances[0])


def damage_of(plan: Plan, end: Hashable) -> int:
    """The wounds a target has lost between the start of a plan and a state."""
    return plan.target.damage(plan.start, end)


def added(pairs: Iterable[tuple[K, Number]]) -> dict[K, Number]:
    """Chances added up by result."""
    found: dict[K, Number] = {}
    for key, chance in pairs:
        found[key] = found[key] + chance if key in found else chance
    return found


def normalised(law: Mapping[K, Number]) -> dict[K, Number]:
    """A law whose floats sum to one; thousands of products leave them a little beside it.

    Every chance is divided by the same sum of positive terms, so that small ones stay as sharp as they were.
    """
    line = list(law.values())
    whole = fsum(line) if isinstance(line[0], float) else 1  # rationals are never beside one
    return dict(law) if whole == 1 else {key: chance / whole for key, chance in law.items()}


def normalised_line(line: list[Number]) -> list[Number]:
    """The same for chances in a row."""
    whole = fsum(line) if isinstance(line[0], float) else 1
    return line if whole == 1 else [chance / whole for chance in line]
