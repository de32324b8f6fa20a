"""Flying: over units, impassable ground and whatever terrain would do."""

from __future__ import annotations

from rolloff.rules.hooks import Passage, Special, Spread


class Flying(Special):
    """Passes over everything and ignores what terrain does to it; all models of the unit must have it."""

    spread = Spread.ALL

    def passage(self, passage: Passage) -> None:
        """Nothing hinders on the way."""
        passage.difficult = False
        passage.dangerous = False
        passage.through_units = True
        passage.through_impassable = True
