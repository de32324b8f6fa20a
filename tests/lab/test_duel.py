"""Matches of the shipped edition: the same games whatever the jobs, threads, hash seeds and kernels, all verified."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from rolloff.cli.schema import schema_of
from rolloff.errors import BadInput, UnknownEdition
from rolloff.lab.duel import Match, done, duel, play_row
from rolloff.record.verify import verify

Json = dict[str, Any]
EDITION = "onepage-3.0"


def match(agent: str = "random", **more: Any) -> Match:
    """A match of an opponent against itself."""
    return Match(EDITION, (agent, agent), seed=3, **more)


@pytest.fixture(scope="module")
def report() -> Json:
    """Four games of random opponents."""
    return duel(match(), 0, 4)


def test_the_report_fits_its_schema_and_all_games_finish(report: Json) -> None:
    """Every game ends by the rules, and nothing that was offered was refused."""
    jsonschema.validate(msgspec.json.decode(msgspec.json.encode(report)), schema_of("duel"))
    assert done(report)
    assert report["totals"]["games"] == 4
    assert sum(report["totals"][side] for side in ("A", "B", "draw")) == 4


def test_a_game_depends_on_seed_and_number_alone(report: Json) -> None:
    """One game played by itself is the row of a longer run."""
    assert duel(match(), 2, 1)["games"] == report["games"][2:3]


@pytest.mark.parametrize("edition", ["onepage-3.0", "commentary-10"])
def test_games_leave_no_cycles_behind(edition: str) -> None:
    """A game that is over is freed at once: the garbage collector finds nothing of it."""
    played = Match(edition, ("random", "random"), points=500 if edition == "commentary-10" else 0, seed=3)
    play_row(played, 0)
    gc.collect()
    gc.disable()
    try:
        play_row(played, 1)
        assert gc.collect() < 20
    finally:
        gc.enable()


@pytest.mark.parametrize("on", [True, False])
def test_the_collector_is_left_as_it_was_found(on: bool) -> None:
    """It rests during a game, and afterwards it is on or off as before: also where the game cannot even begin."""
    unknown = Match("onepage-3.0", ("random", "random"), ("no such army", "random"))
    try:
        if not on:
            gc.disable()
        play_row(match(), 0)
        assert gc.isenabled() is on
        with pytest.raises(BadInput):
            play_row(unknown, 0)
        assert gc.isenabled() is on
    finally:
        gc.enable()


def test_what_games_leave_is_old_and_can_still_be_collected() -> None:
    """After a game nothing is young, nothing is frozen, and a full collection finds what was garbage before it."""
    gc.collect()
    lost: list[object] = []
    lost.append(lost)
    known = id(lost)
    del lost
    play_row(match(), 0)
    assert gc.get_freeze_count() == 0
    assert known in map(id, gc.get_objects(generation=2))
    gc.collect()
    assert known not in map(id, gc.get_objects(generation=2))


def test_what_was_frozen_stays_frozen() -> None:
    """Whoever froze what there is before a game finds it frozen afterwards."""
    gc.freeze()
    try:
        frozen = gc.get_freeze_count()
        play_row(match(), 0)
        assert gc.get_freeze_count() > frozen / 2
    finally:
        gc.unfreeze()


def test_jobs_change_nothing(report: Json) -> None:
    """Two processes give the same bytes as one."""
    assert msgspec.json.encode(duel(match(), 0, 4, jobs=2)) == msgspec.json.encode(report)


def test_threads_do_not_disturb_each_other(report: Json) -> None:
    """Two threads that play at once give the games one alone gives."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(2) as pool:
            rows = list(pool.map(lambda index: play_row(match(), index), (0, 1, 2, 3)))
    finally:
        sys.setswitchinterval(before)
    assert rows == report["games"]


@pytest.mark.parametrize("setting", [{"PYTHONHASHSEED": "1"}, {"PYTHONHASHSEED": "77"}, {"ROLLOFF_KERNELS": "off"}])
def test_hash_seeds_and_kernels_change_nothing(report: Json, setting: dict[str, str]) -> None:
    """Another order of hashes, or the plain twin of the kernels, gives the same bytes."""
    command = [sys.executable, "-m", "rolloff", "duel", "--games", "2", "--seed", "3", "--json"]
    said = subprocess.run(command, env={**os.environ, **setting}, capture_output=True, check=True)
    assert msgspec.json.decode(said.stdout)["games"] == report["games"][:2]


@pytest.mark.parametrize("agent", ["random", "closing"])
def test_every_record_verifies(tmp_path: Path, agent: str) -> None:
    """What a match writes down is true, and the report names the files."""
    found = duel(match(agent, record=str(tmp_path / "games")), 0, 2)
    for row in found["games"]:
        verdict = verify(tmp_path / "games" / row["record"])
        assert verdict.verified, verdict.difference
        assert (verdict.state, verdict.activations) == (row["state"], row["activations"])


def test_closing_opponents_really_fight() -> None:
    """Armies that close in move, shoot, assault and lose models."""
    counts = [row["counts"] for row in duel(match("closing"), 0, 2)["games"]]
    for name in ("walk", "shoot", "assault", "models_removed"):
        assert sum(row[name] for row in counts) > 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"edition": "chess"},
        {"agents": ("random", "nobody")},
        {"armies": ("nobody", "random")},
        {"table": "nowhere"},
        {"mission": "impossible"},
    ],
)
def test_unknown_names_are_refused_before_anything_is_written(tmp_path: Path, wrong: Json) -> None:
    """Neither a folder nor a file is made for a match that cannot be played."""
    folder = tmp_path / "games"
    with pytest.raises((BadInput, UnknownEdition)):
        duel(msgspec.structs.replace(match(record=str(folder)), **wrong), 0, 1)
    assert not folder.exists()
