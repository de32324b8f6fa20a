"""Odds of compendium attacks by the public API: closed forms, policies, attacks in firing order, vehicles."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from rolloff.errors import BadInput
from rolloff.odds.compute import odds_of
from rolloff.odds.results import Odds
from rolloff.odds.scenarios import read_scenario
from tests.compendium.desk import Json, enemy, unit, weapon

F = Fraction


def odds(units: list[Json], *attacks: Json, policies: Json | None = None) -> Odds:
    """The exact odds of attacks of ``a1`` on ``b1``, twelve inches off and in sight unless stated."""
    stated = {"attacker": "a1", "target": "b1", "kind": "shooting", "range": 12, "visible": True}
    forms = [{**stated, **attack} for attack in attacks or ({},)]
    given: dict[str, Any] = {"edition": "compendium", "units": units, "attacks": forms, "policies": policies or {}}
    return odds_of(read_scenario(json.dumps(given).encode()), exact=True)


def shooter(*guns: Json, n: int = 1, **more: Any) -> Json:
    """Troopers with guns."""
    return unit("a1", "A", "TRP", n, weapons=list(guns), **more)


def test_one_shot_at_a_grunt() -> None:
    """3+ to hit, 3+ to wound, 5+ to save: 8/27 for a kill, and the stages are told."""
    found = odds([shooter(weapon("gun")), enemy("GRT")])
    (shot,) = found.results
    assert list(shot.kills) == [F(19, 27), F(8, 27)]
    assert [(stage.name, stage.p) for stage in shot.stages] == [("hit", F(2, 3)), ("wound", F(2, 3)), ("save", F(1, 3))]


def test_a_master_crafted_weapon() -> None:
    """Three shots of which one miss may be tried again: the chance of no hit is (1/3)^4."""
    found = odds([shooter(weapon("gun", A=3, rules=["Master-crafted"])), enemy("GRT", 5)])
    hits = list(found.results[0].hits)
    assert hits[0] == F(1, 81)
    assert hits[3] == F(8, 27) + 3 * F(4, 27) * F(2, 3)


def test_fires_follow_wounds() -> None:
    """Deflagrate: one shot that kills brings a hit of S6 AP -1 on the next grunt, which falls to 5/6 * 5/6 of them."""
    found = odds([shooter(weapon("gun", rules=["Deflagrate"])), enemy("GRT", 2)])
    assert list(found.results[0].kills) == [F(19, 27), F(8, 27) * F(11, 36), F(8, 27) * F(25, 36)]


def test_attacks_in_firing_order() -> None:
    """What one attack left is where the next begins; a target hurt before starts hurt."""
    units = [shooter(weapon("gun", S=10, AP=-5)), enemy("BST", wounds=[6])]
    found = odds(units, {}, {})
    hit = F(2, 3) * F(5, 6)
    assert found.results[0].destroyed == 0
    assert found.targets["b1"].destroyed == hit * hit


def test_a_vehicle_may_explode() -> None:
    """S8 AP -5 at armour 11: a 4, 5 or 6 penetrates, and a 5 or 6 on the table ends it at once."""
    found = odds([shooter(weapon("gun", S=8, AP=-5)), enemy("APC")], {"facing": "front"})
    assert found.results[0].destroyed == F(2, 3) * F(1, 2) * F(1, 3)


def test_policies() -> None:
    """Who declines Devastating Wounds for Pulverise gets other odds; unknown policies are refused by name."""
    maul = weapon("blade", AP=-5, rules=["Devastating Wounds", "Pulverise"])
    units = [unit("a1", "A", "TRP", weapons=[maul]), enemy("BST")]
    melee = {"kind": "melee", "range": None, "visible": None}
    assert odds(units, melee).results[0].destroyed == 0
    assert odds(units, melee, policies={"devastating": "declined"}).results[0].destroyed == F(1, 2) * F(1, 6)
    with pytest.raises(BadInput, match=r"policies\.devastating"):
        odds(units, melee, policies={"devastating": "perhaps"})


def test_the_audit_names_clauses() -> None:
    """Every change of a number is told with its clause."""
    found = odds([shooter(weapon("cannon", rules=["Shred"])), enemy("MBT")], {"facing": "front", "stationary": True})
    report = {(line.what, line.clause) for line in found.results[0].audit}
    assert {("heavy", "SR-HEAVY-1"), ("re-roll", "SR-SHRED-1")} <= report


def test_two_weapons_in_either_order_kill_as_many() -> None:
    """Reversal: two kinds of weapons without mortal wounds into an unhurt uniform unit give the same kills either way."""
    guns = [weapon("gun", name="light", D=1), weapon("gun", name="strong", S=5, AP=-2, D=1)]
    laws = []
    for order in ([0, 1], [1, 0]):
        units = [unit("a1", "A", "BST", weapons=guns), enemy("GRT", 3)]
        found = odds(units, {"weapons": [["a1.1", at] for at in order]})
        laws.append(list(found.results[0].kills))
    assert laws[0] == laws[1]


def test_many_attacks_answer_in_time() -> None:
    """Two hundred shots at twenty models, and the law still sums to one."""
    units = [shooter(weapon("gun", A=20), n=10), enemy("GRT", 20)]
    stated = {"attacker": "a1", "target": "b1", "kind": "shooting", "range": 12, "visible": True}
    given = {"edition": "compendium", "units": units, "attacks": [stated]}
    found = odds_of(read_scenario(json.dumps(given).encode()))
    assert abs(float(sum(found.results[0].kills)) - 1) < 1e-12


def test_attacks_that_must_be_followed_have_a_limit() -> None:
    """A Master-crafted weapon of many shots names how many can be computed."""
    with pytest.raises(BadInput, match="61 attacks with Master-crafted") as refused:
        odds([shooter(weapon("gun", A=61, rules=["Master-crafted"])), enemy("GRT", 5)])
    assert refused.value.allowed == "up to 60 attacks"
