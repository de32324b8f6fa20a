"""Weapon abilities that decide who may fire, how often, or what follows: other parts of the rules ask for them."""

from __future__ import annotations

from rolloff.editions.commentary.ability import OTHER, Ability


class WeaponNote(Ability):
    """A weapon ability without a part in the stages of an attack."""

    part = OTHER
    on_weapon = True
    core = True
