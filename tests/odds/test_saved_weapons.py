"""Weapons as programs save them and as people type them in passing: the same weapon as the plain object."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from rolloff.errors import BadInput
from rolloff.situations.adjudicate import adjudicate
from tests.odds.test_notation import PAGE, SEVENTH, TENTH, read

Json = dict[str, Any]
GUN: Json = {"name": "Brass gun", "range": 24, "A": 2, "skill": "3+", "S": 4, "AP": -1, "D": 3, "rules": ["Heavy", "Melta 2"]}
CHARACTERISTICS = {"Range": '24"', "A": "2", "BS": "3+", "S": "4", "AP": "-1", "D": "3", "Keywords": "Heavy, Melta 2"}
PROFILE: Json = {
    "name": "Brass gun",
    "typeName": "Ranged Weapons",
    "hidden": False,
    "id": "12-ab",
    "characteristics": [{"name": name, "typeId": "cd-34", "$text": text} for name, text in CHARACTERISTICS.items()],
}


@pytest.mark.parametrize(
    "written",
    [
        PROFILE,
        {"active": True, "profiles": [{"name": "Brass gun", **CHARACTERISTICS}]},
        json.dumps({"name": "Brass gun", **CHARACTERISTICS}),
        {"name": "Brass gun", "weapon_type": "ranged", **CHARACTERISTICS},
        {
            "name": "Brass gun",
            "range": 24,
            "attacks": 2,
            "hitSkill": 3,
            "strength": 4,
            "ap": 1,
            "damage": 3,
            "abilities": "Heavy, Melta 2",
        },
        {
            "name": "Brass gun",
            "range": "24",
            "A": "2",
            "BS_WS": "3",
            "S": "4",
            "AP": "-1",
            "D": "3",
            "description": "heavy, melta 2",
        },
        {"name": "\u27a4 Brass gun", "type": "Ranged", **CHARACTERISTICS},
        'Brass gun - Range 24" - A 2 - BS 3+ - S 4 - AP -1 - D 3 - Keywords Heavy, Melta 2',
        "Brass gun [HEAVY, MELTA 2] \u2013 24\u201d \u2013 2 \u2013 3+ \u2013 4 \u2013 -1 \u2013 3",
        "Brass gun; 24\u201e; 2; 3+; 4; -1; 3; Heavy, Melta 2",
        '| Brass gun | 24" | 2 | BS 3+ | S 4 | AP -1 | D 3 | Heavy, Melta 2 |',
        "<b>Brass gun</b> | 24&quot; | 2 | 3+ | 4 | -1 | 3 | Heavy, Melta 2",
        'Brass gun 24" 2A 3+BS 4S -1AP 3D Heavy, Melta 2',
        'Brass gun 24", 2 A, 3+ BS, 4 S, -1 AP, 3 D, Heavy, Melta 2',
        'Brass gun Ranged 24" A:2 BS:3+ S:4 AP:-1 D:3 [HEAVY] [MELTA 2]',
    ],
)
def test_a_weapon_is_the_same_however_it_was_saved(written: object) -> None:
    """Profiles with their characteristics in a list, other programs' names of fields, rows with any mark between the cells."""
    assert read(TENTH, written)[0] == read(TENTH, GUN)[0]


@pytest.mark.parametrize(
    "written",
    [
        "Maul Melee Melee A:3 WS:4+ S:9 AP:-2 D:2",
        {"name": "Maul", "a": 3, "ws": "4+", "s": 9, "ap": -2, "d": 2, "range": "Melee", "keywords": ["Melee"]},
    ],
)
def test_a_heading_among_the_rules_is_no_rule(written: object) -> None:
    """Melee said twice is said once, and the note tells of it."""
    found, notes = read(TENTH, written)
    assert found.melee and found.rules == ()
    assert ("Melee", None) in notes


