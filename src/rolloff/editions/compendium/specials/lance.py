"""Lance: pierces the thickest plate, and strikes hardest on the charge."""

from __future__ import annotations

from msgspec.structs import replace

from rolloff.editions.compendium.ability import Ability
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.rolls import WoundRoll
from rolloff.table.profile import Rule

MOST_ARMOUR = 13


class Lance(Ability):
    """Armour above 13 counts as 13; in close combat after a charge +2 S and +1 To Wound, armour rolls included."""

    def profile(self, rule: Rule, strike: Strike) -> Strike:
        """Any attack with it."""
        if strike.enemy.armour <= MOST_ARMOUR:
            return strike
        return replace(strike, enemy=replace(strike.enemy, armour=MOST_ARMOUR))  # SR-LANCE-1

    def strength(self, rule: Rule, strike: Strike) -> int:
        """+2 on the charge; not for a Smash Attack, which ignores what weapons add (SR-SMASH-3)."""
        if not strike.charged or not strike.melee or strike.smashes:
            return 0
        return 2  # SR-LANCE-3, SR-LANCE-4

    def wounds(self, rule: Rule, roll: WoundRoll, strike: Strike) -> None:
        """+1 on the charge."""
        if strike.charged and strike.melee:  # SR-LANCE-4
            roll.modify(1, "SR-LANCE-2", what="lance")
