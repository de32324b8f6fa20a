"""Who answers and rolls for a case: its answers by kind and name, its reactions when their window opens, and its dice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from rolloff.errors import BadInput, DiceError, IllegalCommand
from rolloff.oracle.dice import DiceSource, EnteredDice, NamedDice, SeededDice, seed_bytes
from rolloff.oracle.oracle import Question, Suspended
from rolloff.rules.answers import MOVE, ByWay, read_answer, read_talk
from rolloff.rules.game import Game
from rolloff.rules.play import TALK, Play
from rolloff.rules.windows import REACT
from rolloff.situations.forms import (
    MOST_DICE,
    AnswerForm,
    SeedForm,
    fill,
)
from rolloff.table.request import Request

AGAIN = ">"
WRONG_KIND = "wrong-kind"


class StagedDice(NamedDice):
    """Dice by the name of their roll; a re-roll without its own dice takes those of the roll it repeats."""

    def __init__(self, faces: dict[str, list[Any]]) -> None:
        """Take the faces of each named roll."""
        super().__init__(faces)
        self._names = frozenset(faces)

    def faces(self, n: int, label: str, sides: int = 6) -> list[int]:
        """The next faces of that roll."""
        known = label in self._names
        return super().faces(n, label if known else label.removesuffix(AGAIN), sides)


def _seed(given: int | str) -> bytes:
    if isinstance(given, int):
        return seed_bytes(given)
    try:
        return bytes.fromhex(given)
    except ValueError:
        raise BadInput(
            "bad-seed",
            f"dice.seed: {given[:80]!r} is no seed",
            where="dice.seed",
            allowed="a number or hex digits",
        ) from None


def read_dice(given: list[Any] | dict[str, Any] | None) -> DiceSource:
    """The dice of a case: faces in order, faces by roll, or a stream from a seed; without any, none.

    Raises:
        DiceError: a face that is on no die, or more dice than anybody may enter.
    """
    if given is None or isinstance(given, list):
        return EnteredDice(_capped(given or []))
    if "seed" in given and not isinstance(given["seed"], list):
        form = fill(given, SeedForm, "dice")
        if not 0 <= form.from_ < 2**62:
            raise BadInput("bad-number", f"dice.from: {form.from_} is out of bounds", where="dice.from")
        return SeededDice(_seed(form.seed), form.from_)
    for name, faces in given.items():
        if not isinstance(faces, list):
            raise DiceError("bad-dice", f"dice.{name}: a list of faces is needed", where=f"dice.{name}")
    _capped([face for faces in given.values() for face in faces])
    return StagedDice(given)


def _capped(faces: list[Any]) -> list[Any]:
    if len(faces) > MOST_DICE:
        raise DiceError("too-many", f"{len(faces)} dice are over the cap", where="dice", allowed=f"{MOST_DICE} dice")
    return faces


ONE_BY_ONE = ("allocate", "order")
"""The kinds of request that come once for each thing that is allocated or put in order."""


def one_by_one(answers: Sequence[AnswerForm]) -> Sequence[AnswerForm]:
    """Answers with those taken apart that answer several requests by a list."""
    if not any(row.kind in ONE_BY_ONE and isinstance(row.value, list) for row in answers):
        return answers
    found: list[AnswerForm] = []
    for row in answers:
        apart = row.kind in ONE_BY_ONE and isinstance(row.value, list)
        found += [AnswerForm(row.kind, value) for value in row.value] if apart else [row]
    return found


class Caller:
    """Answers a step from what a case says: the claims of its command, then its answers in order.

    It is asked strictly, also where one option is left: then an answer of that kind must be that option, and
    without one the option is taken. Answers that were meant for a later request pass by the requests in ``passed``;
    if it is ``patient``, by every request of another kind, which takes its default. It is ``on_its_way`` if the last
    answer taken is a way for models that may move.
    """

    def __init__(
        self,
        game: Game,
        claims: dict[str, str],
        answers: Sequence[AnswerForm],
        stop: bool,
        passed: frozenset[int] = frozenset(),
        patient: bool = False,
    ) -> None:
        """Claims are answers to the first request of their kind."""
        self.game = game
        self.claims = dict(claims)
        self.answers = one_by_one(answers)
        self.stop = stop
        self.used = 0
        self.passed = passed
        self.patient = patient
        self.doubtful = -1
        self.on_its_way = False
        self.given: list[tuple[str, object]] = []

    def choose(self, request: Question, play: object) -> object:
        """The next answer."""
        assert isinstance(request, Request) and isinstance(play, Play)
        found = self._find(request, play)
        self.given.append((request.kind, found))
        return found

    def _find(self, request: Request, play: Play) -> object:
        if request.kind in self.claims:
            return self.claims.pop(request.kind)
        alone = play.alone
        if self.used < len(self.answers):
            given = self.answers[self.used]
            if given.kind == TALK and not alone:
                self.used += 1
                return read_talk(given.value)
            if given.kind == MOVE and isinstance(request.order, ByWay):
                self.used += 1
                return read_answer(self.game, play.state, replace(request, kind=MOVE), given.value)
            if self._waits(request, given):
                return request.default
            if given.kind == request.kind and not (alone and len(self.given) in self.passed):
                self.used += 1
                self.doubtful = len(self.given) if alone else -1
                self.on_its_way = request.kind == MOVE and not alone
                return _as_offered(self.game, request, read_answer(self.game, play.state, request, given.value))
            if not alone and not self.patient:
                message = f"{request.kind} is asked for, not {given.kind}"
                raise IllegalCommand(WRONG_KIND, request.clause, message, given.kind)
        if alone:
            return request.options[0] if request.options else request.default
        if self.stop:
            raise Suspended(request, play)
        return request.default

    def _waits(self, request: Request, given: AnswerForm) -> bool:
        """Whether the next answer is for a later request: a reaction waits for the window that offers it, and windows that
        nobody spoke of pass. Not where the case stops at what is unanswered.
        """
        if self.stop or REACT not in (given.kind, request.kind):
            return False
        if given.kind != request.kind:
            return True
        return isinstance(given.value, str) and bool(request.options) and meant_use(self.game, request, given.value) is None

    @property
    def waiting(self) -> AnswerForm | None:
        """The reaction that is still to be used and found no window so far; dice that run out then are its fault."""
        left = self.answers[self.used] if self.used < len(self.answers) else None
        return left if left is not None and left.kind == REACT and left.value != "pass" else None

    def refused(self, request: Question, answer: object, error: Exception) -> bool:
        """A refused answer refuses the case."""
        return False


def _as_offered(game: Game, request: Request, answer: object) -> object:
    """What an answer means: a reaction by its name or the beginning of what is offered; a number that is offered as a word."""
    if isinstance(answer, int | float) and f"{answer:g}" in (request.options or ()):
        return f"{answer:g}"
    found = meant_use(game, request, answer) if request.kind == REACT and isinstance(answer, str) else None
    return answer if found is None else found


def meant_use(game: Game, request: Request, said: str) -> object:
    """The option of a window that a word means: itself, the first use of the reaction it names, or the first that begins so.

    Where models use a reaction, the unit they are in may be named for them.
    """
    options, facts = request.options or (), dict(request.facts)
    names, units = facts.get("reactions"), facts.get("units")
    if said in options:
        return said
    if isinstance(names, tuple) and said in names:
        return options[names.index(said)]
    longer = next((option for option in options if isinstance(option, str) and option.startswith(f"{said} ")), None)
    if longer is not None or not isinstance(names, tuple) or not isinstance(units, tuple):
        return longer
    users = [game.names[unit] if isinstance(unit, int) and unit >= 0 else "" for unit in units]
    uses = [f"{name} {user}" for name, user in zip(names, users, strict=True)]
    return options[uses.index(said)] if said in uses else None
