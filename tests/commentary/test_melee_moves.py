"""Charges, Pile-in and Consolidation moves model by model: who goes where, who may not, and who fights when."""

from __future__ import annotations

from typing import Any

import pytest

from tests.commentary.desk import Json, blade, squad
from tests.commentary.test_phases import asked, marks, rule

CHARGE = {"phase": "charge", "unit": "a1", "action": "charge"}
FIGHT = {"phase": "fight", "unit": "a1", "action": "fight"}
STAY = {"kind": "move", "value": "stay"}
FAR = squad("b9", "B", 1, at=[(50, 40)], M=6)


def go(**places: Any) -> Json:
    """An answer that moves models, ``m2=(x, y)`` being the second of a1."""
    return {"kind": "move", "value": {f"a1.{name[1:]}": [list(at)] for name, at in places.items()}}


def clause(found: Any) -> str | None:
    """The clause a ruling was refused by."""
    return found.refusal["clause"] if found.refusal else None


# -- charges ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("starts", "middle", "expected"),
    [
        ([(16, 11), (17, 9.5), (16, 12.5)], (20, 14.5), None),
        ([(18, 13.5), (19.5, 14.5), (18, 15.5)], (21.2, 14.5), "CHG-4"),
    ],
)
@pytest.mark.clause("commentary-10", "CHG-4")
def test_a_model_ends_closer_to_one_of_the_targets(starts: Any, middle: Any, expected: str | None) -> None:
    """Between two targets a model may leave the nearer one behind, if it ends closer to the other; not if to neither."""
    spots = (20, 10), (20, 19)
    units = [squad("a1", "A", 3, blade(), at=starts, M=6), FAR]
    units += [squad(f"b{k + 1}", "B", 1, at=[spot], M=6) for k, spot in enumerate(spots)]
    answers = [{"kind": "choose-target", "value": name} for name in ("b1", "b2")]
    found = rule(units, CHARGE, [5, 4], answers=[*answers, go(m1=(20, 11.9), m2=middle, m3=(20, 17.1))])
    assert clause(found) == expected, found.refusal


@pytest.mark.clause("commentary-10", "CHG-2")
def test_targets_of_a_charge_need_not_be_seen() -> None:
    """Enemy units within 12" are offered, visible or not; one further away is not."""
    ruin = {"id": "r", "types": ["ruin"], "polygon": [[12, 5], [14, 5], [14, 15], [12, 15]], "height": 6}
    near, far = squad("b1", "B", 1, at=[(19, 10)], M=6), squad("b2", "B", 1, at=[(10, 23.1)], M=6)
    units = [squad("a1", "A", 1, blade(), at=[(10, 10)], M=6), near, far]
    found = rule(units, CHARGE, [1, 1], table={"terrain": [ruin]})
    assert asked(units, {"sight": ["a1", "b1"]}, table={"terrain": [ruin]}) == [False]
    assert found.event("charge-declared")["facts"]["targets"] == ["b1"]
    refused = rule(units, CHARGE, [6, 6], table={"terrain": [ruin]}, answers=[{"kind": "choose-target", "value": "b2"}])
    assert clause(refused) == "CHG-2"


@pytest.mark.clause("commentary-10", "CHG-4", "CHARGE-1")
def test_chargers_end_in_base_contact_if_they_can() -> None:
    """With a roll of 7 a model 6" away touches; an end half an inch short of it is refused and shows where it could stand."""
    units = [squad("a1", "A", 1, blade(), at=[(10, 10)], M=6), squad("b1", "B", 1, at=[(17, 10)], M=6)]
    short = rule(units, CHARGE, [3, 4], answers=[go(m1=(15.5, 10))])
    assert clause(short) == "CHG-4" and "base contact with b1.1" in str(short.refusal)
    assert rule(units, CHARGE, [3, 4], answers=[go(m1=(16, 10))]).event("moved")["facts"]["action"] == "charge"
    assert rule(units, CHARGE, [2, 3], answers=[go(m1=(15, 10))]).verdict == "legal"


