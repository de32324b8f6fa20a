"""Extra Attacks: a weapon that strikes beside another."""

from __future__ import annotations

from rolloff.editions.compendium.ability import MELEE, Numbered


class ExtraAttacks(Numbered):
    """Each time the bearer fights it makes so many attacks more with this weapon, whichever it uses otherwise."""

    kinds = (MELEE,)
    usual = 1
    samples = (1, 2)
