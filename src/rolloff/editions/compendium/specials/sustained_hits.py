"""Sustained Hits: a 6 to hit scores more."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Numbered
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.rolls import HitRoll
from rolloff.table.profile import Rule


class SustainedHits(Numbered):
    """An unmodified To Hit 6 scores X additional hits, which are automatic."""

    usual = 1

    def hits(self, rule: Rule, roll: HitRoll, strike: Strike) -> None:
        """A natural 6."""
        roll.sustain(int(rule.rating or 1), "SR-SUSTAINED-HIT-1", "SR-SUSTAINED-HIT-2")
