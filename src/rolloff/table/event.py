"""Events and their patches, and `apply`: the only code that makes a new state."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rolloff.buffers import spliced
from rolloff.table.state import GONE, MERGED, NOWHERE, TABLE, WAITING, Clock, State, Unit, Value, with_mark

Fact = int | str | float | bool | None | tuple["Fact", ...]


class Placed(Struct, frozen=True, gc=False, tag="placed"):
    """Models stand somewhere: parallel runs of positions, facings and heights, packed as in the state."""

    slots: tuple[int, ...]
    xy: bytes
    z: bytes
    facing: bytes


class Removed(Struct, frozen=True, gc=False, tag="removed"):
    """A model is out of the game; a unit without models is gone."""

    slot: int
    unit: int


class Wounded(Struct, frozen=True, gc=False, tag="wounded"):
    """A model has now taken this many wounds."""

    slot: int
    total: int


class Marked(Struct, frozen=True, gc=False, tag="marked"):
    """A mark on a unit is set, changed or (None) lifted."""

    unit: int
    name: str
    value: Value | None


class ModelMarked(Struct, frozen=True, gc=False, tag="model-marked"):
    """A mark on one model is set, changed or (None) lifted."""

    slot: int
    name: str
    value: Value | None


class SideMarked(Struct, frozen=True, gc=False, tag="side-marked"):
    """A mark on a player is set, changed or (None) lifted."""

    side: int
    name: str
    value: Value | None


class Went(Struct, frozen=True, gc=False, tag="went"):
    """A unit changes where it is; anything but the table takes its models off it."""

    unit: int
    where: int


class Done(Struct, frozen=True, gc=False, tag="done"):
    """A unit has acted (or may act again)."""

    unit: int
    done: bool


class Joined(Struct, frozen=True, gc=False, tag="joined"):
    """The models of one unit become part of another for good."""

    unit: int
    into: int


class Parted(Struct, frozen=True, gc=False, tag="parted"):
    """Some models leave their unit and are a unit of their own again."""

    slots: tuple[int, ...]
    unit: int
    into: int


class Returned(Struct, frozen=True, gc=False, tag="returned"):
    """Models that were out of the game belong to a unit again; where they stand other patches say.

    ``fresh`` ones are unhurt and unmarked; others are as they were when they left.
    """

    slots: tuple[int, ...]
    unit: int
    fresh: bool = True


class Ticked(Struct, frozen=True, gc=False, tag="ticked"):
    """The clock is set."""

    clock: Clock


Patch = Placed | Removed | Wounded | Marked | ModelMarked | SideMarked | Went | Done | Joined | Parted | Returned | Ticked


class Event(Struct, frozen=True, gc=False):
    """Something happened: what, by which clauses, what it changes, and facts for the log."""

    kind: str
    clauses: tuple[str, ...]
    patches: tuple[Patch, ...] = ()
    facts: tuple[tuple[str, Fact], ...] = ()

    def fact(self, name: str) -> Fact:
        """A fact by name, or None."""
        for key, value in self.facts:
            if key == name:
                return value
        return None


_PAIR = struct.Struct("<2i")
_OFF = _PAIR.pack(NOWHERE, 0)


def _lift(buffer: bytes, slots: tuple[int, ...]) -> bytes:
    return spliced(buffer, 8, slots, _OFF * len(slots))


def _with_unit(state: State, number: int, unit: Unit) -> tuple[Unit, ...]:
    units = list(state.units)
    units[number] = unit
    return tuple(units)


def _own(owner: bytes, slots: tuple[int, ...], unit: int) -> bytes:
    return spliced(owner, 2, slots, struct.pack("<h", unit) * len(slots))


def _without(unit: Unit, gone: int) -> Unit:
    living = unit.living
    if gone in living:
        at = living.index(gone)
        living = living[:at] + living[at + 1 :]
    return replace(unit, living=living) if living else replace(unit, living=(), where=GONE)


def _removed(state: State, patch: Removed) -> State:
    after = _without(state.units[patch.unit], patch.slot)
    return replace(state, xy=_lift(state.xy, (patch.slot,)), units=_with_unit(state, patch.unit, after))


def _model_marked(state: State, patch: ModelMarked) -> State:
    rest = [entry for entry in state.models if (entry[0], entry[1]) != (patch.slot, patch.name)]
    if patch.value is not None:
        rest.append((patch.slot, patch.name, patch.value))
        rest.sort(key=lambda entry: entry[:2])
    return replace(state, models=tuple(rest))


def _side_marked(state: State, patch: SideMarked) -> State:
    first, second = state.sides
    if patch.side:
        return replace(state, sides=(first, with_mark(second, patch.name, patch.value)))
    return replace(state, sides=(with_mark(first, patch.name, patch.value), second))


def _marked(state: State, patch: Marked) -> State:
    units, number = list(state.units), patch.unit
    unit = units[number]
    units[number] = replace(unit, marks=with_mark(unit.marks, patch.name, patch.value))
    return replace(state, units=tuple(units))


def _done(state: State, patch: Done) -> State:
    units, number = list(state.units), patch.unit
    units[number] = replace(units[number], done=patch.done)
    return replace(state, units=tuple(units))


def _ticked(state: State, patch: Ticked) -> State:
    return state if patch.clock is state.clock else replace(state, clock=patch.clock)


def _went(state: State, patch: Went) -> State:
    unit = state.units[patch.unit]
    units = _with_unit(state, patch.unit, replace(unit, where=patch.where))
    if patch.where == TABLE:
        return replace(state, units=units)
    return replace(state, units=units, xy=_lift(state.xy, unit.living))


def _joined(state: State, patch: Joined) -> State:
    guest, host = state.units[patch.unit], state.units[patch.into]
    units = list(state.units)
    units[patch.into] = replace(host, living=host.living + guest.living)
    units[patch.unit] = replace(guest, living=(), where=MERGED)
    return replace(state, units=tuple(units), owner=_own(state.owner, guest.living, patch.into))


def _parted(state: State, patch: Parted) -> State:
    old, new = state.units[patch.unit], state.units[patch.into]
    units = list(state.units)
    units[patch.unit] = replace(old, living=tuple(slot for slot in old.living if slot not in patch.slots))
    units[patch.into] = replace(new, living=patch.slots, where=old.where)
    return replace(state, units=tuple(units), owner=_own(state.owner, patch.slots, patch.into))


def _returned(state: State, patch: Returned) -> State:
    unit = state.units[patch.unit]
    living = sorted((*unit.living, *patch.slots))
    if unit.living != tuple(sorted(unit.living)):  # others joined it: everybody stays where he is among them
        living = list(unit.living)
        for slot in patch.slots:
            living.insert(next((k for k, other in enumerate(living) if other > slot), len(living)), slot)
    where = WAITING if unit.where in (GONE, MERGED) else unit.where
    after = replace(unit, living=tuple(living), where=where)
    state = replace(state, units=_with_unit(state, patch.unit, after), owner=_own(state.owner, patch.slots, patch.unit))
    if not patch.fresh:
        return state
    return replace(
        state,
        wounds=spliced(state.wounds, 2, patch.slots, bytes(2 * len(patch.slots))),
        models=tuple(entry for entry in state.models if entry[0] not in patch.slots),
    )


def _placed(state: State, patch: Placed) -> State:
    xy, facing = spliced(state.xy, 8, patch.slots, patch.xy), spliced(state.facing, 2, patch.slots, patch.facing)
    if state.z == bytes(len(state.z)) and patch.z == bytes(len(patch.z)):  # nobody is above the ground, as mostly
        return replace(state, xy=xy, facing=facing)
    return replace(state, xy=xy, z=spliced(state.z, 4, patch.slots, patch.z), facing=facing)


def _wounded(state: State, patch: Wounded) -> State:
    return replace(state, wounds=spliced(state.wounds, 2, (patch.slot,), struct.pack("<h", patch.total)))


_BY_KIND: dict[type, Callable[[State, Any], State]] = {
    Ticked: _ticked,
    Marked: _marked,
    Done: _done,
    Placed: _placed,
    Removed: _removed,
    Wounded: _wounded,
    ModelMarked: _model_marked,
    SideMarked: _side_marked,
    Went: _went,
    Joined: _joined,
    Parted: _parted,
    Returned: _returned,
}


_ELSEWHERE = frozenset({Wounded, ModelMarked})
"""Patches that neither read nor write units or places."""


def patched(state: State, *patches: Patch) -> State:
    """The state after some patches, in order."""
    return patched_by(state, patches)


def patched_by(state: State, patches: tuple[Patch, ...]) -> State:
    """The same of patches in hand. Those of units, losses, players and the clock, on end, make one new state together.

    Patches have no kinds beneath them: to ask for the type itself is far cheaper than `isinstance`, where the answer is no.
    """
    if len(patches) == 1:
        (only,) = patches
        if type(only) is Ticked:  # as most by far
            return state if only.clock is state.clock else replace(state, clock=only.clock)
        return _BY_KIND[type(only)](state, only)
    units: list[Unit] | None = None
    gone: list[int] = []
    sides, clock = state.sides, state.clock
    for patch in patches:
        if type(patch) is Marked:
            if units is None:
                units = list(state.units)
            unit = units[patch.unit]
            units[patch.unit] = replace(unit, marks=with_mark(unit.marks, patch.name, patch.value))
        elif type(patch) is SideMarked:
            changed = with_mark(sides[patch.side], patch.name, patch.value)
            sides = (sides[0], changed) if patch.side else (changed, sides[1])
        elif type(patch) is Done:
            if units is None:
                units = list(state.units)
            units[patch.unit] = replace(units[patch.unit], done=patch.done)
        elif type(patch) is Ticked:
            clock = patch.clock
        elif type(patch) is Removed:
            if units is None:
                units = list(state.units)
            units[patch.unit] = _without(units[patch.unit], patch.slot)
            gone.append(patch.slot)
        else:
            if units is not None and type(patch) not in _ELSEWHERE:
                state, units, gone = replace(state, units=tuple(units), xy=_lift(state.xy, tuple(gone))), None, []
            state = _BY_KIND[type(patch)](state, patch)
    if units is not None:
        xy = _lift(state.xy, tuple(gone)) if gone else state.xy
        return replace(state, units=tuple(units), xy=xy, sides=sides, clock=clock)
    if sides is not state.sides:
        return replace(state, sides=sides, clock=clock)
    return state if clock is state.clock else replace(state, clock=clock)


def apply(state: State, event: Event) -> State:
    """The state after an event: its patches, in order. Nothing else writes a state."""
    return patched_by(state, event.patches)
