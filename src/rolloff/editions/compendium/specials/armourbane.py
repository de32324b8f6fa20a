"""Armourbane: one more die of Damage against vehicles."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Ability, Scope
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.traits import ARMOURBANE
from rolloff.rules.citing import cites
from rolloff.table.profile import Rule


@cites("SR-ARMOURBANE-2")
def armoured(strike: Strike) -> bool:
    """SR-ARMOURBANE-2: it has no effect on others."""
    return strike.enemy.vehicle


class Armourbane(Ability):
    """Adds a D6 to the Damage of glancing and penetrating hits."""

    scope = Scope.MELEE_MODEL_OR_WEAPON

    def traits(self, rule: Rule, strike: Strike) -> tuple[str, ...]:
        """Nothing happens to other targets."""
        return (ARMOURBANE,) if armoured(strike) else ()  # SR-ARMOURBANE-1
