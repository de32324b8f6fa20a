"""The table at a line: what is shown there can be ruled on, and what is offered there is accepted."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rolloff.errors import BadInput, RecordError
from rolloff.record.lines import Line, parse
from rolloff.record.show import show
from rolloff.situations.adjudicate import adjudicate
from tests.record.conftest import Played

Json = dict[str, Any]


@pytest.fixture(scope="module")
def lines(played: Played) -> list[Line]:
    """The record of the toy game."""
    return parse(played.record, "game.jsonl")


def ruled(shown: Json, **more: Any) -> Json:
    """The ruling on what is shown."""
    return adjudicate(msgspec.json.encode(shown | more))


def test_what_is_shown_comes_to_the_very_decision(lines: list[Line]) -> None:
    """At each answer of the record the shown case is pending at that decision, and its taken answer is legal."""
    decisions = [line for line in lines if line.type == "answer"]
    for line in decisions:
        shown = show(lines, line.number)
        report = ruled(shown)
        assert report["verdict"] == "pending"
        assert report["pending"]["kind"] == shown["decision"]["kind"] == line.get("kind")
        assert report["pending"]["default"] == shown["decision"]["default"]
        taken = [*shown["answers"], {"kind": line.get("kind"), "value": line.get("value")}]
        assert ruled(shown, answers=taken)["verdict"] in ("legal", "pending")


def test_every_option_is_accepted_and_a_false_one_refused(lines: list[Line]) -> None:
    """Whatever a decision lists is legal; something else is refused, cites a clause and changes nothing."""
    for line in [line for line in lines if line.type == "answer"]:
        shown = show(lines, line.number)
        decision = shown["decision"]
        assert decision["options"]
        for option in decision["options"]:
            given = [*shown["answers"], {"kind": decision["kind"], "value": option}]
            assert ruled(shown, answers=given)["verdict"] in ("legal", "pending")
        for false in ("nonsense", ["x"], {"a1.0": [[900, 900]]}, {"nobody": [1, 1]}, 7):
            given = [*shown["answers"], {"kind": decision["kind"], "value": false}]
            report = ruled(shown, answers=given)
            assert report["verdict"] == "refused"
            assert report["refusal"]["clause"].startswith("COIN-")
            assert report["after"] == {key: shown[key] for key in report["after"]}


def test_the_line_of_a_check_shows_the_next_decision(lines: list[Line]) -> None:
    """A line that is no decision shows the first one after it; the last lines show the end of the game."""
    checks = [line.number for line in lines if line.type == "check"]
    following = next(line for line in lines if line.number > checks[0] and line.type == "answer")
    assert show(lines, checks[0])["decision"]["kind"] == following.get("kind")
    assert show(lines, 1)["answers"] == []
    over = show(lines, len(lines))
    assert over["decision"] is None
    assert ruled(over)["verdict"] == "legal"


def test_finishing_the_step_reaches_the_recorded_state(lines: list[Line]) -> None:
    """With the answers of the record the shown case ends in the state whose hash the record holds."""
    last = max(line.number for line in lines if line.type == "answer")
    check = next(line for line in lines if line.number > last and line.type == "check")
    shown = show(lines, last)
    answer = {"kind": lines[last - 1].get("kind"), "value": lines[last - 1].get("value")}
    assert ruled(shown, answers=[*shown["answers"], answer])["state"] == check.get("state")


def test_lines_that_are_not_there_are_refused(lines: list[Line]) -> None:
    """A record has lines from 1 to its last."""
    for at in (0, -1, len(lines) + 1):
        with pytest.raises(BadInput):
            show(lines, at)


def test_a_record_that_departs_before_the_line_is_not_shown(played: Played) -> None:
    """Nothing is shown after a difference."""
    spoilt = played.record.replace(b'"kind":"placed"', b'"kind":"missed"', 1)
    with pytest.raises(RecordError):
        show(parse(spoilt, "x"), 60)
