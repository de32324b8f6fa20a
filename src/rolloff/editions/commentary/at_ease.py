"""Units that nothing bothers: what they have to fire, so that distance and sight alone say at whom (SHOOT-2)."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from rolloff.editions.commentary import places
from rolloff.editions.commentary.abilities import SPECIALS
from rolloff.editions.commentary.attack_case import ADVANCED, DECK, FELL_BACK, LONE
from rolloff.editions.commentary.cards import Fighter
from rolloff.editions.commentary.lookups import GRANT, UnitIndex, index_of, ridden
from rolloff.editions.commentary.specials.characteristic import Changes
from rolloff.editions.commentary.unit_values import auras_change
from rolloff.editions.commentary.values import RANGE
from rolloff.geometry.sampled import Reaches
from rolloff.rules.game import Game
from rolloff.table.profile import Weapon
from rolloff.table.state import Marks, State


def odd_units(game: Game, state: State, aims: places.Aims) -> Collection[int] | None:
    """The units of which distance and sight alone do not say who may fire at whom; kept for the moment of some aims."""
    if aims.odd is None:
        aims.odd = (_odd_units(game, state),)
    return aims.odd[0]


def _odd_units(game: Game, state: State) -> Collection[int] | None:
    """The same, looked up; None where distance and sight do not even rule it out.

    Those near an enemy, who are perhaps Locked in Combat; Lone Operatives; and those with a weapon that was fired and is fired
    only once. Nothing is ruled out where Leaders are with units on paper alone, or single models have abilities for a while.
    """
    lookups, close = index_of(game), places.close_to_foes(game, state)
    if close is None or (lookups.leaders and ridden(lookups, state.units)):
        return None
    more: list[int] = []
    if state.models:
        if lookups.singled(state):
            return None
        more += lookups.fired(state)
    if LONE in lookups.printed:
        more += lookups.bearing(LONE)
    return {*close, *map(state.owner_of, more)} if more else close


@lru_cache(maxsize=512)
def telling_of(marks: Marks) -> Marks:
    """Those marks of a unit that say what it may fire."""
    return tuple([mark for mark in marks if mark[0] in (ADVANCED, FELL_BACK) or mark[0].startswith((GRANT, DECK))])


AS_PRINTED, WITH_ASSAULT, ODD = 0, 1, -1
"""By which row of `reaches_of` a unit has its weapons: all of them, or those with Assault alone."""


@lru_cache(maxsize=512)
def kind_of(marks: Marks) -> int:
    """By which row a unit with some marks has its weapons, where it Advanced those with Assault alone; or none tells it."""
    telling = telling_of(marks)
    if not telling:
        return AS_PRINTED
    return WITH_ASSAULT if [name for name, _ in telling] == [ADVANCED] else ODD


def reaches_of(game: Game) -> Reaches | None:
    """How far the weapons of all models reach; None where some ability in the game changes that."""
    lookups: UnitIndex = game.lookups
    if lookups.reaches is None:
        lookups.reaches = (_reaches(lookups.fighters) if _as_printed(game) else None,)
    found: Reaches | None = lookups.reaches[0]
    return found


def _as_printed(game: Game) -> bool:
    """Whether no ability in the game changes how far weapons reach but one that a mark gives."""
    lookups: UnitIndex = game.lookups
    if not FURTHER.isdisjoint(lookups.printed) or auras_change(game, 0, RANGE) or auras_change(game, 1, RANGE):
        return False
    if not lookups.leaders and not lookups.items:
        return True
    kinds = dict(zip(map(id, lookups.fighters), lookups.fighters, strict=True)).values()
    given = [fighter.leading + fighter.carried for fighter in kinds]
    return FURTHER.isdisjoint([rule.name for rules in given for rule in rules])


FURTHER = frozenset([name for name, special in SPECIALS.items() if isinstance(special, Changes) and special.kind == RANGE])
"""The abilities that change how far weapons reach."""


def _reaches(fighters: tuple[Fighter, ...]) -> Reaches:
    """How far the weapons of some models reach: all they have, and then those with Assault alone."""
    known = {number: _reach(one.weapons) for number, one in dict(zip(map(id, fighters), fighters, strict=True)).items()}
    seen, unseen, assault, unseen_assault = zip(*map(known.__getitem__, map(id, fighters)), strict=True)
    return Reaches(seen + assault, unseen + unseen_assault)


@lru_cache(maxsize=1024)
def _reach(weapons: tuple[Weapon, ...]) -> tuple[int, int, int, int]:
    """How far those of some weapons reach that need sight and that do not; then the same of those with Assault."""
    found = [NOTHING, NOTHING, NOTHING, NOTHING]
    for weapon in weapons:
        if weapon.reach is None:
            continue
        far, unseen = weapon.reach + places.EPSILON, weapon.has("Indirect Fire")
        for row in (unseen, 2 + unseen) if weapon.has("Assault") else (unseen,):
            found[row] = max(found[row], far)
    return found[0], found[1], found[2], found[3]


NOTHING = -1
"""How far weapons reach that nobody has."""
