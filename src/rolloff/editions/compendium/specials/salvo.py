"""Salvo: more shots when it stands still."""

from __future__ import annotations

from rolloff.editions.compendium.ability import SHOOTING, Ability, Aim, Circumstance, Refusal, Volume, bad_rating
from rolloff.table.profile import DiceRoll, Rating, Rule


def parts(rating: Rating) -> tuple[int, int]:
    """The two numbers of a rating such as 2/4."""
    first, _, second = str(rating).partition("/")
    return int(first), int(second)


class Salvo(Ability):
    """a shots up to half range after moving, b shots up to full range when stationary."""

    kinds = (SHOOTING,)
    rated = True
    samples = ("1/2",)

    def read(self, rating: str, where: str) -> Rating:
        """Two numbers, a/b."""
        text = "".join(rating.split())
        numbers = text.split("/")
        if len(numbers) != 2 or not all(one.isdecimal() and 0 < int(one) <= 100 for one in numbers):
            raise bad_rating(rating, where, "two numbers, as in Salvo(2/4)")
        return text

    def worth(self, rating: Rating) -> float:
        """More shots are better."""
        return sum(parts(rating))

    def bars(self, rule: Rule, aim: Aim) -> Refusal | None:
        """Not beyond half range after moving."""
        if aim.stationary or aim.half_range:
            return None
        return "too-far", "SR-SALVO-1", "a model that moved fires Salvo up to half range only"

    def volume(self, rule: Rule, volume: Volume, at: Circumstance) -> None:
        """a or b."""
        moved, still = parts(rule.rating)
        volume.dice = DiceRoll(plus=still if at.stationary else moved)  # SR-SALVO-1, SR-SALVO-2
