"""Writing a game down while it is played: each step with its answers, dice, events and the state's hash."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import msgspec

import rolloff
from rolloff.editions.clauses import clause_book
from rolloff.errors import BadInput, UnknownEdition
from rolloff.record.fairness import ENTERED, Fairness
from rolloff.record.lines import FORMAT, Json, seal, text
from rolloff.record.result import Result, result_of
from rolloff.record.signing import SIGNED, Signer
from rolloff.rules.answers import write_answer, write_talk
from rolloff.rules.edition import Edition
from rolloff.rules.game import Game
from rolloff.rules.play import SIDES, Play
from rolloff.situations.depiction import write_situation
from rolloff.situations.wire import event_json
from rolloff.table.event import Event, apply
from rolloff.table.request import Request, Talk
from rolloff.table.state import State

ROLLED = "rolled"
MOST_STEPS = 10_000
"""A game of more steps than this does not come to an end by itself."""
REFUSED, STEPS = "refused", "steps"
"""Why a machine gives up: the rules refuse even the default, or the game goes on for ever."""


def _clauses(edition: str) -> object:
    try:
        return msgspec.to_builtins(list(clause_book(edition).values()))
    except UnknownEdition:  # an edition from elsewhere, whose clauses are not kept here
        return []


@cache
def _rules_hash(id: str, version: str, rest: bytes) -> str:
    whole = msgspec.json.encode([id, version, _clauses(id)]) + rest
    return "sha256:" + hashlib.sha256(whole).hexdigest()


def rules_hash(edition: Edition) -> str:
    """The hash of a rulebook: its id and version, every clause with its status, its figures and switches."""
    figures = [edition.figures, sorted(edition.switches.items()), edition.rounds, edition.table_size]
    rest = msgspec.json.encode(figures, enc_hook=lambda other: type(other).__name__)
    return _rules_hash(edition.id, edition.version, rest)


def _hash(*what: object) -> str:
    return "sha256:" + hashlib.sha256(msgspec.json.encode(what)).hexdigest()


def _armies(game: Game, setup: Json) -> list[str]:
    """The hash of each army: its name and its units as they were set up."""
    units = [[unit for unit in setup["units"] if unit["side"] == side] for side in SIDES]
    return [_hash(name, rows) for name, rows in zip(game.setup.armies, units, strict=True)]


def header_line(
    game: Game, state: State, fairness: Fairness | None, players: tuple[str, str], signer: str | None = None
) -> Json:
    """The first line: who plays what on which table, by which rules, with which dice, and who signs it."""
    setup = write_situation(game, state)
    return {
        "t": "header",
        "format": FORMAT,
        "engine": rolloff.__version__,
        "edition": game.edition.id,
        "rules": rules_hash(game.edition),
        "players": list(players),
        "armies": _armies(game, setup),
        "table": _hash(setup["table"]),
        **(ENTERED if fairness is None else fairness.json()),
        "signer": signer,
        "setup": setup,
        "state": state.digest(),
    }


def step_line(number: int, state: State, drawn: int, faces: Sequence[object] | None) -> Json:
    """The command: which step of whose turn is played, from which die of the stream on."""
    clock = state.clock
    line: Json = {
        "t": "step",
        "n": number,
        "phase": clock.phase,
        "side": SIDES[clock.active],
        "round": clock.round,
        "drawn": drawn,
    }
    return line if faces is None else line | {"dice": list(faces)}


def talk_line(talk: Talk) -> Json:
    """What a player said instead of an answer."""
    return {"t": "talk", **write_talk(talk)}


def answer_line(game: Game, state: State, request: Request, answer: object) -> Json:
    """One answer, as the player gave it."""
    if isinstance(answer, Talk):
        return talk_line(answer)
    return {
        "t": "answer",
        "who": SIDES[request.who],
        "kind": request.kind,
        "value": write_answer(game, state, request, answer),
    }


def event_line(game: Game, event: Event, number: int) -> Json:
    """One event; dice rolled have lines of their own type."""
    written = event_json(game, event, number)
    if event.kind != ROLLED:
        return {"t": "event", **written}
    return {"t": "roll", "n": number, "clauses": written["clauses"], **written["facts"]}


def check_line(state: State, drawn: int) -> Json:
    """The hash of the state after a step, and how many dice the game has used."""
    return {"t": "check", "state": state.digest(), "drawn": drawn}


def gave_up_line(side: int, why: str) -> Json:
    """A machine is stuck: even the default is refused to it (REFUSED), or the game does not end (STEPS)."""
    return {"t": "gave-up", "who": SIDES[side], "why": why}


def end_line(result: Result, steps: int, drawn: int, fairness: Fairness | None, gave_up: bool = False) -> Json:
    """How the game ended, and whether a machine gave it up; a secret that was only promised is shown here."""
    line: Json = {"t": "end", **result.json(), "steps": steps, "dice": drawn}
    if gave_up:
        line["by"] = "machine"
    return line if fairness is None or fairness.practice else line | {"seed": fairness.secret.hex()}


def played_lines(game: Game, before: State, play: Play, numbered: int) -> Iterator[Json]:
    """The answers and events of a step in the order they came about."""
    state, taken = before, 0
    for at, event in enumerate(play.events):
        while taken < len(play.answers) and play.when[taken] <= at:
            yield answer_line(game, state, *play.answers[taken])
            taken += 1
        yield event_line(game, event, numbered + at)
        state = apply(state, event)
    for request, answer in play.answers[taken:]:
        yield answer_line(game, state, request, answer)


def answer_lines(game: Game, before: State, play: Play, since: int = 0) -> list[Json]:
    """The answers of a step from a certain one on, each written by the state in which it was given."""
    found: list[Json] = []
    state, at = before, 0
    for (request, answer), when in zip(play.answers[since:], play.when[since:], strict=True):
        for event in play.events[at:when]:
            state = apply(state, event)
        at = when
        found.append(answer_line(game, state, request, answer))
    return found


class Recorder:
    """Writes a record line by line. Give `step` to a session as its watcher; call `end` when it is over."""

    def __init__(
        self,
        out: IO[bytes],
        game: Game,
        dice: bytes | Fairness | None,
        players: tuple[str, str] = ("A", "B"),
        *,
        state: State | None = None,
        signer: Signer | None = None,
    ) -> None:
        """Begin with the header. A plain seed is known to all: such a game is practice; None: people roll the dice."""
        self.game = game
        self.steps = 0
        self.events = 0
        self.drawn = 0
        self._out = out
        self._fairness = Fairness(dice, practice=True) if isinstance(dice, bytes) else dice
        self._signer = signer
        self._previous = ""
        start = game.start() if state is None else state
        self._write(header_line(game, start, self._fairness, players, signer.public if signer else None))

    def _write(self, *lines: Json) -> None:
        for line in lines:
            self._previous = seal(self._previous, line)
            whole = {**line, "h": self._previous}
            if self._signer and line["t"] in SIGNED:
                whole["s"] = self._signer.sign(self._previous)
            self._out.write(text([whole]))

    def _begin_step(self, play: Play, before: State) -> int:
        """Write a step's command, and what was answered and happened in it; how many dice it used."""
        source: Any = play.oracle.dice
        entered = self._fairness is None
        faces = tuple(source.given[: source.drawn]) if entered else None
        self._write(step_line(self.steps, before, self.drawn, faces))
        self._write(*played_lines(self.game, before, play, self.events))
        self.steps += 1
        self.events += len(play.events)
        return self.drawn + len(faces or ()) if entered else int(source.drawn)

    def step(self, play: Play, before: State) -> None:
        """Write down a step that was played to its end, and the state it began from."""
        self.drawn = self._begin_step(play, before)
        self._write(check_line(play.state, self.drawn))

    def end(self, state: State) -> None:
        """Write the last line."""
        self._write(end_line(result_of(self.game, state), self.steps, self.drawn, self._fairness))
        self._out.flush()

    def gave_up(self, side: int, state: State, play: Play | None = None) -> None:
        """A machine cannot go on: in the middle of a step whose default is refused to it, or after too many steps."""
        if play is not None:
            self.drawn = self._begin_step(play, state)
        self._write(gave_up_line(side, REFUSED if play is not None else STEPS))
        self._write(end_line(result_of(self.game, state, side), self.steps, self.drawn, self._fairness, gave_up=True))
        self._out.flush()


class RecordFile:
    """A record file that appears under its name only when the game is whole; ``.gz`` names are packed."""

    def __init__(self, path: Path) -> None:
        """Write beside the path first."""
        self.path = path
        self._part = path.with_name(self.unfinished(path.name))

    @staticmethod
    def unfinished(name: str) -> str:
        """The name of a file while its game is being played."""
        return f"{name}.tmp"

    def __enter__(self) -> IO[bytes]:
        """Open the file; `BadInput` if it cannot be written."""
        try:
            raw = self._part.open("wb")
        except OSError as error:
            name = self.path.name
            raise BadInput("not-written", f"{name} cannot be written: {error.strerror}", where=name) from None
        # No name and no time inside, so that the same game is the same bytes.
        self._raw: IO[bytes] = raw
        self._out: IO[bytes] = raw
        if self.path.suffix == ".gz":
            self._out = gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0)  # type: ignore[assignment]
        return self._out

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> None:
        """Put the file in its place, or away if the game was not finished."""
        try:
            self._out.close()
            self._raw.close()
            if kind is None:
                self._part.replace(self.path)
        finally:
            self._part.unlink(missing_ok=True)
