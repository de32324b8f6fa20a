"""Template: fire that needs no aim. How many models it covers is given with the weapon, as its hits."""

from __future__ import annotations

from msgspec.structs import replace

from rolloff.editions.compendium.ability import SHOOTING, Ability, Aim, Refusal
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.traits import NO_COVER
from rolloff.rules.citing import cites
from rolloff.table.profile import Rule


class Template(Ability):
    """Makes no To Hit roll, ignores cover, and is never a Snap Shot."""

    kinds = (SHOOTING,)

    @cites("SR-TEMPLATE-3")
    def bars(self, rule: Rule, aim: Aim) -> Refusal | None:
        """SR-TEMPLATE-3, CF-SHOOT-4."""
        return ("snap-shot", "CF-SHOOT-4", "a Template is never a Snap Shot") if aim.snap else None

    def profile(self, rule: Rule, strike: Strike) -> Strike:
        """Every model under it is hit automatically."""
        return replace(strike, area=True, automatic=True)

    def traits(self, rule: Rule, strike: Strike) -> tuple[str, ...]:
        """Cover does not help."""
        return (NO_COVER,)  # SR-TEMPLATE-3
