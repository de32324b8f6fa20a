"""Swarms: many small bodies."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Ability, Scope, Wards
from rolloff.table.profile import Rule


class Swarms(Ability):
    """Unsaved wounds of Templates and Blasts count double; of equally close ones the weakest is taken first."""

    scope = Scope.MODEL

    def ward(self, rule: Rule, wards: Wards) -> None:
        """A swarm."""
        wards.swarm = True  # SR-SWARMS-1, SR-SWARMS-2, SR-SWARMS-4
