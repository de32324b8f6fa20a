"""Moments of targets and losses, of what is seen, and of those aboard; each decided from the contract's words."""

from __future__ import annotations

import pytest

from tests.commentary.corners import ask, box, leader, line, one
from tests.commentary.desk import blade, gun, squad
from tests.commentary.referee import FAR, HULL, Moment, at, judge, move, part, react, says, way

CHARGE = part("charge", "a1", "charge")
SHOOT = part("shooting", "a1", "shoot")

TARGETS = [
    *(
        says(
            f"with {cp} CP the owner of a unit in reach of Go to Ground is asked: {asked}",
            "JUST-3",
            [one("a1", 10, 10, gun()), one("b1", 20, 10, Sv=7)],
            SHOOT,
            {"verdict": verdict, "pending": asked},
            [1] if asked is None else (),
            [at("b1")],
            sides={"B": {"cp": cp}},
            unanswered="stop",
        )
        for cp, verdict, asked in ((0, "legal", None), (1, "pending", {"kind": "react", "who": "B"}))
    ),
    says(
        "a discount that is another unit's leaves the window silent",
        "JUST-3 CPCOST-2",
        [
            one("a1", 10, 10, gun()),
            one("b1", 20, 10, Sv=7),
            squad("b2", "B", 1, at=[(30, 30)]),
            leader("x", "B", "b2", 31.2, 30, rules=["Stratagem Discount 1"]),
        ],
        SHOOT,
        {"verdict": "legal", "pending": None},
        [1],
        [at("b1")],
        sides={"B": {"cp": 0}},
        unanswered="stop",
    ),
    says(
        "of a unit one model in sight is enough",
        "VIS-2 SHOOT-2",
        [one("a1", 5, 13, gun()), squad("b1", "B", 2, at=[(20, 13), (20, 18)])],
        SHOOT,
        {"needs": {"hit": [3]}},
        [1],
        table={"terrain": [box("r", "ruin", 10, 10, 16, 14, 6)]},
    ),
    *(
        says(
            f"an Aura of 6 inches from a unit whose nearest model is {gap} off: {dice}",
            "WITHIN-2 UNIT-8",
            [
                one("a1", 10, 10, gun()),
                squad("b1", "B", 2, at=[(20, 12 + gap), (20, 10)], keywords=["TIDE"]),
                one("b2", 20, 13 + 2 * gap, rules=["Aura 6 TIDE: Feel No Pain 6+"]),
            ],
            SHOOT,
            {"rolls": dice},
            [3, 4, 1][: len(dice)],
        )
        for gap, dice in ((6, ["hit", "wound", "feel no pain"]), (6.01, ["hit", "wound"]))
    ),
    says(
        "an attack at full strength has nothing of the weak, though they fall below half meanwhile",
        "TCOND-1 TCOND-2",
        [one("a1", 10, 10, gun(A=3)), squad("b1", "B", 2, at=line(2, 20), start_size=2)],
        SHOOT,
        {"left": {"b1": 0}},
        [3, 4, 3, 4],
    ),
    says(
        "Rapid Fire with a D3 rolls it once for the weapon",
        "WPN-2 DICE-5",
        [one("a1", 10, 10, gun("Rapid Fire D3", A=1)), one("b1", 20, 10, W=9)],
        SHOOT,
        {"attacks": [{"attacks": 3}]},
        [4, 1, 1, 1],
    ),
    says(
        "each bearer of such a weapon rolls its own",
        "WPN-2 DICE-5",
        [squad("a1", "A", 2, gun("Rapid Fire D3", A=1), at=line(2), M=6), one("b1", 20, 10, W=9)],
        SHOOT,
        {"attacks": [{"attacks": 5}]},
        [2, 1, 1, 4, 1, 1, 1],
    ),
    says(
        "beyond half range there is none",
        "WPN-2",
        [one("a1", 10, 10, gun("Rapid Fire D3", A=1)), one("b1", 23.01, 10, W=9)],
        SHOOT,
        {"attacks": [{"attacks": 1}]},
        [1],
    ),
    says(
        "an invulnerable save of 2+ fails on a natural 1, whatever is added",
        "ATK-6 ATK-7",
        [one("a1", 10, 10, gun(AP=-5)), one("b1", 20, 10, Inv=2, Sv=3)],
        SHOOT,
        {"wounds": {"b1": [1]}},
        [3, 4, 1],
    ),
    says(
        "an armour save in cover is better by one, an invulnerable one not",
        "TER-1 ATK-7",
        [one("a1", 10, 10, gun(AP=-1)), one("b1", 20, 10, Sv=4, rules=["Benefit of Cover"])],
        SHOOT,
        {"needs": {"save": [4]}, "wounds": {"b1": [0]}},
        [3, 4, 4],
    ),
    says(
        "Sv 3+ has no cover against AP 0",
        "TER-1",
        [one("a1", 10, 10, gun()), one("b1", 20, 10, Sv=3, rules=["Benefit of Cover"])],
        SHOOT,
        {"needs": {"save": [3]}},
        [3, 4, 3],
    ),
    says(
        "a weapon of random Damage rolls it for each wound that is not saved",
        "DICE-5 ATK-9",
        [one("a1", 10, 10, gun(A=2, D="D3+1")), one("b1", 20, 10, W=9, Sv=4)],
        SHOOT,
        {"wounds": {"b1": [3]}},
        [3, 4, 4, 3, 4, 3, 4],
    ),
    says(
        "Feel No Pain is rolled for each point, and no more once the model is gone",
        "FNP-2 ABIL-3",
        [one("a1", 10, 10, gun(D=4)), squad("b1", "B", 2, at=line(2, 20), W=2, FNP=5)],
        SHOOT,
        {"dead": ["b1.1"], "wounds": {"b1": [0]}},
        [3, 4, 1, 5, 1],
    ),
    says(
        "Damage taken is less by one, but never nothing",
        "MODCH-3 AGAINST-2",
        [one("a1", 10, 10, gun(A=2, D=1), gun(D=3, name="cannon")), one("b1", 20, 10, W=9, rules=["Damage Taken(-1)"])],
        SHOOT,
        {"wounds": {"b1": [4]}},
        [3, 4, 3, 4, 3, 4],
    ),
    says(
        "Damage changed to nothing hurts nobody",
        "MODCH-4",
        [one("a1", 10, 10, gun(D=3)), one("b1", 20, 10, rules=["Damage Taken(=0)"])],
        SHOOT,
        {"wounds": {"b1": [0]}},
        [3, 4],
    ),
    says(
        "what reduces Damage does so before a Critical Wound becomes mortal",
        "MODDW-1 WPN-15",
        [one("a1", 10, 10, gun("Devastating Wounds", D=3)), one("b1", 20, 10, W=9, rules=["Damage Taken(-1)"])],
        SHOOT,
        {"wounds": {"b1": [2]}},
        [3, 6],
    ),
    says(
        "Lethal Hits roll no wound and are no Critical Wound",
        "AUTO-3 WPN-7",
        [one("a1", 10, 10, gun("Lethal Hits", "Devastating Wounds", D=3)), one("b1", 20, 10, W=9, Sv=2)],
        SHOOT,
        {"rolls": ["hit", "save"], "wounds": {"b1": [0]}},
        [6, 2],
    ),
    says(
        "Hazardous is tested when all attacks are resolved, once for each such weapon",
        "WPN-14 RESOLVE-2",
        [squad("a1", "A", 2, gun("Hazardous"), at=line(2), M=6), one("b1", 20, 10, W=9)],
        SHOOT,
        {"rolls": ["hit", "hit", "hazardous", "hazardous"], "left": {"a1": 1}},
        [1, 1, 1, 2],
    ),
    says(
        "whose Hazardous weapon failed is a question of its own to the owner",
        "WPN-14",
        [squad("a1", "A", 2, gun("Hazardous"), at=line(2), M=6), one("b1", 20, 10, W=9)],
        SHOOT,
        {"verdict": "pending", "pending": {"kind": "allocate", "clause": "WPN-14", "who": "A", "options": ["a1.1", "a1.2"]}},
        [1, 1, 1, 2],
        [at("b1"), {"kind": "assign-weapons", "value": [["a1.1", 0], ["a1.2", 0]]}],
        unanswered="stop",
    ),
    says(
        "a unit of the same side is nobody's target",
        "SHOOT-2",
        [one("a1", 10, 10, gun()), one("a2", 15, 10), one("b1", 20, 10)],
        SHOOT,
        {"refused": "SHOOT-2"},
        (),
        [at("a2")],
    ),
    says(
        "who fell back does not shoot",
        "SHOOT-1 MOVE-7",
        [one("a1", 10, 10, gun("Assault"), marks=["fell-back"]), one("b1", 20, 10)],
        SHOOT,
        {"refused": "SHOOT-1"},
    ),
    says(
        "a Psychic Attack meets the Feel No Pain that is against it, another does not",
        "PSY-1 FNP-1",
        [
            one("a1", 10, 10, gun("Psychic"), gun(name="pistol")),
            one("b1", 20, 10, W=9, rules=["Feel No Pain 4+ against psychic"]),
        ],
        SHOOT,
        {"wounds": {"b1": [1]}},
        [3, 4, 4, 3, 4],
    ),
]

