"""What a unit has because of some of its models goes with the last of those, in the middle of attacks too; in play and odds."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from rolloff.editions.commentary.attack import attack_of
from rolloff.editions.commentary.attack_case import Case
from rolloff.oracle.calculator import Calculator
from rolloff.rules.attack import AttackForm
from rolloff.situations.forms import CaseForm, decode
from rolloff.situations.situation import read_situation
from tests.commentary.desk import Json, gun, shoot, squad
from tests.commentary.desk import case as written
from tests.commentary.matchups import computed, enumerated, played
from tests.commentary.referee import at
from tests.commentary.test_phases import rule

TIDE = ["INFANTRY", "TIDE"]
REACH = ["INFANTRY", "REACH", "detachment:lamplit-vigil"]
AURA = "Aura 6 TIDE: Feel No Pain 4+"
LIT: Json = {"sides": {"B": {"marks": [{"lamp:o1": "own-command"}]}}, "objectives": [{"id": "o1", "at": [20, 13]}]}
SHOOT: Json = {"phase": "shooting", "unit": "a1", "action": "shoot"}


def whisperer(*rules: str, wounds: int = 1) -> Json:
    """A Leader with an Aura in the unit it leads."""
    words = [*TIDE, "CHARACTER"]
    return squad("x", "B", 1, at=[(20, 11.5)], W=wounds, keywords=words, rules=["Leader", AURA, *rules], leading="b1")


def first(*models: str) -> list[Json]:
    """Answers that allocate to these models."""
    return [{"kind": "allocate", "value": model} for model in models]


@pytest.mark.clause("commentary-10", "UNIT-8")
def test_an_aura_goes_with_its_bearer() -> None:
    """A Leader's Aura spares its unit no wound of the same attacks once the Leader has fallen to a precise one."""
    shooter = squad("a1", "A", 1, gun("Torrent", "Precision", A=3, S=8), at=[(10, 10)])
    units = [shooter, squad("b1", "B", 3, at=[(20, 10), (21.5, 10), (23, 10)], keywords=TIDE), whisperer()]
    found = shoot(units, dice=[2, 4, 2, 3, 2], answers=first("b1.1"))
    assert found.purposes() == ["wound", "feel no pain", "wound", "feel no pain", "wound"]
    assert sorted(found.dead()) == ["b1.1", "x.1"]


@pytest.mark.clause("commentary-10", "UNIT-8", "MW-4")
def test_an_aura_goes_with_its_bearer_among_mortal_wounds() -> None:
    """Mortal wounds that carry over from the bearer of an Aura are borne without it."""
    shooter = squad("a1", "A", 1, gun("Torrent", "Precision", "Devastating Wounds", D=3), at=[(10, 10)])
    units = [shooter, squad("b1", "B", 3, at=[(20, 10), (21.5, 10), (23, 10)], keywords=TIDE), whisperer()]
    found = shoot(units, dice=[6, 1], answers=first("b1.1", "b1.2"))
    assert sorted(found.dead()) == ["b1.1", "b1.2", "x.1"]


@pytest.mark.clause("commentary-10", "LEAD-5", "UNIT-8")
def test_what_a_leader_gives_lasts_until_the_attacks_are_resolved() -> None:
    """Beside an Aura, which ends, what the Leader gives while leading goes on, also if it is the same ability."""
    shooter = squad("a1", "A", 1, gun("Torrent", "Precision", A=2, S=8), at=[(10, 10)])
    units = [shooter, squad("b1", "B", 2, at=[(20, 10), (21.5, 10)], keywords=TIDE)]
    given = whisperer("While Leading: Feel No Pain 4+")
    assert shoot([*units, given], dice=[2, 3, 2, 4], answers=first("b1.1")).dead() == ["x.1"]


@pytest.mark.clause("commentary-10", "UNIT-8")
@pytest.mark.parametrize(("allocated", "dice"), [("b1.1", [2, 3, 2]), ("b1.2", [2, 3, 2, 3])])
def test_an_aura_that_nobody_left_is_in_range_of(allocated: str, dice: list[int]) -> None:
    """A unit stands in another's Aura by the one model within 6": without that model its wounds are not spared."""
    bearer = squad("b2", "B", 1, at=[(13, 10)], keywords=TIDE, rules=[AURA])
    shooter = squad("a1", "A", 1, gun("Torrent", A=2, S=8), at=[(10, 30)])
    units = [shooter, squad("b1", "B", 2, at=[(20, 10), (21.5, 10)], keywords=TIDE), bearer]
    assert shoot(units, dice=dice, answers=first(allocated)).dead() == ["b1.1", "b1.2"]


