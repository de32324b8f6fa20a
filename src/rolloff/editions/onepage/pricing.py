"""What a unit costs: one formula for every book, so that lists of different books are worth the same.

A model costs four times what it takes to remove it and six times the wounds its weapons threaten; a unit costs the
sum of its models, rounded to five points.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise

from rolloff.lengths import INCH
from rolloff.table.profile import Model, Rule, Weapon, read_roll

# How much a weapon's reach is worth: inches and factor; between two of them the line between.
REACH = (
    (12, Fraction(6, 10)),
    (18, Fraction(8, 10)),
    (24, Fraction(1)),
    (30, Fraction(11, 10)),
    (36, Fraction(125, 100)),
    (48, Fraction(14, 10)),
)
MELEE = Fraction(1, 2)
SINGLE = Fraction(9, 10)
AIMED = {"Precise", "Scope", "Sniper"}
"""Rules by which a weapon hits as if of the best Quality."""
MEANS = {
    "Piercing": Fraction(14, 10),
    "Linked": Fraction(13, 10),
    "Unwieldy": Fraction(6, 10),
    "Strikes Last": Fraction(9, 10),
    "Rending": Fraction(12, 10),
}
SHARES = {"Fast": 10, "Flying": 15, "Deep Strike": 10, "Scout": 10, "Fearless": 5}
EACH = {"Psyker": 25, "Transport": 2}
ARMORED_TYPES = frozenset({"vehicle", "walker", "monster"})
"""Types that bring armor with them (TYPE-VEH-2, TYPE-MON-1, TYPE-WALK-1)."""


def chance(quality: int) -> Fraction:
    """How often a test against a Quality succeeds."""
    return Fraction(7 - min(max(quality, 2), 6), 6)


def reach_factor(reach: int | None) -> Fraction:
    """What a reach in thou is worth; None is melee."""
    if reach is None:
        return MELEE
    inches = Fraction(reach, INCH)
    if inches <= REACH[0][0]:
        return REACH[0][1]
    for (near, low), (far, high) in pairwise(REACH):
        if inches <= far:
            return low + (high - low) * (inches - near) / (far - near)
    return REACH[-1][1]


def weapon_worth(weapon: Weapon, quality: int) -> Fraction:
    """Attacks times the chance to hit times what reach and rules make of them."""
    names = {rule.name for rule in weapon.rules}
    hits = chance(2) if names & AIMED and weapon.reach is not None else chance(quality)
    worth = Fraction(weapon.attacks.mean) * hits * reach_factor(weapon.reach)
    if "Single" in names:  # the suffix x has one factor for both its halves
        names.discard("Piercing")
        worth *= SINGLE
    for name in sorted(names):
        worth *= MEANS.get(name, Fraction(1))
    return worth


def toughness(rules: Iterable[Rule], quality: int, armored: bool) -> Fraction:
    """How many plain hits it takes on average to remove a model."""
    held = {rule.name: rule for rule in rules}
    tough = held.get("Tough")
    wounds = tough.rating if tough and isinstance(tough.rating, int) else 1
    passed = 1 - chance(quality)
    if armored or "Armored" in held:
        passed /= 2
    if "Regeneration" in held:
        passed *= Fraction(2, 3)
    return wounds / passed


def model_price(model: Model, rules: tuple[Rule, ...], quality: int, armored: bool = False) -> Fraction:
    """One model of a unit whose common rules are ``rules``; ``armored`` if its type brings that."""
    held = {rule.name: rule for rule in (*rules, *model.rules)}
    body = 4 * toughness(held.values(), quality, armored)
    arms = 6 * sum((weapon_worth(weapon, quality) for weapon in model.weapons), Fraction(0))
    shares = {name: share for name, share in SHARES.items() if name in held}
    if "Deep Strike" in shares:
        shares.pop("Scout", None)
    price = (body + arms) * (1 + Fraction(sum(shares.values()), 100))
    for name, each in EACH.items():
        if name in held:
            price += Fraction(read_roll(held[name].rating or 0).mean) * each
    return price


def unit_price(models: Iterable[Model], rules: tuple[Rule, ...], quality: int, type: str) -> Fraction:
    """A whole unit, not yet rounded."""
    armored = type in ARMORED_TYPES
    return sum((model_price(model, rules, quality, armored) for model in models), Fraction(0))
