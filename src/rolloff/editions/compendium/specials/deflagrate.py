"""Deflagrate: wounds set fire to those around."""

from __future__ import annotations

from msgspec.structs import replace

from rolloff.editions.compendium.ability import Ability, Bearing
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.resolve import Group
from rolloff.table.profile import DiceRoll, Rule


class Deflagrate(Ability):
    """After the attacks the target takes as many automatic hits as it suffered unsaved wounds: S6, AP -1, Damage 1."""

    def grouped(self, rule: Rule, group: Group, bearing: Bearing) -> Group:
        """The hits have no rules of their own, so they set no further fires."""
        strike = group.strike
        fire = Strike(strike.kind, 0, strike.enemy, (), 6, ap=-1, damage=DiceRoll(plus=1), automatic=True)
        return replace(group, deflagrates=fire)  # SR-DEFLAGRATE-1, SR-DEFLAGRATE-3
