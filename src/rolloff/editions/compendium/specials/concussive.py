"""Concussive: who survives it is slow for a while."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Ability
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.traits import CONCUSSIVE
from rolloff.table.profile import Rule


class Concussive(Ability):
    """A model that suffers an unsaved wound drops to Initiative 1."""

    def traits(self, rule: Rule, strike: Strike) -> tuple[str, ...]:
        """Vehicles without Initiative are not affected."""
        return () if strike.enemy.vehicle else (CONCUSSIVE,)  # SR-CONCUSSIVE-1
