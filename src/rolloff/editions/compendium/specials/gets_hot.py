"""Gets Hot: a 1 burns the firer."""

from __future__ import annotations

from msgspec.structs import replace

from rolloff.editions.compendium.ability import SHOOTING, Ability, Bearing
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.resolve import Group
from rolloff.editions.compendium.rolls import HitRoll
from rolloff.editions.compendium.traits import borne_by
from rolloff.table.profile import Rule


class GetsHot(Ability):
    """Each To Hit roll of 1 gives the firing model a wound at once: whose a die is must be known."""

    kinds = (SHOOTING,)

    def hits(self, rule: Rule, roll: HitRoll, strike: Strike) -> None:
        """A natural 1 after any re-roll; weapons that make no To Hit roll roll a die of their own."""
        roll.hot += ("SR-GETS-HOT-3",) if strike.area or strike.automatic else ("SR-GETS-HOT-1",)

    def grouped(self, rule: Rule, group: Group, bearing: Bearing) -> Group:
        """Say whose weapon it is."""
        marks = (*group.strike.marks, borne_by(bearing.at))
        return replace(group, strike=replace(group.strike, marks=marks))
