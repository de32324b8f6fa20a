"""Writing a game down while it is played: each step with its answers, dice, events and the state's hash."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import msgspec

import rolloff
from rolloff.editions.clauses import clause_book
from rolloff.errors import UnknownEdition
from rolloff.record.depiction import write_situation
from rolloff.record.lines import FORMAT, Json, seal, text
from rolloff.record.result import Result, result_of
from rolloff.record.wire import event_json
from rolloff.rules.answers import write_answer, write_talk
from rolloff.rules.edition import Edition
from rolloff.rules.game import Game
from rolloff.rules.play import SIDES, Play
from rolloff.table.event import Event, apply
from rolloff.table.request import Request, Talk
from rolloff.table.state import State

ROLLED = "rolled"


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
    figures = [edition.book, sorted(edition.switches.items()), edition.rounds, edition.table_size]
    rest = msgspec.json.encode(figures, enc_hook=lambda other: type(other).__name__)
    return _rules_hash(edition.id, edition.version, rest)


def commitment(seed: bytes) -> str:
    """What is published of a seed before the game: anybody can check it when the seed is revealed."""
    return "sha256:" + hashlib.sha256(seed).hexdigest()


def header_line(game: Game, state: State, seed: bytes | None, players: tuple[str, str], sealed_seed: bool = False) -> Json:
    """The first line: who plays what on which table, by which rules, with which dice."""
    return {
        "t": "header",
        "format": FORMAT,
        "v": 1,
        "engine": rolloff.__version__,
        "edition": game.edition.id,
        "rules": rules_hash(game.edition),
        "players": list(players),
        "dice": "entered" if seed is None else "seeded",
        "seed": None if seed is None or sealed_seed else seed.hex(),
        "commitment": None if seed is None else commitment(seed),
        "setup": write_situation(game, state),
        "state": state.digest(),
    }


def step_line(number: int, state: State, drawn: int, faces: tuple[int, ...] | None) -> Json:
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
    """One event; dice thrown have lines of their own type."""
    told = event_json(game, event, number)
    if event.kind != ROLLED:
        return {"t": "event", **told}
    return {"t": "roll", "n": number, "clauses": told["clauses"], **told["facts"]}


def check_line(state: State, drawn: int) -> Json:
    """The hash of the state after a step, and how many dice the game has used."""
    return {"t": "check", "state": state.digest(), "drawn": drawn}


def end_line(result: Result, steps: int, drawn: int, seed: bytes | None = None) -> Json:
    """How the game ended; a seed that was sealed is revealed here."""
    line: Json = {"t": "end", **result.json(), "steps": steps, "dice": drawn}
    return line if seed is None else line | {"seed": seed.hex()}


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


class Recorder:
    """Writes a record line by line. Give `step` to a session as its watcher; call `end` when it is over."""

    def __init__(
        self,
        out: IO[bytes],
        game: Game,
        seed: bytes | None,
        players: tuple[str, str] = ("A", "B"),
        *,
        state: State | None = None,
        drawn: int = 0,
        sealed_seed: bool = False,
    ) -> None:
        """Begin with the header; a sealed seed is committed to here and revealed in the last line."""
        self.game = game
        self.steps = 0
        self.events = 0
        self.drawn = drawn
        self._out = out
        self._seed = seed if sealed_seed else None
        self._entered = seed is None
        self._previous = ""
        start = game.start() if state is None else state
        self._write(header_line(game, start, seed, players, sealed_seed))

    def _write(self, *lines: Json) -> None:
        for line in lines:
            self._previous = seal(self._previous, line)
            self._out.write(text([{**line, "h": self._previous}]))

    def step(self, play: Play, before: State) -> None:
        """Write down a step that was played to its end, and the state it began from."""
        source: Any = play.oracle.dice
        faces = tuple(source.given[: source.drawn]) if self._entered else None
        self._write(step_line(self.steps, before, self.drawn, faces))
        self._write(*played_lines(self.game, before, play, self.events))
        self.steps += 1
        self.events += len(play.events)
        self.drawn = source.drawn if not self._entered else self.drawn + len(faces or ())
        self._write(check_line(play.state, self.drawn))

    def end(self, state: State, conceded: int | None = None) -> None:
        """Write the last line."""
        result = result_of(self.game, state, conceded)
        self._write(end_line(result, self.steps, self.drawn, self._seed))
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
        """Open the file."""
        raw = self._part.open("wb")
        # No name and no time inside, so that the same game is the same bytes.
        self._raw: IO[bytes] = raw
        self._out: IO[bytes] = raw
        if self.path.suffix == ".gz":
            self._out = gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0)  # type: ignore[assignment]
        return self._out

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> None:
        """Put the file in its place, or away if the game was not finished."""
        self._out.close()
        self._raw.close()
        if kind is None:
            self._part.replace(self.path)
        else:
            self._part.unlink(missing_ok=True)
