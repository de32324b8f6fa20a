"""Lone Operative: not to be picked out from afar."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Ability, Aim, Refusal, Scope
from rolloff.lengths import INCH
from rolloff.table.profile import Rule

REACH = 12 * INCH


class LoneOperative(Ability):
    """By itself it can be chosen as the target of a ranged attack only by models within 12"."""

    scope = Scope.MODEL

    def shields(self, rule: Rule, aim: Aim) -> Refusal | None:
        """Checked for each attacking model."""
        if aim.distance is not None and aim.distance <= REACH:  # SR-LONE-OPERATIVE-1, SR-LONE-OPERATIVE-2
            return None
        return "too-far", "SR-LONE-OPERATIVE-1", 'it can be targeted only from within 12"'
