"""Anti-X: attacks on a type of target roll failures again."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Scope, Worded
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.rolls import FAILURES, HitRoll, WoundRoll
from rolloff.table.profile import Rule


class Anti(Worded):
    """Against targets of its type, failed To Hit and To Wound rolls are rolled again."""

    scope = Scope.UNIT_ANY
    also_on_weapons = True
    about_everything = False
    samples = ("Infantry", "Vehicle")

    def hits(self, rule: Rule, roll: HitRoll, strike: Strike) -> None:
        """Failed To Hit rolls."""
        if self.about(rule, strike):
            roll.again(FAILURES, "SR-ANTI-1")

    def wounds(self, rule: Rule, roll: WoundRoll, strike: Strike) -> None:
        """Failed To Wound rolls, the armour roll of vehicles included."""
        if self.about(rule, strike):
            roll.again(FAILURES, "SR-ANTI-2")
