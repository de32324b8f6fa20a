"""Linked: failed to-hit dice may be rolled again."""

from __future__ import annotations

from rolloff.oracle.draft import Draft, Reroll
from rolloff.rules.hooks import Matchup, Special


class Linked(Special):
    """Rolls failed to-hit dice again."""

    on_weapon = True
    on_unit = False

    def alter(self, stage: str, draft: Draft, strike: Matchup) -> None:
        """Failures are rolled again."""
        if stage == "hit":
            draft.reroll(Reroll.FAILURES, *self.clauses)
