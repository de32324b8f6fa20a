"""Heavy: steadier when it has not moved."""

from __future__ import annotations

from rolloff.editions.compendium.ability import SHOOTING, Ability
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.rolls import HitRoll
from rolloff.table.profile import Rule


class Heavy(Ability):
    """+1 To Hit while the attacker counts as having Remained Stationary; a Snap Shot gains nothing."""

    kinds = (SHOOTING,)

    def hits(self, rule: Rule, roll: HitRoll, strike: Strike) -> None:
        """+1."""
        if strike.stationary:  # SR-HEAVY-2
            roll.modify(1, "SR-HEAVY-1", what="heavy")
