"""Moments of the Charge and Fight phases, of markers and values, each decided from the contract's words."""

from __future__ import annotations

from typing import Any

import pytest

from tests.commentary.desk import Json, blade, gun, squad
from tests.commentary.referee import FAR, Moment, at, judge, move, part, place, react, says, way

CHARGE = part("charge", "a1", "charge")
FIGHT = part("fight", "a1", "fight")
PLANE = ["VEHICLE", "FLY", "AIRCRAFT"]


def line(n: int, x: float = 10, y: float = 10, apart: float = 1.5) -> list[tuple[float, float]]:
    """Places in a row along y."""
    return [(x, y + apart * k) for k in range(n)]


def one(id: str, x: float, y: float = 10, *weapons: Json, **more: Any) -> Json:
    """A unit of one model, of the side its name begins with."""
    return squad(id, id[0].upper(), 1, *weapons, at=[(x, y)], **{"M": 6, "W": 3, **more})


A1 = one("a1", 10, 10, blade())
B1 = one("b1", 17, 10, blade())

CHARGES = [
    says(
        "a charge ends in base contact",
        "CHG-4 CHG-3",
        [A1, B1],
        CHARGE,
        {"at": {"a1.1": [16, 10]}, "marked": {"a1": ["charged"], "b1": ["was-charged"]}},
        [3, 4],
        [way(a1_1=(16, 10))],
    ),
    says(
        "short of contact is refused where contact is possible",
        "CHG-4",
        [A1, B1],
        CHARGE,
        {"refused": "CHG-4"},
        [3, 4],
        [way(a1_1=(15.5, 10))],
    ),
    says(
        "a roll one short of reaching fails",
        "CHG-3",
        [A1, B1],
        CHARGE,
        {"events": {"charge-failed": 1}, "at": {"a1.1": [10, 10]}},
        [1, 3],
    ),
    says(
        "to Engagement Range is enough",
        "CHG-3 CHG-4",
        [A1, B1],
        CHARGE,
        {"at": {"a1.1": [15, 10]}},
        [1, 4],
        [way(a1_1=(15, 10))],
    ),
    says(
        "12 inches off can be charged",
        "CHG-1 CHG-2",
        [A1, one("b1", 23)],
        None,
        {"asks": [True]},
        ask=[{"eligible": ["a1", "charge"]}],
    ),
    says("further off cannot", "CHG-1", [A1, one("b1", 23.01)], CHARGE, {"refused": "CHG-1"}),
    says("who advanced does not charge", "CHG-1 MOVE-6", [{**A1, "marks": ["advanced"]}, B1], CHARGE, {"refused": "CHG-1"}),
    says("who fell back does not charge", "CHG-1 MOVE-7", [{**A1, "marks": ["fell-back"]}, B1], CHARGE, {"refused": "CHG-1"}),
    says(
        "who got out of a moving TRANSPORT does not charge",
        "TRANS-6",
        [{**A1, "marks": ["moved", "disembarked", "no-charge"]}, B1],
        CHARGE,
        {"refused": "TRANS-6"},
    ),
    says(
        "AIRCRAFT do not charge",
        "AIR-5 CHG-1",
        [one("a1", 10, 10, blade(), M="20+", keywords=PLANE), B1],
        CHARGE,
        {"refused": "CHG-1"},
    ),
    says(
        "nor are they charged by who cannot fly",
        "AIR-5",
        [A1, one("b1", 17, keywords=PLANE, M="20+")],
        CHARGE,
        {"refused": "AIR-5"},
    ),
    says(
        "who flies may charge them",
        "AIR-5",
        [{**A1, "keywords": ["INFANTRY", "FLY"]}, one("b1", 17, keywords=PLANE, M="20+")],
        CHARGE,
        {"marked": {"a1": ["charged"]}},
        [6, 6],
    ),
    says(
        "unseen enemies can be charged",
        "CHG-2",
        [A1, B1],
        CHARGE,
        {"marked": {"a1": ["charged"]}},
        [6, 6],
        table={"terrain": [{"id": "r", "types": ["ruin"], "polygon": [[12, 5], [15, 5], [15, 15], [12, 15]], "height": 6}]},
    ),
    says(
        "no charge ends within reach of who is no target",
        "CHG-3",
        [A1, B1, one("b2", 17, 11.5)],
        CHARGE,
        {"refused": "CHG-3"},
        [6, 6],
        [at("b1"), at("pass"), way(a1_1=(16, 10))],
    ),
    says(
        "a charge roll is thrown again as a whole",
        "CSTR-1 REROLL-2",
        [A1, B1],
        CHARGE,
        {"marked": {"a1": ["charged"]}, "cp": {"A": 0}},
        [1, 1, 6, 6],
        [react("Command Re-roll")],
        sides={"A": {"cp": 1}},
    ),
    says(
        "Overwatch at a charger hits on sixes only",
        "CSTR-5 CRIT-2",
        [A1, one("b1", 17, 10, gun(skill=2, A=2))],
        CHARGE,
        {"wounds": {"a1": [1]}, "cp": {"B": 0}},
        {"charge": [6, 6], "hit": [5, 6], "wound": [4]},
        [react("Fire Overwatch")],
        sides={"B": {"cp": 1}},
    ),
    says(
        "Heroic Intervention costs two and gives no bonus",
        "CSTR-11",
        [A1, B1, one("b2", 17, 14, blade())],
        CHARGE,
        {"marked": {"b2": ["charged", "no-charge-bonus"]}, "cp": {"B": 0}},
        [6, 6, 6, 6],
        [at("b1"), at("pass"), react("Heroic Intervention")],
        sides={"B": {"cp": 2}},
    ),
    says(
        "not with one point",
        "CSTR-11 CSTR-13",
        [A1, B1, one("b2", 17, 14, blade())],
        CHARGE,
        {"refused": "CSTR-11"},
        [6, 6],
        [at("b1"), at("pass"), react("Heroic Intervention")],
        sides={"B": {"cp": 1}},
    ),
    says(
        "nor by a VEHICLE that is no WALKER",
        "CSTR-11",
        [A1, B1, one("b2", 17, 14, blade(), keywords=["VEHICLE"])],
        CHARGE,
        {"refused": "CSTR-11"},
        [6, 6],
        [at("b1"), at("pass"), react("Heroic Intervention")],
        sides={"B": {"cp": 2}},
    ),
    says(
        "by a WALKER yes",
        "CSTR-11",
        [A1, B1, one("b2", 17, 14, blade(), keywords=["VEHICLE", "WALKER"])],
        CHARGE,
        {"marked": {"b2": ["charged"]}},
        [6, 6, 6, 6],
        [at("b1"), at("pass"), react("Heroic Intervention")],
        sides={"B": {"cp": 2}},
    ),
    says(
        "Tank Shock: dice by Strength, two more above Toughness, six wounds at most",
        "CSTR-8",
        [one("a1", 10, 10, blade(S=8), keywords=["VEHICLE"]), one("b1", 17, 10, W=20, T=4)],
        CHARGE,
        {"wounds": {"b1": [6]}},
        [6, 6, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5],
        [react("Tank Shock")],
        sides={"A": {"cp": 1}},
    ),
    says(
        "only a VEHICLE",
        "CSTR-8",
        [A1, B1],
        CHARGE,
        {"refused": "CSTR-8"},
        [6, 6],
        [react("Tank Shock")],
        sides={"A": {"cp": 1}},
    ),
]

