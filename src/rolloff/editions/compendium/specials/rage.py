"""Rage: a wild charge."""

from __future__ import annotations

from rolloff.editions.compendium.ability import MELEE, Ability, Circumstance, Scope, Volume
from rolloff.table.profile import Rule


class Rage(Ability):
    """Charging gives +2 Attacks instead of +1, unless the charge is disordered."""

    scope = Scope.MODEL
    kinds = (MELEE,)

    def volume(self, rule: Rule, volume: Volume, at: Circumstance) -> None:
        """+2."""
        if volume.charge:  # SR-RAGE-2
            volume.charge = 2  # SR-RAGE-1
