"""Fleshbane: wounds on 2+."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Ability, Scope
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.rolls import WoundRoll
from rolloff.table.profile import Rule


class Fleshbane(Ability):
    """Always wounds on 2+; vehicles are not flesh."""

    scope = Scope.MELEE_MODEL_OR_WEAPON

    def wounds(self, rule: Rule, roll: WoundRoll, strike: Strike) -> None:
        """2+."""
        if not strike.enemy.vehicle:  # SR-FLESHBANE-2
            roll.fix(2, "SR-FLESHBANE-1")
