"""Lethal Precision: precise on 4+, deadly on a 6."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Ability, Scope
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.rolls import HitRoll, WoundRoll
from rolloff.table.profile import Rule


class LethalPrecision(Ability):
    """Precision on a natural 4 or more, Devastating Wounds on a 6."""

    scope = Scope.MODEL_OR_WEAPON

    def hits(self, rule: Rule, roll: HitRoll, strike: Strike) -> None:
        """4+ To Hit is precise."""
        roll.precise(4, "SR-LETHAL-PRECISION-1", "SR-LETHAL-PRECISION-2")

    def wounds(self, rule: Rule, roll: WoundRoll, strike: Strike) -> None:
        """6 To Wound is mortal."""
        roll.devastate(6, "SR-LETHAL-PRECISION-1", "SR-LETHAL-PRECISION-2")
