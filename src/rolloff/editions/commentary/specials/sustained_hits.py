"""Sustained Hits: a Critical Hit scores additional hits."""

from __future__ import annotations

from collections.abc import Iterable

from rolloff.editions.commentary.ability import Numbered
from rolloff.editions.commentary.matchup import HIT, SUSTAINED, WOUND, Strike
from rolloff.oracle.draft import Draft, When
from rolloff.oracle.flow import HITS, Nodes
from rolloff.oracle.stage import Stage, number
from rolloff.table.profile import Rule, read_roll

ONE_MORE: Nodes = (HITS, WOUND)


class SustainedHits(Numbered):
    """Additional hits are automatic, never critical, and make their own Wound rolls after the hit that scored them."""

    on_weapon = True
    dice = True
    samples = (1, 2, "D3")

    def alter(self, stage: str, draft: Draft, strike: Strike) -> None:
        """A Critical Hit is followed by more hits."""
        if stage == HIT:
            rating = strike.ratings("Sustained Hits")[0]
            more = ONE_MORE * rating if isinstance(rating, int) else (SUSTAINED,)
            draft.react(When.CRITICAL, *self.clauses, add=more)

    def stages(self, rule: Rule) -> Iterable[Stage[Nodes]]:
        """A random number of them is rolled for each Critical Hit."""
        if isinstance(rule.rating, int):
            return ()
        roll = read_roll(rule.rating)
        raw = number(SUSTAINED, roll.count, roll.sides, roll.plus, clauses=self.clauses)
        read = [ONE_MORE * more for more in raw.read if isinstance(more, int)]
        return (Stage(SUSTAINED, read, why=raw.why, good=raw.good, dice=raw.dice, sides=raw.sides),)
