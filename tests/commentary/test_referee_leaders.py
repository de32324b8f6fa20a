"""Moments of Leaders and their units, of levels of control and other values; each decided from the contract's words."""

from __future__ import annotations

from typing import Any

import pytest

from tests.commentary.corners import ask, leader, led, line, one
from tests.commentary.desk import Json, gun, squad
from tests.commentary.referee import FAR, Moment, judge, part, says

SHOOT = part("shooting", "a1", "shoot")
COMMAND = {"phase": "command"}

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


@pytest.mark.parametrize("moment", [*LEADERS, *VALUES])
def test_as_the_rulebook_has_it(moment: Moment) -> None:
    """Each row is what its clauses say of that moment."""
    judge(moment)
