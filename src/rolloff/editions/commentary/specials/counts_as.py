"""Rolls of one value that count as another."""

from __future__ import annotations

import re

from rolloff.editions.commentary.ability import ATTACKER, Ability, bad_rating
from rolloff.editions.commentary.matchup import Strike
from rolloff.oracle.draft import Draft
from rolloff.table.profile import Rating

_RATING = re.compile(r"^(?P<one>[1-6])\s*(?:as|=)\s*(?P<other>[1-6])$")


class CountsAs(Ability):
    """A natural result counts as another, after re-rolls and before modifiers; every rule that reads that value works."""

    rated = True
    samples = ("1 as 6", "5 as 6")

    def __init__(self, name: str, stage: str, *clauses: str, part: str = ATTACKER) -> None:
        """Which roll, and whether the attacker or the target brings it."""
        super().__init__(*clauses)
        self.name, self.stage, self.part = name, stage, part
        self.on_weapon = part == ATTACKER

    def read(self, rating: str, where: str) -> Rating:
        """Two results of a die, as in ``1 as 6``."""
        match = _RATING.match(rating.strip().casefold())
        if match is None:
            raise bad_rating(rating, where, "two results of a die, as in 5 as 6")
        return f"{match['one']} as {match['other']}"

    def same_as(self, rating: Rating) -> str:
        """Two are the same if they are about the same result."""
        return str(rating)

    def alter(self, stage: str, draft: Draft, strike: Strike) -> None:
        """Read one value for another."""
        if stage == self.stage:
            for rating in strike.ratings(self.name):
                one, _, other = str(rating).partition(" as ")
                draft.treat(int(one), int(other), *self.clauses)
