"""Indirect Fire: at what cannot be seen."""

from __future__ import annotations

from rolloff.editions.compendium.ability import SHOOTING, Ability
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.rolls import HitRoll
from rolloff.editions.compendium.traits import SCREENED
from rolloff.table.profile import Rule


class IndirectFire(Ability):
    """May target the unseen, at -1 To Hit and with the target in cover of at least 5+."""

    kinds = (SHOOTING,)

    def hits(self, rule: Rule, roll: HitRoll, strike: Strike) -> None:
        """-1."""
        if not strike.visible:  # SR-INDIRECT-FIRE-3
            roll.modify(-1, "SR-INDIRECT-FIRE-2", what="indirect fire")

    def traits(self, rule: Rule, strike: Strike) -> tuple[str, ...]:
        """The benefit of cover."""
        return () if strike.visible else (SCREENED,)  # SR-INDIRECT-FIRE-2, SR-INDIRECT-FIRE-3
