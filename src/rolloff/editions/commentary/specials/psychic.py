"""Psychic: a tag that others read."""

from __future__ import annotations

from rolloff.editions.commentary.ability import Ability
from rolloff.editions.commentary.matchup import Strike
from rolloff.editions.commentary.traits import PSYCHIC


class Psychic(Ability):
    """Attacks with the weapon are Psychic Attacks."""

    on_weapon = True
    core = True

    def traits(self, strike: Strike) -> tuple[str, ...]:
        """Its wounds are psychic."""
        return (PSYCHIC,)
