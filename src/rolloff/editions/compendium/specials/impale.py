"""Impale: a thrust that glanced off is made again."""

from __future__ import annotations

from rolloff.editions.compendium.ability import MELEE, Ability
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.rolls import ONES, WoundRoll
from rolloff.table.profile import Rule


class Impale(Ability):
    """In close combat To Wound rolls of 1 are rolled again."""

    kinds = (MELEE,)

    def wounds(self, rule: Rule, roll: WoundRoll, strike: Strike) -> None:
        """Ones."""
        roll.again(ONES, "SR-IMPALE-1")