@pytest.mark.clause("commentary-10", "CHARGE-6", "CHARGE-3", "CHARGE-1", "TARGET-2")
def test_who_was_charged() -> None:
    """The targets of a successful charge have been charged until the end of the turn; of a failed one they have not."""
    units = [
        squad("a1", "A", 1, blade(), at=[(10, 10)], M=6),
        squad("b1", "B", 1, at=[(15, 10)], M=6),
        squad("b2", "B", 1, at=[(15, 13)], M=6),
    ]
    found = rule(units, CHARGE, [6, 6])
    assert found.event("charge-declared")["facts"]["targets"] == ["b1"]
    assert "was-charged" in marks(found, "b1") and "was-charged" not in marks(found, "b2")
    failed = rule(units, CHARGE, [1, 1])
    assert "was-charged" not in marks(failed, "b1")
    assert "charged" in marks(found, "a1") and "charged" not in marks(failed, "a1")


@pytest.mark.clause("commentary-10", "AIR-5", "MOM-3")
def test_only_flyers_charge_and_fight_aircraft() -> None:
    """AIRCRAFT are charged and fought by units with FLY alone, and fight those alone; a charge ends near its targets only."""
    plane = squad("b1", "B", 1, blade(), at=[(16, 10)], M="20+", keywords=["VEHICLE", "FLY", "AIRCRAFT"])
    for words, verdict in ((["INFANTRY"], "refused"), (["INFANTRY", "FLY"], "legal")):
        units = [squad("a1", "A", 1, blade(), at=[(10, 10)], M=6, keywords=words), plane]
        assert rule(units, CHARGE, [6, 6] if verdict == "legal" else []).verdict == verdict
        close = [squad("a1", "A", 1, blade(), at=[(14.9, 10)], M=6, keywords=words), plane]
        fought = rule(close, FIGHT, [1] if verdict == "legal" else [])
        assert ("struck" in [event["kind"] for event in fought.events]) is (verdict == "legal")
        back = rule(close, {"phase": "fight", "unit": "b1", "action": "fight"}, [1] if verdict == "legal" else [], active="B")
        assert ("struck" in [event["kind"] for event in back.events]) is (verdict == "legal")


# -- pile-in ---------------------------------------------------------------------------------------

PAIR = [
    squad("a1", "A", 2, blade(), at=[(10, 10), (8, 10)], M=6),
    squad("b1", "B", 1, blade(), at=[(11.5, 10)], M=6, W=9),
]


@pytest.mark.clause("commentary-10", "PILEIN-1", "PILEIN-3", "CLOSE-1", "FIGHT-1")
def test_a_pile_in_goes_to_the_closest_enemy() -> None:
    """The unit piles in before it strikes; a model ends closer to the closest enemy model, in contact with it if it can."""
    found = rule(PAIR, FIGHT, [1, 1])
    kinds = [event["kind"] for event in found.events]
    assert kinds.index("piled-in") < kinds.index("struck") < kinds.index("consolidated")
    assert found.attack["attacks"] == 2
    away = rule(PAIR, FIGHT, [1], answers=[go(m2=(8, 9))])
    assert clause(away) == "PILEIN-3"
    short = rule(PAIR, FIGHT, [1], answers=[go(m1=(10.3, 10))])
    assert clause(short) == "PILEIN-3" and "base contact with b1.1" in str(short.refusal)
    tied = [
        squad("a1", "A", 1, blade(), at=[(10, 10)], M=6),
        squad("b1", "B", 2, blade(), at=[(11.9, 10), (8.1, 10)], M=6, W=9),
    ]
    for end in ((10.9, 10), (9.1, 10)):
        assert rule(tied, FIGHT, [1], answers=[go(m1=end), {"kind": "move", "value": "stay"}]).verdict == "legal"


@pytest.mark.clause("commentary-10", "PILEIN-4", "CONSOL-4", "B2B-1", "ACAP-2")
def test_who_touches_an_enemy_is_not_moved() -> None:
    """A model in base contact stands still in both moves; a hundredth of an inch is contact, a little more is none."""
    for gap, held in ((0.01, True), (0.02, False)):
        units = [
            squad("a1", "A", 1, blade(), at=[(10, 10)], M=6),
            squad("b1", "B", 2, blade(), at=[(11 + gap, 10), (10.2, 11.3)], M=6, W=9),
        ]
        round_it = {"kind": "move", "value": {"a1.1": [[10.01 + gap, 10]]}}
        moved = rule(units, FIGHT, [1], answers=[round_it])
        assert clause(moved) == ("PILEIN-4" if held else None)
        later = rule(units, FIGHT, [1], answers=[STAY, round_it])
        assert clause(later) == ("CONSOL-4" if held else None)


