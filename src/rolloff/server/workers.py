"""Workers: processes in which referees play, so that one long thought keeps nobody else waiting."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, Protocol, TypeVar

from rolloff.errors import BadInput
from rolloff.record.signing import Signer
from rolloff.server.desk import Desk, Job, Rank
from rolloff.server.referee import EngineFault, NotOpen, Opponents, Referee

LOWER = 5
"""How far workers stand back behind the process that answers everybody."""
MOST_ERRANDS = 64
"""So many errands may be waiting."""
MEMORY_OF_ERRANDS = 2 * 1024**3
"""Bytes the process of errands may have."""
LONGEST_ERRAND = 60.0
"""Seconds an errand may take."""

T = TypeVar("T")
_here: Referee | None = None


def _call(method: str, *given: Any) -> Any:
    assert _here is not None
    return getattr(_here, method)(*given)


def _bound_memory(most: int) -> None:
    """Let this process have no more memory, where the system can say so."""
    if most and sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _work(line: Connection, opponents: Opponents, key: bytes | None, most: int) -> None:
    """The life of a worker: leave interrupts to its parent, do what it is sent, and end when the parent is gone."""
    global _here  # noqa: PLW0603  (one referee a process; calls find it by this name)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(LOWER)
    _bound_memory(most)
    _here = Referee(opponents, Signer(key) if key else None)
    speaking = threading.Lock()

    def reply(number: int, ok: bool, found: Any) -> None:
        try:
            with speaking:
                line.send((number, ok, found))
        except OSError:
            os._exit(1)

    desk = Desk(reply)
    try:
        while True:
            desk.put(Job(*line.recv()))
    except (EOFError, OSError):
        os._exit(1)


class _Lane(Protocol):
    """Where jobs are done."""

    @property
    def lost(self) -> bool:
        """Whether the worker is gone."""
        ...

    def put(self, rank: Rank, game: str, work: Callable[..., Any], *given: Any) -> Future[Any]:
        """Have something done; `NotOpen` instead of a result if the worker is gone."""
        ...

    def close(self) -> None:
        """Let it go, whatever it is doing."""
        ...


class _Waiting:
    """Who waits for what, by the numbers of jobs."""

    def __init__(self) -> None:
        self.lost = False
        self._count = 0
        self._futures: dict[int, Future[Any]] = {}
        self._lock = threading.Lock()

    def next(self) -> tuple[int, Future[Any]]:
        with self._lock:
            self._count += 1
            found: Future[Any] = Future()
            if self.lost:
                found.set_exception(_gone())
            else:
                self._futures[self._count] = found
            return self._count, found

    def settle(self, number: int, ok: bool, found: Any) -> None:
        with self._lock:
            future = self._futures.pop(number, None)
        if future is None or not future.set_running_or_notify_cancel():
            return
        if ok:
            future.set_result(found)
        else:
            future.set_exception(found)

    def lose(self) -> None:
        with self._lock:
            self.lost = True
            numbers = list(self._futures)
        for number in numbers:
            self.settle(number, False, _gone())


def _gone() -> NotOpen:
    return NotOpen("not-open", "the worker has to begin anew")


class _Process:
    """A worker process and the line to it."""

    def __init__(self, opponents: Opponents, key: bytes | None, most: int = 0) -> None:
        context = get_context("spawn")
        self._line, its = context.Pipe()
        self._process = context.Process(target=_work, args=(its, opponents, key, most), daemon=True)
        self._process.start()
        its.close()
        self._waiting = _Waiting()
        threading.Thread(target=self._listen, daemon=True, name="worker").start()

    @property
    def lost(self) -> bool:
        """Whether the process is gone."""
        return self._waiting.lost

    def put(self, rank: Rank, game: str, work: Callable[..., Any], *given: Any) -> Future[Any]:
        """Send a job."""
        number, future = self._waiting.next()
        try:
            self._line.send((rank, number, game, work, given))
        except OSError:
            self._waiting.lose()
        return future

    def _listen(self) -> None:
        try:
            while True:
                self._waiting.settle(*self._line.recv())
        except (EOFError, OSError, pickle.UnpicklingError, TypeError):
            self._waiting.lose()

    def close(self) -> None:
        """End the process, and with it all it was doing."""
        self._waiting.lose()
        self._process.kill()
        self._process.join(5)
        self._line.close()


class _Threads:
    """The same in threads of this process."""

    lost = False

    def __init__(self) -> None:
        self._waiting = _Waiting()
        self._desk = Desk(self._waiting.settle)

    def put(self, rank: Rank, game: str, work: Callable[..., Any], *given: Any) -> Future[Any]:
        """Have a job done."""
        number, future = self._waiting.next()
        self._desk.put(Job(rank, number, game, work, given))
        return future

    def close(self) -> None:
        """Let the threads end."""
        self._waiting.lose()
        self._desk.leave()


class Workers:
    """So many worker processes, each woken when it is first needed; with none, threads of this process do the work."""

    def __init__(self, count: int, opponents: Opponents, key: bytes | None = None) -> None:
        """Hold them ready."""
        self._opponents = opponents
        self._key = key
        self._lanes: list[_Lane | None] = [None] * max(1, count)
        self._referee = Referee(opponents, Signer(key) if key else None) if count == 0 else None
        self._games: list[set[str]] = [set() for _ in self._lanes]
        self._errands: _Lane | None = None
        self._waiting = 0
        self._one = asyncio.Lock()
        self.restarts = 0
        self.signer = Signer(key).public if key else None

    def __len__(self) -> int:
        """How many there are."""
        return len(self._lanes)

    def lane_of(self, id_: str) -> int:
        """The worker that plays a game: the one with the fewest, unless it has one already."""
        held = next((lane for lane, games in enumerate(self._games) if id_ in games), None)
        if held is not None:
            return held
        lane = min(range(len(self._games)), key=lambda one: len(self._games[one]))
        self._games[lane].add(id_)
        return lane

    def let_go(self, id_: str) -> None:
        """Forget which worker plays a game."""
        for games in self._games:
            games.discard(id_)

    def _lane(self, number: int) -> _Lane:
        found = self._lanes[number]
        if found is None or found.lost:
            self.restarts += found is not None
            found = self._lanes[number] = self._new()
        return found

    def _new(self, most: int = 0) -> _Lane:
        return _Process(self._opponents, self._key, most) if self._referee is None else _Threads()

    async def call(self, id_: str, method: str, *given: Any, rank: Rank = Rank.NOW) -> Any:
        """Let the worker of a game do something.

        Raises:
            NotOpen: the game must be opened (again) first.
        """
        work = partial(_call, method) if self._referee is None else getattr(self._referee, method)
        return await asyncio.wrap_future(self._lane(self.lane_of(id_)).put(rank, id_, work, *given))

    async def run(self, task: Callable[..., T], *given: Any) -> T:
        """Let the worker with the fewest games do something short that has nothing to do with any battle."""
        lane = self._lane(min(range(len(self._games)), key=lambda one: len(self._games[one])))
        try:
            found: T = await asyncio.wrap_future(lane.put(Rank.SOON, "", task, *given))
        except NotOpen:
            raise EngineFault("engine-fault", "the referee stumbled over this") from None
        return found

    async def errand(self, task: Callable[..., T], *given: Any) -> T:
        """Let a process of its own work on what somebody sent; battles know nothing of it, and it may not take for ever.

        Raises:
            BadInput: too many wait already, or it took too long.
        """
        if self._waiting >= MOST_ERRANDS:
            raise BadInput("too-many", "too many questions are waiting here", allowed=str(MOST_ERRANDS))
        self._waiting += 1
        try:
            async with self._one:
                return await self._run_errand(task, *given)
        finally:
            self._waiting -= 1

    async def _run_errand(self, task: Callable[..., T], *given: Any) -> T:
        lane = self._errands
        if lane is None or lane.lost:
            lane = self._errands = self._new(MEMORY_OF_ERRANDS)
        try:
            async with asyncio.timeout(LONGEST_ERRAND):
                found: T = await asyncio.wrap_future(lane.put(Rank.NOW, "", task, *given))
        except NotOpen:
            raise EngineFault("engine-fault", "the referee stumbled over this") from None
        except TimeoutError:
            await asyncio.to_thread(lane.close)
            message = f"this takes longer than {LONGEST_ERRAND:.0f} s to work out"
            raise BadInput("too-long", message, where="body", allowed="something smaller") from None
        return found

    def wake(self) -> None:
        """Start the first worker now, so that the first battle need not wait for it."""
        self._lane(0)

    def close(self) -> None:
        """Let all of them go."""
        for lane in (*self._lanes, self._errands):
            if lane is not None:
                lane.close()
        self._lanes, self._errands = [None] * len(self._lanes), None
