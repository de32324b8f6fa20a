"""Games between opponents, with everything that was asked and answered kept."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from rolloff.agents import Agent, make
from rolloff.armies import library
from rolloff.editions import registry
from rolloff.oracle.dice import SeededDice, Stream, seed_bytes
from rolloff.oracle.oracle import Oracle, Seats
from rolloff.rules.game import Game
from rolloff.rules.play import OVER, play_step
from rolloff.table.event import Event
from rolloff.table.request import Request
from rolloff.table.state import State

EDITION = "onepage-3.0"


class Told(Struct):
    """A game that was played: requests with answers, events, the agents and the last state."""

    asked: list[tuple[Request, object]]
    events: list[Event]
    agents: Sequence[Agent]
    state: State
    game: Game

    def count(self, kind: str) -> int:
        """How many events of a kind there were."""
        return sum(event.kind == kind for event in self.events)


def play(names: tuple[str, str], armies: tuple[str, str], seed: int = 1, table: str = "random") -> Told:
    """One game from the roll-off to the score."""
    setup = library.setup_for(EDITION, *armies, table, seed=seed)
    game = Game(registry.edition(EDITION), setup)
    agents = [make(name, Stream(seed_bytes(seed, 0, "choices", side)), side) for side, name in enumerate(names)]
    oracle = Oracle(SeededDice(seed_bytes(seed, 0, "dice")), Seats(agents))
    report = Told([], [], agents, game.start(), game)
    while report.state.clock.phase != OVER:
        step = play_step(game, report.state, oracle)
        report.asked += step.answers
        report.events += step.events
        report.state = step.state
    return report
