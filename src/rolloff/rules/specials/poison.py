"""Poison: units of one type roll successful blocks again."""

from __future__ import annotations

from rolloff.oracle.draft import Draft, Reroll
from rolloff.rules.hooks import Matchup, Special


class Poison(Special):
    """Units of one type that are hit by it must roll successful blocks again."""

    on_weapon = True
    on_unit = False

    def __init__(self, type: str, *clauses: str) -> None:
        """The type of unit that suffers from it."""
        super().__init__(*clauses)
        self.type = type

    def alter(self, stage: str, draft: Draft, strike: Matchup) -> None:
        """Blocks of that type are rolled again."""
        if stage == "block" and strike.type == self.type:
            draft.reroll(Reroll.SUCCESSES, *self.clauses)
