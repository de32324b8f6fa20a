"""Armourbane: one more die of Damage against vehicles."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Ability, Scope
from rolloff.editions.compendium.strike import Strike
from rolloff.editions.compendium.traits import ARMOURBANE
from rolloff.table.profile import Rule


class Armourbane(Ability):
    """Adds a D6 to the Damage of glancing and penetrating hits."""

    scope = Scope.MELEE_MODEL_OR_WEAPON

    def traits(self, rule: Rule, strike: Strike) -> tuple[str, ...]:
        """Nothing happens to other targets."""
        return (ARMOURBANE,) if strike.foe.vehicle else ()  # SR-ARMOURBANE-1, SR-ARMOURBANE-2
