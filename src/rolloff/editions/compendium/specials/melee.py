"""Melee: a weapon for close combat alone."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Ability, Aim, Refusal
from rolloff.table.profile import Rule


class Melee(Ability):
    """Usable only in the Fight sub-phase."""

    def bars(self, rule: Rule, aim: Aim) -> Refusal | None:
        """It is never fired."""
        return "not-ranged", "SR-MELEE-1", "a Melee weapon is used only in the Fight sub-phase"
