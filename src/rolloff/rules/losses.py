"""Losses: models leave the table by one verb, and what an edition does when a unit is gone follows from it.

`lose` is the only place where play removes models, so nothing that happens to the fallen can be forgotten by a rule that
fells them: a wreck's passengers get out whatever destroyed the transport.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from rolloff.rules.component import Component
from rolloff.table.event import Event, Fact, Parted, Patch, Removed, Wounded
from rolloff.table.state import State

if TYPE_CHECKING:
    from rolloff.rules.play import Play

Hull = tuple[int, tuple[int, int], int]
"""A model with the place and the facing it had: slot, position in thou, tenths of a degree."""


class Fallen(Struct, frozen=True):
    """A unit that lost models: by which kind of event, the state before it, and the cause it names.

    ``event`` is that event itself, or None on a play nobody reads.
    """

    unit: int
    kind: str
    before: State
    cause: Fact = None
    event: Event | None = None

    @property
    def hulls(self) -> tuple[Hull, ...]:
        """Where all its models stood before they fell."""
        return _hulls(self.before, self.before.units[self.unit].living)


class Losses(Component, frozen=True):
    """What follows from losses: each function of ``unit`` is called, in order, when the last model of a unit is gone.

    Those of ``models`` are called when some of its models have gone and others are left.
    """

    unit: tuple[Callable[[Play, Fallen], None], ...] = ()
    models: tuple[Callable[[Play, Fallen], None], ...] = ()


def lose(
    play: Play, kind: str, clauses: tuple[str, ...], unit: int, slots: Sequence[int], *patches: Patch, **facts: Fact
) -> None:
    """Models of a unit leave the table in one event of this kind; then the edition's `Losses` have their say.

    ``patches`` are whatever else the event changes. Removing nobody is an ordinary event.
    """
    before = play.state
    play.emit(kind, clauses, *[Removed(slot, unit) for slot in slots], *patches, unit=unit, **facts)
    if not slots:
        return
    fallen = Fallen(unit, kind, before, facts.get("cause"), play.events[-1] if play.logged else None)
    losses = play.game.edition.losses
    for follow in losses.models if play.state.units[unit].living else losses.unit:
        follow(play, fallen)


def _hulls(state: State, slots: tuple[int, ...]) -> tuple[Hull, ...]:
    """Some models with their places and facings."""
    xy, facing = memoryview(state.xy).cast("i"), memoryview(state.facing).cast("h")
    return tuple([(slot, (xy[2 * slot], xy[2 * slot + 1]), facing[slot]) for slot in slots])


def split_into(play: Play, unit: int) -> tuple[int, ...]:
    """The units that a unit without models fell into in this step; none if it is there, or nothing is left of it."""
    if play.state.units[unit].living:
        return ()
    for event in reversed(play.events):
        found = [patch.into for patch in event.patches if isinstance(patch, Parted) and patch.unit == unit]
        if found:
            return tuple(found)
    return ()


def hurt(play: Play, slot: int, wounds: int, *clauses: str) -> bool:
    """A model takes wounds that no attack made (bad ground, a curse): it is ``hurt``, or ``removed`` with its last one.

    How many it has the edition's ``wounds`` say. Gives whether it fell.
    """
    unit, total = play.state.owner_of(slot), play.state.wounds_on(slot) + wounds
    falls = total >= play.game.edition.wounds(play.game, slot)
    if falls:
        lose(play, "removed", clauses, unit, (slot,))
    elif wounds > 0:
        play.emit("hurt", clauses, Wounded(slot, total), unit=unit, wounds=wounds)
    return falls
