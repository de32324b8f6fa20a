"""Leadership in a fight: Fear, the Morale check of the loser, and the Sweeping Advance (SR-FEAR, CF-ASLT-9, CF-ASLT-10)."""

from __future__ import annotations

from functools import lru_cache

from rolloff.editions.compendium.lookups import index_of
from rolloff.editions.compendium.matchup import CHARIOT, WALKER
from rolloff.oracle.roll import Dice
from rolloff.oracle.stage import Stage, number, table
from rolloff.rules.citing import cites
from rolloff.rules.game import Game
from rolloff.table.state import State

NONE, PASSED, FALLS_BACK, SWEPT = "none", "passed", "falling-back", "swept"
STEADFAST = ("Fearless", "Zealot")
NO_FEAR = "And They Shall Know No Fear"
PURSUIT = number("sweeping advance", clauses=("CF-ASLT-10",))
MORE = number("sweeping advance", sides=3, clauses=("SR-CRUSADER-2",))


def _has(game: Game, state: State, unit: int, *names: str) -> bool:
    """Whether one model of a unit has one of these rules, which all count for the unit."""
    lookups = index_of(game)
    return any(lookups.fighters[slot].has(name) for slot in state.units[unit].living for name in names)


@cites("CF-VEH-13")
def locks(game: Game, state: State, unit: int) -> bool:
    """CF-VEH-13: whether a unit fights in close combat: vehicles only as Walkers or Chariots."""
    lookups = index_of(game)
    fighters = [lookups.fighters[slot] for slot in state.units[unit].living]
    return any(not one.vehicle or bool(one.types & {WALKER, CHARIOT}) for one in fighters)


@lru_cache(maxsize=64)
def leadership_test(need: int, label: str, *clauses: str) -> Stage[bool]:
    """CF-DICE-7: 2D6 of no more than the Leadership passes, and a double 1 always."""
    return table(label, tuple(total <= max(need, 2) for total in range(2, 13)), "CF-DICE-7", *clauses, dice=2)


@cites("CF-DICE-7")
def leadership(game: Game, state: State, unit: int) -> int:
    """CF-DICE-7: the highest Leadership of a unit; 0 if it has none."""
    lookups = index_of(game)
    return max((lookups.fighters[slot].profile.leadership for slot in state.units[unit].living), default=0)


def _fights_by_itself(game: Game, state: State, unit: int) -> bool:
    """Whether a unit has no Leadership to test: a vehicle passes every test (CF-PROF-2)."""
    lookups = index_of(game)
    return any(lookups.fighters[slot].vehicle for slot in state.units[unit].living) or not leadership(game, state, unit)


@cites("SR-FEAR-1")
def afraid_of(dice: Dice, game: Game, state: State, unit: int, other: int) -> bool:
    """SR-FEAR-1: before any blow a unit that faces one that causes Fear tests; failed, it has WS 1 (SR-FEAR-2)."""
    if not _has(game, state, other, "Fear", "Daemon") or _has(game, state, unit, *STEADFAST, NO_FEAR):
        return False
    if _fights_by_itself(game, state, unit):
        return False
    return not dice.ask(leadership_test(leadership(game, state, unit), "fear", "SR-FEAR-1"))


def tested(dice: Dice, game: Game, state: State, unit: int, by: int) -> str:
    """CF-ASLT-9: the Morale check of the loser, at the difference of the scores; failed, it Falls Back (CF-ASLT-10)."""
    if not state.units[unit].living:
        return NONE
    if _has(game, state, unit, *STEADFAST) or _fights_by_itself(game, state, unit):  # SR-FEARLESS-1, SR-ZEALOT-1
        return PASSED
    need = leadership(game, state, unit) - _penalty(game, state, unit, by)
    return PASSED if dice.ask(leadership_test(need, "morale", "CF-ASLT-9")) else FALLS_BACK


@cites("SR-STUBBORN-1")
def _penalty(game: Game, state: State, unit: int, by: int) -> int:
    """SR-STUBBORN-1: what is taken off Leadership for a lost fight; nothing if the unit is Stubborn."""
    return 0 if _has(game, state, unit, "Stubborn") else by


@cites("CF-ASLT-10")
def swept(dice: Dice, game: Game, state: State, word: str, unit: int, by: int) -> str:
    """CF-ASLT-10: the winner sweeps after who Falls Back: a die and the highest Initiative each; equal is enough.

    Who knows no fear and is caught stays in the fight (SR-ATSKNF-3).
    """
    if word != FALLS_BACK or not state.units[by].living or not _may_sweep(game, state, by):
        return word
    if _runs(dice, game, state, by) < _runs(dice, game, state, unit):
        return word
    return PASSED if _has(game, state, unit, NO_FEAR) else SWEPT  # SR-ATSKNF-3


@cites("SR-WALKER-7", "SR-SLOW-AND-PURPOSEFUL-1")
def _may_sweep(game: Game, state: State, unit: int) -> bool:
    """Neither the Slow and Purposeful sweep, nor Walkers that are Stunned or Immobilised (SR-WALKER-7)."""
    lookups = index_of(game)
    for slot in state.units[unit].living:
        hampered = any(state.model_mark(slot, name) is not None for name in ("stunned", "immobile"))
        if hampered and WALKER in lookups.fighters[slot].types:
            return False
    return not _has(game, state, unit, "Slow and Purposeful")


def _runs(dice: Dice, game: Game, state: State, unit: int) -> int:
    lookups = index_of(game)
    best = max(lookups.fighters[slot].profile.initiative for slot in state.units[unit].living)
    more = dice.ask(MORE) if _has(game, state, unit, "Crusader") else 0  # SR-CRUSADER-2
    return best + dice.ask(PURSUIT) + more
