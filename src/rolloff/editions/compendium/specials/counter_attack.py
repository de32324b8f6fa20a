"""Counter-attack: meets a charge with blows."""

from __future__ import annotations

from rolloff.editions.compendium.ability import MELEE, Ability, Circumstance, Scope, Volume
from rolloff.table.profile import Rule


class CounterAttack(Ability):
    """Charged while not yet locked in combat, it has one attack more."""

    scope = Scope.MODEL
    kinds = (MELEE,)

    def volume(self, rule: Rule, volume: Volume, at: Circumstance) -> None:
        """+1."""
        if at.was_charged:  # SR-COUNTER-ATTACK-2
            volume.bonus += 1  # SR-COUNTER-ATTACK-1
