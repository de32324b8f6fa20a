"""Wrath of Angels: a 6 to wound wounds twice."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Ability
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.rolls import WoundRoll
from rolloff.table.profile import Rule


class WrathOfAngels(Ability):
    """Each successful To Wound roll of 6 adds an automatic wound of the same profile, a glancing hit on a vehicle."""

    def wounds(self, rule: Rule, roll: WoundRoll, strike: Strike) -> None:
        """A natural 6."""
        roll.extra += ("SR-WRATH-OF-ANGELS-1", "SR-WRATH-OF-ANGELS-2")
