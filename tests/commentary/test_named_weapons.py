"""Answers that name weapons: also where there is nothing to choose, and refused by the rule that forbids one (DP-24, DP-48)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.commentary.desk import Json, Ruling, blade, gun, squad
from tests.commentary.test_phases import rule
from tests.commentary.test_timing import at

SHOOT: Json = {"phase": "shooting", "unit": "a1", "action": "shoot"}
FIGHT: Json = {"phase": "fight", "unit": "a1", "action": "fight"}
GUN, PISTOL = gun(), gun("Pistol", range=12, name="pistol")
NEAR, OTHER = squad("b1", "B", 1, at=[(12, 10)], W=9, M=6), squad("b2", "B", 1, at=[(14, 14)], W=9, M=6)


def fire(*weapons: tuple[str, int]) -> Json:
    """An answer that names weapons."""
    return {"kind": "assign-weapons", "value": [list(weapon) for weapon in weapons]}


def unit(*weapons: Json, count: int = 1, **more: Any) -> Json:
    """Models in a row with some weapons."""
    return squad("a1", "A", count, *weapons, at=[(10, 10 + 1.5 * k) for k in range(count)], M=6, **more)


def refusal(found: Ruling) -> tuple[str, str]:
    """The code and the clause of a refusal."""
    assert found.refusal is not None
    return found.refusal["code"], found.refusal["clause"]


@pytest.mark.clause("commentary-10", "SHOOT-3")
def test_the_last_weapon_is_named_too() -> None:
    """Two models shoot at a target each; the second has one weapon and one target left and may name both all the same."""
    far = [squad("b1", "B", 1, at=[(20, 10)], M=6), squad("b2", "B", 1, at=[(20, 16)], M=6)]
    answers = [at("b1"), fire(("a1.1", 0)), at("b2"), fire(("a1.2", 0))]
    found = rule([unit(GUN, count=2), *far], SHOOT, [3, 4, 1], answers=answers)
    assert found.dead() == ["b1.1"]
    assert [row["target"] for row in found.json["attacks"]] == ["b1", "b2"]


@pytest.mark.clause("commentary-10", "BGNT-4")
def test_a_vehicle_names_the_weapon_for_each_of_its_targets() -> None:
    """Locked in Combat it fires its gun past the unit in front of it, and its Pistol at that unit."""
    answers = [at("b2"), fire(("a1.1", 0)), at("b1"), fire(("a1.1", 1))]
    found = rule([unit(GUN, PISTOL, keywords=["VEHICLE"]), NEAR, OTHER], SHOOT, [3, 2], answers=answers)
    assert found.needs("hit") == [4, 3]


@pytest.mark.clause("commentary-10", "FGT-6")
def test_the_only_blade_is_named_too() -> None:
    """Who has one melee weapon and one enemy may name both."""
    assert rule([unit(blade()), NEAR], FIGHT, [1], answers=[at("b1"), fire(("a1.1", 0))]).purposes() == ["hit"]
    assert rule([unit(blade()), NEAR], FIGHT, [1], answers=[fire(("a1.1", 0))]).purposes() == ["hit"]


@pytest.mark.parametrize(
    ("units", "do", "weapon", "expected"),
    [
        ([unit(GUN, gun("Assault", name="carbine"), marks=["advanced"]), OTHER], SHOOT, 0, ("advanced", "WPN-1")),
        ([unit(GUN, PISTOL, keywords=["VEHICLE"]), NEAR, OTHER], SHOOT, 1, ("pistol-target", "BGNT-4")),
        ([unit(gun(range=3), GUN), OTHER], SHOOT, 0, ("out-of-range", "SHOOT-2")),
        ([unit(blade(), GUN), NEAR], FIGHT, 1, ("wrong-weapon", "FGT-6")),
        ([unit(blade()), NEAR], FIGHT, 1, ("not-offered", "FGT-6")),
    ],
)
@pytest.mark.clause("commentary-10", "SHOOT-2", "WPN-1", "BGNT-4", "FGT-6")
def test_a_weapon_that_may_not_be_used_is_refused_by_its_rule(
    units: list[Json], do: Json, weapon: int, expected: tuple[str, str]
) -> None:
    """What keeps the weapon from its target is said with its clause, also where another one is left for it."""
    target = units[-1]["id"]
    assert refusal(rule(units, do, answers=[at(target), fire(("a1.1", weapon))])) == expected


@pytest.mark.clause("commentary-10", "WPN-5")
def test_a_pistol_locked_in_combat_is_refused_another_target() -> None:
    """Gun and Pistol are both kept from it by one clause, which the refusal names."""
    assert refusal(rule([unit(GUN, PISTOL), NEAR, OTHER], SHOOT, answers=[at("b2")]))[1] == "WPN-5"