NEAR = one("b1", 11.8, 10, blade(), W=9)

FIGHTS = [
    says(
        "who charged fights though out of reach by now",
        "FGT-1",
        [{**A1, "marks": ["charged"]}, one("b1", 14, W=9)],
        None,
        {"asks": [True]},
        ask=[{"eligible": ["a1", "fight"]}],
    ),
    says(
        "a unit piles in 3 inches into contact",
        "PILEIN-2 PILEIN-3",
        [squad("a1", "A", 2, blade(), at=[(10, 10), (10, 11.5)], M=6), NEAR],
        FIGHT,
        {"at": {"a1.1": [10.8, 10]}},
        [1],
        [way(a1_1=(10.8, 10)), {"kind": "move", "value": "stay"}],
    ),
    says(
        "further than 3 inches is refused",
        "PILEIN-2",
        [squad("a1", "A", 2, blade(), at=[(10, 10), (8, 8.6)], M=6), NEAR],
        FIGHT,
        {"refused": "PILEIN-2"},
        [1, 1],
        [way(a1_2=(11.8, 9.0))],
    ),
    says("who is in contact stays", "PILEIN-4", [one("a1", 10.8, 10, blade()), NEAR], FIGHT, {"at": {"a1.1": [10.8, 10]}}, [1]),
    says(
        "M of a dash fights without moving",
        "UNIT-2 PILEIN-5",
        [one("a1", 10, 10, blade(), M="-"), NEAR],
        FIGHT,
        {"at": {"a1.1": [10, 10]}},
        [1],
    ),
    says(
        "the second rank in contact with the first strikes",
        "FGT-5",
        [squad("a1", "A", 2, blade(), at=[(10.8, 10), (9.8, 10)], M=6), NEAR],
        FIGHT,
        {"attacks": [{"attacks": 2}]},
        [1, 1],
        [{"kind": "move", "value": "stay"}],
    ),
    says(
        "who stands behind a gap does not",
        "FGT-5",
        [squad("a1", "A", 2, blade(), at=[(10.8, 10), (9.5, 10)], M=6), NEAR],
        FIGHT,
        {"attacks": [{"attacks": 1}]},
        [1],
        [{"kind": "move", "value": "stay"}],
    ),
    says(
        "one melee weapon, and the extra one",
        "FGT-6 WPN-17",
        [one("a1", 10.8, 10, blade(name="sword"), blade(name="axe"), blade("Extra Attacks", A=2, name="tail")), NEAR],
        FIGHT,
        {"needs": {"hit": [3, 3, 3]}},
        [1, 1, 1],
    ),
    says(
        "Lance after a charge",
        "WPN-8",
        [one("a1", 10.8, 10, blade("Lance"), marks=["charged"]), NEAR],
        FIGHT,
        {"needs": {"wound": [3]}},
        [3, 1],
    ),
    says("and not without", "WPN-8", [one("a1", 10.8, 10, blade("Lance")), NEAR], FIGHT, {"needs": {"wound": [4]}}, [3, 1]),
    says(
        "reactive player first, then in turns",
        "FGT-2",
        [
            one("a1", 10, 10, blade(), W=9),
            one("b1", 11.8, 10, blade(), W=9),
            one("a2", 30, 10, blade(), W=9),
            one("b2", 31.8, 10, blade(), W=9),
        ],
        {"phase": "fight"},
        {"order": ["b1", "a1", "b2", "a2"]},
        {"seed": 3},
    ),
    says(
        "Fights First goes before",
        "FGT-1 ABIL-4",
        [
            one("a1", 10, 10, blade(), W=9),
            one("b1", 11.8, 10, blade(), W=9),
            one("a2", 30, 10, blade(), W=9, rules=["Fights First"]),
            one("b2", 31.8, 10, blade(), W=9),
        ],
        {"phase": "fight"},
        {"order": ["a2", "b1", "a1", "b2"]},
        {"seed": 3},
    ),
    says(
        "Counter-offensive comes next and counts as the turn",
        "CSTR-2",
        [
            one("a1", 10, 10, blade(), W=9, marks=["charged"]),
            one("b1", 11.8, 10, blade(), W=9),
            one("a2", 30, 10, blade(), W=9, marks=["charged"]),
            one("b2", 31.8, 10, blade(), W=9),
        ],
        {"phase": "fight"},
        {"order": ["a1", "b1", "a2", "b2"]},
        {"seed": 3},
        [{"kind": "choose-unit", "value": "a1"}, react("Counter-offensive")],
        sides={"B": {"cp": 2}},
    ),
    says(
        "Epic Challenge gives Precision",
        "CSTR-3",
        [
            one("a1", 10.8, 10, blade(A=1, S=8), keywords=["CHARACTER"]),
            squad("b1", "B", 2, at=[(11.8, 10), (13, 10)], M=6),
            squad("x", "B", 1, at=[(11.8, 11.2)], M=6, W=1, keywords=["CHARACTER"], rules=["Leader"], leading="b1"),
        ],
        FIGHT,
        {"dead": ["x.1"]},
        [3, 3],
        [react("Epic Challenge"), {"kind": "choose-option", "value": "x.1"}],
        sides={"A": {"cp": 1}},
    ),
    says(
        "not against a unit without a Leader",
        "CSTR-3",
        [one("a1", 10.8, 10, blade(A=1, S=8), keywords=["CHARACTER"]), squad("b1", "B", 2, at=[(11.8, 10), (13, 10)], M=6)],
        FIGHT,
        {"refused": "CSTR-3"},
        [1],
        [react("Epic Challenge")],
        sides={"A": {"cp": 1}},
    ),
    says(
        "after the enemy is gone a unit consolidates to a marker",
        "CONSOL-2",
        [one("a1", 10.8, 10, blade(S=8)), one("b1", 11.8, 10, W=1), FAR],
        FIGHT,
        {"dead": ["b1.1"], "at": {"a1.1": [13.8, 10]}},
        [3, 3],
        [way(a1_1=(13.8, 10))],
        objectives=[{"id": "o1", "at": [18, 10]}],
    ),
    says(
        "to the next enemy if it can reach one",
        "CONSOL-1 CONSOL-3",
        [one("a1", 10.8, 10, blade(S=8)), one("b1", 11.8, 10, W=1), one("b2", 14.5, 10, W=9)],
        FIGHT,
        {"at": {"a1.1": [13.5, 10]}},
        [3, 3],
        [way(a1_1=(13.5, 10))],
    ),
    says(
        "not to the marker while an enemy can be reached",
        "CONSOL-2 CONSOL-1",
        [one("a1", 10.8, 10, blade(S=8)), one("b1", 11.8, 10, W=1), one("b2", 14.5, 10, W=9)],
        FIGHT,
        {"refused": "CONSOL-3"},
        [3, 3],
        [{"kind": "move", "value": "stay"}, way(a1_1=(10.8, 13))],
        objectives=[{"id": "o1", "at": [10.8, 17]}],
    ),
    says(
        "across a barricade they fight at 2 inches",
        "TER-4 FGT-1",
        [A1, one("b1", 12.6, 10, blade(), W=9)],
        None,
        {"asks": [True, True, [], True]},
        ask=[{"eligible": ["a1", "fight"]}, {"eligible": ["b1", "fight"]}, {"engaged": "a1"}, {"eligible": ["a1", "normal"]}],
        table={
            "terrain": [
                {
                    "id": "t",
                    "types": ["barricade"],
                    "polygon": [[11, 5], [11.5, 5], [11.5, 15], [11, 15]],
                    "height": 1,
                    "solid": True,
                }
            ]
        },
    ),
    says("not without one", "TER-4 FGT-1", [A1, one("b1", 12.6, 10, blade(), W=9)], FIGHT, {"refused": "FGT-1"}),
]

