"""A place a player would choose: over against the enemy, spread out, in cover where there is some, short weapons to the front.

Rules offer any lawful place as the default; this one is only a better suggestion, and passes the same judge.
"""

from __future__ import annotations

from itertools import product
from math import hypot

from rolloff.geometry.field import COVER
from rolloff.geometry.measure import slots_of
from rolloff.geometry.moves import Rectangle
from rolloff.geometry.place import muster
from rolloff.lengths import inches
from rolloff.rules.answers import Placement
from rolloff.rules.game import Game
from rolloff.rules.moves import Setting
from rolloff.table.request import Request
from rolloff.table.state import State

COLUMNS, ROWS = 17, 4
ROOMY = inches(7)
"""So far apart units need not give each other more room."""
FAR_REACHING = inches(30)
"""Weapons of this range shoot from the back."""
SHELTER = inches(4)
"""Cover is worth so much room."""
OUT_OF_REACH = 1.5
"""What an inch costs by which the nearest enemy is out of reach of a unit's weapons."""


def _middles(box: Rectangle) -> list[tuple[int, int]]:
    """Spots over a zone, its long side cut finer."""
    x0, y0, x1, y1 = box
    across, deep = (COLUMNS, ROWS) if x1 - x0 >= y1 - y0 else (ROWS, COLUMNS)
    xs = [x0 + (x1 - x0) * (2 * k + 1) // (2 * across) for k in range(across)]
    ys = [y0 + (y1 - y0) * (2 * k + 1) // (2 * deep) for k in range(deep)]
    return list(product(xs, ys))


def _in_cover(game: Game, x: int, y: int) -> bool:
    """Whether a spot lies in a piece that gives cover and can be stood on."""
    for piece in game.setup.table.terrain:
        codes = [game.edition.terrain.get(name, 0) for name in piece.types]
        if any(code & COVER for code in codes) and not piece.solid and _holds(piece.polygon, piece.disc, x, y):
            return True
    return False


def _holds(polygon: tuple[tuple[int, int], ...] | None, disc: tuple[int, int, int] | None, x: int, y: int) -> bool:
    if disc is not None:
        return (x - disc[0]) ** 2 + (y - disc[1]) ** 2 <= disc[2] ** 2
    odd = False
    corners = polygon or ()
    for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            odd = not odd
    return odd


def _apart(x: int, y: int, a: int, b: int) -> float:
    """How far one point is from another, in thou."""
    return hypot(x - a, y - b)


def place_for(game: Game, state: State, request: Request) -> Placement | None:
    """Where a player would set the unit down, if it is placed in a zone; None if nothing better is found."""
    setting = request.order
    if not isinstance(setting, Setting) or len(setting.zone.inside) != 1:
        return None
    scene = game.scene(state)
    side = game.side_of(request.about)
    friends, enemies = (
        [state.at(slot) for unit in game.units_of[one] if unit != request.about for slot in slots_of(scene, unit)]
        for one in (side, 1 - side)
    )
    reach = max((weapon.reach or 0 for slot in setting.slots for weapon in game.models[slot].weapons), default=0)
    middle = game.field.width // 2, game.field.height // 2
    sign = 1 if reach >= FAR_REACHING else -1

    def worth(spot: tuple[int, int]) -> float:
        x, y = spot
        room = min((_apart(x, y, *spot) for spot in friends), default=ROOMY)
        off = abs(x - middle[0]) + abs(y - middle[1])
        shelter = SHELTER if _in_cover(game, x, y) else 0
        gap = min((_apart(x, y, *spot) for spot in enemies), default=0.0)
        far = OUT_OF_REACH * max(0.0, gap - reach) if reach else 0.0
        return min(room, ROOMY) + shelter - far - 0.12 * abs(x - middle[0]) + 0.1 * sign * off

    for x, y in sorted(_middles(setting.zone.inside[0]), key=worth, reverse=True):
        found = muster(scene, setting.slots, setting.zone, x, y, setting.facing)
        if found is not None:
            return Placement(setting.slots, found, setting.facing.to_bytes(2, "little") * len(setting.slots))
    return None
