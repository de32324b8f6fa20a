"""Furious Charge: stronger on the charge."""

from __future__ import annotations

from rolloff.editions.compendium.ability import MELEE, Ability, Scope
from rolloff.editions.compendium.strike import Strike
from rolloff.table.profile import Rule


class FuriousCharge(Ability):
    """+1 S in a turn in which the model charges, unless the charge is disordered; for weapons that use its Strength."""

    scope = Scope.MODEL
    kinds = (MELEE,)

    def strength(self, rule: Rule, strike: Strike) -> int:
        """Added after multipliers."""
        if not strike.charged or strike.disordered or not strike.users:  # SR-FURIOUS-CHARGE-2, SR-FURIOUS-CHARGE-3
            return 0
        return 1  # SR-FURIOUS-CHARGE-1