SPOT = [{"id": "o1", "at": [20, 20]}]
MARKERS = [
    says(
        "3 inches from its rim a model holds a marker",
        "OC-2 OBJ-1",
        [one("a1", 20 + 0.787 + 3 + 0.5, 20, OC=1), FAR],
        None,
        {"asks": [{"holder": "A", "levels": {"A": 1, "B": 0}}]},
        ask=[{"control": "o1"}],
        objectives=SPOT,
    ),
    says(
        "further off it does not",
        "OC-2",
        [one("a1", 20 + 0.787 + 3.51 + 0.01, 20, OC=1), FAR],
        None,
        {"asks": [{"holder": None, "levels": {"A": 0, "B": 0}}]},
        ask=[{"control": "o1"}],
        objectives=SPOT,
    ),
    says(
        "5 inches up it does, higher not",
        "OC-2 HV-1",
        [squad("a1", "A", 2, at=[(18, 20), (22, 20)], OC=1, own=[{"z": 5}, {"z": 5.1}]), FAR],
        None,
        {"asks": [{"holder": "A", "levels": {"A": 1, "B": 0}}]},
        ask=[{"control": "o1"}],
        objectives=SPOT,
    ),
    says(
        "a marker held before and now left empty is contested",
        "OC-3 OC-4",
        [one("a1", 40, 5, OC=1), FAR],
        {"phase": "end-of-turn"},
        {"holders": {"o1": None}},
        objectives=[{"id": "o1", "at": [20, 20], "holder": "B"}],
    ),
    says(
        "halved twice and raised",
        "MOD-3 MOD-4",
        [
            squad("a1", "A", 1, at=[(10, 10)], OC=5, M=6),
            squad(
                "x",
                "A",
                1,
                at=[(8.9, 10)],
                OC=1,
                keywords=["CHARACTER"],
                M=6,
                rules=["While Leading: Control(+1)"],
                leading="a1",
            ),
            one("b1", 11.8, 10, rules=["Halves Control"]),
            one("b2", 10, 11.8, rules=["Halves Control"]),
        ],
        None,
        {"asks": [3]},
        ask=[{"value": ["a1.1", "OC"]}],
    ),
    says(
        "Move never falls below an inch",
        "MODCH-7",
        [one("a1", 10, M=2, rules=["Move(-4)"]), FAR],
        None,
        {"asks": [1]},
        ask=[{"value": ["a1.1", "M"]}],
    ),
    says(
        "20+ is never modified",
        "MODCH-8",
        [one("a1", 10, M="20+", keywords=PLANE, rules=["Move(-2)"]), FAR],
        None,
        {"asks": ['20+"']},
        ask=[{"value": ["a1.1", "M"]}],
    ),
    says(
        "Leadership stays between 5+ and 8+",
        "MODCH-5",
        [one("a1", 10, Ld=6, rules=["Leadership(+3)"]), FAR],
        None,
        {"asks": [5]},
        ask=[{"value": ["a1.1", "Ld"]}],
    ),
    says(
        "a Save never becomes 1+",
        "MODIMP-1",
        [one("a1", 10, Sv=2, rules=["Save(+1)"]), FAR],
        None,
        {"asks": [2]},
        ask=[{"value": ["a1.1", "Sv"]}],
    ),
    says(
        "the unit's Toughness is the Bodyguard's",
        "UT-1",
        [
            squad("a1", "A", 2, at=line(2), T=4),
            squad("x", "A", 1, at=[(10, 8.5)], T=6, keywords=["CHARACTER"], leading="a1"),
            FAR,
        ],
        None,
        {"asks": [4]},
        ask=[{"value": ["a1", "T"]}],
    ),
    says(
        "the reach of a Normal move and an Advance",
        "MOVE-5 MOVE-6",
        [A1, FAR],
        None,
        {"asks": [6, {"least": 7, "most": 12}]},
        ask=[{"reach": ["a1", "normal"]}, {"reach": ["a1", "advance"]}],
    ),
    says(
        "who is under a disc",
        "GEO-3",
        [squad("a1", "A", 3, at=line(3)), FAR],
        None,
        {"asks": [["a1.1", "a1.2"]]},
        ask=[{"under": {"disc": [10, 10.5, 1]}}],
    ),
    says(
        "Engagement Range reaches 5 inches up",
        "ER-1",
        [one("a1", 10), one("b1", 10, 10, own=[{"z": 5}])],
        None,
        {"asks": [["b1"]]},
        ask=[{"engaged": "a1"}],
    ),
    says(
        "not higher",
        "ER-1",
        [one("a1", 10), one("b1", 10, 10, own=[{"z": 5.1}])],
        None,
        {"asks": [[]]},
        ask=[{"engaged": "a1"}],
    ),
    says(
        "an incoherent unit loses models at the end of the turn",
        "COH-4",
        [squad("a1", "A", 3, at=[(10, 10), (11.5, 10), (20, 10)]), FAR],
        {"phase": "end-of-turn"},
        {"dead": ["a1.3"]},
    ),
]

