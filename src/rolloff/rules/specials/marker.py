"""Rules that are a name others look up: what they do stands where it happens (morale, cover, transport, reserve)."""

from __future__ import annotations

from rolloff.rules.hooks import Special, Spread


class Marker(Special):
    """A rule other rules ask for by name."""

    def __init__(
        self,
        *clauses: str,
        spread: Spread = Spread.OWN,
        rated: bool = False,
        by_dice: bool = False,
        on_weapon: bool = False,
        on_unit: bool = True,
    ) -> None:
        """How it carries over in a mixed unit, whether it is rated (perhaps by dice), and where it may stand."""
        super().__init__(*clauses)
        self.spread = spread
        self.rated = rated or by_dice
        self.by_dice = by_dice
        self.on_weapon = on_weapon
        self.on_unit = on_unit