@pytest.mark.clause("commentary-10", "PILEIN-5", "CONSOL-6", "ACAP-2", "UNIT-2")
def test_who_does_not_move_has_piled_in() -> None:
    """A unit that touches its enemy, cannot move, or finds no lawful way has piled in and consolidated and not moved."""
    touching = [squad("a1", "A", 1, blade(), at=[(10, 10)], M=6), squad("b1", "B", 1, at=[(11, 10)], M=6, W=9)]
    rooted = [squad("a1", "A", 1, blade(), at=[(10, 10)], M="-"), squad("b1", "B", 1, at=[(11.5, 10)], M=6, W=9)]
    for units in (touching, rooted):
        found = rule(units, FIGHT, [1])
        assert found.event("piled-in")["facts"]["longest"] == 0
        assert found.event("consolidated")["facts"]["longest"] == 0
        assert found.model("a1.1")["at"] == [10.0, 10.0]
    lonely = [squad("a1", "A", 1, blade(), at=[(10, 10)], M=6, marks=["charged"]), squad("b1", "B", 1, at=[(18, 10)], M=6)]
    found = rule(lonely, FIGHT)
    assert found.event("piled-in")["facts"]["longest"] == 0
    assert "consolidated" not in [event["kind"] for event in found.events]


@pytest.mark.clause("commentary-10", "PILEIN-6", "CONSOL-5")
def test_a_longer_pile_in_is_longer_for_every_model() -> None:
    """One model's rule of another inch lets the whole unit go 4"; it changes no other move."""
    places = [(10, 10), (7.1, 10)]
    for ability, first, second in (("Pile-in(+1)", None, "CONSOL-1"), ("Consolidation(+1)", "PILEIN-2", None)):
        units = [
            squad("a1", "A", 2, blade(), at=places, M=6, own=[{"rules": [ability]}]),
            squad("b1", "B", 2, blade(), at=[(11, 10), (11, 12)], M=6, W=9),
        ]
        far = go(m2=(10.5, 10.866))
        assert clause(rule(units, FIGHT, [1, 1], answers=[far])) == first
        assert clause(rule(units, FIGHT, [1], answers=[STAY, far])) == second


@pytest.mark.clause("commentary-10", "PILEIN-2", "PILEIN-3", "FGT-1")
@pytest.mark.parametrize(("gap", "reached"), [(2.99, True), (3.2, True), (3.99, True), (4.1, False)])
def test_a_pile_in_that_reaches_no_contact_ends_within_engagement_range(gap: float, reached: bool) -> None:
    """A charger whose foe is gone piles in 3" toward one up to 4" away and strikes it; one further off it cannot reach."""
    units = [squad("a1", "A", 1, blade(), at=[(10, 10)], M=6, marks=["charged"]), squad("b1", "B", 1, at=[(11 + gap, 10)], W=9)]
    found = rule(units, FIGHT, {"seed": 1})
    assert (found.model("a1.1")["at"][0] > 10) is reached
    assert ("struck" in [event["kind"] for event in found.events]) is reached


@pytest.mark.clause("commentary-10", "GEO-4", "CHG-3", "PILEIN-2")
def test_nobody_ends_on_the_enemy_it_goes_for() -> None:
    """A charge or Pile-in move onto its target is refused by GEO-4; a charge that ends beside somebody else by CHG-3."""
    units = [squad("a1", "A", 1, blade(), at=[(10, 10)], M=6), squad("b1", "B", 1, at=[(15, 10)], M=6, W=9)]
    target = [{"kind": "choose-target", "value": "b1"}, {"kind": "choose-target", "value": "pass"}]
    assert clause(rule(units, CHARGE, [6, 6], answers=[target[0], go(m1=(14.5, 10))])) == "GEO-4"
    three = [*units, squad("b2", "B", 1, at=[(15, 12)], M=6)]
    assert clause(rule(three, CHARGE, [6, 6], answers=[*target, go(m1=(15, 11))])) == "CHG-3"
    close = [units[0], squad("b1", "B", 1, at=[(11.5, 10)], M=6, W=9)]
    assert clause(rule(close, FIGHT, answers=[go(m1=(11, 10))])) == "GEO-4"


