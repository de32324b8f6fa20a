"""Hatred: failed melee to-hit dice may be rolled again by those who assault."""

from __future__ import annotations

from rolloff.oracle.draft import Draft, Reroll
from rolloff.rules.hooks import Matchup, Special


class Hatred(Special):
    """Rolls failed to-hit dice again in a melee its bearer has begun."""

    def lends(self, assaulting: bool) -> bool:
        """Only for those who assault."""
        return assaulting

    def alter(self, stage: str, draft: Draft, strike: Matchup) -> None:
        """Failures are rolled again."""
        if stage == "hit" and strike.kind == "melee":
            draft.reroll(Reroll.FAILURES, *self.clauses)
