"""Odds against a second reading of the rules that shares nothing with the engine."""

from __future__ import annotations

import json

import pytest

from rolloff.odds.compute import odds_of
from rolloff.odds.scenarios import read_scenario
from tests.commentary.by_the_book import drawn, kills, written


@pytest.mark.parametrize("part", range(4))
def test_kills_are_those_of_the_text(part: int) -> None:
    """Random weapons, targets and circumstances: the law of kills is the one spelt out from the text, as fractions."""
    for seed in range(part, 80, 4):
        scene = drawn(seed)
        found = odds_of(read_scenario(json.dumps(written(*scene)).encode()), exact=True).kills
        expected = kills(*scene)
        assert [found.exactly(k) for k in range(len(expected))] == expected, (seed, scene)
