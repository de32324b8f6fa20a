"""Whether a moment can be at all (TRANS-1, ABIL-7, MIS-5, MIS-8): who is aboard whom, who leads, who waits, and when.

A moment need not say everything: what is not told of a unit, its keywords or its capacity, is held against nobody.
"""

from __future__ import annotations

from rolloff.editions.commentary.cards import keywords_of
from rolloff.editions.commentary.command import LAST_ROUND
from rolloff.editions.commentary.lookups import check_state, index_of, leads
from rolloff.editions.commentary.roster import UNSTATED, capacity
from rolloff.errors import BadInput
from rolloff.rules.citing import cites
from rolloff.rules.game import Game
from rolloff.rules.transports import passengers
from rolloff.table.state import MERGED, RESERVE, TABLE, State

KINDS = ("TITANIC", "AIRCRAFT", "FORTIFICATION", "WALKER", "VEHICLE", "MONSTER", "MOUNTED", "SWARM", "BEASTS", "INFANTRY")
BODIES = frozenset(KINDS)
"""The keywords that say what a model's body is like (GEO-2)."""
HULLS = frozenset({"TRANSPORT", "DEDICATED TRANSPORT", "AIRCRAFT", "VEHICLE", "MONSTER"})
"""Who may well carry others, whether it is told how many or not."""


def check_moment(game: Game, state: State) -> None:
    """Refuse a moment that cannot be: models with no wounds left, too many Leaders, and units where they may not be."""
    check_state(game, state)
    _check_round(game, state)
    for unit, held in enumerate(state.units):
        if held.where == TABLE or (not held.living and held.where != MERGED):
            continue
        if held.where == MERGED:
            _check_leader(game, unit)
        elif held.where == RESERVE:
            _check_reserve(game, state, unit)
        elif held.where >= 0 and not leads(game, state, unit, held.where):
            _check_aboard(game, state, unit, held.where)


def _impossible(game: Game, unit: int, code: str, message: str, allowed: str, clause: str) -> BadInput:
    return BadInput(code, message, where=game.names[unit], allowed=allowed, clause=clause)


def _told(game: Game, unit: int) -> frozenset[str]:
    """The keywords a unit's card states; none where it states none."""
    card = game.cards[unit]
    return frozenset(keywords_of(card)) if any(":" not in word for word in card.keywords) else frozenset()


@cites("MIS-8")
def _check_round(game: Game, state: State) -> None:
    """MIS-8: the battle ends after round five; before round one there is no phase of a turn."""
    number, turns = state.clock.round, game.edition.turns
    early = number < 1 and turns is not None and state.clock.phase in turns.named
    if early or number > LAST_ROUND:
        raise BadInput(
            "bad-number", f"no battle has a round {number}", where="round", allowed=f"1 to {LAST_ROUND}", clause="MIS-8"
        )


@cites("ABIL-7")
def _check_leader(game: Game, unit: int) -> None:
    """ABIL-7: a CHARACTER unit attaches to another, nobody else."""
    told = _told(game, unit)
    if told and "CHARACTER" not in told and not index_of(game).fighters[game.starts[unit]].has("Leader"):
        name = game.names[unit]
        raise _impossible(game, unit, "no-leader", f"{name} is no CHARACTER and leads nobody", "a CHARACTER", "ABIL-7")


@cites("MIS-5")
def _check_reserve(game: Game, state: State, unit: int) -> None:
    """MIS-5: a FORTIFICATION is never in Reserves of any kind."""
    if "FORTIFICATION" in index_of(game).words(state.units[unit].living):
        name = game.names[unit]
        raise _impossible(game, unit, "bad-where", f"{name} is a FORTIFICATION and never in Reserves", "table", "MIS-5")


@cites("TRANS-1", "TRANS-8")
def _check_aboard(game: Game, state: State, unit: int, hull: int) -> None:
    """TRANS-1, TRANS-8: a TRANSPORT's capacity says how many models may be aboard, and which; nobody is aboard a wreck."""
    name, carrier = game.names[unit], game.names[hull]
    if not state.units[hull].living:
        raise _impossible(
            game, unit, "bad-where", f"{carrier} is destroyed: {name} cannot be aboard", "a place of its own", "TRANS-8"
        )
    room, words = capacity(game, hull)
    told = _told(game, unit)
    if not room and (kind := _told(game, hull)) and not kind & HULLS:
        raise _impossible(game, unit, "bad-where", f"{carrier} carries nobody", "aboard a TRANSPORT", "TRANS-1")
    missing = sorted((words - told) & BODIES)
    if missing and told & BODIES:
        allowed = f"{' '.join(sorted(words))} models"
        raise _impossible(game, unit, "bad-where", f"{carrier} does not carry {name}", allowed, "TRANS-1")
    aboard = sum(len(state.units[other].living) for other in passengers(state, hull))
    if 0 < room < min(aboard, UNSTATED):
        message = f"{aboard} models are aboard {carrier}, which carries {room}"
        raise _impossible(game, hull, "too-many-aboard", message, f"at most {room} models", "TRANS-1")
