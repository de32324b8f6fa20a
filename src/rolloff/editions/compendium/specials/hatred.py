"""Hatred: fights harder against some."""

from __future__ import annotations

from rolloff.editions.compendium.ability import MELEE, Scope, Worded
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.rolls import FAILURES, HitRoll
from rolloff.table.profile import Rule


class Hatred(Worded):
    """In close combat failed To Hit rolls against the hated enemy are rolled again, in every round."""

    scope = Scope.MODEL
    kinds = (MELEE,)
    samples = (None, "Infantry")

    def hits(self, rule: Rule, roll: HitRoll, strike: Strike) -> None:
        """All misses."""
        if self.about(rule, strike):
            roll.again(FAILURES, "SR-HATRED-1")
