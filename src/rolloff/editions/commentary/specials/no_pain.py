"""Feel No Pain: lost wounds that are not lost."""

from __future__ import annotations

import re

from rolloff.editions.commentary.ability import BEARER, Numbered, bad_rating
from rolloff.editions.commentary.saves import ALWAYS, Gear
from rolloff.editions.commentary.traits import MORTAL, PSYCHIC
from rolloff.table.profile import Rating, Rule

_RATING = re.compile(rf"^(?P<need>[2-6])\+?\s*(?:against\s+)?(?P<against>{PSYCHIC}|{MORTAL})?(?:\s+(?:attacks|wounds))?$", re.I)


class FeelNoPain(Numbered):
    """For each wound about to be lost a die is rolled; perhaps only against psychic attacks or mortal wounds."""

    part = BEARER
    samples = (5, "4 psychic", "4 mortal")

    def read(self, rating: str, where: str) -> Rating:
        """A number, and perhaps what it works against."""
        match = _RATING.match(rating.strip())
        if match is None:
            raise bad_rating(rating, where, "2+ to 6+, perhaps with psychic or mortal behind it")
        against = (match["against"] or "").casefold()
        return f"{match['need']} {against}" if against else int(match["need"])

    def worth(self, rating: Rating) -> float:
        """Lower is better."""
        return -int(str(rating)[0])

    def same_as(self, rating: Rating) -> str:
        """One that works against some harm only is another ability."""
        return str(rating)[2:]

    def bear(self, rule: Rule, gear: Gear) -> None:
        """One more Feel No Pain to choose from."""
        need, _, against = str(rule.rating).partition(" ")
        gear.no_pain.append((int(need), against or ALWAYS))
