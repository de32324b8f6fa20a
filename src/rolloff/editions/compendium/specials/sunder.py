"""Sunder: breaks big things."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Ability, Scope
from rolloff.editions.compendium.matchup import MONSTER, Strike
from rolloff.editions.compendium.rolls import FAILURES, WoundRoll
from rolloff.table.profile import Rule


class Sunder(Ability):
    """Failed To Wound rolls against Vehicles and Monsters may be rolled again; a glancing hit is no failure."""

    scope = Scope.MODEL_OR_WEAPON

    def wounds(self, rule: Rule, roll: WoundRoll, strike: Strike) -> None:
        """All failures."""
        if strike.enemy.vehicle or strike.enemy.is_a(MONSTER):
            roll.again(FAILURES, "SR-SUNDER-1", "SR-SUNDER-2", may="Sunder")
