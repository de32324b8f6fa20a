"""Limits: nobody takes more room, time or memory than is meant, and nobody else waits for it."""

from __future__ import annotations

import asyncio
import re
import resource
import socket
import time
import tracemalloc
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlparse

import httpx
import msgspec
import pytest
import schemathesis
import sqlalchemy as sa
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from rolloff.errors import BadInput
from rolloff.server import battle as battle_module
from rolloff.server import bodies
from rolloff.server import hall as hall_module
from rolloff.server import serve as serve_module
from rolloff.server.app import create_app
from rolloff.server.battle import OVER
from rolloff.server.guard import ANY, trouble
from rolloff.server.opening import open_hall
from rolloff.server.serve import MOST_CONNECTIONS, allow_connections, hosts_of, take_port
from rolloff.server.storage import BATTLES
from rolloff.server.viewer import BACKLOG, MOST_QUEUED, Viewer
from tests.server.coinflip import Coins
from tests.server.conftest import Table, coins_at, prepare

T = TypeVar("T")


def raw_line(table: Table) -> socket.socket:
    """A bare connection to the server."""
    where = urlparse(table.address)
    return socket.create_connection((where.hostname or "", where.port or 0), timeout=10)


def test_a_viewer_that_does_not_read_is_let_go() -> None:
    """Neither many nor large messages pile up for a viewer who never reads; one large message still gets through."""
    slow = Viewer("watch")
    for _ in range(BACKLOG + 5):
        slow.tell(b"x")
    assert asyncio.run(slow.heard()) is None
    assert slow.left() == []
    heavy = Viewer("watch")
    heavy.tell(bytes(MOST_QUEUED + 1))
    assert len(asyncio.run(heavy.heard()) or b"") == MOST_QUEUED + 1
    heavy.tell(bytes(MOST_QUEUED - 1))
    heavy.tell(bytes(2))
    assert asyncio.run(heavy.heard()) is None


def test_lists_are_made_without_records(table: Table) -> None:
    """Who lists battles, or asks how one stands, makes the server read no record of a finished one."""
    games = [table.start(opponent="self", listed=True) for _ in range(2)]
    long = {"record": bytes(32 * 2**20), "status": OVER, "result": "{}"}
    table.hall.storage.wait(lambda c: c.execute(sa.update(BATTLES).values(**long)))
    table.hall.battles.clear()
    tokens = [table.tokens[game]["both"] for game in games]
    tracemalloc.start()
    try:
        assert len(table.client.get("/api/games").json()["games"]) == 2
        assert len(table.client.post("/api/games/mine", json={"tokens": tokens}).json()["games"]) == 2
        assert table.get(games[0]).status_code == 200
        assert tracemalloc.get_traced_memory()[1] < 16 * 2**20
    finally:
        tracemalloc.stop()


def test_connections_may_stand_that_the_usual_limit_forbids() -> None:
    """A server raises the low limit on open files that many systems begin with, as far as it may."""
    usual, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (250, most))
    try:
        allow_connections()
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (min(2 * MOST_CONNECTIONS, most), most)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (usual, most))


def small_socket(table: Table) -> socket.socket:
    """A connection of somebody who takes little at a time."""
    found = socket.socket()
    found.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    where = urlparse(table.address)
    found.connect((where.hostname, where.port))
    return found


def send_for_ever(send: Callable[[T], object], message: T) -> None:
    """Send the same again and again; nobody listens to it without end."""
    for _ in range(20_000):
        send(message)
        time.sleep(0.0002)


