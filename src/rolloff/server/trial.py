"""Trying an answer without giving it: the step under way is run again up to the open request.

The judge is pure; the trial ends with its verdict, before anything could be rolled or changed. The dice
before the request are those that were thrown already. Neither tape nor dice of the game are touched.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from rolloff.errors import IllegalCommand
from rolloff.geometry.moves import Verdict
from rolloff.lengths import to_inches
from rolloff.oracle.dice import SeededDice
from rolloff.oracle.oracle import Answers, Oracle
from rolloff.record.session import Session
from rolloff.rules.answers import read_answer
from rolloff.rules.play import Play
from rolloff.table.request import Request

A = TypeVar("A")


class _Tried(BaseException):
    """Ends a trial; not an error, and no `except Exception` of a rule may swallow it."""

    def __init__(self, found: object) -> None:
        super().__init__("tried")
        self.found = found


class _Trial(Play):
    """A play that stops at the open request with what its judge makes of the answer."""

    __slots__ = ("_tape", "_whole")

    def __init__(self, session: Session, value: object) -> None:
        self._whole = len(session.answers) + 1
        self._tape = Answers([*session.answers, value])
        super().__init__(session.game, session.state, Oracle(SeededDice(session.seed, session.drawn), self._tape))

    def ask(self, request: Request, judge: Callable[[object], A]) -> A:
        """Answer from the tape; its last answer is the one that is tried, and its verdict ends the trial."""

        def tried(answer: object) -> A:
            found = judge(answer)
            if self._tape.used == self._whole:
                raise _Tried(found)
            return found

        return super().ask(request, tried)


def try_answer(session: Session, value: Any) -> dict[str, Any]:
    """The facts of a legal answer.

    Raises:
        IllegalCommand: the answer would be refused, or nothing is asked.
        BadInput: a number in it means nothing on a table.
    """
    if session.request is None:
        raise IllegalCommand("nothing-asked", "", "nothing is being asked right now")
    answer = read_answer(session.game, session.now, session.request, value)
    trial = _Trial(session, answer)
    try:
        session.game.edition.steps[session.state.clock.phase](trial)
    except _Tried as tried:
        return _facts(tried.found)
    raise IllegalCommand("nothing-asked", session.request.clause, "the question is gone")


def _facts(found: object) -> dict[str, Any]:
    if not isinstance(found, Verdict):
        return {}
    facts: dict[str, Any] = {"distance": to_inches(found.longest), "coherent": found.coherent}
    if found.difficult:
        facts["difficult"] = True
    if found.dangerous:
        facts["dangerous"] = len(found.dangerous)
    return facts
