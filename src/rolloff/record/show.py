"""The table at any line of a record: a situation `adjudicate` takes, and the decision that stands there."""

from __future__ import annotations

from typing import Any

from rolloff.errors import BadInput, RecordError, RolloffError
from rolloff.oracle.dice import DiceSource, EnteredDice, SeededDice
from rolloff.oracle.oracle import Oracle, Question, Suspended
from rolloff.record.lines import Json, Line
from rolloff.record.verify import Differs, Replay
from rolloff.rules.answers import MOVE, write_answer, write_talk
from rolloff.rules.game import Game
from rolloff.rules.play import TALK, Play, play_step
from rolloff.rules.templates import Aim
from rolloff.situations.caller import Caller
from rolloff.situations.depiction import write_situation
from rolloff.situations.forms import AnswerForm
from rolloff.situations.wire import request_json
from rolloff.table.request import Request, Talk
from rolloff.table.state import State

SCHEMA = "rolloff.situation/1"
FEW = 8
"""So many concrete answers are listed where there are endlessly many."""

_STEPS = (1.0, 3.0, 6.0)
_WAYS = ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1))


class _Here(BaseException):
    """The replay has come to the line that was asked for."""


class _Until(Replay):
    """A replay that stops at the first decision at or after a line."""

    def __init__(self, lines: list[Line], stop: int) -> None:
        super().__init__(lines)
        self.stop = stop
        self.before: State | None = None
        self.begun = 0
        self.faces: tuple[int, ...] | None = None
        self.given: list[AnswerForm] = []

    def step(self) -> None:
        """Remember what each step began from."""
        self.before, self.begun, self.given = self.state, self.drawn, []
        found = self.lines[self.at - 1].get("dice") if self.at <= len(self.lines) else None
        self.faces = tuple(found) if isinstance(found, list) else None
        super().step()
        self.before = None

    def choose(self, request: Question, play: object) -> object:
        """Stop here, or go on with the answer that was given."""
        assert isinstance(request, Request) and isinstance(play, Play)
        self.tell(play)
        if self.at >= self.stop and self.at <= len(self.lines):
            raise _Here
        answer = super().choose(request, play)
        if isinstance(answer, Talk):
            self.given.append(AnswerForm(TALK, write_talk(answer)))
        else:
            self.given.append(AnswerForm(request.kind, self.lines[self.at - 2].get("value")))
        return answer


class _Strict(Caller):
    """Gives the recorded answers, writes down every answer taken, and stops at the first that is missing."""

    def __init__(self, game: Game, answers: list[AnswerForm]) -> None:
        super().__init__(game, {}, answers, stop=True)
        self.written: list[Json] = []

    def choose(self, request: Question, play: object) -> object:
        """The next answer; where one option is left the record holds none, so that option."""
        assert isinstance(request, Request) and isinstance(play, Play)
        if play.alone:
            found: object = request.options[0] if request.options else request.default
        else:
            found = super().choose(request, play)
        if isinstance(found, Talk):
            self.written.append({"kind": TALK, "value": write_talk(found)})
            return found
        value = write_answer(self.game, play.state, request, found)
        self.written.append({"kind": request.kind, "value": value})
        return found


def _stopped(game: Game, state: State, dice: DiceSource, caller: Caller) -> tuple[Request, Play] | None:
    """Where a step comes to an open decision, or None if it runs to its end."""
    try:
        play_step(game, state, Oracle(dice, caller, strict=True))
    except Suspended as pause:
        assert isinstance(pause.request, Request) and isinstance(pause.play, Play)  # noqa: PT017  (for the types)
        return pause.request, pause.play
    return None


def _candidates(game: Game, request: Request, play: Play) -> list[Any]:
    """Concrete answers worth trying where a request lists none."""
    default = write_answer(game, play.state, request, request.default)
    if isinstance(request.order, Aim):
        return [write_answer(game, play.state, request, spot) for spot in dict.fromkeys(request.order.spots)]
    if request.kind != MOVE:
        return [default]
    shifts = [{"shift": [dx * inch, dy * inch]} for inch in _STEPS for dx, dy in _WAYS]
    return [default, "stay", *(shift for shift in shifts if shift != default)]


class _Source:
    """The dice of the step, from its first on, as often as needed."""

    def __init__(self, until: _Until) -> None:
        self.seed, self.begun, self.faces = until.seed, until.begun, until.faces

    def fresh(self) -> DiceSource:
        """The dice again."""
        return EnteredDice(self.faces or ()) if self.seed is None else SeededDice(self.seed, self.begun)

    def json(self) -> Any:
        """The dice as `adjudicate` takes them."""
        if self.seed is None:
            return list(self.faces or ())
        return {"seed": self.seed.hex(), "from": self.begun}


def _accepted(game: Game, state: State, source: _Source, answers: list[Json], value: Any, kind: str) -> bool:
    given = [AnswerForm(row["kind"], row["value"]) for row in [*answers, {"kind": kind, "value": value}]]
    try:
        _stopped(game, state, source.fresh(), Caller(game, {}, given, stop=True))
    except RolloffError:
        return False
    return True


def _decision(game: Game, state: State, source: _Source, caller: _Strict, open_: tuple[Request, Play]) -> Json:
    request, play = open_
    found = request_json(game, play.state, request)
    if request.options is None:
        options: list[Any] = []
        for value in _candidates(game, request, play):
            if value not in options and _accepted(game, state, source, caller.written, value, request.kind):
                options.append(value)
            if len(options) == FEW:
                break
        found["options"] = options
    return found


def _shown(until: _Until) -> Json:
    assert until.before is not None
    game, state, source = until.game, until.before, _Source(until)
    caller = _Strict(game, until.given)
    found = _stopped(game, state, source.fresh(), caller)
    return {
        "schema": SCHEMA,
        **write_situation(game, state),
        "do": {"step": state.clock.phase},
        "answers": caller.written,
        "unanswered": "stop",
        "dice": source.json(),
        "decision": None if found is None else _decision(game, state, source, caller, found),
    }


def show(lines: list[Line], at: int) -> Json:
    """The situation and the decision at a line, or at the first decision after it; after the last, the end.

    Raises:
        BadInput: the record has no such line.
        RecordError: the record departs from its game before that line.
    """
    if not 1 <= at <= len(lines):
        raise BadInput("no-such-line", f"line {at} is not in the record", where="--at", allowed=f"1 to {len(lines)}")
    until = _Until(lines, at)
    try:
        until.run()
    except _Here:
        return _shown(until)
    except Differs as stop:
        raise RecordError("record-differs", stop.difference.message, where=f"line {stop.difference.line}") from None
    return {"schema": SCHEMA, **write_situation(until.game, until.state), "decision": None}
