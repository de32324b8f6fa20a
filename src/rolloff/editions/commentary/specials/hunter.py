"""Against the Weak: better at hitting units that are Below Half-strength."""

from __future__ import annotations

from rolloff.editions.commentary.ability import Numbered
from rolloff.editions.commentary.matchup import HIT, Strike
from rolloff.oracle.draft import Draft


class AgainstTheWeak(Numbered):
    """Adds to the Hit roll against a target that was Below Half-strength when it was selected (TCOND-1)."""

    core = False
    goes_by = ("below_half",)
    on_weapon = True
    samples = (1,)
    highest = 3

    def alter(self, stage: str, draft: Draft, strike: Strike) -> None:
        """Better hits against what is left of a unit."""
        if stage == HIT and strike.below_half:
            draft.modify(int(strike.ratings("Against the Weak")[0] or 1), *self.clauses, what="below half")
