"""Rows of the contract's table of vectors that are judged as moments, and rows of the same families with other numbers."""

from __future__ import annotations

from typing import Any

import pytest

from rolloff.editions import registry
from rolloff.errors import BadInput
from tests.commentary.desk import EDITION, Json, blade, gun, shoot, squad
from tests.commentary.referee import FAR, Moment, judge, move, part, place, react, says, way

DEEP = {"kind": "choose-option", "value": "deep strike"}
WOOD = {"id": "t", "types": ["woods"], "polygon": [[18, 8], [22, 8], [22, 12], [18, 12]], "height": 5}


def one(id: str, x: float, y: float = 10, *weapons: Json, **more: Any) -> Json:
    """A unit of one model, of the side its name begins with."""
    return squad(id, more.pop("side", id[0].upper()), 1, *weapons, at=[(x, y)], **{"M": 6, "W": 3, **more})


def army(*waiting: int, rest: int, units: int = 9) -> list[Json]:
    """Nine units of A before the battle, the first ones with Deep Strike; and somebody of B."""
    cards = [
        squad(f"a{k}", "A", 1, M=6, where="waiting", points=worth, rules=["Deep Strike"]) for k, worth in enumerate(waiting, 1)
    ]
    others = units - len(waiting)
    shares = [rest // others] * (others - 1)
    shares.append(rest - sum(shares))
    cards += [squad(f"a{len(waiting) + k}", "A", 1, M=6, where="waiting", points=worth) for k, worth in enumerate(shares, 1)]
    return [*cards, squad("b1", "B", 1, M=6, where="waiting", points=975)]


DECLARE: Json = {"clock": {"phase": "declare", "first": "A"}, "round": 0, "points": 1000}

ROWS = [
    says(
        "TV-32 a gap of exactly 1 inch is within it",
        "WITHIN-1 ER-1",
        [one("a1", 10), one("b1", 12)],
        None,
        {"asks": [["b1"]]},
        ask=[{"engaged": "a1"}],
    ),
    says(
        "TV-32 a little more is not",
        "WITHIN-1 ER-1",
        [one("a1", 10), one("b1", 12.01)],
        None,
        {"asks": [[]]},
        ask=[{"engaged": "a1"}],
    ),
    says(
        "TV-33 a base that sticks out by a tenth is not wholly within",
        "WITHIN-3 WITHIN-2 TER-7",
        [one("a1", 40), one("b1", 18.4)],
        None,
        {"asks": ["visible", True]},
        ask=[{"visible": ["a1.1", "b1.1"]}, {"cover": ["a1", "b1"]}],
        table={"terrain": [WOOD]},
    ),
    says(
        "TV-39 any enemy is one enemy or more",
        "ANY-1 MOD-3",
        [one("a1", 10, OC=2), one("b1", 11.8, rules=["Halves Control"])],
        None,
        {"asks": [1]},
        ask=[{"value": ["a1.1", "OC"]}],
    ),
    says(
        "TV-43 its Command phase is its owner's",
        "MPHASE-1",
        [one("a1", 10, W=5, wounds=[3], rules=["Regains 1 start-command"]), FAR],
        {"phase": "command"},
        {"wounds": {"a1": [2]}},
    ),
    says(
        "DV-35 a test failed in the opponent's turn is lifted in the own Command phase",
        "BSHOCK-2 BSHOCK-3",
        [one("b1", 10, marks=["battle-shocked"]), FAR, one("a1", 40)],
        {"phase": "command"},
        {"unmarked": {"b1": ["battle-shocked"]}},
        active="B",
        round=3,
    ),
    says(
        "DV-35 and stands until then",
        "BSHOCK-2",
        [one("b1", 10, marks=["battle-shocked"]), FAR, one("a1", 40)],
        {"phase": "charge"},
        {"marked": {"b1": ["battle-shocked"]}},
    ),
    says(
        "DV-38 four units worth 480 wait",
        "RSV-6 RSV-2",
        army(120, 120, 120, 120, rest=495),
        {"step": "declare"},
        {"where": {f"a{k}": "reserve" for k in range(1, 5)}},
        (),
        [DEEP] * 4,
        **DECLARE,
    ),
    says(
        "DV-38 five units are too many",
        "RSV-6",
        army(80, 80, 80, 80, 80, rest=575),
        {"step": "declare"},
        {"verdict": "refused"},
        (),
        [DEEP] * 5,
        **DECLARE,
    ),
    says(
        "DV-38 490 points are too many",
        "RSV-6",
        army(120, 120, 120, 130, rest=485),
        {"step": "declare"},
        {"verdict": "refused"},
        (),
        [DEEP] * 4,
        **DECLARE,
    ),
    says(
        "DV-41 one marker at the end of the last Command phase",
        "MIS-4",
        [one("b1", 10, 22, OC=2), one("a1", 50, 5)],
        {"phase": "command"},
        {"score": {"B": 0}},
        objectives=[{"id": f"o{k}", "at": [10 * k, 20]} for k in range(1, 5)],
        round=5,
        active="B",
        clock={"phase": "command", "first": "A"},
    ),
    says(
        "DV-41 and four at the end of that turn are three points",
        "MIS-4",
        [*(one(f"b{k}", 10 * k, 22, OC=2) for k in range(1, 5)), one("a1", 50, 5)],
        {"phase": "end-of-turn"},
        {"score": {"B": 3}},
        objectives=[{"id": f"o{k}", "at": [10 * k, 20]} for k in range(1, 5)],
        round=5,
        active="B",
        clock={"phase": "turn-end", "first": "A"},
    ),
]

KEPT_BACK = [
    says(
        "a save is never better by more than 1, AP counted in",
        "ATK-8 TER-1",
        [one("a1", 10, 10, gun()), one("b1", 20, Sv=5, rules=["Save(+1)"])],
        part("shooting", "a1", "shoot"),
        {"needs": {"save": [4]}},
        [3, 4, 4],
    ),
    says(
        "a chain of seven in a ring is coherent",
        "COH-2",
        [squad("a1", "A", 7, at=[(10, 10), (12.5, 10), (15, 10), (15, 12.5), (12.5, 12.5), (10, 12.5), (11.2, 11.2)]), FAR],
        {"phase": "end-of-turn"},
        {"dead": []},
    ),
    says(
        "neighbours on a floor 5 inches up count, higher ones not",
        "COH-1 HV-1",
        [squad("a1", "A", 2, at=[(10, 10), (11.5, 10)], own=[{}, {"z": 5.01}]), FAR],
        {"phase": "end-of-turn"},
        {"left": {"a1": 1}},
    ),
    says(
        "a flyer over a block of 4 inches goes by its two upper edges",
        "FLY-5",
        [one("a1", 10, keywords=["INFANTRY", "FLY"], M=14), FAR],
        move(),
        {"at": {"a1.1": [20, 10]}},
        (),
        [way(a1_1=(20, 10))],
        table={
            "terrain": [
                {
                    "id": "t",
                    "types": ["sealed structure"],
                    "polygon": [[14, 5], [16, 5], [16, 15], [14, 15]],
                    "height": 4,
                    "solid": True,
                }
            ]
        },
    ),
    says(
        "no further",
        "FLY-5",
        [one("a1", 10, keywords=["INFANTRY", "FLY"], M=13), FAR],
        move(),
        {"refused": "MOVE-5"},
        (),
        [way(a1_1=(20, 10))],
        table={
            "terrain": [
                {
                    "id": "t",
                    "types": ["sealed structure"],
                    "polygon": [[14, 5], [16, 5], [16, 15], [14, 15]],
                    "height": 4,
                    "solid": True,
                }
            ]
        },
    ),
    says(
        "a printed Leadership beyond the limits is left alone",
        "MODCH-10 MODCH-5",
        [one("a1", 10, Ld=9), FAR],
        None,
        {"asks": [9]},
        ask=[{"value": ["a1.1", "Ld"]}],
    ),
    says(
        "and may be improved, not worsened",
        "MODCH-10 MODCH-5",
        [one("a1", 10, Ld=9, rules=["Leadership(-1)"]), FAR],
        None,
        {"asks": [9]},
        ask=[{"value": ["a1.1", "Ld"]}],
    ),
    says(
        "Pistol and Big Guns at once: no -1 for the Pistol, -1 for the rest",
        "BGNT-3 BGNT-4 WPN-5",
        [one("a1", 10, 10, gun("Pistol", range=12, name="p"), gun(name="c"), keywords=["VEHICLE"]), one("b1", 11.8, W=9)],
        part("shooting", "a1", "shoot"),
        {"needs": {"hit": [3, 4]}},
        [1, 1],
    ),
    says(
        "the same Stratagem twice in a phase is refused",
        "CSTR-13",
        [one("a1", 10, 10, gun(A=2)), one("b1", 20, Sv=4, W=9)],
        part("shooting", "a1", "shoot"),
        {"refused": "CSTR-13"},
        [1, 3, 1, 1],
        [react("Command Re-roll"), react("Command Re-roll")],
        sides={"A": {"cp": 5}},
    ),
    says(
        "RV-4 from the rim nobody sees through the ruin",
        "RUIN-3 VIS-7",
        [one("a1", 10, 13), one("b1", 20, 13)],
        None,
        {"asks": ["none"]},
        ask=[{"visible": ["a1.1", "b1.1"]}],
        table={"terrain": [{"id": "r", "types": ["ruin"], "polygon": [[10, 10], [16, 10], [16, 16], [10, 16]], "height": 6}]},
    ),
    says(
        "of two ruins each is judged by itself",
        "RUIN-6",
        [one("a1", 13, 13), one("b1", 30, 13)],
        None,
        {"asks": ["none"]},
        ask=[{"visible": ["a1.1", "b1.1"]}],
        table={
            "terrain": [
                {"id": "r", "types": ["ruin"], "polygon": [[10, 10], [16, 10], [16, 16], [10, 16]], "height": 6},
                {"id": "s", "types": ["ruin"], "polygon": [[20, 10], [26, 10], [26, 16], [20, 16]], "height": 6},
            ]
        },
    ),
    says(
        "both within one ruin see each other",
        "RUIN-4",
        [one("a1", 10.2, 13), one("b1", 15.8, 13)],
        None,
        {"asks": ["fully"]},
        ask=[{"visible": ["a1.1", "b1.1"]}],
        table={"terrain": [{"id": "r", "types": ["ruin"], "polygon": [[10, 10], [16, 10], [16, 16], [10, 16]], "height": 6}]},
    ),
    says(
        "AIRCRAFT are seen over a ruin",
        "RUIN-5",
        [one("a1", 5, 13), one("b1", 20, 13, keywords=["VEHICLE", "AIRCRAFT"], M="20+")],
        None,
        {"asks": ["fully"]},
        ask=[{"visible": ["a1.1", "b1.1"]}],
        table={"terrain": [{"id": "r", "types": ["ruin"], "polygon": [[10, 10], [16, 10], [16, 16], [10, 16]], "height": 6}]},
    ),
    says(
        "normal damage first, then the mortal wounds of the unit",
        "MW-4 WPN-15",
        [
            squad("a1", "A", 1, gun("Devastating Wounds", A=2, D=2), at=[(10, 10)], M=6),
            squad("b1", "B", 2, at=[(20, 10), (20, 11.5)], W=2),
        ],
        part("shooting", "a1", "shoot"),
        {"dead": ["b1.1", "b1.2"]},
        [3, 6, 3, 4],
    ),
    says(
        "in melee too a unit piles in before it strikes",
        "FGT-4 PILEIN-1",
        [one("a1", 10, 10, blade()), one("b1", 11.5, W=9)],
        part("fight", "a1", "fight"),
        {"at": {"a1.1": [10.5, 10]}},
        [1],
        [way(a1_1=(10.5, 10))],
    ),
]

BIG = squad("a1", "A", 1, M=6, where="reserve", own=[{"base": {"circle": 7}}])
SAID = [
    says(
        "DV-14 3 inches across and 4 up are 5 apart",
        "GEO-3",
        [one("a1", 10), one("b1", 14, own=[{"z": 4}])],
        None,
        {"asks": [5.0, 5.0]},
        ask=[{"distance": ["a1", "b1"]}, {"distance": ["a1.1", "b1.1"]}],
    ),
    *(
        says(
            f"the clock may say {phase} as the rulebook does",
            "ROUND-1",
            [one("a1", 10, 10, gun()), one("b1", 20)],
            part("shooting", "a1", "shoot"),
            {"attacks": [{"attacks": 1}]},
            [1],
            clock={"phase": phase, "first": "A", "marks": []},
        )
        for phase in ("command", "movement", "reinforcements", "shooting", "charge", "fight", "end-of-turn")
    ),
    says(
        "a battle size alone makes no roster of what is laid out",
        "ARMY-1",
        [one("a1", 10, 10, gun()), one("b1", 20)],
        part("shooting", "a1", "shoot"),
        {"attacks": [{"attacks": 1}]},
        [1],
        points=1000,
    ),
    says(
        "what went to ground has cover and a 6+",
        "CSTR-7",
        [one("a1", 10, 10, gun(AP=-3)), one("b1", 20, Sv=5, marks=["gone-to-ground"])],
        part("shooting", "a1", "shoot"),
        {"needs": {"save": [6]}},
        [3, 4, 6],
    ),
    says(
        "what remained stationary is Heavy",
        "WPN-13 STAT-1",
        [one("a1", 10, 10, gun("Heavy"), marks=["remained-stationary"]), one("b1", 20)],
        part("shooting", "a1", "shoot"),
        {"needs": {"hit": [2]}},
        [1],
    ),
    says(
        "a model broader than 6 inches arrives touching an edge",
        "RSV-3",
        [BIG, one("a2", 30, 22), FAR],
        part("reinforcements", "a1", "arrive"),
        {"at": {"a1.1": [3.5, 20]}},
        (),
        [place(a1_1=(3.5, 20))],
    ),
    says(
        "not away from it",
        "RSV-3",
        [BIG, one("a2", 30, 22), FAR],
        part("reinforcements", "a1", "arrive"),
        {"refused": "RSV-3"},
        (),
        [place(a1_1=(4.5, 20))],
    ),
    says(
        "who hovers has a Move of 20",
        "ABIL-11 MODCH-8",
        [one("a1", 10, M="20+", keywords=["AIRCRAFT", "FLY"], marks=["hovers"]), FAR],
        None,
        {"asks": [20]},
        ask=[{"value": ["a1.1", "M"]}],
    ),
    says(
        "whether a unit is coherent can be asked",
        "COH-1",
        [squad("a1", "A", 3, at=[(10, 10), (11.5, 10), (20, 10)]), FAR],
        None,
        {"asks": [False, True]},
        ask=[{"coherent": "a1"}, {"coherent": "b9"}],
    ),
    says(
        "a TRANSPORT without a stated capacity takes whom it is given",
        "TRANS-1 TRANS-3",
        [one("a1", 20, 20, keywords=["VEHICLE", "TRANSPORT"]), one("a2", 22, 20), FAR],
        move("embark", "a2"),
        {"where": {"a2": "a1"}},
    ),
    says(
        "a Leader acts with the unit it leads",
        "ABIL-7",
        [one("a1", 10, 10, gun()), one("x", 10, 11.2, gun(), keywords=["CHARACTER"], leading="a1", side="A"), one("b1", 20)],
        part("shooting", "x", "shoot"),
        {"refused": "ROUND-1"},
    ),
    says(
        "a reaction waits for its window, and others pass",
        "JUST-1 CSTR-8",
        [one("a1", 10, 10, blade(S=8), keywords=["VEHICLE"]), one("b1", 17, W=20, T=8)],
        part("charge", "a1", "charge"),
        {"wounds": {"b1": [2]}, "cp": {"A": 2}},
        [6, 6, 5, 5, 1, 1, 1, 1, 1, 1],
        [react("Tank Shock")],
        sides={"A": {"cp": 3}},
    ),
]


@pytest.mark.parametrize("moment", [*ROWS, *KEPT_BACK, *SAID])
def test_as_the_rulebook_has_it(moment: Moment) -> None:
    """Each row is what its clauses say of that moment."""
    judge(moment)


@pytest.mark.clause(EDITION, "LABEL-1")
def test_tv_29_a_stratagem_with_two_labels() -> None:
    """TV-29: the words under a Stratagem's title are all its labels: the detachment's and Wargear."""
    found = {rule.name: rule.labels for rule in registry.edition(EDITION).reactions}
    assert set(found["Stoke the Bellows"]) == {"Foundry Column", "Wargear"}
    assert found["Close the Ranks"] == ("Battle Tactic",)


@pytest.mark.clause(EDITION, "REROLL-1", "TREAT-1")
def test_no_die_is_thrown_three_times() -> None:
    """A Wound roll that Twin-linked has rolled again is final: a third die is never asked for."""
    found = shoot([squad("a1", "A", 1, gun("Twin-linked", "Re-roll Wounds(ones)")), squad("b1", "B", 5)], dice=[3, 1, 1])
    assert (found.dice_used, found.attack["wounds"]) == (3, 0)


@pytest.mark.clause(EDITION, "ABIL-7")
@pytest.mark.parametrize(
    ("host", "sentence"), [("a1", "of the other side"), ("b1", "cannot lead itself"), ("zz", "no unit 'zz'")]
)
def test_whom_nobody_can_lead(host: str, sentence: str) -> None:
    """A Leader of the enemy's unit, of itself or of nobody is no situation, and one sentence says so."""
    with pytest.raises(BadInput, match=sentence):
        shoot([squad("a1", "A", 1, gun()), squad("b1", "B", 1, leading=host), squad("b2", "B", 1)], dice=[1])
