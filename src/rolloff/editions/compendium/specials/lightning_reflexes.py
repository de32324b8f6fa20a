"""Lightning Reflexes: hard to catch."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Ability, Scope, Wards
from rolloff.rules.citing import cites
from rolloff.table.profile import Rule


class LightningReflexes(Ability):
    """A 4+ invulnerable save; charging through difficult terrain does not slow its blows."""

    scope = Scope.MODEL

    @cites("SR-LIGHTNING-REFLEXES-2")
    def clears(self, rule: Rule) -> bool:
        """SR-LIGHTNING-REFLEXES-2: no penalty on its Initiative."""
        return True

    def ward(self, rule: Rule, wards: Wards) -> None:
        """4+ invulnerable."""
        wards.invulnerable = min(wards.invulnerable, 4)  # SR-LIGHTNING-REFLEXES-1
