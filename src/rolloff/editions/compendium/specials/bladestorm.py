"""Bladestorm: a 6 to wound always wounds, and pierces."""

from __future__ import annotations

from rolloff.editions.compendium.ability import SHOOTING, Ability
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.rolls import WoundRoll
from rolloff.table.profile import Rule

AP = -4  # CF-AP-3


class Bladestorm(Ability):
    """When shooting, a 6 wounds whatever the Toughness and is resolved at AP -4; against armour only the AP stays."""

    kinds = (SHOOTING,)

    def wounds(self, rule: Rule, roll: WoundRoll, strike: Strike) -> None:
        """A natural 6."""
        if not strike.enemy.vehicle:  # SR-BLADESTORM-3
            roll.succeeds |= {6}  # SR-BLADESTORM-1
        roll.pierce(AP, "SR-BLADESTORM-2")
