"""Moments of the Shooting phase: who may shoot whom, with what, and what comes of it, as the contract has it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.commentary.desk import Json, blade, gun, squad
from tests.commentary.referee import Moment, at, judge, part, react, says

SHOOT = part("shooting", "a1", "shoot")
AIRCRAFT = ["VEHICLE", "FLY", "AIRCRAFT"]


def line(n: int, x: float = 20, y: float = 10, apart: float = 1.5) -> list[tuple[float, float]]:
    """Places in a row along y."""
    return [(x, y + apart * k) for k in range(n)]


def shooter(*weapons: Json, n: int = 1, **more: Any) -> Json:
    """A unit of A at x 10."""
    return squad("a1", "A", n, *(weapons or (gun(),)), at=line(n, 10), M=6, **more)


TARGET = squad("b1", "B", 5, at=line(5), M=6, W=2)
NEXT = squad("b1", "B", 1, at=[(11.8, 10)], M=6, W=9)
TANK = ["VEHICLE"]
LEADER = {"keywords": ["CHARACTER", "INFANTRY"], "rules": ["Leader"], "leading": "b1"}


def leader(x: float = 20, y: float = 8.5, **more: Any) -> Json:
    """A Leader of b1."""
    return squad("x", "B", 1, at=[(x, y)], **{"W": 4, "M": 6, **LEADER, **more})


ELIGIBLE = [
    says(
        "who fell back does not shoot", "SHOOT-1 MOVE-7", [shooter(marks=["fell-back"]), TARGET], SHOOT, {"refused": "SHOOT-1"}
    ),
    says(
        "who advanced shoots its Assault weapons only",
        "WPN-1",
        [shooter(gun(name="rifle"), gun("Assault", name="carbine"), marks=["advanced"]), TARGET],
        SHOOT,
        {"attacks": [{"attacks": 1}]},
        [1],
    ),
    says(
        "the only weapon there is may be named all the same",
        "SHOOT-3",
        [shooter(), TARGET],
        SHOOT,
        {"attacks": [{"attacks": 1}]},
        [1],
        [at("b1"), {"kind": "assign-weapons", "value": [["a1.1", 0]]}],
    ),
    says("who is Locked in Combat does not shoot", "LIC-1 SHOOT-1", [shooter(), NEXT], SHOOT, {"refused": "LIC-1"}),
    says(
        "a Pistol does, at whom it is engaged with",
        "WPN-5",
        [shooter(gun(name="rifle"), gun("Pistol", range=12, name="pistol")), NEXT],
        SHOOT,
        {"attacks": [{"attacks": 1, "hits": 0}]},
        [1],
    ),
    says(
        "and at nobody else",
        "WPN-5",
        [shooter(gun("Pistol", range=12)), NEXT, squad("b2", "B", 1, at=[(10, 18)])],
        SHOOT,
        {"refused": "WPN-5"},
        (),
        [at("b2")],
    ),
    says(
        "nor at anybody else where it has other guns too",
        "WPN-5",
        [shooter(gun(name="rifle"), gun("Pistol", range=12, name="pistol")), NEXT, squad("b2", "B", 1, at=[(10, 18)])],
        SHOOT,
        {"refused": "WPN-5"},
        (),
        [at("b2")],
    ),
    says(
        "outside Engagement Range a model fires its Pistol or the rest",
        "WPN-5",
        [shooter(gun(name="rifle"), gun("Pistol", range=12, name="pistol")), squad("b1", "B", 5, at=line(5, 15), W=2)],
        SHOOT,
        {"attacks": [{"attacks": 1}]},
        [1],
    ),
    says(
        "a VEHICLE fires both",
        "WPN-5 BGNT-4",
        [
            shooter(gun(name="rifle"), gun("Pistol", range=12, name="pistol"), keywords=TANK),
            squad("b1", "B", 5, at=line(5, 15), W=2),
        ],
        SHOOT,
        {"needs": {"hit": [3, 3]}},
        [1, 1],
    ),
    says(
        "a VEHICLE shoots out of combat with -1",
        "BGNT-1 BGNT-3",
        [shooter(keywords=TANK), NEXT],
        SHOOT,
        {"needs": {"hit": [4]}},
        [3],
    ),
    says(
        "not with its Pistol",
        "BGNT-3",
        [shooter(gun("Pistol", range=12), keywords=TANK), NEXT],
        SHOOT,
        {"needs": {"hit": [3]}},
        [1],
    ),
    says(
        "it may shoot somebody else",
        "BGNT-1",
        [shooter(keywords=TANK), NEXT, squad("b2", "B", 1, at=[(10, 18)])],
        SHOOT,
        {"needs": {"hit": [4]}},
        [1],
        [at("b2")],
    ),
    says(
        "its Blast weapon not at whom it is engaged with",
        "BGNT-4 WPN-11",
        [shooter(gun("Blast"), keywords=TANK), NEXT],
        SHOOT,
        {"refused": "WPN-11"},
        (),
        [at("b1")],
    ),
    says(
        "a Blast weapon never at a unit engaged with a friend",
        "WPN-11",
        [shooter(gun("Blast")), squad("b1", "B", 1, at=[(20, 10)], keywords=TANK), squad("a2", "A", 1, at=[(21.8, 10)])],
        SHOOT,
        {"refused": "WPN-11"},
        (),
        [at("b1")],
    ),
    says(
        "a unit engaged with friends is not shot at",
        "LIC-1",
        [shooter(), squad("b1", "B", 1, at=[(20, 10)]), squad("a2", "A", 1, at=[(21.8, 10)])],
        SHOOT,
        {"refused": "LIC-1"},
        (),
        [at("b1")],
    ),
    says(
        "unless it is a MONSTER, with -1",
        "BGNT-2 BGNT-3",
        [shooter(), squad("b1", "B", 1, at=[(20, 10)], keywords=["MONSTER"]), squad("a2", "A", 1, at=[(21.8, 10)])],
        SHOOT,
        {"needs": {"hit": [4]}},
        [1],
        [at("b1")],
    ),
    says(
        "both reasons for -1 are one",
        "BGNT-3 MODROLL-4",
        [
            shooter(keywords=TANK),
            squad("b1", "B", 1, at=[(11.8, 10)], keywords=["MONSTER"]),
            squad("a2", "A", 1, at=[(13.5, 10)]),
        ],
        SHOOT,
        {"needs": {"hit": [4]}},
        [1],
    ),
    says(
        "range is measured to the nearest",
        "SHOOT-2 GEO-3",
        [shooter(gun(range=9)), TARGET],
        SHOOT,
        {"attacks": [{"attacks": 1}]},
        [1],
    ),
    says(
        "a little beyond is out of range",
        "SHOOT-2",
        [shooter(gun(range=8.99)), TARGET],
        SHOOT,
        {"refused": "SHOOT-2"},
        (),
        [at("b1")],
    ),
    says(
        "a Lone Operative at 12 inches can be shot",
        "ABIL-8",
        [shooter(), squad("b1", "B", 1, at=[(23, 10)], rules=["Lone Operative"])],
        SHOOT,
        {"attacks": [{"attacks": 1}]},
        [1],
    ),
    says(
        "further off it cannot",
        "ABIL-8",
        [shooter(), squad("b1", "B", 1, at=[(23.1, 10)], rules=["Lone Operative"])],
        SHOOT,
        {"refused": "ABIL-8"},
        (),
        [at("b1")],
    ),
    says(
        "part of an Attached unit it can",
        "ABIL-8",
        [shooter(), TARGET, leader(rules=["Leader", "Lone Operative"])],
        SHOOT,
        {"attacks": [{"attacks": 1}]},
        [1],
        [at("b1")],
    ),
    says(
        "only those near enough shoot it",
        "ABIL-8 SHOOT-2",
        [
            squad("a1", "A", 2, gun(), at=[(10, 10), (8.5, 10)], M=6),
            squad("b1", "B", 1, at=[(22.8, 10)], rules=["Lone Operative"]),
        ],
        SHOOT,
        {"attacks": [{"attacks": 1}]},
        [1],
    ),
    says("who shot does not shoot again", "SHOOT-1", [shooter(marks=["shot"]), TARGET], SHOOT, {"refused": "SHOOT-1"}),
    says(
        "a unit without ranged weapons is eligible",
        "ELIG-2",
        [shooter(blade()), TARGET],
        None,
        {"asks": [True]},
        ask=[{"eligible": ["a1", "shoot"]}],
    ),
]

WALL = {"id": "w", "types": ["sealed structure"], "polygon": [[14, 2], [15, 2], [15, 22], [14, 22]], "height": 5, "solid": True}

ATTACKS = [
    says(
        "Heavy who stood still hits better",
        "WPN-13 STAT-1",
        [shooter(gun("Heavy"), marks=["stationary"]), TARGET],
        SHOOT,
        {"needs": {"hit": [2]}},
        [1],
    ),
    says(
        "Heavy who moved does not",
        "WPN-13",
        [shooter(gun("Heavy"), marks=["moved"]), TARGET],
        SHOOT,
        {"needs": {"hit": [3]}},
        [1],
    ),
    says(
        "Stealth takes one off", "ABIL-10", [shooter(), {**TARGET, "rules": ["Stealth"]}], SHOOT, {"needs": {"hit": [4]}}, [1]
    ),
    says(
        "not if one model lacks it",
        "ABIL-10",
        [shooter(), squad("b1", "B", 2, at=line(2), own=[{"rules": ["Stealth"]}])],
        SHOOT,
        {"needs": {"hit": [3]}},
        [1],
    ),
    says(
        "Torrent needs no Hit roll",
        "WPN-6 AUTO-2",
        [shooter(gun("Torrent", A=2)), TARGET],
        SHOOT,
        {"rolls": ["wound", "wound"]},
        [1, 1],
    ),
    says(
        "unseen nobody is shot",
        "SHOOT-2 VIS-2",
        [shooter(), TARGET],
        SHOOT,
        {"refused": "SHOOT-2"},
        (),
        [at("b1")],
        table={"terrain": [WALL]},
    ),
    says(
        "but by Indirect Fire, with -1 and cover",
        "WPN-9",
        [shooter(gun("Indirect Fire", AP=-1)), squad("b1", "B", 5, at=line(5), Sv=4)],
        SHOOT,
        {"needs": {"hit": [4], "wound": [4], "save": [4]}},
        [4, 4, 4],
        [at("b1")],
        table={"terrain": [WALL]},
    ),
    says("seen there is no -1", "WPN-9", [shooter(gun("Indirect Fire")), TARGET], SHOOT, {"needs": {"hit": [3]}}, [1]),
    says(
        "Rapid Fire at half range",
        "WPN-2",
        [shooter(gun("Rapid Fire 2", range=18)), TARGET],
        SHOOT,
        {"attacks": [{"attacks": 3}]},
        [1, 1, 1],
    ),
    says(
        "Melta at half range",
        "WPN-12",
        [shooter(gun("Melta 2", range=18, D=1)), squad("b1", "B", 1, at=[(20, 10)], W=9)],
        SHOOT,
        {"wounds": {"b1": [3]}},
        [3, 4],
    ),
    says(
        "Melta beyond",
        "WPN-12",
        [shooter(gun("Melta 2", range=17, D=1)), squad("b1", "B", 1, at=[(20, 10)], W=9)],
        SHOOT,
        {"wounds": {"b1": [1]}},
        [3, 4],
    ),
    says(
        "Blast counts full fives",
        "WPN-11",
        [shooter(gun("Blast")), squad("b1", "B", 10, at=line(10, 20, 5))],
        SHOOT,
        {"attacks": [{"attacks": 3}]},
        [1, 1, 1],
    ),
    says(
        "Twin-linked rolls a failed Wound roll again",
        "WPN-4",
        [shooter(gun("Twin-linked")), TARGET],
        SHOOT,
        {"attacks": [{"wounds": 1}]},
        [3, 1, 4],
    ),
    says(
        "Anti is critical, and devastates",
        "WPN-18 WPN-15",
        [shooter(gun("Anti-INFANTRY 4+", "Devastating Wounds", S=1, D=2)), squad("b1", "B", 5, at=line(5), T=8)],
        SHOOT,
        {"dead": ["b1.1", "b1.2"]},
        [3, 4],
    ),
    says(
        "Lethal Hits goes straight to the save",
        "WPN-7 AUTO-3",
        [shooter(gun("Lethal Hits")), squad("b1", "B", 5, at=line(5), Sv=4)],
        SHOOT,
        {"rolls": ["hit", "save"]},
        [6, 4],
    ),
    says(
        "Sustained Hits of a D3 rolls it for each",
        "WPN-16",
        [shooter(gun("Sustained Hits D3")), TARGET],
        SHOOT,
        {"attacks": [{"hits": 3}]},
        [6, 1, 3, 1, 1],
    ),
    says(
        "Hazardous destroys its bearer on a 1",
        "WPN-14",
        [shooter(gun("Hazardous"), n=2), TARGET],
        SHOOT,
        {"left": {"a1": 1}},
        [1, 1, 1, 2],
    ),
    says(
        "a VEHICLE suffers 3 mortal wounds",
        "WPN-14",
        [shooter(gun("Hazardous"), keywords=TANK, W=9), TARGET],
        SHOOT,
        {"wounds": {"a1": [3]}},
        [1, 1],
    ),
    says(
        "One Shot is spent",
        "WPN-19 ONESHOT-1",
        [shooter(gun("One Shot", name="one")), TARGET],
        SHOOT,
        {"attacks": [{"attacks": 1}]},
        [1],
    ),
    says(
        "Precision may go to the Leader",
        "WPN-10",
        [shooter(gun("Precision", S=8)), squad("b1", "B", 5, at=line(5)), leader(W=1)],
        SHOOT,
        {"dead": ["x.1"]},
        [3, 3],
        [at("b1"), {"kind": "choose-option", "value": "x.1"}],
    ),
    says(
        "other attacks never while a Bodyguard lives",
        "ATK-5",
        [shooter(gun(S=8)), squad("b1", "B", 1, at=line(1)), leader(W=1)],
        SHOOT,
        {"dead": ["b1.1"]},
        [3, 3],
    ),
    says(
        "a wounded model is allocated to first",
        "ATK-4",
        [shooter(gun(S=8, D=1)), squad("b1", "B", 3, at=line(3), W=2, wounds=[0, 1, 0])],
        SHOOT,
        {"dead": ["b1.2"]},
        [3, 3],
    ),
    says(
        "an invulnerable save ignores AP",
        "ATK-7",
        [shooter(gun(AP=-4)), squad("b1", "B", 1, at=line(1), Sv=3, Inv=5)],
        SHOOT,
        {"attacks": [{"blocked": 1}]},
        [3, 4, 5],
    ),
    says(
        "a natural 1 never saves",
        "ATK-6",
        [shooter(), squad("b1", "B", 1, at=line(1), Sv=2)],
        SHOOT,
        {"dead": ["b1.1"]},
        [3, 4, 1],
    ),
    says(
        "split fire finishes one target after the other",
        "SHOOT-3 SHOOT-4",
        [shooter(gun(name="one"), gun(name="two")), squad("b1", "B", 1, at=[(20, 10)]), squad("b2", "B", 1, at=[(20, 20)])],
        SHOOT,
        {"dead": ["b1.1", "b2.1"]},
        [3, 4, 3, 4],
        [at("b1"), {"kind": "assign-weapons", "value": [["a1.1", 0]]}, at("b2")],
    ),
    says(
        "one weapon never splits",
        "SHOOT-3",
        [shooter(gun(A=2)), squad("b1", "B", 1, at=[(20, 10)]), squad("b2", "B", 1, at=[(20, 20)])],
        SHOOT,
        {"attacks": [{"target": "b1", "attacks": 2}]},
        [1, 1],
        [at("b1")],
    ),
    says(
        "Feel No Pain for each wound, until the model is gone",
        "FNP-2",
        [shooter(gun(D=3)), squad("b1", "B", 2, at=line(2), FNP=5)],
        SHOOT,
        {"dead": ["b1.1"], "rolls": ["hit", "wound", "feel no pain"]},
        [3, 4, 1],
    ),
    says(
        "a wreck hurts everybody within 6 inches",
        "ABIL-1",
        [
            shooter(gun(S=20)),
            squad("b1", "B", 1, at=[(20, 10)], keywords=TANK, rules=["Deadly Demise 2"]),
            squad("b2", "B", 1, at=[(26.9, 10)], W=3),
            squad("b3", "B", 1, at=[(20, 17.2)], W=3),
            squad("a2", "A", 1, at=[(20, 3.1)], W=3),
        ],
        SHOOT,
        {"attacks": [{"damage": 1, "mortal": 0, "removed": ["b1.1"]}], "wounds": {"b2": [2], "b3": [0], "a2": [2]}},
        [3, 2, 6],
        [at("b1")],
    ),
    says(
        "a Leader left alone is a unit of its own",
        "UNIT-6 LEAD-4",
        [shooter(gun(S=8)), squad("b1", "B", 1, at=line(1), start_size=5), leader()],
        SHOOT,
        {"where": {"b1": "destroyed", "x": "table"}},
        [3, 3],
    ),
]

COVERED = [
    says(
        "who is wholly within woods has cover",
        "TER-7 TER-1",
        [shooter(gun(AP=-1)), squad("b1", "B", 1, at=[(20, 10)], Sv=4)],
        SHOOT,
        {"needs": {"hit": [3], "wound": [4], "save": [4]}},
        [3, 4, 4],
        table={"terrain": [{"id": "t", "types": ["woods"], "polygon": [[18, 8], [22, 8], [22, 12], [18, 12]], "height": 5}]},
    ),
    says(
        "who is seen through woods has cover",
        "TER-7 TER-2",
        [shooter(gun(AP=-1)), squad("b1", "B", 1, at=[(23, 10)], Sv=4)],
        SHOOT,
        {"needs": {"hit": [3], "wound": [4], "save": [4]}},
        [3, 4, 4],
        table={"terrain": [{"id": "t", "types": ["woods"], "polygon": [[18, 8], [22, 8], [22, 12], [18, 12]], "height": 5}]},
    ),
    says(
        "INFANTRY on a crater has cover",
        "TER-3 CRATER-1",
        [shooter(gun(AP=-1)), squad("b1", "B", 1, at=[(20, 10)], Sv=4)],
        SHOOT,
        {"needs": {"hit": [3], "wound": [4], "save": [4]}},
        [3, 4, 4],
        table={"terrain": [{"id": "t", "types": ["crater"], "polygon": [[18, 8], [22, 8], [22, 12], [18, 12]]}]},
    ),
    says(
        "a VEHICLE there has not",
        "TER-3",
        [shooter(gun(AP=-1, S=4)), squad("b1", "B", 1, at=[(20, 10)], Sv=4, keywords=TANK, W=3)],
        SHOOT,
        {"needs": {"hit": [3], "wound": [4], "save": [5]}},
        [3, 4, 4],
        table={"terrain": [{"id": "t", "types": ["crater"], "polygon": [[18, 8], [22, 8], [22, 12], [18, 12]]}]},
    ),
    says(
        "Ignores Cover does",
        "WPN-3",
        [shooter(gun("Ignores Cover", AP=-1)), squad("b1", "B", 1, at=[(20, 10)], Sv=4)],
        SHOOT,
        {"needs": {"hit": [3], "wound": [4], "save": [5]}},
        [3, 4, 4],
        table={"terrain": [{"id": "t", "types": ["woods"], "polygon": [[18, 8], [22, 8], [22, 12], [18, 12]], "height": 5}]},
    ),
    says(
        "from 6 inches up in a ruin AP is better",
        "TER-10",
        [squad("a1", "A", 1, gun(AP=-1), at=[(10, 10)], M=6, own=[{"z": 6}]), squad("b1", "B", 1, at=[(25, 10)], Sv=3)],
        SHOOT,
        {"needs": {"hit": [3], "wound": [4], "save": [5]}},
        [3, 4, 5],
        table={
            "terrain": [
                {"id": "t", "types": ["ruin"], "polygon": [[8, 8], [12, 8], [12, 12], [8, 12]], "height": 9},
                {
                    "id": "f",
                    "types": ["floor"],
                    "polygon": [[8, 8], [12, 8], [12, 12], [8, 12]],
                    "height": 6,
                    "bottom": 5.9,
                    "solid": True,
                },
            ]
        },
    ),
]

WINDOWS = [
    says(
        "Go to Ground gives cover and a 6+",
        "CSTR-7",
        [shooter(gun(AP=-3)), squad("b1", "B", 1, at=[(20, 10)], Sv=5)],
        SHOOT,
        {"needs": {"hit": [3], "wound": [4], "save": [6]}, "cp": {"B": 0}},
        [3, 4, 6],
        [react("Go to Ground")],
        sides={"B": {"cp": 1}},
    ),
    says(
        "only for a targeted unit",
        "CSTR-7",
        [shooter(), squad("b1", "B", 1, at=[(20, 10)], keywords=TANK), squad("b2", "B", 1, at=[(20, 20)])],
        SHOOT,
        {"refused": "CSTR-7"},
        [1],
        [at("b1"), react("Go to Ground")],
        sides={"B": {"cp": 1}},
    ),
    says(
        "Smokescreen is Stealth and cover",
        "CSTR-9",
        [shooter(gun(AP=-1)), squad("b1", "B", 1, at=[(20, 10)], Sv=4, keywords=["SMOKE"])],
        SHOOT,
        {"needs": {"hit": [4], "wound": [4], "save": [4]}},
        [4, 4, 4],
        [react("Smokescreen")],
        sides={"B": {"cp": 1}},
    ),
    says(
        "a failed save is rolled again",
        "CSTR-1",
        [shooter(), squad("b1", "B", 1, at=[(20, 10)], Sv=4)],
        SHOOT,
        {"dead": [], "cp": {"B": 0}},
        [3, 4, 1, 5],
        [react("Command Re-roll")],
        sides={"B": {"cp": 1}},
    ),
    says(
        "not a Battle-shocked unit's",
        "STRAT-3",
        [shooter(), squad("b1", "B", 1, at=[(20, 10)], Sv=4, marks=["battle-shocked"])],
        SHOOT,
        {"refused": "STRAT-3"},
        [3, 4, 1],
        [react("Command Re-roll")],
        sides={"B": {"cp": 1}},
    ),
    says(
        "no point, no Stratagem",
        "CSTR-13 JUST-3",
        [shooter(), squad("b1", "B", 1, at=[(20, 10)], Sv=4)],
        SHOOT,
        {"refused": "CSTR-13"},
        [3, 4, 1],
        [react("Command Re-roll")],
        sides={"B": {"cp": 0}},
    ),
    says(
        "a Damage roll is rolled again",
        "CSTR-1 DMGROLL-1",
        [shooter(gun(D="D6")), squad("b1", "B", 1, at=[(20, 10)], W=9)],
        SHOOT,
        {"wounds": {"b1": [6]}},
        [3, 4, 1, 6],
        [react("Command Re-roll")],
        sides={"A": {"cp": 1}},
    ),
    says(
        "Grenade: a mortal wound for each 4+",
        "CSTR-6",
        [squad("a1", "A", 1, at=[(10, 10)], keywords=["INFANTRY", "GRENADES"]), squad("b1", "B", 5, at=line(5, 18))],
        {"phase": "shooting"},
        {"left": {"b1": 2}, "cp": {"A": 0}},
        [4, 5, 6, 1, 2, 3],
        [react("Grenade")],
        sides={"A": {"cp": 1}},
    ),
    says(
        "not beyond 8 inches",
        "CSTR-6",
        [squad("a1", "A", 1, at=[(10, 10)], keywords=["INFANTRY", "GRENADES"]), squad("b1", "B", 5, at=line(5, 19.1, 10))],
        {"phase": "shooting"},
        {"verdict": "refused", "refused": "CSTR-6"},
        (),
        [react("Grenade")],
        sides={"A": {"cp": 1}},
    ),
    says(
        "a unit that shot first may still be followed by another's grenade",
        "CSTR-6 NSEL-1",
        [
            shooter(gun(range=30)),
            squad("a2", "A", 1, at=[(10, 20)], keywords=["INFANTRY", "GRENADES"]),
            squad("b1", "B", 5, at=line(5, 17, 18)),
        ],
        {"phase": "shooting"},
        {"left": {"b1": 2}},
        [1, 4, 5, 6, 1, 2, 3],
        [react(), {"kind": "choose-unit", "value": "a1"}, react("Grenade")],
        sides={"A": {"cp": 1}},
    ),
]


@pytest.mark.parametrize("moment", [*ELIGIBLE, *ATTACKS, *COVERED, *WINDOWS])
def test_as_the_rulebook_has_it(moment: Moment) -> None:
    """Each row is what its clauses say of that moment."""
    judge(moment)
