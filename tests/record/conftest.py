"""A played toy game and its record, shared by the tests of records, situations and rulings."""

from __future__ import annotations

import io
from typing import NamedTuple

import pytest

from rolloff.editions import registry
from rolloff.oracle.dice import SeededDice, Stream, seed_bytes
from rolloff.oracle.oracle import Oracle, Question
from rolloff.record.book import Recorder
from rolloff.record.fairness import Fairness
from rolloff.record.signing import Signer
from rolloff.rules.game import Game
from rolloff.rules.play import OVER, play_step
from rolloff.table.request import Request
from rolloff.table.state import State
from tests.record.coin import COIN, coin_setup

SEED = seed_bytes(7, "test")


class Fickle:
    """Picks any option, and the default where there are none."""

    def __init__(self, stream: Stream) -> None:
        """Choose by a stream of its own."""
        self.stream = stream

    def choose(self, request: Question, play: object) -> object:
        """Any option."""
        assert isinstance(request, Request)
        return self.stream.pick(request.options) if request.options else request.default

    def refused(self, request: Question, answer: object, error: Exception) -> bool:
        """What is offered is not refused."""
        return False


class Played(NamedTuple):
    """A game, the states it went through between steps, and its record."""

    game: Game
    states: list[State]
    record: bytes


def play_coin(fairness: Fairness | None = None, signer: Signer | None = None, taste: bytes = SEED) -> Played:
    """Play a whole toy game and write it down; players of another taste choose otherwise."""
    game = Game(COIN, coin_setup())
    out = io.BytesIO()
    recorder = Recorder(out, game, fairness or SEED, ("fickle", "fickle"), signer=signer)
    oracle = Oracle(SeededDice(fairness.dice if fairness else SEED), Fickle(Stream(taste)))
    states = [game.start()]
    while states[-1].clock.phase != OVER:
        play = play_step(game, states[-1], oracle)
        recorder.step(play, states[-1])
        states.append(play.state)
    recorder.end(states[-1])
    return Played(game, states, out.getvalue())


@pytest.fixture(scope="session", autouse=True)
def _coin() -> None:
    """Make the toy edition known."""
    registry.register(COIN)


@pytest.fixture(scope="session")
def played() -> Played:
    """One toy game."""
    return play_coin()
