"""Twin-linked: the Wound roll may be rolled again."""

from __future__ import annotations

from rolloff.editions.commentary.ability import Ability
from rolloff.editions.commentary.matchup import FISHING, WOUND, Strike
from rolloff.oracle.draft import Draft, Reroll


class TwinLinked(Ability):
    """Rolls Wound rolls again: failures, or all but criticals where the attacker fishes for them."""

    on_weapon = True
    core = True

    def alter(self, stage: str, draft: Draft, strike: Strike) -> None:
        """Wound rolls may be rolled again."""
        if stage == WOUND:
            draft.reroll(Reroll.NOT_CRITICAL if strike.rerolls == FISHING else Reroll.FAILURES, *self.clauses)
