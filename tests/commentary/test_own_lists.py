"""Lists written by hand in the documented format: played as the ready-made ones are, and refused with the clause."""

from __future__ import annotations

from pathlib import Path

import pytest

from rolloff.armies import library
from rolloff.errors import RolloffError
from rolloff.lab.duel import Match, duel
from rolloff.record.verify import verify

EDITION = "commentary-10"
EXAMPLE = Path(__file__).resolve().parents[2] / "docs" / "examples" / "tide-list.toml"


@pytest.mark.clause("commentary-10", "POINTS-1")
def test_a_list_of_ones_own_is_played(tmp_path: Path) -> None:
    """The list of the docs costs what its units do, plays a battle to its end, and the record verifies."""
    assert library.army(EDITION, str(EXAMPLE), 0).points == 70 + 110 + 95 + 150
    match = Match(
        EDITION, ("greedy", "random"), (str(EXAMPLE), "lantern-reach-500"), "toll-crossing", "", 500, 2, str(tmp_path)
    )
    report = duel(match, 0, 1)
    (row,) = report["games"]
    assert row["finished"] and not row["offered_refused"]
    assert verify(tmp_path / str(row["record"])).verified


def test_a_list_that_breaks_the_law_is_refused(tmp_path: Path) -> None:
    """A list of more points than the battle has is refused in one sentence; nothing is played."""
    bad = tmp_path / "bad.toml"
    more = EXAMPLE.read_text("utf-8").replace("burrow-maw", "deep-matron").replace('starts = "deep strike"', "")
    bad.write_text(more, encoding="utf-8")
    with pytest.raises(RolloffError, match="points"):
        duel(Match(EDITION, ("random", "random"), (str(bad), "hollow-tide-500"), "toll-crossing", "", 500, 2), 0, 1)
