"""Whatever is rolled at the door: arbitrary JSON as cases, as parts of cases and as answers. Only our errors come back."""

from __future__ import annotations

import copy
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rolloff.editions.clauses import clause_book
from rolloff.errors import BadInput, IllegalCommand, RolloffError
from rolloff.oracle.dice import seed_bytes
from rolloff.record.session import Session
from rolloff.rules.answers import read_answer
from rolloff.situations.adjudicate import adjudicate
from rolloff.situations.standing import check_standing
from tests.onepage.desk import Desk, box, unit
from tests.properties.games import EDITION, game_of, match_of

CLAUSES = frozenset(clause_book(EDITION))
PLAIN = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(["a1", "a1.1", "b1", "stay", "shift", "hold", "walk", "none", "hold-fire", "A", "D6", "", "Tough(3)"]),
)
JSON = st.recursive(
    PLAIN,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.sampled_from(["shift", "a1.1", "id", "kind", "value", "seed", "x"]), inner, max_size=3),
    ),
    max_leaves=8,
)
SEAT = unit("a2", "A", [(20, 20)], type="vehicle", rules=["Transport(6)", "Tough(3)"])
PSYKER = unit("a1", "A", [(10, 10), (11.5, 10)], rules=["Psyker(1)", "Tough(2)"], weapons=['Rifle (30", A1)'])
CASE: dict[str, Any] = {
    **Desk([PSYKER, SEAT, unit("b1", "B", [(10, 20), (11.5, 20)])], [box("t1", 14, 14, 18, 18, "cover")]).situation,
    "do": {"activate": "a1", "action": "walk"},
    "answers": [{"kind": "move", "value": {"shift": [0, 3]}}, {"kind": "choose-target", "value": "b1"}],
    "unanswered": "default",
    "dice": {"seed": 7},
}


def encode(value: object) -> bytes:
    """JSON as it would arrive; what JSON cannot say is left out."""
    return msgspec.json.encode(value)


def ruled(raw: bytes) -> dict[str, Any] | None:
    """The ruling, or None if the input was refused with one of our errors."""
    try:
        return adjudicate(raw)
    except BadInput:
        return None


def sound(report: dict[str, Any] | None) -> None:
    """A refusal cites a clause; what is ruled reads back as the same state."""
    if report is None:
        return
    if report["verdict"] == "refused":
        assert report["refusal"]["clause"] in CLAUSES
    else:
        assert adjudicate(encode(report["after"]))["state"] == report["state"]


@settings(max_examples=150)
@given(JSON)
def test_any_json_is_answered_or_refused(value: object) -> None:
    """Arbitrary JSON in place of a case is refused by name, never by accident."""
    sound(ruled(encode(value)))


@settings(max_examples=100)
@given(st.binary(max_size=40))
def test_any_bytes_are_answered_or_refused(raw: bytes) -> None:
    """Bytes that are no JSON at all are refused."""
    assert ruled(raw) is None


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a document."""
    found = [path] if path else []
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        found += places(inner, (*path, key))
    return found


PLACES = places(CASE)


@settings(max_examples=250)
@given(st.sampled_from(PLACES), JSON)
def test_a_case_with_one_part_replaced(path: tuple[Any, ...], value: object) -> None:
    """A sound case with any one part of it replaced by anything is ruled on soundly or refused by name."""
    case = copy.deepcopy(CASE)
    inside: Any = case
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = value
    sound(ruled(encode(case)))


@settings(max_examples=60)
@given(st.lists(st.tuples(JSON, st.booleans()), min_size=6, max_size=20), st.integers(0, 5))
def test_any_answer_in_a_game(answers: list[tuple[object, bool]], index: int) -> None:
    """In a game under way anything may be answered: refusals cite and change nothing, and the state stays one a table shows."""
    match = match_of("random", 8, index)
    session = Session(game_of(match, index), seed_bytes(8, index, "dice"), (None, None))
    session.advance()
    for value, defaults in answers:
        if session.request is None:
            break
        before, asked = session.now.digest(), session.request
        error = refusal(session, None if defaults else _arrived(value), defaults)
        if error is not None:
            assert not defaults and (not isinstance(error, IllegalCommand) or error.clause in CLAUSES)
            assert session.now.digest() == before and session.request is asked
            session.answer(asked.default)
        check_standing(session.game, session.now)


def refusal(session: Session, value: object, defaults: bool) -> RolloffError | None:
    """Answer the open request; the error it is refused with, or None."""
    asked = session.request
    assert asked is not None
    try:
        session.answer(asked.default if defaults else read_answer(session.game, session.now, asked, value))
    except RolloffError as error:
        return error
    return None


def _arrived(value: object) -> Any:
    return msgspec.json.decode(encode(value))


def test_the_sound_case_is_legal() -> None:
    """The case whose parts are replaced is itself ruled on."""
    report = ruled(encode(CASE))
    assert report is not None and report["verdict"] == "legal"


def test_numbers_json_cannot_hold() -> None:
    """Numbers too large to mean anything are refused, not rounded."""
    for number in (10**400, -(10**30), 1e308):
        raw = encode(CASE).replace(b"[0,3]", f"[0,{number}]".encode())
        with pytest.raises(BadInput):
            adjudicate(raw)
