"""Smash: crushing blows."""

from __future__ import annotations

from msgspec.structs import replace

from rolloff.editions.compendium.ability import MELEE, Ability, Scope
from rolloff.editions.compendium.matchup import Strike, better_ap
from rolloff.table.profile import Rule


class Smash(Ability):
    """Close combat attacks are AP -4 at least; one blow of twice its own Strength may take the place of all."""

    scope = Scope.MODEL
    kinds = (MELEE,)

    def profile(self, rule: Rule, strike: Strike) -> Strike:
        """A better AP is kept."""
        return replace(strike, ap=better_ap(strike.ap, -4))  # SR-SMASH-1
