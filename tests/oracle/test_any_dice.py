"""Dice of any number of sides, draws by lot, two digits and opposed rolls: rolled, computed and entered alike."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from rolloff.errors import BadInput, DiceError
from rolloff.oracle.calculator import Calculator
from rolloff.oracle.contest import Hand, d66, draw, margin, opposed
from rolloff.oracle.dice import EnteredDice, NamedDice, SeededDice, seed_bytes
from rolloff.oracle.draft import Draft, Reroll
from rolloff.oracle.flow import HITS, WOUNDS, Flow, Harm, Volley
from rolloff.oracle.roll import Dice, Roll
from rolloff.oracle.roller import Roller
from rolloff.oracle.stage import Keep, Stage, number, table
from rolloff.oracle.target import Ladder, Rung
from rolloff.table.profile import read_roll
from tests.oracle.brute import every_path, shot


@pytest.mark.parametrize("sides", [2, 3, 4, 5, 7, 8, 10, 12, 20, 100, 360])
def test_every_side_is_as_likely(sides: int) -> None:
    """The stream shows every side about as often, and goes on at any die it stopped at."""
    dice = SeededDice(seed_bytes(sides))
    half = list(dice.faces(1000, "any", sides))
    rest = list(SeededDice(dice.seed, dice.drawn).faces(40 * sides, "any", sides))
    assert list(SeededDice(seed_bytes(sides)).faces(1000 + 40 * sides, "any", sides)) == half + rest
    seen = Counter(half + rest)
    expected = (1000 + 40 * sides) / sides
    assert set(seen) == set(range(1, sides + 1))
    assert sum((count - expected) ** 2 / expected for count in seen.values()) < 2 * sides + 30


@pytest.mark.parametrize("text", ["D10", "2D8+1", "D4", "3D12", "D100"])
def test_numbers_of_any_dice_have_their_law(text: str) -> None:
    """A number as it stands on a card, rolled, has the law of every fall of its dice."""
    dice_roll = read_roll(text)
    assert str(dice_roll) == text
    stage = number("n", dice_roll.count, dice_roll.sides, dice_roll.plus)
    law = Calculator(exact=True).law(lambda dice: dice.ask(stage))
    assert sum(law.values()) == 1
    assert dict(law) == every_path(lambda dice: dice.ask(stage), limit=None)
    assert min(law) == dice_roll.count + dice_roll.plus and max(law) == dice_roll.count * dice_roll.sides + dice_roll.plus


@pytest.mark.parametrize("text", ["D1", "D101", "D0", "101D6"])
def test_a_die_without_sides_is_refused(text: str) -> None:
    """A die has two sides or more, and a hundred at the most."""
    with pytest.raises(BadInput, match="out of bounds"):
        read_roll(text)


def test_a_volley_of_ten_sided_dice_is_one_handful() -> None:
    """Attacks are rolled together whatever their dice, re-rolls too, and their odds are every path of them."""
    hit = Draft("hit", 8, "A", then=(HITS, "wound"), sides=10).reroll(Reroll.ONES, "B")
    wound = Draft("wound", 5, "C", then=(WOUNDS, Harm()), sides=8)
    volley, unit = Volley(Flow((hit.stage(), wound.stage())), 2), Ladder((Rung(models=2),))
    log: list[Roll] = []
    dice = Roller(EnteredDice([1, 9, 10, 5, 4]).faces, log.append)
    spent: Any = dice.volley((volley,), unit, unit.start(), HITS, WOUNDS)
    assert spent.counts == (2, 1)
    assert [(roll.purpose, roll.faces, roll.rerolls, roll.sides) for roll in log] == [
        ("hit", (1, 9), ((0, 10),), 10),
        ("wound", (5, 4), (), 8),
    ]
    args = ((volley,), unit, unit.start(), (HITS, WOUNDS))
    assert dict(Calculator(exact=True).law(shot, *args)) == every_path(shot, *args)


def test_a_table_of_two_digits() -> None:
    """The first die is the tens, the second the units; each of the 36 is as likely."""
    stage = d66("mutation", tuple(range(36)), "D")
    assert Roller(EnteredDice([3, 6]).faces).ask(stage) == 17
    assert Roller(EnteredDice([6, 3]).faces).ask(stage) == 32
    assert set(dict(stage.law()).values()) == {1} and stage.whole == 36
    assert number("n", 2, 6, keep=Keep.DIGITS).read[:7] == (11, 12, 13, 14, 15, 16, 21)
    assert number("n", 2, 3, keep=Keep.DIGITS).index([6, 1]) == 6


def test_a_table_may_lead_to_dice_of_other_sides() -> None:
    """Weights of entries rolled on with different dice are brought to one whole."""
    results: list[int | Stage[int]] = [table("ten", tuple(range(10)), sides=10), table("four", (0, 0, 0, 9), sides=4)]
    stage = table("which", results, sides=2)
    assert stage.chance(lambda found: found == 9) == Fraction(1, 20) + Fraction(1, 8)


def won(dice: Dice) -> int:
    """Our D10+2 against the best of their two D8."""
    return margin(dice, Hand("strike", 2, sides=10), Hand("parry", dice=2, sides=8, keep=Keep.HIGHEST), "E")


def test_opposed_rolls_have_margins() -> None:
    """Both sides roll, each under its own label; the law of the margin is every fall of the dice."""
    log: list[Roll] = []
    assert Roller(EnteredDice([7, 3, 5]).faces, log.append).run(won) == 4
    assert [(roll.purpose, roll.faces, roll.sides) for roll in log] == [("strike", (7,), 10), ("parry", (3, 5), 8)]
    assert dict(Calculator(exact=True).law(won)) == every_path(won)


def test_an_opposed_roll_is_a_stage_of_a_flow() -> None:
    """Attacks that are parried one by one: the flow's odds are every path of its dice."""

    def read(by: int) -> tuple[Any, ...]:
        return (HITS, Harm(damage=2 if by >= 3 else 1)) if by > 0 else ()

    stage = opposed(Hand("strike", sides=4), Hand("parry", 1, sides=4), read, "E")
    volley, unit = Volley(Flow((stage,)), 2), Ladder((Rung(models=3),))
    args = ((volley,), unit, unit.start(), (HITS,))
    assert dict(Calculator(exact=True).law(shot, *args)) == every_path(shot, *args)


