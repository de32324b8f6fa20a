"""A battle on the server: one game that a worker plays, kept before it is told, and everybody who looks on.

Whoever connects is told the whole situation, or what it has not seen yet; from then on every batch of events, in order. A
batch goes out when it is durable: what nobody can lose is what everybody has heard.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

import msgspec
import sqlalchemy as sa

from rolloff.errors import BadInput, IllegalCommand, RecordError, RolloffError
from rolloff.record.fairness import Fairness, Mixing, commitment
from rolloff.rules.play import SIDES
from rolloff.server.desk import Rank
from rolloff.server.live import DAMAGED, NOT_THINKING, TAKEN_BACK, BattlePlan, Outcome, greeting, read_setup
from rolloff.server.messages import LONGEST_SENTENCE, short
from rolloff.server.metrics import METRICS
from rolloff.server.referee import EngineFault, NotOpen
from rolloff.server.seats import BOTH, WATCH, sides_of
from rolloff.server.storage import BATTLES, TAPE, Storage, StorageError
from rolloff.server.viewer import Viewer
from rolloff.server.workers import Workers

MOST_VIEWERS = 600
"""So many may look on at one battle."""
WAITING, OPEN, OVER = "waiting", "open", "over"

Json = dict[str, Any]
T = TypeVar("T")
_encode = msgspec.json.Encoder().encode
_TAPED = sa.insert(TAPE)
_CHANGED = sa.update(BATTLES).where(BATTLES.c.id == sa.bindparam("battle")).values(changed=sa.bindparam("now"))


class Battle:
    """One game being played and watched."""

    def __init__(self, plan: BattlePlan, status: str, mixing: Mixing, workers: Workers, storage: Storage) -> None:
        """Hold what is kept of it; it is opened when somebody wants it."""
        self.plan = plan
        self.status = status
        self.mixing = mixing
        self.viewers: set[Viewer] = set()
        self.log: list[bytes] = []
        self.wanted = time.monotonic()
        self._workers = workers
        self._storage = storage
        self._entries = 0
        self._cuts = 0
        self._standing = b"{}"
        self._hello: bytes | None = None
        self._opened = False
        self._carrying = False
        self._lock = asyncio.Lock()
        self._tasks: set[asyncio.Task[Any]] = set()

    @property
    def id(self) -> str:
        """Its name in addresses."""
        return self.plan.id

    @property
    def title(self) -> str:
        """What it is called."""
        return self.plan.title

    @property
    def people(self) -> tuple[str, ...]:
        """The sides that people play."""
        return tuple(side for side, machine in zip(SIDES, self.plan.machines, strict=True) if not machine)

    @property
    def over(self) -> bool:
        """Whether the battle has ended."""
        return self.status == OVER

    @property
    def busy(self) -> bool:
        """Whether somebody looks on, or something is under way."""
        return bool(self.viewers or self._tasks or self._lock.locked())

    # What may happen

    async def begin(self) -> None:
        """Play up to the first question, unless players have to mix in their numbers first."""
        await self._uncut(self._ready())

    async def answer(self, seat: str, value: Any, serial: int | None = None) -> None:
        """Answer the open request for a seat; when this returns the answer is kept, and everybody is told.

        Raises:
            IllegalCommand: the rules refuse the answer; the request stands.
            BadInput: it is not this seat's question, or not the question that was answered.
            StorageError: it could not be kept; nothing has happened.
        """
        if not sides_of(seat):
            raise BadInput("not-yours", "who looks on does not answer", where="answer")
        await self._uncut(self._do("answer", seat, value, serial))

    async def talk(self, seat: str, name: str, said: Json, by: str = "") -> None:
        """Say something for a seat, and tell everybody what comes of it. It need not be that seat's turn.

        Raises:
            IllegalCommand: the rules refuse it.
            BadInput: nobody sits there, or the edition does not know it.
        """
        side = by if seat == BOTH else seat
        if side not in SIDES or (by and by != side):
            raise BadInput("not-yours", f"seat {seat} cannot speak for {by or 'anybody'}", where="by", allowed="A or B")
        await self._uncut(self._do("talk", side, name, said))

    async def take_back(self, seat: str) -> None:
        """Take a seat's last answer back; everybody is shown the table as it was."""
        if not sides_of(seat):
            raise BadInput("not-yours", "who looks on takes nothing back", where="take-back")
        await self._uncut(self._do("take_back", seat))

    async def promise(self, seat: str, hashed: str) -> None:
        """A player promises a number to be mixed into the dice."""
        await self._uncut(self._mix(seat, lambda side: self.mixing.promise(side, hashed)))

    async def number(self, seat: str, number: str) -> None:
        """A player shows the number that was promised; with the second the battle begins."""
        await self._uncut(self._mix(seat, lambda side: self.mixing.show(side, number)))

    async def ask(self, kind: str, value: Any) -> Json:
        """Something about the open question that changes nothing."""
        rank = Rank.NOW if kind == "judge" else Rank.SOON
        found: Json = await self._look_up("ask", self.id, kind, value, rank=rank)
        return found

    async def record(self) -> bytes:
        """The record so far: whole steps, and the end once it has come."""
        kept = await self._storage.look(
            lambda c: c.execute(sa.select(BATTLES.c.record).where(BATTLES.c.id == self.id)).scalar()
        )
        if kept is not None:
            return bytes(kept)
        found: bytes = await self._look_up("record", self.id)
        return found

    # Who looks on

    async def join(self, viewer: Viewer, seen: int | None = None, cuts: int = 0) -> None:
        """Greet a viewer, or tell it what it has not seen; from here on it is told all that happens."""
        await self._uncut(self._ready())
        async with self._lock:
            if len(self.viewers) >= MOST_VIEWERS:
                raise BadInput("too-many", "too many look on at this battle", allowed=str(MOST_VIEWERS))
            self.viewers.add(viewer)
            self._present()
            if seen is not None and cuts == self._cuts and 0 <= seen <= len(self.log) and self._opened:
                viewer.tell(self._batch(self.log[seen:], again=True))
            else:
                viewer.tell(await self._greeting(viewer.seat, viewer.owner))

    def leave(self, viewer: Viewer) -> None:
        """A viewer is gone."""
        self.wanted = time.monotonic()
        if viewer in self.viewers:
            self.viewers.discard(viewer)
            self._present()

    async def situation(self, seat: str = WATCH) -> bytes:
        """The battle as a newcomer sees it."""
        await self._uncut(self._ready())
        async with self._lock:
            return await self._greeting(seat, False)

    def presence(self) -> Json:
        """Who is here."""
        seated = {side for viewer in self.viewers for side in sides_of(viewer.seat)}
        watching = sum(not sides_of(viewer.seat) for viewer in self.viewers)
        return {side: side in seated or side not in self.people for side in SIDES} | {"watching": watching}

    def fairness(self) -> Json:
        """What everybody may know of the dice: the commitment, and the secret when the battle is over."""
        fair = self.plan.fairness
        return {
            "commitment": commitment(fair.secret),
            "practice": fair.practice,
            "stage": self.mixing.stage if self.status == WAITING else "done",
            "promised": self.mixing.promised,
            "numbers": self.mixing.shown,
            "seed": fair.secret.hex() if self.over else None,
        }

    # How it is done

    def _uncut(self, work: Coroutine[Any, Any, T]) -> Awaitable[T]:
        """Work that goes on to its end, and keeps its lock that long, even if whoever asked is gone."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        self.wanted = time.monotonic()
        return asyncio.shield(task)

    async def _ready(self) -> None:
        """Have the game open in its worker, unless it waits for its players."""
        if self._opened or self.status == WAITING:
            return
        async with self._lock:
            await self._open()

    async def _open(self) -> None:
        if self._opened:
            return
        rows = await self._storage.look(
            lambda c: c.execute(sa.select(TAPE.c.entry).where(TAPE.c.battle == self.id).order_by(TAPE.c.n)).scalars().all()
        )
        tape = list(rows)
        try:
            outcome: Outcome = await self._workers.call(self.id, "open", self.plan, tape, rank=Rank.SOON)
        except (RecordError, IllegalCommand) as error:
            if error.code == DAMAGED:
                raise
            message = f"this battle cannot be played on: it was begun under other rules ({error.message})"
            raise RecordError("other-rules", message, where="game") from None
        self._entries = len(tape)
        self._cuts = tape.count(TAKEN_BACK)
        if not tape:
            await self._keep(outcome)
        self.log = list(outcome.events)
        self._standing, self._hello = outcome.standing, None
        self._opened = True
        self._go_on(outcome)

    async def _look_up(self, method: str, *given: Any, rank: Rank = Rank.NOW) -> Any:
        """Ask the worker for something that changes nothing; nobody has to wait for a command that is under way."""
        if self.status == WAITING:
            raise BadInput("not-begun", "this battle has not begun", where=method)
        await self._uncut(self._ready())
        try:
            return await self._workers.call(self.id, method, *given, rank=rank)
        except NotOpen:
            async with self._lock:
                return await self._call(method, *given, rank=rank)

    async def _call(self, method: str, *given: Any, rank: Rank = Rank.NOW) -> Any:
        """Let the worker do something, and open the game again if it is not there; not for ever. The lock is held."""
        for _ in range(2):
            try:
                return await self._workers.call(self.id, method, *given, rank=rank)
            except NotOpen:
                self._opened = False
                await self._open()
        raise EngineFault("engine-fault", "the referee could not be woken; the game stands")

    async def _do(self, what: str, *given: Any) -> Outcome:
        """Let something happen, keep it, then tell everybody; if it is refused, breaks or cannot be kept, nothing has."""
        begun = time.perf_counter()
        async with self._lock:
            if self.status == WAITING:
                raise BadInput("not-begun", "this battle has not begun", where=what)
            await self._open()
            rank = Rank.LATE if what == "carry_on" else Rank.NOW
            outcome: Outcome = await self._call("act", self.id, what, *given, rank=rank)
            await self._keep(outcome)
            self._hello = None
            self._standing = outcome.standing
            if outcome.entry == TAKEN_BACK:
                self._cuts += 1
                del self.log[len(self.log) - outcome.cut :]
                for viewer in tuple(self.viewers):
                    viewer.tell(await self._greeting(viewer.seat, viewer.owner))
            else:
                self.log += outcome.events
                self._broadcast(self._batch(list(outcome.events)))
        METRICS.command(what, time.perf_counter() - begun)
        self._go_on(outcome)
        return outcome

    def _go_on(self, outcome: Outcome) -> None:
        """A machine thinks on its own time."""
        if outcome.thinking and not self._carrying:
            self._carrying = True
            task = asyncio.create_task(self._carry_on())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _carry_on(self) -> None:
        """Let the machine play, step by step, until a person is asked; others may speak up in between."""
        try:
            while (await self._do("carry_on")).thinking:
                pass
        except RolloffError as error:
            if error.code != NOT_THINKING:
                self._broadcast(_encode({"type": "error", "message": error.message}))
        finally:
            self._carrying = False

    async def _keep(self, outcome: Outcome) -> None:
        """Make an outcome durable; if that fails the worker forgets it too."""
        over = outcome.result is not None
        n, now = self._entries + 1, int(time.time())

        def write(c: sa.Connection) -> None:
            c.execute(_TAPED, {"battle": self.id, "n": n, "entry": outcome.entry})
            if over:
                ended = {"status": OVER, "result": outcome.result, "record": outcome.record}
                c.execute(sa.update(BATTLES).where(BATTLES.c.id == self.id).values(changed=now, **ended))
            else:
                c.execute(_CHANGED, {"battle": self.id, "now": now})

        try:
            await self._storage.do(write)
        except StorageError:
            self._opened = False
            await self._workers.call(self.id, "close", self.id)
            raise
        self._entries = n
        if over:
            self.status = OVER

    async def _mix(self, seat: str, work: Callable[[str], None]) -> None:
        """Take a promise or a number, keep it, and tell everybody; with the last number the battle begins."""
        async with self._lock:
            if seat not in SIDES or self.status != WAITING:
                raise BadInput("not-asked", "no number is asked for", where="mixing")
            before = Mixing(self.mixing.promised, self.mixing.shown)
            work(seat)
            done = self.mixing.stage == "done"
            plan = self.plan
            if done:
                secret, practice = plan.fairness.secret, plan.fairness.practice
                plan = msgspec.structs.replace(plan, fairness=Fairness(secret, self.mixing.added, practice))
            try:
                await self._keep_mixing(plan, OPEN if done else WAITING)
            except StorageError:
                self.mixing = before
                raise
            self.plan = plan
            if done:
                self.status = OPEN
                await self._open()
            self._hello = None
            for viewer in tuple(self.viewers):
                viewer.tell(await self._greeting(viewer.seat, viewer.owner))

    async def _keep_mixing(self, plan: BattlePlan, status: str) -> None:
        mixed = _encode({"promised": self.mixing.promised, "shown": self.mixing.shown}).decode()
        values = {"plan": msgspec.msgpack.encode(plan), "mixing": mixed, "status": status}
        await self._storage.do(lambda c: c.execute(sa.update(BATTLES).where(BATTLES.c.id == self.id).values(**values)))

    # What is told

    def _broadcast(self, message: bytes) -> None:
        for viewer in tuple(self.viewers):
            viewer.tell(message)

    def _present(self) -> None:
        self._broadcast(_encode({"type": "presence", "present": self.presence()}))

    def _batch(self, events: list[bytes], again: bool = False) -> bytes:
        """Events as a message, with how things stand after them; ``again`` to a viewer that comes back."""
        more: Json = {"type": "events", "seq": len(self.log)}
        if again:
            more["present"] = self.presence()
        if self.over:
            more["fairness"] = self.fairness()
        return _encode(more)[:-1] + b',"events":[' + b",".join(events) + b"]," + self._standing[1:]

    async def _greeting(self, seat: str, owner: bool) -> bytes:
        """The whole situation, for a seat."""
        if self._hello is None:
            self._hello = await self._rest()
        mine = {"type": "hello", "seat": "none" if seat == WATCH else seat, "owner": owner, "present": self.presence()}
        return _encode(mine)[:-1] + b"," + self._hello

    async def _rest(self) -> bytes:
        """What every greeting has: situation, log, fairness, and how things stand."""
        fairness = _encode({"seq": len(self.log), "cuts": self._cuts, "fairness": self.fairness()})[1:-1]
        if self.status == WAITING:
            game = read_setup(self.plan.setup)
            nothing: Json = {"log": [], "request": None, "thinking": None, "over": None, "score": [0, 0], "markers": []}
            nothing |= {"can_take_back": "the battle has not begun", "take_back_by": None}
            return fairness + b"," + greeting(self.plan, game, game.start())[1:-1] + b"," + _encode(nothing)[1:]
        hello: bytes = await self._call("hello", self.id)
        return fairness + b"," + hello[1:-1] + b',"log":[' + b",".join(self.log) + b"]," + self._standing[1:]


def sentence(error: RolloffError) -> str:
    """An error in one sentence, with what would be right."""
    allowed = f" (allowed: {error.allowed})" if error.allowed and not isinstance(error, IllegalCommand) else ""
    return short(f"{error.message}{allowed}", 4 * LONGEST_SENTENCE)
