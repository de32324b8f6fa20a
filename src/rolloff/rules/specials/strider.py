"""Strider: difficult ground is open ground."""

from __future__ import annotations

from rolloff.rules.hooks import Passage, Special, Spread


class Strider(Special):
    """Ignores difficult ground, not dangerous ground; all models of the unit must have it."""

    spread = Spread.ALL

    def passage(self, passage: Passage) -> None:
        """Difficult ground does not hinder."""
        passage.difficult = False
