"""The attacks of a stranger, from outside: a server as a program of its own, and files for the command line.

Nothing here is imported from the server, so that the same attacks can be tried on any version.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

import httpx
import pytest
from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

Json = dict[str, Any]
ROLLOFF = [sys.executable, "-m", "rolloff"]
WISH: Json = {"edition": "onepage-3.0", "army_a": "compact-patrol", "army_b": "levy-patrol", "table": "crossing"}
MARKER = "Swordfish"
GIB = 1 << 30


def run(*given: str, memory: int = 0) -> subprocess.CompletedProcess[str]:
    """A command of Rolloff, perhaps with no more than so much memory."""
    limit = (lambda: resource.setrlimit(resource.RLIMIT_AS, (memory, memory))) if memory else None
    return subprocess.run([*ROLLOFF, *given], capture_output=True, text=True, timeout=120, check=False, preexec_fn=limit)


class Program:
    """A server as people start it."""

    def __init__(self, folder: Path) -> None:
        """Start it over a folder."""
        command = [*ROLLOFF, "play", "--no-browser", "--port", "0"]
        kept = {**os.environ, "ROLLOFF_DATA": str(folder)}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=kept)
        assert self.process.stdout is not None
        found = re.search(r"http://\S+", self.process.stdout.readline())
        assert found is not None
        self.address = found[0]
        self.client = httpx.Client(base_url=self.address, timeout=60)

    def start(self, **more: Any) -> Json:
        """Start a battle against oneself."""
        reply = self.client.post("/api/games", json={**WISH, "opponent": "self", **more})
        assert reply.status_code in (200, 201), reply.text
        found: Json = reply.json()
        return found

    def get(self, game: Json, path: str = "") -> httpx.Response:
        """Something of a battle, for whoever started it."""
        token = {"authorization": f"Bearer {game['token']}"} if "token" in game else {}
        return self.client.get(f"/api/games/{game['id']}{path}", headers=token)

    @contextmanager
    def sit(self, game: Json, token: str) -> Iterator[ClientConnection]:
        """Ask for both seats, with a token."""
        address = f"{self.address.replace('http', 'ws', 1)}ws/{game['id']}?seat=both"
        with connect(address, max_size=None, open_timeout=60, ping_interval=None) as line:
            line.send(json.dumps({"type": "sit", "token": token}))
            yield line

    def kill(self) -> None:
        """Kill it as a power cut would."""
        self._end(signal.SIGKILL)

    def close(self) -> None:
        """End it as people do."""
        self._end(signal.SIGINT)

    def _end(self, how: signal.Signals) -> None:
        assert self.process.stdout is not None
        self.client.close()
        self.process.send_signal(how)
        self.process.wait(30)
        self.process.stdout.close()


def heard(line: ClientConnection, *kinds: str) -> Json:
    """The next message of one of these kinds."""
    while True:
        found: Json = json.loads(line.recv(timeout=30))
        if found["type"] in kinds:
            return found


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """A running server."""
    found = Program(tmp_path_factory.mktemp("attacked"))
    yield found
    found.close()


@pytest.fixture(scope="module")
def half_open(program: Program) -> Iterator[tuple[float, list[socket.socket]]]:
    """Connections that never finish a request, and when they were opened."""
    where = urlparse(program.address)
    lines = [socket.create_connection((where.hostname or "", where.port or 0), timeout=30) for _ in range(20)]
    for line in lines[10:]:
        line.sendall(b"GET /api/games HTTP/1.1\r\nHost: local")
    yield time.monotonic(), lines
    for line in lines:
        line.close()


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a game."""
    folder = tmp_path_factory.mktemp("record")
    armies = ("--army-a", "aegis-compact", "--army-b", "ashen-levy", "--table", WISH["table"])
    made = run("duel", "random", "random", "--edition", WISH["edition"], *armies, "--games", "1", "--record", str(folder))
    assert made.returncode == 0, made.stderr
    return next(folder.glob("*.jsonl"))


@pytest.mark.usefixtures("half_open")
def test_1_no_payload_before_the_end_shows_the_seed(program: Program) -> None:
    """Row 1: in mid-game the record holds a commitment and no seed."""
    game = program.start(table="random", opponent="greedy")
    header = json.loads(program.get(game, "/record").text.splitlines()[0])
    assert header["seed"] is None and header["commitment"].startswith("sha256:")


def test_1_a_chosen_seed_is_practice(program: Program) -> None:
    """Row 1: whoever chooses the seed plays for practice, and the record says so."""
    header = json.loads(program.get(program.start(seed=7), "/record").text.splitlines()[0])
    assert header["practice"] is True


