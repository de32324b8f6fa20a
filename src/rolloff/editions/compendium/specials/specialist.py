"""Specialist: needs its like in the other hand."""

from __future__ import annotations

from rolloff.editions.compendium.ability import MELEE, Ability, Circumstance, Volume
from rolloff.table.profile import Rule


class Specialist(Ability):
    """No attack for two weapons unless the model has at least two Specialist Melee weapons."""

    kinds = (MELEE,)

    def volume(self, rule: Rule, volume: Volume, at: Circumstance) -> None:
        """Two of them, or none."""
        if at.specialists < 2:
            volume.two_weapons = False  # SR-SPECIALIST-1
