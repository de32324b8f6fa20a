"""Whether a table is laid out as a mission needs it (MIS-9): markers free of walls, and both sides alike."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from rolloff.editions.commentary.ground import MARKER_RADIUS
from rolloff.editions.commentary.missions import Map, map_of
from rolloff.errors import BadInput
from rolloff.geometry.plain.convex import core_distance
from rolloff.geometry.shapes import Point, convex_parts, tidy
from rolloff.lengths import INCH
from rolloff.rules.citing import cites
from rolloff.table.setup import Setup, Table, Terrain

CLEAR = 3 * INCH
LEAST = 24 * INCH, 18 * INCH
"""The smallest table on which armies of any size are set up and keep the distances of Reserves."""
OBJECTIVE, FLOOR = "objective", "floor"


def check_layout(setup: Setup) -> None:
    """Refuse a battle whose table does not fit its mission, or is too small for any."""
    width, height = sorted(setup.table.size, reverse=True)
    if width < LEAST[0] or height < LEAST[1]:
        said = f"a table of {setup.table.size[0] / INCH:g} by {setup.table.size[1] / INCH:g} inches has no room for a battle"
        raise BadInput("small-table", said, where="table", allowed="24 by 18 inches or more", clause="ARMY-1")
    for message in _problems(setup.table, map_of(setup)):
        raise BadInput("bad-layout", f"the table does not fit the mission: {message}", where="table", clause="MIS-9")


@lru_cache(maxsize=64)
def _problems(table: Table, chart: Map) -> tuple[str, ...]:
    """What is wrong with a layout, found once for all battles on it."""
    return tuple(problems(table, chart))


@cites("MIS-9")
def problems(table: Table, chart: Map) -> Iterator[str]:
    """MIS-9: every way in which a layout is not legal, as a sentence."""
    spots = [(round(x * INCH), round(y * INCH)) for x, y in chart.markers]
    pieces = [piece for piece in table.terrain if OBJECTIVE not in piece.types]
    for piece in pieces:
        for x, y in spots:
            gap = distance(piece, x, y) - MARKER_RADIUS
            if piece.solid and FLOOR not in piece.types and gap < CLEAR:
                yield f"{piece.id} is less than 3 inches from the marker at {x / INCH:g}, {y / INCH:g}"
            if FLOOR in piece.types and gap < 0:
                yield f"the marker at {x / INCH:g}, {y / INCH:g} lies on the floor {piece.id}"
    width, height = table.size
    shapes = {shape(piece) for piece in pieces}
    for piece in pieces:
        if turned(shape(piece), width, height) not in shapes:
            yield f"nothing is the image of {piece.id} under a half turn"


def distance(piece: Terrain, x: int, y: int) -> float:
    """How far a point is from a piece, 0 or less inside it."""
    if piece.disc is not None:
        cx, cy, radius = piece.disc
        return core_distance(((float(cx), float(cy)),), x, y) - radius
    return min(core_distance(part, x, y) for part in convex_parts(tidy(piece.polygon or ())))


Shape = tuple[tuple[str, ...], int, int, tuple[int, ...], frozenset[Point]]


def shape(piece: Terrain) -> Shape:
    """What must be the same of a piece and its image."""
    disc = piece.disc or (0, 0, 0)
    corners = frozenset(piece.polygon or ((disc[0], disc[1]),))
    return piece.types, piece.height, piece.bottom, disc[2:], corners


def turned(one: Shape, width: int, height: int) -> Shape:
    """A shape after a half turn about the centre of the table."""
    return (*one[:4], frozenset((width - x, height - y) for x, y in one[4]))
