"""Zealot: fights with fervour."""

from __future__ import annotations

from rolloff.editions.compendium.ability import MELEE, Ability, Scope
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.rolls import FAILURES, HitRoll
from rolloff.table.profile import Rule


class Zealot(Ability):
    """In close combat the unit's missed To Hit rolls are all rolled again."""

    scope = Scope.UNIT_ANY
    kinds = (MELEE,)

    def hits(self, rule: Rule, roll: HitRoll, strike: Strike) -> None:
        """All misses."""
        roll.again(FAILURES, "SR-ZEALOT-2")
