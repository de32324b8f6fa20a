"""Prices: the formula, figure by figure."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rolloff.armies.build import rounded
from rolloff.editions.onepage.pricing import model_price, reach_factor, toughness, unit_price, weapon_worth
from rolloff.editions.onepage.weapons import read_weapon
from rolloff.table.profile import Model, Rule, read_rule


def price(quality: int, weapons: list[str], rules: list[str], armored: bool = False) -> Fraction:
    """The price of one model."""
    model = Model("m", weapons=tuple(read_weapon(text) for text in weapons))
    return model_price(model, tuple(read_rule(text) for text in rules), quality, armored)


@pytest.mark.parametrize(
    ("reach", "factor"),
    [(None, 0.5), (6, 0.6), (12, 0.6), (18, 0.8), (24, 1.0), (27, 1.05), (30, 1.1), (36, 1.25), (48, 1.4), (72, 1.4)],
)
def test_reach(reach: int | None, factor: float) -> None:
    """The printed steps, the line between two of them, and the ends beyond."""
    assert float(reach_factor(None if reach is None else reach * 1000)) == pytest.approx(factor)


@pytest.mark.parametrize(
    ("line", "worth"),
    [
        ("Rifle", 0.5 * 1.1),
        ("Heavy CCW", 3 * 0.5 * 0.5),
        ('Gun (24", A2p)', 2 * 0.5 * 1.4),
        ('Gun (24", A6x)', 6 * 0.5 * 0.9),
        ('Gun (24", AD3, Linked)', 2 * 0.5 * 1.3),
        ("Heavy Powerfist", 3 * 0.5 * 0.5 * 1.4 * 0.6),
        ("Bite (A1, Rending)", 0.5 * 0.5 * 1.2),
        ('Long Gun (24", A1, Precise)', 5 / 6),
        ('Gun (24", A1, Poison)', 0.5),
    ],
)
def test_weapons(line: str, worth: float) -> None:
    """Attacks, chance to hit, reach and rules multiply; D3 counts as two; x has one factor of its own."""
    assert float(weapon_worth(read_weapon(line), 4)) == pytest.approx(worth)


def test_toughness() -> None:
    """Tough over the chance that a hit gets through block, Armored and Regeneration."""
    rules = (Rule("Tough", 3), Rule("Armored"), Rule("Regeneration"))
    assert toughness((), 4, False) == 2
    assert toughness(rules, 3, False) == 3 / (Fraction(1, 3) * Fraction(1, 2) * Fraction(2, 3))
    assert toughness((), 4, True) == 4


def test_a_plain_model() -> None:
    """A Quality 4+ rifleman costs 4 x 2 + 6 x 0.55 points."""
    assert float(price(4, ["Rifle"], [])) == pytest.approx(11.3)


def test_extras() -> None:
    """Shares add up, Deep Strike and Scout count once, Psyker and Transport cost by level and place."""
    plain = price(4, ["Rifle"], [])
    assert price(4, ["Rifle"], ["Fast"]) == plain * Fraction(110, 100)
    assert price(4, ["Rifle"], ["Flying", "Fearless"]) == plain * Fraction(120, 100)
    assert price(4, ["Rifle"], ["Deep Strike", "Scout"]) == plain * Fraction(110, 100)
    assert price(4, ["Rifle"], ["Psyker(2)"]) == plain + 50
    assert price(4, ["Rifle"], ["Transport(10)"]) == plain + 20


def test_units_are_rounded_to_five() -> None:
    """Ten riflemen cost 113 points, rounded 115; nothing is free."""
    model = Model("m", weapons=(read_weapon("Rifle"),))
    assert unit_price([model] * 10, (), 4, "infantry") == 113
    assert [rounded(Fraction(n)) for n in (113, 112, 117, 0)] == [115, 110, 115, 5]
    assert rounded(Fraction(225, 2)) == 115