@pytest.mark.clause("commentary-10", "UNIT-10")
def test_an_item_goes_with_who_carries_it() -> None:
    """A standard that gives Feel No Pain is gone for the next wound of the same attacks when its bearer has fallen."""
    shooter = squad("a1", "A", 1, gun("Torrent", A=2, S=8), at=[(10, 10)])
    own = [{"rules": ["While Carried: Feel No Pain 4+"]}]
    units = [shooter, squad("b1", "B", 2, at=[(20, 10), (21.5, 10)], own=own)]
    assert shoot(units, dice=[2, 3, 2], answers=first("b1.1")).dead() == ["b1.1", "b1.2"]
    assert shoot(units, dice=[2, 3, 2, 4], answers=first("b1.2")).dead() == ["b1.2"]


@pytest.mark.clause("commentary-10", "COVER-1", "TCOND-1")
@pytest.mark.parametrize(("allocated", "needs"), [("b1.1", [3, 4]), ("b1.2", [3, 3])])
def test_a_unit_that_has_left_the_light(allocated: str, needs: list[int]) -> None:
    """Cover by a lamp token is read at allocation: it is lost with the last model within range of the marker."""
    target = squad("b1", "B", 2, at=[(20, 10), (20, 8.2)], Sv=4, keywords=REACH)
    shooter = squad("a1", "A", 2, gun(S=8, skill=2), at=[(10, 10), (10, 12)], M=6)
    found = rule([shooter, target], SHOOT, [2, 2, 1, 2, 2, 6], answers=[at("b1"), *first(allocated)], **LIT)
    assert found.needs("save") == needs


@pytest.mark.clause("commentary-10", "COVER-1", "OC-2")
@pytest.mark.parametrize(("height", "need"), [(5, 3), (5.1, 4)])
def test_light_reaches_five_inches_up(height: float, need: int) -> None:
    """A unit more than 5" above a marker is not within range of it, nor of the lamp token that lies there."""
    floor = {"id": "f", "types": ["hill"], "polygon": [[18, 8], [22, 8], [22, 11.2], [18, 11.2]], "height": height}
    target = squad("b1", "B", 1, at=[(20, 10)], Sv=4, keywords=REACH, own=[{"z": height}])
    shooter = squad("a1", "A", 1, gun(S=8, skill=2), at=[(20, 25)], M=6)
    found = rule([shooter, target], SHOOT, [2, 2, 6], answers=[at("b1")], table={"terrain": [floor]}, **LIT)
    assert found.needs("save") == [need]


@pytest.mark.clause("commentary-10", "UNIT-8", "UNIT-10")
@pytest.mark.parametrize("damage", [1, 2])
def test_odds_of_what_fades(damage: int) -> None:
    """Odds know that a precise wound may end an Aura and that an item falls with its bearer: they are those of the dice."""
    own = [{"rules": ["While Carried: Damage Taken(-1)"]}, {}]
    for target, leader in (
        (squad("b1", "B", 1, at=[(20, 10)], keywords=TIDE), [whisperer()]),
        (squad("b1", "B", 2, at=[(20, 10), (21.5, 10)], W=2, own=own), []),
    ):
        shooter = squad("a1", "A", 1, gun("Torrent", "Precision", A=2, S=8, D=damage), at=[(10, 10)])
        situation = read_situation(decode(json.dumps(written([shooter, target, *leader])).encode(), CaseForm))
        case = Case(situation.game, situation.state, AttackForm(0, 1, "shooting"))
        exact = computed(attack_of(case), {}, Calculator(exact=True))
        assert played(case) == exact == enumerated(attack_of(case, asked=True), {})
        if leader:  # who falls unless he is spared every point, and then the other without a die
            falls = Fraction(5, 6) * (1 - Fraction(1, 2) ** damage)
            assert exact[1, 1] == falls * Fraction(5, 6) and exact[0, 0] == (1 - falls) ** 2


# -- mortal wounds that come from no attack --------------------------------------------------------

SPARED = "While Leading: Feel No Pain 2+"


def marshal(id: str, unit: str, x: float, *weapons: Json, wounds: int = 4) -> Json:
    """A Leader who spares the unit it leads wounds."""
    words, rules = ["INFANTRY", "CHARACTER"], ["Leader", SPARED]
    return squad(id, unit[0].upper(), 1, *weapons, at=[(x, 12)], W=wounds, keywords=words, rules=rules, leading=unit)


@pytest.mark.clause("commentary-10", "LEAD-4", "MW-2")
def test_grenades_that_take_the_bodyguard_end_what_a_leader_gives() -> None:
    """Of three mortal wounds the Bodyguard dies to the first: the Leader leads nobody and bears the others unspared."""
    thrower = squad("a1", "A", 1, at=[(10, 10)], M=6, keywords=["INFANTRY", "GRENADES"])
    units = [thrower, squad("b1", "B", 1, at=[(14, 12)]), marshal("x", "b1", 15.5)]
    answers = [{"kind": "react", "value": "Grenade"}]
    found = rule(units, {"phase": "shooting"}, [4, 4, 4, 1, 1, 1, 1], answers=answers, sides={"A": {"cp": 1}})
    assert found.dead() == ["b1.1"] and found.faces("feel no pain") == [1] and found.wounds("x") == [2]


