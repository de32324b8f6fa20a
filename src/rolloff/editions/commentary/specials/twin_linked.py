"""Twin-linked: the Wound roll may be rolled again."""

from __future__ import annotations

from rolloff.editions.commentary.ability import Ability
from rolloff.editions.commentary.matchup import WOUND, Strike
from rolloff.editions.commentary.specials.rerolls import ANY, may_reroll
from rolloff.oracle.draft import Draft


class TwinLinked(Ability):
    """Rolls Wound rolls again: failures, or all but criticals where the attacker fishes for them."""

    on_weapon = True
    core = True

    def alter(self, stage: str, draft: Draft, strike: Strike) -> None:
        """Wound rolls may be rolled again."""
        if stage == WOUND:
            may_reroll(draft, strike, ANY, stage, self.clauses)
