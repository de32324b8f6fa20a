"""Eternal Warrior: nothing kills it at a stroke."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Ability, Scope, Wards
from rolloff.table.profile import Rule


class EternalWarrior(Ability):
    """A wound with Instant Death takes one Wound off it, literally, whatever the Damage."""

    scope = Scope.MODEL

    def ward(self, rule: Rule, wards: Wards) -> None:
        """Instant Death costs one."""
        wards.eternal = True  # SR-ETERNAL-WARRIOR-1, SR-ETERNAL-WARRIOR-2
