"""Daemon: not wholly of this world."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Ability, Scope, Wards
from rolloff.table.profile import Rule


class Daemon(Ability):
    """Has a 5+ invulnerable save unless its own is better."""

    scope = Scope.MODEL

    def ward(self, rule: Rule, wards: Wards) -> None:
        """5+ invulnerable."""
        wards.invulnerable = min(wards.invulnerable, 5)  # SR-DAEMON-1, SR-DAEMON-2
