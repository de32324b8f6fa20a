"""CSTR-1: Command Re-roll is for any roll of the kinds it lists, successes too, but nobody is asked about those as a rule."""

from __future__ import annotations

import pytest

from rolloff.errors import DiceError
from tests.commentary.desk import Json, Ruling, gun, squad
from tests.commentary.referee import at, react
from tests.commentary.test_phases import rule

SHOOT = {"phase": "shooting", "unit": "a1", "action": "shoot"}
AGAIN = react("Command Re-roll a1")


def shot(*rules: str, dice: list[int], answers: list[Json], b: int = 0, Sv: int = 7, **more: object) -> Ruling:
    """One shot of a player who has a Command point, at somebody with a point or without."""
    units = [squad("a1", "A", 1, gun(*rules), at=[(10, 10)], M=6), squad("b1", "B", 1, at=[(20, 10)], W=9, M=6, Sv=Sv)]
    return rule(units, SHOOT, dice, answers=[at("b1"), *answers], sides={"A": {"cp": 1}, "B": {"cp": b}}, **more)


@pytest.mark.clause("commentary-10", "CSTR-1", "REROLL-1")
@pytest.mark.parametrize("unanswered", ["default", "stop"])
def test_a_success_may_be_rolled_again(unanswered: str) -> None:
    """A Hit roll of 4 is rolled again for a Critical Hit; whoever wants that says so, and pays."""
    found = shot("Sustained Hits 1", dice=[4, 6, 3, 3], answers=[AGAIN], unanswered=unanswered)
    assert found.refusal is None and found.pending is None
    assert found.attack["hits"] == 2 and found.json["rolls"][0]["rerolls"] == [[0, 6]]
    assert found.json["after"]["sides"]["A"]["cp"] == 0 and not found.json["after"]["switches"]


@pytest.mark.clause("commentary-10", "CSTR-1")
def test_so_may_a_save_that_was_made() -> None:
    """The owner of a model may have it fail its save after all."""
    found = shot(dice=[6, 6, 5, 1], answers=[react("Command Re-roll b1")], b=1, Sv=4)
    assert found.refusal is None and found.attack["damage"] == 1


@pytest.mark.clause("commentary-10", "CSTR-1")
def test_a_failure_is_what_it_is_used_on_first() -> None:
    """Where a failure follows a success, the answer is for the failure."""
    found = shot(dice=[4, 3, 4], answers=[AGAIN])
    assert found.refusal is None and [roll["rerolls"] for roll in found.json["rolls"]] == [[], [[0, 4]]]


@pytest.mark.clause("commentary-10", "CSTR-1", "JUST-3")
def test_nobody_is_asked_about_successes_unless_he_likes() -> None:
    """By default a roll that succeeded is no moment for anybody; with the switch it is."""
    assert shot(dice=[4, 4], answers=[], unanswered="stop").pending is None
    found = shot(dice=[4], answers=[], unanswered="stop", switches={"reroll_successes": True})
    assert found.pending is not None and found.pending["options"] == ["Command Re-roll a1", "pass"]
    passed = shot(dice=[4, 4, 6], answers=[react(), AGAIN], switches={"reroll_successes": True})
    assert passed.refusal is None and [roll["rerolls"] for roll in passed.json["rolls"]] == [[], [[0, 6]]]


@pytest.mark.clause("commentary-10", "CSTR-1", "REROLL-1", "CSTR-13")
def test_what_cannot_be_rolled_again_is_refused_as_before() -> None:
    """No die is rolled again twice, nor without a point; and dice that are missing then are said to be."""
    twice = shot("Re-roll Hits(ones)", dice=[1, 4, 4], answers=[{"kind": "yes-no", "value": True}, AGAIN, AGAIN])
    assert twice.refusal is not None and twice.refusal["clause"] == "CSTR-1"
    poor = shot(dice=[4, 4], answers=[react("Command Re-roll b1")], Sv=7)
    assert poor.refusal is not None and poor.refusal["clause"] == "CSTR-1"
    with pytest.raises(DiceError, match="hit"):
        shot(dice=[4], answers=[AGAIN])
