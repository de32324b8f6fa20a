"""What is said instead of an answer: it happens in the middle of a step, stands in the record, and is played again."""

from __future__ import annotations

import io
from typing import Any

import msgspec
import pytest

from rolloff.armies import library
from rolloff.editions import registry
from rolloff.errors import BadInput, IllegalCommand
from rolloff.oracle.dice import seed_bytes
from rolloff.record.book import Recorder
from rolloff.record.lines import content, parse, sealed, text
from rolloff.record.result import result_of
from rolloff.record.session import Session
from rolloff.record.show import show
from rolloff.record.verify import Verdict, verify_lines
from rolloff.rules.answers import read_talk, write_talk
from rolloff.rules.game import Game
from rolloff.server.trial import try_answer
from rolloff.situations.adjudicate import adjudicate
from rolloff.table.request import Talk

EDITION, SEED = "onepage-3.0", seed_bytes(3, "talk")
TOPIC: dict[str, Any] = {"topic": "the gate", "text": "the gate is open"}


class Board:
    """Two people at a table, and the record of what they do."""

    def __init__(self) -> None:
        """Lay out two patrols."""
        self.game = Game(registry.edition(EDITION), library.setup_for(EDITION, "compact-patrol", "levy-patrol", "crossing"))
        self.out = io.BytesIO()
        self.recorder = Recorder(self.out, self.game, SEED)
        self.session = Session(self.game, SEED, [None, None], self.recorder.step)
        self.session.advance()

    def default(self, times: int = 1) -> None:
        """Take what is suggested."""
        for _ in range(times):
            assert self.session.request is not None
            self.session.answer(self.session.request.default)

    def until(self, kind: str) -> None:
        """Take suggestions until a question of a kind stands open."""
        while self.session.request is not None and self.session.request.kind != kind:
            self.default()

    def said(self, who: int, name: str, **said: Any) -> list[str]:
        """Say something; the kinds of events that came of it."""
        return [event.kind for event in self.session.talk(Talk(who, name, said))]

    def verified(self, change: Any = None) -> Verdict:
        """Play the record again, after a change to the lines if there is one."""
        lines = [content(line.found or {}) for line in parse(self.out.getvalue(), "talk")]
        if change:
            change(lines)
        return verify_lines(parse(text(sealed(lines)), "talk"), "talk")

    def finish(self) -> None:
        """Take suggestions to the end."""
        while self.session.request is not None:
            self.default()
        self.recorder.end(self.session.state)


@pytest.mark.clause(EDITION, "GEN-7")
def test_a_dispute_in_the_middle_of_a_step_leaves_the_question_open() -> None:
    """The die is rolled there and then, the same question stands, the dice go on after it, and the record holds it."""
    board = Board()
    board.until("choose-action")
    asked = board.session.request
    assert board.said(1, "dispute", **TOPIC) == ["rolled", "ruled"]
    assert board.session.request == asked
    with pytest.raises(IllegalCommand, match="was decided"):
        board.said(0, "dispute", **TOPIC)
    assert board.session.request == asked
    board.finish()
    lines = parse(board.out.getvalue(), "talk")
    assert [line.get("said") for line in lines if line.type == "talk"] == [TOPIC]
    assert board.verified().verified


@pytest.mark.clause(EDITION, "GEN-6")
def test_an_override_needs_the_other_player() -> None:
    """Proposed by one and agreed to by the other it changes the table; refused it changes nothing; both are recorded."""
    board = Board()
    board.until("choose-action")
    unit = board.game.names[board.session.request.about if board.session.request else 0]
    board.said(0, "override", by="A", pinned=[unit, True])
    consent = board.session.request
    assert consent is not None and (consent.who, consent.kind, consent.clause) == (1, "yes-no", "GEN-6")
    assert [event.kind for event in board.session.answer(False)] == ["not-agreed"]
    board.said(0, "override", by="A", pinned=[unit, True])
    assert [event.kind for event in board.session.answer(True)] == ["overridden"]
    assert board.session.request is not None and board.session.request.kind == "choose-action"
    board.finish()
    assert board.verified().verified


