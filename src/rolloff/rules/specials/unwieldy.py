"""Unwieldy: successful to-hit dice must be rolled again."""

from __future__ import annotations

from typing import Any

from rolloff.oracle.draft import Draft, Reroll
from rolloff.rules.hooks import Special


class Unwieldy(Special):
    """Rolls successful to-hit dice again."""

    on_weapon = True
    on_unit = False

    def alter(self, stage: str, draft: Draft, strike: Any) -> None:
        """Successes are rolled again."""
        if stage == "hit":
            draft.reroll(Reroll.SUCCESSES, *self.clauses)
