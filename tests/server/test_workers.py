"""Workers: who waits for whom, what happens to work that takes for ever, and that nothing is done twice at once."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator
from contextvars import copy_context
from queue import SimpleQueue
from threading import Event
from typing import Any

import msgspec
import pytest

from rolloff.errors import BadInput
from rolloff.record.fairness import Fairness
from rolloff.server import desk as desk_module
from rolloff.server import workers as workers_module
from rolloff.server.desk import Desk, Job, Rank
from rolloff.server.giving_way import give_way, set_way
from rolloff.server.live import BattlePlan, write_setup
from rolloff.server.messages import GameForm
from rolloff.server.referee import EngineFault, Referee
from rolloff.server.workers import Workers
from tests.server.coinflip import Coins

SECONDS = 120.0
"""How long anything may take that comes for certain, on however busy a machine."""


class Office:
    """A desk, a thought that lasts until it is let go, and what came of jobs in the order of their ends."""

    def __init__(self) -> None:
        """Begin to think about game ``x``."""
        self.ended: SimpleQueue[tuple[int, bool, Any]] = SimpleQueue()
        self.thinking, self.go_on, self.went_on = Event(), Event(), Event()
        self.desk = Desk(lambda *found: self.ended.put(found))
        self.desk.put(Job(Rank.LATE, 1, "x", self._think, ()))
        assert self.thinking.wait(SECONDS)

    def _think(self) -> str:
        self.thinking.set()
        assert self.go_on.wait(SECONDS)
        give_way()
        self.went_on.set()
        return "thought"

    def end(self) -> tuple[int, bool, Any]:
        """The next job that ended."""
        return self.ended.get(timeout=SECONDS)


@pytest.fixture
def office() -> Iterator[Office]:
    """A desk at which somebody is thinking."""
    found = Office()
    yield found
    found.go_on.set()
    found.desk.leave()


def test_a_thought_keeps_nobody_at_another_game_waiting(office: Office) -> None:
    """While a machine thinks in one game, an answer in another game of the same worker is carried out."""
    office.desk.put(Job(Rank.NOW, 2, "y", str, ("answer",)))
    assert office.end() == (2, True, "answer")
    office.go_on.set()
    assert office.end() == (1, True, "thought")


def test_one_game_is_never_in_two_hands(office: Office) -> None:
    """What concerns the game that is thought about waits for the thought, goes before later ones, and holds up nobody."""
    office.desk.put(Job(Rank.LATE, 2, "z", str, ("a later thought",)))
    office.desk.put(Job(Rank.NOW, 3, "x", str, ("a question",)))
    office.desk.put(Job(Rank.NOW, 4, "y", str, ("answer",)))
    assert office.end() == (4, True, "answer")
    office.go_on.set()
    assert [office.end()[0] for _ in range(3)] == [1, 3, 2]


def _answer_beside(office: Office, patience: float) -> bool:
    """An answer for the sake of which the thought is let go; whether the thought went on before the answer was done."""
    office.go_on.set()
    return office.went_on.wait(patience)


def test_a_thought_stands_still_while_people_wait(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thought that comes to its next decision goes on when the answer that is being worked on is done."""
    monkeypatch.setattr(desk_module, "COURTESY", 600.0)
    office.desk.put(Job(Rank.NOW, 2, "y", _answer_beside, (office, 0.3)))
    assert [office.end(), office.end()] == [(2, True, False), (1, True, "thought")]


