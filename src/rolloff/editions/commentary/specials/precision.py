"""Precision: wounds may go to a CHARACTER."""

from __future__ import annotations

from rolloff.editions.commentary.ability import Ability
from rolloff.editions.commentary.matchup import Strike
from rolloff.editions.commentary.traits import PRECISE


class Precision(Ability):
    """A wound on an Attached unit may be allocated to a CHARACTER the attacker sees."""

    on_weapon = True
    core = True

    def traits(self, strike: Strike) -> tuple[str, ...]:
        """The attacker chooses who bears it."""
        return (PRECISE,)
