"""Furious Charge: stronger on the charge."""

from __future__ import annotations

from msgspec.structs import replace

from rolloff.editions.compendium.ability import MELEE, Ability, Scope
from rolloff.editions.compendium.matchup import Strike
from rolloff.table.profile import Rule


class FuriousCharge(Ability):
    """+1 S in a turn in which the model charges, unless the charge is disordered; for weapons that use its Strength."""

    scope = Scope.MODEL
    kinds = (MELEE,)

    def profile(self, rule: Rule, strike: Strike) -> Strike:
        """The model itself is stronger, whatever it strikes with."""
        return replace(strike, wielder=strike.wielder + 1) if self._furious(strike) else strike

    def _furious(self, strike: Strike) -> bool:
        return strike.charged and not strike.disordered  # SR-FURIOUS-CHARGE-2

    def strength(self, rule: Rule, strike: Strike) -> int:
        """Added after multipliers."""
        if not self._furious(strike) or not strike.users:  # SR-FURIOUS-CHARGE-3
            return 0
        return 1  # SR-FURIOUS-CHARGE-1