def test_draws_by_lot_are_entered_as_one_of_many() -> None:
    """The third of eight is written 3/8; one thing is not drawn for; a draw of another size is refused."""
    assert draw(Roller(EnteredDice(["3/8"]).faces), 8, "who") == 2
    assert draw(Roller(EnteredDice([]).faces), 1, "who") == 0
    assert draw(Roller(NamedDice({"who": ["5/5"]}).faces), 5, "who") == 4
    with pytest.raises(DiceError, match="not a face of a D7"):
        draw(Roller(EnteredDice(["3/8"]).faces), 7, "who")
    law = Calculator(exact=True).law(lambda dice: draw(dice, 7, "who"))
    assert set(law.values()) == {Fraction(1, 7)} and set(law) == set(range(7))


@pytest.mark.parametrize("face", [0, 7, -1, True, "6", "arrow@360", "arrow", "0/8", "9/8", 2.5, None])
def test_a_face_on_no_die_is_refused(face: object) -> None:
    """What a six-sided die cannot show is refused where it is rolled, in one sentence."""
    with pytest.raises(DiceError, match="is not a face"):
        EnteredDice([face]).faces(1, "hit")


def test_a_scatter_die_brings_its_direction() -> None:
    """An arrow or a hit is written with its direction, which is the next die; 0 degrees is the last side of 360."""
    dice = EnteredDice(["arrow@90", "hit@0"])
    assert [dice.faces(1, "scatter"), dice.faces(1, "scatter:direction", 360)] == [[3], [90]]
    assert [dice.faces(1, "scatter"), dice.faces(1, "scatter:direction", 360)] == [[1], [360]]
    dice.finish()
    assert dice.given == ("arrow@90", "hit@0")
    named = NamedDice({"scatter": ["arrow@45"]})
    assert [named.faces(1, "scatter"), named.faces(1, "scatter:direction", 360)] == [[3], [45]]


def test_whoever_wins_an_opposed_roll_succeeds() -> None:
    """A margin of our own is a success whatever follows from it; where the reading is yes or no, that decides."""
    ours, theirs = Hand("strike", sides=4), Hand("parry", sides=4)
    assert opposed(ours, theirs, lambda by: ("hit",) if by > 0 else ("blocked",), "E").success() == Fraction(6, 16)
    assert opposed(ours, theirs, lambda by: by >= 0, "E").success() == Fraction(10, 16)
