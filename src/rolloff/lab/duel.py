"""Matches: many games between two opponents. Game *i* depends only on the match, its seed and *i*."""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from itertools import count
from pathlib import Path
from typing import Any

from msgspec import Struct

import rolloff
from rolloff import agents
from rolloff.armies import library
from rolloff.editions import registry
from rolloff.errors import BadInput, IllegalCommand
from rolloff.lab.tally import Tally
from rolloff.oracle.dice import SeededDice, Stream, seed_bytes
from rolloff.oracle.oracle import Chooser, Oracle, Question, Seats
from rolloff.record.book import MOST_STEPS, Recorder, RecordFile, rules_hash
from rolloff.record.result import DRAW, Result, result_of
from rolloff.rules.game import Game
from rolloff.rules.play import OVER, SIDES, Play, play_step
from rolloff.table.request import Request
from rolloff.table.setup import Setup
from rolloff.table.state import State

SCHEMA = "rolloff.duel/1"
LOOKED_THROUGH = 256
"""Once in so many games the collector looks at all there is."""
Row = dict[str, Any]


class Match(Struct, frozen=True):
    """What is played: everything a game depends on but its number, and where records go."""

    edition: str
    agents: tuple[str, str]
    armies: tuple[str, str] = (library.RANDOM, library.RANDOM)
    table: str = library.RANDOM
    mission: str = ""
    points: int = 0
    seed: int = 0
    record: str | None = None


def setup_of(match: Match, index: int) -> Setup:
    """The armies and the table of one game."""
    a, b = match.armies
    return library.setup_for(match.edition, a, b, match.table, match.mission, match.points, match.seed, index)


def chairs_of(match: Match, index: int) -> list[Chooser]:
    """The two opponents, each with choices of its own that move no die."""
    return [
        agents.make(name, Stream(seed_bytes(match.seed, index, "choices", side)), side)
        for side, name in enumerate(match.agents)
    ]


class Watched:
    """Seats whose refusals are counted. Whoever gives up on a request takes its default."""

    def __init__(self, chairs: Sequence[Chooser]) -> None:
        """Seat the opponents."""
        self.seats, self._chairs = Seats(chairs), chairs
        self.offered_refused = 0
        self._give_up = False
        self._play: object = None
        self.stuck: tuple[int, object] | None = None  # who is refused even the default, and in which play

    def choose(self, request: Question, play: object) -> object:
        """The opponent's answer."""
        self._play = play
        if self._give_up:
            self._give_up = False
            return request.default
        return self._chairs[request.who].choose(request, play)

    def leave(self) -> None:
        """The game is over: nothing of it is held any more."""
        self._play = self.stuck = None

    def refused(self, request: Question, answer: object, error: Exception) -> bool:
        """Count what was offered and yet refused; a refused default ends the game."""
        assert isinstance(request, Request)
        default = answer == request.default
        self.offered_refused += default or (request.options is not None and answer in request.options)
        if default:
            self.stuck = request.who, self._play
            return False
        self._give_up = not self.seats.refused(request, answer, error)
        return True


class Played(Struct, frozen=True):
    """A game that was played: its last state, its result and what was counted."""

    state: State
    result: Result
    tally: Tally
    dice: int
    offered_refused: int
    finished: bool


@contextmanager
def without_collector() -> Iterator[None]:
    """Nobody looks for garbage meanwhile: a game makes next to none that it would find, and all armies are looked through.

    Around all that holds a game: once it is let go, what is looked through afterwards is no more than what stays.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            _put_by()
            gc.enable()


_games_over = count(1)


def _put_by() -> None:
    """What a game leaves is what caches keep: it counts as old at once, which is not looked through after every game.

    All that is old is looked through once in so many games, so that nothing is lost by it. Where somebody has frozen what
    there is (before a fork, say) it stays frozen, and nothing is put by.
    """
    if next(_games_over) % LOOKED_THROUGH == 0:
        gc.collect()
    elif not gc.get_freeze_count():
        gc.freeze()
        gc.unfreeze()


@without_collector()
def play_game(game: Game, seed: bytes, chairs: Sequence[Chooser], recorder: Recorder | None = None) -> Played:
    """Play one game to its end. A player whose every answer is refused gives the game up."""
    dice, seats, tally = SeededDice(seed), Watched(chairs), Tally(game.edition)
    oracle = Oracle(dice, seats)
    state, steps, loser, stuck_in = game.start(), 0, None, None
    try:
        while state.clock.phase != OVER:
            play = play_step(game, state, oracle)
            tally.add(play)
            if recorder:
                recorder.step(play, state)
            state, steps = play.state, steps + 1
            if steps >= MOST_STEPS:
                loser = state.clock.active
                break
    except IllegalCommand:
        loser, stuck_in = seats.stuck or (state.clock.active, None)
    if recorder and loser is None:
        recorder.end(state)
    elif recorder and loser is not None and isinstance(stuck_in, Play):
        recorder.gave_up(loser, state, stuck_in)
    elif recorder and loser is not None and steps >= MOST_STEPS:
        recorder.gave_up(loser, state)
    seats.leave()
    result = result_of(game, state, loser)
    return Played(state, result, tally, dice.drawn, seats.offered_refused, loser is None)


def record_name(index: int) -> str:
    """The file name of a game's record."""
    return f"game-{index:06d}.jsonl"


