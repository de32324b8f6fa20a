"""Positions: a program's first steps with a game, without a server or a session."""

from __future__ import annotations

import pytest

import rolloff
from rolloff.errors import IllegalCommand
from rolloff.lab.duel import Match, chairs_of, play_game, setup_of
from rolloff.oracle.dice import seed_bytes

EDITION = "onepage-3.0"


def begun(seed: int = 7) -> rolloff.Position:
    """A small game at its first question."""
    return rolloff.new_game(EDITION, "levy-patrol", "compact-patrol", table="crossing", seed=seed).begin(seed)


def test_a_game_played_by_positions_is_the_game_a_duel_plays() -> None:
    """The same opponents and dice give the same events and the same end, one answer at a time."""
    match = Match(EDITION, ("closing", "random"), ("levy-patrol", "compact-patrol"), "crossing", seed=5)
    game = rolloff.Game(rolloff.edition(EDITION), setup_of(match, 0))
    seed = seed_bytes(match.seed, 0, "dice")
    played = play_game(game, seed, chairs_of(match, 0))
    chairs, position = chairs_of(match, 0), game.begin(seed)
    events = list(position.events)
    while not position.over:
        assert position.request is not None
        position = position.ask(chairs[position.request.who])
        events += position.events
    assert position.state.digest() == played.state.digest()
    assert events[-1].kind == "game-ended"
    assert position.score == tuple(played.result.json()["score"])


def test_what_is_listed_is_accepted_and_what_is_not_is_refused() -> None:
    """Every listed answer is legal, a made-up one is not, and trying changes nothing."""
    position = begun()
    for _ in range(12):
        legal = position.legal
        before = position.state.digest()
        assert legal and len(legal) == len(list(legal))
        assert all(answer in legal for answer in legal)
        assert legal.default in legal
        assert "nonsense" not in legal
        assert position.state.digest() == before
        position = position.answer(legal.default)


def test_a_position_can_be_gone_on_from_again() -> None:
    """Two ways from one position do not disturb each other, and the same answer gives the same position."""
    position = begun()
    while len(position.legal) < 2:
        position = position.answer(position.legal.default)
    one, other = list(position.legal)[:2]
    first, second, again = position.answer(one), position.answer(other), position.answer(one)
    assert first.state.digest() == again.state.digest()
    assert first.events == again.events
    assert second.request is not None


def test_a_refused_answer_leaves_the_position_as_it_was() -> None:
    """A refusal carries its reason; the question stands."""
    position = begun()
    request = position.request
    with pytest.raises(IllegalCommand):
        position.answer("nonsense")
    assert position.request is request


def test_legal_answers_at_a_state_between_commands() -> None:
    """`game.legal` takes a plain state as well: what is asked first from there."""
    game = begun().game
    legal = game.legal(game.start())
    assert legal.request is not None
    assert legal.default in legal


def test_nothing_is_legal_once_the_game_is_over() -> None:
    """At the end there is no question, nothing to list, and nothing is accepted."""
    position = begun()
    while not position.over:
        position = position.answer(position.legal.default)
    assert (bool(position.legal), list(position.legal), "anything" in position.legal) == (False, [], False)
