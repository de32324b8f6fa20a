"""Hammer of Wrath: the impact of a charge."""

from __future__ import annotations

from rolloff.editions.compendium.ability import MELEE, Rolled, Scope


class HammerOfWrath(Rolled):
    """A charger that touches an enemy makes an extra attack that hits automatically, at its own Strength, at step 10."""

    scope = Scope.MODEL
    kinds = (MELEE,)
    usual = None
