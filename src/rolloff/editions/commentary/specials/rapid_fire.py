"""Rapid Fire: more attacks at half range."""

from __future__ import annotations

from collections.abc import Iterable

from rolloff.editions.commentary.ability import NO_THROW, SHOOTING, Numbered
from rolloff.editions.commentary.matchup import Strike
from rolloff.editions.commentary.values import ATTACKS, Effect, Op
from rolloff.table.profile import DiceRoll, Rule, read_roll


class RapidFire(Numbered):
    """Adds its number to the Attacks against a target within half the weapon's range."""

    on_weapon = True
    goes_by = ("half_range",)
    kinds = (SHOOTING,)
    dice = True
    samples = (1, 2, "D3")

    def changes(self, rule: Rule, strike: Strike) -> Iterable[Effect]:
        """More attacks at half range; a random number of them is rolled with the weapon's own (`more_attacks`)."""
        if not strike.half_range or not isinstance(rule.rating, int):
            return ()
        return (Effect(ATTACKS, Op.ADD, rule.rating, self.clauses),)

    def more_attacks(self, rule: Rule, strike: Strike) -> DiceRoll:
        """WPN-2, DICE-5: a random number is rolled for each weapon, when its attacks begin."""
        return read_roll(rule.rating) if strike.half_range and isinstance(rule.rating, str) else NO_THROW