@pytest.mark.clause("commentary-10", "LEAD-4", "ABIL-1")
def test_a_deadly_demise_that_takes_the_bodyguard_ends_what_leaders_give() -> None:
    """The end of a VEHICLE is no attack: two Leaders whose Bodyguard falls to it bear what is left of it unspared."""
    shooter = squad("a1", "A", 1, gun(S=8, D=6), at=[(10, 33)], M=6)
    hulk = squad("b2", "B", 1, at=[(10, 12)], W=2, keywords=["VEHICLE"], rules=["Deadly Demise 4"])
    units = [shooter, hulk, squad("b1", "B", 1, at=[(14, 12)]), marshal("x", "b1", 15.5, wounds=1), marshal("y", "b1", 17)]
    found = rule(units, SHOOT, [6, 6, 6, 1], answers=[at("b2"), *first("x.1")])
    assert sorted(found.dead()) == ["b1.1", "b2.1", "x.1"]
    assert found.faces("feel no pain") == [1] and found.wounds("y") == [2]


@pytest.mark.clause("commentary-10", "LEAD-4", "WPN-14")
@pytest.mark.parametrize(("lost", "wounds", "dice", "other"), [("a1.1", 4, [1, 1], "x"), ("x.1", 2, [1, 6, 1, 1], "a1")])
def test_own_weapons_that_take_a_part_end_what_a_leader_gives(lost: str, wounds: int, dice: list[int], other: str) -> None:
    """A Bodyguard lost to its Hazardous weapon spares its Leader no wound of the next one; a Leader's death its unit none."""
    risky = gun("Hazardous")
    units = [squad("a1", "A", 1, risky, at=[(14, 12)], M=6, W=2), marshal("x", "a1", 15.5, risky, wounds=wounds)]
    target = squad("b1", "B", 1, at=[(14, 30)])
    found = rule([*units, target], SHOOT, [2, 2, *dice], answers=[at("b1"), *first(lost)])
    assert found.dead() == [lost] and found.wounds(other) == [3 - len(found.faces("feel no pain"))]


# -- Stealth ---------------------------------------------------------------------------------------

VEILED: Json = {"rules": ["Stealth"]}
VEILS: dict[str, tuple[list[Json], list[int]]] = {
    "it comes": ([{}, VEILED, VEILED], [3, 4, 4]),
    "it stays": ([VEILED, VEILED, VEILED], [4, 4, 4]),
    "it never comes": ([VEILED, {}, {}], [3, 3, 3]),
    "an item is lost": ([{"rules": ["While Carried: Stealth"]}, {}, {}], [4, 3, 3]),
    "an Aura is lost": ([{"rules": ["Aura 6: Stealth"]}, {}, {}], [4, 3, 3]),
    "others have it without the item": ([{"rules": ["While Carried: Stealth"]}, VEILED, VEILED], [4, 4, 4]),
}


@pytest.mark.clause("commentary-10", "ABIL-10", "TCOND-1", "UNIT-8", "UNIT-10")
@pytest.mark.parametrize(("own", "needs"), VEILS.values(), ids=VEILS)
def test_stealth_is_read_at_each_hit_roll(own: list[Json], needs: list[int]) -> None:
    """When the first model has fallen, the others have Stealth if all of them do, whether the unit had it before or not."""
    target = squad("b1", "B", 3, at=[(20, 10), (20, 11.5), (20, 13)], own=own)
    units = [squad("a1", "A", 1, gun(A=2), gun(name="other"), at=[(10, 10)]), target]
    found = rule(units, SHOOT, [needs[0], 4, 2, 2], answers=[at("b1"), *first("b1.1")])
    assert (found.needs("hit"), found.dead()) == (needs, ["b1.1"]), found.refusal


@pytest.mark.clause("commentary-10", "ABIL-10", "ATK-11")
@pytest.mark.parametrize("own", [own for own, _ in VEILS.values()], ids=VEILS)
def test_stealth_that_comes_or_goes_is_the_same_in_odds(own: list[Json]) -> None:
    """Every die path of attacks on such a unit, by one weapon or two, and what is computed of them come to the same."""
    for arms in ([gun(A=2)], [gun(), gun(name="other", skill=2)]):
        target = squad("b1", "B", 3, at=[(20, 10), (20, 11.5), (20, 13)], own=own)
        text = json.dumps(written([squad("a1", "A", 1, *arms, at=[(10, 10)]), target])).encode()
        situation = read_situation(decode(text, CaseForm))
        case = Case(situation.game, situation.state, AttackForm(0, 1, "shooting"))
        exact = computed(attack_of(case), {}, Calculator(exact=True))
        assert played(case) == exact == enumerated(attack_of(case, asked=True), {})
