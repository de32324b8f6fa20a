"""Cards, weapons and abilities as they are written, and the sentences for those that cannot be used."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rolloff.editions.commentary.abilities import READER, SPECIALS
from rolloff.editions.commentary.events import KINDS
from rolloff.editions.commentary.lookups import index_of
from rolloff.errors import BadInput
from rolloff.situations.adjudicate import adjudicate
from rolloff.table.profile import Rule
from tests.commentary.desk import EDITION, Json, gun, shoot, situation, squad

FOE = squad("b1", "B", 3)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("RAPID FIRE 1", Rule("Rapid Fire", 1)),
        ("sustained hits D3", Rule("Sustained Hits", "D3")),
        ("Sustained Hits(2)", Rule("Sustained Hits", 2)),
        ("Anti-Infantry 4+", Rule("Anti", "INFANTRY 4+")),
        ("ANTI–EPIC HERO 2+", Rule("Anti", "EPIC HERO 2+")),
        ("Anti(INFANTRY 4+)", Rule("Anti", "INFANTRY 4+")),
        ("Feel No Pain 5+", Rule("Feel No Pain", 5)),
        ("Feel No Pain 4+ against psychic attacks", Rule("Feel No Pain", "4 psychic")),
        ("To Hit(−1)", Rule("To Hit", "-1")),
        ("Damage Taken(/2)", Rule("Damage Taken", "/2")),
        ('Scouts 6"', Rule("Scouts", 6)),
        ("While Leading: Lethal Hits", Rule("While Leading", "Lethal Hits")),
        ("twin-linked", Rule("Twin-linked")),
    ],
)
def test_abilities_as_people_write_them(text: str, rule: Rule) -> None:
    """Case does not matter, nor whether a number stands behind the name or in brackets; what was read reads again."""
    assert READER.rule(text, "here") == rule
    assert READER.rule(str(rule), "here") == rule


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"A": 0}, "A"),
        ({"A": "many"}, "A"),
        ({"skill": 1}, "skill"),
        ({"skill": 7}, "skill"),
        ({"skill": "good"}, "skill"),
        ({"S": 0}, "S"),
        ({"AP": "deep"}, "AP"),
        ({"D": 0}, "D"),
        ({"D": "much"}, "D"),
        ({"range": -1}, "range"),
        ({"range": "far"}, "range"),
        ({"rules": 5}, "rules"),
        ({"rules": ["Vorpal"]}, "rules[0]"),
        ({"rules": ["Melta"]}, "rules[0]"),
        ({"rules": ["Anti-Infantry"]}, "rules[0]"),
        ({"rules": ["Lethal Hits 2"]}, "rules[0]"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_weapons_that_cannot_be_used(change: Json, where: str) -> None:
    """The sentence names the field of the weapon and says what is allowed there."""
    with pytest.raises(BadInput) as caught:
        shoot([squad("a1", "A", 1, {**gun(), **change}), FOE])
    assert caught.value.where == f"units[0].models[0].weapons[0].{where}"
    assert caught.value.allowed


def test_weapons_must_be_objects_with_all_that_is_needed() -> None:
    """A weapon as text, or without Strength or skill, is refused by name."""
    for weapon, word in (("Rifle", "object"), ({"name": "gun", "range": 24, "A": 1}, "S"), (gun(), "skill")):
        given: Any = {k: v for k, v in weapon.items() if k != "skill"} if isinstance(weapon, dict) else weapon
        with pytest.raises(BadInput) as caught:
            shoot([squad("a1", "A", 1, given), FOE])
        assert word in f"{caught.value.message} {caught.value.allowed}"


@pytest.mark.parametrize(
    ("stats", "where"),
    [({"T": 0}, "T"), ({"W": 0}, "W"), ({"Sv": 1}, "Sv"), ({"Inv": 7}, "Inv"), ({"FNP": "x"}, "FNP"), ({"Ld": 1}, "Ld")],
)
def test_cards_that_cannot_be_used(stats: Json, where: str) -> None:
    """The sentence names the characteristic and its bounds."""
    with pytest.raises(BadInput) as caught:
        shoot([squad("a1", "A", 1, gun()), squad("b1", "B", 3, **stats)])
    assert caught.value.where == f"b1.stats.{where}" and caught.value.allowed


def test_what_a_card_lacks_or_has_too_much() -> None:
    """A missing or unknown characteristic, a rule nobody knows, and lost wounds beyond the last are named."""
    bare = squad("b1", "B", 1)
    for stats, code in (({"T": 4, "W": 1}, "missing-stat"), ({"T": 4, "W": 1, "Sv": 3, "I": 4}, "unknown-stat")):
        with pytest.raises(BadInput) as caught:
            shoot([squad("a1", "A", 1, gun()), {**bare, "stats": stats}])
        assert caught.value.code == code
    with pytest.raises(BadInput, match="no ability"):
        shoot([squad("a1", "A", 1, gun()), squad("b1", "B", 1, rules=["Fearless"])])
    with pytest.raises(BadInput, match="lost 2 of 2"):
        shoot([squad("a1", "A", 1, gun()), squad("b1", "B", 1, W=2, wounds=[2])])
    with pytest.raises(BadInput, match="no weapon ability"):
        shoot([squad("a1", "A", 1, gun("Stealth")), bare])
    with pytest.raises(BadInput, match="cannot be rolled again"):
        shoot([squad("a1", "A", 1, gun("Re-roll Damage(ones)", D="2D6")), bare])
    with pytest.raises(BadInput, match="no models on the table"):
        shoot([squad("a1", "A", 1, gun()), squad("b1", "B", 1, where="reserve")])
    with pytest.raises(BadInput, match="no mark"):
        shoot([squad("a1", "A", 1, gun(), marks=["flying"]), bare])


@pytest.mark.clause("commentary-10", "UNIT-2")
def test_values_in_their_written_forms() -> None:
    """Pluses, inch marks and dashes are read; a model's own characteristics stand among its rules."""
    unit = squad("b1", "B", 2, T=4, Sv="3+", W=2, Ld="6+", Inv="4+", FNP="-", M='6"', own=[{"rules": ["Sv 2+", "W(5)"]}])
    game = situation([squad("a1", "A", 1, gun(range='24"', AP="-2", skill="3+", D="D3+1")), unit]).game
    lookups = index_of(game)
    first, second = lookups.fighters[1].profile, lookups.fighters[2].profile
    assert (first.save, first.wounds, first.ward, first.no_pain, first.move) == (2, 5, 4, "-", 6)
    assert (second.save, second.wounds) == (3, 2)
    weapon = lookups.fighters[0].weapons[0]
    assert (weapon.reach, weapon.stat("AP"), weapon.stat("skill"), weapon.stat("D")) == (24_000, -2, 3, "D3+1")


