"""The state of a game: packed buffers by roster slot, small frozen structs for units, immutable and cheap to fork."""

from __future__ import annotations

import struct

import msgspec
from msgspec import Struct

NOWHERE = -(2**31)

# Where a unit is, when it is not aboard another (then: the number of that unit).
TABLE, RESERVE, WAITING, GONE, MERGED = -1, -2, -3, -4, -5
WHERE_NAMES = {TABLE: "table", RESERVE: "reserve", WAITING: "waiting", GONE: "destroyed", MERGED: "merged"}

Value = int | str
Marks = tuple[tuple[str, Value], ...]

_PAIR = struct.Struct("<2i")
_short_at = struct.Struct("<h").unpack_from
_encode = msgspec.msgpack.Encoder().encode


def find_mark(marks: Marks, name: str) -> Value | None:
    """The value of a mark, or None."""
    for key, value in marks:
        if key == name:
            return value
    return None


def with_mark(marks: Marks, name: str, value: Value | None) -> Marks:
    """The marks with one set, changed or (None) taken away; they are sorted, so that equal states are equal bytes."""
    if not marks:
        return () if value is None else ((name, value),)
    if value is None and len(marks) == 1:
        return () if marks[0][0] == name else marks
    at = 0
    for key, _ in marks:  # of which there are few: looking through them is cheaper than searching
        if key >= name:
            break
        at += 1
    after = at + 1 if at < len(marks) and marks[at][0] == name else at
    if value is None:
        return marks if at == after else marks[:at] + marks[after:]
    mark = ((name, value),)
    return marks[:at] + mark + marks[after:] if at < len(marks) else marks + mark


class Unit(Struct, frozen=True, gc=False):
    """What changes about a unit: who lives, where it is, whether it has acted, and marks single rules leave on it."""

    living: tuple[int, ...]
    where: int = WAITING
    done: bool = False
    marks: Marks = ()

    def mark(self, name: str) -> Value | None:
        """A mark's value, or None."""
        for key, value in self.marks:
            if key == name:
                return value
        return None


class Clock(Struct, frozen=True, gc=False, cache_hash=True):
    """What comes next: the phase names the step to run, for which side, in which round."""

    phase: str
    round: int = 0
    active: int = 0
    first: int = 0
    marks: Marks = ()

    def mark(self, name: str) -> Value | None:
        """A mark's value, or None."""
        return find_mark(self.marks, name)


class State(Struct, frozen=True, gc=False, cache_hash=True):
    """Everything that changes in a game. Buffers are little-endian, one entry a roster slot (see `geometry.field`)."""

    xy: bytes
    z: bytes
    facing: bytes
    wounds: bytes
    owner: bytes
    units: tuple[Unit, ...]
    sides: tuple[Marks, Marks]
    models: tuple[tuple[int, str, Value], ...]
    clock: Clock

    def at(self, slot: int) -> tuple[int, int]:
        """The position of a model in thou; x is `NOWHERE` off the table."""
        x, y = _PAIR.unpack_from(self.xy, slot * 8)
        return x, y

    def wounds_on(self, slot: int) -> int:
        """Wounds a model has taken."""
        return self.wounds[2 * slot] | (self.wounds[2 * slot + 1] << 8)

    def facing_of(self, slot: int) -> int:
        """A model's facing in tenths of a degree."""
        value: int = _short_at(self.facing, slot * 2)[0]
        return value

    def owner_of(self, slot: int) -> int:
        """The unit a model belongs to now."""
        value: int = _short_at(self.owner, slot * 2)[0]
        return value

    def model_mark(self, slot: int, name: str) -> Value | None:
        """A mark on a single model, or None."""
        for where, key, value in self.models:
            if where == slot and key == name:
                return value
        return None

    def side_mark(self, side: int, name: str) -> Value | None:
        """A mark on a player, or None."""
        return find_mark(self.sides[side], name)

    def digest(self) -> str:
        """The hash of the whole state: equal states, equal digests, on every machine."""
        import hashlib  # where it is used: odds hash no state

        return "sha256:" + hashlib.sha256(_encode(self)).hexdigest()
