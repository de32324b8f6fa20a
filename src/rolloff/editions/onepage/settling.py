"""Planned strikes carried out over any dice, event by event: the state of the game they leave, and what was counted."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from rolloff.editions.onepage.attack import Group
from rolloff.editions.onepage.damaged_vehicles import MORE, Hulls, hulls_of
from rolloff.editions.onepage.lookups import tough
from rolloff.oracle.flow import WASTED, WOUNDS, Tally
from rolloff.oracle.roll import Dice, Spent
from rolloff.oracle.target import Ladder
from rolloff.rules.attack import AttackForm, Plan
from rolloff.rules.play import Play
from rolloff.table.event import Event, Patch, Removed, Wounded, apply
from rolloff.table.state import State

if TYPE_CHECKING:
    from rolloff.editions.onepage.attack_sequence import Sequence


def rolled(dice: Dice, plan: Plan, tallies: tuple[Tally, ...]) -> tuple[Any, Mapping[Tally, int]]:
    """The dice of some strikes: where their wounds end, and counts, all wounds among them also beyond the last model."""
    if isinstance(plan.target, Hulls):
        found = plan.target.rolled(dice, plan.volleys, plan.start, tallies)
        return found.end, found.counts
    needed = (*tallies, WOUNDS) if WASTED in tallies else tallies
    asked = tuple(tally for tally in dict.fromkeys(needed) if tally not in (MORE, WASTED))
    spent: Spent[Any, int] = dice.volley(plan.volleys, plan.target, plan.start, *asked)
    counts = dict(zip(asked, spent.counts, strict=True))
    if isinstance(plan.target, Ladder) and WASTED in tallies:
        counts[WASTED] = counts[WOUNDS] - (spent.state - plan.start)
    return spent.state, counts


def settled(dice: Dice, state: State, unit: int, plan: Plan, end: Any) -> tuple[State, int]:
    """CAS-7: the state without the fallen, and with the wounds of who lives; the wounds the table of damage added."""
    if isinstance(plan.target, Hulls):
        standing, more = plan.target.settled(dice, plan.start, end)
        return plan.target.standing(state, standing), more
    patches: list[Patch] = []
    for slot, lost, whole in plan.target.losses(plan.start, end, plan.order):
        if lost >= whole:
            patches.append(Removed(slot, unit))
        elif lost:
            patches.append(Wounded(slot, state.wounds_on(slot) + lost))
    return (apply(state, Event("odds", (), tuple(patches))) if patches else state), 0


def stepwise(sequence: Sequence, play: Play, form: AttackForm, groups: list[Group], policies: Mapping[str, str]) -> Plan:
    """RES-1: one side's strikes in several steps of a melee, each an event of its own, planned anew from what is left."""
    whole = sequence.planned(play, form, groups, policies)
    steps = [list(step) for _, step in groupby(groups, key=lambda group: group.step)]
    plans: dict[tuple[int, State], Plan] = {}

    def event(dice: Dice, at: int, state: State, tallies: tuple[Tally, ...]) -> tuple[State, tuple[int, ...]]:
        if not state.units[form.target].living:  # the strikes of later steps find nobody
            return state, (0,) * len(tallies)
        if (at, state) not in plans:
            plans[at, state] = sequence.planned(Play(play.game, state, play.oracle), form, steps[at], policies)
        end, counts = rolled(dice, plans[at, state], tallies)
        state, more = settled(dice, state, form.target, plans[at, state], end)
        return state, tuple(more if tally == MORE else counts[tally] for tally in tallies)

    def step(dice: Dice, begun: Any, tallies: tuple[Tally, ...]) -> Spent[Any, Any]:
        state, sums = play.state, (0,) * len(tallies)
        for at in range(len(steps)):
            state, counts = dice.run(event, at, state, tallies)
            sums = tuple(n + more for n, more in zip(sums, counts, strict=True))
        return Spent(_reported_by(whole, play, state, form.target), sums, None)

    return replace(whole, step=step, parts=None)


def _reported_by(whole: Plan, play: Play, state: State, unit: int) -> Any:
    """A state of the game as the target of a plan tells it."""
    if isinstance(whole.target, Hulls):
        here, standing = hulls_of(play.game, state, unit, state.units[unit].living, whole.target.facing)
        return whole.target.onto(here, standing)
    living, game = state.units[unit].living, play.game
    now = (state.wounds_on(slot) if slot in living else tough(game, slot) for slot in whole.order)
    return sum(now) - sum(play.state.wounds_on(slot) for slot in whole.order)
