"""Unwieldy: successful to-hit dice must be rolled again."""

from __future__ import annotations

from rolloff.oracle.draft import Draft, Reroll
from rolloff.rules.hooks import Matchup, Special


class Unwieldy(Special):
    """Rolls successful to-hit dice again."""

    on_weapon = True
    on_unit = False

    def alter(self, stage: str, draft: Draft, strike: Matchup) -> None:
        """Successes are rolled again."""
        if stage == "hit":
            draft.reroll(Reroll.SUCCESSES, *self.clauses)
