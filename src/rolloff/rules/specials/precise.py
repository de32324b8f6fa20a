"""Precise: shoots as if of the best quality."""

from __future__ import annotations

from rolloff.oracle.draft import Draft
from rolloff.rules.hooks import Matchup, Special


class Precise(Special):
    """Replaces the number needed to hit when shooting."""

    on_weapon = True
    on_unit = False

    def __init__(self, need: int, *clauses: str) -> None:
        """The number needed instead."""
        super().__init__(*clauses)
        self.need = need

    def alter(self, stage: str, draft: Draft, strike: Matchup) -> None:
        """Hit on the better number; in melee nothing changes."""
        if stage == "hit" and strike.kind == "shooting":
            draft.set_need(self.need, *self.clauses)
