"""Melta: more damage at half range."""

from __future__ import annotations

from collections.abc import Iterable

from rolloff.editions.commentary.ability import SHOOTING, Numbered
from rolloff.editions.commentary.matchup import Strike
from rolloff.editions.commentary.values import DAMAGE, Effect, Op
from rolloff.table.profile import Rule


class Melta(Numbered):
    """Adds its number to the Damage against a target within half the weapon's range."""

    on_weapon = True
    goes_by = ("half_range",)
    kinds = (SHOOTING,)

    def changes(self, rule: Rule, strike: Strike) -> Iterable[Effect]:
        """More damage at half range."""
        return (Effect(DAMAGE, Op.ADD, int(rule.rating or 0), self.clauses),) if strike.half_range else ()
