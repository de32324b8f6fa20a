"""Whole games under watch: the setups that `duel` would play, with every step shown to whoever looks on."""

from __future__ import annotations

from collections.abc import Callable

from rolloff.editions import registry
from rolloff.errors import RolloffError
from rolloff.lab.duel import Match, Watched, chairs_of, setup_of
from rolloff.oracle.dice import SeededDice, seed_bytes
from rolloff.oracle.oracle import Oracle
from rolloff.rules.game import Game
from rolloff.rules.play import OVER, Play, play_step
from rolloff.table.state import State
from tests.properties.invariants import Broken, Invariants, Ledger

EDITION = "onepage-3.0"
MOST_STEPS = 2_000
TABLES = ("random", "broken-town", "crossing", "thornwood")


def match_of(agents: str, seed: int, index: int, edition: str = EDITION, points: int = 0) -> Match:
    """A match of two equal opponents; every fourth game on each of the fixed tables, the rest on generated ones."""
    return Match(edition, (agents, agents), table=TABLES[index % len(TABLES)], seed=seed, points=points)


def game_of(match: Match, index: int) -> Game:
    """One game of a match, compiled."""
    return Game(registry.edition(match.edition), setup_of(match, index))


def walk(match: Match, index: int, look: Callable[[State, Play], None], game: Game | None = None) -> tuple[State, int]:
    """Play a game and show every step; the last state, and how many offers were refused."""
    game = game or game_of(match, index)
    seats = Watched(chairs_of(match, index))
    oracle = Oracle(SeededDice(seed_bytes(match.seed, index, "dice")), seats)
    state = game.start()
    for _ in range(MOST_STEPS):
        if state.clock.phase == OVER:
            return state, seats.offered_refused
        play = play_step(game, state, oracle)
        look(state, play)
        state = play.state
    raise Broken("the game does not end")


def watched_game(agents: str, seed: int, index: int, log: Ledger, edition: str = EDITION, points: int = 0) -> None:
    """One game held against every invariant; `Broken` says which game it was."""
    match = match_of(agents, seed, index, edition, points)
    game = game_of(match, index)
    invariants = Invariants(game, log)
    try:
        _, refused = walk(match, index, invariants.see, game)
        log.hold("INV-38", not refused, "an offer was refused")
    except (AssertionError, RolloffError) as broken:
        raise Broken(f"{agents} seed {seed} game {index}: {broken}") from broken
