"""Setting up: roll-offs, edges and their strips, and a unit placed in a zone, with what happens where there is no room."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import replace

from rolloff.geometry.field import Field, Scene
from rolloff.geometry.moves import Rectangle, Zone
from rolloff.geometry.place import muster
from rolloff.rules.answers import Placement
from rolloff.rules.moves import STANDS, Refusals, Setting, ask_place
from rolloff.table.event import Went
from rolloff.table.state import TABLE

if TYPE_CHECKING:
    from rolloff.rules.game import Game
    from rolloff.rules.play import Play

EDGES = ("bottom", "top", "left", "right")
OPPOSITE = {"bottom": "top", "top": "bottom", "left": "right", "right": "left"}
INWARD = {"bottom": 900, "top": 2700, "left": 0, "right": 1800}
"""The way from each edge of the table to its middle, in tenths of a degree."""


class SetUp(Struct, frozen=True):
    """How a unit is set down: where it may stand, near which spot it would, which way it faces, and by which clause.

    The event cites that clause, or ``cites`` if these are more; ``refusals`` are the words for this place alone. Without
    ``turns`` all face one way. ``others`` are places by other rules that the unit may be set down in instead.
    """

    zone: Zone
    x: int
    y: int
    clause: str
    facing: int = 0
    point: str = ""
    kind: str = "set-up"
    cites: tuple[str, ...] = ()
    refusals: Refusals = field(default_factory=dict)
    turns: bool = True
    others: tuple[SetUp, ...] = ()


NoRoom = Callable[["Play", int, SetUp], Placement | None]
"""What becomes of a unit for which there is no room; a place that was made for it after all, or None."""


def strip(field: Field, edge: str, depth: int) -> Rectangle:
    """The ground along an edge of the table."""
    width, height = field.width, field.height
    return {
        "bottom": (0, 0, width, depth),
        "top": (0, height - depth, width, height),
        "left": (0, 0, depth, height),
        "right": (width - depth, 0, width, height),
    }[edge]


def keep_apart(game: Game, unit: int, friends: int, enemies: int) -> bytes:
    """The gap codes of a placing: how far to stand from own units and from the enemy's."""
    return gap_codes(game, unit, friends, enemies)


def gap_codes(game: Game, unit: int, friends: int, enemies: int, but: tuple[int, ...] = (), code: int = 0) -> bytes:
    """How near a unit may be to each other unit: own ones, enemies, and some that are an exception. Made once a game."""
    side = game.sides[unit]
    key = side, friends, enemies, but, code
    found = game.gap_codes.get(key)
    if found is None and but:
        codes = bytearray(gap_codes(game, unit, friends, enemies))
        for other in but:
            struct.pack_into("<i", codes, 4 * other, code)
        found = game.gap_codes[key] = bytes(codes)
    elif found is None:
        own, foe = struct.pack("<i", friends), struct.pack("<i", enemies)
        found = game.gap_codes[key] = b"".join([own if other == side else foe for other in game.sides])
    return found


def roll_off(play: Play, *clauses: str, sides: int = 6) -> int:
    """Each player rolls a die, the higher wins, ties are rolled again."""
    play.rolled_by = -1
    while True:
        a, b = play.dice.faces(2, "roll-off", *clauses, sides=sides)
        if a != b:
            return 0 if a > b else 1


def room_at(play: Play, slots: tuple[int, ...], zone: Zone, spot: tuple[int, int], facing: int) -> bytes | None:
    """Room for models in a zone, looked for outward from a spot; that they may stand there is noted (`Play.measured`)."""
    return _room_in(play.scene, play.measured, slots, zone, spot, facing, struct.pack("<h", facing) * len(slots))


def _room_in(
    scene: Scene, kept: dict[object, Any], slots: tuple[int, ...], zone: Zone, spot: tuple[int, int], facing: int, turns: bytes
) -> bytes | None:
    """The same in a scene, noted among what was measured in it; ``turns`` is the facing of all as the table has it."""
    found = muster(scene, slots, zone, *spot, facing)
    if found is not None:
        kept[STANDS, slots, zone, found, turns] = True
    return found


def find_place(play: Play, unit: int, where: SetUp) -> Placement | None:
    """A lawful place for a whole unit, looked for outward from the wanted spot over the whole zone; None if there is none."""
    slots, zone, facing = tuple(sorted(play.state.units[unit].living)), where.zone, where.facing
    scene, kept = play.scene, play.measured  # the scene first: what was measured goes by it
    key = "place", slots, zone, where.x, where.y, facing
    if key in kept:
        known: Placement | None = kept[key]
        return known
    spot, turns = (where.x, where.y), struct.pack("<h", facing) * len(slots)

    def search(zone: Zone) -> bytes | None:
        return _room_in(scene, kept, slots, zone, spot, facing, turns)

    found = clear_place(play, unit, zone, scene, turns, search)
    kept[key] = found
    return found


def clear_place(
    play: Play, unit: int, zone: Zone, scene: Scene, facings: bytes, search: Callable[[Zone], bytes | None]
) -> Placement | None:
    """What a search finds for a unit in a zone; where the edition minds more there, what it finds in the room that leaves."""
    slots, movement = tuple(sorted(play.state.units[unit].living)), play.game.edition.movement
    xy = search(zone)
    found = None if xy is None else Placement(slots, xy, facings)
    clear, rooms = (movement.clear, movement.rooms) if movement is not None else (None, None)
    if found is None or clear is None or rooms is None or clear(play, zone, found, scene) is None:
        return found
    tries = (search(room) for room in rooms(play, unit, zone))
    places = (Placement(slots, xy, facings) for xy in tries if xy is not None)
    return next((place for place in places if clear(play, zone, place, scene) is None), None)


def set_down(play: Play, unit: int, where: SetUp, refusals: Refusals, no_room: NoRoom | None = None) -> bool:
    """A unit is set down where its player wants within a zone; where there is no room ``no_room`` says what becomes of it."""
    default = find_place(play, unit, where)
    for other in where.others:
        if default is None:
            where = replace(other, kind=where.kind)
            default = find_place(play, unit, where)
    if default is None and no_room is not None:
        default = no_room(play, unit, where)
    if default is None:
        return False
    setting = Setting(default.slots, where.zone, where.facing, others=tuple([other.zone for other in where.others]))
    box = tuple([v / 1000 for v in where.zone.inside[0]]) if where.zone.inside else None
    owner, words = play.game.sides[unit], {**refusals, **where.refusals} if where.refusals else refusals
    patch = ask_place(play, owner, unit, setting, default, where.clause, words, where.point, zone=box)
    if not where.turns:
        patch = replace(patch, facing=struct.pack("<h", where.facing) * len(patch.slots))
    play.emit(where.kind, where.cites or (where.clause,), Went(unit, TABLE), patch, unit=unit)
    return True
