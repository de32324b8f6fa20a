"""Molecular Realignment Field: slips through wards."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Ability
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.traits import REALIGNED
from rolloff.table.profile import Rule


class MolecularRealignmentField(Ability):
    """Successful invulnerable saves against its wounds must be rolled again."""

    def traits(self, rule: Rule, strike: Strike) -> tuple[str, ...]:
        """Every wound and hit."""
        return (REALIGNED,)  # SR-MOLECULAR-REALIGNMENT-FIELD-1
