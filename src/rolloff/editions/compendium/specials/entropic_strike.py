"""Entropic Strike: a 6 to wound in close combat always wounds."""

from __future__ import annotations

from rolloff.editions.compendium.ability import MELEE, Ability, Scope
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.rolls import WoundRoll
from rolloff.table.profile import Rule


class EntropicStrike(Ability):
    """In close combat a 6 wounds whatever the Toughness; armour rolls are not affected."""

    scope = Scope.MELEE_MODEL_OR_WEAPON
    kinds = (MELEE,)

    def wounds(self, rule: Rule, roll: WoundRoll, strike: Strike) -> None:
        """A natural 6."""
        if not strike.enemy.vehicle:  # SR-ENTROPIC-STRIKE-2
            roll.succeeds |= {6}  # SR-ENTROPIC-STRIKE-1
