"""What odds show of one attack event: the law of every count on the way, and of what is left of the target."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct

from rolloff.oracle.flow import ATTACKS, BLOCKED, DAMAGE, HITS, IGNORED, WASTED, WOUNDS, Tally, Volley
from rolloff.oracle.law import Number
from rolloff.oracle.target import UnitTarget

if TYPE_CHECKING:
    from rolloff.oracle.calculator import Calculator

S = TypeVar("S", bound=Hashable)


class Report(Struct, frozen=True):
    """Laws by whole number: attacks to wounds as if every attack were rolled, the rest until nothing is left.

    kills counts the models that fell in this event; left_on_next the wounds gone from the model next to fall.
    """

    attacks: list[Number]
    hits: list[Number]
    ignored: list[Number]
    blocked: list[Number]
    wounds: list[Number]
    damage: list[Number]
    kills: list[Number]
    wasted: list[Number]
    left_on_next: list[Number]
    destroyed: Number


def report(calculator: Calculator, volleys: Volley | Sequence[Volley], target: UnitTarget[S], start: S) -> Report:
    """All of it for one event from one state."""
    law = calculator.after_counting(volleys, target, start, DAMAGE, WASTED)
    before = target.kills(start)

    def counted(tally: Tally) -> list[Number]:
        return _trimmed(calculator.spread(volleys, tally, target))

    return Report(
        attacks=counted(ATTACKS),
        hits=counted(HITS),
        ignored=counted(IGNORED),
        blocked=counted(BLOCKED),
        wounds=counted(WOUNDS),
        damage=law.spread(lambda end: end[1][0]),
        kills=law.spread(lambda end: target.kills(end[0]) - before),
        wasted=law.spread(lambda end: end[1][1]),
        left_on_next=law.spread(lambda end: target.lost_on_next(end[0])),
        destroyed=law.chance(lambda end: target.gone(end[0])),
    )


def _trimmed(chances: list[Number]) -> list[Number]:
    """A law without the numbers beyond its end."""
    while len(chances) > 1 and not chances[-1]:
        chances.pop()
    return chances
