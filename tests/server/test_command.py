"""`rolloff play` as a program: it says where the table is, serves it, and ends cleanly."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Thread
from urllib.parse import parse_qs, urlparse

import httpx
import pytest
from websockets.sync.client import connect

Start = Callable[..., subprocess.Popen[str]]
PLAY = (sys.executable, "-m", "rolloff", "play", "--no-browser")


@pytest.fixture
def start(tmp_path: Path) -> Callable[..., subprocess.Popen[str]]:
    """A way to start the program over a fresh data folder."""

    def started(*options: str) -> subprocess.Popen[str]:
        environment = os.environ | {"PYTHONUNBUFFERED": "1", "ROLLOFF_DATA": str(tmp_path / "data")}
        return subprocess.Popen((*PLAY, *options), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)

    return started


def test_play_serves_the_game_asked_for_until_interrupted(start: Start) -> None:
    """The address printed leads to the game asked for; an interrupt ends the program with 130 and no traceback."""
    program = start("--port", "0", "--opponent", "self", "--seed", "1", "--workers", "1")
    assert program.stdout is not None
    found = re.search(r"http://\S+", program.stdout.readline())
    assert found is not None
    address = urlparse(found[0])
    host, game = address.netloc, parse_qs(address.query)["game"][0]
    token = parse_qs(address.fragment)["seat"][0]
    headers = {"authorization": f"Bearer {token}"}
    assert httpx.get(f"http://{host}/api/games/{game}", timeout=10, headers=headers).json()["request"]
    with connect(f"ws://{host}/ws/{game}") as line:
        line.send(f'{{"type":"sit","token":"{token}"}}')
        heard = [str(line.recv(timeout=10)) for _ in range(2)]
        assert any('"hello"' in one and '"seat":"both"' in one for one in heard)
        program.send_signal(signal.SIGINT)
        _, errors = program.communicate(timeout=60)
    assert program.returncode == 130
    assert "Traceback" not in errors


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_play_is_stopped_while_requests_are_under_way(start: Start, stop: signal.Signals) -> None:
    """First requests at one moment are served; who waits when the program is stopped hears so; no traceback."""
    program = start("--port", "0", "--workers", "1")
    assert program.stdout is not None
    found = re.search(r"http://\S+", program.stdout.readline())
    assert found is not None
    replies: list[httpx.Response] = []

    def ask(client: httpx.Client) -> None:
        with suppress(httpx.HTTPError):
            replies.append(client.post("/api/games", json={"opponent": "self"}))

    with httpx.Client(base_url=found[0], timeout=60, limits=httpx.Limits(max_connections=8)) as client:
        assert client.get("/api/health").status_code == 200
        threads = [Thread(target=ask, args=(client,)) for _ in range(8)]
        for thread in threads:
            thread.start()
        time.sleep(0.1)
        assert program.poll() is None
        program.send_signal(stop)
        _, errors = program.communicate(timeout=60)
        for thread in threads:
            thread.join()
    assert (program.returncode, errors.strip()) == (130, "interrupted")
    assert {reply.status_code for reply in replies} <= {201, 503}
    assert all(reply.json()["error"]["code"] == "stopping" for reply in replies if reply.status_code == 503)


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (("--opponent", "nobody-we-know"), "nobody-we-know"),
        (("--edition", "chess"), "chess"),
        (("--army-a", "no-such-army"), "no-such-army"),
        (("--seat", "C"), "C"),
        (("--port", "70000"), "--port"),
    ],
)
def test_play_refuses_what_cannot_be_played(start: Start, options: tuple[str, ...], word: str) -> None:
    """A game that cannot be laid out ends the program with 2 and a sentence that names what is wrong."""
    program = start("--port", "0", *options)
    _, errors = program.communicate(timeout=60)
    assert program.returncode == 2
    assert word in errors
    assert "Traceback" not in errors


def test_play_names_a_port_that_is_taken(start: Start) -> None:
    """A port somebody else listens on is named."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        program = start("--port", port)
        _, errors = program.communicate(timeout=60)
    assert (program.returncode, f"port {port}" in errors) == (2, True)
