"""Damage rolls that may be rolled again (STR-M5), and one value changed by several units (AB-M6)."""

from __future__ import annotations

import json

import pytest

from rolloff.situations.adjudicate import adjudicate
from tests.commentary.desk import EDITION, Json, gun, shoot, squad
from tests.commentary.referee import at, react
from tests.commentary.test_phases import rule

LANCE = gun("Re-roll Damage(low)", D="D6", AP=-9, S=9, skill=2)
STOP = {"unanswered": "stop"}


def again(yes: bool) -> Json:
    """The answer to whether the Damage roll is rolled again."""
    return {"kind": "yes-no", "value": yes}


@pytest.mark.clause("commentary-10", "REROLL-1", "DMGROLL-1")
@pytest.mark.parametrize(
    ("left", "dice", "answers", "default", "lost"),
    [
        (3, [3], [], False, 3),
        (3, [3, 1], [again(True)], False, 1),
        (9, [3, 6], [], True, 6),
        (9, [3], [again(False)], True, 3),
        (9, [5], [], False, 5),
    ],
)
def test_the_roller_decides(left: int, dice: list[int], answers: list[Json], default: bool, lost: int) -> None:
    """Whoever rolls is asked what is below the best; by default a roll that does enough, or more than most, is kept."""
    units = [squad("a1", "A", 1, LANCE), squad("b1", "B", 1, W=9, wounds=[9 - left])]
    pending = shoot(units, [2, 2, *dice[:1]], **STOP).pending
    assert pending is not None
    assert (pending["point"], pending["default"], pending["facts"]["offer"]) == ("DP-29", default, f"damage {dice[0]}")
    assert shoot(units, [2, 2, *dice], answers=answers).attack["damage"] == lost


@pytest.mark.clause("commentary-10", "DMGROLL-1", "FNP-1")
def test_enough_is_less_sure_against_feel_no_pain() -> None:
    """Against one wound left a Damage of 2 is kept; who ignores wounds on 2+ makes it worth another roll."""
    for pain, default in ((None, False), (2, True)):
        target = squad("b1", "B", 1, W=1, **({} if pain is None else {"FNP": pain}))
        pending = shoot([squad("a1", "A", 1, LANCE), target], [2, 2, 2], **STOP).pending
        assert pending is not None and pending["default"] is default


@pytest.mark.clause("commentary-10", "MOD-1")
def test_two_mortars_slow_a_unit_twice() -> None:
    """The second Mortar that hits a unit slows it by another 2 inches; both ends at the same time."""
    slows = {"rules": ["Slows 2"], "M": 6}
    guns = [squad(name, "A", 1, gun("Torrent", S=4), at=[(10, y)], **slows) for name, y in (("a1", 10), ("a2", 14))]
    units = [*guns, squad("b1", "B", 1, at=[(20, 10)], M=10, W=3, marks=[{"grant:Move(-2)": "other-turn"}])]
    found = rule(units, {"phase": "shooting", "unit": "a2"}, [1], answers=[at("b1"), react("Slows a2 b1")])
    marks = found.unit("b1")["marks"]
    assert [mark for mark in marks if "Move" in str(mark)] == [
        {"grant:Move(-2)": "other-turn"},
        {"grant:Move(-2) #2": "other-turn"},
    ]
    units[2]["marks"] = marks
    case = {"edition": EDITION, "units": units, "ask": [{"value": ["b1.1", "M"]}]}
    assert adjudicate(json.dumps(case).encode())["answers"][0]["value"]["value"] == 6
