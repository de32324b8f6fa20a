"""Twin-linked: two barrels, one trigger."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Ability
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.rolls import FAILURES, HitRoll, WoundRoll
from rolloff.table.profile import Rule


class TwinLinked(Ability):
    """Failed To Hit rolls are rolled again; a Template rolls failed To Wound and armour rolls again instead."""

    def hits(self, rule: Rule, roll: HitRoll, strike: Strike) -> None:
        """All misses."""
        roll.again(FAILURES, "SR-TWIN-LINKED-1")

    def wounds(self, rule: Rule, roll: WoundRoll, strike: Strike) -> None:
        """All failures of a Template."""
        if strike.area and strike.has("Template"):
            roll.again(FAILURES, "SR-TWIN-LINKED-3")
