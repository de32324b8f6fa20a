"""Shrouded: hard to make out."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Ability, Scope, Wards
from rolloff.table.profile import Rule


class Shrouded(Ability):
    """Cover saves 2 better, in the open too; together with Stealth as well."""

    scope = Scope.UNIT_ANY

    def ward(self, rule: Rule, wards: Wards) -> None:
        """2 better."""
        wards.shift += 2  # SR-SHROUDED-1, SR-SHROUDED-2
