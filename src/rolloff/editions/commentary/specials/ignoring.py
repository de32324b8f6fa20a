"""Ignore Modifiers: who has it drops what would harm a roll or a characteristic."""

from __future__ import annotations

from rolloff.editions.commentary.ability import Ability, bad_rating
from rolloff.editions.commentary.values import AP, ATTACKS, DAMAGE, SKILL, STRENGTH
from rolloff.table.profile import Rating

WHAT = {name.casefold(): name for name in ("hit", "wound", SKILL, STRENGTH, AP, DAMAGE, ATTACKS)}


class IgnoreModifiers(Ability):
    """Any or all modifiers of what it names may be ignored; `strike` asks for it by name."""

    rated = True
    on_weapon = True
    samples = ("hit", "wound")

    def read(self, rating: str, where: str) -> Rating:
        """The roll or the characteristic."""
        found = WHAT.get(rating.strip().casefold())
        if found is None:
            raise bad_rating(rating, where, ", ".join(WHAT.values()))
        return found
