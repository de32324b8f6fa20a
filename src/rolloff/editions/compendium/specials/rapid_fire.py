"""Rapid Fire: more shots close by."""

from __future__ import annotations

from rolloff.editions.compendium.ability import SHOOTING, Circumstance, Numbered, Volume
from rolloff.table.profile import Rule


class RapidFire(Numbered):
    """Against a target within half range the weapon fires X shots more."""

    kinds = (SHOOTING,)
    usual = 1

    def volume(self, rule: Rule, volume: Volume, at: Circumstance) -> None:
        """At half range."""
        if at.half_range:  # SR-RAPID-FIRE-3
            volume.bonus += int(rule.rating or 1)  # SR-RAPID-FIRE-1
