"""Indirect Fire: at what cannot be seen, with less effect."""

from __future__ import annotations

from rolloff.editions.commentary.ability import SHOOTING, Ability
from rolloff.editions.commentary.matchup import HIT, Strike
from rolloff.editions.commentary.traits import COVERED
from rolloff.oracle.draft import Draft


class IndirectFire(Ability):
    """Against a target none of the unit sees: 1 less to hit, and the target has the Benefit of Cover."""

    on_weapon = True
    core = True
    goes_by = ("unseen",)
    kinds = (SHOOTING,)

    def alter(self, stage: str, draft: Draft, strike: Strike) -> None:
        """Worse hits out of sight."""
        if stage == HIT and strike.unseen:
            draft.modify(-1, *self.clauses, what="Indirect Fire")

    def traits(self, strike: Strike) -> tuple[str, ...]:
        """Cover out of sight."""
        return (COVERED,) if strike.unseen else ()
