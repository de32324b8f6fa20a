"""Burst Pistol: a Pistol that fires five shots."""

from __future__ import annotations

from rolloff.editions.compendium.ability import SHOOTING, Ability, Circumstance, Volume
from rolloff.table.profile import DiceRoll, Rule


class BurstPistol(Ability):
    """Fires five shots; in everything else it is a Pistol."""

    kinds = (SHOOTING,)

    def volume(self, rule: Rule, volume: Volume, at: Circumstance) -> None:
        """Five shots, whatever is printed."""
        volume.dice = DiceRoll(plus=5)  # SR-BURST-PISTOL-1
