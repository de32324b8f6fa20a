"""Damaged: a model near its end hits worse."""

from __future__ import annotations

from rolloff.editions.commentary.ability import Numbered
from rolloff.editions.commentary.matchup import HIT, Strike
from rolloff.oracle.draft import Draft


class Damaged(Numbered):
    """Takes 1 from the model's Hit rolls while it has so many wounds or fewer left."""

    core = False
    goes_by = ("damaged",)
    samples = (4,)

    def alter(self, stage: str, draft: Draft, strike: Strike) -> None:
        """Worse hits with few wounds left."""
        if stage == HIT and 1 <= strike.damaged <= int(strike.ratings("Damaged")[0] or 0):
            draft.modify(-1, *self.clauses, what="damaged")
