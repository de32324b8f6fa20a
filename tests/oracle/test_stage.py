"""Stages: tables read by the number rolled."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rolloff.oracle.roller import Roller
from rolloff.oracle.stage import Keep, Stage, check, fixed, number, table
from tests.oracle.brute import every_path


def asked(dice: Roller, stage: Stage[int]) -> int:
    """One roll as a step."""
    return dice.ask(stage)


@pytest.mark.clause("onepage-3.0", "DICE-2")
def test_a_d3_is_a_die_halved_and_rounded_up() -> None:
    """The faces one to six read 1, 1, 2, 2, 3, 3 on a D3."""
    third = number("damage", sides=3)
    read = [Roller(lambda n, label, sides=6, face=face: [face]).ask(third) for face in range(1, 7)]
    assert read == [1, 1, 2, 2, 3, 3]


@pytest.mark.clause("onepage-3.0", "DICE-3")
def test_dice_are_summed_and_the_bonus_added_once() -> None:
    """2D6 showing 2 and 5 is 7, D6+1 showing 4 is 5, and 3D3+2 starts at 5."""
    assert Roller(lambda n, label, sides=6: [2, 5]).ask(number("sum", dice=2)) == 7
    assert Roller(lambda n, label, sides=6: [4]).ask(number("sum", plus=1)) == 5
    assert number("sum", dice=3, sides=3, plus=2).read[0] == 5


@pytest.mark.parametrize("keep", list(Keep))
@pytest.mark.parametrize(("dice", "sides"), [(1, 6), (2, 6), (3, 6), (2, 3), (3, 2), (4, 6)])
def test_the_weights_of_a_number_are_those_of_all_throws(keep: Keep, dice: int, sides: int) -> None:
    """Whatever the dice and however they are kept, the law equals every roll counted."""
    stage = number("sum", dice, sides, keep=keep)
    law = {value: Fraction(weight, stage.whole) for value, weight in stage.law() if weight}
    assert law == every_path(asked, stage)


@pytest.mark.clause("onepage-3.0", "DICE-11")
def test_keeping_the_highest_of_two_is_one_roll() -> None:
    """Two dice of which the higher counts are rolled together and pass with 1 - (1 - q) squared."""
    rolled: list[int] = []

    def source(n: int, label: str, sides: int = 6) -> list[int]:
        rolled.append(n)
        return [1, 5]

    nerve = check("morale", 4, dice=2, keep=Keep.HIGHEST)
    assert Roller(source).ask(nerve)
    assert rolled == [2]
    assert nerve.chance() == 1 - Fraction(1, 2) ** 2


def test_a_table_may_lead_to_another_throw() -> None:
    """An entry that is a stage is rolled instead, under its own label, and its chances are weighed in."""
    amount = number("amount", sides=3, plus=3)
    chart: Stage[int] = table("chart", (0, 1, 1, 1, 1, amount))
    labels: list[str] = []

    def source(n: int, label: str, sides: int = 6) -> list[int]:
        labels.append(label)
        return [6]

    assert Roller(source).ask(chart) == 6
    assert labels == ["chart", "amount"]
    assert chart.chance(lambda value: value == 5) == Fraction(1, 18)


def test_a_fixed_stage_throws_nothing() -> None:
    """No die is drawn for a stage whose result stands."""

    def source(n: int, label: str, sides: int = 6) -> list[int]:
        raise AssertionError("a die was drawn")

    assert Roller(source).ask(fixed("ignore", "block")) == "block"


def test_stages_are_equal_by_value() -> None:
    """Two tables with the same entries are one key, and differ as soon as one entry does."""
    assert Stage("a", (1, 1, 1, 2, 2, 2)) == Stage("a", (1, 1, 1, 2, 2, 2))
    assert hash(Stage("a", (1, 1, 1, 2, 2, 2))) == hash(Stage("a", (1, 1, 1, 2, 2, 2)))
    assert Stage("a", (1, 1, 1, 2, 2, 2)) != Stage("a", (1, 1, 1, 2, 2, 3))
    assert Stage("a", (1, 1, 1, 2, 2, 2)) != "a"


def test_a_table_of_the_wrong_size_is_refused() -> None:
    """A table must have an entry for each number its dice can show."""
    with pytest.raises(ValueError, match="needs 11 entries"):
        Stage("a", (1, 2, 3), dice=2)
    with pytest.raises(ValueError, match="sides"):
        Stage("a", (1,), sides=1)


def test_a_stage_shows_itself_shortly() -> None:
    """The text of a stage names its label, dice and need."""
    assert repr(check("morale", 4)) == "<Stage morale: 1D6 4+>"
    assert repr(number("shots", dice=2)) == "<Stage shots: 2D6>"