@without_collector()
def play_row(match: Match, index: int) -> Row:
    """Play game ``index`` of a match and give its row of the report; writes its record if the match asks."""
    game = Game(registry.edition(match.edition), setup_of(match, index))
    seed = seed_bytes(match.seed, index, "dice")
    name = record_name(index) if match.record is not None else None
    file = RecordFile(Path(match.record) / name) if match.record is not None and name else nullcontext()
    with file as out:
        recorder = None if out is None else Recorder(out, game, seed, match.agents)
        played = play_game(game, seed, chairs_of(match, index), recorder)
    return {
        "index": index,
        **played.result.json(),
        "activations": played.tally.activations,
        "decisions": played.tally.decisions,
        "dice": played.dice,
        "offered_refused": played.offered_refused,
        "counts": played.tally.counts,
        "events": played.tally.events,
        "state": played.state.digest(),
        "record": name,
        "armies": list(game.setup.armies),
        "table": game.setup.table.name,
        "finished": played.finished,
    }


def _rows_here(match: Match, indexes: range) -> Iterator[Row]:
    for index in indexes:
        yield play_row(match, index)


def _rows_of(task: tuple[Match, range]) -> list[Row]:
    return list(_rows_here(*task))


def _quiet() -> None:
    """A worker leaves the interrupt to the process that started it."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _rows_apart(match: Match, indexes: range, jobs: int) -> Iterator[Row]:
    """The same rows from several processes, in the same order."""
    from multiprocessing import get_context

    size = max(1, min(20, len(indexes) // (4 * jobs)))
    tasks = [(match, indexes[k : k + size]) for k in range(0, len(indexes), size)]
    with get_context("spawn").Pool(min(jobs, len(tasks)), _quiet) as pool:
        for rows in pool.imap(_rows_of, tasks):
            yield from rows


def rows(match: Match, first: int, games: int, jobs: int = 1) -> Iterator[Row]:
    """The rows of games ``first`` to ``first + games - 1``; the number of jobs changes nothing but the time.

    An edition only this process knows is played in it, whatever the number of jobs.
    """
    indexes = range(first, first + games)
    if jobs > 1 and games > 1 and not registry.registered(match.edition):
        return _rows_apart(match, indexes, jobs)
    return _rows_here(match, indexes)


def army_json(match: Match, side: int) -> Row:
    """An army as a duel prints it; one drawn by lot for each game stands for all that may be drawn."""
    name = match.armies[side]
    if name != library.RANDOM:
        army = library.army(match.edition, name, side)
        return {"name": army.name, "points": army.points, "hash": army.hash}
    hashes = [library.army(match.edition, one, side).hash for one in library.lists(match.edition)]
    digest = hashlib.sha256("".join(hashes).encode()).hexdigest()
    points = match.points or registry.edition(match.edition).points
    return {"name": name, "points": points, "hash": f"sha256:{digest}"}


def header(match: Match) -> Row:
    """What a report says of the match before its games."""
    edition = registry.edition(match.edition)
    return {
        "schema": SCHEMA,
        "version": rolloff.__version__,
        "edition": edition.id,
        "rules": rules_hash(edition),
        "seed": match.seed,
        "agents": list(match.agents),
        "armies": [army_json(match, side) for side in (0, 1)],
    }


def totals(games: Sequence[Row]) -> Row:
    """Who won how often."""
    found: Row = {"games": len(games)}
    for winner in (*SIDES, DRAW):
        found[winner] = sum(row["winner"] == winner for row in games)
    return found | {"offered_refused": sum(row["offered_refused"] for row in games)}


def duel(match: Match, first: int, games: int, jobs: int = 1, watch: Callable[[Row], None] | None = None) -> Row:
    """Play a match and give the whole report.

    Raises:
        BadInput: an opponent, an army, a table or the edition is unknown; nothing is written then.
    """
    found = header(match)
    setup_of(match, first)
    chairs_of(match, first)
    if match.record is not None:
        _make_folder(Path(match.record))
    played = []
    try:
        for row in rows(match, first, games, jobs):
            played.append(row)
            if watch:
                watch(row)
    except BaseException:
        _clear(match, range(first, first + games))
        raise
    return found | {"games": played, "totals": totals(played)}


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = f"records cannot be written: {error.strerror}"
        raise BadInput("unwritable", why, where="--record", allowed="a folder") from None


def _clear(match: Match, indexes: range) -> None:
    """Put away the unfinished records of a match that was broken off."""
    names = {RecordFile.unfinished(record_name(index)) for index in indexes}
    for part in Path(match.record).iterdir() if match.record is not None else ():
        if part.name in names:
            part.unlink(missing_ok=True)


def done(report: Row) -> bool:
    """Whether every game finished and nothing that was offered was refused."""
    finished = all(row["finished"] for row in report["games"])
    return finished and report["totals"]["offered_refused"] == 0
