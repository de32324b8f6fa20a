"""Moments at the corners of moves, arrivals, charges and fights; each decided from the contract's words."""

from __future__ import annotations

from typing import Any

import pytest

from tests.commentary.corners import ask, box, leader, line, one
from tests.commentary.desk import Json, blade, gun, squad
from tests.commentary.referee import FAR, SIDES, Moment, at, judge, move, part, place, says, way

CHARGE = part("charge", "a1", "charge")
FIGHT = part("fight", "a1", "fight")
SHOOT = part("shooting", "a1", "shoot")
STAY = {"kind": "move", "value": "stay"}
PLANE = ["VEHICLE", "FLY", "AIRCRAFT"]


def waiting(*rules: str, n: int = 1, **more: Any) -> Json:
    """A unit of A in Reserves."""
    return squad("a1", "A", n, gun(), M=6, where="reserve", rules=list(rules), **more)


ARRIVE = part("reinforcements", "a1", "arrive")
TURNED = {"A": {"marks": [{"role": "defender"}]}, "B": {"marks": [{"role": "attacker"}]}}
MATE = squad("a2", "A", 1, at=[(30, 5)], M=6)
HIGH = box("h", "hill", 12, 8, 16, 12, 3, solid=True)

MOVES = [
    *(
        says(
            f"in round two the {role} does not arrive at y {y} by a mission's zones: {refused}",
            "RSV-3 MIS-5",
            [waiting(), squad("a2", "A", 1, at=[(30, 22)], M=6), squad("b1", "B", 1, at=[(50, 22)], M=6)],
            ARRIVE,
            {"refused": refused},
            (),
            [place(a1_1=(3, y))],
            sides=roles,
            mission="default",
        )
        for role, roles, y, refused in (
            ("Attacker", SIDES, 38, "RSV-3"),
            ("Attacker", SIDES, 5, None),
            ("Defender", TURNED, 5, "RSV-3"),
            ("Defender", TURNED, 38, None),
        )
    ),
    says(
        "who arrived does not move in that phase",
        "RSV-5 RESV-2",
        [one("a1", 5, 10, marks=["arrived", "moved"]), FAR],
        move(),
        {"refused": "RSV-5"},
        (),
        [way(a1_1=(6, 10))],
    ),
    says(
        "but shoots, without the bonus of who stood still",
        "RSV-5 RESV-2 WPN-13",
        [one("a1", 5, 10, gun("Heavy"), marks=["arrived", "moved"]), one("b1", 15, 10)],
        SHOOT,
        {"needs": {"hit": [3]}},
        [1],
    ),
    says(
        "and charges",
        "RSV-5 CHG-1",
        [one("a1", 5, 10, blade(), marks=["arrived", "moved"]), one("b1", 15, 10)],
        CHARGE,
        {"marked": {"a1": ["charged"]}},
        [6, 6],
    ),
    says(
        "a unit of two Moves goes each model by its own",
        "MOVE-5",
        [squad("a1", "A", 1, at=[(10, 10)], M=5), leader("x", "A", "a1", 10, 11.5, M=8), FAR],
        move(),
        {"at": {"x.1": [17, 11]}},
        (),
        [way(a1_1=(15, 10), x_1=(17, 11))],
    ),
    says(
        "and none beyond it",
        "MOVE-5",
        [squad("a1", "A", 1, at=[(10, 10)], M=5), leader("x", "A", "a1", 10, 11.5, M=8), FAR],
        move(),
        {"refused": "MOVE-5"},
        (),
        [way(a1_1=(15.5, 10), x_1=(16, 11.5))],
    ),
    says(
        "an Advance adds its die to every model",
        "MOVE-6",
        [squad("a1", "A", 2, at=line(2), M=6), FAR],
        move("advance"),
        {"at": {"a1.1": [20, 10]}, "marked": {"a1": ["advanced"]}},
        [4],
        [way(a1_1=(20, 10), a1_2=(20, 11.5))],
    ),
    says(
        "a hill up to 2 inches is walked over as if absent",
        "MOVE-9 TER-6",
        [one("a1", 10, 10, M=8), FAR],
        move(),
        {"at": {"a1.1": [18, 10]}},
        (),
        [way(a1_1=(18, 10))],
        table={"terrain": [box("h", "hill", 12, 8, 16, 12, 2, solid=True)]},
    ),
    says(
        "a higher one costs its height up and down",
        "MOVE-9 TER-6",
        [one("a1", 10, 10, M=13), FAR],
        move(),
        {"refused": "MOVE-5"},
        (),
        [way(a1_1=(18, 10))],
        table={"terrain": [HIGH]},
    ),
    says(
        "nobody ends on debris",
        "TER-5",
        [one("a1", 10, 10, M=8), FAR],
        move(),
        {"refused": "TER-5"},
        (),
        [way(a1_1=(14, 10))],
        table={"terrain": [box("h", "debris", 12, 8, 16, 12, 1, solid=True)]},
    ),
    says(
        "nor on a barricade",
        "TER-4",
        [one("a1", 10, 10, M=8), FAR],
        move(),
        {"refused": "TER-4"},
        (),
        [way(a1_1=(14, 10))],
        table={"terrain": [box("h", "barricade", 12, 8, 16, 12, 1, solid=True)]},
    ),
    says(
        "nobody ends on a marker",
        "OBJ-2",
        [one("a1", 10, 10), FAR],
        move(),
        {"refused": "OBJ-2"},
        (),
        [way(a1_1=(14, 10))],
        objectives=[{"id": "o1", "at": [14.5, 10]}],
    ),
    says(
        "touching it is allowed",
        "OBJ-2 OBJ-1",
        [one("a1", 10, 10), FAR],
        move(),
        {"at": {"a1.1": [13.212, 10]}},
        (),
        [way(a1_1=(13.212, 10))],
        objectives=[{"id": "o1", "at": [14.5, 10]}],
    ),
    says(
        "a unit within reach of an AIRCRAFT alone moves as it likes",
        "AIR-4 MVER-1",
        [one("a1", 10, 10), one("b1", 11.8, 10, keywords=PLANE, M="20+")],
        move(),
        {"at": {"a1.1": [8, 10]}},
        (),
        [way(a1_1=(8, 10))],
    ),
    says(
        "over an AIRCRAFT, but not to an end beside it",
        "AIR-4 ER-2",
        [one("a1", 10, 10), one("b1", 13, 10, keywords=PLANE, M="20+")],
        move(),
        {"refused": "ER-2"},
        (),
        [way(a1_1=(14.8, 10))],
    ),
    says(
        "in the way it is nothing",
        "AIR-4",
        [one("a1", 10, 10), one("b1", 13, 10, keywords=PLANE, M="20+")],
        move(),
        {"at": {"a1.1": [16, 10]}},
        (),
        [way(a1_1=(16, 10))],
    ),
    says(
        "a shaken unit that falls back rolls for each model",
        "CMD-5 MOVE-8",
        [squad("a1", "A", 3, at=line(3), M=6, marks=["battle-shocked"]), one("b1", 11.8, 10)],
        move("fall-back"),
        {"left": {"a1": 2}, "marked": {"a1": ["fell-back"]}},
        [3, 2, 6],
    ),
    says(
        "who can fly rolls for none",
        "MOVE-8",
        [squad("a1", "A", 1, at=[(10, 10)], M=8, keywords=["INFANTRY", "FLY"]), one("b1", 11.8, 10)],
        move("fall-back"),
        {"rolls": [], "at": {"a1.1": [16, 10]}},
        (),
        [way(a1_1=(16, 10))],
    ),
]

