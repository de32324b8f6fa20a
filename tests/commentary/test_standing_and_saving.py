"""Who Remained Stationary by the marks of a situation, and questions about saves a model has beside its armour."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rolloff.situations.adjudicate import adjudicate
from tests.commentary.desk import EDITION, Json, gun, squad
from tests.commentary.test_phases import asked, rule


@pytest.mark.clause("commentary-10", "WPN-13", "STAT-1")
@pytest.mark.parametrize(
    ("marks", "need"),
    [
        (["stationary"], 3),
        ([], 3),
        (["moved"], 4),
        (["moved", "stationary"], 4),
        (["stationary", "moved"], 4),
    ],
)
def test_who_has_moved_did_not_remain_stationary(marks: list[str], need: int) -> None:
    """Heavy adds 1 for a unit marked as stationary or without a mark of what it did, unless it is marked as having moved."""
    ours = squad("a1", "A", 1, gun("Heavy", skill=4), at=[(10, 10)], M=6, marks=marks)
    units = [ours, squad("b1", "B", 1, at=[(20, 10)], M=6)]
    found = rule(units, {"phase": "shooting", "unit": "a1"}, [1], answers=[{"kind": "choose-target", "value": "b1"}])
    assert found.needs("hit") == [need]


def line(change: str, before: Any, after: Any, clause: str) -> Json:
    """A line of the audit."""
    return {"change": change, "from": before, "to": after, "clauses": [clause]}


GROUND: Json = {"grant:Invulnerable Save 6+": "end-phase"}


@pytest.mark.clause("commentary-10", "ATK-7", "ABIL-3", "FNP-1")
@pytest.mark.parametrize(
    ("unit", "what", "value", "printed", "audit"),
    [
        ({}, "Inv", "-", "-", []),
        ({"Inv": 4}, "Inv", 4, 4, []),
        ({"Inv": 4, "rules": ["Invulnerable Save 5+"]}, "Inv", 4, 4, [line("Invulnerable Save(5)", 4, 4, "ATK-7")]),
        ({"marks": [GROUND]}, "Inv", 6, "-", [line("Invulnerable Save(6)", "-", 6, "ATK-7")]),
        ({}, "FNP", "-", "-", []),
        ({"FNP": 6, "rules": ["Feel No Pain 5+"]}, "FNP", 5, 6, [line("Feel No Pain(5)", 6, 5, "FNP-1")]),
        ({"rules": ["Feel No Pain 4+ psychic"]}, "FNP", "-", "-", [line("Feel No Pain(4 psychic)", "-", "-", "FNP-1")]),
    ],
)
def test_saves_beside_the_armour_are_asked_for(unit: Json, what: str, value: Any, printed: Any, audit: list[Json]) -> None:
    """The best invulnerable save and the best Feel No Pain against everything, what is printed, and what others change."""
    (found,) = asked(
        [squad("a1", "A", 1, at=[(10, 10)], **unit), squad("b1", "B", 1, at=[(30, 10)])], {"value": ["a1.1", what]}
    )
    assert found == {"value": value, "printed": printed, "audit": audit}


@pytest.mark.clause("commentary-10", "STAT-1", "WPN-13")
@pytest.mark.parametrize(("active", "more", "need"), [("A", {}, 3), ("B", {}, 4), ("B", {"stationary": True}, 3)])
def test_nobody_remains_stationary_in_the_turn_of_the_enemy(active: str, more: Json, need: int) -> None:
    """A unit marked as stationary is Heavy in its own turn alone, unless the attack itself says that it is."""
    units = [
        squad("a1", "A", 1, gun("Heavy", skill=4), at=[(10, 10)], marks=["stationary"]),
        squad("b1", "B", 1, at=[(20, 10)]),
    ]
    attack = {"attacker": "a1", "target": "b1", "kind": "shooting", **more}
    case = {"edition": EDITION, "units": units, "active": active, "do": {"attack": attack}, "dice": [1]}
    (roll,) = adjudicate(json.dumps(case).encode())["rolls"]
    assert roll["need"] == need


def test_a_characteristic_nobody_knows() -> None:
    """What is no characteristic is refused with a sentence that names those there are."""
    units = [squad("a1", "A", 1, at=[(10, 10)]), squad("b1", "B", 1, at=[(30, 10)])]
    asks = [{"value": ["a1.1", what]} for what in ("Wits", ["Inv"], 3)]
    for answer in adjudicate(json.dumps({"edition": EDITION, "units": units, "ask": asks}).encode())["answers"]:
        assert answer["value"] is None and "no characteristic" in answer["error"]["message"]
        assert answer["error"]["allowed"].endswith("Inv, FNP")
