"""Lethal Hits: a Critical Hit wounds by itself."""

from __future__ import annotations

from rolloff.editions.commentary.ability import Ability
from rolloff.editions.commentary.matchup import HIT, WOUNDED, Strike
from rolloff.oracle.draft import Draft, When
from rolloff.oracle.flow import HITS


class LethalHits(Ability):
    """A Critical Hit goes straight to allocation: no Wound roll, and so no Critical Wound."""

    on_weapon = True
    core = True

    def alter(self, stage: str, draft: Draft, strike: Strike) -> None:
        """A Critical Hit wounds without a die."""
        if stage == HIT:
            draft.react(When.CRITICAL, *self.clauses, become=(HITS, WOUNDED))
