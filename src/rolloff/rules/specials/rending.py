"""Rending: a hit on a six wounds by itself."""

from __future__ import annotations

from rolloff.oracle.draft import Draft
from rolloff.oracle.flow import HITS
from rolloff.rules.hooks import Matchup, Special


class Rending(Special):
    """A final face of six that hits becomes one wound: no ignore roll, no block."""

    on_weapon = True
    on_unit = False

    def __init__(self, wound: str, *clauses: str) -> None:
        """``wound`` is the stage a wound enters by."""
        super().__init__(*clauses)
        self.wound = wound

    def alter(self, stage: str, draft: Draft, strike: Matchup) -> None:
        """A six goes straight to the wound."""
        if stage == "hit":
            draft.react(6, *self.clauses, become=(HITS, self.wound))
