"""Playing a record again, line by line: the first difference is named, with the line in which it stands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from msgspec import Struct

from rolloff.errors import BadInput, DiceError, IllegalCommand, RecordError, RolloffError, UnknownEdition
from rolloff.oracle.dice import EnteredDice, SeededDice
from rolloff.oracle.oracle import Oracle, Question
from rolloff.record.book import (
    MOST_STEPS,
    REFUSED,
    STEPS,
    check_line,
    end_line,
    event_line,
    gave_up_line,
    header_line,
    rules_hash,
    step_line,
    talk_line,
)
from rolloff.record.fairness import BYTES, Fairness, commitment
from rolloff.record.lines import KINDS, Json, Line, content, first_break, load, plain
from rolloff.record.result import result_of
from rolloff.record.signing import SIGNED, signed_by
from rolloff.rules.answers import read_answer, read_talk
from rolloff.rules.game import Game
from rolloff.rules.play import OVER, SIDES, Play, play_step
from rolloff.situations.forms import SituationForm, fill
from rolloff.situations.situation import read_situation
from rolloff.table.request import Request, Talk
from rolloff.table.state import State

ACTIVATED = "activated"


class Difference(Struct, frozen=True):
    """Where a record departs from the game it tells of."""

    line: int
    kind: str
    expected: Any
    found: Any
    message: str


class Verdict(Struct, frozen=True):
    """What came of verifying one record."""

    file: str
    verified: bool
    lines: int
    activations: int
    dice: str
    state: str | None
    difference: Difference | None
    proof: str
    signer: str | None
    practice: bool
    statement: str


class Differs(BaseException):
    """The replay has come to a line that is not as it should be; no error, and rules must not swallow it."""

    def __init__(self, difference: Difference) -> None:
        """Carry the difference."""
        super().__init__(difference.message)
        self.difference = difference


MANGLED = "this line is cut off or mangled"
_END = b'{"t":"end",'
BROKEN_PROMISE = "the seed is not the one that was promised"
_SAYS = {
    "header": "the header does not fit the rules, the table or the dice of this game",
    "chain": "the seal of this line does not fit",
    "command": "another step is due here",
    "answer": "this is not the answer that was given, or not one the rules take",
    "die": "these are not the dice of this game",
    "event": "this is not what happened",
    "hash": "the state of the game has another hash",
    "end": "the game does not end like this",
}


def differ(line: int, kind: str, expected: Any = None, found: Any = None, why: str = "") -> NoReturn:
    """Stop at a difference."""
    raise Differs(Difference(line, kind, expected, found, f"line {line}: {why or _SAYS[kind]}"))


class _GaveUp(BaseException):
    """A machine is stuck here, as the record says: the rules refuse even the default. No error."""


class Replay:
    """A record being played again. Subclasses may look at the table wherever a decision was taken, and ``watch`` attacks."""

    watch: Callable[[Any], None] | None = None
    taken: tuple[str, ...] = ("engine",)
    """What is taken from the header as it stands there: the game does not show it."""

    def __init__(self, lines: list[Line]) -> None:
        """Take the lines; nothing is read but their seals."""
        self.lines = lines
        self.at = 1
        self.broken = first_break(lines)
        self.activations = 0
        self.drawn = 0
        self.steps = 0
        self.events = 0
        self.shown = 0
        self.spoken = 0  # the line of what was said last, as long as no answer came after it
        self.from_start = True  # else it begins in the middle of a game
        self.stuck: int | None = None  # the side that is said to be stuck, from its line on
        self.game: Game
        self.state: State
        self.opened = False  # whether the header was read, so that there is a game and a state
        self.fairness = self._fairness()

    @property
    def dice(self) -> str:
        """Whether the dice come from a seed or were entered."""
        return "entered" if self.lines[0].get("dice") == "entered" else "seeded"

    @property
    def seed(self) -> bytes | None:
        """The seed of the dice, if they come from one."""
        return None if self.fairness is None else self.fairness.dice

    @property
    def signer(self) -> str | None:
        """The public key this record says it is signed with."""
        found = self.lines[0].get("signer")
        return found if isinstance(found, str) else None

    def _fairness(self) -> Fairness | None:
        """Where the dice come from: the secret stands in the header or, if it was promised there, in the line of the end."""
        if self.dice == "entered":
            return None
        practice = self.lines[0].get("practice") is True
        ends = (line for line in self.lines if line.raw.startswith(_END))
        secret = _hex((self.lines[0] if practice else next(ends, self.lines[-1])).get("seed"))
        added = self.lines[0].get("added")
        rows = added if isinstance(added, list) else []
        found = [_hex(row.get("number")) if isinstance(row, dict) else None for row in rows]
        numbers = tuple(number for number in found if number is not None)
        both = len(numbers) == len(found) == len(SIDES)  # anything else the header is not found to hold
        return None if secret is None else Fairness(secret, numbers if both else (), practice)

    def line(self, expected: Json | None, kind: str) -> Line:
        """The next line, if there is one and its seal fits."""
        if self.at > len(self.lines):
            differ(self.at, "end", expected, None, "the record ends before the game does")
        line = self.lines[self.at - 1]
        if self.broken and self.broken.line == self.at:
            self._stop_at(line, self.broken.kind, expected, kind)
        return line

    def _stop_at(self, line: Line, broken: str, expected: Json | None, kind: str) -> NoReturn:
        """The chain breaks here: the content was altered, as far as the replay can tell, or the seal."""
        if line.found is None or not line.ended:
            differ(line.number, "end" if not line.ended else kind, expected, None, MANGLED)
        if not line.canonical:
            differ(line.number, "chain", None, None, "these are not the bytes a record is written in")
        found = content(line.found)
        if expected is None:
            differ(line.number, broken, None, found)
        if plain(found) == plain(expected):
            differ(line.number, "chain", None, line.get("h"))
        differ(line.number, kind, expected, found)

    def expect(self, expected: Json, kind: str) -> None:
        """The next line must be this one."""
        line = self.line(expected, kind)
        assert line.found is not None
        if plain(line.found) != plain(expected):
            differ(self.at, kind, expected, content(line.found))
        self._check_signature(line, kind)
        self.at += 1

    def _check_signature(self, line: Line, kind: str) -> None:
        """What is signed must be signed with the key of the header, and nothing else may be."""
        found = line.get("s")
        if self.signer is None or line.type not in SIGNED:
            if found is not None:
                differ(self.at, "chain", None, found, "there is a signature where none belongs")
        elif not signed_by(self.signer, str(line.get("h")), found):
            why = "this line is not signed with the key the header names"
            differ(self.at, kind, self.signer, found, why)

    def begin(self) -> None:
        """Read the header: the same rules, the same table, a seed that keeps its promise."""
        self.at = 1
        line = self.line(None, "header")
        setup = line.get("setup")
        if not isinstance(setup, dict):
            raise RecordError("not-a-record", "the header holds no setup", where="setup")
        try:
            situation = read_situation(fill(setup, SituationForm, "setup"))
        except UnknownEdition:
            raise
        except BadInput as error:
            differ(1, "header", None, None, error.message)
        self.game, self.state, self.opened = situation.game, situation.state, True
        due = rules_hash(self.game.edition)
        if line.get("rules") != due:
            differ(1, "header", due, line.get("rules"), "this game was played by another version of the rules")
        self._check_beginning()
        if self.dice == "seeded":
            self._check_seed(line)
        players = line.get("players")
        names = (str(players[0]), str(players[1])) if isinstance(players, list) and len(players) == 2 else ("", "")
        expected = header_line(self.game, self.state, self.fairness, names, self.signer)
        self.expect(expected | {name: line.get(name) for name in self.taken}, "header")

    def _check_beginning(self) -> None:
        """There must be a game to play; whether it is told from its start is only noted."""
        steps, clock = self.game.edition.steps, self.state.clock
        if not steps:
            differ(1, "header", None, None, f"{self.game.edition.name} plays no whole games, so there are no records of them")
        if clock.phase not in steps:
            differ(1, "header", self.game.edition.opening.phase, clock.phase, "this game is over before it has begun")
        self.from_start = self.state.digest() == self.game.start().digest()

    def _check_seed(self, line: Line) -> None:
        if self.fairness is None:
            if self.lines[-1].found is None:
                differ(len(self.lines), "end", None, None, MANGLED)
            if self.lines[-1].type != "end":
                differ(len(self.lines) + 1, "end", None, None, "the record ends before its seed is revealed")
            differ(1, "header", None, line.get("seed"), "the seed of the dice is nowhere to be found")
        due = commitment(self.fairness.secret)
        if line.get("commitment") != due:
            differ(1, "header", due, line.get("commitment"), BROKEN_PROMISE)

    def choose(self, request: Question, play: object) -> object:
        """The answer on the next line, once everything that happened before it is found as it should be."""
        assert isinstance(request, Request) and isinstance(play, Play)
        self._check_stuck()
        self.tell(play)
        if self.gives_up(request.who, REFUSED):
            self.stuck = request.who
            return request.default
        due = {"t": "answer", "who": SIDES[request.who], "kind": request.kind}
        line = self.line(None, "answer")
        if line.type == "talk":
            return self._said(line)
        self.spoken = 0
        if line.type != "answer" or {key: line.get(key) for key in due} != due:
            assert line.found is not None
            differ(self.at, "answer", due, content(line.found))
        self.at += 1
        try:
            return read_answer(self.game, play.state, request, line.get("value"))
        except RolloffError as error:
            differ(self.at - 1, "answer", None, line.get("value"), error.message)

    def _said(self, line: Line) -> Talk:
        """What a player said on this line instead of an answer."""
        try:
            talk = read_talk({key: line.get(key) for key in ("who", "name", "said")})
        except BadInput as error:
            differ(self.at, "answer", None, content(line.found or {}), error.message)
        self.spoken = self.at
        self.expect(talk_line(talk), "answer")
        return talk

    def refused(self, request: Question, answer: object, error: Exception) -> bool:
        """An answer the rules refuse was never given; a machine may be stuck with a default that is refused."""
        if self.stuck is not None:
            raise _GaveUp
        found = self.lines[self.at - 2].get("value")
        differ(self.at - 1, "answer", None, found, f"the rules refuse this answer: {error}")

    def gives_up(self, side: int, why: str) -> bool:
        """Whether the next line says that a machine of this side gives up here for this reason; it is taken."""
        if self.at > len(self.lines) or self.lines[self.at - 1].type != "gave-up":
            return False
        self.expect(gave_up_line(side, why), "answer")
        return True

    def _check_stuck(self) -> None:
        if self.stuck is not None:
            differ(self.at - 1, "answer", None, None, "nobody is stuck here: the rules take the default")

    def tell(self, play: Play) -> None:
        """Everything that happened so far in this step must stand in the record."""
        while self.shown < len(play.events):
            event = play.events[self.shown]
            line = event_line(self.game, event, self.events + self.shown)
            self.activations += event.kind == ACTIVATED
            self.expect(line, KINDS[line["t"]])
            self.shown += 1

    def _source(self) -> SeededDice | EnteredDice:
        if self.seed is not None:
            return SeededDice(self.seed, self.drawn)
        line = self.line(None, "command")
        faces = line.get("dice")
        try:
            return EnteredDice(faces if isinstance(faces, list) else [])
        except DiceError as error:
            differ(self.at, "die", None, faces, error.message)

    def step(self) -> None:
        """One step: the command, all that came of it, and the hash of the state after it."""
        source = self._source()
        faces = source.given if isinstance(source, EnteredDice) else None
        begun = self.at
        self.expect(step_line(self.steps, self.state, self.drawn, faces), "command")
        self.shown = 0
        try:
            play = play_step(self.game, self.state, Oracle(source, self), self.watch)
            self._check_stuck()
            if isinstance(source, EnteredDice):
                source.finish()
        except DiceError as error:
            differ(begun, "die", None, faces, error.message)
        except _GaveUp:
            self.steps += 1
            self.drawn = source.drawn if faces is None else self.drawn + source.drawn
            return
        except (BadInput, IllegalCommand) as error:
            if not self.spoken:
                raise
            differ(self.spoken, "answer", None, content(self.lines[self.spoken - 1].found or {}), error.message)
        self.tell(play)
        self.steps += 1
        self.events += len(play.events)
        self.drawn = source.drawn if faces is None else self.drawn + source.drawn
        self.state = play.state
        self.expect(check_line(self.state, self.drawn), "hash")

    def finish(self) -> None:
        """The last line: the result, and nothing after it."""
        result = result_of(self.game, self.state, self.stuck)
        gave_up = self.stuck is not None
        self.expect(end_line(result, self.steps, self.drawn, self.fairness, gave_up), "end")
        if self.at <= len(self.lines):
            line = self.lines[self.at - 1]
            differ(self.at, "end" if line.canonical else "chain", None, line.found, "the record goes on after its end")

    def run(self) -> None:
        """Play it all; `Differs` at the first difference."""
        self.begin()
        while self.state.clock.phase != OVER and self.stuck is None:
            if self.steps >= MOST_STEPS and self.gives_up(self.state.clock.active, STEPS):
                self.stuck = self.state.clock.active
            else:
                self.step()
        self.finish()


class _Unpromised(Replay):
    """The same with the seed at the end of the record, whatever the header promised."""

    taken = (*Replay.taken, "commitment")

    def _check_seed(self, line: Line) -> None:
        pass


def _liar(lines: list[Line], broken: Difference) -> Difference:
    """Which line lies where a seed is not the one that was promised: the last, if its dice are not those of the game."""
    if lines[-1].type != "end" or broken.line != 1 or lines[0].get("practice") is True:
        return broken
    try:
        _Unpromised(lines).run()
    except Differs as stop:
        if stop.difference.kind == "die":
            seed, last = lines[-1].get("seed"), len(lines)
            return Difference(last, "end", broken.found, seed, f"line {last}: {BROKEN_PROMISE}")
    except IllegalCommand:
        pass
    return broken


def _hex(text: object) -> bytes | None:
    """The 256 bits of a seed or a player's number, or None."""
    try:
        found = bytes.fromhex(text) if isinstance(text, str) else b""
    except ValueError:
        return None
    return found if len(found) == BYTES else None


