"""What an ability may do in an attack: the hooks of this edition, beside those every special rule has.

An ability stands on a weapon or on a unit. It edits the drafts of the hit and the wound roll, changes characteristics, puts
traits on a wound, or edits what a model of the target brings against it. ``samples`` are ratings to try it with: the tests
that compare odds and dice go through the registry, so a new ability is tried by existing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rolloff.editions.commentary.values import Effect
from rolloff.errors import BadInput
from rolloff.oracle.flow import Nodes
from rolloff.oracle.stage import Stage
from rolloff.rules.hooks import Special, Spread
from rolloff.table.profile import DiceRoll, Rating, Rule, read_roll

if TYPE_CHECKING:
    from rolloff.editions.commentary.matchup import Strike
    from rolloff.editions.commentary.saves import Gear

ATTACKER, TARGET, BEARER, OTHER = "attacker", "target", "bearer", "other"
SHOOTING, MELEE = "shooting", "melee"
NO_THROW = DiceRoll()


class Ability(Special):
    """An ability without effect of its own; abilities derive from it.

    ``part`` says whose it is in an attack: the ATTACKER's, the TARGET unit's as a whole, or the single BEARER's of a wound.
    ``goes_by`` names the circumstances of a match-up it goes by: one without such abilities does not tell them.
    """

    part: str = ATTACKER
    goes_by: tuple[str, ...] = ()
    kinds: tuple[str, ...] = (SHOOTING, MELEE)
    core: bool = False
    lower_is_better: bool = False
    samples: tuple[Rating, ...] = (None,)
    spread = Spread.ALL

    def read(self, rating: str, where: str) -> Rating:
        """A rating as it is written; most abilities have none."""
        if rating:
            raise bad_rating(rating, where, "nothing behind the name")
        return None

    def inner(self, rating: Rating) -> str:
        """Another ability that stands behind its name, as it is written; nothing if none does."""
        return ""

    def worth(self, rating: Rating) -> float:
        """How good an instance is, to choose among several (DUP-2)."""
        if not isinstance(rating, int | str):
            return 0
        mean = read_roll(rating).mean
        return -mean if self.lower_is_better else mean

    def same_as(self, rating: Rating) -> str:
        """What two instances must share, beside the name, to be the same ability."""
        return ""

    def changes(self, rule: Rule, strike: Strike) -> Iterable[Effect]:
        """The characteristics of the attack it changes."""
        return ()

    def more_attacks(self, rule: Rule, strike: Strike) -> DiceRoll:
        """A random number of attacks it adds to the weapon's own."""
        return NO_THROW

    def traits(self, strike: Strike) -> tuple[str, ...]:
        """What a wound made with it carries to whoever bears it."""
        return ()

    def stages(self, rule: Rule) -> Iterable[Stage[Nodes]]:
        """Stages it adds between the Hit and the Wound roll."""
        return ()

    def bear(self, rule: Rule, gear: Gear) -> None:
        """Edit what a model with it brings against a wound."""


def bad_rating(rating: object, where: str, allowed: str) -> BadInput:
    """The sentence for a rating that does not fit."""
    return BadInput("bad-rating", f"{where}: {rating!r} does not fit here", where=where, allowed=allowed)


class Numbered(Ability):
    """An ability with a number or a die behind its name."""

    rated = True
    core = True
    samples: tuple[Rating, ...] = (1, 2)
    lowest = 1
    highest = 20
    dice = False

    def read(self, rating: str, where: str) -> Rating:
        """A whole number, or a die where dice are allowed; a plus or an inch mark behind it is left out."""
        allowed = f"a number from {self.lowest} to {self.highest}" + (", or D3, D6+1 and the like" if self.dice else "")
        text = rating.strip().rstrip('"+').strip()
        try:
            found = read_roll(text, where)
        except BadInput:
            raise bad_rating(rating, where, allowed) from None
        if not found.fixed:
            if not self.dice:
                raise bad_rating(rating, where, allowed)
            return str(found)
        if not self.lowest <= found.plus <= self.highest:
            raise bad_rating(rating, where, allowed)
        return found.plus


class Noted(Ability):
    """An ability other parts of the rules ask for by name; it does nothing in the stages of an attack."""

    part = OTHER


class NotedNumber(Numbered):
    """The same with a number."""

    part = OTHER
    dice = True


class NotedFigure(NotedNumber):
    """The same with a number that is not rolled."""

    dice = False


class NotedChance(NotedFigure):
    """The same with the die it needs; without a number it needs none."""

    def read(self, rating: str, where: str) -> Rating:
        """The least the die must show: 1 where none is needed."""
        return super().read(rating or "1", where)
