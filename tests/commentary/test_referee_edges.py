"""More moments at the edges of the rules: coherency, flying, reactions and their limits, units that come and go."""

from __future__ import annotations

from math import cos, pi, sin

import pytest

from tests.commentary.corners import ask, box, leader, line, one
from tests.commentary.desk import blade, gun, squad
from tests.commentary.referee import FAR, SIDES, Moment, at, judge, move, part, react, says, way

CHARGE = part("charge", "a1", "charge")
FIGHT = part("fight", "a1", "fight")
SHOOT = part("shooting", "a1", "shoot")
COMMAND = {"phase": "command"}
STAY = {"kind": "move", "value": "stay"}
PLANE = ["VEHICLE", "FLY", "AIRCRAFT"]
RING = [(20 + 2.9 * cos(2 * pi * k / 7), 20 + 2.9 * sin(2 * pi * k / 7)) for k in range(7)]
BLOCK = box("s", "sealed structure", 14, 5, 16, 15, 6, solid=True)

SPACE = [
    *(
        says(
            f"{what}: {coherent}",
            "COH-1 COH-2",
            [squad("a1", "A", len(spots), at=spots), FAR],
            None,
            {"asks": [coherent]},
            **ask({"coherent": "a1"}),
        )
        for what, spots, coherent in (
            ("seven in a ring", RING, True),
            ("seven in a chain", line(7, 10, 5, 3), False),
            ("six in a chain", line(6, 10, 5, 3), True),
            ("seven in two rows", [*line(4, 10, 5, 2), *line(3, 11.5, 5, 2)], True),
            ("two pairs", [(10, 10), (11.5, 10), (20, 10), (21.5, 10)], False),
            ("a single model", [(10, 10)], True),
        )
    ),
    *(
        says(
            f"over a block 6 inches tall {who} needs more than M {m}: {refused}",
            clauses,
            [squad("a1", "A", 1, at=[(10, 10)], M=m, keywords=words), FAR],
            move(),
            {"refused": refused},
            (),
            [way(a1_1=(20, 10))],
            table={"terrain": [BLOCK]},
        )
        for who, clauses, words, m, refused in (
            ("a flyer", "FLY-5", ["INFANTRY", "FLY"], 16, "MOVE-5"),
            ("a flyer", "FLY-5", ["INFANTRY", "FLY"], 17, None),
            ("a climber", "MOVE-9", ["INFANTRY"], 21, "MOVE-5"),
            ("a climber", "MOVE-9", ["INFANTRY"], 22, None),
        )
    ),
    says(
        "3 across and 4 up are 5 apart, and within 5",
        "GEO-3 WITHIN-1",
        [one("a1", 10, 10), one("b1", 14, 10, own=[{"z": 4}])],
        None,
        {"asks": [5]},
        **ask({"distance": ["a1", "b1"]}),
    ),
    says(
        "a table's corner is no place for half a base",
        "GEO-4",
        [one("a1", 3, 10), FAR],
        move(),
        {"refused": "GEO-4"},
        (),
        [way(a1_1=(0.4, 10))],
    ),
]

B_CP = {"B": {"cp": 3}}
A_CP = {"A": {"cp": 3}}

