"""Fast: the unit goes further."""

from __future__ import annotations

from rolloff.rules.hooks import Pace, Special, Spread


class Fast(Special):
    """Adds to every allowance; all models of the unit must have it."""

    spread = Spread.ALL

    def __init__(self, steady: int, rush: int, *clauses: str) -> None:
        """How much further on a walk, and on a run or assault, in thou."""
        super().__init__(*clauses)
        self.steady, self.rush = steady, rush

    def pace(self, pace: Pace) -> None:
        """Go further."""
        pace.steady += self.steady
        pace.rush += self.rush
        pace.close += self.rush
