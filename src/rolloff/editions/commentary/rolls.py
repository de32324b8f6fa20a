"""Rolls as this edition modifies them (MODROLL)."""

from __future__ import annotations

from rolloff.oracle.draft import Draft
from rolloff.rules.citing import cites


@cites("MODROLL-3")
def at_least_one(value: int) -> int:
    """MODROLL-3: a modified roll is never below 1."""
    return max(1, value)


@cites("MODROLL-2")
def rolled(natural: int, by: int) -> int:
    """MODROLL-2: a modified roll may exceed what the dice could show."""
    return at_least_one(natural + by)


class Roll(Draft):
    """A Hit, Wound or saving roll in the making."""

    def value(self, face: int) -> int:
        """What a natural result comes to, all modifiers totalled and clipped (MODROLL-4)."""
        return rolled(face, self.clipped())

    def shown(self, need: int | None) -> int | None:
        """The least that succeeds: above the faces that always fail, and a critical one where nothing else does (CRIT-2)."""
        if need is None:
            return self.critical_on if self.critical_on <= self.sides else None
        return max(need - self.clipped(), 1, *[face + 1 for face in self._natural[0]])

    @cites("MODROLL-1", "REROLL-5")
    def judged(self, face: int) -> int:
        """MODROLL-1: modifiers come after all re-rolls, so a re-roll looks at what the die shows."""
        return face

    @cites("DICE-3")
    def is_critical(self, face: int) -> bool:
        """DICE-3: critical is the unmodified value, after re-rolls and before modifiers."""
        return face >= self.critical_on
