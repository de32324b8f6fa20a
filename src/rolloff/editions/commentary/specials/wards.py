"""Saves a model has beside its armour, and what betters its armour."""

from __future__ import annotations

from rolloff.editions.commentary.ability import BEARER, Ability, Numbered
from rolloff.editions.commentary.saves import Gear
from rolloff.table.profile import Rule


class InvulnerableSave(Numbered):
    """One more invulnerable save; the best is used."""

    part = BEARER
    lower_is_better = True
    lowest = 2
    highest = 6
    samples = (4, 6)

    def bear(self, rule: Rule, gear: Gear) -> None:
        """One more save to choose from."""
        gear.wards.append(int(rule.rating or 6))


class SaveAgainstDamage(Numbered):
    """Adds 1 to armour saves against attacks of exactly this Damage, as it stands at allocation."""

    core = False
    part = BEARER
    samples = (1, 2)

    def bear(self, rule: Rule, gear: Gear) -> None:
        """Better armour saves against such attacks."""
        gear.spared.append(int(rule.rating or 1))


class BenefitOfCover(Ability):
    """The model has the Benefit of Cover, whatever terrain is around."""

    part = BEARER

    def bear(self, rule: Rule, gear: Gear) -> None:
        """Cover from a rule."""
        gear.cover = True
