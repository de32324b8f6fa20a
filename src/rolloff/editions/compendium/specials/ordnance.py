"""Ordnance: big guns."""

from __future__ import annotations

from rolloff.editions.compendium.ability import SHOOTING, Aim, Circumstance, Numbered, Refusal, Volume
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.rolls import WoundRoll
from rolloff.rules.citing import cites
from rolloff.table.profile import DiceRoll, Rating, Rule


class Ordnance(Numbered):
    """Fires the number of shots behind its name; rolls two dice against armour and keeps the higher."""

    kinds = (SHOOTING,)
    samples = (None, 2)

    def read(self, rating: str, where: str) -> Rating:
        """Without a number the weapon's own attacks stand."""
        return super().read(rating, where) if rating.strip() else None

    def bars(self, rule: Rule, aim: Aim) -> Refusal | None:
        """SR-ORDNANCE-2: no firing on the move but by vehicles, and never as a Snap Shot."""
        if not aim.stationary and not aim.vehicle:
            return "moved", "SR-ORDNANCE-2", "a model that moved cannot fire Ordnance"
        if aim.snap:
            return "snap-shot", "SR-ORDNANCE-2", "Ordnance is never a Snap Shot"
        return None

    def volume(self, rule: Rule, volume: Volume, at: Circumstance) -> None:
        """The shots printed after its type."""
        if isinstance(rule.rating, int):
            volume.dice = DiceRoll(plus=rule.rating)  # SR-ORDNANCE-1

    @cites("SR-ORDNANCE-4", "SR-ORDNANCE-5")
    def wounds(self, rule: Rule, roll: WoundRoll, strike: Strike) -> None:
        """Two dice against armour, the higher counts; both are rolled again if it fails."""
        if strike.enemy.vehicle:
            roll.dice = 2
            roll.clauses += ("SR-ORDNANCE-4",)
