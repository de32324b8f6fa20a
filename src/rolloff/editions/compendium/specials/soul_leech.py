"""Soul-leech: drinks what it spills."""

from __future__ import annotations

from msgspec.structs import replace

from rolloff.editions.compendium.ability import Ability, Bearing
from rolloff.editions.compendium.resolve import Group
from rolloff.editions.compendium.traits import leeching
from rolloff.table.profile import Rule


class SoulLeech(Ability):
    """Each unsaved wound restores one lost Wound to the bearer at once, never above what it started with."""

    def grouped(self, rule: Rule, group: Group, bearing: Bearing) -> Group:
        """Each bearer for itself; at most what it can have lost."""
        if bearing.wounds < 2:
            return group
        marks = (*group.strike.marks, leeching(bearing.at, bearing.wounds - 1))
        return replace(group, strike=replace(group.strike, marks=marks))  # SR-SOUL-LEECH-1, SR-SOUL-LEECH-2
