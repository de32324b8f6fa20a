"""Morale (MORALE, PIN, ROUT): heavy losses and lost melees."""

from __future__ import annotations

from rolloff.editions.onepage.book import book_of
from rolloff.editions.onepage.lookups import has, quality, start_size, tough
from rolloff.oracle.stage import Keep, Stage, check
from rolloff.rules.citing import cites
from rolloff.rules.game import Game
from rolloff.rules.losses import lose
from rolloff.rules.morale import Failure, MoraleTest, take_test
from rolloff.rules.play import Play
from rolloff.table.event import Marked
from rolloff.table.state import State

PINNED = "pinned"
NONE, PINS, ROUTS = "none", "pinned", "routed"


def pinned(state: State, unit: int) -> bool:
    """Whether a unit is Pinned."""
    return state.units[unit].mark(PINNED) is not None


@cites("RULE-FEARLESS-1", "DICE-11")
def test_stage(need: int, fearless: bool) -> Stage[bool]:
    """MORALE-7, RULE-FEARLESS-1: one Quality test; Fearless rolls one die more and keeps the highest."""
    if fearless:
        return check("morale", need, "MORALE-7", "RULE-FEARLESS-1", dice=2, keep=Keep.HIGHEST)
    return check("morale", need, "MORALE-7")


def morale_roll(play: Play, unit: int) -> bool:
    """Roll a unit's morale test."""
    play.rolled_by = unit
    return play.dice.ask(stage_of(play, unit))


def stage_of(play: Play, unit: int) -> Stage[bool]:
    """MORALE-7: the dice of a unit's test."""
    return test_stage(quality(play.game, unit), has(play.game, play.state, unit, "Fearless"))


def strength(play: Play, unit: int) -> tuple[int, int]:
    """What is left of a unit and what it started with."""
    return strength_in(play.game, play.state, unit)


@cites("MORALE-4")
def strength_in(game: Game, state: State, unit: int) -> tuple[int, int]:
    """MORALE-4: what is left and what it started with, in models; for a single model in wounds, where wounds count."""
    size = start_size(game, state, unit)
    living = state.units[unit].living
    if size > 1 or book_of(game).half_of_models:
        return len(living), size
    if not living:
        return 0, 1
    most = tough(game, living[0])
    return most - state.wounds_on(living[0]), most


def at_half(left: int, whole: int) -> bool:
    """MORALE-2, MORALE-10: half or less."""
    return 2 * left <= whole


def breaks(game: Game, state: State, unit: int) -> bool:
    """MORALE-10: whether a failed test routs: at half or less by MORALE-4, or in models alone where players agreed so."""
    if game.switches.get("rout_by_models", False):
        return at_half(len(state.units[unit].living), start_size(game, state, unit))
    return at_half(*strength_in(game, state, unit))


@cites("MORALE-2")
def heavy_loss(game: Game, before: tuple[int, int], now: tuple[int, int]) -> bool:
    """MORALE-2: half of the models were lost at once, or the event took the unit from above half to half or less."""
    if now[0] == before[0]:
        return False
    return half_at_once(before[0], now[0]) if book_of(game).half_at_once else crossed(game, before, now)


def half_at_once(before: int, left: int) -> bool:
    """MORALE-2: an event took at least half of the models there were when it began."""
    return 2 * (before - left) >= before


@cites("MORALE-3")
def crossed(game: Game, before: tuple[int, int], now: tuple[int, int]) -> bool:
    """MORALE-3: from above half to half or less; later losses test again only where players agreed so."""
    return at_half(*now) and (not at_half(*before) or game.switches["morale_retest_below_half"])


def check_heavy_loss(play: Play, unit: int, before: tuple[int, int]) -> str:
    """MORALE-5, MORALE-8: one test an event, after its casualties; failed: Pinned."""
    held = play.state.units[unit]
    if not held.living or not heavy_loss(play.game, before, strength(play, unit)):
        return NONE
    return take_test(play, HEAVY_LOSS, unit)


def pin(play: Play, unit: int, *clauses: str) -> None:
    """PIN-1: a yes or no state; a second Pinned changes nothing (MORALE-11)."""
    play.emit("pinned", (*clauses, "PIN-1"), Marked(unit, PINNED, 1), unit=unit)  # MORALE-11


def rout(play: Play, unit: int, *clauses: str) -> None:
    """ROUT-1: the unit is removed and counts as destroyed."""
    living = play.state.units[unit].living
    lose(play, ROUTS, (*clauses, "ROUT-1"), unit, living, models=living)


def pins(play: Play, unit: int, clauses: tuple[str, ...]) -> None:
    """MORALE-8, MORALE-9: who fails is Pinned."""
    pin(play, unit, *clauses)


def routs(play: Play, unit: int, clauses: tuple[str, ...]) -> None:
    """MORALE-10: who fails at half or less after a lost melee routs."""
    rout(play, unit, *clauses)


def broken(play: Play, unit: int) -> bool:
    """MORALE-10: whether a failed test routs now."""
    return breaks(play.game, play.state, unit)


HEAVY_LOSS = MoraleTest(stage_of, ("MORALE-1", "MORALE-2", "MORALE-7"), (Failure(PINS, pins, ("MORALE-8",)),))
LOST_MELEE = MoraleTest(
    stage_of,
    ("MORALE-1", "MORALE-7", "MELEE-20"),
    (Failure(ROUTS, routs, ("MORALE-10",), broken), Failure(PINS, pins, ("MORALE-9",))),
)


def lost_melee(play: Play, unit: int) -> str:
    """MORALE-9, MORALE-10: the loser of a melee tests; failed at half or less it routs, else it is Pinned."""
    return take_test(play, LOST_MELEE, unit)
