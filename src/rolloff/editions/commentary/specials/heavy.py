"""Heavy: steadier when the unit has not moved."""

from __future__ import annotations

from rolloff.editions.commentary.ability import Ability
from rolloff.editions.commentary.matchup import HIT, Strike
from rolloff.oracle.draft import Draft


class Heavy(Ability):
    """Adds 1 to the Hit roll if the unit Remained Stationary this turn."""

    on_weapon = True
    core = True
    goes_by = ("stationary",)

    def alter(self, stage: str, draft: Draft, strike: Strike) -> None:
        """Better hits when stationary."""
        if stage == HIT and strike.stationary:
            draft.modify(1, *self.clauses, what="Heavy")
