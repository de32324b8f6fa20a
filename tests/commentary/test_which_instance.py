"""Several instances of one ability with a number, several Feel No Pain, modifiers that may be ignored: their owner chooses."""

from __future__ import annotations

from typing import Any

import pytest

from tests.commentary.desk import Json, gun, shoot, squad

STOP = {"unanswered": "stop"}


def option(value: str) -> Json:
    """One of several options."""
    return {"kind": "choose-option", "value": value}


def asked(units: list[Json], dice: list[int], **more: Any) -> tuple[str, str, list[str], str]:
    """Who is asked at the first open request, at which point, with which options and default."""
    pending = shoot(units, dice, **STOP, **more).pending
    assert pending is not None
    return pending["who"], pending["point"], pending["options"], pending["default"]


# -- Feel No Pain (DP-35) --------------------------------------------------------------------------


def hardy(*rules: str, attacks: int = 1, **more: Any) -> list[Json]:
    """Somebody who is hit and wounded for certain, and ignores wounds by more than one rule."""
    return [squad("a1", "A", 1, gun("Torrent", S=9, A=attacks)), squad("b1", "B", 1, W=9, rules=list(rules), **more)]


@pytest.mark.clause("commentary-10", "ABIL-3", "DUP-2")
@pytest.mark.parametrize(("answers", "die", "lost"), [([], 5, 0), ([option("5+")], 5, 0), ([option("6+")], 5, 1)])
def test_the_owner_says_which_feel_no_pain_is_used(answers: list[Json], die: int, lost: int) -> None:
    """Of 5+ and 6+ the better is used unless the owner says otherwise, and one die is rolled."""
    units = hardy("Feel No Pain 6+", "Feel No Pain 5+")
    assert asked(units, [6]) == ("B", "DP-35", ["5+", "6+"], "5+")
    assert shoot(units, [6, die], answers=answers).attack["damage"] == lost


@pytest.mark.clause("commentary-10", "ABIL-3", "DUP-2")
def test_it_is_asked_once_for_an_attack_and_only_where_it_differs() -> None:
    """The answer stands for all wounds of an attack on a unit; instances alike, or one that works, are no question."""
    twice = hardy("Feel No Pain 6+", attacks=2, FNP=5)
    assert shoot(twice, [6, 5, 6, 5], answers=[option("6+")]).attack["damage"] == 2
    for rules in (("Feel No Pain 5+", "Feel No Pain 5+"), ("Feel No Pain 5+", "Feel No Pain 4+ psychic")):
        found = shoot(hardy(*rules), [6, 4], **STOP)
        assert found.pending is None and found.attack["damage"] == 1


@pytest.mark.clause("commentary-10", "ABIL-3")
def test_a_wound_that_is_saved_asks_for_nothing() -> None:
    """It is asked when a wound is about to be lost: after the save."""
    units = hardy("Feel No Pain 6+", "Feel No Pain 5+", Sv=4)
    assert shoot(units, [6, 4], **STOP).pending is None
    assert asked(units, [6, 3])[1] == "DP-35"
