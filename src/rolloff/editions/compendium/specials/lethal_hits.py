"""Lethal Hits: a 6 to hit wounds by itself."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Ability
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.rolls import HitRoll
from rolloff.table.profile import Rule


class LethalHits(Ability):
    """An unmodified To Hit 6 wounds automatically, or glances a vehicle."""

    def hits(self, rule: Rule, roll: HitRoll, strike: Strike) -> None:
        """A natural 6."""
        roll.lethal += ("SR-LETHAL-HIT-1", "SR-LETHAL-HIT-2")
