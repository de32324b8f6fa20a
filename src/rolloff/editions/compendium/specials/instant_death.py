"""Instant Death: one wound is enough."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Ability
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.traits import INSTANT
from rolloff.table.profile import Rule


class InstantDeath(Ability):
    """An unsaved wound removes the model; vehicles know none."""

    def traits(self, rule: Rule, strike: Strike) -> tuple[str, ...]:
        """Every wound."""
        return () if strike.enemy.vehicle else (INSTANT,)  # SR-INSTANT-DEATH-1
