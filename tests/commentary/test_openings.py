"""Before the battle: what may be declared, who is set up where, who scouts when, and what is left of it in round one."""

from __future__ import annotations

from typing import Any

import pytest

from rolloff.oracle.dice import SeededDice
from rolloff.oracle.oracle import Defaults, Oracle
from rolloff.rules.play import play_step
from rolloff.table.event import Event
from rolloff.table.state import TABLE, State
from tests.commentary.desk import EDITION
from tests.commentary.test_more_phases import battle

Game = Any


class Asked(Defaults):
    """Answers by default and keeps what was offered, by purpose and unit; whoever may take a unit takes the first."""

    def __init__(self, game: Game) -> None:
        """Begin with nothing asked."""
        super().__init__()
        self.game = game
        self.offered: dict[tuple[str, str], tuple[object, ...]] = {}

    def choose(self, request: Any, play: Any) -> object:
        """What is offered to whom."""
        purpose = str(dict(request.facts).get("purpose", ""))
        self.offered[purpose, self.game.names[request.about]] = request.options
        return request.options[0] if request.kind == "choose-unit" else super().choose(request, play)


def until(game: Game, phase: str, seed: bytes = b"opening") -> tuple[State, Asked, list[Event]]:
    """A battle up to a phase, what was asked on the way and what happened."""
    asked = Asked(game)
    state, oracle, events = game.start(), Oracle(SeededDice(seed), asked), list[Event]()
    while state.clock.phase != phase:
        play = play_step(game, state, oracle)
        state, events = play.state, [*events, *play.events]
    return state, asked, events


@pytest.mark.clause(EDITION, "ABIL-7", "ATTACH-1", "ABIL-2", "RSV-2", "MIS-5")
def test_what_may_be_declared() -> None:
    """A Leader is offered what its datasheet names, never as the third; Deep Strike who has it; FORTIFICATIONS no Reserves."""
    game = battle("verdigris-mandate-2000", "hollow-tide-2000", points=2000)
    _, asked, _ = until(game, "deploy")
    assert set(asked.offered["attach", "a1"]) == {"none", *(f"a{k}" for k in (5, 6, 7, 8, 9, 10, 11))}
    assert set(asked.offered["attach", "a4"]) == {"none", *(f"a{k}" for k in (6, 7, 8, 9))}
    assert ("attach", "a12") not in asked.offered and ("attach", "b17") not in asked.offered
    assert "deep strike" in asked.offered["reserve", "a11"] and "deep strike" not in asked.offered["reserve", "a9"]
    assert ("reserve", "a18") not in asked.offered


@pytest.mark.clause(EDITION, "ABIL-6", "MIS-5")
def test_infiltrators_are_set_up_outside_their_zone() -> None:
    """The others stand within their own zone; Infiltrators beyond it and more than 9" from the enemy's."""
    game = battle("lantern-reach-1000", "hollow-tide-1000")
    state, _, _ = until(game, "redeploy")
    low = 0 if state.side_mark(0, "role") == "attacker" else 1
    assert low == 1
    for name, least, most in (("a6", 10_000 + 9_000, 34_000), ("b7", 10_000, 34_000 - 9_000)):
        assert all(least < state.at(slot)[1] < most for slot in state.units[game.numbers[name]].living)
    for number, held in enumerate(state.units):
        if held.where == TABLE and game.names[number] not in ("a6", "b7"):
            ys = [state.at(slot)[1] for slot in held.living]
            assert max(ys) <= 10_000 if game.side_of(number) == low else min(ys) >= 34_000


@pytest.mark.clause(EDITION, "ABIL-9", "ROUND-1")
def test_scouts_go_side_by_side_and_once() -> None:
    """All Scouts of the player with the first turn, then the other's, each unit once; in round one all may act again."""
    game = battle("lantern-reach-1000", "hollow-tide-1000")
    state, _, events = until(game, "move")
    went = [int(str(event.fact("unit"))) for event in events if event.kind == "activated" and event.fact("action") == "scout"]
    first = state.clock.first
    sides = [game.side_of(unit) for unit in went]
    assert len(set(went)) == len(went) and set(sides) == {0, 1}
    assert sides == sorted(sides, key=lambda side: side != first)
    assert not any(held.done for held in state.units)
