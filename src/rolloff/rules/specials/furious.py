"""Furious: one attack more for each model that assaults."""

from __future__ import annotations

from rolloff.rules.hooks import Special


class Furious(Special):
    """A striking model adds attacks to one of its melee weapons when it assaults."""

    def __init__(self, attacks: int, *clauses: str) -> None:
        """How many attacks more."""
        super().__init__(*clauses)
        self.attacks = attacks

    def extra_attacks(self, assaulting: bool) -> int:
        """Only for those who assault."""
        return self.attacks if assaulting else 0
