"""Preferred Enemy: knows this enemy."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Scope, Worded
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.rolls import ONES, HitRoll, WoundRoll
from rolloff.table.profile import Rule


class PreferredEnemy(Worded):
    """Against it, To Hit and To Wound rolls of 1 are rolled again."""

    scope = Scope.UNIT_ANY
    also_on_weapons = True
    samples = (None, "Infantry")

    def hits(self, rule: Rule, roll: HitRoll, strike: Strike) -> None:
        """Ones to hit."""
        if self.about(rule, strike):
            roll.again(ONES, "SR-PREFERRED-ENEMY-1")

    def wounds(self, rule: Rule, roll: WoundRoll, strike: Strike) -> None:
        """Ones to wound, and against armour."""
        if self.about(rule, strike):
            roll.again(ONES, "SR-PREFERRED-ENEMY-1", "SR-PREFERRED-ENEMY-2")
