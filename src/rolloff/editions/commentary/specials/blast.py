"""Blast: more attacks against many."""

from __future__ import annotations

from collections.abc import Iterable

from rolloff.editions.commentary.ability import SHOOTING, Ability
from rolloff.editions.commentary.matchup import Strike
from rolloff.editions.commentary.values import ATTACKS, Effect, Op
from rolloff.table.profile import Rule


class Blast(Ability):
    """Adds an attack for every full so many models of the target when it was selected."""

    on_weapon = True
    core = True
    goes_by = ("models",)
    kinds = (SHOOTING,)

    def __init__(self, every: int, *clauses: str) -> None:
        """How many models bring one attack more."""
        super().__init__(*clauses)
        self.every = every

    def changes(self, rule: Rule, strike: Strike) -> Iterable[Effect]:
        """More attacks against many models."""
        more = strike.models // self.every
        return (Effect(ATTACKS, Op.ADD, more, self.clauses),) if more else ()
