"""Attacks told to whoever watches a play: the volleys that were rolled, and the target in the order its models fell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rolloff.oracle.flow import Volley
from rolloff.oracle.target import Ladder
from rolloff.rules.attack import Made, Plan
from rolloff.rules.play import Play
from rolloff.table.state import State

if TYPE_CHECKING:
    from rolloff.editions.onepage.casualties import Toll


def made(play: Play, stood: State, who: tuple[int, int, str], volleys: tuple[Volley, ...], toll: Toll, event: int) -> Made:
    """An attack as it was resolved; ``stood`` is the state its wounds fell upon.

    Where nobody was wounded no order was asked for: it is then the one odds take.
    """
    from rolloff.editions.onepage.form import casualty_order, ladder_of  # which plan attacks, and so come after them

    attacker, target, kind = who
    order = toll.order or casualty_order(play.game, stood, target, {})
    ladder: Ladder = ladder_of(play.game, stood, order)
    plan = Plan(volleys, ladder, ladder.start(), None, order)
    end = ladder.start(len(toll.removed), toll.lost)
    return Made(attacker, target, kind, plan, end, event, stood.clock.round)
