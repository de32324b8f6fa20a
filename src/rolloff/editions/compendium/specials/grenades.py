"""Grenades: frag and plasma clear the way for a charge, defensive ones break it."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Ability, Scope, bad_rating
from rolloff.errors import BadInput
from rolloff.rules.citing import cites
from rolloff.table.profile import Rating, Rule

ASSAULT, FRAG, PLASMA, DEFENSIVE = "assault", "frag", "plasma", "defensive"
IN_FORCE = (ASSAULT, FRAG, PLASMA, DEFENSIVE)
PLANNED = ("haywire", "krak", "melta")
"""Kinds that are weapons in close combat, which is planned."""


class Grenades(Ability):
    """What a charge through cover and a charge on their bearers are like; throwing them is planned."""

    scope = Scope.MODEL_OR_WEAPON
    rated = True
    samples = (FRAG, DEFENSIVE)

    def read(self, rating: str, where: str) -> Rating:
        """The kind."""
        kind = rating.strip().casefold().removesuffix("grenades").removesuffix("bombs").strip()
        if kind in PLANNED:
            message = f"{where}: {kind} grenades are planned and not in force yet"
            raise BadInput("rule-planned", message, where=where, allowed=", ".join(IN_FORCE), clause="CF-PROF-9")
        if kind not in IN_FORCE:
            raise bad_rating(rating, where, "a kind of grenades: " + ", ".join(IN_FORCE))
        return kind

    def same_as(self, rating: Rating) -> str:
        """Each kind for itself."""
        return str(rating)

    @cites("SR-GRENADES-2")
    def clears(self, rule: Rule) -> bool:
        """SR-GRENADES-2: bearers of frag and plasma grenades are not slowed by the terrain they charge through."""
        return rule.rating in (ASSAULT, FRAG, PLASMA)

    @cites("SR-GRENADES-3")
    def breaks_charge(self, rule: Rule) -> bool:
        """SR-GRENADES-3: who charges a unit with defensive grenades gains no Attacks for it."""
        return rule.rating == DEFENSIVE