# -- consolidation ---------------------------------------------------------------------------------


@pytest.mark.clause("commentary-10", "CONSOL-3")
def test_a_consolidation_goes_to_the_closest_enemy() -> None:
    """Each model that consolidates ends closer to the closest enemy model, in contact with it if it can."""
    for end, expected in (((8, 9), "CONSOL-3"), ((8.8, 10), "CONSOL-3"), ((10.857, 10.766), None)):
        assert clause(rule(PAIR, FIGHT, [1], answers=[STAY, go(m2=end)])) == expected


@pytest.mark.clause("commentary-10", "CONSOL-1", "CONSOL-2")
@pytest.mark.parametrize(("y", "end"), [(13.5, 12.5), (14.5, 13.0), (14.9, 13.0)])
def test_a_consolidation_into_engagement_range_of_another(y: float, end: float) -> None:
    """With its foe slain a unit goes to the next one it can reach, also where its 3" end short of contact, not to a marker."""
    units = [squad("a1", "A", 1, blade(S=8), at=[(10, 10)], M=6), squad("b1", "B", 1, at=[(11.5, 10)], M=6)]
    units += [squad("b2", "B", 1, at=[(10, y)], M=6, W=9)]
    marker = [{"id": "o1", "at": [10, 5]}]
    found = rule(units, FIGHT, [6, 6], objectives=marker, answers=[STAY, go(m1=(10, end))])
    assert found.verdict == "legal" and found.model("a1.1")["at"] == [10.0, end]
    by_itself = rule(units, FIGHT, [6, 6], objectives=marker, answers=[STAY])
    assert by_itself.model("a1.1")["at"][1] > 12.4
    assert clause(rule(units, FIGHT, [6, 6], objectives=marker, answers=[STAY, go(m1=(10, 8))])) == "CONSOL-3"


@pytest.mark.clause("commentary-10", "CONSOL-2")
def test_consolidating_to_a_marker() -> None:
    """With no enemy in reach a unit that fought goes to the closest marker, if it ends within range; else nobody moves."""
    units = [squad("a1", "A", 1, blade(), at=[(10, 10)], M=6, marks=["charged"]), squad("b1", "B", 1, at=[(25, 10)], M=6)]
    near, far = [{"id": "o1", "at": [10, 16]}], [{"id": "o1", "at": [10, 20]}]
    found = rule(units, FIGHT, objectives=near)
    assert found.event("consolidated")["facts"]["longest"] > 0 and found.model("a1.1")["at"][1] > 10
    assert rule(units, FIGHT, objectives=far).model("a1.1")["at"] == [10.0, 10.0]
    astray = rule(units, FIGHT, objectives=near, answers=[STAY, go(m1=(12, 10))])
    assert clause(astray) == "CONSOL-2"
    both = [{"id": "o2", "at": [10, 15]}, {"id": "o1", "at": [10, 4]}]
    assert clause(rule(units, FIGHT, objectives=both, answers=[STAY, go(m1=(10, 7.5))])) == "CONSOL-2"


@pytest.mark.clause("commentary-10", "CONSOL-1", "CONSOL-2", "PILEIN-4", "PILEIN-5")
def test_a_way_is_for_the_move_in_which_somebody_may_move() -> None:
    """In contact nobody piles in: a way is for the Consolidation, and refused for what is wrong with it there."""
    units = [squad("a1", "A", 1, blade(S=8), at=[(10, 10)], M=6), squad("b1", "B", 1, at=[(11, 10)], M=6)]
    marker = [{"id": "o1", "at": [16, 10]}]
    for before in ([], [STAY]):
        astray = rule([*units, FAR], FIGHT, [6, 6], objectives=marker, answers=[*before, go(m1=(9, 10))])
        assert clause(astray) == "CONSOL-2"
        next_one = squad("b2", "B", 1, at=[(10, 14.5)], M=6, W=9)
        short = rule([*units, next_one], FIGHT, [6, 6], objectives=marker, answers=[*before, go(m1=(10, 11))])
        assert clause(short) == "CONSOL-1"
        there = rule([*units, next_one], FIGHT, [6, 6], objectives=marker, answers=[*before, go(m1=(10, 13))])
        assert there.verdict == "legal"
    alive = rule(units, FIGHT, [1], answers=[go(m1=(9, 10))])
    assert clause(alive) == "PILEIN-4"  # nor does anybody consolidate, so that the first refusal stands


