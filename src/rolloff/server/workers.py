"""Workers: processes in which referees play, so that one long thought keeps nobody else waiting."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from heapq import heappop, heappush
from typing import Any, TypeVar

from rolloff.record.signing import Signer
from rolloff.server.referee import EngineFault, NotOpen, Opponents, Referee

LATE = 0.15
"""Seconds for which answers of people go before the thoughts of machines, and before other work."""
AT_HAND = 2
"""So many tasks a worker is given at once: the one it does, and the next ones."""
LOWER = 5
"""How far workers stand back behind the process that answers everybody."""

T = TypeVar("T")
_here: Referee | None = None


def _begin(opponents: Opponents, key: bytes | None) -> None:
    """The first thing a worker does: leave interrupts to its parent, and end when that is gone, however it went."""
    from multiprocessing import parent_process

    global _here  # noqa: PLW0603  (one referee a process; calls find it by this name)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(LOWER)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()
    _here = Referee(opponents, Signer(key) if key else None)


def _end_with(sentinel: int) -> None:
    """End this process when its parent is gone."""
    from multiprocessing.connection import wait

    wait([sentinel])
    os._exit(1)


def _call(method: str, *given: Any) -> Any:
    assert _here is not None
    return getattr(_here, method)(*given)


class _Turns:
    """Whose turn it is at one worker: in the order of when each is due, with one more at hand so that it never waits."""

    def __init__(self) -> None:
        self._waiting: list[tuple[float, int, asyncio.Future[None]]] = []
        self._given = 0
        self._count = 0

    def __len__(self) -> int:
        return len(self._waiting) + self._given

    async def take(self, executor_of: Callable[[int], Executor], lane: int, task: Callable[[], Any], late: float) -> Any:
        """Wait for a turn, and let the worker do the task; whoever asked may be gone before, not meanwhile."""
        if self._given >= AT_HAND:
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._count += 1
            heappush(self._waiting, (time.monotonic() + late, self._count, turn))
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    self._next(None)
                raise
        else:
            self._given += 1
        work = asyncio.get_running_loop().run_in_executor(executor_of(lane), task)
        work.add_done_callback(self._next)
        return await asyncio.shield(work)

    def _next(self, _done: object) -> None:
        while self._waiting:
            turn = heappop(self._waiting)[2]
            if not turn.done():
                turn.set_result(None)
                return
        self._given -= 1


class Workers:
    """So many worker processes, each woken when it is first needed; with none, a thread of this process does the work."""

    def __init__(self, count: int, opponents: Opponents, key: bytes | None = None) -> None:
        """Hold them ready."""
        self._opponents = opponents
        self._key = key
        self._lanes: list[Executor | None] = [None] * max(1, count)
        self._referee = Referee(opponents, Signer(key) if key else None) if count == 0 else None
        self._games: list[set[str]] = [set() for _ in self._lanes]
        self._turns = [_Turns() for _ in self._lanes]
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

    def _executor(self, lane: int) -> Executor:
        found = self._lanes[lane]
        if found is None:
            found = self._lanes[lane] = self._new()
        return found

    def _new(self) -> Executor:
        if self._referee is not None:
            return ThreadPoolExecutor(1, thread_name_prefix="referee")
        from multiprocessing import get_context

        start = (self._opponents, self._key)
        return ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=_begin, initargs=start)

    async def call(self, id_: str, method: str, *given: Any, late: float = 0.0) -> Any:
        """Let the worker of a game do something; what may be ``late`` lets others go first for so many seconds.

        Raises:
            NotOpen: the game must be opened (again) first.
        """
        lane = self.lane_of(id_)
        task = getattr(self._referee, method) if self._referee is not None else partial(_call, method)
        try:
            return await self._turns[lane].take(self._executor, lane, partial(task, *given), late)
        except BrokenProcessPool:
            self._lost(lane)
            raise NotOpen("not-open", "the worker has to begin anew") from None

    async def run(self, task: Callable[..., T], *given: Any) -> T:
        """Let the worker with the least to do run a task that has nothing to do with any battle."""
        lane = min(range(len(self._turns)), key=lambda one: len(self._turns[one]))
        try:
            found: T = await self._turns[lane].take(self._executor, lane, partial(task, *given), LATE)
        except BrokenProcessPool:
            self._lost(lane)
            raise EngineFault("engine-fault", "the referee stumbled over this") from None
        return found

    def _lost(self, lane: int) -> None:
        """A worker is gone; the next call starts another."""
        self._lanes[lane] = None
        self.restarts += 1

    def wake(self) -> None:
        """Start the first worker now, so that the first battle need not wait for it."""
        self._executor(0).submit(_nothing)

    def close(self) -> None:
        """Let all of them go."""
        for lane, executor in enumerate(self._lanes):
            if executor is not None:
                executor.shutdown(wait=False, cancel_futures=True)
                self._lanes[lane] = None


def _nothing() -> None:
    """Work that is none."""