TALL = [{"height": 1.5}]
BARRIER = box("d", "barricade", 11, 9, 11.5, 17, 1, solid=True)
RUIN = box("r", "ruin", 10, 10, 16, 16, 6)
WOOD = box("w", "woods", 10, 10, 16, 16, 5)


SIGHT = [
    *(
        says(
            f"{what}: {seen}",
            clauses,
            [
                squad("a1", "A", 1, at=[eye], own=[{"base": {"circle": 1.26}, "height": 1.5}], keywords=words),
                squad("b1", "B", 1, at=[goal], own=[{"base": {"circle": 1.26}, "height": 1.5}]),
            ],
            None,
            {"asks": [seen]},
            table={"terrain": [piece]},
            **ask({"visible": ["a1.1", "b1.1"]}),
        )
        for what, clauses, eye, goal, words, piece, seen in (
            ("partly within a ruin and looking across it", "RUIN-3", (10, 13), (20, 13), ["INFANTRY"], RUIN, "none"),
            ("wholly within and looking out", "RUIN-3", (12, 12), (5, 5), ["INFANTRY"], RUIN, "fully"),
            ("both partly within, on two sides", "RUIN-4", (10, 13), (16, 13), ["INFANTRY"], RUIN, "fully"),
            ("along the wall outside", "RUIN-1", (5, 9.3), (20, 9.3), ["INFANTRY"], RUIN, "fully"),
            ("behind a corner a half is seen", "RUIN-1", (5, 10), (20, 10), ["INFANTRY"], RUIN, "visible"),
            ("TOWERING over a ruin", "RUIN-5", (5, 13), (20, 13), ["MONSTER", "TOWERING"], RUIN, "fully"),
            ("AIRCRAFT over a ruin", "RUIN-5", (5, 13), (20, 13), ["VEHICLE", "AIRCRAFT"], RUIN, "fully"),
            ("through woods", "TER-7", (5, 13), (20, 13), ["INFANTRY"], WOOD, "visible"),
            ("into woods", "TER-7", (5, 13), (13, 13), ["INFANTRY"], WOOD, "visible"),
            ("out of woods", "TER-7", (13, 13), (20, 13), ["INFANTRY"], WOOD, "fully"),
            ("TOWERING through woods", "TER-7", (5, 13), (20, 13), ["MONSTER", "TOWERING"], WOOD, "fully"),
            ("partly in woods, across them", "TER-7", (10, 13), (20, 13), ["INFANTRY"], WOOD, "visible"),
        )
    ),
    *(
        says(
            f"cover {where}: {covered}",
            clauses,
            [one("a1", 5, 13, gun(AP=-1), own=TALL), one("b1", x, y, W=9, Sv=5, keywords=words, own=TALL)],
            SHOOT,
            {"needs": {"save": [5 if covered else 6]}},
            [3, 4, 1],
            table={"terrain": [piece]},
        )
        for where, clauses, x, y, words, piece, covered in (
            ("wholly within a ruin", "TER-9", 13, 13, ["INFANTRY"], RUIN, True),
            ("partly within a ruin and fully seen", "TER-9", 10, 13, ["INFANTRY"], RUIN, False),
            ("beyond woods", "TER-7 TER-2", 20, 13, ["INFANTRY"], WOOD, True),
            ("of a VEHICLE beyond woods", "TER-7 TER-2", 20, 13, ["VEHICLE"], WOOD, True),
            ("of BEASTS in a crater", "TER-3", 13, 13, ["BEASTS"], box("c", "crater", 10, 10, 16, 16, 0), False),
            ("of INFANTRY partly on a crater", "TER-3", 16, 13, ["INFANTRY"], box("c", "crater", 10, 10, 16, 16, 0), False),
            ("behind a barricade", "TER-4", 13, 13, ["INFANTRY"], BARRIER, True),
            ("of a MONSTER behind a barricade", "TER-4", 13, 13, ["MONSTER"], BARRIER, False),
            ("too far behind a barricade", "TER-4", 15, 13, ["INFANTRY"], BARRIER, False),
            ("behind debris", "TER-5", 18, 13, ["INFANTRY"], box("d", "debris", 11, 12.8, 12, 17, 3, solid=True), True),
        )
    ),
    says(
        "one attacker that sees less gives cover against all",
        "TER-2",
        [
            squad("a1", "A", 2, gun(AP=-1), at=[(5, 8), (5, 9.5)], M=6),
            one("b1", 20, 9, W=9, Sv=5),
        ],
        SHOOT,
        {"needs": {"save": [5, 5]}},
        [3, 4, 1, 3, 4, 1],
        table={"terrain": [box("d", "debris", 10, 9, 11, 14, 3, solid=True)]},
    ),
]