def test_a_page_that_never_reads_is_hung_up_on(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever sends and takes no answer loses the connection, and its place at the battle with it."""
    monkeypatch.setattr(serve_module, "STUCK", 0.5)
    game = table.start(opponent="self")
    with connect(f"ws{table.address[4:]}ws/{game}", sock=small_socket(table), max_queue=1, ping_interval=None) as line:
        line.send(msgspec.json.encode({"type": "sit", "token": table.tokens[game]["both"]}).decode())
        with pytest.raises((ConnectionClosed, OSError)):
            send_for_ever(line.send, '{"type":"' + "x" * 1500 + '"}')
    for _ in range(500):
        if not table.hall.battles[game].viewers:
            break
        time.sleep(0.01)
    assert not table.hall.battles[game].viewers


def test_an_answer_that_is_never_read_is_not_kept(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks again and again and takes no answer is hung up on, in the middle of one."""
    monkeypatch.setattr(serve_module, "STUCK", 0.5)
    line = small_socket(table)
    line.settimeout(60)
    asking = b"GET /api/openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with line, pytest.raises((ConnectionError, BrokenPipeError)):
        send_for_ever(line.sendall, asking)


def test_a_battle_has_room_for_so_many(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Past the cap a viewer is turned away with a sentence; when one leaves there is room again."""
    monkeypatch.setattr(battle_module, "MOST_VIEWERS", 2)
    game = table.start()
    with table.sit(game, "none") as one, table.sit(game, "none") as two:
        assert one.heard()["type"] == two.heard()["type"] == "hello"
        with table.sit(game, "none") as three:
            assert three.heard()["code"] == "too-many"


def test_the_cap_on_battles_holds_however_many_ask_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many who start at the same moment no more than fit get a battle; the others hear so, and nothing is evicted."""
    monkeypatch.setattr(hall_module, "MOST_BATTLES", 5)
    with coins_at(tmp_path) as table, ThreadPoolExecutor(12) as crowd:
        wish = {"opponent": "self", "seed": 1}
        replies = list(crowd.map(lambda _: httpx.post(f"{table.address}api/games", json=wish, timeout=20), range(12)))
        started = [reply.json() for reply in replies if reply.status_code == 201]
        assert 1 <= len(started) <= 5
        assert {reply.status_code for reply in replies} <= {201, 429}
        assert all(reply.json()["error"]["code"] == "too-many" for reply in replies if reply.status_code == 429)
        for one in started:
            with table.sit(one["id"], token=one["token"]) as seat:
                assert seat.heard()["request"]


def test_half_a_request_is_hung_up_on(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever does not finish the head of a request, a first or a second one, is not waited for."""
    monkeypatch.setattr(serve_module, "PATIENCE", 0.3)
    with closing(raw_line(table)) as silent, closing(raw_line(table)) as slow, closing(raw_line(table)) as second:
        slow.sendall(b"GET /api/games HTTP/1.1\r\nHost: local")
        second.sendall(b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert second.recv(65536).startswith(b"HTTP/1.1 200")
        second.sendall(b"GET /api/health HTT")
        for line in (silent, slow, second):
            line.settimeout(5)
            assert line.recv(10) == b""


def test_a_body_that_does_not_come_is_not_waited_for(
    table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A slow body is refused with a sentence; a client that leaves in the middle of one leaves no traceback in the log."""
    monkeypatch.setattr(bodies, "PATIENCE", 0.3)
    head = b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"
    with closing(raw_line(table)) as slow:
        slow.sendall(head)
        assert slow.recv(65536).startswith(b"HTTP/1.1 408")
    with closing(raw_line(table)) as leaving:
        leaving.sendall(head)
    time.sleep(0.1)
    assert table.client.get("/api/health").status_code == 200
    assert not [record for record in caplog.records if record.exc_info]


def test_a_page_that_asks_for_no_seat_is_not_waited_for(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection that never shows a token is closed."""
    from websockets.sync.client import connect

    from rolloff.server import talking

    monkeypatch.setattr(talking, "PATIENCE", 0.2)
    with connect(f"{table.address.replace('http', 'ws', 1)}ws/{table.start()}") as line:
        assert "no seat was asked for" in str(line.recv(timeout=10))


def test_health_and_metrics(table: Table) -> None:
    """The server says how it is, with which key it signs, and what it counted."""
    game = table.start(opponent="self")
    with table.sit(game, "both") as seat:
        seat.heard()
        seat.answer("heads")
        health = table.client.get("/api/health").json()
        assert (health["status"], health["battles"]) == ("ok", 1)
        assert health["signer"].startswith("ed25519:")
        metrics = table.client.get("/metrics").text
        assert 'rolloff_command_seconds_count{kind="answer"}' in metrics
        assert "rolloff_battles_open 1" in metrics and "rolloff_viewers 1" in metrics


def test_answers_are_packed_for_whoever_takes_them_so(table: Table) -> None:
    """Long JSON and the files of the page are packed, and say so; files may be kept for ever."""
    game = table.start()
    reply = table.get(game)
    assert reply.headers["content-encoding"] == "gzip" and reply.json()["type"] == "hello"
    page = table.client.get("/")
    if page.status_code == 200:
        assert page.headers["content-encoding"] == "gzip"
        names = re.findall(r"assets/([^\"]+\.js)", page.text)
        asset = table.client.get(f"/assets/{names[0]}")
        assert (asset.headers["content-encoding"], "immutable" in asset.headers["cache-control"]) == ("gzip", True)
    for name in ("..%2f..%2fapp.py", "%2e%2e/app.py", "nothing.js", ".hidden"):
        assert table.client.get(f"/assets/{name}").status_code == 404


@pytest.mark.parametrize(
    ("listen", "host", "passes"),
    [
        ("127.0.0.1", "192.168.1.20:8642", False),
        ("192.168.1.20", "192.168.1.20:8642", True),
        ("192.168.1.20", "10.0.0.1", False),
        ("192.168.1.20", "rebound.example.org", False),
        ("0.0.0.0", "10.1.2.3:8642", True),
        ("0.0.0.0", "rebound.example.org", False),
        ("::", "[fe80::1]:8642", True),
    ],
)
def test_a_server_answers_to_its_own_addresses(listen: str, host: str, passes: bool) -> None:
    """Told to listen elsewhere it answers to that address, on all addresses to any of them, and never to foreign names."""
    hosts = hosts_of(listen)
    assert (trouble(Headers({"host": host}), hosts) is None) is passes
    assert (ANY in hosts) is (listen in ("0.0.0.0", "::"))


def test_an_address_that_is_none() -> None:
    """A name or nonsense to listen on is refused with what would be right."""
    for listen in ("example.org", "300.1.1.1", ""):
        with pytest.raises(BadInput, match="no address"):
            take_port(0, listen)
    with pytest.raises(BadInput, match=r"this machine has no address 192\.0\.2\.1"):
        take_port(0, "192.0.2.1")


# The description of the API, tried out


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The application with its description, as schemathesis reads it."""
    folder = tmp_path_factory.mktemp("api")
    prepare(folder)
    with open_hall(Coins(), folder, workers=0) as hall:
        yield schemathesis.openapi.from_asgi("/api/openapi.json", create_app(hall, frozenset({"testserver"})))


@schemathesis.serializer("application/jsonl")
def as_lines(_context: Any, value: Any) -> bytes:
    """A record as it is sent."""
    return str(value).encode("utf-8", "replace")


CHECKS = [status_code_conformance, content_type_conformance, response_schema_conformance, negative_data_rejection]


@pytest.mark.parametrize("malformed", [False, True])
def test_the_api_is_as_it_is_described(api: Any, malformed: bool) -> None:
    """Whatever is sent, well or malformed, no answer is outside the description, and no malformed body is taken."""
    mode = GenerationMode.NEGATIVE if malformed else GenerationMode.POSITIVE
    tried = 0
    for found in api.get_all_operations():
        operation = found.ok()
        if malformed and not list(operation.body):
            continue

        @settings(
            max_examples=15, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck), database=None
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def try_it(case: Any) -> None:
            reply = case.call()
            assert reply.status_code < 500
            case.validate_response(reply, checks=CHECKS)

        try_it()
        tried += 1
    assert tried >= (8 if malformed else 20)
