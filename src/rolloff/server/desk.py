"""A worker's desk: people's answers in one thread, thoughts and other long work in a second; a game is in one at a time.

A machine's thought may take a third of a second. Whoever answers in another game of the same worker meanwhile is served
at once: the interpreter changes between the two threads every millisecond, and before its next decision the thought
stands still until nobody waits for an answer, though never for long.
"""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Callable
from enum import IntEnum
from queue import PriorityQueue, SimpleQueue
from typing import Any, NamedTuple

from rolloff.errors import BadInput
from rolloff.server.giving_way import set_way
from rolloff.server.referee import EngineFault

SWITCH = 0.001
"""Seconds after which another thread of a worker may go on."""
COURTESY = 0.1
"""Seconds for which a thought stands still at most at each of its decisions, however many answer."""

_log = logging.getLogger(__name__)


class Rank(IntEnum):
    """How soon something must be done."""

    NOW = 0
    SOON = 1
    """It may take long, and goes before thoughts."""
    LATE = 2
    LEAVE = 3


class Job(NamedTuple):
    """Something to do; jobs of one rank are done in the order of their numbers."""

    rank: Rank
    number: int
    game: str
    work: Callable[..., Any]
    given: tuple[Any, ...]


Reply = Callable[[int, bool, Any], None]
"""Takes the number of a job, whether it came to a result, and that or the error."""


class Desk:
    """Two threads that do jobs; those of one game never at the same time."""

    def __init__(self, reply: Reply) -> None:
        """Begin to work."""
        self._reply = reply
        self._now: SimpleQueue[Job | None] = SimpleQueue()
        self._later: PriorityQueue[Job] = PriorityQueue()
        self._held: set[str] = set()
        self._pressing = 0  # how many jobs people wait for
        self._free = threading.Condition()
        sys.setswitchinterval(min(sys.getswitchinterval(), SWITCH))
        for work in (self._answer, self._think):
            threading.Thread(target=work, daemon=True, name=f"referee{work.__name__}").start()

    def put(self, job: Job) -> None:
        """Have something done."""
        if job.rank is Rank.NOW:
            with self._free:
                self._pressing += 1
            self._now.put(job)
        else:
            self._later.put(job)

    def leave(self) -> None:
        """End when everything is done that was put here."""
        self._now.put(None)

    def _answer(self) -> None:
        """Do what people wait for; what concerns a game that is being thought about goes behind that thought."""
        while (job := self._now.get()) is not None:
            with self._free:
                free = job.game not in self._held
                if free and job.game:
                    self._held.add(job.game)
            if free:
                self._do(job)
            else:
                self._later.put(job._replace(rank=Rank.SOON))
            with self._free:
                self._pressing -= 1
                self._free.notify_all()
        self._later.put(Job(Rank.LEAVE, 0, "", bool, ()))

    def _give_way(self) -> None:
        """Stand still while people wait for answers."""
        if self._pressing:
            with self._free:
                self._free.wait_for(lambda: not self._pressing, COURTESY)

    def _think(self) -> None:
        set_way(self._give_way)
        while (job := self._later.get()).rank is not Rank.LEAVE:
            with self._free:
                self._free.wait_for(lambda game=job.game: game not in self._held)  # type: ignore[misc]  # bound now
                if job.game:
                    self._held.add(job.game)
            self._do(job)
            self._give_way()

    def _do(self, job: Job) -> None:
        try:
            found, ok = job.work(*job.given), True
        except MemoryError:
            found, ok = BadInput("too-large", "this takes more memory than there is for it", allowed="something smaller"), False
        except Exception as error:  # noqa: BLE001  (whatever it is, whoever waits must hear of it)
            found, ok = error, False
        except BaseException as error:  # noqa: BLE001  (a thread that ended would let everybody wait for ever)
            _log.error("a job ended by %s", type(error).__name__)
            found, ok = EngineFault("engine-fault", "the referee stumbled over this"), False
        with self._free:
            self._held.discard(job.game)
            self._free.notify_all()
        try:
            self._reply(job.number, ok, found)
        except (AttributeError, TypeError, ValueError):  # it cannot be sent to another process
            self._reply(job.number, False, EngineFault("engine-fault", "the referee stumbled over this"))
