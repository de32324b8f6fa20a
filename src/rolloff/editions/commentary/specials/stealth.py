"""Stealth: harder to hit from afar."""

from __future__ import annotations

from rolloff.editions.commentary.ability import SHOOTING, TARGET, Ability
from rolloff.editions.commentary.matchup import HIT, Strike
from rolloff.oracle.draft import Draft


class Stealth(Ability):
    """Takes 1 from the Hit rolls of ranged attacks, if every model of the unit has it."""

    part = TARGET
    core = True
    kinds = (SHOOTING,)

    def alter(self, stage: str, draft: Draft, strike: Strike) -> None:
        """Worse hits for whoever shoots at the unit."""
        if stage == HIT and strike.kind == SHOOTING:
            draft.modify(-1, *self.clauses, what="Stealth")
