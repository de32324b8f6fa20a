"""Lance: the charge drives it home."""

from __future__ import annotations

from rolloff.editions.commentary.ability import Ability
from rolloff.editions.commentary.matchup import WOUND, Strike
from rolloff.oracle.draft import Draft


class Lance(Ability):
    """Adds 1 to the Wound roll if the bearer made a Charge move this turn."""

    on_weapon = True
    core = True
    goes_by = ("charged",)

    def alter(self, stage: str, draft: Draft, strike: Strike) -> None:
        """Better wounds after a charge."""
        if stage == WOUND and strike.charged:
            draft.modify(1, *self.clauses, what="Lance")
