"""What a play tells whoever watches: each attack as odds would plan it, in every edition of the One Page family."""

from __future__ import annotations

from typing import Any

import pytest

from rolloff import odds
from rolloff.odds.ends import ends
from rolloff.odds.scenarios import Scenario, ScenarioForm, scenario_of
from rolloff.oracle.calculator import Calculator
from rolloff.oracle.dice import SeededDice, seed_bytes
from rolloff.oracle.law import Law
from rolloff.oracle.oracle import Defaults, Oracle
from rolloff.rules.attack import ResolvedAttack
from rolloff.rules.play import Play
from rolloff.situations.forms import fill

EDITIONS = ("onepage-2.21", "onepage-3.0", "apocalypse-3.3")
RIFLE = 'Rifle (24", A2)'
Json = dict[str, Any]


def report(scenario: Scenario, seed: int) -> tuple[Play, list[ResolvedAttack]]:
    """One attack rolled by a seed, and what was told of it."""
    found: list[ResolvedAttack] = []
    play = Play(scenario.game, scenario.state, Oracle(SeededDice(seed_bytes(seed, "watch")), Defaults()))
    play.watch = found.append
    scenario.sequence.run(play, scenario.forms[0])
    return play, found


def _scene(edition: str, weapon: str, target: Json, **more: Any) -> Scenario:
    more = {"range": 10, "visible": True, "cover": False} | more if more.get("kind") != "melee" else more
    found = odds.written(odds.unit(2, weapons=[weapon]), target, edition=edition, **more)
    return scenario_of(fill(found, ScenarioForm))


HULL = odds.unit(1, rules=["Tough(3)"], type="vehicle", marks=["immobile"])
MIXED = odds.unit([{}, {"rules": ["Tough(3)"]}, {"rules": ["Tough(3)"], "wounds": 1}])
CASES = [
    *[(edition, RIFLE, target, {}) for edition in EDITIONS for target in (odds.unit(4), MIXED)],
    *[(edition, "Axe (A2)", odds.unit(4), {"kind": "melee"}) for edition in EDITIONS],
    *[(edition, RIFLE, HULL, {"facing": "rear"}) for edition in ("onepage-2.21", "onepage-3.0")],
    ("onepage-3.0", 'Cannon (24", A3x)', MIXED, {}),
    ("apocalypse-3.3", 'Long Rifle (30", A1, Sniper)', MIXED, {}),
]


@pytest.mark.parametrize(("edition", "weapon", "target", "more"), CASES)
def test_an_attack_is_told_as_odds_plan_it(edition: str, weapon: str, target: Json, more: Json) -> None:
    """The law of the attack that was rolled is that of the same attack planned, and it ends where the game stands."""
    case, seen = _scene(edition, weapon, target, **more), set()
    calculator = Calculator(exact=True)
    plan = case.plan(0, case.state)
    law = Law(ends(calculator, plan, plan.start)).spread(plan.target.kills)
    for seed in range(12):
        play, found = report(case, seed)
        assert Law(ends(calculator, found[0].plan, found[0].plan.start)).spread(found[0].plan.target.kills) == law
        gone = len(case.state.units[1].living) - len(play.state.units[1].living)
        assert sum(one.plan.target.kills(one.end) for one in found) == gone
        assert [play.events[one.event].kind for one in found] == ["attacked"] * len(found)
        seen.add(gone)
    assert len(seen) > 1


def test_nobody_listens_nothing_is_told() -> None:
    """A play without a watcher makes the same events, and no plan."""
    case = _scene("onepage-3.0", RIFLE, odds.unit(4))
    play, _ = report(case, 1)
    alone = Play(case.game, case.state, Oracle(SeededDice(seed_bytes(1, "watch")), Defaults()))
    case.sequence.run(alone, case.forms[0])
    assert alone.events == play.events and alone.watch is None
