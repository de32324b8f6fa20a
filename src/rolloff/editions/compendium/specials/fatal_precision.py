"""Fatal Precision: precise on 4+, and deadly on 4+."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Ability, Scope
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.rolls import HitRoll, WoundRoll
from rolloff.table.profile import Rule


class FatalPrecision(Ability):
    """Precision and Devastating Wounds, both on a natural 4 or more."""

    scope = Scope.MODEL_OR_WEAPON

    def hits(self, rule: Rule, roll: HitRoll, strike: Strike) -> None:
        """4+ To Hit is precise."""
        roll.precise(4, "SR-FATAL-PRECISION-1", "SR-FATAL-PRECISION-2")

    def wounds(self, rule: Rule, roll: WoundRoll, strike: Strike) -> None:
        """4+ To Wound is mortal."""
        roll.devastate(4, "SR-FATAL-PRECISION-1", "SR-FATAL-PRECISION-2")
