"""Trying answers without giving them: the step under way is run again, up to the open request and a little beyond.

Nothing that is tried here touches the tape or the dice of the game. Dice that have fallen in this step fall again as
they did; a die that has not fallen yet ends the trial, so that nobody learns what it would show.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from rolloff.errors import DiceError, IllegalCommand
from rolloff.geometry.moves import Verdict
from rolloff.lengths import to_inches
from rolloff.oracle.dice import SeededDice
from rolloff.oracle.oracle import Answers, Chooser, Oracle
from rolloff.record.session import Session
from rolloff.rules.answers import read_answer
from rolloff.rules.play import Play
from rolloff.server.giving_way import GivesWay
from rolloff.table.request import Request


class Tried(BaseException):
    """Ends a trial; not an error, and no `except Exception` of a rule may swallow it."""

    def __init__(self, found: object) -> None:
        """Carry what the judge found."""
        super().__init__("tried")
        self.found = found


class FallenDice(SeededDice):
    """The dice of a session as far as they have fallen; the next one is refused."""

    __slots__ = ("_last",)

    def __init__(self, session: Session) -> None:
        """Start where the step under way started."""
        super().__init__(session.seed, session.drawn)
        dice = None if session.play is None else session.play.oracle.dice
        self._last = dice.drawn if isinstance(dice, SeededDice) else session.drawn

    def faces(self, n: int, label: str, sides: int = 6) -> Sequence[int]:
        """The next faces, or `DiceError` for one that nobody has seen."""
        found = super().faces(n, label, sides)
        if self.drawn > self._last:
            raise DiceError("not-fallen", f"{label} has not been rolled yet", where=label)
        return found

    def left(self) -> Iterator[int]:
        """None without asking: each is looked at first."""
        return iter(())


class _Trial(Play):
    """A play that stops at the open request with what its judge makes of the answer."""

    __slots__ = ("_tape", "_whole")

    def __init__(self, session: Session, value: object) -> None:
        self._whole = len(session.answers) + 1
        self._tape = Answers([*session.answers, value])
        super().__init__(session.game, session.state, Oracle(FallenDice(session), self._tape))

    def take(self, request: Request, answer: object, found: object) -> None:
        """The last answer on the tape is the one that is tried, and its verdict ends the trial."""
        if self._tape.used == self._whole:
            raise Tried(found)
        super().take(request, answer, found)


def open_request(session: Session) -> Request:
    """The request that is open, or `IllegalCommand`."""
    if session.request is None:
        raise IllegalCommand("nothing-asked", "", "nothing is being asked right now")
    return session.request


def verdict_on(session: Session, value: Any) -> object:
    """What the judge of the open request finds in an answer, written as pages write it.

    Raises:
        IllegalCommand: the answer would be refused, or nothing is asked.
        BadInput: a number in it means nothing on a table.
    """
    request = open_request(session)
    trial = _Trial(session, read_answer(session.game, session.now, request, value))
    try:
        session.game.edition.steps[session.state.clock.phase](trial)
    except Tried as tried:
        return tried.found
    raise IllegalCommand("nothing-asked", request.clause, "the question is gone")


def run_ahead(session: Session, chooser: Chooser) -> Play:
    """The step under way run again by another chooser, as far as it goes; no die falls that has not fallen yet."""
    play = Play(session.game, session.state, Oracle(FallenDice(session), GivesWay(chooser)))
    with suppress(DiceError, Tried):
        session.game.edition.steps[session.state.clock.phase](play)
    return play


def try_answer(session: Session, value: Any) -> dict[str, Any]:
    """The facts of a legal answer; raises as `verdict_on` does."""
    return _facts(verdict_on(session, value))


def _facts(found: object) -> dict[str, Any]:
    if not isinstance(found, Verdict):
        return {}
    facts: dict[str, Any] = {"distance": to_inches(found.longest), "coherent": found.coherent}
    if found.difficult:
        facts["difficult"] = True
    if found.dangerous:
        facts["dangerous"] = len(found.dangerous)
    return facts
