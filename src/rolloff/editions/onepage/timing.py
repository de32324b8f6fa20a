"""Strikes First and Strikes Last (RULE-STRIKES): in which step of a melee each weapon of each model strikes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from rolloff.editions.onepage.book import STRIKES_FIRST, STRIKES_LAST
from rolloff.editions.onepage.lookups import has, index_of
from rolloff.editions.onepage.morale import pinned
from rolloff.editions.onepage.shooting import above
from rolloff.rules.citing import cites
from rolloff.rules.play import Play

FIRST, ORDINARY, LAST = -1, 0, 1
NOBODY = -1
IMPACT = -1
"""Stands for a model's automatic hits among the numbers of its weapons."""

Steps = Mapping[tuple[int, int], int]
"""The step of each weapon (by model and number)."""


class Schedule(Struct, frozen=True, cache_hash=True):
    """What a unit strikes with, as it was settled when the melee began: the step of each weapon by model and number, and the
    weapon that each model's extra attacks go to."""

    steps: tuple[tuple[tuple[int, int], int], ...] = ()
    bonus: tuple[tuple[int, int], ...] = ()


@cites("RULE-STRIKES-1")
def _step(first: bool, last: bool) -> int:
    """RULE-STRIKES-1: before the opponent's attacks, or after them; both at once cancel (RULE-STRIKES-3)."""
    return ORDINARY if first == last else FIRST if first else LAST


@cites("PIN-2")
def _slow_as_pinned(play: Play, unit: int) -> bool:
    """PIN-2: a Pinned unit strikes last."""
    return pinned(play.state, unit)


@cites("ELEV-3", "ELEV-5")
def higher_of(play: Play, unit: int, other: int) -> int:
    """ELEV-3: which of the two stands higher and strikes first, assaulting or not; passengers stand as their transport.

    ELEV-5: whoever flies takes that from nobody.
    """
    where = play.state.units[unit].where
    stand = unit if where < 0 else where
    return unit if above(play, stand, other) else other if above(play, other, stand) else NOBODY


@cites("RULE-FEAR-1")
def _slow_as_afraid(afraid: bool) -> bool:
    """RULE-FEAR-1: who failed its test of fear strikes last in this melee."""
    return afraid


def whole_unit(play: Play, unit: int, higher: int, afraid: bool) -> int:
    """The step of a unit as a whole, before the two sides are compared."""
    first = has(play.game, play.state, unit, STRIKES_FIRST) or unit == higher
    last = has(play.game, play.state, unit, STRIKES_LAST) or _slow_as_pinned(play, unit) or _slow_as_afraid(afraid)
    return _step(first, last)


def out_of_turn(play: Play, unit: int, step: int, higher: int | None, afraid: bool) -> tuple[str, ...]:
    """What beside rules of its own puts a unit into the first or the last step, as clauses."""
    if step == FIRST:
        return ("ELEV-3",) if unit == higher else ()
    return (*(("PIN-2",) if _slow_as_pinned(play, unit) else ()), *(("RULE-FEAR-1",) if _slow_as_afraid(afraid) else ()))


@cites("RULE-STRIKES-3")
def _against_the_unit(own: int, whole: int) -> int:
    """RULE-STRIKES-3: a weapon's rule holds for that weapon; against the unit's opposite rule it cancels."""
    if own == ORDINARY:
        return whole
    return own if whole in (own, ORDINARY) else ORDINARY


def steps_of(play: Play, unit: int, higher: int, who: Iterable[int], afraid: bool) -> Steps:
    """The steps of all that a unit strikes with, before the two sides are compared; ``higher`` is the one that stands so."""
    lookups = index_of(play.game)
    whole = whole_unit(play, unit, higher, afraid)
    lone = [name for name in (STRIKES_FIRST, STRIKES_LAST) if not has(play.game, play.state, unit, name)]
    found = {(slot, IMPACT): whole for slot in play.state.units[unit].living}
    for slot in who:
        fighter = lookups.fighters[slot]
        own = {name for name in lone if name in fighter.rules}
        for index in fighter.melee:
            names = own | {rule.name for rule in fighter.weapons[index].rules}
            found[slot, index] = _against_the_unit(_step(STRIKES_FIRST in names, STRIKES_LAST in names), whole)
    return found


@cites("RULE-STRIKES-2")
def compared(ours: Steps, theirs: Steps) -> tuple[Steps, Steps]:
    """RULE-STRIKES-2: what both sides have, both ignore."""
    void = {step for step in (FIRST, LAST) if step in ours.values() and step in theirs.values()}
    return _without(ours, void), _without(theirs, void)


def _without(steps: Steps, void: set[int]) -> Steps:
    return {key: ORDINARY if step in void else step for key, step in steps.items()}
