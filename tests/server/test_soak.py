"""What only a long run shows: hostile messages by the hundred thousand, memory over many games, a disk that fills up."""

from __future__ import annotations

import gc
import os
import random
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

from rolloff.lab.duel import Match, play_row
from rolloff.record.verify import verify
from tests.server.conftest import Table, coins_at, report
from tests.server.killing import any_seed

pytestmark = pytest.mark.soak
WORDS = ("heads", "stay", "A", "B", "both", "", "\x00", "'; DROP TABLE battles; --", "../../etc/passwd", "<script>", "ð\u202e")


def anything(chance: random.Random, depth: int = 3) -> Any:
    """Any JSON a stranger might send."""
    kind = chance.randrange(9 if depth else 6)
    simple = (
        None,
        True,
        chance.randint(-(2**70), 2**70),
        chance.uniform(-1e9, 1e9),
        chance.choice(WORDS),
        chance.choice(WORDS) * 50,
    )
    if kind < len(simple):
        return simple[kind]
    if kind == 6:
        return [anything(chance, depth - 1) for _ in range(chance.randrange(5))]
    return {chance.choice(WORDS): anything(chance, depth - 1) for _ in range(chance.randrange(4))}


def hostile(chance: random.Random) -> str:
    """A message that is not meant well: of a known type with nonsense in it, cut, or no message at all."""
    types = ("answer", "talk", "judge", "odds", "look", "survey", "sit", "promise", "number", "take-back", "fly")
    message = {"type": chance.choice(types), "serial": chance.choice((None, -1, 10**9, "x"))}
    for name in ("id", "value", "name", "said", "by", "option", "plan", "token", "hash", "number"):
        if chance.random() < 0.5:
            message[name] = anything(chance)
    if message["type"] == "answer":
        message["serial"] = 10**9
    raw = msgspec.json.encode(message).decode()
    return raw[: chance.randrange(len(raw))] if chance.random() < 0.2 else raw


def test_a_hundred_thousand_hostile_messages_change_nothing(table: Table) -> None:
    """Whatever is sent from a seat or from the stands, each message gets a sentence, and the game stands as it was."""
    seed = any_seed()
    report(f"hostile messages of seed {seed}")
    chance = random.Random(seed)
    game = table.start(opponent="person", seed=3)
    before = table.get(game).json()
    with table.sit(game, "B") as other, table.sit(game, "none") as watching:
        for seat in (other, watching):
            seat.heard()
            for _ in range(50_000):
                seat.line.send(hostile(chance))
                assert seat.heard()["type"] in ("error", "refused", "unsaid", "judged", "odds", "looked", "surveyed")
    after = table.get(game).json()
    for name in ("seq", "log", "situation", "request"):
        assert after[name] == before[name]


def memory() -> float:
    """The memory of this process in MB, garbage collected."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def test_memory_stays_flat_over_games_and_verifies(tmp_path: Path) -> None:
    """Ten thousand games and ten thousand verifies take no more memory than the first thousand."""
    match = Match("onepage-3.0", ("random", "random"), ("compact-patrol", "levy-patrol"), "crossing", record=str(tmp_path))
    found = []
    for index in range(10_000):
        path = tmp_path / str(play_row(match, index)["record"])
        assert verify(path).verified
        path.unlink()
        if index % 1000 == 999:
            found.append(memory())
            report(f"{index + 1} games and verifies: {found[-1]:.1f} MB")
    assert found[-1] < found[0] + 15, found


def test_memory_of_a_server_stays_flat_over_battles(tmp_path: Path) -> None:
    """Ten thousand battles played to their end, one after the other, leave no trace in memory."""
    found = []
    with coins_at(tmp_path) as table:
        for index in range(10_000):
            game = table.start(opponent="self")
            with table.sit(game, "both") as seat:
                message = seat.heard()
                while message["over"] is None:
                    message = seat.answer(message["request"]["default"])
            del table.tokens[game]  # the player's own memory is not the server's
            if index % 1000 == 999:
                found.append(memory())
                report(f"{index + 1} battles: {found[-1]:.1f} MB")
    assert found[-1] < found[0] + 15, found


def test_a_disk_that_fills_up(tmp_path: Path) -> None:
    """On a small file system battles are started until it is full; what was acknowledged is there, and with room it goes on."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)], capture_output=True, check=False)
    if mounted.returncode:
        pytest.skip("no small file system can be mounted here")
    try:
        with coins_at(disk) as table:
            games = []
            while (reply := table.client.post("/api/games", json={"opponent": "self"})).status_code == 201:
                games.append(reply.json())
            assert reply.status_code == 503 and "full" in reply.json()["error"]["message"]
        subprocess.run(["mount", "-o", "remount,size=8m", str(disk)], check=True)
        with coins_at(disk) as table:
            for one in games:
                with table.sit(one["id"], token=one["token"]) as seat:
                    assert seat.heard()["request"]
    finally:
        subprocess.run(["umount", str(disk)], check=False)
