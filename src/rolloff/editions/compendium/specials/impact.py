"""Impact: a solid shell hits hardest close by."""

from __future__ import annotations

from msgspec.structs import replace

from rolloff.editions.compendium.ability import SHOOTING, Ability
from rolloff.editions.compendium.matchup import Strike, better_ap
from rolloff.editions.compendium.rolls import WoundRoll
from rolloff.table.profile import DiceRoll, Rule


class Impact(Ability):
    """Against a target within 12" the profile becomes S9, AP -4, Damage 2 with Devastating Wounds."""

    kinds = (SHOOTING,)

    def profile(self, rule: Rule, strike: Strike) -> Strike:
        """Measured by each firing model to the closest model of the target."""
        if not strike.near:  # SR-IMPACT-2
            return strike
        return replace(strike, strength=9, ap=better_ap(strike.ap, -4), damage=DiceRoll(plus=2))  # SR-IMPACT-1

    def wounds(self, rule: Rule, roll: WoundRoll, strike: Strike) -> None:
        """Devastating Wounds."""
        if strike.near:
            roll.devastate(6, "SR-IMPACT-1")
