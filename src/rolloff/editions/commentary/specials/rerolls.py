"""Re-rolls an attacker or a model of the target may make."""

from __future__ import annotations

from rolloff.editions.commentary.ability import ATTACKER, BEARER, Ability, bad_rating
from rolloff.editions.commentary.matchup import FISHING, Strike
from rolloff.editions.commentary.saves import Gear
from rolloff.oracle.draft import Draft, Reroll
from rolloff.table.profile import Rating, Rule

ONES, FAILURES, ANY = "ones", "failures", "any"
ASKED = "DP-29"


def may_reroll(draft: Draft, strike: Strike, which: str, stage: str, clauses: tuple[str, ...]) -> None:
    """REROLL-1, DP-29: whoever rolls chooses, by default to roll failures again, as odds do unless their policy is to fish.

    That is asked once for all dice of an attack on a unit. Where all may be rolled again successes are offered too, if a
    critical one would do more.
    """
    first = Reroll.ONES if which == ONES else Reroll.FAILURES
    if strike.rerolls == FISHING:
        draft.reroll(Reroll.NOT_CRITICAL if which == ANY else first, *clauses)
        return
    draft.offer(first, f"failed {stage}", *clauses, point=ASKED, lasting=True)
    if which == ANY:
        draft.offer(Reroll.OUTDONE, f"{stage}, not critical", *clauses, default=False, point=ASKED, lasting=True)


class Rerolls(Ability):
    """Results of 1, failures, or any result of one kind of roll may be rolled again."""

    rated = True
    samples: tuple[Rating, ...] = (ONES, FAILURES, ANY)
    allowed: tuple[str, ...] = (ONES, FAILURES, ANY)

    def __init__(self, name: str, stage: str, *clauses: str) -> None:
        """Which roll."""
        super().__init__(*clauses)
        self.name, self.stage, self.part = name, stage, ATTACKER
        self.on_weapon = True

    def read(self, rating: str, where: str) -> Rating:
        """Which results may be rolled again."""
        text = rating.strip().casefold()
        if text not in self.allowed:
            raise bad_rating(rating, where, ", ".join(self.allowed))
        return text

    def alter(self, stage: str, draft: Draft, strike: Strike) -> None:
        """Roll some results again, each die once."""
        if stage != self.stage:
            return
        for rating in strike.ratings(self.name):
            may_reroll(draft, strike, str(rating), stage, self.clauses)


class DamageRerolls(Rerolls):
    """Damage rolls of 1, or any, may be rolled again, by default those that do less than another roll would."""

    samples = (ONES, "low")
    allowed = (ONES, "low")

    def alter(self, stage: str, draft: Draft, strike: Strike) -> None:
        """The Damage roll is no draft: `strike.damage_of` asks for the rating."""


class SaveRerolls(Rerolls):
    """Saving throws of 1, or failed ones, may be thrown again by the model that makes them."""

    samples = (ONES, FAILURES)
    allowed = (ONES, FAILURES)

    def __init__(self, name: str, stage: str, *clauses: str) -> None:
        """Which roll."""
        super().__init__(name, stage, *clauses)
        self.part = BEARER
        self.on_weapon = False

    def alter(self, stage: str, draft: Draft, strike: Strike) -> None:
        """Nothing in the attacker's rolls."""

    def bear(self, rule: Rule, gear: Gear) -> None:
        """The widest permission counts."""
        if gear.again != FAILURES:
            gear.again = str(rule.rating)