def verify_lines(lines: list[Line], name: str, key: str | None = None) -> Verdict:
    """Play a record again and say whether it is true.

    Raises:
        RecordError: it is no record.
        UnknownEdition: its edition is not installed.
    """
    replay = Replay(lines)
    difference = None
    try:
        replay.run()
    except Differs as stop:
        first = stop.difference
        difference = _liar(lines, first) if first.message.endswith(BROKEN_PROMISE) else first
    except IllegalCommand as error:  # a refusal outside any answer: the setup is not one this edition plays
        difference = Difference(replay.at, "command", None, None, error.message)
    state = replay.state.digest() if replay.opened else None
    signer = replay.signer
    if difference is None and key is not None and signer != key:
        difference = Difference(1, "header", key, signer, "line 1: this record is not signed with that key")
    proof = "unsigned" if signer is None else "signed"
    practice = lines[0].get("practice") is True
    statement = difference.message if difference else proved(replay)
    found = (name, difference is None, len(lines), replay.activations, replay.dice, state, difference)
    return Verdict(*found, proof, signer, practice, statement)


def proved(replay: Replay) -> str:
    """What a record that verifies proves, in a sentence."""
    signer, fairness = replay.signer, replay.fairness
    if fairness is None:
        dice = "the dice were entered by hand, so nothing is proved of them"
    elif fairness.practice:
        dice = "a practice game: its seed was known beforehand, so its dice could be foreseen"
    elif fairness.added:
        dice = "its dice come from a seed that was promised before the game, with numbers of both players mixed in"
    else:
        dice = "its dice come from a seed that was promised before the game"
    who = (
        f"signed by {signer}: these are the answers that were given to that server"
        if signer
        else "unsigned: it is consistent, but anybody could have written it"
    )
    begun = "" if replay.from_start else "it tells of a game from the middle on, not from its start; "
    return f"{begun}the rules allow every step and give every result; {dice}; {who}"


def verify(path: Path, key: str | None = None) -> Verdict:
    """Verify a record file; with a ``key`` it must be signed with that one."""
    return verify_lines(load(path), path.name, key)
