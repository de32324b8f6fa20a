"""Skyfire: aimed at the sky."""

from __future__ import annotations

from msgspec.structs import replace

from rolloff.editions.compendium.ability import SHOOTING, Ability, Scope
from rolloff.editions.compendium.strike import Strike
from rolloff.table.profile import Rule

AIRBORNE = ("flyer", "flying monster", "skimmer")


class Skyfire(Ability):
    """Full CT at Flyers, Flying Monsters and Skimmers; only Snap Shots at anything else."""

    scope = Scope.MODEL_OR_WEAPON
    kinds = (SHOOTING,)

    def profile(self, rule: Rule, strike: Strike) -> Strike:
        """What the target is decides."""
        airborne = any(strike.foe.is_a(name) for name in AIRBORNE)
        return replace(strike, snap=strike.snap or not airborne)  # SR-SKYFIRE-1