@pytest.mark.clause("commentary-10", "AIR-6")
def test_aircraft_do_not_count_as_the_closest_enemy() -> None:
    """Who cannot fly piles in toward the closest enemy that is no AIRCRAFT; who flies toward the AIRCRAFT beside it."""
    for words, x in ((["INFANTRY"], 10.5), (["INFANTRY", "FLY"], 9.1)):
        units = [
            squad("a1", "A", 1, blade(), at=[(10, 10)], M=6, keywords=words),
            squad("b1", "B", 1, at=[(8.1, 10)], M="20+", keywords=["VEHICLE", "FLY", "AIRCRAFT"], W=9),
            squad("b2", "B", 1, at=[(11.95, 10)], M=6, W=9),
        ]
        found = rule(units, FIGHT, {"seed": 3})
        assert (found.model("a1.1")["at"][0] > 10) is (x > 10)


# -- fighting --------------------------------------------------------------------------------------


@pytest.mark.clause("commentary-10", "FGT-3")
def test_who_becomes_eligible_later_fights_with_the_rest() -> None:
    """A unit with Fights First that an enemy's pile-in engages only in the first step fights in Remaining Combats."""
    first = ["Fights First"]
    units = [
        squad("a1", "A", 2, blade(), at=[(10, 10), (10, 11.6)], M=6, rules=first, W=9),
        squad("b1", "B", 1, blade(), at=[(11.5, 9.2)], M=6, W=9),
        squad("b2", "B", 1, blade(), at=[(10, 13.9)], M=6, W=9, rules=first),
    ]
    found = rule(units, {"phase": "fight"}, {"seed": 1}, answers=[{"kind": "choose-unit", "value": "a1"}, go(m2=(10, 12.9))])
    report = [event["facts"].get("unit", "next") for event in found.events if event["kind"] in ("picked", "next")]
    assert report[report.index("a1") :][:4] == ["a1", "next", "b1", "b2"]


@pytest.mark.clause("commentary-10", "FGT-7")
def test_all_melee_targets_are_declared_first() -> None:
    """Both targets are named before the first die, and the attacks on both are made."""
    units = [
        squad("a1", "A", 2, blade(), at=[(10, 10), (10, 11.5)], M=6),
        squad("b1", "B", 1, at=[(11.5, 9)], M=6),
        squad("b2", "B", 1, at=[(11.5, 12.5)], M=6),
    ]
    found = rule(units, FIGHT, {"seed": 2}, answers=[STAY])
    kinds = [event["kind"] for event in found.events if event["kind"] in ("struck", "rolled", "attacked")]
    assert kinds[:2] == ["struck", "struck"] and kinds.count("attacked") == 2


@pytest.mark.clause("commentary-10", "UER-1", "HV-1", "ER-1", "GEO-3", "HULL-1")
@pytest.mark.parametrize(("flat", "rise", "expected"), [(1.0, 5.0, ["b1"]), (1.01, 0, []), (0.5, 5.01, [])])
def test_engagement_range_up_and_down(flat: float, rise: float, expected: list[str]) -> None:
    """DV-13: within 1" horizontally and 5" vertically, each for itself, and any model of a unit is enough."""
    units = [squad("a1", "A", 2, at=[(5, 10), (6.5, 10)]), squad("b1", "B", 1, at=[(7.5 + flat, 10)], own=[{"z": rise}])]
    assert asked(units, {"engaged": "a1"}) == [expected]
    wall = [squad("a1", "A", 1, at=[(6.5, 10)], own=[{"base": {"rect": [1, 1]}, "height": 3}]), units[1]]
    assert asked(wall, {"engaged": "a1"}) == [["b1"] if flat <= 1 else []]