def test_2_no_wish_opens_a_file(program: Program, tmp_path: Path) -> None:
    """Row 2: a path for an army is refused unread, in every edition, with or without ready-made armies."""
    path = tmp_path / "list.json"
    path.write_text(json.dumps({"name": MARKER, "edition": MARKER, "units": [{"unit": MARKER}]}))
    for edition in ("compendium", "commentary-10", "onepage-2.21", "onepage-3.0", ""):
        reply = program.client.post(
            "/api/games", json={"edition": edition, "army_a": str(path), "army_b": str(path), "opponent": "self"}
        )
        assert 400 <= reply.status_code < 500 and MARKER not in reply.text, reply.text


def test_3_seats_are_somebodys(program: Program) -> None:
    """Row 3: no battle is listed, and without its token nobody sees it, sits at it or concedes it."""
    game = program.start()
    assert game["id"] not in program.client.get("/api/games").text
    assert program.client.get(f"/api/games/{game['id']}").status_code == 403
    with program.sit(game, "guess") as line:
        assert heard(line, "error", "hello")["type"] == "error"


def forged(lines: list[Json]) -> str:
    """Lines with every seal made anew."""
    previous, rows = "", []
    for line in lines:
        plain = {key: value for key, value in line.items() if key != "h"}
        written = json.dumps(plain, separators=(",", ":"), ensure_ascii=False)
        previous = "sha256:" + hashlib.sha256((previous + written).encode()).hexdigest()
        rows.append(json.dumps({**plain, "h": previous}, separators=(",", ":"), ensure_ascii=False))
    return "\n".join(rows) + "\n"


def test_4_a_forged_concession_is_no_end(record: Path, tmp_path: Path) -> None:
    """Row 4: a record cut after a check and ended by a concession nobody made is refused."""
    lines = [json.loads(row) for row in record.read_text().splitlines()]
    at = [k for k, line in enumerate(lines) if line["t"] == "check"][2]
    steps = sum(line["t"] == "step" for line in lines[: at + 1])
    path = tmp_path / "forged.jsonl"
    for rounds in (0, 1):
        end = lines[-1] | {"winner": "A", "score": [0, 0], "rounds": rounds, "end": "concede", "steps": steps}
        path.write_text(forged([*lines[: at + 1], end | {"dice": lines[at]["drawn"]}]))
        assert run("record", "verify", str(path)).returncode == 1
    path.write_text(forged(lines))
    assert run("record", "verify", str(path)).returncode == 0, "the forger cannot even write a true record"


def test_5_there_is_one_way_to_write_a_record(record: Path, tmp_path: Path) -> None:
    """Row 5: other line ends, blanks and doubled keys are refused."""
    raw, path = record.read_bytes(), tmp_path / "other.jsonl"
    for other in (raw.replace(b"\n", b"\r\n"), raw.replace(b'":', b'": '), raw.replace(b'{"t":', b'{"t":"x","t":')):
        path.write_bytes(other)
        assert run("record", "verify", str(path)).returncode == 1


def test_5_names_are_bound(record: Path, tmp_path: Path) -> None:
    """Row 5: the name of an army or a unit cannot be changed, with fresh seals either."""
    path = tmp_path / "renamed.jsonl"
    for change in ({"armies": ["Me", "You"]}, {"units": None}):
        lines = [json.loads(row) for row in record.read_text().splitlines()]
        if change["units" if "units" in change else "armies"] is None:
            lines[0]["setup"]["units"][0]["name"] = MARKER
        else:
            lines[0]["setup"].update(change)
        path.write_text(forged(lines))
        assert run("record", "verify", str(path)).returncode == 1


def test_5_a_record_says_who_signed_it(program: Program) -> None:
    """Row 5: what a server wrote is signed by it."""
    header = json.loads(program.get(program.start(), "/record").text.splitlines()[0])
    assert header["signer"] == program.client.get("/api/health").json()["signer"]


def test_6_a_kill_takes_no_battle(tmp_path: Path) -> None:
    """Row 6: after kill -9 the battle is there, with what was acknowledged and the same open question."""
    first = Program(tmp_path)
    game = first.start()
    token = game.get("token", "")
    with first.sit(game, token) as line:
        asked = heard(line, "hello")["request"]
        line.send(json.dumps({"type": "answer", "value": asked["default"], "serial": asked["serial"]}))
        after = heard(line, "events")
    first.kill()
    second = Program(tmp_path)
    try:
        with second.sit(game, token) as line:
            found = heard(line, "hello", "error")
            assert (found["type"], found["seq"], found["request"]) == ("hello", after["seq"], after["request"])
    finally:
        second.close()


