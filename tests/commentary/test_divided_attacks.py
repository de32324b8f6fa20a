"""FGT-6: a model divides the attacks of a melee weapon among the units it may attack."""

from __future__ import annotations

import pytest

from tests.commentary.desk import Json, Ruling, blade, gun, squad
from tests.commentary.test_moments import at, clause
from tests.commentary.test_phases import rule

STAY = {"kind": "move", "value": "stay"}
FIGHT = {"phase": "fight", "unit": "a1"}


def between_two(*arms: Json) -> list[Json]:
    """One model with two enemy units in its Engagement Range."""
    return [
        squad("a1", "A", 1, *arms, at=[(10, 10)], M=6),
        squad("b1", "B", 1, at=[(11.5, 10)], M=6, W=9),
        squad("b2", "B", 1, at=[(8.5, 10)], M=6, W=9),
    ]


def send(*rows: list[object]) -> Json:
    """An answer that names weapons, perhaps with how many attacks."""
    return {"kind": "assign-weapons", "value": list(rows)}


def attacks(found: Ruling) -> list[tuple[str, int]]:
    """How many attacks were made at whom."""
    return [(event["facts"]["target"], event["facts"]["attacks"]) for event in found.events if event["kind"] == "attacked"]


@pytest.mark.clause("commentary-10", "FGT-6", "FGT-7")
@pytest.mark.parametrize("first", [1, 2, 4])
def test_a_model_divides_its_attacks_among_two_units(first: int) -> None:
    """Of five attacks those named go at the first unit and all others at the second, declared before any is made."""
    units = between_two(blade(A=5))
    found = rule(units, FIGHT, [1] * 5, answers=[STAY, at("b2"), send(["a1.1", 0, first])])
    assert attacks(found) == [("b2", first), ("b1", 5 - first)], found.refusal
    kinds = [event["kind"] for event in found.events if event["kind"] in ("struck", "attacked")]
    assert kinds == ["struck", "struck", "attacked", "attacked"]


@pytest.mark.clause("commentary-10", "FGT-6")
def test_all_attacks_at_one_unit_leave_none_for_the_other() -> None:
    """A weapon named without a number, or with all of its attacks, is not used against a second unit."""
    units = between_two(blade(A=5))
    for row in (["a1.1", 0], ["a1.1", 0, 5]):
        assert attacks(rule(units, FIGHT, [1] * 5, answers=[STAY, at("b2"), send(row)])) == [("b2", 5)]


@pytest.mark.clause("commentary-10", "FGT-6")
def test_numbers_that_cannot_be_sent_are_refused() -> None:
    """None, more than there are, and a share of a rolled number are refused by the clause, and nothing happens."""
    for arms, row in (
        (blade(A=5), ["a1.1", 0, 6]),
        (blade(A=5), ["a1.1", 0, 0]),
        (blade(A=5), ["a1.1", 0, "two"]),
        (blade(A=5), ["a1.1", 0, True]),
        (blade(A="D6"), ["a1.1", 0, 1]),
    ):
        assert clause(rule(between_two(arms), FIGHT, answers=[STAY, at("b2"), send(row)])) == "FGT-6"
    only = between_two(blade(A=5), blade(name="axe", A=5))[:2]
    assert clause(rule(only, FIGHT, answers=[STAY, at("b1"), send(["a1.1", 0, 2])])) == "FGT-6"


@pytest.mark.clause("commentary-10", "FGT-6", "WPN-17")
def test_what_is_left_of_a_weapon_is_all_a_model_strikes_another_with() -> None:
    """Who divided the attacks of one weapon has no other for the second unit, but those with Extra Attacks."""
    units = between_two(blade(name="sword", A=3), blade(name="axe", A=9), blade("Extra Attacks", name="tail", A=2))
    answers = [STAY, at("b1"), send(["a1.1", 0, 1]), at("b2")]
    found = rule(units, FIGHT, [1] * 5, answers=answers)
    assert attacks(found) == [("b1", 1), ("b2", 4)], found.refusal
    struck = [event["facts"]["weapons"] for event in found.events if event["kind"] == "struck"]
    assert struck == [["sword"], ["sword", "tail"]]


