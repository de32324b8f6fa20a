"""Fights First: strikes before all others."""

from __future__ import annotations

from rolloff.editions.compendium.ability import MELEE, Ability, Scope
from rolloff.rules.citing import cites
from rolloff.table.profile import Rule


class FightsFirst(Ability):
    """If every model has it, the unit strikes as though Initiative 10."""

    scope = Scope.UNIT_ALL
    kinds = (MELEE,)

    @cites("SR-FIGHT-FIRST-1")
    def step(self, rule: Rule, step: int, types: frozenset[str]) -> int:
        """Step 10."""
        return 10
