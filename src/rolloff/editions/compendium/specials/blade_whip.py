"""Blade Whip: missed blows are struck again."""

from __future__ import annotations

from rolloff.editions.compendium.ability import MELEE, Ability
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.rolls import FAILURES, HitRoll
from rolloff.table.profile import Rule


class BladeWhip(Ability):
    """Every missed close combat To Hit roll is rolled again."""

    kinds = (MELEE,)

    def hits(self, rule: Rule, roll: HitRoll, strike: Strike) -> None:
        """All misses."""
        roll.again(FAILURES, "SR-BLADE-WHIP-1")
