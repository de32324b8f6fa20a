"""A battle on the server: one session, one lock, and everybody who looks on.

Whoever connects is told the whole situation, and from then on every batch of events, in order. The engine
works in a thread, one thing at a time for each battle, so that the server stays awake.
"""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec.structs import asdict

from rolloff.errors import BadInput, IllegalCommand, RolloffError
from rolloff.oracle.oracle import Chooser
from rolloff.record.book import Recorder
from rolloff.record.depiction import write_situation
from rolloff.record.result import result_of
from rolloff.record.session import Session
from rolloff.record.wire import event_json, tell
from rolloff.rules.answers import read_answer
from rolloff.rules.game import Game
from rolloff.rules.play import SIDES, Play
from rolloff.server.evidence import line_to, marker_rows, with_line
from rolloff.server.messages import refusal_json
from rolloff.server.naming import named
from rolloff.server.previews import look
from rolloff.server.prompts import prompt_json, words_json
from rolloff.server.survey import survey
from rolloff.server.trial import try_answer
from rolloff.table.event import Event, apply
from rolloff.table.request import Talk
from rolloff.table.state import State

BOTH, NOBODY = "both", "none"
SEATS = (*SIDES, BOTH, NOBODY)
BACKLOG = 256
"""A viewer this many messages behind is let go; it is told everything anew when it comes back."""

_HELD = ("state", "drawn", "answers", "shown", "request", "play")
"""What a session is put back to when something goes wrong."""

Json = dict[str, Any]
T = TypeVar("T")
_log = logging.getLogger(__name__)


class EngineFault(RolloffError):
    """The engine broke down over something; the game stands as it was."""


class Viewer:
    """Somebody who looks on: a seat, and what it has yet to be told."""

    def __init__(self, seat: str) -> None:
        """Begin with nothing to tell."""
        self.seat = seat
        self.inbox: asyncio.Queue[bytes | None] = asyncio.Queue(BACKLOG)

    def tell(self, message: bytes) -> None:
        """Put a message in line; a viewer too far behind gets no more."""
        try:
            self.inbox.put_nowait(message)
        except asyncio.QueueFull:
            while not self.inbox.empty():
                self.inbox.get_nowait()
            self.inbox.put_nowait(None)


