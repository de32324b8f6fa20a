"""Instant Death on a 6 to wound: Decapitating Blow, Murderous Strike and Pulverise are one and the same."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Ability
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.rolls import WoundRoll
from rolloff.table.profile import Rule


class InstantOnSix(Ability):
    """A successful To Wound roll of a natural 6 has Instant Death; vehicles know none."""

    def wounds(self, rule: Rule, roll: WoundRoll, strike: Strike) -> None:
        """A natural 6."""
        if not strike.enemy.vehicle:
            roll.instant += self.clauses
