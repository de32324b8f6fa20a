"""Mortal wounds that a weapon inflicts in addition to its normal damage."""

from __future__ import annotations

from rolloff.editions.commentary.ability import Numbered
from rolloff.editions.commentary.matchup import WOUND, Strike, more_mortals
from rolloff.oracle.draft import Draft, When


class MortalWounds(Numbered):
    """A Critical Wound inflicts so many besides, whatever changes the weapon's Damage."""

    core = False
    on_weapon = True
    highest = 12

    def alter(self, stage: str, draft: Draft, strike: Strike) -> None:
        """They wait with the others until all normal damage is done (MW-4)."""
        if stage == WOUND:
            for rating in strike.ratings("Mortal Wounds"):
                draft.react(When.CRITICAL, *self.clauses, add=more_mortals(strike, int(rating or 1)))
