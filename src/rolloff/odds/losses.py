"""Losses: what a target has lost model by model, whatever shape its states have, and the game state that leaves."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from msgspec import Struct

from rolloff.oracle.target import Ladder
from rolloff.rules.attack import Plan
from rolloff.table.event import Event, Marked, Patch, Removed, Wounded, apply
from rolloff.table.state import State

GONE = -1
"""Instead of wounds lost: the model is gone."""

Losses = tuple[int, ...]


class Roster(Struct, frozen=True):
    """The models of a target in the order of its first plan, the wounds each had left and those it had lost before."""

    slots: tuple[int, ...]
    wounds: tuple[int, ...]
    before: tuple[int, ...]

    def none(self) -> Losses:
        """Nobody has lost anything yet."""
        return (0,) * len(self.slots)

    def kills(self, losses: Losses) -> int:
        """How many models are gone."""
        return losses.count(GONE)

    def damage(self, losses: Losses) -> int:
        """How many wounds are gone."""
        return sum(whole if lost == GONE else lost for lost, whole in zip(losses, self.wounds, strict=True))

    def on_next(self, losses: Losses) -> int:
        """The wounds on the model hurt and next to fall, those it came with included."""
        standing = [(lost, old) for lost, old in zip(losses, self.before, strict=True) if lost != GONE]
        now = next((lost + old for lost, old in standing if lost), 0)
        return now or next((old for _, old in standing if old), 0)

    def gone(self, losses: Losses) -> bool:
        """Whether nobody is left."""
        return all(lost == GONE for lost in losses)

    def state(self, state: State, losses: Losses, mark: tuple[int, str] | None = None) -> State:
        """The game state with these losses; ``mark`` names a unit and what it has become."""
        patches: list[Patch] = []
        for slot, lost in zip(self.slots, losses, strict=True):
            if lost == GONE:
                patches.append(Removed(slot, state.owner_of(slot)))
            elif lost:
                patches.append(Wounded(slot, state.wounds_on(slot) + lost))
        if mark is not None:
            patches.append(Marked(mark[0], mark[1], 1))
        return apply(state, Event("odds", (), tuple(patches))) if patches else state

    def after(self, losses: Losses, plan: Plan, end: Hashable) -> Losses:
        """These losses with those of an attack that was planned from the state they left."""
        found = dict(zip(self.slots, losses, strict=True))
        for slot, lost, whole in lost_by_model(plan, end):
            if lost:
                found[slot] = GONE if lost >= whole else found[slot] + lost
        return tuple(found.values())


def roster_of(plan: Plan, state: State) -> Roster | None:
    """The models of a target whose states can be told model by model; None for others."""
    if not by_model(plan):
        return None
    rows = list(lost_by_model(plan, plan.start))
    slots = tuple(slot for slot, _, _ in rows)
    return Roster(slots, tuple(whole for _, _, whole in rows), tuple(state.wounds_on(slot) for slot in slots))


def by_model(plan: Plan) -> bool:
    """Whether wounds lost by model say everything about a state of this target."""
    return bool(plan.order) or not isinstance(plan.target, Ladder)


def lost_by_model(plan: Plan, end: Hashable) -> Iterator[tuple[int, int, int]]:
    """Slot, wounds lost since the start of a plan and wounds there were, for each model of its target."""
    return plan.target.losses(plan.start, end, plan.order)
