"""Blast: a marker where it lands. How many models lie under it is given with the weapon, as its hits."""

from __future__ import annotations

from msgspec.structs import replace

from rolloff.editions.compendium.ability import SHOOTING, Aim, Noted, Refusal
from rolloff.editions.compendium.matchup import Strike
from rolloff.rules.citing import cites
from rolloff.table.profile import Rule


class Blast(Noted):
    """Makes no To Hit roll and is never a Snap Shot."""

    kinds = (SHOOTING,)
    samples = (None,)

    @cites("SR-BLAST-7")
    def bars(self, rule: Rule, aim: Aim) -> Refusal | None:
        """SR-BLAST-7, CF-SHOOT-4."""
        return ("snap-shot", "CF-SHOOT-4", "a Blast is never a Snap Shot") if aim.snap else None

    def profile(self, rule: Rule, strike: Strike) -> Strike:
        """Every model under it is hit."""
        return replace(strike, area=True, automatic=True)
