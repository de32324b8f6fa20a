"""Echo Strike: a Hit roll of the bearer's own may be treated as a 6. Echo Parry: it may change the Damage of an attack to 0."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rolloff.editions.commentary.ability import BEARER, Ability

if TYPE_CHECKING:
    from rolloff.editions.commentary.matchup import Strike
    from rolloff.editions.commentary.saves import Gear
    from rolloff.oracle.draft import Draft
    from rolloff.table.profile import Rule

ECHO = "AB-R11"
"""What the bearer's Hit rolls are known by to whoever reacts to dice; it is cited where it is used."""


class EchoStrike(Ability):
    """AB-R11: marks the Hit rolls of its bearer; whether one is treated as a 6 is asked when it lies on the table."""

    def alter(self, role: str, draft: Draft, strike: Strike) -> None:
        """Sign the Hit roll."""
        if role == "hit":
            draft.signs += (ECHO,)


class EchoParry(Ability):
    """AB-R10: marks the saves of its bearer; whether the Damage is changed to 0 is asked when one has failed."""

    part = BEARER

    def bear(self, rule: Rule, gear: Gear) -> None:
        """Sign the saving throw."""
        gear.echo = True
