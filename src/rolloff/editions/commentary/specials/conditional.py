"""Abilities that give another one under a condition, written before it: ``Near Markers: Re-roll Hits(ones)``."""

from __future__ import annotations

from rolloff.editions.commentary.ability import OTHER, Ability, bad_rating
from rolloff.table.profile import Rating


class Conditional(Ability):
    """Names another ability, which an attack has while the condition holds; whoever builds the attack asks for it."""

    part = OTHER
    rated = True
    samples = ("Lethal Hits",)

    def read(self, rating: str, where: str) -> Rating:
        """The ability it gives."""
        if not rating:
            raise bad_rating(rating, where, "another ability behind a colon")
        return rating


class Written(Conditional):
    """An ability with words behind its name that other parts of the rules read."""


class Timed(Written):
    """A number and the moment at which it acts, as ``1 end-movement``."""

    samples = ("1 end-movement",)

    def read(self, rating: str, where: str) -> Rating:
        """The number and the moment."""
        count, _, moment = rating.strip().partition(" ")
        if not count.isdecimal() or not moment.startswith(("start-", "end-")):
            raise bad_rating(rating, where, "a number and a moment, as 1 end-movement")
        return f"{int(count)} {moment}"
