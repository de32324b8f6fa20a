"""Ignores Cover: nothing to hide behind."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Ability
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.traits import NO_COVER
from rolloff.table.profile import Rule


class IgnoresCover(Ability):
    """No cover save of any kind against its wounds and hits."""

    def traits(self, rule: Rule, strike: Strike) -> tuple[str, ...]:
        """Whatever the cover comes from."""
        return (NO_COVER,)  # SR-IGNORES-COVER-1, SR-IGNORES-COVER-2
