"""Events cite what they rest on, and nothing that did not happen."""

from __future__ import annotations

from typing import Any

import pytest

from tests.commentary.desk import EDITION, Json, Ruling, blade, gun, squad
from tests.commentary.test_phases import rule
from tests.commentary.test_timing import at, react

FAR = squad("b9", "B", 1, at=[(57, 41)], M=6)
SHOOT = {"phase": "shooting", "unit": "a1", "action": "shoot"}


def cited(found: Ruling, kind: str) -> list[str]:
    """The clauses of the first event of a kind."""
    clauses: list[str] = found.event(kind)["clauses"]
    return clauses


def shot(*rules: str, dice: Any, **target: Any) -> Ruling:
    """A gun fired at a unit."""
    shooter = squad("a1", "A", 1, gun(*rules), at=[(10, 10)], M=6)
    return rule([shooter, squad("b1", "B", 1, at=[(20, 10)], M=6, **target), FAR], SHOOT, dice, answers=[at("b1")])


@pytest.mark.clause(EDITION, "WPN-19", "SHOOT-2")
def test_one_shot_is_cited_where_it_is_spent() -> None:
    """A shot cites WPN-19 if a weapon is spent by it, and no other shot does."""
    assert cited(shot(dice=[1]), "shot") == ["SHOOT-2"]
    assert cited(shot("One Shot", dice=[1]), "shot") == ["SHOOT-2", "WPN-19"]


@pytest.mark.clause(EDITION, "ATK-4", "ATK-9", "DEST-1")
def test_what_attacks_came_to_is_cited() -> None:
    """A saved attack was allocated, one that is not took a wound, and one that took the last wound destroyed its model."""
    assert cited(shot(dice=[3, 4, 6], Sv=4, W=2), "casualties") == ["ATK-4"]
    assert cited(shot(dice=[3, 4, 1], Sv=4, W=2), "casualties") == ["ATK-9"]
    assert cited(shot(dice=[3, 4, 1], Sv=4), "casualties") == ["ATK-9", "DEST-1"]


@pytest.mark.clause(EDITION, "DEST-3", "DEST-4")
def test_who_destroyed_a_unit_is_cited() -> None:
    """By an enemy's attack it was destroyed by him (DEST-3), by its own Hazardous weapon by nobody (DEST-4)."""
    assert cited(shot(dice=[3, 4]), "unit-destroyed") == ["DEST-2", "DEST-3"]
    assert cited(shot("Hazardous", dice=[1, 1]), "unit-destroyed") == ["DEST-2", "DEST-4"]


@pytest.mark.clause(EDITION, "OC-3", "OC-4")
def test_who_controls_a_marker_is_cited() -> None:
    """A marker that somebody controls from now on cites OC-3, one that is contested from now on OC-4, both together both."""
    units = [squad("a1", "A", 1, at=[(20, 22)], OC=1), squad("b1", "B", 1, at=[(20, 18)], OC=1)]
    even: Json = {"id": "o1", "at": [20, 20], "holder": "B"}
    ours: Json = {"id": "o2", "at": [22.5, 23.5], "holder": None}
    for markers, clauses in (([even], ["OC-4"]), ([ours], ["OC-3"]), ([even, ours], ["OC-4", "OC-3"])):
        found = rule(units, {"phase": "charge"}, [], objectives=markers)
        assert cited(found, "control") == clauses


@pytest.mark.clause(EDITION, "MIS-4")
def test_the_mission_that_scores_is_cited() -> None:
    """Points of a mission cite the mission beside the moment of scoring."""
    units = [squad("a1", "A", 1, at=[(20, 22)], OC=1), FAR]
    marker = [{"id": "o1", "at": [20, 20], "holder": "A"}]
    for mission, clause in (("default", "MSN-1"), ("four-corners", "MSN-2")):
        found = rule(units, {"phase": "command"}, [], objectives=marker, mission=mission)
        assert cited(found, "scored") == ["MIS-4", clause]


@pytest.mark.clause(EDITION, "FIGHTDEATH-1", "SHOOTDEATH-1")
def test_how_a_destroyed_model_acts_is_cited() -> None:
    """The die of a model that may fight when it is destroyed cites FIGHTDEATH-1, of one that may shoot SHOOTDEATH-1."""
    ours = squad("a1", "A", 1, blade(S=9, skill=2), at=[(10, 10)], M=6, W=9)
    do, stay = {"phase": "fight", "unit": "a1", "action": "fight"}, {"kind": "move", "value": "stay"}
    for name, weapon, clause in (("Fights", blade(), "FIGHTDEATH-1"), ("Shoots", gun("Pistol"), "SHOOTDEATH-1")):
        units = [ours, squad("b1", "B", 1, weapon, at=[(11.5, 10)], M=6, rules=[f"{name} On Death 4+"]), FAR]
        found = rule(units, do, [2, 2, 3], answers=[stay])
        assert found.verdict == "legal", found.refusal
        assert [roll["clauses"] for roll in found.json["rolls"] if roll["purpose"] == "after death"] == [[clause]]


@pytest.mark.clause(EDITION, "BSHOCK-1", "UNIT-8")
def test_what_makes_a_test_harder_is_cited() -> None:
    """ENH-R2: a Battle-shock test within the Aura needs one more, however many bear it, and cites it; one outside does not."""
    shaken = squad("a1", "A", 4, at=[(10 + 1.5 * k, 10) for k in range(4)], start_size=10, Ld=7)
    for y, need, more in ((20, 8, ["ENH-R2"]), (40, 7, [])):
        dread = [squad(f"b{k}", "B", 1, at=[(10 + 2 * k, y)], rules=["Dread Aura 12"]) for k in (1, 2)]
        (roll,) = rule([shaken, *dread], {"phase": "command"}, [6, 6]).json["rolls"]
        assert (roll["need"], roll["clauses"]) == (need, ["BSHOCK-1", "LDTEST-1", *more])


@pytest.mark.clause(EDITION, "D66-1")
def test_a_mutation_is_cited_with_its_table() -> None:
    """AB-T8: the D66 of a mutation cites the ability it is rolled by."""
    unit = squad("a1", "A", 1, at=[(10, 10)], rules=["Mutates"])
    found = rule([unit, FAR], {"step": "round-end"}, [1, 4], clock={"phase": "round-end", "first": "A", "marks": []})
    assert [roll["clauses"] for roll in found.json["rolls"]] == [["AB-T8", "D66-1"]]


@pytest.mark.clause(EDITION, "REPOS-3", "REPLACE-2", "RESV-2")
def test_why_a_unit_counts_as_moved_is_cited() -> None:
    """Who is set up again counts as having moved by REPOS-3, who is replaced by REPLACE-2, who arrives by RESV-2."""
    step = {"phase": "reinforcements"}
    for name, clauses in (("Burrows", ["REPOS-3"]), ("Replaced Once", ["REPLACE-2", "RESV-2"])):
        unit = squad("a1", "A", 1, at=[(10, 10)], M=6, rules=[name])
        assert cited(rule([unit, FAR], step, [], answers=[react(name)]), "reinforced") == clauses
    units = [squad("a1", "A", 1, where="reserve", M=6), squad("a2", "A", 1, at=[(5, 5)]), FAR]
    found = rule(units, {**step, "unit": "a1", "action": "arrive"}, [])
    assert cited(found, "reinforced") == ["RESV-2", "ARRIVE-1"]
