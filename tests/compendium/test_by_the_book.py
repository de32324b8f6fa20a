"""Odds against a second reading of the book that shares nothing with the engine."""

from __future__ import annotations

import json

import pytest

from rolloff.odds.compute import odds_of
from rolloff.odds.results import Odds
from rolloff.odds.scenarios import read_scenario
from tests.compendium.by_the_book import destroyed, drawn, kills, written
from tests.compendium.desk import Json


def odds(scene: Json) -> Odds:
    """The exact odds of a scene."""
    return odds_of(read_scenario(json.dumps(written(scene)).encode()), exact=True)


@pytest.mark.parametrize("part", range(4))
def test_kills_are_those_of_the_text(part: int) -> None:
    """Random weapons and rules at flesh: the law of kills is the one spelt out from the text, as fractions."""
    for seed in range(part, 120, 4):
        scene = drawn(seed, vehicle=False)
        found, expected = odds(scene).kills, kills(scene)
        assert [found.exactly(k) for k in range(len(expected))] == expected, (seed, scene)


@pytest.mark.parametrize("part", range(4))
def test_wrecks_are_those_of_the_text(part: int) -> None:
    """Random weapons and rules at a vehicle: the chance that it is wrecked or explodes, as a fraction."""
    for seed in range(part, 120, 4):
        scene = drawn(seed, vehicle=True)
        assert odds(scene).destroyed == destroyed(scene), (seed, scene)
