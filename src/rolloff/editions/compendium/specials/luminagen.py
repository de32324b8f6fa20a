"""Luminagen: who is hit glows."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Ability
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.traits import LUMINAGEN
from rolloff.table.profile import Rule


class Luminagen(Ability):
    """A unit that suffered an unsaved wound or hit has its cover saves 1 worse to the end of the phase."""

    def traits(self, rule: Rule, strike: Strike) -> tuple[str, ...]:
        """Every wound and hit."""
        return (LUMINAGEN,)  # SR-LUMINAGEN-1, SR-LUMINAGEN-3
