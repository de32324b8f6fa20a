"""A wider range of Critical Hits or Wounds."""

from __future__ import annotations

from rolloff.editions.commentary.ability import Numbered
from rolloff.editions.commentary.matchup import Strike
from rolloff.oracle.draft import Draft


class Criticals(Numbered):
    """A natural roll of so much or more is critical; of several the widest counts."""

    on_weapon = True
    lower_is_better = True
    lowest = 2
    highest = 6
    samples = (5, 4)

    def __init__(self, name: str, stage: str, *clauses: str) -> None:
        """Which roll."""
        super().__init__(*clauses)
        self.name, self.stage = name, stage

    def alter(self, stage: str, draft: Draft, strike: Strike) -> None:
        """Widen the range."""
        if stage == self.stage:
            for rating in strike.ratings(self.name):
                draft.critical(int(rating or 6), *self.clauses)
