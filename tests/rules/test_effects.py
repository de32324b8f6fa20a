"""Timed effects: what ends where, whose, and what goes on as something else."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from rolloff.rules.effects import BEARER, GAME, OTHER, OWNER, Boundary, Duration, Effects, cross, ended, lasting
from rolloff.rules.game import Game
from rolloff.rules.play import Play
from rolloff.rules.rows import Each
from rolloff.rules.turns import Step
from rolloff.table.event import Event, Marked, ModelMarked, Patch, SideMarked, apply
from rolloff.table.state import State
from tests.rules.drill import TURNS, acted, drill, everybody, rows, step

WORDS = {
    "end-phase": Duration("end-phase"),
    "end-own-turn": Duration("end-turn", OWNER),
    "their-next-turn": Duration("start-turn", OTHER),
    "next-activation": Duration("end-activation", BEARER),
    "activation-after": Duration("end-activation", BEARER, then="next-activation"),
}


def game_of() -> Game:
    """A game whose marks ``slow:`` and ``pace`` are timed."""
    effects = Effects(WORDS, marks={"pace": "end-own-turn"}, prefixes=("slow:", "used:"))
    return drill(rows(TURNS, turn=(Step("move", Each(everybody, acted, "DR-1", picked="picked")),)), effects=effects)


def marked(game: Game, *patches: Patch) -> State:
    """The opening state with some marks."""
    return apply(game.start(), Event("acted", ("DR-1",), patches))


@pytest.mark.parametrize(
    ("word", "boundary", "ends"),
    [
        ("end-phase", Boundary("end-phase", 1), True),
        ("end-phase", Boundary("end-turn", 0), False),
        ("end-own-turn", Boundary("end-turn", 0), True),
        ("end-own-turn", Boundary("end-turn", 1), False),
        ("their-next-turn", Boundary("start-turn", 1), True),
        ("their-next-turn", Boundary("start-turn", 0), False),
        ("next-activation", Boundary("end-activation", 0, 0), True),
        ("next-activation", Boundary("end-activation", 0, 1), False),
    ],
)
def test_a_mark_ends_at_its_own_boundary(word: str, boundary: Boundary, ends: bool) -> None:
    """An effect on the first player's unit ends where its word says and nowhere else."""
    game = game_of()
    state = marked(game, Marked(0, "slow:2", word))
    assert ended(game, state, boundary) == ([Marked(0, "slow:2", None)] if ends else [])


def test_marks_of_players_and_models_end_too() -> None:
    """A player's and a model's mark are timed like a unit's; a mark nobody times stays."""
    game = game_of()
    state = marked(game, SideMarked(1, "used:x", "end-phase"), ModelMarked(1, "pace", 3), Marked(0, "blood", "end-phase"))
    assert ended(game, state, Boundary("end-phase", 0)) == [SideMarked(1, "used:x", None)]
    assert ended(game, state, Boundary("end-turn", 1)) == [ModelMarked(1, "pace", None)]


def test_what_goes_on_as_something_else_ends_a_boundary_later() -> None:
    """ "Until the end of the activation after this one": the first boundary changes its word, the second ends it."""
    game = game_of()
    state = marked(game, Marked(0, "slow:2", "activation-after"))
    mine = Boundary("end-activation", 0, 0)
    assert ended(game, state, mine) == [Marked(0, "slow:2", "next-activation")]
    assert ended(game, state, mine, mine) == [Marked(0, "slow:2", "next-activation"), Marked(0, "slow:2", None)]


def test_the_clock_ends_effects_with_the_row() -> None:
    """The event that opens the next row carries the end of what lasted until there."""
    game = game_of()
    state = marked(game, Marked(0, "slow:2", "end-phase"), Marked(1, "pace", 1))
    play = step(game, state, "pass")
    assert play.state.units[0].marks == () and play.state.units[1].marks == (("pace", 1),)
    assert len(play.events) == 1


def test_a_boundary_of_a_unit_writes_one_event_or_none() -> None:
    """The end of an activation ends what lasts until it; without such a mark nothing is written."""
    game = game_of()
    play = Play(game, marked(game, Marked(0, "slow:2", "next-activation")), step(game, game.start()).oracle)
    cross(play, Boundary("end-activation", 1, 1), "ended", "DR-1")
    assert not play.events
    cross(play, Boundary("end-activation", 0, 0), "ended", "DR-1")
    assert [event.kind for event in play.events] == ["ended"] and play.state.units[0].marks == ()


def test_a_mark_nothing_would_end_is_a_fault() -> None:
    """`lasting` lays only what the edition's effects end; the whole game is a duration too."""
    game = game_of()
    assert lasting(game, 0, "slow:2", "end-phase") == Marked(0, "slow:2", "end-phase")
    assert lasting(game, 0, "slow:2", GAME) == Marked(0, "slow:2", GAME)
    for name, word in (("slow:2", "end-fase"), ("other", "end-phase")):
        with pytest.raises(ValueError, match="nothing ends the mark"):
            lasting(game, 0, name, word)


def test_without_words_nothing_is_looked_at() -> None:
    """An edition without timed effects has none that end."""
    game = drill(replace(TURNS, turn=(Step("move", Each(everybody, acted, "DR-1", picked="picked")),)))
    assert ended(game, marked(game, Marked(0, "used:x", "end-phase")), Boundary("end-phase")) == []
