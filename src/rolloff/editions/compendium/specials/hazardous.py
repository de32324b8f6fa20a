"""Hazardous: dangerous to its bearer."""

from __future__ import annotations

from msgspec.structs import replace

from rolloff.editions.compendium.ability import Ability, Bearing
from rolloff.editions.compendium.resolve import Group
from rolloff.table.profile import Rule


class Hazardous(Ability):
    """When the unit has finished its attacks, a die for each such weapon used; in close combat too."""

    def grouped(self, rule: Rule, group: Group, bearing: Bearing) -> Group:
        """Remember whose it is."""
        return replace(group, hazardous=True)  # SR-HAZARDOUS-1, SR-HAZARDOUS-2
