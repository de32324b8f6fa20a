"""`rolloff play` as a program: it says where the table is, serves it, and ends cleanly."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from urllib.parse import parse_qs, urlparse

import httpx
import pytest
from websockets.sync.client import connect

PLAY = (sys.executable, "-m", "rolloff", "play", "--no-browser")


def start(*options: str) -> subprocess.Popen[str]:
    """Start the program."""
    return subprocess.Popen(
        (*PLAY, *options), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | {"PYTHONUNBUFFERED": "1"}
    )


def test_play_serves_the_game_asked_for_until_interrupted() -> None:
    """The address printed leads to the game asked for; an interrupt ends the program with 130 and no traceback."""
    program = start("--port", "0", "--opponent", "self", "--seed", "1")
    assert program.stdout is not None
    found = re.search(r"http://\S+", program.stdout.readline())
    assert found is not None
    query = parse_qs(urlparse(found[0]).query)
    assert query["seat"] == ["both"]
    host, game = urlparse(found[0]).netloc, query["game"][0]
    assert httpx.get(f"http://{host}/api/games/{game}", timeout=10).json()["request"]
    with connect(f"ws://{host}/ws/{game}?seat=both") as line:
        assert '"hello"' in str(line.recv(timeout=10))
        program.send_signal(signal.SIGINT)
        _, errors = program.communicate(timeout=20)
    assert program.returncode == 130
    assert "Traceback" not in errors


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
def test_play_refuses_what_cannot_be_played(options: tuple[str, ...], word: str) -> None:
    """A game that cannot be laid out ends the program with 2 and a sentence that names what is wrong."""
    program = start("--port", "0", *options)
    _, errors = program.communicate(timeout=20)
    assert program.returncode == 2
    assert word in errors
    assert "Traceback" not in errors


def test_play_names_a_port_that_is_taken() -> None:
    """A port somebody else listens on is named."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        program = start("--port", port)
        _, errors = program.communicate(timeout=20)
    assert (program.returncode, f"port {port}" in errors) == (2, True)