def test_no_crowd_keeps_a_thought_still_for_ever(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thought goes on after a while, although an answer is still being worked on."""
    monkeypatch.setattr(desk_module, "COURTESY", 0.01)
    office.desk.put(Job(Rank.NOW, 2, "y", _answer_beside, (office, SECONDS)))
    assert sorted([office.end(), office.end()]) == [(1, True, "thought"), (2, True, True)]


def test_a_question_that_has_to_wait_keeps_no_thought_still(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """What concerns the very game that is thought about waits for the thought, so the thought does not wait for it."""
    monkeypatch.setattr(desk_module, "COURTESY", 600.0)
    office.desk.put(Job(Rank.NOW, 2, "x", str, ("a question",)))
    office.desk.put(Job(Rank.NOW, 3, "y", str, ("answer",)))
    assert office.end() == (3, True, "answer")
    office.go_on.set()
    assert [office.end()[0], office.end()[0]] == [1, 2]


def test_a_machine_gives_way_before_each_decision() -> None:
    """Each question that a machine answers lets people's answers of other games go first."""
    gave: list[None] = []

    def play() -> int:
        set_way(lambda: gave.append(None))
        referee = Referee(Coins(), None)
        plan = BattlePlan(
            "g", "", write_setup(Coins().lay_out(GameForm(), 0)), ("", "default"), ("p", "m"), Fairness(bytes(32))
        )
        outcome = referee.open(plan, [])
        while not outcome.thinking:
            default = msgspec.json.decode(outcome.standing)["request"]["default"]
            outcome = referee.act("g", "answer", "A", default, None)
        return referee.act("g", "carry_on").entry.count('"who":"B"')

    assert copy_context().run(play) == len(gave) == 2


def test_an_error_of_a_job_goes_to_whoever_waits(office: Office) -> None:
    """A job that fails replies with its error, and the desk goes on."""
    office.desk.put(Job(Rank.NOW, 2, "y", int, ("no number",)))
    number, ok, error = office.end()
    assert (number, ok) == (2, False) and isinstance(error, ValueError)
    office.desk.put(Job(Rank.NOW, 3, "y", int, ("7",)))
    assert office.end() == (3, True, 7)


class Stop(BaseException):
    """What no handler of errors takes."""


def stop() -> None:
    """Stop for good."""
    raise Stop


def test_nothing_ends_the_threads_of_a_desk(office: Office) -> None:
    """Not even what is no error: whoever waits hears of it, and the next is served."""
    office.desk.put(Job(Rank.NOW, 2, "y", stop, ()))
    number, ok, error = office.end()
    assert (number, ok) == (2, False) and isinstance(error, EngineFault)
    office.desk.put(Job(Rank.NOW, 3, "y", abs, (-3,)))
    assert office.end() == (3, True, 3)


def test_an_errand_may_not_have_all_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """What would take more memory than is meant is refused with a sentence."""
    monkeypatch.setattr(workers_module, "MEMORY_OF_ERRANDS", 300 * 1024**2)
    workers = Workers(1, Coins())
    try:
        with pytest.raises(BadInput, match="more memory"):
            asyncio.run(workers.errand(bytearray, 600 * 1024**2))
        assert asyncio.run(workers.errand(abs, -3)) == 3
    finally:
        workers.close()


def test_an_errand_that_takes_for_ever_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """What somebody sent may not take longer than is meant: it is refused with a sentence, its process ended, the next done."""
    workers = Workers(1, Coins())
    try:
        assert asyncio.run(workers.errand(os.getpid)) != os.getpid()
        monkeypatch.setattr(workers_module, "LONGEST_ERRAND", 0.5)
        with pytest.raises(BadInput, match="longer than"):
            asyncio.run(workers.errand(time.sleep, 60))
        monkeypatch.setattr(workers_module, "LONGEST_ERRAND", 60.0)
        assert asyncio.run(workers.errand(abs, -3)) == 3
    finally:
        workers.close()


def test_an_errand_that_kills_its_process_is_refused() -> None:
    """If the process breaks down over what somebody sent, that is said, and the next errand has a process again."""
    workers = Workers(1, Coins())
    try:
        with pytest.raises(EngineFault):
            asyncio.run(workers.errand(os._exit, 1))
        assert asyncio.run(workers.errand(abs, -3)) == 3
    finally:
        workers.close()


def test_only_so_many_errands_may_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Past the cap a sentence says so, and nothing is begun."""
    monkeypatch.setattr(workers_module, "MOST_ERRANDS", 0)
    workers = Workers(0, Coins())
    with pytest.raises(BadInput, match="too many questions"):
        asyncio.run(workers.errand(abs, -3))
    workers.close()
