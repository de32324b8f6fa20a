"""A server that is killed again and again, and a player who notes what was acknowledged."""

from __future__ import annotations

import faulthandler
import os
import random
import secrets
import signal
import threading
import time
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

import httpx
import msgspec
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from rolloff.record.lines import parse
from rolloff.record.verify import verify_lines
from rolloff.server.app import create_app
from rolloff.server.catalogue import Library
from rolloff.server.hall import Catalogue
from rolloff.server.opening import open_hall
from rolloff.server.serve import address_of, make_server, take_port
from tests.server.coinflip import Coins
from tests.server.conftest import prepare

Json = dict[str, Any]
LOST = (WebSocketException, OSError, EOFError, TimeoutError, httpx.HTTPError)
SLOW = 10.0
"""Seconds after which a start is looked into."""
CATALOGUES: dict[str, Catalogue] = {"coins": Coins(), "library": Library()}
_processes = get_context("forkserver")
_processes.set_forkserver_preload([__name__])


def serve_for_ever(folder: str, catalogue: str, workers: int, database: str, port: int, tell: Connection) -> None:
    """A whole server in a process of its own; it says where it listens. A start that is slow says where it stands."""
    faulthandler.dump_traceback_later(SLOW, repeat=True)
    listening = take_port(port)

    def tell_address() -> None:
        faulthandler.cancel_dump_traceback_later()
        tell.send(address_of(listening))

    with open_hall(CATALOGUES[catalogue], Path(folder), database, workers) as hall:
        make_server(create_app(hall), tell_address).run(sockets=[listening])


class Victim:
    """A server process."""

    def __init__(self, folder: Path, catalogue: str = "coins", workers: int = 0, database: str = "", port: int = 0) -> None:
        """Start it, and wait until it answers."""
        prepare(folder)
        mine, its = _processes.Pipe()
        start = (str(folder), catalogue, workers, database, port, its)
        self.process = _processes.Process(target=serve_for_ever, args=start, daemon=not workers)
        self.begun = time.monotonic()
        self.process.start()
        first = wait([mine, self.process.sentinel], 120)
        assert first, "the server did not start in two minutes"
        assert mine in first, f"the server ended at its start with {self.process.exitcode}"
        self.address: str = mine.recv()
        self.took = time.monotonic() - self.begun

    def kill(self) -> None:
        """Kill it as a power cut would."""
        if self.process.pid is not None and self.process.is_alive():
            os.kill(self.process.pid, signal.SIGKILL)
        self.process.join(10)


class Blow:
    """A kill at a random moment: some while after one of the next answers is sent, or after the server came up."""

    def __init__(self, victim: Victim, chance: random.Random, longest: float) -> None:
        """Choose the moment."""
        self._answers = chance.randrange(6)
        self._clock = threading.Timer(chance.uniform(0, longest), victim.kill)
        if self._answers == 0:
            self._clock.start()

    def sent(self) -> None:
        """An answer is on its way."""
        self._answers -= 1
        if self._answers == 0:
            self._clock.start()

    def fall(self) -> None:
        """Wait until it has fallen, if its time has come."""
        if self._clock.ident is not None:
            self._clock.join()


class Player:
    """Plays one battle through any number of servers, by its suggestions, and knows what must have been kept."""

    def __init__(self, address: str, **wish: Any) -> None:
        """Start a battle with secret dice."""
        reply = httpx.post(f"{address}api/games", json=wish, timeout=120)
        assert reply.status_code == 201, reply.text
        self.started: Json = reply.json()
        self.log: list[Json] = []
        self.sent: Json | None = None  # the answer that was sent and not acknowledged yet
        self.acknowledged = 0
        self.repeated = 0
        self.over: Json | None = None

    def play(self, address: str, sent: Callable[[], None] = lambda: None) -> None:
        """Answer until the battle is over or the server is gone; ``sent`` hears of every answer that is on its way."""
        with connect(f"{address.replace('http', 'ws', 1)}ws/{self.started['id']}", open_timeout=60, ping_interval=None) as line:
            line.send(msgspec.json.encode({"type": "sit", "token": self.started["token"]}).decode())
            while self.over is None:
                message = msgspec.json.decode(line.recv(timeout=120))
                if message["type"] not in ("hello", "events"):
                    assert message["type"] == "presence", message
                    continue
                self.take(message)
                if message["request"] is not None:
                    self.sent = message["request"]
                    answer = {"type": "answer", "value": self.sent["default"], "serial": self.sent["serial"]}
                    line.send(msgspec.json.encode(answer).decode())
                    sent()

    def take(self, message: Json) -> None:
        """Note what happened; everything known before must still be there, once and in its place."""
        if message["type"] == "hello":
            known = len(self.log)
            assert message["log"][:known] == self.log, "what was acknowledged is gone or changed"
            if self.sent is not None and message["request"] is not None:
                serial = message["request"]["serial"]
                assert serial >= self.sent["serial"], "the game has gone back"
                self.repeated += serial == self.sent["serial"]
            self.log = message["log"]
        else:
            assert [event["n"] for event in message["events"]] == [*range(len(self.log), message["seq"])]
            self.log += message["events"]
            self.acknowledged += self.sent is not None
        self.sent = None
        self.over = message["over"]

    def verify(self, address: str) -> None:
        """The record of the finished battle is true, and signed."""
        headers = {"authorization": f"Bearer {self.started['token']}"}
        record = httpx.get(f"{address}api/games/{self.started['id']}/record", headers=headers, timeout=120).content
        verdict = verify_lines(parse(record, "x"), "x")
        assert verdict.verified and verdict.proof == "signed" and not verdict.practice, verdict
        assert msgspec.json.decode(record.splitlines()[0])["commitment"] == self.started["commitment"]


def any_seed() -> int:
    """A seed that no run had before; ROLLOFF_SOAK_SEED names one, to have a run again."""
    return int(os.environ.get("ROLLOFF_SOAK_SEED") or secrets.randbits(32))


def survive(folder: Path, kills: int, seed: int, longest: float, wish: Json, **how: Any) -> Json:
    """Kill servers at random moments of battles, and play on; how much was played, and the slowest start.

    A kill falls up to ``longest`` seconds after an answer is sent: before it is heard, while it is carried out, kept or told.
    """
    Coins().install()
    chance = random.Random(seed)
    found: Json = {"seed": seed, "kills": 0, "battles": 0, "acknowledged": 0, "repeated": 0, "slowest": 0.0}
    calm = Victim(folder, **how)
    player = Player(calm.address, **wish)
    calm.kill()
    while found["kills"] < kills:
        victim = Victim(folder, **how)
        found["slowest"] = max(found["slowest"], victim.took)
        blow = Blow(victim, chance, longest)
        try:
            while True:
                if player.over is not None:
                    player = _next(player, victim.address, wish, found)
                player.play(victim.address, blow.sent)
        except LOST:
            blow.fall()
            found["kills"] += 1
        finally:
            victim.kill()
    last = Victim(folder, **how)
    try:
        player.play(last.address)
        _next(player, last.address, wish, found)
    finally:
        last.kill()
    return found


def _next(player: Player, address: str, wish: Json, found: Json) -> Player:
    """Verify the battle that is over, and begin another."""
    player.verify(address)
    following = Player(address, **wish)
    found["battles"] += 1
    found["acknowledged"] += player.acknowledged
    found["repeated"] += player.repeated
    return following
