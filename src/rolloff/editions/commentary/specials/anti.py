"""Anti: critical wounds against units with a keyword."""

from __future__ import annotations

import re

from rolloff.editions.commentary.ability import Numbered, bad_rating
from rolloff.editions.commentary.keywords import fits
from rolloff.editions.commentary.matchup import WOUND, Strike
from rolloff.oracle.draft import Draft
from rolloff.table.profile import Rating

_RATING = re.compile(r"^-?\s*(?P<keyword>.*[^\s\d+:])\s*:?\s+(?P<need>[2-6])\+?$")


class Anti(Numbered):
    """Against a unit with the keyword a natural Wound roll of so much or more is a Critical Wound."""

    on_weapon = True
    goes_by = ("keywords",)
    samples = ("INFANTRY 4+", "VEHICLE 2+")

    def read(self, rating: str, where: str) -> Rating:
        """A keyword and a number, as in ``INFANTRY 4+``."""
        match = _RATING.match(rating.strip())
        if match is None:
            raise bad_rating(rating, where, "a keyword and 2+ to 6+, as in Anti-INFANTRY 4+")
        return f"{match['keyword'].upper()} {match['need']}+"

    def worth(self, rating: Rating) -> float:
        """The wider range is the better."""
        return -int(str(rating)[-2])

    def same_as(self, rating: Rating) -> str:
        """The same ability only if it names the same keyword (DUP-3)."""
        return str(rating)[:-3]

    def alter(self, stage: str, draft: Draft, strike: Strike) -> None:
        """A wider range of Critical Wounds."""
        if stage != WOUND:
            return
        for rating in strike.ratings("Anti"):
            if fits(strike.keywords, str(rating)[:-3]):
                draft.critical(int(str(rating)[-2]), *self.clauses)
