"""While Leading: what a Leader gives the unit it leads, itself included."""

from __future__ import annotations

from rolloff.editions.commentary.ability import OTHER, Ability, bad_rating
from rolloff.table.profile import Rating


class WhileLeading(Ability):
    """Names another ability, which all models of the Attached unit have; `lookups` asks for it."""

    part = OTHER
    rated = True
    samples = ("Lethal Hits",)

    def read(self, rating: str, where: str) -> Rating:
        """The ability it gives."""
        if not rating:
            raise bad_rating(rating, where, "another ability, as in While Leading: Lethal Hits")
        return rating

    def inner(self, rating: Rating) -> str:
        """The ability it gives."""
        return str(rating)
