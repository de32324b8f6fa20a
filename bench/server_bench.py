"""How a server bears up: battles against an opponent with answers arriving without pause, and many who only look on.

Run on loopback against a server of its own: ``python -m bench.server_bench [--battles 50] [--seconds 30]``.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect

Json = dict[str, Any]
WISH = {"edition": "onepage-3.0", "army_a": "aegis-compact", "army_b": "ashen-levy", "opponent": "greedy"}


def start(data: str) -> tuple[subprocess.Popen[str], str]:
    """A server over a fresh folder, and its address."""
    command = [sys.executable, "-m", "rolloff", "play", "--no-browser", "--port", "0", "--data", data]
    program = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert program.stdout is not None
    found = re.search(r"http://\S+", program.stdout.readline())
    assert found is not None, "the server did not start"
    return program, found[0]


def family(pid: int) -> list[str]:
    """A process and its children."""
    children = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False).stdout.split()
    return [str(pid), *children]


def processor(pid: int) -> float:
    """The processor time of a process and its children, in seconds."""
    total = 0
    for one in family(pid):
        with open(f"/proc/{one}/stat", encoding="ascii") as file:
            total += sum(int(part) for part in file.read().rpartition(")")[2].split()[11:13])
    return total / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> float:
    """The memory of a process and its children in MB, what they share counted once."""
    total = 0
    for one in family(pid):
        try:
            with open(f"/proc/{one}/smaps_rollup", encoding="ascii") as file:
                total += next(int(line.split()[1]) for line in file if line.startswith("Pss:"))
        except (OSError, StopIteration):
            continue
    return total / 1024


async def begin(client: httpx.AsyncClient, wish: Json) -> Json:
    """Start a battle."""
    reply = await client.post("/api/games", json=wish)
    assert reply.status_code == 201, reply.text
    found: Json = reply.json()
    return found


async def sit(address: str, game: str, token: str) -> ClientConnection:
    """Take a seat."""
    line = await connect(f"{address.replace('http', 'ws', 1)}ws/{game}", max_size=None, open_timeout=60)
    await line.send(msgspec.json.encode({"type": "sit", "token": token}).decode())
    return line


async def hear(line: ClientConnection) -> Json:
    """The next greeting or batch of events."""
    while True:
        found: Json = msgspec.json.decode(await line.recv())
        if found["type"] in ("hello", "events"):
            return found


@dataclass
class Waits:
    """How long people waited after each answer, in seconds: until it was acknowledged, and until they were asked again."""

    acknowledged: list[float] = field(default_factory=list)
    asked: list[float] = field(default_factory=list)


async def play(address: str, started: Json, until: float, waits: Waits) -> None:
    """Answer with the default that is offered, without pause, until time is up.

    An answer is acknowledged by the events that came of it, which are sent when they are durable. The next question comes
    with them, or after the opponent's turn.
    """
    line = await sit(address, started["id"], started["token"])
    message, begun = await hear(line), 0.0
    while time.monotonic() < until and message["over"] is None:
        request = message["request"]
        if request is None:
            message = await hear(line)
            continue
        if begun:
            waits.asked.append(time.perf_counter() - begun)
        begun = time.perf_counter()
        answer = {"type": "answer", "value": request["default"], "serial": request["serial"]}
        await line.send(msgspec.json.encode(answer).decode())
        message = await hear(line)
        waits.acknowledged.append(time.perf_counter() - begun)
    await line.close()


async def probe(client: httpx.AsyncClient, until: float, took: list[float]) -> None:
    """Ask for something small now and then, as other people would."""
    while time.monotonic() < until:
        begun = time.perf_counter()
        await client.get("/api/health")
        took.append(time.perf_counter() - begun)
        await asyncio.sleep(0.05)


def at(found: list[float], share: float) -> float:
    """The time within which so great a share was answered, in milliseconds."""
    return sorted(found)[min(len(found) - 1, int(len(found) * share))] * 1000 if found else 0.0


async def load(address: str, pid: int, battles: int, seconds: float) -> None:
    """Battles against an opponent, answers arriving without pause."""
    async with httpx.AsyncClient(base_url=address, timeout=60) as client:
        games = [await begin(client, WISH) for _ in range(battles)]
        waits = Waits()
        others: list[float] = []
        before = processor(pid)
        until = time.monotonic() + seconds
        asking = asyncio.create_task(probe(client, until, others))
        await asyncio.gather(*(play(address, game, until, waits) for game in games))
        await asking
        took, asked, answers = waits.acknowledged, waits.asked, len(waits.acknowledged)
        rate, spent = answers / seconds, (processor(pid) - before) * 1000 / max(1, answers)
        print(f"{battles} battles against greedy: {answers} answers, {rate:.0f} a second, {spent:.1f} ms of processor each")
        print(f"  answer: p50 {median(took) * 1000:.0f} ms, p99 {at(took, 0.99):.0f} ms, worst {max(took) * 1000:.0f} ms")
        print(f"  next question: p50 {at(asked, 0.5):.0f} ms, p99 {at(asked, 0.99):.0f} ms, worst {at(asked, 1):.0f} ms")
        print(f"  other requests: p50 {at(others, 0.5):.0f} ms, p99 {at(others, 0.99):.0f} ms")
        print(f"  memory {memory(pid):.0f} MB")


async def idle(address: str, pid: int, battles: int, watching: int) -> None:
    """Battles nobody answers in, and spectators of them."""
    async with httpx.AsyncClient(base_url=address, timeout=60) as client:
        games = [await begin(client, {**WISH, "opponent": "self"}) for _ in range(battles)]
        lines = []
        for k in range(watching):
            game = games[k % len(games)]
            lines.append(await sit(address, game["id"], game["watch"]))
            await hear(lines[-1])
        print(f"{battles} idle battles, {watching} spectators: memory {memory(pid):.0f} MB")
        for line in lines:
            await line.close()


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--battles", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--idle", type=int, default=200)
    parser.add_argument("--watching", type=int, default=500)
    given = parser.parse_args()
    for scene in ("load", "idle"):
        with tempfile.TemporaryDirectory() as data:
            program, address = start(data)
            try:
                if scene == "load":
                    asyncio.run(load(address, program.pid, given.battles, given.seconds))
                else:
                    asyncio.run(idle(address, program.pid, given.idle, given.watching))
            finally:
                os.kill(program.pid, signal.SIGINT)
                program.wait(20)


if __name__ == "__main__":
    main()
