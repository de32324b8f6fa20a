"""A real server of coin flips on a free port, and what the tests say to it."""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Any

import httpx
import msgspec
import pytest
from websockets.sync.client import ClientConnection, connect

from rolloff.editions import registry
from rolloff.server.app import create_app
from rolloff.server.hall import Catalogue, Hall
from rolloff.server.opening import open_hall
from rolloff.server.serve import address_of, make_server, take_port
from rolloff.server.storage import FILE, Storage, file_of
from tests.server.coinflip import EDITION, Coins

Json = dict[str, Any]


class Seat:
    """One connection to one game."""

    def __init__(self, line: ClientConnection, token: str, seen: int | None = None) -> None:
        """Speak over this line, and ask for the token's seat."""
        self.line = line
        self.number = secrets.token_bytes(32)
        self.say(type="sit", token=token, **({} if seen is None else {"seen": seen}))

    def next(self) -> Json:
        """The very next message."""
        found: Json = msgspec.json.decode(self.line.recv(timeout=10))
        return found

    def heard(self) -> Json:
        """The next message that is not about who is here."""
        while (found := self.next())["type"] == "presence":
            pass
        return found

    def settled(self) -> Json:
        """The next message after which no machine thinks on; all events up to it stand in it."""
        found = self.heard()
        events = list(found.get("events", ()))
        while found.get("thinking"):
            found = self.heard()
            events += found.get("events", ())
        return found | {"events": events}

    def say(self, **message: Any) -> None:
        """Send a message."""
        self.line.send(msgspec.json.encode(message).decode())

    def ask(self, **message: Any) -> Json:
        """Send a message and hear the next."""
        self.say(**message)
        return self.heard()

    def answer(self, value: Any) -> Json:
        """Answer the open request and hear what comes of it."""
        self.say(type="answer", value=value)
        return self.settled()

    def promise(self) -> None:
        """Promise a number."""
        self.say(type="promise", hash="sha256:" + hashlib.sha256(self.number).hexdigest())

    def show(self) -> None:
        """Show the number."""
        self.say(type="number", number=self.number.hex())


class Table:
    """A client of the server."""

    def __init__(self, address: str, hall: Hall) -> None:
        """Speak to the server at this address."""
        self.address = address
        self.hall = hall
        self.client = httpx.Client(base_url=address, timeout=60)
        self.tokens: dict[str, dict[str, str]] = {}

    def start(self, **wish: Any) -> str:
        """Start a practice game, or one with a secret seed for ``seed=None``; its id. Its tokens are kept."""
        reply = self.client.post("/api/games", json={"seed": 5, **wish})
        assert reply.status_code == 201, reply.text
        found = reply.json()
        game = str(found["id"])
        self.tokens[game] = {found["seat"]: found["token"], "none": found["watch"]}
        if found["invite"]:
            joined = self.client.post(f"/api/games/{game}/join", json={"invite": found["invite"]}).json()
            self.tokens[game][joined["seat"]] = joined["token"]
        return game

    def get(self, game: str, path: str = "", seat: str = "none") -> httpx.Response:
        """Something of a game, with the token of a seat."""
        return self.client.get(f"/api/games/{game}{path}", headers={"authorization": f"Bearer {self.tokens[game][seat]}"})

    @contextmanager
    def sit(
        self, game: str, seat: str = "A", token: str | None = None, seen: int | None = None, **headers: str
    ) -> Iterator[Seat]:
        """Take a seat of a game."""
        address = self.address.replace("http", "ws", 1)
        held = self.tokens.get(game, {}).get(seat, "") if token is None else token
        with connect(f"{address}ws/{game}", additional_headers=headers, ping_interval=None) as line:
            yield Seat(line, held, seen)


def report(text: str) -> None:
    """Say what a long run found; `pytest -s` shows it."""
    sys.stdout.write(f"\n{text}")
    sys.stdout.flush()


@contextmanager
def served(hall: Hall, port: int = 0) -> Iterator[Table]:
    """A server of a hall on a free port, or on the one it had before."""
    ready, listening = Event(), take_port(port)
    server = make_server(create_app(hall), ready.set)
    thread = Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    assert ready.wait(10)
    found = Table(address_of(listening), hall)
    yield found
    found.client.close()
    server.should_exit = True
    thread.join(10)
    listening.close()


@cache
def blank_database() -> bytes:
    """A database without battles: made once, then copied."""
    with TemporaryDirectory() as folder:
        Storage(file_of(Path(folder))).close()
        return (Path(folder) / FILE).read_bytes()


def prepare(folder: Path) -> None:
    """A data folder with a blank database, unless it has one."""
    folder.mkdir(exist_ok=True)
    if not (folder / FILE).exists():
        (folder / FILE).write_bytes(blank_database())


@contextmanager
def coins_at(
    folder: Path, catalogue: Catalogue | None = None, workers: int = 0, database: str = "", port: int = 0
) -> Iterator[Table]:
    """A server of coin flips over a data folder."""
    registry.register(EDITION)
    prepare(folder)
    with ExitStack() as stack:
        hall = stack.enter_context(open_hall(catalogue or Coins(), folder, database, workers))
        yield stack.enter_context(served(hall, port))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A fresh server on a free port."""
    with coins_at(tmp_path / "data") as found:
        yield found


@pytest.fixture
def postgresql(tmp_path: Path) -> Iterator[str]:
    """The address of a fresh PostgreSQL, run by a plain user; its programs refuse root."""
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    if not programs:
        pytest.skip("no PostgreSQL on this machine")
    folder = Path(tempfile.mkdtemp(prefix="rolloff-pg-"))
    user = ["setpriv", "--reuid=nobody", "--clear-groups"] if os.geteuid() == 0 else []
    if user:
        shutil.chown(folder, "nobody")

    def run(program: str, *options: str) -> None:
        command = [*user, str(programs[-1] / program), "-D", str(folder / "data"), *options]
        subprocess.run(command, check=True, capture_output=True, cwd=folder)

    run("initdb", "-U", "rolloff", "--auth=trust")
    run("pg_ctl", "-w", "-l", str(folder / "log"), "-o", f"-c listen_addresses='' -k {folder}", "start")
    try:
        yield f"postgresql://rolloff@/postgres?host={folder}"
    finally:
        run("pg_ctl", "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)
