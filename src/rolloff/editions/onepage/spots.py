"""Finding room: a witness that a unit can be set down in a zone, as near as can be to where it would like to stand."""

from __future__ import annotations

from collections.abc import Iterator

from rolloff.geometry.moves import Zone
from rolloff.geometry.place import muster
from rolloff.rules.answers import Placement
from rolloff.rules.play import Play

_STEPS = 6


def spots(play: Play, zone: Zone, x: int, y: int) -> Iterator[tuple[int, int]]:
    """Goals to try, nearest to the wish first: the wish itself, then a grid over the zone."""
    yield x, y
    field = play.game.field
    boxes = zone.inside or ((0, 0, field.width, field.height),)
    grid = [
        (x0 + (x1 - x0) * (2 * i + 1) // (2 * _STEPS), y0 + (y1 - y0) * (2 * j + 1) // (2 * _STEPS))
        for x0, y0, x1, y1 in boxes
        for i in range(_STEPS)
        for j in range(_STEPS)
    ]
    grid.sort(key=lambda spot: ((spot[0] - x) ** 2 + (spot[1] - y) ** 2, spot))
    yield from grid


def find_spot(play: Play, unit: int, zone: Zone, x: int, y: int, facing: int = 0) -> Placement | None:
    """A lawful place for the whole unit at or near a point, or None if the search finds none."""
    slots = tuple(sorted(play.state.units[unit].living))
    for gx, gy in spots(play, zone, x, y):
        found = muster(play.scene, slots, zone, gx, gy, facing)
        if found is not None:
            return Placement(slots, found, facing.to_bytes(2, "little") * len(slots))
    return None
