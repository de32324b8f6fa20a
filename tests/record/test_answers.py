"""Answers: written ones read back as the same, and nothing but our errors comes of nonsense."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rolloff.errors import IllegalCommand, RolloffError
from rolloff.geometry.moves import UNSAID, March, Shift, Stay
from rolloff.rules.answers import Placement, movers, read_answer, write_answer
from rolloff.rules.game import Game
from rolloff.table.request import Request
from rolloff.table.state import State
from tests.record.coin import COIN, coin_setup
from tests.record.conftest import play_coin

GAME = Game(COIN, coin_setup())
STATE: State = play_coin().states[4]
MOVE = Request(0, "move", "COIN-3", None, Stay(), 0)
PLACE = Request(0, "place", "COIN-1", None, Placement.of({0: (1, 2, 900), 1: (3, 4, 0)}), 0)
PICK = Request(0, "choose-unit", "COIN-2", ("a1", "a2"), "a1", 0)

LENGTH = st.integers(-50_000, 50_000)
POSE = st.tuples(LENGTH, LENGTH, st.integers(-1, 3599))
PATHS = st.dictionaries(st.sampled_from(movers(STATE, MOVE)), st.lists(POSE, max_size=3))
WISHES = st.one_of(
    st.just(Stay()),
    st.builds(Shift, LENGTH, LENGTH),
    PATHS.map(lambda paths: March.of(movers(STATE, MOVE), paths)),
)
SPOTS = st.tuples(LENGTH, LENGTH, st.integers(0, 3599))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["shift", "a1.0", "a1.1", "b1.0", "x"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(WISHES)
def test_moves_read_back_as_they_were_written(wish: Stay | Shift | March) -> None:
    """Stay, shift and march survive being written in inches and degrees."""
    assert read_answer(GAME, STATE, MOVE, write_answer(GAME, STATE, MOVE, wish)) == wish


def test_heights_of_waypoints_read_back_as_they_were_written() -> None:
    """A path keeps the heights its points say, the last of them and those before, with a facing or without."""
    written = {"a1.0": [[1, 2, 6, 90], [3, 4], [5, 6, 0, None], [7, 8, 45]]}
    read = read_answer(GAME, STATE, MOVE, written)
    assert isinstance(read, March)
    assert read.heights_by(movers(STATE, MOVE))[0] == [6000, UNSAID, 0, UNSAID]
    assert write_answer(GAME, STATE, MOVE, read) == written
    ends = read_answer(GAME, STATE, MOVE, {"a1.0": [[1, 2], [3, 4, 3, 0]]})
    assert isinstance(ends, March) and ends.levels and not ends.heights


@given(SPOTS, SPOTS)
def test_placements_read_back_as_they_were_written(one: tuple[int, int, int], two: tuple[int, int, int]) -> None:
    """Places survive with their facings and the order of their models."""
    placement = Placement.of({0: one, 1: two})
    assert read_answer(GAME, STATE, PLACE, write_answer(GAME, STATE, PLACE, placement)) == placement


def test_a_place_without_a_facing_takes_the_default() -> None:
    """Who names no facing gets the one that was proposed, in whatever order the models are named."""
    read = read_answer(GAME, STATE, PLACE, {"a1.1": [3, 3], "a1.0": [1, 1]})
    assert read == Placement.of({0: (1000, 1000, 900), 1: (3000, 3000, 0)})


@pytest.mark.parametrize("value", ["a1", 3, True, None, ["a1", 2, ["b"]]])
def test_plain_answers_read_back_with_lists_as_tuples(value: Any) -> None:
    """Words, numbers and lists of them are themselves."""
    read = read_answer(GAME, STATE, PICK, value)
    assert write_answer(GAME, STATE, PICK, read) == value


def refusal(request: Request, value: Any) -> RolloffError | None:
    """How an answer is refused, if it is."""
    try:
        read_answer(GAME, STATE, request, value)
    except RolloffError as error:
        return error
    return None


@given(st.sampled_from([MOVE, PLACE, PICK]), JSON)
def test_nonsense_is_refused_with_the_clause_of_the_request(request: Request, value: Any) -> None:
    """Anything at all is read, or refused with an error of ours; a refusal cites the request's clause."""
    error = refusal(request, value)
    if isinstance(error, IllegalCommand):
        assert error.clause == request.clause
        assert error.message
    elif error:
        assert error.code == "bad-number"
