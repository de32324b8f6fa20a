"""Poisoned: wounds on X+."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Numbered, Scope
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.rolls import FAILURES, WoundRoll
from rolloff.table.profile import Rule


class Poisoned(Numbered):
    """Wounds on X+ unless the table needs less; in close combat the stronger roll failures again."""

    scope = Scope.MELEE_MODEL_OR_WEAPON
    lowest, highest, usual = 2, 6, 4
    fewer_is_better = True
    samples = (4,)

    def wounds(self, rule: Rule, roll: WoundRoll, strike: Strike) -> None:
        """X+, or the table."""
        if strike.enemy.vehicle:  # SR-POISONED-3, CF-VEH-10
            return
        roll.fix(int(rule.rating or 4), "SR-POISONED-1", or_table=True)
        if strike.melee and max(strike.wielder, strike.strength or 0) > strike.enemy.toughness:  # SR-POISONED-4
            roll.again(FAILURES, "SR-POISONED-2")
