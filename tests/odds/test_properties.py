"""What holds for the odds of every edition that resolves attacks, over rules drawn from its registry.

Distributions sum to one and keep their tails; two kinds of weapons without mortal wounds kill alike in either order.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from rolloff.editions.commentary.abilities import SPECIALS as COMMENTARY
from rolloff.editions.commentary.ability import BEARER, SHOOTING, TARGET
from rolloff.errors import RolloffError
from rolloff.odds.compute import odds_of
from rolloff.odds.results import Odds
from rolloff.odds.scenarios import Scenario, read_scenario
from tests.commentary import desk as commentary
from tests.commentary import matchups
from tests.compendium import cases as compendium
from tests.odds import test_onepage as onepage
from tests.odds.scenes import scene, unit
from tests.odds.soak import able

NAMES = ("attacks", "hits", "ignored", "blocked", "wounds", "damage", "kills", "wasted", "left_on_next")
Json = dict[str, Any]
MORTAL = {
    "Devastating Wounds", "Rending", "Fatal Precision", "Lethal Precision", "Deflagrate", "Luminagen", "Destroyer",
    "Distort Scythe",
}  # fmt: skip
"""Rules that bring mortal wounds, or that change what later attacks meet."""


def _written(units: list[Json], edition: str, weapons: list[int], **form: Any) -> Scenario:
    attack = {"attacker": units[0]["id"], "target": units[1]["id"], "kind": "shooting", "visible": True, **form}
    attack["weapons"] = [[units[0]["models"][0]["id"], at] for at in weapons]
    return read_scenario(json.dumps({"edition": edition, "units": units, "attacks": [attack]}).encode())


def _family(edition: str, luck: random.Random, mortal: bool) -> Callable[[list[int]], Scenario]:
    """Guns of One Page and its relatives."""
    places = onepage.PLACES[edition]
    pool = {where: [name for at, name in places if at == where] for where in ("weapon", "target")}
    guns = [f'Gun{k} (30", A{luck.randint(2, 6)}, {luck.choice(pool["weapon"])})' for k in range(2)]
    attacker = unit([{"weapons": [gun]} for gun in guns], quality=luck.randint(2, 6))
    target = unit(luck.randint(2, 5), quality=luck.randint(2, 6), rules=[luck.choice(pool["target"])])
    return lambda order: scene(attacker, target, {"weapons": [[f"a.{at + 1}", 0] for at in order]}, edition=edition)


def _of_commentary(edition: str, luck: random.Random, mortal: bool) -> Callable[[list[int]], Scenario]:
    """Two guns of the commentary edition, each with an ability, at a unit with one against them."""
    able_ = [
        rule for rule in matchups.tried() if SHOOTING in COMMENTARY[rule.name].kinds and (mortal or rule.name not in MORTAL)
    ]
    arms = [rule for rule in able_ if COMMENTARY[rule.name].on_weapon]
    wards = [rule for rule in able_ if COMMENTARY[rule.name].part in (TARGET, BEARER)]
    guns = [
        commentary.gun(str(luck.choice(arms)), A=luck.randint(2, 4), D=luck.choice([1, 2, "D3"]), AP=-k, name=f"gun{k}")
        for k in range(2)
    ]
    target = commentary.squad("b1", "B", 4, W=luck.randint(2, 4), Sv=4, rules=[str(luck.choice(wards))])
    units = [commentary.squad("a1", "A", 1, *guns, keywords=["VEHICLE"], W=9), target]
    return lambda order: _written(units, edition, order, range=10, cover=True, stationary=True)


def _of_compendium(edition: str, luck: random.Random, mortal: bool) -> Callable[[list[int]], Scenario]:
    """Two guns of the compendium, each with a rule, at a unit with one against them."""
    able_ = [rule for rule in compendium.samples() if SHOOTING in compendium.kinds_of([rule])]
    able_ = [rule for rule in able_ if mortal or rule.name not in MORTAL]
    arms = [str(rule) for rule in able_ if compendium.on_weapon(rule) and not compendium.on_target(rule)]
    wards = [str(rule) for rule in able_ if compendium.on_target(rule) and rule.name != "Lone Operative"]
    rows = [
        {"name": f"gun{k}", "range": 24, "A": luck.randint(2, 3), "S": 5, "AP": -k, "D": luck.choice([1, 2, "D3"])}
        | {"rules": [luck.choice(arms)]}
        for k in range(2)
    ]
    shooter: Json = {"id": "a", "side": "A", "type": "monster", "stats": compendium.ATTACKER | {"CT": 4}}
    shooter |= {"models": [{"id": "a.1", "weapons": rows}]}
    target: Json = {"id": "b", "side": "B", "type": "infantry, daemon", "stats": compendium.FLESH | {"W": luck.randint(1, 3)}}
    target |= {"rules": [luck.choice(wards)], "models": [{"id": f"b.{k}"} for k in range(4)]}
    return lambda order: _written([shooter, target], edition, order, range=6, cover=True)


MAKERS = {"commentary-10": _of_commentary, "compendium": _of_compendium}


def drawn(edition: str, seed: int, mortal: bool = False) -> Callable[[list[int]], Scenario]:
    """Two kinds of weapons at a uniform unit, by the order they are used in."""
    luck = random.Random(seed)
    for _ in range(1000):
        with suppress(RolloffError):
            made = MAKERS.get(edition, _family)(edition, luck, mortal)
            odds_of(made([0, 1]))
            return made
    raise AssertionError("no two weapons can be used")


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("edition", able())
def test_two_weapons_kill_alike_in_either_order(edition: str, seed: int) -> None:
    """Reversal: two kinds of weapons without mortal wounds into an unwounded uniform unit, as rationals."""
    made = drawn(edition, seed)
    one, other = (odds_of(made(order), exact=True) for order in ([0, 1], [1, 0]))
    assert one.kills == other.kills
    assert one.destroyed == other.destroyed


def sharp(near: Odds, true: Odds) -> None:
    """Floats that sum to one, are nowhere negative, and whose tails agree with the rationals to twelve digits."""
    for name in NAMES:
        floats, exact = getattr(near.last, name), getattr(true.last, name)
        assert abs(sum(floats) - 1) < 1e-12 and sum(exact) == 1, name
        assert min(floats) >= 0 and len(floats) == len(exact), name
        for close, tail in zip(floats.tails(), exact.tails(), strict=True):
            assert close == pytest.approx(float(tail), rel=1e-12, abs=0), name
    for words in (near.morale, true.morale):
        assert abs(float(sum(words.values())) - 1) < 1e-12


@pytest.mark.parametrize("seed", range(100, 106))
@pytest.mark.parametrize("edition", able())
def test_sums_and_tails(edition: str, seed: int) -> None:
    """Every distribution of rules drawn from the registry, mortal wounds among them, sums to one and keeps its tails."""
    made = drawn(edition, seed, mortal=True)
    sharp(odds_of(made([0, 1])), odds_of(made([0, 1]), exact=True))
