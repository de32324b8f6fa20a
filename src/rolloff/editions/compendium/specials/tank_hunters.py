"""Tank Hunters: know the weak spots."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Ability, Scope
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.rolls import FAILURES, WoundRoll
from rolloff.editions.compendium.traits import HUNTERS
from rolloff.table.profile import Rule


class TankHunters(Ability):
    """Against vehicles failed armour rolls are rolled again and each hit does D3 Damage more."""

    scope = Scope.UNIT_ANY
    also_on_weapons = True

    def wounds(self, rule: Rule, roll: WoundRoll, strike: Strike) -> None:
        """All failures."""
        if strike.enemy.vehicle:
            roll.again(FAILURES, "SR-TANK-HUNTERS-1")

    def traits(self, rule: Rule, strike: Strike) -> tuple[str, ...]:
        """+D3."""
        return (HUNTERS,) if strike.enemy.vehicle else ()  # SR-TANK-HUNTERS-2, SR-TANK-HUNTERS-3
