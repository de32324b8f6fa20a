"""Dice that count as another value: their re-rolls come first, and none comes afterwards (TREAT-1, AB-R6, AB-R11)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.commentary.desk import Json, blade, gun, squad
from tests.commentary.referee import Moment, at, judge, part, react, says

SHOOT, FIGHT = part("shooting", "a1", "shoot"), part("fight", "a1", "fight")
STAY: Json = {"kind": "move", "value": "stay"}
RICH: Json = {"sides": {"A": {"cp": 3}, "B": {"cp": 0}}, "unanswered": "stop"}
POOR: Json = {"sides": {"A": {"cp": 0}, "B": {"cp": 0}}, "unanswered": "stop"}
TOKEN, ECHO, AGAIN = react("Afterimage b1"), react("Echo Strike a1.1"), react("Command Re-roll a1")


def shooting(*rules: str) -> list[Json]:
    """A shooter, and a target with an afterimage token."""
    target = squad("b1", "B", 1, at=[(20, 10)], rules=["Afterimage"])
    return [squad("a1", "A", 1, gun(*rules, S=1), at=[(10, 10)], M=6), target]


def duel(attacks: int = 1, rules: tuple[str, ...] = (), **more: Any) -> list[Json]:
    """A duellist beside somebody he cannot wound easily."""
    return [
        squad("a1", "A", 1, blade(*rules, A=attacks, S=1), at=[(10, 10)], M=6, rules=["Echo Strike"]),
        squad("b1", "B", 1, at=[(11.5, 10)], **more),
    ]


MISSED, HIT = {"attacks": [{"hits": 0}]}, {"attacks": [{"hits": 1}]}
ROWS = [
    says(
        "ones may be rolled again, but not a die that counts as a 1",
        "TREAT-1",
        shooting("Re-roll Hits(ones)"),
        SHOOT,
        MISSED,
        [4],
        [at("b1"), TOKEN],
        **POOR,
    ),
    says(
        "nor may a player roll it again for a CP",
        "TREAT-1 CSTR-1",
        shooting(),
        SHOOT,
        MISSED | {"cp": {"A": 3}},
        [4],
        [at("b1"), TOKEN],
        **RICH,
    ),
    says(
        "a Hit roll that counts as a 6 is not rolled again",
        "TREAT-1 CSTR-1",
        duel(),
        FIGHT,
        {"pending": {"kind": "react", "options": ["Command Re-roll a1", "pass"]}, "rolls": ["hit"], "verdict": "pending"},
        [1, 1],
        [STAY, ECHO],
        **RICH,
    ),
    says(
        "it may be rolled again before, and counts as a 6 if it fails again",
        "TREAT-1 REROLL-1",
        duel(),
        FIGHT,
        HIT | {"cp": {"A": 2}},
        [1, 1, 1],
        [STAY, AGAIN, ECHO],
        **RICH,
    ),
    says(
        "and if it hits then, nobody need make it a 6",
        "TREAT-1 REROLL-1",
        duel(),
        FIGHT,
        HIT | {"cp": {"A": 2}, "events": {"ability": 0}},
        [1, 5, 1],
        [STAY, AGAIN, react()],
        **RICH,
    ),
    says(
        "a Hit roll that hits may be treated as a 6 too, and is critical then",
        "TREAT-1 CRIT-1",
        duel(rules=("Lethal Hits",)),
        FIGHT,
        {"attacks": [{"hits": 1, "wounds": 1}], "rolls": ["hit"], "events": {"ability": 1}},
        [4],
        [STAY, ECHO],
        **POOR,
    ),
    says(
        "that is the player's to say: by default it is kept for a Hit roll that missed",
        "TREAT-1",
        duel(2, rules=("Lethal Hits",)),
        FIGHT,
        {"attacks": [{"hits": 2, "wounds": 1}], "events": {"ability": 1}},
        [4, 1, 2],
    ),
    says(
        "of a 6 nobody is asked whether it is one",
        "TREAT-1 JUST-3",
        duel(),
        FIGHT,
        HIT | {"events": {"ability": 0}},
        [6, 1],
        [STAY],
        **POOR,
    ),
]


@pytest.mark.parametrize("moment", ROWS)
def test_treated_dice(moment: Moment) -> None:
    """A die that was treated as another value stays what it is."""
    judge(moment)
