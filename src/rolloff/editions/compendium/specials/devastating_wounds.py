"""Devastating Wounds: a 6 to wound becomes mortal wounds."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Numbered
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.rolls import WoundRoll
from rolloff.table.profile import Rule


class DevastatingWounds(Numbered):
    """An unmodified To Wound roll of 6 inflicts mortal wounds to the attack's Damage instead of a wound."""

    lowest, highest, usual = 2, 6, 6
    fewer_is_better = True
    samples = (6, 5)

    def wounds(self, rule: Rule, roll: WoundRoll, strike: Strike) -> None:
        """From the number on."""
        roll.devastate(int(rule.rating or 6), "SR-DEVASTATING-WOUND-1", "SR-DEVASTATING-WOUND-2")
