"""Melees of the One Page family: the law of the calculator is the fight as it is played, over every fall of the dice."""

from __future__ import annotations

import json
import random
from collections import Counter
from contextlib import suppress
from fractions import Fraction
from typing import Any

import pytest

from rolloff.editions.onepage.blows import goes_uphill
from rolloff.editions.onepage.fight import Fight, resolve
from rolloff.odds import read_scenario
from rolloff.odds.scenarios import Scenario
from rolloff.oracle.calculator import Calculator
from rolloff.rules.attack import FightResult
from rolloff.rules.play import Play
from tests.odds.played import WeightedDice, classes, every_play, seen_in
from tests.onepage.desk import Json, box, unit
from tests.oracle.brute import TooMany

EDITIONS = ("onepage-2.21", "onepage-3.0", "apocalypse-3.3")
COUNTED = frozenset({"attacks", "damage"})
"""Dice that are added up: every face counts."""
PATHS = 80

RULES = {
    "onepage-2.21": (
        "Fear",
        "Fearless",
        "Armored",
        "Tough(2)",
        "Tough(3)",
        "Furious",
        "Strikes First",
        "Strikes Last",
        "Hatred",
    ),
    "onepage-3.0": ("Fear", "Fearless", "Armored", "Tough(2)", "Tough(3)", "Furious", "Regeneration", "Impact(1)"),
    "apocalypse-3.3": ("Fear", "Fearless", "Armored", "Tough(2)", "Tough(3)", "Furious", "Regeneration", "Impact(1)"),
}
PLAIN = ("A1", "A2", "A1, Rending", "A1, Piercing", "A1, Limited")
BLADES = {
    "onepage-2.21": (*PLAIN, "A1, Strikes First", "A1, Strikes Last", "A1, Linked", "A2x"),
    "onepage-3.0": (*PLAIN, "A1, Unwieldy", "A1, Poison", "A2x"),
    "apocalypse-3.3": (*PLAIN, "A1, Unwieldy", "A1, Poison"),
}


def side(draw: random.Random, edition: str, id: str, y: float, quality: int) -> Json:
    """One or two models in a row, sometimes a hull, with what rules the edition has."""
    vehicle = draw.random() < 0.1
    count = 1 if vehicle else draw.choice((1, 1, 1, 2))
    rules = draw.sample(RULES[edition], draw.choice((0, 1, 1, 2)))
    tough = [rule for rule in rules if rule.startswith("Tough")]
    rules = [rule for rule in rules if rule not in tough] + tough[:1]
    blades = [f"Blade {k} ({draw.choice(BLADES[edition])})" for k in range(draw.choice((1, 1, 1, 2)))]
    if vehicle:
        rules = [rule for rule in rules if rule in ("Tough(3)", "Fear", "Regeneration")]
    marks = ["pinned"] if draw.random() < 0.2 else []
    start = count + draw.choice((0, 0, 1, 2))
    at = [(30 + 1.1 * k, y + (0 if not vehicle else 2 if id == "b" else -2)) for k in range(count)]
    return unit(
        id,
        id.upper(),
        at,
        q=quality,
        type="vehicle" if vehicle else "infantry",
        rules=rules,
        weapons=blades,
        marks=marks,
        start_size=start,
        facing=draw.choice((0, 90, 180)),
    )


def melee(draw: random.Random, edition: str, most: int = 3) -> tuple[Scenario, WeightedDice]:
    """A random melee on the table of so many attacks at most, and dice that tell apart what its rules do."""
    quality, units = draw.choice((3, 4, 4, 4, 5)), list[Json]()
    while not units or sum(map(attacks, units)) > most:
        units = [side(draw, edition, "a", 20, quality), side(draw, edition, "b", 21.02, quality)]
    hill = [box("t1", 20, 20.5, 45, 40, "elevation", elevation=3, height=3)] if draw.random() < 0.25 else []
    form = {"attacker": "a", "target": "b", "kind": "melee"}
    table = {"size": [72, 48], "terrain": hill}
    written = {"edition": edition, "table": table, "units": units, "attacks": [form], "exchange": True}
    return read_scenario(json.dumps(written).encode()), WeightedDice(classes(quality, *numbers(units)), COUNTED)


def attacks(row: Json) -> int:
    """The attacks of a unit, those of a charge left out."""
    return sum(1 + ("(A2" in weapon) for model in row["models"] for weapon in model["weapons"])


def numbers(units: list[Json]) -> set[int]:
    """The numbers besides Quality that faces are compared with."""
    said = json.dumps(units)
    found = {4} if "Armored" in said or '"vehicle"' in said else set[int]()
    return found | ({5} if "Regeneration" in said else set()) | ({6} if "Rending" in said else set())


def played(case: Scenario, dice: WeightedDice, limit: int | None = None) -> dict[FightResult, Fraction]:
    """The fight as games play it, over all dice."""
    ours, theirs = case.forms[0].attacker, case.forms[0].target

    def fight(play: Play) -> FightResult:
        return resolve(play, Fight(ours, theirs, uphill=goes_uphill(play, ours, theirs)))

    return every_play(case.game, case.state, fight, dice, limit=limit)


def computed(case: Scenario) -> dict[FightResult, Any]:
    """The joint law of the calculator."""
    exchange, first = case.strikes_back()
    law = Calculator(exact=True).law(exchange(case.game, case.state, case.forms[first:], case.policies))
    return dict(law.items())


def compare(edition: str, wanted: int, seed: int, paths: int = PATHS, most: int = 3) -> Counter[str]:
    """So many random melees that can be played over all dice within a number of paths, and what they showed."""
    draw, found, seen = random.Random(f"{edition} {seed}"), 0, Counter[str]()
    while found < wanted:
        case, dice = melee(draw, edition, most)
        with suppress(TooMany):
            law = played(case, dice, paths)
            assert computed(case) == law, case.game.cards
            found += 1
            seen.update(seen_in(case.game, law))
    return seen


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_law_of_a_melee_is_the_melee_played_over_all_dice(edition: str) -> None:
    """A hundred random melees: who fell on both sides, who won and what became of the loser, jointly and as rationals."""
    compare(edition, 100, 1, most=2)


@pytest.mark.soak
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_law_of_many_melees_is_the_melee_played_over_all_dice(edition: str) -> None:
    """The same for two thousand, with every rule that shows in a melee, hulls and morale among them; and some larger ones."""
    seen = compare(edition, 2_000, 2, 100, 3)
    rules = {rule.partition("(")[0] for rule in RULES[edition]}
    assert all(seen[word] >= 20 for word in {*rules, "vehicle", "passed", "pinned", "routed"}), seen
    compare(edition, 40, 3, 3_000, 5)