REACTIONS = [
    says(
        "Fire Overwatch is used once a turn",
        "CSTR-5",
        [one("a1", 10, 10), one("b1", 20, 10, gun()), FAR],
        move(),
        {"refused": "CSTR-5"},
        [1],
        [react("Fire Overwatch"), way(a1_1=(12, 10)), react("Fire Overwatch")],
        sides=B_CP,
    ),
    says(
        "and at the unit that moved, of which nobody is asked",
        "CSTR-5",
        [one("a1", 10, 10), one("a2", 10, 14), one("b1", 20, 10, gun()), FAR],
        move(),
        {"wounds": {"a1": [1], "a2": [0]}, "at": {"a1.1": [12, 10]}},
        [6, 4],
        [react("Fire Overwatch"), way(a1_1=(12, 10))],
        sides=B_CP,
    ),
    says(
        "beyond 24 inches nobody fires it",
        "CSTR-5",
        [one("a1", 10, 10), one("b1", 35.2, 10, gun(range=48))],
        move(),
        {"refused": "CSTR-5"},
        (),
        [react("Fire Overwatch"), way(a1_1=(9.9, 10))],
        sides=B_CP,
    ),
    says(
        "a shaken unit fires none",
        "CSTR-5 STRAT-3",
        [one("a1", 10, 10), one("b1", 20, 10, gun(), marks=["battle-shocked"])],
        move(),
        {"refused": "STRAT-3"},
        (),
        [react("Fire Overwatch"), way(a1_1=(12, 10))],
        sides=B_CP,
    ),
    says(
        "nor does one within Engagement Range of another",
        "CSTR-5 LIC-1",
        [one("a1", 10, 10), one("a2", 20, 11.8), one("b1", 20, 10, gun())],
        move(),
        {"refused": "CSTR-5"},
        (),
        [react("Fire Overwatch"), way(a1_1=(12, 10))],
        sides=B_CP,
    ),
    says(
        "Torrent hits by Overwatch too",
        "CSTR-5 AUTO-2",
        [one("a1", 10, 10), one("b1", 18, 10, gun("Torrent", range=12))],
        move(),
        {"wounds": {"a1": [1]}},
        [4],
        [react("Fire Overwatch"), way(a1_1=(10, 11))],
        sides=B_CP,
    ),
    says(
        "Insane Bravery after a failed test keeps a unit from shock",
        "CSTR-4",
        [squad("a1", "A", 1, at=[(10, 10)], start_size=4, Ld=7), FAR],
        COMMAND,
        {"unmarked": {"a1": ["battle-shocked"]}, "cp": {"A": 3}},
        [1, 1],
        [react("Insane Bravery")],
        sides=A_CP,
    ),
    says(
        "Heroic Intervention reaches 6 inches",
        "CSTR-11",
        [one("a1", 10, 10, blade()), one("b1", 17, 10), one("b2", 16, 18.1, blade())],
        CHARGE,
        {"refused": "CSTR-11"},
        [6, 6],
        [at("b1"), at("pass"), way(a1_1=(16, 10)), react("Heroic Intervention")],
        sides=B_CP,
    ),
    says(
        "Rapid Ingress brings no Strategic Reserves in round one",
        "CSTR-10 RSV-4",
        [one("a1", 10, 10), squad("b1", "B", 1, M=6, where="reserve"), FAR],
        {"phase": "movement"},
        {"refused": "CSTR-10"},
        (),
        [{"kind": "choose-unit", "value": "pass"}, react("Rapid Ingress")],
        sides={"A": SIDES["A"], "B": {"cp": 1, "marks": [{"role": "defender"}]}},
        round=1,
    ),
    says(
        "Smokescreen gives cover and Stealth",
        "CSTR-9",
        [one("a1", 10, 10, gun(AP=-1)), one("b1", 20, 10, Sv=5, W=9, keywords=["VEHICLE", "SMOKE"])],
        SHOOT,
        {"needs": {"hit": [4], "save": [5]}, "cp": {"B": 2}},
        [4, 4, 1],
        [at("b1"), react("Smokescreen")],
        sides=B_CP,
    ),
    says(
        "Stealth of its own and of smoke are one",
        "CSTR-9 DUP-1",
        [one("a1", 10, 10, gun()), one("b1", 20, 10, W=9, keywords=["VEHICLE", "SMOKE"], rules=["Stealth"])],
        SHOOT,
        {"needs": {"hit": [4]}},
        [1],
        [at("b1"), react("Smokescreen")],
        sides=B_CP,
    ),
    says(
        "Grenade: not at a unit within Engagement Range of a friend",
        "CSTR-6",
        [
            one("a1", 10, 10, gun(), keywords=["INFANTRY", "GRENADES"]),
            one("a2", 14, 11.8),
            one("b1", 14, 10),
        ],
        {"phase": "shooting"},
        {"refused": "CSTR-6"},
        [4, 4, 4, 4, 4, 4],
        [react("Grenade a1 b1")],
        sides=A_CP,
    ),
    says(
        "Command Re-roll for one of several Desperate Escapes",
        "CSTR-1 MOVE-8",
        [squad("a1", "A", 2, at=line(2), M=6, marks=["battle-shocked"]), one("b1", 11.8, 10)],
        move("fall-back"),
        {"refused": "CSTR-1"},
        [1, 6, 6],
        [react("Command Re-roll")],
        sides=A_CP,
    ),
    says(
        "a frugal Leader's unit pays one point less",
        "CPCOST-1 CPCOST-2",
        [
            one("a1", 10, 10, gun()),
            squad("b1", "B", 2, at=line(2, 20), Sv=7),
            leader("x", "B", "b1", 20, 8.8, rules=["Stratagem Discount 1"]),
        ],
        SHOOT,
        {"marked": {"b1": ["cover"]}, "cp": {"B": 0}},
        [1],
        [at("b1"), react("Go to Ground")],
        sides={"B": {"cp": 0}},
    ),
]

