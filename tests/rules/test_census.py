"""What a game keeps about its units from event to event is what their state says."""

from __future__ import annotations

from itertools import chain
from typing import Any

import pytest

from rolloff.editions import registry
from rolloff.lab.duel import Match, chairs_of, play_game, setup_of
from rolloff.oracle.dice import SeededDice, seed_bytes
from rolloff.oracle.oracle import Defaults, Oracle
from rolloff.rules.game import Game
from rolloff.rules.play import Play
from rolloff.table.event import Done, Marked, Patch, Removed, Went
from rolloff.table.state import RESERVE, TABLE, State


def check(game: Game, state: State) -> None:
    """Compare what is kept with what is read off the units."""
    units = state.units
    assert list(game.acted(state)) == [k for k, unit in enumerate(units) if unit.done]
    assert game.words(state) == set(chain.from_iterable(chain.from_iterable(unit.marks for unit in units)))
    here = [tuple(k for k in own if units[k].where == TABLE) for own in game.units_of]
    assert list(game.standing(state)) == here
    assert [dict(own) for own in state.sides] == list(game.players(state))


@pytest.mark.parametrize("edition", ["commentary-10", "onepage-3.0"])
def test_what_is_kept_is_right_after_every_event(edition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a whole random game, at every event."""
    emit, happen = Play.emit, Play.happen
    checked = 0

    def emitting(self: Play, kind: str, clauses: tuple[str, ...], /, *patches: Patch, **facts: Any) -> None:
        nonlocal checked
        emit(self, kind, clauses, *patches, **facts)
        check(self.game, self.state)
        checked += 1

    def happening(self: Play, event: Any) -> None:
        happen(self, event)
        check(self.game, self.state)

    monkeypatch.setattr(Play, "emit", emitting)
    match = Match(edition, ("random", "random"), points=500 if edition == "commentary-10" else 750, seed=5)
    play_game(Game(registry.edition(edition), setup_of(match, 0)), seed_bytes(5, 0, "dice"), chairs_of(match, 0))
    monkeypatch.setattr(Play, "happen", happening)
    play_game(Game(registry.edition(edition), setup_of(match, 1)), seed_bytes(5, 1, "dice"), chairs_of(match, 1))
    assert checked > 100


@pytest.mark.parametrize(
    "patches",
    [
        (Marked(1, "fell-back", "end-turn"), Marked(1, "moved", None)),
        (Marked(1, "moved", 2), Marked(2, "moved", "end-phase")),
        (Marked(2, "advanced", "end-turn"), Marked(1, "moved", "end-phase")),
        (Marked(1, "moved", None), Done(0, False), Done(2, True)),
        (Went(1, RESERVE), Marked(2, "advanced", 7)),
        (Removed(0, 0), Done(1, True)),
    ],
)
def test_no_word_stays_that_nobody_has(patches: tuple[Patch, ...]) -> None:
    """Marks may be changed and lifted, units leave, die and act again: nothing of what was known before is left then."""
    match = Match("commentary-10", ("random", "random"), points=500, seed=5)
    game = Game(registry.edition("commentary-10"), setup_of(match, 0))
    play = Play(game, game.start(), Oracle(SeededDice(b""), Defaults()))
    play.emit("activated", ("MOVE-1",), *(Went(k, TABLE) for k in range(3)), Marked(1, "moved", 1), Done(0, True))
    check(game, play.state)
    play.emit("activated", ("MOVE-1",), *patches)
    check(game, play.state)
