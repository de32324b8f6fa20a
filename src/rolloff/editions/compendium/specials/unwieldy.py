"""Unwieldy: slow to swing."""

from __future__ import annotations

from rolloff.editions.compendium.ability import MELEE, Ability
from rolloff.editions.compendium.matchup import MONSTER, WALKER
from rolloff.rules.citing import cites
from rolloff.table.profile import Rule


class Unwieldy(Ability):
    """Its user strikes at step 1; Monsters and Walkers are exempt."""

    kinds = (MELEE,)

    @cites("SR-UNWIELDY-1")
    def step(self, rule: Rule, step: int, types: frozenset[str]) -> int:
        """Step 1, but for the strongest."""
        return step if types & {MONSTER, WALKER} else 1
