"""Moonsilver: the bane of Daemons and Psykers."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Ability
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.traits import MOONSILVER
from rolloff.table.profile import Rule


class Moonsilver(Ability):
    """An unsaved wound on a Daemon or Psyker counts as two."""

    def traits(self, rule: Rule, strike: Strike) -> tuple[str, ...]:
        """Who bears the wound decides."""
        return (MOONSILVER,)  # SR-MOONSILVER-1, SR-MOONSILVER-2
