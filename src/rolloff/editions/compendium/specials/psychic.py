"""Psychic: weapons of the mind."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Ability
from rolloff.editions.compendium.matchup import PSYKER
from rolloff.rules.citing import cites


class Psychic(Ability):
    """Only Psykers use it."""

    @cites("SR-PSYCHIC-1")
    def serves(self, types: frozenset[str]) -> bool:
        """Whoever is a Psyker, a member of a Brotherhood among them (SR-BROTHERHOOD-5)."""
        return PSYKER in types
