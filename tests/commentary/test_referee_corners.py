"""Moments at the corners of the rules: Leaders, losses, ruins, values and timings, each decided from the contract's words."""

from __future__ import annotations

from typing import Any

import pytest

from tests.commentary.desk import Json, blade, gun, squad
from tests.commentary.referee import FAR, HULL, SIDES, Moment, at, judge, move, part, place, react, says, way

CHARGE = part("charge", "a1", "charge")
FIGHT = part("fight", "a1", "fight")
SHOOT = part("shooting", "a1", "shoot")
COMMAND = {"phase": "command"}
STAY = {"kind": "move", "value": "stay"}
PLANE = ["VEHICLE", "FLY", "AIRCRAFT"]


def line(n: int, x: float = 10, y: float = 10, apart: float = 1.5) -> list[tuple[float, float]]:
    """Places in a row along y."""
    return [(x, y + apart * k) for k in range(n)]


def one(id: str, x: float, y: float = 10, *weapons: Json, **more: Any) -> Json:
    """A unit of one model, of the side its name begins with."""
    return squad(id, id[0].upper(), 1, *weapons, at=[(x, y)], **{"M": 6, "W": 3, **more})


def leader(id: str, side: str, of: str, x: float, y: float, *weapons: Json, **more: Any) -> Json:
    """A Leader of a unit."""
    words = {"keywords": ["INFANTRY", "CHARACTER"], "M": 6, "W": 4, **more}
    return squad(id, side, 1, *weapons, at=[(x, y)], leading=of, **words)


def led(n: int, **more: Any) -> list[Json]:
    """So many of five Bodyguards of A, with two Leaders."""
    guard = squad("a1", "A", n, at=line(n), start_size=5, M=6, **{"Ld": 8, **more})
    return [guard, leader("x", "A", "a1", 8.8, 10, Ld=7), leader("y", "A", "a1", 8.8, 11.2, Ld=6)]


def ask(*questions: Json) -> Json:
    """Questions about a moment in which nothing is done."""
    return {"ask": list(questions)}


def box(id: str, kind: str, x0: float, y0: float, x1: float, y1: float, height: float, **more: Any) -> Json:
    """A rectangular piece of terrain."""
    return {"id": id, "types": [kind], "polygon": [[x0, y0], [x1, y0], [x1, y1], [x0, y1]], "height": height, **more}


LEADERS = [
    says(
        "seven at the start and three left are below half: they test on the best Leadership among them",
        "UNIT-6 ULD-1 BSHOCK-1",
        [*led(1), FAR],
        COMMAND,
        {"unmarked": {"a1": ["battle-shocked"]}, "rolls": ["battle-shock"]},
        [3, 3],
    ),
    says("four left of seven are not", "UNIT-6 UNIT-5", [*led(2), FAR], COMMAND, {"rolls": []}),
    says(
        "a rule while leading serves the Leader too",
        "LEAD-1 LEAD-2",
        [
            squad("a1", "A", 2, at=line(2), OC=2, M=6),
            leader("x", "A", "a1", 10, 8.5, OC=1, rules=["While Leading: Control(+1)"]),
            FAR,
        ],
        None,
        {"asks": [3, 2]},
        **ask({"value": ["a1.1", "OC"]}, {"value": ["x.1", "OC"]}),
    ),
    says(
        "alone it leads nobody",
        "LEAD-1",
        [squad("x", "A", 1, at=[(10, 10)], OC=1, keywords=["CHARACTER"], rules=["While Leading: Control(+1)"]), FAR],
        None,
        {"asks": [1]},
        **ask({"value": ["x.1", "OC"]}),
    ),
    says(
        "of two Leaders both rules hold",
        "LEAD-3 ATTACH-1",
        [
            squad("a1", "A", 2, at=line(2), OC=2, M=6),
            leader("x", "A", "a1", 10, 8.5, OC=1, rules=["While Leading: Control(+1)"]),
            leader("y", "A", "a1", 8.8, 8.5, OC=1, rules=["While Leading: Move(+2)"]),
            FAR,
        ],
        None,
        {"asks": [3, 8]},
        **ask({"value": ["a1.1", "OC"]}, {"value": ["a1.1", "M"]}),
    ),
    says(
        "a Leader without Stealth takes it from the unit",
        "ABIL-10",
        [one("a1", 10, 10, gun()), squad("b1", "B", 2, at=line(2, 20), rules=["Stealth"]), leader("x", "B", "b1", 20, 8.8)],
        SHOOT,
        {"needs": {"hit": [3]}},
        [1],
    ),
    says(
        "a wounded Leader is not allocated to while a Bodyguard lives",
        "ATK-5",
        [one("a1", 10, 10, gun()), squad("b1", "B", 2, at=line(2, 20)), leader("x", "B", "b1", 20, 8.8, wounds=[3])],
        SHOOT,
        {"dead": ["b1.1"]},
        [3, 4],
    ),
    says(
        "mortal wounds take the Bodyguard first and then the Leader",
        "MW-2 MW-3 ATK-5",
        [
            one("a1", 10, 10, gun("Devastating Wounds", D=4)),
            squad("b1", "B", 2, at=line(2, 20)),
            leader("x", "B", "b1", 20, 8.8, W=3),
        ],
        SHOOT,
        {"dead": ["b1.1", "b1.2"], "wounds": {"x": [2]}},
        [3, 6],
    ),
    says(
        "keywords of the Leader are the unit's: Anti finds them in a Bodyguard",
        "KEYW-3 WPN-18",
        [
            one("a1", 10, 10, gun("Anti-PSYKER 4+", S=1)),
            squad("b1", "B", 2, at=line(2, 20), T=8, Sv=7),
            leader("x", "B", "b1", 20, 8.8, keywords=["CHARACTER", "PSYKER"]),
        ],
        SHOOT,
        {"dead": ["b1.1"]},
        [3, 4],
    ),
    says(
        "the Toughness of the Bodyguard stands when it is gone on the way",
        "UT-3",
        [
            one("a1", 10, 10, gun(A=2, S=4)),
            squad("b1", "B", 1, at=[(20, 10)], T=4),
            leader("x", "B", "b1", 20, 8.8, T=8),
        ],
        SHOOT,
        {"needs": {"wound": [4, 4]}, "wounds": {"x": [1]}},
        [3, 4, 3, 4],
    ),
]

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

