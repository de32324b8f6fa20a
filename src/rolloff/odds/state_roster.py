"""A target told by states of the game: where an edition writes the end of an attack into one (`Plan.left`), or others matter.

Wounds lost by model do not always say everything: who was allocated attacks, who glows or is concussed, what a hull has lost.
"""

from __future__ import annotations

from collections.abc import Hashable

from msgspec import Struct

from rolloff.odds.losses import lost_by_model
from rolloff.rules.attack import Plan
from rolloff.rules.game import Game
from rolloff.table.event import Event, Marked, Patch, Removed, Wounded, apply
from rolloff.table.state import State


class Chronicle(Struct, frozen=True):
    """The models of a target in the order of its first plan; its states are states of the game (see `losses.Roster`)."""

    game: Game
    start: State
    slots: tuple[int, ...]
    wounds: tuple[int, ...]
    before: tuple[int, ...]
    shielded: tuple[int, ...]

    def none(self) -> State:
        """Nobody has lost anything yet."""
        return self.start

    def _losses(self, state: State) -> list[int | None]:
        """The wounds each model has lost since the start; None if it is gone."""
        living = {slot for unit in state.units for slot in unit.living}
        rows = zip(self.slots, self.before, strict=True)
        return [state.wounds_on(slot) - old if slot in living else None for slot, old in rows]

    def kills(self, state: State, inside: bool | None = None) -> int:
        """How many models are gone; ``inside``: of those that are shielded, or of the others."""
        rows = zip(self.slots, self._losses(state), strict=True)
        return sum(lost is None and inside in (None, slot in self.shielded) for slot, lost in rows)

    def damage(self, state: State, inside: bool | None = None) -> int:
        """How many wounds are gone; ``inside`` as above."""
        rows = zip(self.slots, self._losses(state), self.wounds, strict=True)
        counted = ((lost, whole) for slot, lost, whole in rows if inside in (None, slot in self.shielded))
        return sum(whole if lost is None else lost for lost, whole in counted)

    def on_next(self, state: State) -> int:
        """The wounds on the model hurt and next to fall, those it came with included."""
        rows = zip(self.slots, self._losses(state), self.before, strict=True)
        left = [(slot, lost, old) for slot, lost, old in rows if lost is not None]
        first = [(lost, old) for slot, lost, old in left if slot not in self.shielded]
        standing = first or [(lost, old) for _, lost, old in left]
        now = next((lost + old for lost, old in standing if lost), 0)
        return now or next((old for _, old in standing if old), 0)

    def gone(self, state: State) -> bool:
        """Whether nobody is left."""
        return self.kills(state) == len(self.slots)

    def state(self, _: State, now: State, mark: tuple[int, str] | None = None) -> State:
        """The game state it stands in; ``mark`` names a unit and what it has become."""
        return now if mark is None else apply(now, Event("odds", (), (Marked(mark[0], mark[1], 1),)))

    def after(self, now: State, plan: Plan, end: Hashable) -> State:
        """Where an attack that was planned from a state leaves it."""
        return left_by(self.game, now, plan, end)


def left_by(game: Game, now: State, plan: Plan, end: Hashable) -> State:
    """Where a planned attack leaves the game: as its edition writes it, or by the wounds each model has lost."""
    if plan.left is not None:
        return plan.left(game, now, plan, end)
    patches: list[Patch] = []
    for slot, lost, whole in lost_by_model(plan, end):
        if lost >= whole:
            patches.append(Removed(slot, now.owner_of(slot)))
        elif lost:
            patches.append(Wounded(slot, now.wounds_on(slot) + lost))
    return apply(now, Event("odds", (), tuple(patches))) if patches else now


def chronicle_of(game: Game, state: State, plan: Plan) -> Chronicle:
    """The target of a plan, before the first attack on it."""
    rows = list(lost_by_model(plan, plan.start))
    slots = tuple(slot for slot, _, _ in rows)
    wholes, before = tuple(whole for _, _, whole in rows), tuple(map(state.wounds_on, slots))
    return Chronicle(game, state, slots, wholes, before, plan.shielded)