class Battle:
    """One game being played and watched."""

    def __init__(self, id_: str, game: Game, dice: bytes, seats: Sequence[Chooser | None], players: tuple[str, str]) -> None:
        """Lay out a game; ``seats`` holds a chooser for each machine and None for each person."""
        self.id = id_
        self.title = f"{game.edition.name}: {game.setup.armies[0]} against {game.setup.armies[1]}"
        self.session = Session(game, dice, seats, watch=self._seen)
        self.viewers: set[Viewer] = set()
        self.log: list[Json] = []
        self._told = self.session.state
        self._serial = 0
        self._lock = asyncio.Lock()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._record = io.BytesIO()
        self._recorder = Recorder(self._record, game, dice, players)
        self._steps: list[tuple[Play, State]] = []

    @property
    def people(self) -> tuple[str, ...]:
        """The sides that people play."""
        return tuple(side for side, seat in zip(SIDES, self.session.seats, strict=True) if seat is None)

    @property
    def over(self) -> bool:
        """Whether the battle has ended."""
        return self.session.over

    async def begin(self) -> None:
        """Play up to the first question."""
        await self._uncut(self._play_on(self.session.advance))

    def check_seat(self, seat: str) -> None:
        """`BadInput` for a seat that does not exist or that a machine has taken."""
        if seat not in SEATS:
            raise BadInput("bad-seat", f"there is no seat {seat!r}", where="seat", allowed=", ".join(SEATS))
        wanted = SIDES if seat == BOTH else (seat,)
        if seat != NOBODY and not set(wanted) <= set(self.people):
            allowed = ", ".join((*self.people, NOBODY))
            raise BadInput("taken-seat", f"a machine plays side {wanted[-1]}", where="seat", allowed=allowed)

    async def join(self, viewer: Viewer) -> None:
        """Greet a viewer; from here on it is told all that happens."""
        async with self._lock:
            viewer.tell(msgspec.json.encode(self._hello(viewer.seat)))
            self.viewers.add(viewer)

    def leave(self, viewer: Viewer) -> None:
        """A viewer is gone."""
        self.viewers.discard(viewer)

    async def answer(self, seat: str, value: Any, serial: int | None = None) -> None:
        """Answer the open request for a seat, and tell everybody what comes of it.

        Raises:
            IllegalCommand: the rules refuse the answer; the request stands.
            BadInput: it is not this seat's question, or not the question that was answered.
        """
        await self._uncut(self._answer(seat, value, serial))

    async def talk(self, seat: str, name: str, said: Json, by: str = "") -> None:
        """Say something for a seat, and tell everybody what comes of it. It need not be that seat's turn.

        Raises:
            IllegalCommand: the rules refuse it.
            BadInput: nobody sits there, or the edition does not know it.
        """
        side = by if seat == BOTH else seat
        if side not in SIDES or (by and by != side):
            raise BadInput("not-yours", f"seat {seat} cannot speak for {by or 'anybody'}", where="by", allowed="A or B")
        talk = Talk(SIDES.index(side), name, {**said, "by": side})
        await self._uncut(self._play_on(lambda: self.session.talk(talk)))

    async def judge(self, value: Any) -> Json:
        """What the rules make of an answer, without giving it."""
        try:
            facts = await self._uncut(self._ask(lambda: try_answer(self.session, value)))
        except EngineFault:
            raise
        except RolloffError as error:
            return {"legal": False, "refusal": refusal_json(error, self.named), "facts": {}}
        return {"legal": True, "refusal": None, "facts": facts}

    async def odds(self, option: Any) -> Json:
        """The exact odds of an option, where the edition can tell, and the line of sight to it, where there is one."""
        return await self._uncut(self._ask(lambda: self._preview(option)))

    async def look(self, value: Any) -> Json:
        """What a move would lead to, without making it."""
        return await self._uncut(self._ask(lambda: look(self.session, value)))

    async def survey(self, plan: Json) -> list[Json]:
        """The questions of the screen that is open, answered as planned."""
        return await self._uncut(self._ask(lambda: survey(self.session, plan)))

    def named(self, text: str) -> str:
        """A sentence with names for ids."""
        return named(self.session.game, text)

    async def situation(self) -> Json:
        """The battle as a newcomer sees it."""
        async with self._lock:
            return self._hello(NOBODY)

    async def record(self) -> bytes:
        """The record so far: whole steps, and the end once it has come."""
        async with self._lock:
            return self._record.getvalue()

    def _check_turn(self, seat: str, serial: int | None) -> None:
        request = self.session.request
        if request is None:
            raise BadInput("nothing-asked", "nothing is being asked right now", where="answer")
        if seat not in (SIDES[request.who], BOTH):
            raise BadInput("not-yours", f"this is for side {SIDES[request.who]} to decide", where="answer")
        if serial is not None and serial != self._serial:
            raise BadInput("too-late", "this question has been answered already", where="answer")

    def _uncut(self, work: Coroutine[Any, Any, T]) -> Awaitable[T]:
        """Work that goes on to its end, and keeps its lock that long, even if whoever asked is gone."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return asyncio.shield(task)

    async def _answer(self, seat: str, value: Any, serial: int | None) -> None:
        def give() -> list[Event]:
            session = self.session
            assert session.request is not None
            return session.answer(read_answer(session.game, session.now, session.request, value))

        await self._play_on(give, lambda: self._check_turn(seat, serial))

    async def _ask(self, question: Callable[[], T]) -> T:
        async with self._lock:
            return await self._work(question)

    async def _play_on(self, task: Callable[[], list[Event]], first: Callable[[], None] | None = None) -> None:
        """Let something happen and tell everybody; if it is refused or breaks, nothing has happened."""
        async with self._lock:
            if first is not None:
                first()
            before = self._snapshot()
            try:
                events = await self._work(task)
            except RolloffError:
                self._restore(before)
                raise
            batch = self._note(events)
            for viewer in tuple(self.viewers):
                viewer.tell(batch)

    async def _work(self, task: Callable[[], T]) -> T:
        """Run a task of the engine in a thread."""
        try:
            return await asyncio.to_thread(task)
        except RolloffError:
            raise
        except Exception as error:
            _log.exception("the engine broke down in battle %s", self.id)
            raise EngineFault("engine-fault", "the referee stumbled over this; the game stands") from error

    def _snapshot(self) -> dict[str, Any]:
        held = {name: getattr(self.session, name) for name in _HELD}
        return held | {"answers": list(self.session.answers)}

    def _restore(self, before: dict[str, Any]) -> None:
        for name, value in before.items():
            setattr(self.session, name, value)
        self._steps.clear()

    def _seen(self, play: Play, before: State) -> None:
        """Steps are written into the record when all that follows from an answer has gone well."""
        self._steps.append((play, before))

    def _preview(self, option: Any) -> Json:
        from rolloff.odds.quick import preview

        request, play = self.session.request, self.session.play
        if request is None or play is None or request.options is None or option not in request.options:
            raise BadInput("not-offered", "this is not among what is offered", where="option")
        return {"odds": preview(play, request, option), "line": line_to(play.game, play.state, request, option)}

    def _note(self, events: list[Event]) -> bytes:
        game = self.session.game
        fresh = []
        for number, event in enumerate(events, len(self.log)):
            told = event_json(game, event, number) | {"text": tell(game, event)}
            fresh.append(with_line(game, self._told, event, told))
            self._told = apply(self._told, event)
        self.log += fresh
        self._serial += 1
        for play, before in self._steps:
            self._recorder.step(play, before)
        if self.over and self._steps:
            self._recorder.end(self.session.state)
        self._steps.clear()
        return msgspec.json.encode({"type": "events", "events": fresh, **self._standing()})

    def _standing(self) -> Json:
        session = self.session
        request = session.request
        shown = None if request is None else prompt_json(session.game, session.now, request, self._serial, session.play)
        result = result_of(session.game, session.now)
        over = asdict(result) if session.over else None
        markers = marker_rows(session.game, session.now)
        return {"request": shown, "over": over, "score": list(result.score), "markers": markers}

    def _hello(self, seat: str) -> Json:
        session = self.session
        return {
            "type": "hello",
            "seat": seat,
            "title": self.title,
            "armies": list(session.game.setup.armies),
            "talk": list(session.game.edition.talk),
            "words": words_json(session.game.edition),
            "situation": write_situation(session.game, session.now),
            "log": self.log,
            **self._standing(),
        }


def sentence(error: RolloffError) -> str:
    """An error in one sentence, with what would be right."""
    allowed = f" (allowed: {error.allowed})" if error.allowed and not isinstance(error, IllegalCommand) else ""
    return f"{error.message}{allowed}"
