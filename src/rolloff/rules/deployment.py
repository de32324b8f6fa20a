"""Setting up: roll-offs, and one unit at a time placed in a zone, with what happens where there is no room."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from rolloff.geometry.moves import Zone
from rolloff.geometry.place import muster
from rolloff.rules.answers import Placement
from rolloff.rules.moves import Refusals, Setting, ask_place
from rolloff.table.event import Went
from rolloff.table.state import TABLE

if TYPE_CHECKING:
    from rolloff.rules.play import Play

STEP = 4000
"""How far apart the spots are at which a place is looked for, in thou; a second look is four times as close."""


class SetUp(Struct, frozen=True):
    """How a unit is set down: where it may stand, near which spot it would, which way it faces, and by which clause."""

    zone: Zone
    x: int
    y: int
    clause: str
    facing: int = 0
    point: str = ""
    kind: str = "set-up"


def roll_off(play: Play, *clauses: str) -> int:
    """Each player rolls a die, the higher wins, ties are rolled again."""
    play.thrower = -1
    while True:
        a, b = play.dice.faces(2, "roll-off", *clauses)
        if a != b:
            return 0 if a > b else 1


def find_place(play: Play, unit: int, where: SetUp) -> Placement | None:
    """A lawful place for a whole unit, as near to the wanted spot as a search finds one; None if it finds none."""
    slots = tuple(sorted(play.state.units[unit].living))
    turns = struct.pack("<h", where.facing) * len(slots)
    for x, y in _spots(play, where):
        found = muster(play.scene, slots, where.zone, x, y, where.facing)
        if found is not None:
            return Placement(slots, found, turns)
    return None


def _spots(play: Play, where: SetUp) -> list[tuple[int, int]]:
    """The wanted spot, then a grid over the zone, the nearest first."""
    boxes = where.zone.inside or ((0, 0, play.game.field.width, play.game.field.height),)
    if where.zone.hub is not None:
        return [(where.x, where.y)]
    grid = [
        (x, y)
        for x0, y0, x1, y1 in boxes
        for x in range(x0 + min(STEP, x1 - x0) // 2, x1 + 1, STEP)
        for y in range(y0 + min(STEP, y1 - y0) // 2, y1 + 1, STEP)
    ]
    grid.sort(key=lambda spot: ((spot[0] - where.x) ** 2 + (spot[1] - where.y) ** 2, spot))
    return [(where.x, where.y), *grid]


def set_down(
    play: Play, unit: int, where: SetUp, refusals: Refusals, no_room: Callable[[Play, int], None] | None = None
) -> bool:
    """A unit is set down where its player wants within a zone; where there is no room ``no_room`` says what becomes of it."""
    default = find_place(play, unit, where)
    if default is None:
        if no_room is not None:
            no_room(play, unit)
        return False
    setting = Setting(default.slots, where.zone, where.facing)
    box = tuple(v / 1000 for v in where.zone.inside[0]) if where.zone.inside else None
    owner = play.game.side_of(unit)
    patch = ask_place(play, owner, unit, setting, default, where.clause, refusals, where.point, zone=box)
    play.emit(where.kind, (where.clause,), Went(unit, TABLE), patch, unit=unit)
    return True


def next_to_place(waiting: Callable[[int], Sequence[int]], last: int) -> int | None:
    """Whose turn it is to place a unit after a side did: the other's while it has some; None when nobody has."""
    return next((side for side in (1 - last, last) if waiting(side)), None)
