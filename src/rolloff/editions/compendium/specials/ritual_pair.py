"""Ritual Pair: two weapons as one."""

from __future__ import annotations

from rolloff.editions.compendium.ability import MELEE, Ability, Circumstance, Volume
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.rolls import ONES, HitRoll, WoundRoll
from rolloff.table.profile import Rule


class RitualPair(Ability):
    """Always the attack for two Melee weapons; its 1s to hit and to wound are rolled again."""

    kinds = (MELEE,)

    def volume(self, rule: Rule, volume: Volume, at: Circumstance) -> None:
        """Whatever Specialist and Two-handed say."""
        volume.paired = True  # SR-RITUAL-PAIR-1, SR-RITUAL-PAIR-3

    def hits(self, rule: Rule, roll: HitRoll, strike: Strike) -> None:
        """Ones to hit."""
        roll.again(ONES, "SR-RITUAL-PAIR-2")

    def wounds(self, rule: Rule, roll: WoundRoll, strike: Strike) -> None:
        """Ones to wound."""
        roll.again(ONES, "SR-RITUAL-PAIR-2")
