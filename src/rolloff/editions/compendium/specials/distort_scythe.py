"""Distort Scythe: a Destroyer weapon of a lesser kind."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Ability
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.traits import DISTORTED
from rolloff.table.profile import Rule


class DistortScythe(Ability):
    """Its Destroyer die counts one less, at least 1, and its assumed Strength is 15."""

    def traits(self, rule: Rule, strike: Strike) -> tuple[str, ...]:
        """Only Destroyer hits are changed."""
        return (DISTORTED,) if strike.destroyer else ()  # SR-DISTORT-SCYTHE-1, SR-DISTORT-SCYTHE-2
