"""What may be fired at whom (SHOOT-2): which enemies weapons may reach, and the weapons that may be fired at each."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

from rolloff.editions.commentary import places
from rolloff.editions.commentary.ability import SHOOTING
from rolloff.editions.commentary.attack_case import (
    ADVANCED,
    DECK,
    FELL_BACK,
    Arsenal,
    Case,
    borrowed,
    far_too,
    is_lone,
    seeing_too,
)
from rolloff.editions.commentary.choosing import able_uses, arsenal, forbids, may_not_shoot
from rolloff.editions.commentary.lookups import GRANT, Host, UnitIndex, host_of, index_of
from rolloff.editions.commentary.sight import looked_at, sight_of
from rolloff.editions.commentary.unit_values import standing_auras
from rolloff.errors import BadInput, IllegalCommand
from rolloff.rules.attack import AttackForm
from rolloff.rules.game import Game
from rolloff.rules.play import Play
from rolloff.table.state import TABLE, Marks, State

Weapons = tuple[tuple[int, int], ...]
FURTHER = 12 * places.INCH
"""By how much no rule makes a weapon reach further."""


def in_reach(play: Play, unit: int, enemies: Sequence[int]) -> list[int]:
    """Those of some enemies that a weapon of a unit may reach as far as the least gaps tell."""
    gaps, reach = places.least_gaps(play.game, play.state, unit), longest(play, unit) + 2 * places.EPSILON
    return [enemy for enemy in enemies if gaps[enemy] <= reach]


def reaches(play: Play, unit: int, enemy: int) -> bool:
    """Whether a weapon of a unit may reach an enemy as far as the least gap between them tells."""
    return places.least_gaps(play.game, play.state, enemy)[unit] <= longest(play, unit) + 2 * places.EPSILON


def some_aim(play: Play, unit: int, enemies: Sequence[int]) -> bool:
    """Whether some weapon of a unit may be fired at some of these enemies; the nearest are looked at first."""
    gaps, reach = places.least_gaps(play.game, play.state, unit), longest(play, unit) + 2 * places.EPSILON
    near = [(gaps[enemy], enemy) for enemy in enemies if gaps[enemy] <= reach]
    near.sort()
    return next((True for _, enemy in near if able_at(play, unit, enemy)), False)


def longest(play: Play, unit: int) -> int:
    """The longest reach of a unit's weapons."""
    lookups, held = index_of(play.game), play.state.units[unit]
    reach = lookups.reach(held.living)
    if not held.marks:
        return reach
    for slot, index in borrowed(play.state, unit):
        reach = max(reach, lookups.fighters[slot].weapons[index].reach or 0)
    return reach + FURTHER if _reaches_further(held.marks) else reach


@lru_cache(maxsize=512)
def _reaches_further(marks: Marks) -> bool:
    """Whether marks of a unit make its weapons reach further."""
    return any(name.startswith(f"{GRANT}Range") for name, _ in marks)


def able_at(play: Play, unit: int, enemy: int) -> Weapons:
    """The weapons of a unit that may be fired at an enemy, kept as long as nothing they depend on changes (`aims_of`)."""
    game, state = play.game, play.state
    kept, key = aims_of(play).weapons, (unit, enemy, state.units[unit].marks)
    found = kept.get(key)
    if found is None:
        try:
            found = _able_at(game, state, host_of(game, state, unit), host_of(game, state, enemy))
        except (IllegalCommand, BadInput):
            found = ()
        kept[key] = found
    return found


def aims_of(play: Play) -> places.Aims:
    """What may be fired at whom in this moment: let go when anybody stands otherwise.

    It depends on who of each unit lives and where it is (Leaders go with theirs), on marks that say a unit is engaged, and on
    the marks of single models about weapons; while these are the same, other changes of units do not count.
    """
    game, state = play.game, play.state
    kept, units, models = places.measured(game, state), state.units, state.models
    found = kept.aims
    if found is not None and found.units is units and found.models is models:
        return found
    engaged = [places.ENGAGED in dict(one.marks) for one in units] if places.ENGAGED in game.words(state) else ()
    moment = index_of(game).marks_of_weapons(state), tuple(map(_there, units)), engaged
    if found is None or found.moment != moment:
        found = kept.aims = places.Aims(units, models, moment)
    found.units, found.models = units, models
    return found


