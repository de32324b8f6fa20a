"""Sniper: hits on a good number whoever shoots; whom it hits, and that cover is no help, stands where shots are gathered."""

from __future__ import annotations

from rolloff.oracle.draft import Draft
from rolloff.rules.hooks import Matchup
from rolloff.rules.specials.precise import Precise


class Sniper(Precise):
    """Replaces the number needed to hit, in whatever fight."""

    def alter(self, stage: str, draft: Draft, strike: Matchup) -> None:
        """Hit on the better number."""
        if stage == "hit":
            draft.set_need(self.need, *self.clauses)
