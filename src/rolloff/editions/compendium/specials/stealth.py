"""Stealth: better at hiding."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Scope, Wards, Worded
from rolloff.editions.compendium.matchup import singular
from rolloff.table.profile import Rule


class Stealth(Worded):
    """Cover saves 1 better, in the open too; Stealth (X) only in terrain of type X."""

    scope = Scope.UNIT_ANY

    def ward(self, rule: Rule, wards: Wards) -> None:
        """1 better, once."""
        if rule.rating is None or singular(str(rule.rating)) in wards.ground:  # SR-STEALTH-2
            wards.shift += 1  # SR-STEALTH-1, SR-STEALTH-3
