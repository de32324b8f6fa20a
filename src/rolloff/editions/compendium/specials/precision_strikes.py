"""Precision Strikes: the attacker picks who is struck."""

from __future__ import annotations

from rolloff.editions.compendium.ability import MELEE, Numbered, Scope
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.rolls import HitRoll
from rolloff.table.profile import Rule


class PrecisionStrikes(Numbered):
    """A To Hit 6 in close combat is precise: the attacker allocates its wounds."""

    scope = Scope.MODEL_OR_WEAPON
    kinds = (MELEE,)
    lowest, highest, usual = 2, 6, 6
    fewer_is_better = True
    samples = (6,)

    def hits(self, rule: Rule, roll: HitRoll, strike: Strike) -> None:
        """From the number on."""
        roll.precise(int(rule.rating or 6), "SR-PRECISION-STRIKES-1")
