"""Melta: melts armour at close range."""

from __future__ import annotations

from rolloff.editions.compendium.ability import SHOOTING, Ability
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.traits import MELTA
from rolloff.table.profile import Rule


class Melta(Ability):
    """At half range or less adds a D6 to the Damage on a vehicle."""

    kinds = (SHOOTING,)

    def traits(self, rule: Rule, strike: Strike) -> tuple[str, ...]:
        """Vehicles at half range."""
        return (MELTA,) if strike.enemy.vehicle and strike.half_range else ()  # SR-MELTA-1, SR-MELTA-3
