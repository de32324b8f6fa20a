"""What lists say about units before the battle (ABIL-7, TRANS-1, RSV): who may lead and carry whom, and who may wait where."""

from __future__ import annotations

from functools import lru_cache

from rolloff.editions.commentary.cards import words_of
from rolloff.editions.commentary.lookups import index_of
from rolloff.editions.commentary.squads import CARRIES
from rolloff.rules.citing import cites
from rolloff.rules.game import Game
from rolloff.table.profile import Rule
from rolloff.table.state import State

STARTS, LEADS, BESIDE = "starts:", "leads:", "beside:"
STRATEGIC, DEEP_STRIKE, AIRCRAFT = "strategic reserves", "deep strike", "aircraft"
ZONE, HOVER = "zone", "hover"
SHARE = 4
"""RSV-2: Strategic Reserves are worth at most this part of the battle size."""


def number_in_list(game: Game, side: int, number: int) -> int | None:
    """The unit that has a number in its army's list."""
    own = game.units_of[side]
    return own[number - 1] if 0 < number <= len(own) else None


def wish_of(game: Game, unit: int, word: str) -> int | None:
    """The unit a list says this one leads (``leads``) or starts in (``in``)."""
    for said in words_of(game.cards[unit], STARTS):
        head, _, tail = said.partition(" ")
        if head == word and tail.isdecimal():
            return number_in_list(game, game.side_of(unit), int(tail))
    return None


def start_of(game: Game, unit: int) -> str:
    """How a list says a unit starts: in reserves of a kind, or nothing."""
    return next((said for said in words_of(game.cards[unit], STARTS) if said in (STRATEGIC, DEEP_STRIKE, AIRCRAFT)), "")


def is_leader(game: Game, unit: int) -> bool:
    """Whether a unit's datasheet lets it lead others at all."""
    return index_of(game).fighters[game.starts[unit]].has("Leader")


@cites("ABIL-7")
def may_lead(game: Game, leader: int, unit: int, led: tuple[int, ...]) -> bool:
    """ABIL-7, ATTACH-1: a CHARACTER attaches to a unit its datasheet names; beside another Leader only if it says so."""
    card, host = game.cards[leader], game.cards[unit]
    if leader == unit or host.name not in words_of(card, LEADS) or not is_leader(game, leader):
        return False
    return not led or second_leader(game, leader, led)


@cites("ATTACH-1")
def second_leader(game: Game, leader: int, led: tuple[int, ...]) -> bool:
    """ATTACH-1: only one additional Leader, beside one it names (or that names it), never two of one datasheet."""
    if len(led) != 1:
        return False
    card, other = game.cards[leader], game.cards[led[0]]
    return other.name in words_of(card, BESIDE) or card.name in words_of(other, BESIDE)


UNSTATED = 1000
"""The room of a TRANSPORT of which no capacity is told."""


@cites("TRANS-1")
def room_of(game: Game, state: State, transport: int) -> int:
    """TRANS-1: how many models a TRANSPORT carries."""
    return capacity(game, transport)[0]


def capacity(game: Game, transport: int) -> tuple[int, frozenset[str]]:
    """The capacity of a card: how many models, and the keywords all of them need."""
    fighter = index_of(game).fighters[game.starts[transport]]
    stated = _stated(fighter.rules) if fighter.has(CARRIES) else None
    return stated or ((UNSTATED if "TRANSPORT" in fighter.keywords else 0), frozenset())


@lru_cache(maxsize=256)
def _stated(rules: tuple[Rule, ...]) -> tuple[int, frozenset[str]] | None:
    """The capacity that rules of a card state."""
    rating = next((rule.rating for rule in rules if rule.name == CARRIES), None)
    if rating is None:
        return None
    count, *words = str(rating).split()
    return int(count), frozenset(words)


def takes(game: Game, state: State, unit: int, transport: int) -> bool:
    """TRANS-1: whether every model of a unit is of the kind a TRANSPORT carries."""
    lookups = index_of(game)
    room, words = capacity(game, transport)
    if not words:
        return room > 0 and unit != transport
    return room > 0 and unit != transport and all(words <= set(lookups.fighters[s].keywords) for s in state.units[unit].living)
