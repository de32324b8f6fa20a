"""Feel No Pain: unsaved wounds may be shrugged off."""

from __future__ import annotations

from rolloff.editions.compendium.ability import Numbered, Scope, Wards
from rolloff.table.profile import Rule


class FeelNoPain(Numbered):
    """A die for each unsaved wound; X or more discounts it. Never better than 2+; of several the best is used."""

    scope = Scope.MODEL
    lowest, highest, usual = 2, 6, 5  # SR-FEEL-NO-PAIN-3
    fewer_is_better = True
    samples = (5,)

    def ward(self, rule: Rule, wards: Wards) -> None:
        """The best X."""
        wards.pain = min(wards.pain, int(rule.rating or 5))  # SR-FEEL-NO-PAIN-1
