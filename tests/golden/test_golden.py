"""Games told as text and counts over many games, as they were when last read against the rulebook."""

from __future__ import annotations

import pytest

from tools.golden import FEW, FOLDER, PLAYED, counted, difference, report
from tools.reference_games import changed

HOW = "If the change is meant: python -m tools.golden --write, and read the difference before you commit it."


def unchanged(name: str, text: str) -> None:
    """Compare with the kept file and show what differs."""
    lines = difference(FOLDER / f"{name}.txt", text)
    if lines:
        shown = [*lines[:80], f"... and {len(lines) - 80} lines more"] if len(lines) > 80 else lines
        pytest.fail("\n".join([*shown, HOW]), pytrace=False)


@pytest.mark.parametrize("name", PLAYED)
def test_playthrough(name: str) -> None:
    """A whole game goes as it went, event by event and clause by clause."""
    unchanged(name, report(PLAYED[name]))


def test_counts() -> None:
    """Sums over games of every pair of armies and every opponent are what they were."""
    unchanged("counts", counted(FEW))


def test_reference_games() -> None:
    """Every tenth of four hundred games has the events and the end it had; `make soak` plays them all."""
    differing = changed(every=10)
    assert not differing, "\n".join(["If a rule was meant to change: python -m tools.reference_games --write", *differing])
