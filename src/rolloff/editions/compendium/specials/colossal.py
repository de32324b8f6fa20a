"""Colossal: too big to be quick."""

from __future__ import annotations

from rolloff.editions.compendium.ability import MELEE, Ability
from rolloff.rules.citing import cites
from rolloff.table.profile import Rule


class Colossal(Ability):
    """Its user strikes at step 1, whoever it is."""

    kinds = (MELEE,)

    @cites("SR-COLOSSAL-1", "SR-COLOSSAL-2")
    def step(self, rule: Rule, step: int, types: frozenset[str]) -> int:
        """Step 1, for Monsters and Walkers too."""
        return 1