def test_7_verifying_leaves_nothing_behind(record: Path) -> None:
    """Row 7: thirty records verified one after the other take hardly more memory than two."""
    code = (
        "import re, sys\nfrom pathlib import Path\nfrom rolloff.record.verify import verify\n"
        "for _ in range(int(sys.argv[2])): assert verify(Path(sys.argv[1])).verified\n"
        "print(re.search(r'VmRSS:\\s+(\\d+)', Path('/proc/self/status').read_text())[1])"
    )
    few, many = (
        int(subprocess.run([sys.executable, "-c", code, str(record), count], capture_output=True, check=True).stdout)
        for count in ("2", "30")
    )
    assert many - few < 12 * 1024


def test_8_talk_is_bounded(program: Program) -> None:
    """Row 8: past the cap nothing more is said, and a greeting stays short."""
    game = program.start()
    with program.sit(game, game.get("token", "")) as line:
        heard(line, "hello")
        replies = []
        for k in range(201):
            said = {"topic": f"topic {k}", "text": "x" * 200}
            line.send(json.dumps({"type": "talk", "name": "dispute", "said": said, "by": "AB"[k % 2]}))
            replies.append(heard(line, "events", "unsaid", "error")["type"])
    assert replies == ["events"] * 200 + ["unsaid"]
    assert len(program.get(game).content) < 4 * 1024 * 1024


def test_9_half_a_request_is_hung_up_on(program: Program, half_open: tuple[float, list[socket.socket]]) -> None:
    """Row 9: whoever does not finish the head of a request is hung up on, and others are served meanwhile."""
    begun, lines = half_open
    assert program.client.get("/api/editions").status_code == 200
    for line in lines:
        line.settimeout(max(1.0, begun + 25 - time.monotonic()))
        assert line.recv(10) == b""


def test_10_files_are_bounded(tmp_path: Path) -> None:
    """Row 10: a small file that unpacks to gigabytes, an endless one, and an army of 420 units are refused."""
    bomb = tmp_path / "bomb.jsonl.gz"
    with gzip.open(bomb, "wb", compresslevel=1) as out:
        for _ in range(700):
            out.write(bytes(1 << 20))
    refused = run("record", "verify", str(bomb), memory=GIB)
    assert (refused.returncode, "Traceback" in refused.stderr, "memory" in refused.stderr.lower()) == (2, False, False)
    assert run("record", "verify", "/dev/zero", memory=GIB).returncode == 2
    units = [{"name": f"U{k}", "models": [{"count": 50, "weapons": ['Rifle (24", A1)']}]} for k in range(420)]
    army = tmp_path / "army.json"
    army.write_text(json.dumps({"name": "Horde", "edition": WISH["edition"], "units": units}))
    refused = run("duel", "random", "random", "--edition", WISH["edition"], "--army-a", str(army), "--games", "1")
    assert refused.returncode == 2 and "420 units" in refused.stderr


def test_11_a_folder_that_takes_nothing_is_named(tmp_path: Path) -> None:
    """Row 11: where nothing can be written the reason is said, and it is no fault of Rolloff's."""
    (tmp_path / "file").write_text("x")
    for folder in ("/proc/nothing", str(tmp_path / "file")):
        kept = {**os.environ, "ROLLOFF_DATA": folder}
        command = [*ROLLOFF, "play", "--no-browser", "--port", "0"]
        said = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=kept)
        assert said.returncode == 2 and "cannot be kept" in said.stderr and "fault" not in said.stderr


def test_12_games_are_played_in_workers(program: Program) -> None:
    """Row 12: the process that answers everybody plays no game itself."""
    assert program.client.get("/api/health").json()["workers"] >= 1
    program.start()
    children = Path(f"/proc/{program.process.pid}/task/{program.process.pid}/children").read_text().split()
    assert any(b"spawn_main" in Path(f"/proc/{one}/cmdline").read_bytes() for one in children)


def test_13_the_api_is_described(program: Program) -> None:
    """Row 13: the description of the API names what the page asks for."""
    paths = program.client.get("/api/openapi.json").json()["paths"]
    assert {"/api/games", "/api/games/{id}", "/api/odds", "/api/records", "/api/rules"} <= paths.keys()


def test_a_token_is_not_guessed_by_trying(program: Program) -> None:
    """A page with a wrong token is turned away each time, and the battle stands."""
    game = program.start()
    held = game.get("token", "")
    for token in ("", "A", held[:-1], held.swapcase(), game.get("watch", "") + "x"):
        try:
            with program.sit(game, token) as line:
                assert heard(line, "error", "hello")["type"] == "error"
        except WebSocketException:
            continue
    assert program.get(game).status_code == 200
