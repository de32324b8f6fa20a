"""Sniper: hits on a good number whoever shoots; whom it hits, and that cover is no help, stands where shots are gathered."""

from __future__ import annotations

from typing import Any

from rolloff.oracle.draft import Draft
from rolloff.rules.hooks import Special


class Sniper(Special):
    """Replaces the number needed to hit."""

    on_weapon = True
    on_unit = False

    def __init__(self, need: int, *clauses: str) -> None:
        """The number needed instead."""
        super().__init__(*clauses)
        self.need = need

    def alter(self, stage: str, draft: Draft, strike: Any) -> None:
        """Hit on the better number."""
        if stage == "hit":
            draft.set_need(self.need, *self.clauses)
