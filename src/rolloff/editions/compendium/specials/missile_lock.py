"""Missile Lock: missiles that find their mark."""

from __future__ import annotations

from rolloff.editions.compendium.ability import SHOOTING, Ability, Scope
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.rolls import FAILURES, HitRoll
from rolloff.table.profile import Rule


class MissileLock(Ability):
    """Failed To Hit rolls with One Use Only weapons are rolled again."""

    scope = Scope.MODEL
    kinds = (SHOOTING,)

    def hits(self, rule: Rule, roll: HitRoll, strike: Strike) -> None:
        """All misses."""
        if strike.has("One Use Only"):
            roll.again(FAILURES, "SR-MISSILE-LOCK-1")
