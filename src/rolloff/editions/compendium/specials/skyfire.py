"""Skyfire: aimed at the sky."""

from __future__ import annotations

from rolloff.editions.compendium.ability import SHOOTING, Ability, Scope
from rolloff.editions.compendium.matchup import Enemy
from rolloff.rules.citing import cites
from rolloff.table.profile import Rule

AIRBORNE = ("flyer", "flying monster", "skimmer")


class Skyfire(Ability):
    """Full CT at Flyers, Flying Monsters and Skimmers; only Snap Shots at anything else."""

    scope = Scope.MODEL_OR_WEAPON
    kinds = (SHOOTING,)

    @cites("SR-SKYFIRE-1")
    def snaps(self, rule: Rule, enemy: Enemy) -> bool:
        """What the target is decides."""
        return not any(enemy.is_a(name) for name in AIRBORNE)
