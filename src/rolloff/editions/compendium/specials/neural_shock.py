"""Neural Shock: wounds on 4+."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Ability
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.rolls import WoundRoll
from rolloff.table.profile import Rule


class NeuralShock(Ability):
    """Hits always wound on exactly 4+; against vehicles the rule has no effect, the weapon has."""

    def wounds(self, rule: Rule, roll: WoundRoll, strike: Strike) -> None:
        """4+."""
        if not strike.enemy.vehicle:  # SR-NEURAL-SHOCK-2
            roll.fix(4, "SR-NEURAL-SHOCK-1")
