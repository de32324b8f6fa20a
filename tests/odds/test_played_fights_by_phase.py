"""Fights of the phase games: the law of the calculator is the fight as it is played, over every fall of the dice.

Commentary picks units in turn, compendium strikes by Initiative; both end in tests that are part of the law.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from typing import Any

import pytest

from rolloff.editions.commentary import fight as picking
from rolloff.editions.commentary.aftermath import SHOCKED
from rolloff.editions.compendium import fight as striking
from rolloff.odds import read_scenario
from rolloff.odds.scenarios import Scenario
from rolloff.rules.attack import FightResult
from tests.commentary.desk import Json, blade, squad
from tests.compendium.desk import enemy, unit, weapon
from tests.odds.played import WeightedDice, classes, every_play, seen_in
from tests.odds.test_played_fights import computed
from tests.oracle.brute import TooMany

COMMENTARY, COMPENDIUM = "commentary-10", "compendium"
PATHS = 80
ADDED = frozenset({"armour", "damage", "morale", "fear", "sweeping advance", "attacks"})
"""Dice that are added up: every face counts."""
CRITICAL = ("Lethal Hits", "Sustained Hits 1", "Devastating Wounds")


def commentary(draw: random.Random) -> tuple[Scenario, WeightedDice]:
    """Two small units, whose dice are told apart by 4, by what is critical, and by what their rules need."""
    units, needs = [], {4}
    for id in ("a1", "b1"):
        rules = draw.sample((*CRITICAL, "Hazardous"), draw.choice((0, 0, 1)))
        needs |= {6} if set(rules) & set(CRITICAL) else {2} if rules else set()
        stats: Json = {"Sv": draw.choice((4, 7, 7, 7, 7)), "W": draw.choice((1, 1, 2, 3)), "Ld": 12}
        needs |= {6} if stats["W"] == 3 else set()  # a Battle-shock test at 12 fails but for two sixes
        if draw.random() < 0.1:
            stats["FNP"], needs = 5, needs | {5}
        fights = ["Fights First"] if draw.random() < 0.3 else []
        weapon = blade(*rules, skill=4, D=draw.choice((1, 1, 2)))
        units.append(squad(id, id[0].upper(), draw.choice((1, 1, 1, 2)), weapon, rules=fights, **stats))
    form = {"attacker": "a1", "target": "b1", "kind": "melee", "charged": draw.random() < 0.6}
    more = {"active": draw.choice("AB")}
    written = {"edition": COMMENTARY, "units": units, "attacks": [form], "exchange": True, **more}
    return read_scenario(json.dumps(written).encode()), WeightedDice(classes(*needs), ADDED)


def compendium(draw: random.Random) -> tuple[Scenario, WeightedDice]:
    """Two small units at Initiative 3 to 5, sometimes a Walker; most are Fearless, as tests of two dice multiply the falls."""
    sides, needs, walker = [], {4}, draw.choice((0, 1, *[-1] * 12))
    for _ in range(2):
        rules = draw.sample(("Fearless", "Stubborn", "Fear", "Slow and Purposeful"), draw.choice((1, 1, 2)))
        rules = [*rules, "Fearless"] if "Fearless" not in rules and draw.random() < 0.8 else rules
        stats = {"WS": 4, "S": 4, "T": 4, "W": draw.choice((1, 1, 2)), "A": 1, "Ld": 7, "I": draw.choice((3, 4, 5))}
        own = draw.sample(("Shred", "Rending"), draw.choice((0, 0, 1)))
        needs |= {6} if "Rending" in own else set()
        sides.append(
            (rules, stats | {"Sv": draw.choice(("-", "-", "4+"))}, [weapon("blade", rules=own)], draw.choice((1, 1, 1, 2)))
        )
    ours, theirs = sides
    units = [
        unit("a1", "A", "TRP", ours[3], weapons=ours[2], rules=ours[0], stats=ours[1]),
        enemy("TRP", theirs[3], weapons=theirs[2], rules=theirs[0], stats=theirs[1]),
    ]
    if walker >= 0:
        hull: Json = {"AV": [8, 8, 8], "HP": draw.choice((1, 2)), "S": 4, "A": 1, "I": draw.choice((3, 4, 5))}
        id, side = (("a1", "A"), ("b1", "B"))[walker]
        units[walker] = unit(id, side, "WLK", 1, weapons=[weapon("blade")], stats=hull)
    form = {"attacker": "a1", "target": "b1", "kind": "melee", "charged": False}
    written = {"edition": COMPENDIUM, "units": units, "attacks": [form], "exchange": True}
    return read_scenario(json.dumps(written).encode()), WeightedDice(classes(*needs), ADDED)


def played(case: Scenario, dice: WeightedDice, limit: int) -> dict[FightResult, Fraction]:
    """The fight with a log, over all dice."""
    game = case.game
    if game.edition.id == COMMENTARY:
        state = picking.joined(game, case.state, case.forms)
        pair = picking.fight_of(game, state, case.forms)
        return every_play(game, state, lambda play: picking.resolve(play, pair), dice, limit=limit)
    state = striking.met(case.state, case.forms[0])
    fight = striking.fight_of(game, state, case.forms)
    return every_play(game, state, lambda play: striking.resolve_fight(play, fight), dice, limit=limit)


SHOWN = {
    COMMENTARY: ("Fights First", "Hazardous", "Lethal Hits", SHOCKED),
    COMPENDIUM: ("Fear", "Stubborn", "Slow and Purposeful", "Rending", "Shred", "vehicle, walker", "passed", "falling-back"),
}
"""What the many fights must show, by edition."""
KINDS: dict[str, Callable[[random.Random], Any]] = {COMMENTARY: commentary, COMPENDIUM: compendium}


def compare(edition: str, wanted: int, seed: int, limit: int) -> Counter[str]:
    """So many random fights that can be played over all dice within a number of paths, and what they showed."""
    draw, found, seen = random.Random(f"{edition} {seed}"), 0, Counter[str]()
    while found < wanted:
        case, dice = KINDS[edition](draw)
        with suppress(TooMany):
            law = played(case, dice, limit)
            assert computed(case) == law, case.game.cards
            found += 1
            seen.update(seen_in(case.game, law))
    return seen


@pytest.mark.parametrize("edition", KINDS)
def test_the_law_of_a_fight_is_the_fight_played_over_all_dice(edition: str) -> None:
    """A hundred random fights: who fell on both sides, who won and what became of the loser, jointly and as rationals."""
    compare(edition, 100, 1, PATHS)


@pytest.mark.soak
@pytest.mark.parametrize("edition", KINDS)
def test_the_law_of_many_fights_is_the_fight_played_over_all_dice(edition: str) -> None:
    """The same for two thousand, with what decides the order and the end of a fight among them; and some larger ones."""
    seen = compare(edition, 2_000, 2, 100)
    assert all(seen[word] >= 5 for word in SHOWN[edition]), seen
    compare(edition, 40, 3, 3_000)


def scene(units: list[Json], *forms: Json) -> Scenario:
    """``a1`` charges ``b1`` with all it has, or with what the forms say one after the other."""
    attacks = [{"attacker": "a1", "target": "b1", "kind": "melee", "charged": True, **form} for form in forms or ({},)]
    written = {"edition": COMMENTARY, "units": units, "attacks": attacks, "exchange": True}
    return read_scenario(json.dumps(written).encode())


LEADER: Json = {"W": 1, "Sv": 7, "Ld": 12, "keywords": ["INFANTRY", "CHARACTER"], "rules": ["Leader"], "where": "b1"}
FRAIL: Json = {"Sv": 7, "Ld": 12}
SCENES = {
    "a Leader left alone": scene(
        [
            squad("a1", "A", 1, blade("Lethal Hits", skill=4, A=2), **FRAIL),
            squad("b1", "B", 1, blade(skill=4), **FRAIL),
            squad("x", "B", 1, blade(skill=4), **LEADER),
        ]
    ),
    "an end that reaches the enemy": scene(
        [
            squad("a1", "A", 2, blade(skill=4), **FRAIL, rules=["Deadly Demise 1"], at=[(10, 10), (10, 11)]),
            squad("b1", "B", 1, blade(skill=4), **FRAIL, rules=["Deadly Demise 1"], at=[(11, 10)]),
        ]
    ),
    "mortal wounds that wait for the last attack": scene(
        [
            squad("a1", "A", 2, blade("Devastating Wounds", skill=4), blade("Precision", name="second", skill=4), W=1, **FRAIL),
            squad("b1", "B", 1, blade(skill=4), **FRAIL),
            squad("x", "B", 1, blade(skill=4), **LEADER),
        ],
        {"weapons": [["a1.1", 0]]},
        {"weapons": [["a1.2", 1]]},
    ),
    "dangerous weapons of whoever ends badly": scene(
        [
            squad("a1", "A", 1, blade("Hazardous", skill=4), **FRAIL, rules=["Deadly Demise 1"], at=[(10, 10)]),
            squad("b1", "B", 1, blade(skill=4), **FRAIL, at=[(11, 10)]),
        ]
    ),
}


NEEDS = {"dangerous weapons of whoever ends badly": (2, 4, 6)}
"""The faces that matter, where not 4 and 6 alone."""


@pytest.mark.parametrize("name", SCENES)
def test_fights_with_leaders_ends_and_several_attacks(name: str) -> None:
    """Where Leaders part, ends reach the enemy or mortal wounds wait, the law is still the fight that is played."""
    case = SCENES[name]
    assert computed(case) == played(case, WeightedDice(classes(*NEEDS.get(name, (4, 6))), ADDED), 200_000)
