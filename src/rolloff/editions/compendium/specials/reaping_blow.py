"""Reaping Blow: slow and wide."""

from __future__ import annotations

from rolloff.editions.compendium.ability import MELEE, Ability, Circumstance, Volume
from rolloff.rules.citing import cites
from rolloff.table.profile import Rule


class ReapingBlow(Ability):
    """Its user fights at -1 Initiative; touching more than one enemy it strikes once more."""

    kinds = (MELEE,)

    @cites("SR-REAPING-BLOW-1")
    def step(self, rule: Rule, step: int, types: frozenset[str]) -> int:
        """One later, at least 1."""
        return max(1, step - 1)  # SR-REAPING-BLOW-3

    def volume(self, rule: Rule, volume: Volume, at: Circumstance) -> None:
        """One attack more."""
        if at.touching > 1:
            volume.bonus += 1  # SR-REAPING-BLOW-2
