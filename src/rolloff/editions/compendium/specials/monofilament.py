"""Monofilament: only the quick escape it."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Ability
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.rolls import WoundRoll
from rolloff.editions.compendium.wounding import wound_need
from rolloff.rules.citing import cites
from rolloff.table.profile import Rule

AP = -4  # CF-AP-2
"""The older scale's 2."""


@cites("SR-MONOFILAMENT-3")
def has_initiative(strike: Strike) -> bool:
    """SR-MONOFILAMENT-3: armour rolls of vehicles stay what they are."""
    return not strike.enemy.vehicle


class Monofilament(Ability):
    """To Wound compares Strength with Initiative; a 6 is resolved at AP -4, for vehicles too."""

    def wounds(self, rule: Rule, roll: WoundRoll, strike: Strike) -> None:
        """Initiative in place of Toughness, which still decides Instant Death."""
        if has_initiative(strike) and strike.strength is not None:
            need = wound_need(strike.strength, strike.enemy.initiative)
            roll.set_need(need, "SR-MONOFILAMENT-1", what="against Initiative")
        roll.pierce(AP, "SR-MONOFILAMENT-2")