@pytest.mark.clause(EDITION, "SCORE-1")
def test_conceding_ends_the_game_at_once() -> None:
    """Who concedes has lost, whatever the score; the step ends there and the record verifies."""
    board = Board()
    board.until("choose-action")
    assert board.said(0, "concede", by="A")[-2:] == ["conceded", "game-ended"]
    assert board.session.over and board.session.request is None
    result = result_of(board.game, board.session.state)
    assert (result.winner, result.end) == ("B", "concede")
    board.recorder.end(board.session.state)
    assert board.verified().verified
    with pytest.raises(IllegalCommand, match="over"):
        board.said(1, "dispute", **TOPIC)


def test_what_cannot_be_said_changes_nothing() -> None:
    """An unknown word, and known words said wrongly, are refused; the question stands."""
    board = Board()
    asked, said = board.session.request, [("sing", {}), ("dispute", {"topic": ""}), ("override", {"by": "A"}), ("concede", {})]
    for name, words in said:
        with pytest.raises(BadInput):
            board.said(0, name, **words)
        assert board.session.request == asked
    board.default()
    board.finish()
    assert board.verified().verified


def test_answers_are_tried_after_what_was_said() -> None:
    """Trying an answer after a dispute rolls the dispute's die again and judges the answer, not the talk."""
    board = Board()
    board.until("choose-action")
    board.said(0, "dispute", **TOPIC)
    assert try_answer(board.session, "hold") == {}
    with pytest.raises(IllegalCommand):
        try_answer(board.session, "dance")


@pytest.mark.parametrize(
    ("key", "value"), [("name", "sing"), ("said", {"topic": "x"}), ("who", "C"), ("said", {"topic": "x", "text": "y"})]
)
def test_altered_talk_is_found(key: str, value: Any) -> None:
    """A record whose talk was altered does not verify, and the difference stands at that line or at what came of it."""
    board = Board()
    board.until("choose-action")
    board.said(0, "dispute", **TOPIC)
    board.finish()
    at = next(line.number for line in parse(board.out.getvalue(), "talk") if line.type == "talk")
    verdict = board.verified(lambda lines: lines[at - 1].update({key: value}))
    assert verdict.difference is not None and at <= verdict.difference.line <= at + 2
    assert verdict.difference.kind in ("answer", "event")


def test_a_case_from_a_record_holds_the_talk() -> None:
    """What is shown after a dispute can be ruled on, with the dispute among its answers."""
    board = Board()
    board.until("choose-action")
    board.said(0, "dispute", **TOPIC)
    board.finish()
    lines = parse(board.out.getvalue(), "talk")
    at = next(line.number for line in lines if line.type == "talk")
    shown = show(lines, at + 1)
    assert {"kind": "talk", "value": write_talk(Talk(0, "dispute", TOPIC))} in shown["answers"]
    report = adjudicate(msgspec.json.encode(shown))
    assert report["verdict"] == "pending" and report["pending"]["kind"] == "choose-action"


@pytest.mark.parametrize("value", [None, "x", {}, {"who": "A", "name": 1, "said": {}}, {"who": "C", "name": "x", "said": {}}])
def test_talk_is_read_strictly(value: Any) -> None:
    """Anything that is no talk is bad input."""
    with pytest.raises(BadInput):
        read_talk(value)


def test_nobody_speaks_for_the_other_side() -> None:
    """A line by which A says that B concedes is nothing a player could say: such a record is refused at that line."""
    for word in ("by", "side"):
        with pytest.raises(BadInput, match="speaks for itself alone"):
            read_talk({"who": "A", "name": "concede", "said": {word: "B"}})
    assert read_talk({"who": "A", "name": "concede", "said": {"by": "A"}}).who == 0