SPOT = [{"id": "o1", "at": [20, 20]}]


def control(*units: Json, holder: str | None, a: int, b: int, sentence: str, clauses: str) -> Any:
    """Who holds a marker at (20, 20)."""
    answer = {"holder": holder, "levels": {"A": a, "B": b}}
    return says(sentence, clauses, list(units), None, {"asks": [answer]}, objectives=SPOT, **ask({"control": "o1"}))


VALUES = [
    control(
        one("a1", 18, 20, OC=2),
        one("b1", 22, 20, OC=2),
        holder=None,
        a=2,
        b=2,
        sentence="equal levels are contested",
        clauses="OC-4",
    ),
    control(
        one("a1", 18, 20, OC=2, marks=["battle-shocked"]),
        one("b1", 22, 20, OC=1),
        holder="B",
        a=0,
        b=1,
        sentence="who is shaken counts nothing",
        clauses="CMD-5 OC-1",
    ),
    control(
        one("a1", 20, 24.287, OC=2),
        FAR,
        holder="A",
        a=2,
        b=0,
        sentence="3 inches from the rim of a marker of 40 mm",
        clauses="OC-2 OBJ-1",
    ),
    control(
        one("a1", 20, 24.3, OC=2),
        FAR,
        holder=None,
        a=0,
        b=0,
        sentence="a little further is too far",
        clauses="OC-2 OBJ-1",
    ),
    *(
        says(
            f"{stat} {printed} with {', '.join(rules)} is {value}",
            clauses,
            [squad("a1", "A", 1, at=[(10, 10)], rules=list(rules), **{stat: printed}), FAR],
            None,
            {"asks": [value]},
            **ask({"value": ["a1.1", stat]}),
        )
        for stat, printed, rules, value, clauses in (
            ("M", 7, ("Move(/2)",), 4, "MOD-4"),
            ("M", 7, ("Move(/2)", "Move(x2)", "Move(+1)"), 8, "MOD-3"),
            ("M", 5, ("Move(/2)", "Move(-1)"), 2, "MOD-3 MOD-4"),
            ("M", 5, ("Move(=8)", "Move(+1)"), 9, "MOD-2"),
            ("OC", 1, ("Control(-2)",), 0, "MODCH-6"),
            ("OC", 3, ("Control(x2)", "Control(-1)", "Control(+2)"), 7, "MOD-3"),
            ("Ld", 7, ("Leadership(-3)",), 8, "MODCH-5"),
            ("Ld", 4, ("Leadership(-1)",), 5, "MODCH-10"),
            ("Ld", 4, ("Leadership(+1)",), 4, "MODCH-10"),
            ("Sv", 6, ("Save(-2)",), 8, "MODIMP-2"),
            ("T", 4, ("Toughness(+1)", "Toughness(x2)"), 9, "MOD-3"),
            ("T", 2, ("Toughness(-5)",), 1, "MODCH-3"),
            ("M", "-", ("Move(+2)",), "-", "MODCH-8"),
        )
    ),
    *(
        says(
            f"{sentence}: {need}",
            clauses,
            [one("a1", 10, 10, gun(*own, skill=4), rules=list(rules)), one("b1", 20, 10, W=9, rules=list(theirs))],
            SHOOT,
            {"needs": {"hit": [need]}},
            [1],
        )
        for sentence, clauses, own, rules, theirs, need in (
            ("BS improved and Stealth", "MODCH-2 ABIL-10", (), ("BS(+1)",), ("Stealth",), 4),
            ("three minuses are one", "MODROLL-4", (), ("To Hit(-1)", "To Hit(-1)"), ("Stealth",), 5),
            ("first the sum, then the limit", "MODROLL-4", (), ("To Hit(+1)", "To Hit(-1)", "To Hit(-1)"), ("Stealth",), 5),
            ("all harm ignored", "IGN-1 IGN-2", (), ("Ignore Modifiers(hit)", "To Hit(+1)"), ("Stealth",), 3),
            ("BS never becomes 1+", "MODIMP-1", (), ("BS(+3)",), (), 2),
        )
    ),
]


@pytest.mark.parametrize("moment", [*LEADERS, *TARGETS, *SIGHT, *CARRIED, *MOVES, *MELEES, *VALUES])
def test_as_the_rulebook_has_it(moment: Moment) -> None:
    """Each row is what its clauses say of that moment."""
    judge(moment)
