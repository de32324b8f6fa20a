"""Master-crafted: one blow or shot a turn may be tried again."""

from __future__ import annotations

from msgspec.structs import replace

from rolloff.editions.compendium.ability import Ability, Bearing
from rolloff.editions.compendium.resolve import Group
from rolloff.table.profile import Rule


class MasterCrafted(Ability):
    """The bearer may roll one failed To Hit roll again each turn with this weapon."""

    def grouped(self, rule: Rule, group: Group, bearing: Bearing) -> Group:
        """Each weapon for itself, unless its use for this turn is gone."""
        return group if bearing.used else replace(group, mastered=True)  # SR-MASTER-CRAFTED-1, SR-MASTER-CRAFTED-2
