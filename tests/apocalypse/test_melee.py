"""Melees of Apocalypse 3.3: side after side, who won, and what became of the loser."""

from __future__ import annotations

from typing import Any

import pytest

from rolloff.odds import odds_of
from rolloff.odds import unit as plain
from rolloff.oracle.roller import Roller
from rolloff.rules.attack import FightResult
from tests.odds.scenes import exchanged, joint_of, scene
from tests.onepage.desk import Json

EDITION = "apocalypse-3.3"
clause = pytest.mark.clause
AXE = "Axe (A1)"


def fought(ours: Json, theirs: Json, dice: list[int], **form: Any) -> FightResult:
    """A melee with these dice, every one of them rolled."""
    case = scene(ours, theirs, {"kind": "melee", **form}, edition=EDITION, exchange=True)
    left = list(dice)
    exchange, first = case.strikes_back()
    step = exchange(case.game, case.state, case.forms[first:], case.policies)
    clash = step(Roller(lambda n, label, sides=6: [left.pop(0) for _ in range(n)]))
    assert not left
    return clash


@clause(EDITION, "MELEE-18", "MELEE-14", "MELEE-20", "MELEE-23")
def test_the_fallen_do_not_strike_back() -> None:
    """The assaulter kills one of two; the one left strikes back."""
    assert fought(plain(1, weapons=[AXE]), plain(2, weapons=[AXE]), [4, 3, 4, 3]) == FightResult(1, 1, 0, "none", "none")
    assert fought(plain(1, weapons=[AXE]), plain(1, weapons=[AXE]), [4, 3]) == FightResult(1, 0, 1, "none", "none")


@clause(EDITION, "MELEE-21")
def test_tv_r36_equal_wounds_are_a_tie() -> None:
    """Nobody tests after a tie."""
    assert fought(plain(1, weapons=[AXE]), plain(1, weapons=[AXE]), [1, 1]) == FightResult(0, 0, 0, "none", "none")


@clause(EDITION, "MORALE-10", "MORALE-9", "MELEE-20")
@pytest.mark.parametrize(("left", "word"), [(6, "pinned"), (5, "routed")])
def test_tv_r34_half_or_less_routs(left: int, word: str) -> None:
    """A unit of ten that lost one more and failed is Pinned with six left, and routs with five."""
    theirs = plain(left + 1, quality=6, weapons=[AXE], start_size=10)
    assert fought(plain(1, quality=2, weapons=[AXE]), theirs, [2, 1, *[1] * left, 5]).theirs == word


@clause(EDITION, "MORALE-10", "MORALE-4")
def test_a_giant_at_half_of_its_wounds_routs() -> None:
    """A lone model counts wounds: with two of four left it routs."""
    giant = plain(1, rules=["Tough(4)"], wounds=1, weapons=[AXE])
    assert fought(plain(1, quality=2, weapons=[AXE]), giant, [2, 1, 1, 3]).theirs == "routed"


@clause(EDITION, "RULE-FEAR-1", "RULE-FEAR-2", "MELEE-8", "PIN-2", "RULE-UNWIELDY-1")
@pytest.mark.parametrize(("rules", "marks", "die"), [(["Fear"], [], [3]), ([], ["pinned"], [])])
def test_fear_and_being_pinned_make_unwieldy(rules: list[str], marks: list[str], die: list[int]) -> None:
    """Who failed its test of fear, or is Pinned, rolls its hits again."""
    ours = plain(1, weapons=[AXE], marks=marks)
    assert fought(ours, plain(1, rules=rules, weapons=[AXE]), [*die, 4, 1, 1]).kills == 0


@clause(EDITION, "MELEE-18", "MELEE-20")
@pytest.mark.parametrize(
    "theirs", [plain(2, weapons=[AXE]), plain(1, rules=["Fear"], weapons=[AXE]), plain(1, rules=["Tough(2)"], type="vehicle")]
)
def test_the_odds_of_a_melee_are_those_of_its_dice(theirs: Json) -> None:
    """Strikes, strikes back, result and morale: the joint law is that of every fall of the dice."""
    case = scene(plain(1, weapons=[AXE]), theirs, {"kind": "melee"}, edition=EDITION, exchange=True)
    found = odds_of(case, exact=True).exchange
    law = exchanged(case)
    assert found is not None
    assert found.joint == joint_of(law)
    assert found.rout_b == sum(chance for clash, chance in law.items() if clash.theirs == "routed")