_there = attrgetter("living", "where")


class FreeAim(NamedTuple):
    """What is asked about each weapon of a unit that nothing bothers (`choosing.Aim`)."""

    state: State
    lookups: UnitIndex
    seeing: Collection[int]
    lone: bool


def _able_at(game: Game, state: State, attacker: Host, target: Host) -> Weapons:
    """The same, judged: of units that nothing bothers by their distance and sight alone, of others as a `Case` says."""
    arms = _at_ease(game, state, attacker, target)
    if arms is None:
        return able_uses(Case(game, state, AttackForm(attacker.unit, target.unit, SHOOTING)))
    if not arms.free:
        return ()
    ours, lookups = attacker.slots, index_of(game)
    far = places.apart(game, state, ours, target.slots).nearest
    gaps = far.values()
    if min(gaps) > arms.longest:
        return ()
    seeing, lone = sight_of(game, state).watchers(ours, looked_at(target)), is_lone(lookups, target)
    if not seeing and not arms.indirect:
        return ()
    if max(gaps) <= arms.shortest and len(seeing) == len(ours) and not lone and not arms.single:
        return arms.pairs
    if len(arms.everyone) > len(ours):
        far, seeing = far_too(far, arms.everyone), seeing_too(state, seeing, arms.everyone)
    aim = FreeAim(state, lookups, seeing, lone)
    return tuple([pair for pair, slot, gun in arms.free if forbids(aim, slot, gun, far[slot]) is None])


def _at_ease(game: Game, state: State, attacker: Host, target: Host) -> Arsenal | None:
    """The weapons of a unit whose circumstances bother neither it nor its target; None where they do.

    Both stand on the table and are not Locked in Combat, and no model has an ability of its own for a while. Kept in the game
    by what the weapons of the attacker then depend on.
    """
    units, lookups, here, theirs = state.units, index_of(game), places.on_table(state.xy), target.slots
    held = units[attacker.unit]
    if held.where != TABLE or units[target.unit].where != TABLE or not theirs or (state.models and lookups.singled(state)):
        return None
    if not here.issuperset(theirs) or not here.issuperset(attacker.slots):
        return None
    if not places.nobody_engaged(game, state) and (
        places.is_engaged(game, state, attacker) or places.is_engaged(game, state, target)
    ):
        return None
    auras = standing_auras(game, state, attacker) if lookups.auras_of[game.sides[attacker.unit]] else ()
    kept, key = lookups.at_ease, (attacker, _telling(held.marks) if held.marks else (), auras)
    if key not in kept:
        case = Case(game, state, AttackForm(attacker.unit, target.unit, SHOOTING))
        kept[key] = arsenal(case) if may_not_shoot(case) is None else Arsenal({}, ())
    found: Arsenal = kept[key]
    return found


@lru_cache(maxsize=512)
def _telling(marks: Marks) -> Marks:
    """Those marks of a unit that say what it may fire."""
    return tuple([mark for mark in marks if mark[0] in (ADVANCED, FELL_BACK) or mark[0].startswith((GRANT, DECK))])


def case_at(play: Play, form: AttackForm, judged: Weapons = ()) -> Case:
    """The attack of a form with which a unit shoots; that its weapons were judged is kept, and what was found out just now.

    Marks that say how the attacks are made may have come since some weapons were ``judged``: these may be fired all the same.
    """
    state, last = play.state, play.looked_at
    if (
        isinstance(last, Case)
        and last.state is state
        and (last.form.attacker, last.form.target) == (form.attacker, form.target)
    ):
        return last.named(form)
    case = play.looked_at = Case(play.game, state, form)
    case.able = judged or aims_of(play).weapons.get((form.attacker, form.target, state.units[form.attacker].marks), ())
    return case
