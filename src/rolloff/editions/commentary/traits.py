"""Words that travel with a wound from the flow to whoever bears it."""

from __future__ import annotations

from functools import lru_cache

from rolloff.editions.commentary.values import DAMAGE, OPS, Effect
from rolloff.oracle.target import MORTAL_TRAIT

MORTAL = MORTAL_TRAIT
PSYCHIC = "psychic"
PRECISE = "precise"
"""The attacker may send it to a CHARACTER."""
HIDDEN = "hidden:"
"""How the word begins for a CHARACTER the attacking model does not see; its slot follows."""
RANGED = "ranged"
COVERED = "covered"
"""The attack itself gives the target the Benefit of Cover."""
UNCOVERED = "uncovered"
"""The attack allows no Benefit of Cover."""
ASSIGNED = "assigned"
"""Allocated now, saved when all of its kind are (PREC-2)."""
RESOLVED = "resolved"
"""Whatever was assigned is saved and suffered now."""
CONVERTED = "converted"
"""Its damage becomes mortal wounds that wait for the end (MW-4)."""
RELEASED = "released"
"""The mortal wounds that waited are applied now."""
UNHARMED = "unharmed"
"""The attack ignores what would lessen its Damage (IGN-1)."""


@lru_cache(maxsize=1024)
def damage_effects(traits: tuple[str, ...]) -> tuple[Effect, ...]:
    """The changes of Damage that an attack carries with it, where the target's models do not all change it alike."""
    return tuple(Effect(DAMAGE, OPS[word[1]], int(word[2:])) for word in traits if word[:1] == DAMAGE and word[1:2] in OPS)
