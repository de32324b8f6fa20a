"""The invariants of the contract over whole games: feed every step of a game to `Invariants`, and it raises `Broken`.

INV-35 to INV-38 aside, every number of the list is a check of its own in `on_dice`, `on_table` or `on_turns`; those four
speak of more than one game and have tests of their own. Where the editions of the family differ, `watching.TERMS` says how.
"""

from __future__ import annotations

from rolloff.rules.game import Game
from rolloff.rules.play import Play
from rolloff.table.state import State
from tests.properties import on_dice, on_table, on_turns
from tests.properties.watching import Broken, Chart, Ledger, Step

SINGLED_OUT = ("backlash", "wounded-more")
"""Events after which a unit may have two partly wounded models; what a Sniper did is another."""
IN_FORCE = tuple(f"INV-{k}" for k in (*range(1, 25), *range(26, 35), 39, 40))
ABSENT = {"apocalypse-3.3": {"INV-27", "INV-28", "INV-34"}}
"""What an edition has not at all: nobody is Immobile or Shaken, and sight by outlines is nobody's in particular."""


def in_force(edition: str) -> set[str]:
    """The invariants that hold in an edition."""
    more = {"INV-25"} if edition == "onepage-2.21" else set()
    return (set(IN_FORCE) | more) - ABSENT.get(edition, set())


class Invariants:
    """Watches one game from its first step to its last."""

    def __init__(self, game: Game, log: Ledger | None = None, scored: bool = True) -> None:
        """Read the cards, and hold the armies against INV-40; ``scored``: the score is counted by the book."""
        self.log = log or Ledger()
        self.scored = scored
        self.chart = Chart(game)
        self.turns = on_turns.Turns(self.chart)
        self.removed: set[int] = set()
        self.excused: set[int] = set()
        for card in game.cards:
            names = {rule.name for rule in card.rules}
            for model in card.models:
                names |= {rule.name for rule in (*model.rules, *(r for w in model.weapons for r in w.rules))}
            known, types = set(game.edition.specials), self.chart.terms.types
            self.log.hold("INV-40", names <= known and card.type in types, card.id, names - known)

    def see(self, before: State, play: Play) -> None:
        """One more step."""
        step = Step(self.chart, before, play)
        self.excused |= {moment.unit() for moment in step.of(*SINGLED_OUT)}
        self.excused |= {moment.unit() for moment in step.of("casualties") if on_dice.SNIPED in moment.event.clauses}
        self._dice(step)
        self._table(step)
        self._turns(step)

    def _dice(self, step: Step) -> None:
        on_dice.check_dice(self.log, step)
        on_dice.check_attacks(self.log, step)
        on_dice.check_casualties(self.log, step)
        on_dice.check_wounds(self.log, step, self.excused)
        on_dice.check_melee(self.log, step)
        on_dice.check_strikers(self.log, step)
        on_dice.check_steps(self.log, step)
        on_dice.check_vehicle_dice(self.log, step)

    def _table(self, step: Step) -> None:
        on_table.check_standing(self.log, step)
        on_table.check_gaps(self.log, step)
        on_table.check_moves(self.log, step)
        on_table.check_coherency(self.log, step)
        on_table.check_parting(self.log, step)
        on_table.check_immobile(self.log, step)
        on_table.check_arrivals(self.log, step)
        on_table.check_sight(self.log, step)

    def _turns(self, step: Step) -> None:
        self.turns.begin_round(self.log, step)
        on_turns.check_activation(self.log, step, self.turns)
        on_turns.check_actions(self.log, step)
        on_turns.check_dead(self.log, step)
        if self.scored:
            on_turns.check_score(self.log, step)
        on_turns.check_shaken(self.log, step)
        on_turns.check_powers(self.log, step, self.turns)
        on_turns.check_aboard(self.log, step)
        on_turns.check_limited(self.log, step, self.turns)
        on_turns.check_reserve(self.log, step)
        on_turns.check_models(self.log, step, self.removed)


__all__ = ["IN_FORCE", "Broken", "Invariants", "Ledger", "in_force"]
