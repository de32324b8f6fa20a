"""The hall: the battles of this server, who may sit at them, and the catalogue new ones are put together from."""

from __future__ import annotations

import asyncio
import re
import time
from typing import Any, Protocol

import msgspec
import sqlalchemy as sa

from rolloff.errors import BadInput
from rolloff.oracle.dice import seed_bytes, stream_seed
from rolloff.record.fairness import Fairness, Mixing, new_secret
from rolloff.rules.game import Game
from rolloff.rules.play import SIDES
from rolloff.server.battle import OPEN, OVER, WAITING, Battle
from rolloff.server.live import BattlePlan, read_mixing, read_plan, read_result, write_setup
from rolloff.server.messages import GameForm
from rolloff.server.referee import Opponents
from rolloff.server.seats import BOTH, INVITE, PERSON, SELF, WATCH, hash_of, new_id, new_token
from rolloff.server.storage import BATTLES, TAPE, TOKENS, Storage
from rolloff.server.workers import Workers

MOST_BATTLES = 1000
"""So many battles may be under way on one server."""
MOST_HELD = 200
"""So many battles are held ready; idle ones beyond that are let go until somebody wants them."""
MOST_TOKENS = 200
"""So many tokens may be asked about at once."""

Json = dict[str, Any]
_SHOWN = tuple(BATTLES.c[name] for name in ("id", "title", "status", "listed", "made", "changed", "result"))
"""What a list shows of a battle: neither its plan nor its record, which are long."""
_ID = re.compile(r"[A-Za-z0-9_-]{1,32}")


class Catalogue(Opponents, Protocol):
    """What can be played, and how it is laid out."""

    def offers(self) -> Json:
        """Editions with their armies, tables and missions, and the machine's opponents, the usual first."""
        ...

    def lay_out(self, form: GameForm, seed: int) -> Game:
        """The game somebody wants, or `BadInput`."""
        ...


class Started(msgspec.Struct):
    """A battle that was started: the seat of whoever asked, and the links for others. Tokens are given this once."""

    id: str
    title: str
    seat: str
    token: str
    invite: str | None
    watch: str
    commitment: str
    practice: bool


class Pass(msgspec.Struct, frozen=True):
    """What a token opens: a seat of a battle, and whether it is its owner's."""

    battle: str
    seat: str
    owner: bool


def _check_id(id_: str) -> None:
    """`BadInput` for what cannot be the id of a battle: no database is asked for it."""
    if not _ID.fullmatch(id_):
        raise BadInput("unknown-game", f"there is no game {id_[:40]!r}", where="game")


class LaidOut(msgspec.Struct, frozen=True):
    """A game before its first die, written down."""

    title: str
    setup: bytes


def _lay_out(catalogue: Catalogue, form: GameForm, seed: int) -> LaidOut:
    game = catalogue.lay_out(form, seed)
    a, b = game.setup.armies
    return LaidOut(f"{game.edition.name}: {a} against {b}", write_setup(game))