DECK = {"keywords": ["VEHICLE", "TRANSPORT"], "rules": ["Carries 12 INFANTRY", "Firing Deck 1"]}
WRECK = gun("Torrent", S=20, AP=-6, D=20)
RING = [(20 + 2.1 * x, 20 + 2.1 * y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]

CARRIED = [
    says(
        "a Heavy weapon on the deck of a TRANSPORT that moved gains nothing",
        "ABIL-5 WPN-13",
        [
            squad("a1", "A", 1, at=[(20, 20)], M=12, marks=["moved"], **DECK),
            squad("a2", "A", 1, gun("Heavy"), M=6, where="a1"),
            one("b1", 30, 20, W=9),
        ],
        SHOOT,
        {"needs": {"hit": [3]}},
        [1],
    ),
    says(
        "of one that stood still it does",
        "ABIL-5 WPN-13",
        [
            squad("a1", "A", 1, at=[(20, 20)], M=12, marks=["stationary"], **DECK),
            squad("a2", "A", 1, gun("Heavy"), M=6, where="a1"),
            one("b1", 30, 20, W=9),
        ],
        SHOOT,
        {"needs": {"hit": [2]}},
        [1],
    ),
    says(
        "the wreck of a TRANSPORT hurts others before its passengers get out, and not them",
        "TRANS-10 ABIL-1",
        [
            squad("b1", "B", 1, WRECK, at=[(28, 20)], W=3),
            squad("a1", "A", 1, at=[(20, 20)], M=12, W=2, keywords=["VEHICLE", "TRANSPORT"], rules=["Deadly Demise 1"]),
            squad("a2", "A", 2, M=6, where="a1"),
            one("a3", 20, 24),
            FAR,
        ],
        part("shooting", "b1", "shoot"),
        {"left": {"a2": 2}, "wounds": {"a3": [1], "b1": [0]}, "marked": {"a2": ["battle-shocked"]}},
        [2, 6, 2, 2],
        active="B",
    ),
    says(
        "where there is no room within 3 inches they get out within 6 and roll worse",
        "TRANS-9",
        [
            squad("b1", "B", 1, gun("Torrent", "Indirect Fire", range=48, S=20, AP=-6, D=20), at=[(50, 20)]),
            squad("a1", "A", 1, at=[(20, 20)], M=12, W=2, keywords=["VEHICLE", "TRANSPORT"]),
            squad("a2", "A", 2, M=6, where="a1"),
            squad("b2", "B", 8, at=RING, own=[{"base": {"circle": 2.0}} for _ in RING]),
        ],
        part("shooting", "b1", "shoot"),
        {"left": {"a2": 1}},
        [2, 3, 4],
        active="B",
    ),
    says(
        "who got out of one that stood still may charge",
        "TRANS-5 CHG-1",
        [squad("a1", "A", 1, blade(), at=[(22, 20)], M=6, marks=["disembarked"]), one("b1", 29, 20)],
        CHARGE,
        {"marked": {"a1": ["charged"]}},
        [6, 6],
    ),
    says(
        "a unit embarks after its move and is gone from the table",
        "TRANS-3 EMB-1",
        [squad("a1", "A", 1, at=[(20, 20)], M=12, **HULL), squad("a2", "A", 1, at=[(28, 20)], M=6), FAR],
        move("normal", "a2"),
        {"where": {"a2": "a1"}},
        (),
        [way(a2_1=(24, 20)), {"kind": "choose-option", "value": "a1"}],
    ),
    says(
        "who embarked does not get out in the same phase",
        "TRANS-3 TRANS-4",
        [squad("a1", "A", 1, at=[(20, 20)], M=12, **HULL), squad("a2", "A", 1, M=6, where="a1", marks=["boarded"]), FAR],
        move("disembark", "a2"),
        {"refused": "TRANS-4"},
    ),
    says(
        "who embarks is known to have done so in this phase",
        "TRANS-3",
        [squad("a1", "A", 1, at=[(20, 20)], M=12, **HULL), squad("a2", "A", 1, at=[(23, 20)], M=6), FAR],
        move("embark", "a2"),
        {"where": {"a2": "a1"}, "marked": {"a2": ["boarded"]}},
    ),
    says(
        "Side Doors lets who got out of a moving TRANSPORT charge",
        "TRANS-6",
        [
            squad("a1", "A", 1, at=[(20, 20)], M=12, marks=["moved"], keywords=["VEHICLE", "TRANSPORT"]),
            squad("a2", "A", 1, M=6, where="a1", keywords=["INFANTRY", "MANDATE", "detachment:foundry-column"]),
            FAR,
        ],
        move("disembark", "a2"),
        {"marked": {"a2": ["moved"]}, "unmarked": {"a2": ["no-charge"]}, "cp": {"A": 0}},
        (),
        [react("Side Doors a2")],
        sides={"A": {"cp": 1}},
    ),
    says(
        "not if one model is further than 3 inches",
        "TRANS-3",
        [squad("a1", "A", 1, at=[(20, 20)], M=12, **HULL), squad("a2", "A", 2, at=[(23, 20), (24.5, 20)], M=6), FAR],
        move("embark", "a2"),
        {"refused": "TRANS-3"},
    ),
    says(
        "nobody targets who is aboard with a Stratagem",
        "EMB-2",
        [
            squad("a1", "A", 1, at=[(20, 20)], M=12, **HULL),
            squad("a2", "A", 5, gun(), M=6, where="a1", keywords=["INFANTRY", "GRENADES"]),
            one("b1", 26, 20, W=9),
        ],
        {"phase": "shooting"},
        {"refused": "CSTR-6"},
        [4, 4, 4, 4, 4, 4],
        [react("Grenade a2 b1")],
        sides={"A": {"cp": 1}},
    ),
]


@pytest.mark.parametrize("moment", [*TARGETS, *SIGHT, *CARRIED])
def test_as_the_rulebook_has_it(moment: Moment) -> None:
    """Each row is what its clauses say of that moment."""
    judge(moment)
