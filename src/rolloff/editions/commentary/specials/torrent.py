"""Torrent: the attack hits by itself."""

from __future__ import annotations

from rolloff.editions.commentary.ability import Ability
from rolloff.editions.commentary.matchup import HIT, Strike
from rolloff.oracle.draft import Draft


class Torrent(Ability):
    """Hits without a die, and so never critically."""

    on_weapon = True
    core = True

    def alter(self, stage: str, draft: Draft, strike: Strike) -> None:
        """No Hit roll is made."""
        if stage == HIT:
            draft.automatic(*self.clauses)
