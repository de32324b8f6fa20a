"""Who may shoot (SHOOT-1, ELIG-2): the units that are eligible and have a target, looked at all at once where that will do."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, compress

from msgspec.structs import replace

from rolloff.editions.commentary import places
from rolloff.editions.commentary.aiming import Weapons, aims_of, in_reach, longest, nearest_aim
from rolloff.editions.commentary.at_ease import ODD, kind_of, odd_units, reaches_of
from rolloff.editions.commentary.attack_case import ADVANCED, DECK, END_ATTACKS, FELL_BACK, FIRING_DECK
from rolloff.editions.commentary.lookups import BIG, UnitIndex, host_of, index_of
from rolloff.editions.commentary.sight import sight_of
from rolloff.rules.citing import cites
from rolloff.rules.play import Play
from rolloff.rules.transports import passengers
from rolloff.rules.turns import on_table
from rolloff.table.state import State, Unit


@cites("SHOOT-1", "ELIG-2")
def eligible(play: Play, unit: int) -> bool:
    """SHOOT-1, ELIG-2: neither Advanced nor Fell Back, nor Locked in Combat, unless its weapons or size make up for it."""
    game, state = play.game, play.state
    lookups: UnitIndex = game.lookups
    held = state.units[unit]
    if held.marks:
        marks = dict(held.marks)
        if FELL_BACK in marks or (ADVANCED in marks and not lookups.armed(held.living, "Assault")):
            return False
    if places.nobody_engaged(game, state) or not places.is_engaged(game, state, host_of(game, state, unit)):
        return True
    return not BIG.isdisjoint(lookups.words(held.living)) or lookups.armed(held.living, "Pistol")


def able(play: Play, side: int) -> list[int]:
    """The units of a side that may be selected to shoot and have a target; kept as what they may fire at whom is."""
    units, kept = play.state.units, aims_of(play).shooters
    waiting = [unit for unit in on_table(play, side) if not units[unit].done]
    unknown = [unit for unit in waiting if unit not in kept or kept[unit][0] != units[unit].marks] if kept else waiting
    if unknown:
        aiming = _aiming(play, side, unknown)
        kept.update([(unit, (units[unit].marks, unit in aiming)) for unit in unknown])
    return [unit for unit in waiting if kept[unit][1]]


def _aiming(play: Play, side: int, units: list[int]) -> list[int]:
    """Those of some units of a side that are eligible to shoot and have a target, for a weapon of theirs or on their deck."""
    foes = on_table(play, 1 - side)
    found = shooters(play, units, foes)
    if FIRING_DECK in index_of(play.game).printed:
        decks = [unit for unit in _decks(play, side) if unit in units and unit not in found]
        found += [unit for unit in decks if eligible(play, unit) and aims_from_deck(play, unit, foes)]
    return found


# all at once --------------------------------------------------------------------------------------


def shooters(play: Play, units: Sequence[int], enemies: Sequence[int]) -> list[int]:
    """Those of some units that are eligible to shoot and of which a weapon may be fired at one of some enemies, in order.

    All of them are on the battlefield. They are looked at all at once, by distance and sight of the weapons that may be fired
    after their moves, and one enemy is enough for each. Where that does not say it, they are asked one by one.
    """
    if len(enemies) == 1:
        units = _within_reach(play, units, enemies[0])
        if not units:
            return []
    game, state = play.game, play.state
    reaches, odd = reaches_of(game), odd_units(game, state, aims_of(play))
    if reaches is None or odd is None:
        return [unit for unit in units if _has_aim(play, unit, enemies)]
    held = state.units
    kinds = [kind_of(held[unit].marks) for unit in units]
    if ODD in kinds:
        asked = [unit for unit, kind in zip(units, kinds, strict=True) if kind != ODD]
        sure = shooters(play, asked, enemies) if asked else []
        return [unit for unit in units if unit in sure or (unit not in asked and _has_aim(play, unit, enemies))]
    hard = [enemy for enemy in enemies if enemy in odd] if odd else ()
    plain = [enemy for enemy in enemies if enemy not in odd] if hard else enemies
    models, targets = [held[unit].living for unit in units], _looked_at(held, (*plain, *hard))
    if not places.on_table(state.xy).issuperset(chain(*models, *targets)):
        return [unit for unit in units if _has_aim(play, unit, enemies)]
    rows = sight_of(game, state).aiming(places.bodies_of(game), reaches, models, kinds, targets, len(plain))
    if not odd:
        return list(compress(units, rows))
    found = []
    for unit, row in zip(units, rows, strict=True):
        if row and ((row > 1 and unit not in odd) or _has_aim(play, unit, enemies if unit in odd else hard)):
            found.append(unit)
    return found


def _within_reach(play: Play, units: Sequence[int], enemy: int) -> list[int]:
    """Those of some units of which a weapon may reach an enemy as far as the least gaps tell."""
    gaps, slack = places.least_gaps(play.game, play.state, enemy), 2 * places.EPSILON
    return [unit for unit in units if gaps[unit] <= longest(play, unit) + slack]


def _has_aim(play: Play, unit: int, enemies: Sequence[int]) -> bool:
    """Whether a unit is eligible to shoot and a weapon of it may be fired at one of some enemies."""
    if not enemies or not eligible(play, unit):
        return False
    near = in_reach(play, unit, enemies)
    return bool(near) and nearest_aim(play, unit, near) >= 0


@cites("VIS-2")
def _looked_at(units: tuple[Unit, ...], enemies: Sequence[int]) -> list[tuple[int, ...]]:
    """VIS-2: a unit is visible if one of its models is."""
    return [units[enemy].living for enemy in enemies]


# from the deck ------------------------------------------------------------------------------------


def has_target(play: Play, unit: int) -> bool:
    """Whether some weapon of a unit, or of those on its deck, may be fired at some enemy; the nearest are looked at first."""
    foes = on_table(play, 1 - play.game.sides[unit])
    return nearest_aim(play, unit, in_reach(play, unit, foes)) >= 0 or aims_from_deck(play, unit, foes)


def _decks(play: Play, side: int) -> Sequence[int]:
    """The units of a side from whose deck passengers may fire."""
    return index_of(play.game).holders(play.state, side, FIRING_DECK)


def aims_from_deck(play: Play, unit: int, foes: Sequence[int]) -> bool:
    """Whether a weapon of those on a unit's deck may be fired at some enemy."""
    _, arms = deck_of(play, unit)
    if not arms:
        return False
    manned = Play(play.game, _manned(play.state, unit, arms), play.oracle)
    return nearest_aim(manned, unit, in_reach(manned, unit, foes)) >= 0


def _manned(state: State, unit: int, arms: Weapons) -> State:
    """The state as it would be if all these weapons of passengers could be fired from a unit's deck."""
    units, held = state.units, state.units[unit]
    deck = tuple([(f"{DECK}{slot}:{index}", END_ATTACKS) for slot, index in arms])
    return replace(state, units=(*units[:unit], replace(held, marks=held.marks + deck), *units[unit + 1 :]))


def deck_of(play: Play, unit: int) -> tuple[int, Weapons]:
    """How many embarked models may fire from a TRANSPORT's deck, and every ranged weapon of its passengers."""
    lookups: UnitIndex = play.game.lookups
    if FIRING_DECK not in lookups.printed:
        return 0, ()
    decks = lookups.having(play.state.units[unit].living, FIRING_DECK)
    if not decks:
        return 0, ()
    most = max([int(lookups.fighters[slot].rating(FIRING_DECK) or 0) for slot in decks])
    aboard = [slot for k in passengers(play.state, unit) for slot in play.state.units[k].living] if most else []
    arms = [(slot, index) for slot in aboard for index, weapon in enumerate(lookups.fighters[slot].weapons) if not weapon.melee]
    return most, tuple(arms)
