"""Plain modifiers of Hit and Wound rolls, given by either side."""

from __future__ import annotations

import re

from rolloff.editions.commentary.ability import ATTACKER, Ability, bad_rating
from rolloff.editions.commentary.matchup import Strike
from rolloff.oracle.draft import Draft
from rolloff.table.profile import Rating

_SIGNED = re.compile(r"^[+-]?[1-9]$")


class RollModifier(Ability):
    """Adds to a roll, or takes from it; all of them add up before they are limited."""

    rated = True
    on_weapon = True
    samples = ("+1", "-1")

    def __init__(self, name: str, stage: str, *clauses: str, part: str = ATTACKER) -> None:
        """Which roll, and whether the attacker or the target brings it."""
        super().__init__(*clauses)
        self.name, self.stage, self.part = name, stage, part
        self.on_weapon = part == ATTACKER

    def read(self, rating: str, where: str) -> Rating:
        """A number with its sign."""
        text = rating.strip()
        if not _SIGNED.match(text):
            raise bad_rating(rating, where, "+1, -1 and the like")
        return f"{int(text):+d}"

    def alter(self, stage: str, draft: Draft, strike: Strike) -> None:
        """Change the roll."""
        if stage == self.stage:
            for rating in strike.ratings(self.name):
                draft.modify(int(str(rating)), *self.clauses, what=self.name)