UNITS = [
    says(
        "a FORTIFICATION tests with its Toughness where Leadership is a dash",
        "NULL-1 NULL-2",
        [squad("a1", "A", 1, at=[(10, 10)], T=10, Ld="-", M="-", W=12, wounds=[7], keywords=["FORTIFICATION", "VEHICLE"]), FAR],
        COMMAND,
        {"unmarked": {"a1": ["battle-shocked"]}},
        [5, 5],
    ),
    says(
        "and below it is shaken",
        "NULL-1",
        [squad("a1", "A", 1, at=[(10, 10)], T=10, Ld="-", M="-", W=12, wounds=[7], keywords=["FORTIFICATION", "VEHICLE"]), FAR],
        COMMAND,
        {"marked": {"a1": ["battle-shocked"]}},
        [4, 5],
    ),
    says(
        "6 wounds left of 12 are exactly half",
        "UNIT-5",
        [squad("a1", "A", 1, at=[(10, 10)], Ld=7, M=6, W=12, wounds=[6]), FAR],
        COMMAND,
        {"rolls": []},
    ),
    says(
        "Deadly Demise is rolled apart for each unit in 6 inches",
        "ABIL-1",
        [
            one("a1", 10, 10, gun("Torrent", S=20, AP=-6, D=9)),
            one("b1", 20, 10, W=1, rules=["Deadly Demise D3"], keywords=["VEHICLE"]),
            one("b2", 20, 14),
            one("b3", 20, 17.01),
            one("a2", 20, 6, W=4),
        ],
        SHOOT,
        {"left": {"b2": 0}, "wounds": {"b3": [0], "a2": [1]}},
        [2, 6, 6, 2],
        [at("b1")],
    ),
    says(
        "an afterimage makes one hit a natural 1",
        "TOKEN-1 TREAT-1",
        [one("a1", 10, 10, gun()), one("b1", 20, 10, rules=["Afterimage"])],
        SHOOT,
        {"attacks": [{"hits": 0}]},
        [6],
        [at("b1"), react("Afterimage b1")],
    ),
    says(
        "models return beside those that are left, with full wounds",
        "RETURN-1 RETURN-3",
        [
            squad("a1", "A", 2, at=line(2), start_size=2, M=6),
            leader("x", "A", "a1", 10, 8.5, rules=["Returns Models D3"]),
            FAR,
        ],
        COMMAND,
        {"rolls": []},
    ),
    says(
        "an Attached unit scores no level while shaken, but a Leader's plus counts",
        "MOD-2 CMD-5",
        [
            squad("a1", "A", 2, at=[(18, 20), (18, 21.5)], OC=2, M=6, marks=["battle-shocked"]),
            leader("x", "A", "a1", 18, 18.5, OC=1, rules=["While Leading: Control(+1)"]),
            FAR,
        ],
        None,
        {"asks": [{"holder": "A", "levels": {"A": 3, "B": 0}}]},
        objectives=[{"id": "o1", "at": [20, 20]}],
        **ask({"control": "o1"}),
    ),
]


@pytest.mark.parametrize("moment", [*SPACE, *REACTIONS, *UNITS])
def test_as_the_rulebook_has_it(moment: Moment) -> None:
    """Each row is what its clauses say of that moment."""
    judge(moment)
