"""The armies shipped for the family's other editions: legal, of full size, and at every size using the whole edition."""

from __future__ import annotations

import pytest

from rolloff.armies import library
from rolloff.armies.census import census
from rolloff.editions import registry
from rolloff.editions.onepage.armouries import TABLES_221, TABLES_APOCALYPSE
from rolloff.editions.onepage.book import FamilyEdition

SIZES = (("onepage-2.21", 750), ("onepage-2.21", 1500), ("apocalypse-3.3", 1000), ("apocalypse-3.3", 3000))
WHOLE = {("onepage-2.21", 750), ("onepage-2.21", 1500), ("apocalypse-3.3", 3000)}
"""The sizes of the rulebooks: there the lists carry every weapon of the tables too."""
TABLES = {"onepage-2.21": TABLES_221, "apocalypse-3.3": TABLES_APOCALYPSE}
NEVER_WRITTEN = {"Impact"}
"""What 2.21 has no name for: its vehicles deal automatic hits without it."""


@pytest.mark.parametrize(("edition", "points"), SIZES)
def test_four_factions_of_exactly_the_size(edition: str, points: int) -> None:
    """Each faction has a list of exactly as many points as the game is for."""
    rules = registry.edition(edition)
    names = library.full_lists(rules, points)
    assert len(names) == 4
    assert {library.army(rules, name, 0).points for name in names} == {points}


@pytest.mark.parametrize(("edition", "points"), SIZES)
def test_the_lists_use_every_rule_weapon_and_power(edition: str, points: int) -> None:
    """Together the four lists of a size carry every special rule and every power, and every weapon of the tables."""
    rules = registry.edition(edition)
    carried = census(card for name in library.full_lists(rules, points) for card in library.army(rules, name, 0).cards)
    assert set(rules.specials) - set(carried.rules) - NEVER_WRITTEN == set()
    assert (edition, points) not in WHOLE or set(TABLES[edition]) <= set(carried.weapons)
    assert isinstance(rules, FamilyEdition)
    assert set(rules.book.powers) == set(carried.powers)