@pytest.mark.clause("commentary-10", "FGT-6", "MODCH-3")
def test_attacks_as_modified_are_divided() -> None:
    """A weapon with an attack more has that one to divide as well."""
    more = squad("a1", "A", 1, blade(A=2), at=[(10, 10)], M=6, rules=["Attacks(+1)"])
    units = [more, *between_two(blade())[1:]]
    found = rule(units, FIGHT, [1] * 3, answers=[STAY, at("b1"), send(["a1.1", 0, 2])])
    assert attacks(found) == [("b1", 2), ("b2", 1)], found.refusal
    assert clause(rule(units, FIGHT, answers=[STAY, at("b1"), send(["a1.1", 0, 4])])) == "FGT-6"


@pytest.mark.clause("commentary-10", "FGT-6")
def test_how_many_attacks_may_be_divided_is_said() -> None:
    """The request tells the attacks of a weapon that may be divided, and of no other."""
    for arms, told in ((blade(A=5), [5]), (blade(A="D6"), []), (blade(A=1), [])):
        found = rule(between_two(arms), FIGHT, answers=[STAY, at("b2")], unanswered="stop")
        assert found.pending is not None
        (row,) = found.pending["facts"]["weapons"]
        assert row[3:] == told


@pytest.mark.clause("commentary-10", "WPN-14", "FGT-6")
def test_a_divided_hazardous_weapon_has_one_die() -> None:
    """Its attacks go at two units, but it is one weapon that was used."""
    found = rule(between_two(blade("Hazardous", A=2)), FIGHT, [1, 1, 2], answers=[STAY, at("b2"), send(["a1.1", 0, 1])])
    assert found.purposes() == ["hit", "hit", "hazardous"], found.refusal


@pytest.mark.clause("commentary-10", "FNP-1", "ABIL-1")
def test_wounds_others_ignore_are_not_those_of_the_attack() -> None:
    """The end of a target hurts a unit beside it, which ignores that: none of the wounds of the attack was ignored."""
    units = [squad("a1", "A", 1, gun("Torrent", S=9), at=[(10, 10)], M=6)]
    units += [squad("b1", "B", 1, at=[(20, 10)], M=6, rules=["Deadly Demise 1"]), squad("b2", "B", 1, at=[(20, 12)], FNP=5)]
    found = rule(units, {"phase": "shooting", "unit": "a1", "action": "shoot"}, [6, 6, 5], answers=[at("b1")])
    assert found.purposes() == ["wound", "deadly demise", "feel no pain"]
    assert found.attack["ignored"] == 0 and found.attack["damage"] == 1


@pytest.mark.clause("commentary-10", "FNP-1", "MW-4")
def test_mortal_wounds_that_waited_may_be_ignored() -> None:
    """Of attacks on two units the mortal wounds come last; who ignores one of them has it in the sums of his own attack."""
    guns = [gun("Torrent", "Devastating Wounds", S=9, D=2, name="lance"), gun("Torrent", S=9, name="rifle")]
    units = [squad("a1", "A", 1, *guns, at=[(10, 10)], M=6), squad("b1", "B", 1, at=[(20, 10)], W=9, FNP=5)]
    units += [squad("b2", "B", 1, at=[(20, 14)], W=9, FNP=5)]
    answers = [at("b1"), send(["a1.1", 0]), at("b2")]
    found = rule(units, {"phase": "shooting", "unit": "a1", "action": "shoot"}, [6, 3, 4, 5, 4], answers=answers)
    rows = {row["target"]: (row["mortal"], row["damage"], row["ignored"]) for row in found.json["attacks"]}
    assert rows == {"b1": (1, 1, 1), "b2": (0, 1, 0)}
