"""Haywire: scrambles vehicles."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Ability
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.traits import HAYWIRE
from rolloff.table.profile import Rule


class Haywire(Ability):
    """A hit on a vehicle rolls on the Haywire table in place of To Wound; against others the weapon wounds normally."""

    def traits(self, rule: Rule, strike: Strike) -> tuple[str, ...]:
        """Vehicles only."""
        return (HAYWIRE,) if strike.enemy.vehicle else ()  # SR-HAYWIRE-1, SR-HAYWIRE-2