CLAW = blade(name="claw")

MELEES = [
    says(
        "a model that fights on after its death strikes before its slayers consolidate",
        "FIGHTDEATH-1 FIGHTDEATH-3",
        [
            one("a1", 10, 10, blade(S=8, D=3), W=3),
            squad("b1", "B", 1, CLAW, at=[(11.2, 10)], W=1, M=6, rules=["Fights On Death 4+"]),
        ],
        FIGHT,
        {"wounds": {"a1": [1]}, "left": {"b1": 0}},
        [3, 2, 4, 3, 4],
        [STAY],
    ),
    says(
        "not on a 3",
        "FIGHTDEATH-1",
        [
            one("a1", 10, 10, blade(S=8, D=3), W=3),
            squad("b1", "B", 1, CLAW, at=[(11.2, 10)], W=1, M=6, rules=["Fights On Death 4+"]),
        ],
        FIGHT,
        {"wounds": {"a1": [0]}, "dead": ["b1.1"]},
        [3, 2, 3],
        [STAY],
    ),
    says(
        "a destroyed model shoots at whoever it may, out of phase",
        "SHOOTDEATH-1 SHOOTDEATH-4",
        [
            one("a1", 10, 10, gun(S=8, D=3), W=3),
            squad("b1", "B", 1, gun(), at=[(20, 10)], W=1, M=6, rules=["Shoots On Death 4+"]),
        ],
        SHOOT,
        {"wounds": {"a1": [1]}, "left": {"b1": 0}},
        [3, 2, 4, 3, 4],
    ),
    says(
        "Heavy gains it nothing: its unit counts as having moved",
        "SHOOTDEATH-3",
        [
            one("a1", 10, 10, gun(S=8, D=3), W=3),
            squad("b1", "B", 1, gun("Heavy"), at=[(20, 10)], W=1, M=6, rules=["Shoots On Death 4+"]),
        ],
        SHOOT,
        {"needs": {"hit": [3, 3]}},
        [3, 2, 4, 1],
    ),
    says(
        "who is not shaken may be struck first by Fights First of the other side",
        "FGT-1 FGT-2",
        [one("a1", 10, 10, CLAW, W=9), one("b1", 11.8, 10, CLAW, W=9, rules=["Fights First"])],
        {"phase": "fight"},
        {"order": ["b1", "a1"]},
        {"seed": 4},
    ),
    says(
        "a charge over a wall is climbed, and fails where the roll is short of it",
        "CHG-6 MOVE-9",
        [one("a1", 10, 10, CLAW, keywords=["MOUNTED"]), one("b1", 18, 10)],
        CHARGE,
        {"events": {"charge-failed": 1}, "at": {"a1.1": [10, 10]}},
        [5, 5],
        table={"terrain": [box("h", "sealed structure", 13, 0, 14, 20, 3, solid=True)]},
    ),
    says(
        "and comes where it is long enough",
        "CHG-6 MOVE-9",
        [one("a1", 10, 10, CLAW, keywords=["MOUNTED"]), one("b1", 16, 10)],
        CHARGE,
        {"marked": {"a1": ["charged"]}},
        [6, 6],
        table={"terrain": [box("h", "sealed structure", 12, 0, 13, 20, 3, solid=True)]},
    ),
    says(
        "a roll that reaches one of two targets only fails",
        "CHG-3",
        [one("a1", 10, 10, CLAW), one("b1", 15, 10), one("b2", 10, 21)],
        CHARGE,
        {"events": {"charge-failed": 1}},
        [3, 3],
        [at("b1"), at("b2")],
    ),
    says(
        "a pile-in across a barricade fights within 2 inches",
        "TER-4 FGT-1",
        [one("a1", 10, 10, CLAW), one("b1", 12.6, 10, CLAW)],
        None,
        {"asks": [True, True, []]},
        table={"terrain": [box("d", "barricade", 11, 5, 11.5, 15, 1, solid=True)]},
        **ask({"eligible": ["a1", "fight"]}, {"eligible": ["a1", "shoot"]}, {"engaged": "a1"}),
    ),
    says(
        "without one they do not",
        "FGT-1 ER-1",
        [one("a1", 10, 10, CLAW), one("b1", 12.6, 10, CLAW)],
        None,
        {"asks": [False]},
        **ask({"eligible": ["a1", "fight"]}),
    ),
    says(
        "Engagement Range reaches through a wall and up to a floor",
        "ER-1 HV-1",
        [one("a1", 10, 10), one("b1", 11.9, 10), one("b2", 10, 11.9, own=[{"z": 3}])],
        None,
        {"asks": [["b1", "b2"]]},
        table={"terrain": [box("w", "wall", 10.8, 5, 11.1, 15, 6, solid=True)]},
        **ask({"engaged": "a1"}),
    ),
    says(
        "a pile-in that ends out of reach of every enemy is refused",
        "PILEIN-2",
        [one("a1", 10, 10, CLAW, marks=["charged"]), one("b1", 15, 10)],
        FIGHT,
        {"refused": "PILEIN-2"},
        (),
        [way(a1_1=(11, 10))],
    ),
    says(
        "so is such a consolidation",
        "CONSOL-1",
        [squad("a1", "A", 2, CLAW, at=[(10, 10), (9, 11)], M=6), one("b1", 11, 10, W=1), one("b2", 9, 14.2)],
        FIGHT,
        {"refused": "CONSOL-1"},
        [3, 4],
        [STAY, at("b1"), way(a1_2=(9, 11.5))],
    ),
    says(
        "a unit that charged and finds nobody to attack consolidates to the marker",
        "FGT-8 CONSOL-2",
        [one("a1", 10, 10, CLAW, marks=["charged"]), FAR],
        FIGHT,
        {"rolls": [], "at": {"a1.1": [12, 10]}},
        (),
        [STAY, way(a1_1=(12, 10))],
        objectives=[{"id": "o1", "at": [15, 10]}],
    ),
    says(
        "who stands within 12 inches of an enemy when the Charge phase begins is known",
        "CHG-1",
        [one("a1", 10, 10), one("a2", 10, 30), one("b1", 22, 10)],
        {"step": "charge-starts"},
        {"marked": {"a1": ["near"]}, "unmarked": {"a2": ["near"]}},
        clock={"phase": "charge-starts", "first": "A"},
    ),
    says(
        "an Extra Attacks weapon with a number added keeps its own",
        "WPN-17",
        [
            one("a1", 10.8, 10, blade(), blade("Extra Attacks", A=2, name="tail"), rules=["Attacks(+1)"]),
            one("b1", 11.8, 10, W=9),
        ],
        FIGHT,
        {"attacks": [{"attacks": 4}]},
        [1, 1, 1, 1],
    ),
]


@pytest.mark.parametrize("moment", [*MOVES, *MELEES])
def test_as_the_rulebook_has_it(moment: Moment) -> None:
    """Each row is what its clauses say of that moment."""
    judge(moment)
