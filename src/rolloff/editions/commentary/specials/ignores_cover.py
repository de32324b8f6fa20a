"""Ignores Cover: the target has no Benefit of Cover against the attack."""

from __future__ import annotations

from rolloff.editions.commentary.ability import SHOOTING, Ability
from rolloff.editions.commentary.matchup import Strike
from rolloff.editions.commentary.traits import UNCOVERED


class IgnoresCover(Ability):
    """Denies the Benefit of Cover."""

    on_weapon = True
    core = True
    kinds = (SHOOTING,)

    def traits(self, strike: Strike) -> tuple[str, ...]:
        """No cover counts."""
        return (UNCOVERED,)
