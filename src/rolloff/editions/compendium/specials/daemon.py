"""Daemon: not wholly of this world."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Ability, Scope, Wards
from rolloff.rules.citing import cites
from rolloff.table.profile import Rule


@cites("SR-DAEMON-2")
def better(held: int, given: int) -> int:
    """SR-DAEMON-2: a better save on the profile is kept."""
    return min(held, given)


class Daemon(Ability):
    """Has a 5+ invulnerable save unless its own is better."""

    scope = Scope.MODEL

    def ward(self, rule: Rule, wards: Wards) -> None:
        """5+ invulnerable."""
        wards.invulnerable = better(wards.invulnerable, 5)  # SR-DAEMON-1
