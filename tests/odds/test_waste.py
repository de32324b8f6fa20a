"""Waste from arrays is waste followed attack by attack: both lanes agree, and large questions are answered."""

from __future__ import annotations

from typing import Any

import pytest

from rolloff import odds
from rolloff.odds.first import FirstAttack
from rolloff.oracle.calculator import Calculator

BODY = {"T": 4, "Sv": "4+", "W": 2, "Ld": "7+"}
CASES = [
    ({"D": 2}, {}, []),
    ({"D": "D3"}, {"FNP": "5+"}, []),
    ({"D": "D6", "A": "D3"}, {"W": 3}, ["Damage Taken -1"]),
    ({"D": 2, "rules": ["Devastating Wounds"]}, {"FNP": "6+"}, []),
    ({"D": "D3", "rules": ["Devastating Wounds", "Sustained Hits 1", "Lethal Hits"]}, {"W": 1}, []),
    ({"D": "2D6"}, {"W": 12}, []),
]


@pytest.mark.parametrize(("gun", "body", "rules"), CASES)
def test_both_lanes_waste_the_same(gun: dict[str, Any], body: dict[str, Any], rules: list[str]) -> None:
    """Whatever the damage, saves and what ignores wounds: the arrays give the law that following every attack gives."""
    weapon = {"name": "gun", "range": 24, "A": 2, "skill": "3+", "S": 5, "AP": -1, "D": 1, "rules": []} | gun
    target = odds.unit(2, stats=BODY | body, rules=rules)
    asked = odds.scenario(odds.unit(2, stats=BODY, weapons=[weapon]), target, edition="commentary-10", range=6, visible=True)
    first = FirstAttack(asked, Calculator(), 0)
    arrays, followed = first.wasted(), first.track.wasted()
    assert len(arrays) == len(followed)
    for one, other in zip(arrays, followed, strict=True):
        assert one == pytest.approx(other, abs=1e-13)


@pytest.mark.parametrize("damage", ["D3", "2D6"])
@pytest.mark.parametrize("wounds", [1, 3])
def test_five_hundred_attacks_into_a_hundred_models_are_answered(damage: str, wounds: int) -> None:
    """Every table of a large question is there and sums to one; what is wasted and what is lost add up on average."""
    weapon = {"name": "gun", "range": 24, "A": 50, "skill": "3+", "S": 4, "AP": 0, "D": damage, "rules": []}
    attacker = odds.unit(10, stats=BODY, weapons=[weapon])
    found = odds.attack(attacker, odds.unit(100, stats=BODY | {"W": wounds}), edition="commentary-10", range=6).last
    for law in (found.hits, found.wounds, found.blocked, found.damage, found.kills, found.wasted, found.left_on_next):
        assert sum(law) == pytest.approx(1, abs=1e-12)
    mean = 2 if damage == "D3" else 7
    unsaved = found.wounds.mean - found.blocked.mean
    assert found.damage.mean + found.wasted.mean == pytest.approx(unsaved * mean, rel=1e-9)
