"""Shred: wounds are tried twice."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Ability, Scope
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.rolls import FAILURES, WoundRoll
from rolloff.table.profile import Rule


class Shred(Ability):
    """Failed To Wound rolls are rolled again, armour rolls too."""

    scope = Scope.MELEE_MODEL_OR_WEAPON

    def wounds(self, rule: Rule, roll: WoundRoll, strike: Strike) -> None:
        """All failures."""
        roll.again(FAILURES, "SR-SHRED-1", "SR-SHRED-2")
