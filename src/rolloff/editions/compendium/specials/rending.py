"""Rending: a 6 to wound tears."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Ability, Scope
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.rolls import WoundRoll
from rolloff.table.profile import Rule


class Rending(Ability):
    """Each To Wound roll of 6 makes the target suffer a mortal wound besides, even if it does not wound."""

    scope = Scope.MODEL_OR_WEAPON

    def wounds(self, rule: Rule, roll: WoundRoll, strike: Strike) -> None:
        """A natural 6."""
        roll.mortal += ("SR-RENDING-1", "SR-RENDING-2")