def test_a_card_without_keywords_has_its_type() -> None:
    """Keywords are read in any case; without any the type of the card stands for one."""
    lookups = index_of(
        situation([squad("a1", "A", 1, keywords=[], type="vehicle"), squad("b1", "B", 1, keywords=["Infantry"])]).game
    )
    assert [fighter.keywords for fighter in lookups.fighters] == [("VEHICLE",), ("INFANTRY",)]


def test_a_situation_written_back_reads_the_same() -> None:
    """What adjudication says the situation is afterwards can be adjudicated again."""
    import json

    weapon = gun("Anti-INFANTRY 4+", "Sustained Hits D3", A="D3+1", D="D6")
    leader = squad("x", "B", 1, W=3, keywords=["CHARACTER"], where="b1", rules=["While Leading: Feel No Pain 5+"])
    first = shoot([squad("a1", "A", 1, weapon), FOE, leader], dice=[1, 1, 1])
    again = {**first.json["after"], "dice": [1, 1, 1], "do": {"attack": {"attacker": "a1", "target": "b1", "range": 9}}}
    assert adjudicate(json.dumps(again).encode())["verdict"] == "legal"


def test_rolls_belong_to_who_throws_them() -> None:
    """Hits and wounds are rolled by the attacker, saves and Feel No Pain by the target."""
    ruling = shoot([squad("a1", "A", 1, gun()), squad("b1", "B", 1, Sv=4, FNP=5)], dice=[3, 4, 1, 1])
    assert [roll["unit"] for roll in ruling.json["rolls"]] == ["a1", "a1", "b1", "b1"]


def test_every_event_cites_what_its_kind_allows() -> None:
    """Whatever comes up, an event cites only clauses its kind may cite."""
    weapons = [
        gun("Re-roll Hits(ones)", "Twin-linked", "Sustained Hits D3", "Devastating Wounds", "Hazardous", "Heavy", A="D3")
    ]
    target = squad("b1", "B", 3, W=2, Sv=4, Inv=5, FNP=5, rules=["Stealth", "Re-roll Saves(ones)", "Damage Taken(-1)"])
    for seed in range(40):
        ruling = shoot([squad("a1", "A", 2, *weapons), target], dice={"seed": seed}, cover=True, stationary=True)
        for event in ruling.events:
            assert set(event["clauses"]) <= KINDS[event["kind"]].clauses, event


def test_every_ability_has_a_clause() -> None:
    """No ability is without a citation, and each is tried with ratings it reads itself."""
    for name, special in SPECIALS.items():
        assert special.clauses, name
        for rating in special.samples:
            assert READER.rule(str(Rule(name, rating)), "here") == Rule(name, rating)


@pytest.mark.parametrize("sides", [{}, {"A": {"cp": 0, "score": 0}}, {"A": {"cp": 2}, "B": {"score": 3, "marks": [{"cp": 0}]}}])
def test_what_a_ruling_leaves_is_read_as_the_same_state(sides: Json) -> None:
    """Points nobody has are no other state than points nobody speaks of: what came of a case has its hash again."""
    units = [squad("a1", "A", 1, at=[(10, 10)], M=6), squad("b1", "B", 1, at=[(30, 30)], M=6)]
    case = {"edition": EDITION, "units": units, "sides": sides, "do": {"phase": "movement", "unit": "a1", "action": "normal"}}
    first = adjudicate(json.dumps(case).encode())
    assert adjudicate(json.dumps(first["after"]).encode())["state"] == first["state"]
