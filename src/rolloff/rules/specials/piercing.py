"""Piercing: the weapon ignores Armored, or successful blocks against it are rolled again."""

from __future__ import annotations

from rolloff.rules.hooks import Matchup, Special


class Piercing(Special):
    """Pierces the targets of some types, or every target; which of the two it does is settled where attacks are planned."""

    on_weapon = True
    on_unit = False

    def __init__(self, *clauses: str, against: tuple[str, ...] = ()) -> None:
        """``against`` names the types of units it works on; none: all."""
        super().__init__(*clauses)
        self.against = against

    def pierces(self, strike: Matchup) -> bool:
        """If the target is of a type it works on."""
        return not self.against or strike.type in self.against
