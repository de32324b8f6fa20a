"""Destroyer: weapons of Strength D, which roll on a table of their own."""

from __future__ import annotations

from msgspec.structs import replace

from rolloff.editions.compendium.ability import Ability
from rolloff.editions.compendium.matchup import Strike
from rolloff.table.profile import Rule


class Destroyer(Ability):
    """Each hit rolls on the Destroyer table instead of To Wound."""

    def profile(self, rule: Rule, strike: Strike) -> Strike:
        """Strength D."""
        return replace(strike, destroyer=True, strength=None)  # SR-DESTROYER-1
