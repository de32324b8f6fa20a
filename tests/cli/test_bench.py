"""`rolloff bench`: the rows scripts ask for by name, and what holds for them. No time is asserted."""

from __future__ import annotations

import pytest

from rolloff.lab import bench
from rolloff.lab.bench import HOLDS, Measured, all_names, random_at, sizes
from tests.cli.conftest import Command

PLAIN_NAMES = [
    "games_per_second",
    "games_per_second_closing",
    "games_per_second_plain",
    "games_per_second_closing_plain",
    "decisions_per_second",
    "fork_us",
    "sight_us",
    "sight_dense_us",
    "path_us",
    "odds_cold_us",
    "odds_warm_us",
    "odds_icepool_ratio",
    "import_s",
    "help_s",
    "odds_report_us",
    "odds_shell_s",
    "opcodes_per_decision",
    "opcodes_per_decision_closing",
    "icepool_ratio_warm",
    "icepool_ratio_cold",
]


def test_every_row_of_the_interface_can_be_asked_for() -> None:
    """The names scripts rely on are offered, with one of games for each edition that plays at each of its sizes."""
    offered = set(all_names())
    assert set(PLAIN_NAMES) <= offered
    for edition, points in sizes():
        assert {f"games_per_second@{edition}@{points}", f"activation_us@{points}"} <= offered
    assert {f"games_per_second@commentary-10@{points}" for points in (500, 1000, 2000)} <= offered


def test_a_size_is_measured_by_its_own_row_alone(rolloff: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asking for one edition at one size plays that and nothing else, and says which armies met."""
    monkeypatch.setattr(bench, "random_at", lambda edition, points: random_at(edition, points, 1, 1))
    said = rolloff("bench", "--json", "--only", "games_per_second@commentary-10@500")
    assert said.code == 0, said.err
    (row,) = said.json["rows"]
    assert (row["name"], row["unit"], row["workload"]["games"]) == ("games_per_second@commentary-10@500", "1/s", 1)
    assert row["workload"]["agents"] == "random" and max(row["workload"]["points"]) <= 500
    assert row["workload"]["counts"] and row["workload"]["result_cache"] is False


def test_a_number_holds_for_the_row_it_is_written_for() -> None:
    """The promise for the usual game is none for other editions and sizes; a rate is to be reached, a time not exceeded."""
    other = Measured("games_per_second@apocalypse-3.3@3000", "1/s", [2.0], {}).json()
    assert (other["hold"], other["held"]) == (None, None)
    large = "games_per_second@commentary-10@1000"
    assert [Measured(large, "1/s", [rate], {}).json()["held"] for rate in (19.9, 20.0)] == [False, True]
    assert [Measured("import_s", "s", [HOLDS["import_s"] + more], {}).json()["held"] for more in (0, 0.01)] == [True, False]


def test_every_promise_is_of_a_row_that_is_measured() -> None:
    """No number is held for a row that cannot be asked for, but those the weapon file gives each edition."""
    loose = {name for name in HOLDS if name not in all_names()}
    assert all(name.partition("@")[0] in ("odds_report_us", "odds_report_p99_us", "fork_decision_us") for name in loose)


def test_a_wrong_row_is_refused_with_the_nearest(rolloff: Command) -> None:
    """A mistyped row gets one sentence with the name it was near to, and nothing is measured."""
    said = rolloff("bench", "--only", "games_per_second@commentary-10@100")
    assert (said.code, said.out) == (2, "") and "did you mean 'games_per_second@commentary-10@1000'" in said.err
