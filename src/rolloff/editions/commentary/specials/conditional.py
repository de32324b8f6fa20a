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

    def inner(self, rating: Rating) -> str:
        """The ability it gives."""
        return str(rating)


class OnWeapons(Conditional):
    """The ability some weapons of the bearer have: all that are ranged, or those of a name, as ``ranged: Lethal Hits``."""

    samples = ("ranged: Lethal Hits",)

    def read(self, rating: str, where: str) -> Rating:
        """Whose and which."""
        weapons, _, ability = rating.partition(":")
        if not weapons.strip() or not ability.strip():
            raise bad_rating(rating, where, "ranged or the name of a weapon, and an ability behind a colon")
        return rating

    def inner(self, rating: Rating) -> str:
        """The ability it gives."""
        return str(rating).partition(":")[2].strip()


class Written(Conditional):
    """An ability with words behind its name that other parts of the rules read."""

    def inner(self, rating: Rating) -> str:
        """Its words are no ability."""
        return ""


class Counted(Written):
    """A number and the keywords of those it is about, as ``2 REACH``."""

    samples = ("2 REACH",)

    def read(self, rating: str, where: str) -> Rating:
        """The number and the keywords."""
        if not rating.partition(" ")[0].isdecimal():
            raise bad_rating(rating, where, "a number and keywords, as 2 REACH")
        return rating


class Near(OnWeapons):
    """A reach, a keyword if it asks for one, and what it gives: ``6 TIDE: Feel No Pain 6+``."""

    samples = ("6 TIDE: Lethal Hits",)

    def read(self, rating: str, where: str) -> Rating:
        """All three."""
        head, _, ability = rating.partition(":")
        if not head.split()[:1] or not head.split()[0].rstrip('"').isdecimal() or not ability.strip():
            raise bad_rating(rating, where, "inches, a keyword and an ability, as 6 TIDE: Feel No Pain 6+")
        return rating


class Timed(Written):
    """A number and the moment at which it acts, as ``1 end-movement``."""

    samples = ("1 end-movement",)
    moments = ("start-command", *(f"end-{name}" for name in ("command", "movement", "shooting", "charge", "fight", "turn")))

    def read(self, rating: str, where: str) -> Rating:
        """The number and the moment."""
        count, _, moment = rating.strip().partition(" ")
        if not count.isdecimal() or moment not in self.moments:
            raise bad_rating(rating, where, "a number and a moment: " + ", ".join(self.moments))
        return f"{int(count)} {moment}"
