"""Sniper: chooses where to hit."""

from __future__ import annotations

from rolloff.editions.compendium.ability import SHOOTING, Ability, Scope
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.rolls import HitRoll, WoundRoll
from rolloff.table.profile import Rule


class Sniper(Ability):
    """Shooting: a To Hit 6 is precise, wounds on exactly 4+, a To Wound 6 is at AP -4."""

    scope = Scope.MODEL_OR_WEAPON
    kinds = (SHOOTING,)

    def hits(self, rule: Rule, roll: HitRoll, strike: Strike) -> None:
        """A natural 6."""
        roll.precise(6, "SR-SNIPER-1")

    def wounds(self, rule: Rule, roll: WoundRoll, strike: Strike) -> None:
        """4+; vehicles are tried with the printed Strength."""
        if not strike.enemy.vehicle:  # SR-SNIPER-4
            roll.fix(4, "SR-SNIPER-2")
        roll.pierce(-4, "SR-SNIPER-3")
