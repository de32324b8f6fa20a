"""One Use Only: once a battle."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Ability, Aim, Refusal
from rolloff.table.profile import Rule


class OneUseOnly(Ability):
    """The weapon can be used once; it is spent when it is declared."""

    def bars(self, rule: Rule, aim: Aim) -> Refusal | None:
        """Not again."""
        return ("spent", "SR-ONE-USE-ONLY-1", "it has been used in this battle") if aim.spent else None
