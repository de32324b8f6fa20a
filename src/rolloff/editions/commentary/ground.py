"""Terrain as the edition knows it (TER): its types as bits, what bars a unit's way or end, and the markers of a mission."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rolloff.editions.commentary.lookups import SLIPPING, index_of
from rolloff.geometry.field import COVER, Ground, Place
from rolloff.identity_cache import FormCache
from rolloff.lengths import INCH, millimetres
from rolloff.rules.citing import cites
from rolloff.rules.game import Game
from rolloff.rules.objectives import Spot
from rolloff.table.state import State

RUIN, WOODS, CRATER, BARRICADE, DEBRIS, HILL, SEALED = 64, 128, 256, 512, 1024, 2048, 4096
WALL, FLOOR, MARKER, TOKEN = 8192, 16384, 32768, 65536
HANGING: Final = DEBRIS | HILL | SEALED | WALL
"""The kinds of solid pieces that stop who stands as high as they begin."""
CLIMBED: Final = HANGING | BARRICADE
"""The kinds of pieces that are climbed, or flown over, where they are tall."""
TERRAIN: Final = {
    "open": 0,
    "ruin": RUIN | COVER,
    "woods": WOODS | COVER,
    "crater": CRATER | COVER,
    "barricade": BARRICADE,
    "debris": DEBRIS,
    "hill": HILL,
    "sealed structure": SEALED,
    "wall": WALL,
    "floor": FLOOR,
    "block": SEALED,
    "objective": MARKER,
    "token": TOKEN,
}
TOPS: Final = frozenset([name for name, bits in TERRAIN.items() if bits & (HILL | SEALED | FLOOR)])
"""What models stand on top of."""
SHUT: Final = WALL | BARRICADE | DEBRIS
"""What nobody ends inside or on top of."""
LOW: Final = 2 * INCH
"""Terrain up to this height is ignored on the way (MOVE-9)."""
MARKER_RADIUS: Final = millimetres(20)
CLOSED, PASSED = 1, 3
"""What a piece is to a unit: closed, or open to its way but not to its end; 0 where it does not matter."""
NOBODY_ENDS_ON: Final = {MARKER: "OBJ-2", BARRICADE: "TER-4", DEBRIS: "TER-5"}
"""The clause by which no model ends on a piece of a kind."""


@cites("OBJ-1")
def spots(game: Game) -> Sequence[Spot]:
    """OBJ-1: the markers on the table, 40 mm across."""
    lookups = index_of(game)
    return lookups.spots


def barred_to(game: Game, state: State, unit: int, flies: bool = False) -> bytes:
    """What each piece is to a unit: closed to it, closed to its end alone, or open (MOVE-9, TER-4 to TER-8, OBJ-2)."""
    return barred_for(game, index_of(game).words(state.units[unit].living), flies)


def barred_for(game: Game, words: frozenset[str], flies: bool) -> bytes:
    """The same by the keywords of a unit."""
    return barred_by(game, not words.isdisjoint(SLIPPING), flies)


def barred_by(game: Game, slips: bool, flies: bool, high: bool = False) -> bytes:
    """The same by how models go; to ``high`` ones, who do not all stand on the ground, what hangs above it matters too."""
    lookups, key = index_of(game), (flies, slips, high)
    found = lookups.barred.get(key)
    if found is None:
        ground = game.field.ground
        found = lookups.barred[key] = _barred.get(ground, key) or _barred.put(ground, key, _bars(ground, *key))
    return found


_barred: FormCache[Ground, bytes] = FormCache()
"""What the pieces of tables lately met are to units, by what these can do."""


def _bars(ground: Ground, flies: bool, slips: bool, high: bool) -> bytes:
    """What each piece of a table is to who flies or does not, and slips through walls or does not."""
    rows = [(place.kinds, place.height, not high and hangs(place)) for place in ground.places]
    known = {row: 0 if row[2] else _bar(*row[:2], flies, slips) for row in dict.fromkeys(rows)}
    return bytes([known[row] for row in rows])


@cites("MOVE-11")
def hangs(place: Place) -> bool:
    """MOVE-11: whether a solid piece begins above the ground: a base that stands lower passes beneath it."""
    return place.bottom > 0 and bool(place.kinds & HANGING)


def hanging(game: Game) -> tuple[int, ...]:
    """The pieces of a table that begin above the ground; mostly there are none."""
    lookups = index_of(game)
    found = lookups.flown.get("hanging")
    if not isinstance(found, tuple):
        found = lookups.flown["hanging"] = tuple([k for k, place in enumerate(game.field.ground.places) if hangs(place)])
    return found


def by_height(game: Game) -> tuple[int, ...]:
    """The pieces nobody ends inside or on that somebody may stand above or beneath: there his height decides; mostly none."""
    lookups = index_of(game)
    found = lookups.flown.get("by height")
    if not isinstance(found, tuple):
        rows = enumerate(game.field.ground.places)
        decided = [k for k, place in rows if hangs(place) or (place.kinds & SHUT and _topped(game.field.ground, place))]
        found = lookups.flown["by height"] = tuple(decided)
    return found


@cites("TER-8", "TER-12")
def _topped(ground: Ground, wall: Place) -> bool:
    """TER-8, TER-12: whether there is something to stand on above a wall, where a base is not inside it.

    A piece of no height, on which models may not end either, is where it is at any height.
    """
    if not wall.height:
        return False
    left, low, right, high = wall.box
    tops = [place for place in ground.places if place.kinds & (FLOOR | HILL | SEALED) and place.height >= wall.height]
    return any(x0 < right and left < x1 and y0 < high and low < y1 for x0, y0, x1, y1 in [place.box for place in tops])


def _bar(kinds: int, height: int, flies: bool, slips: bool) -> int:
    """What a piece is to the ways proposed to a unit: they climb nothing tall, and end on the ground."""
    if kinds & MARKER:
        return on_marker()
    if kinds & TOKEN:
        return shifted_aside()
    if kinds & WALL:
        return through_wall(slips)
    if kinds & (BARRICADE | DEBRIS):
        return PASSED if height <= LOW else CLOSED  # TER-4, TER-5
    if kinds & (HILL | SEALED):
        return PASSED if height <= LOW else CLOSED  # TER-6
    return 0


def eased_for(game: Game, markers: bool = True, level: int | None = None) -> bytes:
    """What each piece is to a way that climbs or flies: it ends inside no wall, on no barricade, no debris and no marker.

    Where heights decide (`by_height`) that is looked at apart (`footing.inside_solid`), unless all models end at one ``level``.
    Where models end above the ground it is seen to apart if that is above a marker: then it is judged without ``markers``.
    """
    lookups = index_of(game)
    apart = by_height(game)
    key = "eased", markers, level if apart else None
    found = lookups.flown.get(key)
    if not isinstance(found, bytes):
        closed = (MARKER if markers else 0) | SHUT
        rows = []
        for k, place in enumerate(game.field.ground.places):
            free = shifted_aside() if place.kinds & TOKEN else 0
            met = k not in apart or (level is not None and fills(place, level))
            rows.append(PASSED if place.kinds & closed and met else free)
        found = lookups.flown[key] = bytes(rows)
    return found


def fills(place: Place, level: int) -> bool:
    """Whether a piece is at some height."""
    return place.bottom <= level < place.height


def ends_on(game: Game, slot: int, kinds: int) -> str:
    """The clause by which a model does not end on a piece: inside a wall TER-8 for those who pass it, who else climbs it."""
    if kinds & WALL and slot >= 0 and not SLIPPING.isdisjoint(index_of(game).fighters[slot].keywords):
        return "TER-8"
    return next((clause for kind, clause in NOBODY_ENDS_ON.items() if kinds & kind), "")


@cites("OBJ-2")
def on_marker() -> int:
    """OBJ-2: models may move over a marker but not end on it."""
    return PASSED


@cites("TOKEN-2")
def shifted_aside() -> int:
    """TOKEN-2: a token in the way of a moving model is shifted: it bars nobody."""
    return 0


@cites("TER-8")
def through_wall(free: bool) -> int:
    """TER-8: INFANTRY and BEASTS move through walls, and flyers over them, but nobody ends inside one."""
    return PASSED if free else CLOSED