def test_a_description_in_prose_is_left_out_and_one_with_rules_is_not() -> None:
    """A text that names no rule says nothing about the attacks; one that names a rule beside an unknown one is refused."""
    bare = {key: value for key, value in GUN.items() if key != "rules"}
    found, notes = read(TENTH, {**bare, "description": "It once belonged to a king."})
    assert found.rules == ()
    assert ("It once belonged to a king.", None) in notes
    with pytest.raises(BadInput, match="Kingly"):
        read(TENTH, {**bare, "description": "heavy, Kingly"})


def test_a_rule_by_less_than_its_name_is_noted() -> None:
    """Initials and short forms are read where only one rule can be meant, and stand in the notes."""
    found, notes = read(TENTH, {**GUN, "rules": "RF1, Dev Wounds, lethals, twin linked"})
    assert [str(rule) for rule in found.rules] == ["Rapid Fire(1)", "Devastating Wounds", "Lethal Hits", "Twin-linked"]
    assert [given for given, _ in notes] == ["RF1", "Dev Wounds", "lethals"]


@pytest.mark.clause("compendium", "CF-PROF-4")
@pytest.mark.parametrize("written", ["Axe (-, S+1, AP2, Melee, Unwieldy)", "Axe; -; +1; 2; Melee, Unwieldy"])
def test_a_dash_that_is_no_range_or_no_attacks_is_one_weapon(written: str) -> None:
    """Which of two empty columns a dash stands in makes no difference, so the line is read."""
    found, _ = read(SEVENTH, written)
    assert found.melee and (found.stat("S"), found.stat("AP")) == ("User+1", -4)
    assert [rule.name for rule in found.rules] == ["Melee", "Unwieldy"]


@pytest.mark.parametrize(
    ("written", "copies"),
    [
        ('\u2022 2x Gun (24", A3, Piercing)', 2),
        ('- Gun (24", A3, Piercing)', 1),
        ('**Gun** (24", A3p)', 1),
        ('Gun x3 (24", A3p)', 3),
    ],
)
def test_bullets_and_counts_are_no_part_of_a_name(written: str, copies: int) -> None:
    """A line of a list to be shared is the weapon behind its bullet, as often as it says."""
    ruling = adjudicate(msgspec.json.encode({"edition": PAGE, "units": [], "ask": [{"parse": written}]}))
    value = ruling["answers"][0]["value"]
    guns = value if isinstance(value, list) else [value]
    assert len(guns) == copies
    assert all(gun["name"] == "Gun" and gun["rules"] == ["Piercing"] for gun in guns)


def test_two_rules_in_one_place_are_two() -> None:
    """A semicolon parts rules in the edition's own lines, too."""
    assert [rule.name for rule in read(PAGE, 'Gun (24", A3, Piercing; Rending)')[0].rules] == ["Piercing", "Rending"]


@pytest.mark.clause("onepage-3.0", "RULE-GEN-1")
@pytest.mark.clause("onepage-2.21", "RULE-GEN-1")
@pytest.mark.parametrize(
    ("edition", "rule", "near"),
    [
        (PAGE, "Pircing", "Piercing"),
        (PAGE, "Scope", "Precise"),
        ("onepage-2.21", "Precise", "Scope"),
        (TENTH, "Blasty", "Blast"),
    ],
)
def test_an_unknown_rule_names_the_nearest_and_those_of_weapons(edition: str, rule: str, near: str) -> None:
    """One bad ask says what is nearest and what a weapon may have; the other ask is answered."""
    gun = {"name": "Gun", "range": 24, "A": 2, "rules": [rule]} | ({"skill": 3, "S": 4} if edition == TENTH else {})
    asks = [{"parse": gun}, {"parse": gun | {"rules": []}}]
    bad, good = adjudicate(msgspec.json.encode({"edition": edition, "units": [], "ask": asks}))["answers"]
    assert bad["error"]["code"] == "unknown-rule"
    assert f"the nearest is {near}" in bad["error"]["message"]
    assert not {"Fearless", "Feel No Pain"} & set(bad["error"]["allowed"].split(", "))
    assert good["value"]["name"] == "Gun"
