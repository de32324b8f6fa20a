"""A real server of coin flips on a free port, and what the tests say to it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

import httpx
import msgspec
import pytest
from websockets.sync.client import ClientConnection, connect

from rolloff.editions import registry
from rolloff.server.app import create_app
from rolloff.server.hall import Hall
from rolloff.server.serve import address_of, make_server, take_port
from tests.server.coinflip import EDITION, Coins

Json = dict[str, Any]


class Seat:
    """One connection to one game."""

    def __init__(self, line: ClientConnection) -> None:
        """Speak over this line."""
        self.line = line

    def heard(self) -> Json:
        """The next message."""
        found: Json = msgspec.json.decode(self.line.recv(timeout=10))
        return found

    def say(self, **message: Any) -> None:
        """Send a message."""
        self.line.send(msgspec.json.encode(message).decode())

    def ask(self, **message: Any) -> Json:
        """Send a message and hear the next."""
        self.say(**message)
        return self.heard()

    def answer(self, value: Any) -> Json:
        """Answer the open request and hear what comes of it."""
        return self.ask(type="answer", value=value)


class Table:
    """A client of the server."""

    def __init__(self, address: str) -> None:
        """Speak to the server at this address."""
        self.address = address
        self.client = httpx.Client(base_url=address, timeout=10)

    def start(self, **wish: Any) -> str:
        """Start a game and give its id."""
        reply = self.client.post("/api/games", json={"seed": 5, **wish})
        assert reply.status_code == 201, reply.text
        return str(reply.json()["id"])

    @contextmanager
    def sit(self, game: str, seat: str = "A", **headers: str) -> Iterator[Seat]:
        """Take a seat of a game."""
        address = self.address.replace("http", "ws", 1)
        with connect(f"{address}ws/{game}?seat={seat}", additional_headers=headers) as line:
            yield Seat(line)


@pytest.fixture
def table() -> Iterator[Table]:
    """A fresh server on a free port."""
    registry.register(EDITION)
    ready, listening = Event(), take_port(0)
    server = make_server(create_app(Hall(Coins())), ready.set)
    thread = Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    assert ready.wait(10)
    found = Table(address_of(listening))
    yield found
    found.client.close()
    server.should_exit = True
    thread.join(10)
    listening.close()
