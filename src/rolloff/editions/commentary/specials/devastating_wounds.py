"""Devastating Wounds: a Critical Wound becomes mortal wounds."""

from __future__ import annotations

from rolloff.editions.commentary.ability import Ability
from rolloff.editions.commentary.matchup import DEVASTATED, WOUND, Strike
from rolloff.oracle.draft import Draft, When


class DevastatingWounds(Ability):
    """A Critical Wound inflicts mortal wounds to the attack's Damage, and the attack ends there."""

    on_weapon = True
    core = True

    def alter(self, stage: str, draft: Draft, strike: Strike) -> None:
        """A Critical Wound is not allocated and not saved."""
        if stage == WOUND:
            draft.react(When.CRITICAL, *self.clauses, become=(DEVASTATED,))
