"""Two-handed: leaves no hand free."""

from __future__ import annotations

from rolloff.editions.compendium.ability import MELEE, Ability, Circumstance, Volume
from rolloff.table.profile import Rule


class TwoHanded(Ability):
    """Never the attack for two Melee weapons when attacking with it."""

    kinds = (MELEE,)

    def volume(self, rule: Rule, volume: Volume, at: Circumstance) -> None:
        """One weapon."""
        volume.two_weapons = False  # SR-TWO-HANDED-1
