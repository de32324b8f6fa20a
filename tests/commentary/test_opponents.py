"""Opponents in the commentary edition: they play for the markers, and their advice comes from exact expectations."""

from __future__ import annotations

import pytest

from rolloff.editions.commentary.advice import arriving
from rolloff.lab.duel import Match, duel

EDITION = "commentary-10"


@pytest.mark.parametrize("armies", [("verdigris-mandate-500", "hollow-tide-500"), ("lantern-reach-500", "hollow-tide-500")])
def test_the_greedy_opponent_beats_the_one_that_plays_by_lot(armies: tuple[str, str]) -> None:
    """In four games, sides swapped, it loses none and scores more; nothing offered is refused."""
    for agents in (("greedy", "random"), ("random", "greedy")):
        report = duel(Match(EDITION, agents, armies, "toll-crossing", "", 500, 11), 0, 2)
        assert report["totals"]["offered_refused"] == 0
        side = agents.index("greedy")
        scores = [row["score"] for row in report["games"]]
        assert sum(score[side] for score in scores) > sum(score[1 - side] for score in scores)


def test_the_closing_opponent_goes_for_markers() -> None:
    """Two armies that close in score from markers, and finish."""
    armies = "hollow-tide-500", "lantern-reach-500"
    report = duel(Match(EDITION, ("closing", "closing"), armies, "glass-quarter", "", 500, 3), 0, 2)
    assert all(row["finished"] for row in report["games"])
    assert sum(sum(row["score"]) for row in report["games"]) > 0


def test_the_chance_of_a_charge() -> None:
    """It is that of 2D6: certain up to 3", none beyond 13"."""
    assert [round(arriving(gap * 1000.0) * 36) for gap in (2, 3, 8, 13, 13.5)] == [36, 36, 21, 1, 0]
