"""Ends of sight lines and what may stand between them, in plain Python: twin of `csrc/ends.c`."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from functools import lru_cache
from math import sqrt
from typing import NamedTuple

from rolloff.geometry.field import Core, Ground, Scene
from rolloff.geometry.plain.measure import pieces_at, point_to_edge, stand
from rolloff.geometry.views import HULLS, NONE, Eye, Mode
from rolloff.lengths import NOWHERE


class End(NamedTuple):
    """One end of a sight line: its centre, the height of its eye, its convex members, what it stands on."""

    slot: int
    unit: int
    x: float
    y: float
    eye: float
    members: tuple[Core, ...]
    far: float
    under: frozenset[int]
    arc: tuple[int, int] | None


class Obstacle(NamedTuple):
    """What may block: a piece (tag 0 and up) or a model (tag -1 - slot); a circle around it; its top."""

    tag: int
    x: float
    y: float
    far: float
    cores: tuple[Core, ...]
    top: float


def _far(x: float, y: float, cores: Iterable[Core]) -> float:
    """How far cores reach from a point."""
    best = 0.0
    for corners, r in cores:
        for cx, cy in corners:
            dx, dy = cx - x, cy - y
            d = sqrt(dx * dx + dy * dy) + r
            if d > best:
                best = d
    return best


@lru_cache(maxsize=32)
def _sheet(scene: Scene, mode: Mode) -> list[End | None]:
    """Room for the ends of one moment, filled as they are asked for."""
    return [None] * scene.field.n


def end_of(scene: Scene, mode: Mode, eye: int | Eye) -> End | None:
    """The end a slot or an eye stands for; None off the table."""
    if isinstance(eye, Eye):
        return _end(scene, mode, eye)
    sheet = _sheet(scene, mode)
    if sheet[eye] is None:
        sheet[eye] = _end(scene, mode, Eye(eye))
    return sheet[eye]


def _end(scene: Scene, mode: Mode, view: Eye) -> End | None:
    """Work out an end."""
    slot, ground = view.slot, scene.field.ground
    x, y = struct.unpack_from("<2i", scene.xy, 8 * slot)
    if x == NOWHERE:
        return None
    z = struct.unpack_from("<i", scene.z, 4 * slot)[0]
    high = z * mode.eye[1] + scene.field.bases[slot].height * mode.eye[0]
    under = set(view.pieces)
    if mode.stand_exempt:
        under.update(pieces_at(ground, x, y))
    if view.pieces:
        members = tuple(core for k in view.pieces for core in ground.places[k].cores)
    elif view.barrel is not None:
        x, y = view.barrel
        if mode.stand_exempt:
            under.update(pieces_at(ground, x, y))
        members = ((((float(x), float(y)),), mode.margin / 2.0),)
    else:
        base = stand(scene, slot)
        members = ((base.corners, float(base.r)),)
    unit = struct.unpack_from("<h", scene.owner, 2 * slot)[0]
    cx, cy = float(x), float(y)
    return End(slot, unit, cx, cy, float(high), members, _far(cx, cy, members), frozenset(under), view.arc)


@lru_cache(maxsize=32)
def _solid_pieces(ground: Ground, clear: tuple[int, ...], rise: int) -> list[Obstacle]:
    """The pieces of a table that may block sight."""
    return [
        Obstacle(k, *place.circle, place.cores, float(place.height * rise))
        for k, place in enumerate(ground.places)
        if place.solid and k not in clear
    ]


@lru_cache(maxsize=32)
def _models(scene: Scene, rise: int) -> list[tuple[int, int, Obstacle]]:
    """Unit, radius and obstacle of every model on the table."""
    n = scene.field.n
    owner = struct.unpack(f"<{n}h", scene.owner)
    xs = struct.unpack(f"<{2 * n}i", scene.xy)[::2]
    zs = struct.unpack(f"<{n}i", scene.z)
    found = []
    for k in range(n):
        if xs[k] != NOWHERE:
            base = stand(scene, k)
            top = float((zs[k] + scene.field.bases[k].height) * rise)
            body = Obstacle(-1 - k, base.x, base.y, base.far, ((base.corners, float(base.r)),), top)
            found.append((owner[k], scene.field.bases[k].r, body))
    return found


def obstacles(scene: Scene, mode: Mode, unit_a: int, unit_b: int) -> list[Obstacle]:
    """Everything that could block between two units, wherever it is: solid pieces, then models."""
    found = list(_solid_pieces(scene.field.ground, mode.clear, mode.eye[1]))
    if mode.models == NONE:
        return found
    exempt = {unit_a, *mode.ignored}
    if mode.target_exempt:
        exempt.add(unit_b)
    hulls = mode.models == HULLS
    found.extend(o for unit, r, o in _models(scene, mode.eye[1]) if unit not in exempt and not (hulls and r))
    return found


def rises(a: End, b: End, o: Obstacle) -> bool:
    """Whether an obstacle's top is above the line from eye to eye, somewhere between the two centres."""
    if b.x < a.x or (b.x == a.x and b.y < a.y):
        a, b = b, a
    dx, dy = b.x - a.x, b.y - a.y
    span = dx * dx + dy * dy
    root = sqrt(span)
    low, high = span, 0.0
    for corners, r in o.cores:
        grown = r * root
        for x, y in corners:
            p = (x - a.x) * dx + (y - a.y) * dy
            if p - grown < low:
                low = p - grown
            if p + grown > high:
                high = p + grown
    if low < 0.0:
        low = 0.0
    if high > span:
        high = span
    if high <= low:
        return False
    slant = b.eye - a.eye
    least = a.eye * span + slant * (high if slant < 0.0 else low)
    return o.top * span > least


def stood_on(a: End, b: End, o: Obstacle) -> bool:
    """Whether an obstacle is exempt for this pair: a piece under one of them, or one of the two."""
    if o.tag >= 0:
        return o.tag in a.under or o.tag in b.under
    return o.tag in (-1 - a.slot, -1 - b.slot)


def aside(a: End, b: End, o: Obstacle) -> bool:
    """Whether an obstacle is too far away to meet any line between two ends."""
    near = o.far + (a.far if a.far > b.far else b.far)
    return point_to_edge(o.x, o.y, a.x, a.y, b.x, b.y) >= near * near


def stands_up(a: End, b: End, o: Obstacle, mode: Mode) -> bool:
    """Whether an obstacle blocks this pair as far as standing on it and heights go."""
    return not stood_on(a, b, o) and (not mode.heights or rises(a, b, o))
