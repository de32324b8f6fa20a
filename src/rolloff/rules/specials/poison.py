"""Poison: infantry throw successful blocks again."""

from __future__ import annotations

from typing import Any

from rolloff.oracle.draft import Draft, Reroll
from rolloff.rules.hooks import Special


class Poison(Special):
    """Infantry hit by it must throw successful blocks again."""

    on_weapon = True
    on_unit = False

    def alter(self, stage: str, draft: Draft, strike: Any) -> None:
        """Blocks of infantry are thrown again."""
        if stage == "block" and strike.type == "infantry":
            draft.reroll(Reroll.SUCCESSES, *self.clauses)
