"""Attacks told to whoever watches a play: the volleys that were rolled, and the target in the order its models fell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rolloff.oracle.flow import Volley, harm_of
from rolloff.oracle.target import Ladder
from rolloff.rules.attack import Plan, ResolvedAttack
from rolloff.rules.play import Play
from rolloff.table.state import State

if TYPE_CHECKING:
    from rolloff.editions.onepage.casualties import Casualties


def made(
    play: Play, stood: State, who: tuple[int, int, str], volleys: tuple[Volley, ...], toll: Casualties, facing: str, event: int
) -> ResolvedAttack:
    """An attack as it was resolved, the table of damage included; ``stood`` is the state its wounds fell upon.

    Where nobody was wounded no order was asked for: it is then the one odds take.
    """
    from rolloff.editions.onepage.planning import plan_of  # which comes after attacks, as it plans them

    attacker, target, kind = who
    living = stood.units[target].living
    order = (*toll.order, *(slot for slot in living if slot not in toll.order)) if toll.order else ()
    aimed = any(harm_of(one).aim is not None for volley in volleys for one in volley.flow.exits())
    plan = plan_of(play.game, stood, target, volleys, {}, facing=facing, tests=False, aimed=aimed, order=order)
    return ResolvedAttack(attacker, target, kind, plan, _end(play, stood, target, plan, toll), event, stood.clock.round)


def _end(play: Play, stood: State, unit: int, plan: Plan, toll: Casualties) -> Any:
    """Where the attack left its target, as the plan tells it."""
    from rolloff.editions.onepage.damaged_vehicles import Hulls, hulls_of
    from rolloff.editions.onepage.target import Company, Losses

    target, now = plan.target, play.state
    living = now.units[unit].living
    if isinstance(target, Ladder):
        return target.start(len(toll.removed), toll.lost)
    if isinstance(target, Company):
        rows = [(bearer.slot, bearer.rung.wounds) for bearer in target.bearers]
        return Losses(tuple(now.wounds_on(at) - stood.wounds_on(at) if at in living else whole for at, whole in rows))
    assert isinstance(target, Hulls)
    here, standing = hulls_of(play.game, now, unit, living, target.facing)
    return target.onto(here, standing)