class Hall:
    """Opens battles and finds them again."""

    def __init__(self, catalogue: Catalogue, storage: Storage, workers: Workers) -> None:
        """Begin with what is kept."""
        self.catalogue = catalogue
        self.storage = storage
        self.workers = workers
        self.battles: dict[str, Battle] = {}
        self._starting = 0
        self._finding = asyncio.Lock()

    @property
    def signer(self) -> str | None:
        """The public key records are signed with."""
        return self.workers.signer

    def offers(self) -> Json:
        """The catalogue, with the ways to play against no machine."""
        offered = self.catalogue.offers()
        people = [
            {"id": PERSON, "name": "A person at another page"},
            {"id": SELF, "name": "Nobody: you play both sides"},
        ]
        return offered | {"opponents": [*offered["opponents"], *people]}

    # Starting

    def _check_offered(self, form: GameForm, offers: Json) -> None:
        """`BadInput` for anything the catalogue does not name: no page opens files."""
        editions = {one["id"]: one for one in offers["editions"]}
        shelf = editions.get(form.edition) if form.edition else next(iter(editions.values()), None)
        if shelf is None:
            code = "unknown-edition" if form.edition else "not-offered"
            raise BadInput(code, f"no edition {form.edition!r} is offered", where="edition", allowed=", ".join(editions))
        for field, kind in (("army_a", "armies"), ("army_b", "armies"), ("table", "tables"), ("mission", "missions")):
            wanted, known = getattr(form, field), [one["id"] for one in shelf.get(kind, ())]
            if wanted and wanted not in known:
                message = f"nothing called {wanted!r} is offered"
                raise BadInput("not-offered", message, where=field, allowed=", ".join(known) or "nothing")
        for name, sent, field in ((form.army_a, form.list_a, "list_a"), (form.army_b, form.list_b, "list_b")):
            if name and sent is not None:
                raise BadInput("two-armies", "a list was sent beside the name of an army", where=field, allowed="one of them")

    async def open(self, form: GameForm, *, files: bool = False) -> Started:
        """Lay out a battle and play up to its first question.

        With ``files`` armies and tables may be files on this machine.
        """
        if form.seat not in SIDES:
            raise BadInput("bad-seat", f"there is no side {form.seat!r}", where="seat", allowed=", ".join(SIDES))
        if form.seed is not None and abs(form.seed) >= 2**63:
            raise BadInput("bad-seed", "this seed is too large", where="seed", allowed="a 64-bit number")
        offers = await asyncio.to_thread(self.offers)
        form.opponent = form.opponent or offers["opponents"][0]["id"]
        if not files:
            self._check_offered(form, offers)
        self._starting += 1
        try:
            await self._check_room()
            return await self._start(form)
        finally:
            self._starting -= 1

    async def _check_room(self) -> None:
        """`BadInput` if too many battles are under way, those that are being started counted too."""
        count = sa.select(sa.func.count()).select_from(BATTLES).where(BATTLES.c.status != OVER)
        under_way = await self.storage.look(lambda c: c.execute(count).scalar() or 0)
        if under_way + self._starting > MOST_BATTLES:
            raise BadInput("too-many", "too many battles are being played here", allowed=str(MOST_BATTLES))

    async def _start(self, form: GameForm) -> Started:
        practice = form.seed is not None
        secret = new_secret() if form.seed is None else seed_bytes(form.seed, "game", 0)
        table = int.from_bytes(stream_seed(secret, "table")[:6], "big")
        lay_out = self.workers.errand if form.list_a or form.list_b else asyncio.to_thread
        laid = await lay_out(_lay_out, self.catalogue, form, table)
        machines, players = ["", ""], ["person", "person"]
        if form.opponent not in (PERSON, SELF):
            other = 1 - SIDES.index(form.seat)
            self.catalogue.opponent(form.opponent, stream_seed(secret, "trial"), other)
            machines[other] = players[other] = form.opponent
        plan = BattlePlan(
            new_id(),
            laid.title,
            laid.setup,
            (machines[0], machines[1]),
            (players[0], players[1]),
            Fairness(secret, practice=practice),
        )
        mixes = form.opponent == PERSON and not practice
        battle = Battle(plan, WAITING if mixes else OPEN, Mixing(), self.workers, self.storage)
        started = await self._keep(battle, form)
        self.battles[plan.id] = battle
        await battle.begin()
        self._make_room()
        return started

    async def _keep(self, battle: Battle, form: GameForm) -> Started:
        """Keep a new battle and the hashes of its tokens."""
        seat = BOTH if form.opponent == SELF else form.seat
        tokens = {seat: new_token(), WATCH: new_token()}
        other = SIDES[1 - SIDES.index(form.seat)]
        if form.opponent == PERSON:
            tokens[INVITE + other] = new_token()
        now = int(time.time())
        row = {"id": battle.id, "made": now, "changed": now, "title": battle.title, "status": battle.status}
        row |= {"listed": form.listed, "plan": msgspec.msgpack.encode(battle.plan), "mixing": "{}"}
        hashes = [
            {"hash": hash_of(token), "battle": battle.id, "seat": name, "owner": name == seat} for name, token in tokens.items()
        ]

        def write(c: sa.Connection) -> None:
            c.execute(sa.insert(BATTLES).values(**row))
            c.execute(sa.insert(TOKENS), hashes)

        await self.storage.do(write)
        fair = battle.fairness()
        return Started(
            battle.id,
            battle.title,
            seat,
            tokens[seat],
            tokens.get(INVITE + other),
            tokens[WATCH],
            fair["commitment"],
            fair["practice"],
        )

    # Finding

    async def find(self, id_: str) -> Battle:
        """A battle by id, from memory or from what is kept; `BadInput` if there is none."""
        _check_id(id_)
        async with self._finding:
            found = self.battles.get(id_)
            if found is None:
                kept = sa.select(BATTLES.c.plan, BATTLES.c.mixing, BATTLES.c.status).where(BATTLES.c.id == id_)
                row = await self.storage.look(lambda c: c.execute(kept).first())
                if row is None:
                    raise BadInput("unknown-game", f"there is no game {id_[:40]!r}", where="game")
                plan, mixing = read_plan(row.plan), read_mixing(row.mixing)
                found = self.battles[id_] = Battle(plan, row.status, mixing, self.workers, self.storage)
                self._make_room()
            return found

    def _make_room(self) -> None:
        """Let go of the battles that were idle longest, beyond those that are held; none is lost by it."""
        idle = [battle for battle in self.battles.values() if not battle.busy]
        idle.sort(key=lambda battle: battle.wanted)
        for battle in idle[: max(0, len(self.battles) - MOST_HELD)]:
            self.let_go(battle.id)

    def let_go(self, id_: str) -> None:
        """Hold a battle no longer."""
        if self.battles.pop(id_, None) is not None:
            self.workers.let_go(id_)

    # Seats

    async def admit(self, id_: str, token: str) -> Pass:
        """What a token opens at a battle; at a shared one anybody may look on. `BadInput` if it opens nothing."""
        _check_id(id_)
        query = sa.select(TOKENS).where(TOKENS.c.hash == hash_of(token), TOKENS.c.battle == id_)
        listed = sa.select(BATTLES.c.listed).where(BATTLES.c.id == id_)
        row, shared = await self.storage.look(lambda c: (c.execute(query).first(), c.execute(listed).scalar()))
        if row is not None and not row.seat.startswith(INVITE):
            return Pass(id_, row.seat, bool(row.owner))
        if shared and not token:
            return Pass(id_, WATCH, False)
        if shared is None:
            raise BadInput("unknown-game", f"there is no game {id_[:40]!r}", where="game")
        raise BadInput("no-seat", "this opens no seat of this battle", where="token", allowed="the token of a seat")

    async def join(self, id_: str, invite: str) -> tuple[Pass, str]:
        """Exchange an invitation for the token of its seat; once."""
        _check_id(id_)
        token = new_token()
        query = sa.select(TOKENS).where(TOKENS.c.hash == hash_of(invite), TOKENS.c.battle == id_)

        def claim(c: sa.Connection) -> str | None:
            row = c.execute(query).first()
            if row is None or not row.seat.startswith(INVITE):
                return None
            seat = str(row.seat).removeprefix(INVITE)
            taken = c.execute(sa.delete(TOKENS).where(TOKENS.c.hash == row.hash)).rowcount
            if taken:
                c.execute(sa.insert(TOKENS).values(hash=hash_of(token), battle=id_, seat=seat, owner=False))
            return seat if taken else None

        seat = await self.storage.do(claim)
        if seat is None:
            message = "this invitation opens no seat: it is used up, or never was one"
            raise BadInput("no-invitation", message, where="invite", allowed="a fresh invitation")
        return Pass(id_, seat, False), token

    # Lists

    def _row(self, row: Any, seat: str = WATCH, owner: bool = False) -> Json:
        battle = self.battles.get(row.id)
        return {
            "id": row.id,
            "title": row.title,
            "over": row.status == OVER,
            "waiting": row.status == WAITING,
            "listed": bool(row.listed),
            "made": row.made,
            "changed": row.changed,
            "result": read_result(row.result),
            "seat": "none" if seat == WATCH else seat,
            "owner": owner,
            "present": battle.presence() if battle else {"A": False, "B": False, "watching": 0},
        }

    async def shared(self) -> list[Json]:
        """The battles anybody may look at, newest first."""
        query = sa.select(*_SHOWN).where(BATTLES.c.listed).order_by(BATTLES.c.made.desc()).limit(200)
        return [self._row(row) for row in await self.storage.look(lambda c: c.execute(query).all())]

    async def mine(self, tokens: list[str]) -> list[Json]:
        """The battles these tokens open, newest first."""
        if len(tokens) > MOST_TOKENS:
            raise BadInput("too-many", "too many tokens at once", where="tokens", allowed=str(MOST_TOKENS))
        hashes = [hash_of(token) for token in tokens]
        query = sa.select(*_SHOWN, TOKENS.c.seat, TOKENS.c.owner).join(TOKENS).where(TOKENS.c.hash.in_(hashes))
        rows = await self.storage.look(lambda c: c.execute(query.order_by(BATTLES.c.made.desc())).all())
        return [self._row(row, row.seat, bool(row.owner)) for row in rows if not row.seat.startswith(INVITE)]

    async def share(self, id_: str, listed: bool) -> None:
        """Let anybody find and watch a battle, or nobody any more."""
        await self.storage.do(lambda c: c.execute(sa.update(BATTLES).where(BATTLES.c.id == id_).values(listed=listed)))

    async def delete(self, id_: str) -> None:
        """Delete a battle for good, unless another person still plays it. Only its owner should be let to."""
        battle = await self.find(id_)
        if not battle.over and PERSON in battle.plan.players and len(battle.people) > 1 and not await self._alone(id_):
            raise BadInput("under-way", "another player sits at this battle: it can be deleted when it is over", where="game")
        self.let_go(id_)
        for viewer in tuple(battle.viewers):
            viewer.drop()

        def write(c: sa.Connection) -> None:
            for table in (TAPE, TOKENS):
                c.execute(sa.delete(table).where(table.c.battle == id_))
            c.execute(sa.delete(BATTLES).where(BATTLES.c.id == id_))

        await self.storage.do(write)

    async def _alone(self, id_: str) -> bool:
        """Whether nobody but the owner has a seat."""
        query = sa.select(TOKENS.c.seat).where(TOKENS.c.battle == id_, sa.not_(TOKENS.c.owner), TOKENS.c.seat.in_(SIDES))
        return not await self.storage.look(lambda c: c.execute(query).all())

    async def counts(self) -> dict[str, int]:
        """How much is going on."""
        rows = await self.storage.look(
            lambda c: c.execute(sa.select(BATTLES.c.status, sa.func.count()).group_by(BATTLES.c.status)).all()
        )
        kept = {str(status): int(count) for status, count in rows}
        viewers = sum(len(battle.viewers) for battle in self.battles.values())
        found = {f"battles_{name}": kept.get(name, 0) for name in (WAITING, OPEN, OVER)}
        return found | {"battles_held": len(self.battles), "viewers": viewers, "worker_restarts": self.workers.restarts}
