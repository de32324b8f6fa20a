"""Pistol: may be fired in a scuffle."""

from __future__ import annotations

from rolloff.editions.compendium.ability import SHOOTING, Ability


class Pistol(Ability):
    """May be fired at a unit within Engagement Range; a model fires its Pistols or its other weapons."""

    kinds = (SHOOTING,)
