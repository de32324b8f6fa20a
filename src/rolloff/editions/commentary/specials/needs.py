"""Rules that state the Wound roll needed, whatever Strength and Toughness say."""

from __future__ import annotations

from rolloff.editions.commentary.ability import TARGET, Numbered
from rolloff.editions.commentary.matchup import WOUND, Strike
from rolloff.oracle.draft import Draft


class WoundsOn(Numbered):
    """The attack wounds on so much or more."""

    core = False
    on_weapon = True
    lowest = 2
    highest = 6
    samples = (2, 5)

    def alter(self, stage: str, draft: Draft, strike: Strike) -> None:
        """Replace the number needed."""
        if stage == WOUND:
            for rating in strike.ratings("Wounds On"):
                draft.set_need(int(rating or 2), *self.clauses)


class WoundedOn(Numbered):
    """The target is only wounded on so much or more."""

    core = False
    part = TARGET
    lowest = 2
    highest = 6
    samples = (4, 5)

    def alter(self, stage: str, draft: Draft, strike: Strike) -> None:
        """Replace the number needed if it is lower."""
        if stage == WOUND:
            for rating in strike.ratings("Wounded On"):
                draft.set_need(max(int(rating or 2), draft.need or 2), *self.clauses)
