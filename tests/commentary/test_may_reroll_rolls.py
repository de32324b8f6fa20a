"""Hit and Wound rolls that a rule lets roll again: whoever rolls is asked, once for an attack (DP-29)."""

from __future__ import annotations

import pytest

from tests.commentary.desk import Json, gun, shoot, squad

STOP = {"unanswered": "stop"}


def again(yes: bool) -> Json:
    """The answer to whether such dice are rolled again."""
    return {"kind": "yes-no", "value": yes}


def scene(*rules: str, A: int = 1) -> list[Json]:
    """A gun with some abilities, and somebody to shoot at."""
    return [squad("a1", "A", 1, gun(*rules, A=A)), squad("b1", "B", 1, W=9)]


@pytest.mark.clause("commentary-10", "WPN-4", "REROLL-1")
@pytest.mark.parametrize(
    ("rules", "dice", "offer", "default"),
    [
        (("Twin-linked",), [3, 1], "failed wound", True),
        (("Twin-linked", "Devastating Wounds"), [3, 4], "wound, not critical", False),
        (("Re-roll Hits(ones)",), [1], "failed hit", True),
        (("Re-roll Hits(failures)",), [2], "failed hit", True),
        (("Re-roll Hits(any)", "Sustained Hits 1"), [4], "hit, not critical", False),
    ],
)
def test_the_roller_is_asked(rules: tuple[str, ...], dice: list[int], offer: str, default: bool) -> None:
    """Failures are rolled again by default; successes are kept, and asked about only where a critical one does more."""
    pending = shoot(scene(*rules), dice, **STOP).pending
    assert pending is not None and (pending["who"], pending["kind"], pending["point"]) == ("A", "yes-no", "DP-29")
    assert (pending["facts"]["offer"], pending["default"]) == (offer, default)


@pytest.mark.clause("commentary-10", "WPN-4", "REROLL-1")
@pytest.mark.parametrize(
    ("answers", "dice", "lost"), [([], [3, 1, 4], 1), ([again(True)], [3, 1, 4], 1), ([again(False)], [3, 1], 0)]
)
def test_a_failed_wound_roll_is_rolled_again_or_not(answers: list[Json], dice: list[int], lost: int) -> None:
    """Who says nothing rolls a failed Wound roll again; who says no keeps it."""
    assert shoot(scene("Twin-linked"), dice, answers=answers).attack["damage"] == lost


@pytest.mark.clause("commentary-10", "WPN-4", "WPN-15")
def test_a_success_may_be_rolled_again_for_a_critical_one() -> None:
    """Whoever wants a Critical Wound of a Twin-linked weapon with Devastating Wounds gives up a success for it."""
    found = shoot(scene("Twin-linked", "Devastating Wounds"), [3, 4, 6], answers=[again(True)])
    assert found.attack["mortal"] == 1


@pytest.mark.clause("commentary-10", "WPN-4", "DICE-7")
def test_it_is_asked_once_for_an_attack() -> None:
    """The answer for the first failed Wound roll of an attack on a unit stands for the others of it."""
    assert shoot(scene("Twin-linked", A=3), [3, 1, 3, 1, 3, 1], answers=[again(False)]).attack["wounds"] == 0
    plain = shoot(scene("Twin-linked", A=2), [3, 4, 3, 5], **STOP)
    assert plain.pending is None and plain.attack["damage"] == 2


@pytest.mark.clause("commentary-10", "REROLL-3")
@pytest.mark.parametrize(
    ("answers", "dice", "lost"), [([], [3, 4, 1, 4], 0), ([again(True)], [3, 4, 1, 4], 0), ([again(False)], [3, 4, 1], 1)]
)
def test_a_failed_save_is_rolled_again_or_not(answers: list[Json], dice: list[int], lost: int) -> None:
    """The owner of the model is asked whether a save is rolled again that a rule lets roll again; by default it is."""
    units = [squad("a1", "A", 1, gun()), squad("b1", "B", 1, W=9, Sv=4, rules=["Re-roll Saves(ones)"])]
    assert shoot(units, dice, answers=answers).attack["damage"] == lost
    pending = shoot(units, [3, 4, 1], **STOP).pending
    assert pending is not None and (pending["who"], pending["point"], pending["facts"]["offer"]) == (
        "B",
        "DP-29",
        "failed save",
    )
