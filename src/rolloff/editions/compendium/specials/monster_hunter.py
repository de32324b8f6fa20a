"""Monster Hunter: knows where to hit Monsters."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Ability, Scope
from rolloff.editions.compendium.matchup import MONSTER, Strike
from rolloff.editions.compendium.rolls import FAILURES, WoundRoll
from rolloff.table.profile import Rule


class MonsterHunter(Ability):
    """Failed To Wound rolls against Monsters are rolled again."""

    scope = Scope.UNIT_ANY
    also_on_weapons = True

    def wounds(self, rule: Rule, roll: WoundRoll, strike: Strike) -> None:
        """All failures."""
        if strike.enemy.is_a(MONSTER):
            roll.again(FAILURES, "SR-MONSTER-HUNTER-1")
