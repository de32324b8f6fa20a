"""Graviton: the heavier the armour, the easier the wound."""

from __future__ import annotations

from rolloff.editions.compendium.ability import SHOOTING, Ability
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.rolls import WoundRoll
from rolloff.table.profile import Rule


class Graviton(Ability):
    """When shooting, wounds on the target's armour save, 6+ at worst; vehicles are only glanced, on a 6 or on their save."""

    kinds = (SHOOTING,)

    def wounds(self, rule: Rule, roll: WoundRoll, strike: Strike) -> None:
        """The unmodified save most models have."""
        roll.fix(min(strike.enemy.save, 6), "SR-GRAVITON-1", "SR-GRAVITON-2")
        if strike.enemy.vehicle:
            roll.only_glances = ("SR-GRAVITON-2",)