FLIGHT = [
    says(
        "AIRCRAFT within Engagement Range still fly",
        "AIR-2",
        [one("a1", 10, 20, M="20+", keywords=PLANE), one("b1", 11.8, 20)],
        move(),
        {"marked": {"a1": ["moved"]}},
    ),
    says(
        "they do not Advance", "AIR-2", [one("a1", 10, 20, M="20+", keywords=PLANE), FAR], move("advance"), {"refused": "AIR-2"}
    ),
    says(
        "nor Remain Stationary",
        "AIR-2",
        [one("a1", 10, 20, M="20+", keywords=PLANE), FAR],
        move("stationary"),
        {"refused": "AIR-2"},
    ),
    says(
        "over the edge they are in Strategic Reserves",
        "AIR-3",
        [one("a1", 50, 20, M="20+", keywords=PLANE), one("a2", 5, 5), FAR],
        move(),
        {"where": {"a1": "reserve"}},
    ),
    says(
        "a FORTIFICATION never moves",
        "UNIT-2",
        [one("a1", 10, 20, M="-", keywords=["FORTIFICATION", "VEHICLE"]), FAR],
        move(),
        {"refused": "UNIT-2"},
    ),
    says(
        "they come back by Strategic Reserves",
        "AIR-1 RSV-3",
        [squad("a1", "A", 1, M="20+", where="reserve", keywords=PLANE), one("a2", 5, 5), FAR],
        part("reinforcements", "a1", "arrive"),
        {"at": {"a1.1": [30, 3]}},
        (),
        [place(a1_1=(30, 3))],
    ),
]


@pytest.mark.parametrize("moment", [*CHARGES, *FIGHTS, *MARKERS, *FLIGHT])
def test_as_the_rulebook_has_it(moment: Moment) -> None:
    """Each row is what its clauses say of that moment."""
    judge(moment)
