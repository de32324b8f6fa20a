"""Strafing Run: fire from above."""

from __future__ import annotations

from msgspec.structs import replace

from rolloff.editions.compendium.ability import SHOOTING, Ability, Scope
from rolloff.editions.compendium.matchup import Strike, bounded
from rolloff.table.profile import Rule

WEAPONS = ("Assault", "Heavy", "Rapid Fire", "Salvo")
GROUND = ("infantry", "beast", "cavalry", "bike", "artillery", "monster")


class StrafingRun(Ability):
    """+1 CT with some weapons against targets on the ground."""

    scope = Scope.VEHICLE
    kinds = (SHOOTING,)

    def profile(self, rule: Rule, strike: Strike) -> Strike:
        """Flyers and Skimmers are no such targets."""
        enemy = strike.enemy
        grounded = any(enemy.is_a(name) for name in GROUND) or (
            enemy.vehicle and not enemy.is_a("flyer") and not enemy.is_a("skimmer")
        )
        if strike.snap or not grounded or not any(strike.has(name) for name in WEAPONS):
            return strike
        return replace(strike, skill=bounded(strike.skill + 1))  # SR-STRAFING-RUN-1
