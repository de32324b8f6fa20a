"""Which obstacles may block a pair, read from the rules word for word and computed with fractions.

LOS-4 to LOS-7 again, written without a look at the geometry library's own reading of them.
"""

from __future__ import annotations

import struct
from fractions import Fraction
from math import hypot

from rolloff.geometry.field import NOWHERE, Place, Scene
from rolloff.geometry.shapes import core
from tests.geometry.brute import Core


def spot(scene: Scene, slot: int) -> tuple[int, int]:
    """Where a model stands."""
    x, y = struct.unpack_from("<2i", scene.xy, 8 * slot)
    return x, y


def body(scene: Scene, slot: int) -> Core:
    """A model's base as a core and a radius."""
    base = scene.field.bases[slot]
    facing = struct.unpack_from("<h", scene.facing, 2 * slot)[0]
    return [(float(x), float(y)) for x, y in core(*spot(scene, slot), facing, base.hl, base.hw)], float(base.r)


def footprint(place: Place) -> list[Core]:
    """A piece's convex parts, or its disc."""
    if place.disc is not None:
        x, y, r = place.disc
        return [([(float(x), float(y))], float(r))]
    return [([(float(x), float(y)) for x, y in part], 0.0) for part in place.parts]


def too_low(scene: Scene, a: int, b: int, cores: list[Core], top: int) -> bool:
    """LOS-6: whether an obstacle is no blocker for this pair because of where it stands or how low it is."""
    (ax, ay), (bx, by) = spot(scene, a), spot(scene, b)
    eyes = []
    for slot in (a, b):
        ground = struct.unpack_from("<i", scene.z, 4 * slot)[0]
        eyes.append(Fraction(ground) + Fraction(3, 4) * scene.field.bases[slot].height)
    dx, dy = bx - ax, by - ay
    span = Fraction(hypot(dx, dy)) if int(hypot(dx, dy)) ** 2 != dx * dx + dy * dy else Fraction(int(hypot(dx, dy)))
    along = []
    for corners, r in cores:
        for x, y in corners:
            here = Fraction(int((x - ax) * dx + (y - ay) * dy)) / span
            along += [here - Fraction(r), here + Fraction(r)]
    start, end = max(min(along), Fraction(0)), min(max(along), span)
    if end <= start:
        return True
    line = [eyes[0] + (eyes[1] - eyes[0]) * at / span for at in (start, end)]
    return not top > min(line)


def blockers(scene: Scene, a: int, b: int) -> dict[str, list[Core]]:
    """LOS-4 to LOS-7: everything that may block this pair, by name."""
    units = [struct.unpack_from("<h", scene.owner, 2 * k)[0] for k in range(scene.field.n)]
    found = {}
    for k, place in enumerate(scene.field.ground.places):
        stood_on = place.contains(*spot(scene, a)) or place.contains(*spot(scene, b))
        if place.solid and not stood_on and not too_low(scene, a, b, footprint(place), place.height):
            found[f"piece {k}"] = footprint(place)
    for k in range(scene.field.n):
        if spot(scene, k)[0] == NOWHERE or units[k] in (units[a], units[b]):
            continue
        top = struct.unpack_from("<i", scene.z, 4 * k)[0] + scene.field.bases[k].height
        if not too_low(scene, a, b, [body(scene, k)], top):
            found[f"model {k}"] = [body(scene, k)]
    return found


def everything(scene: Scene, a: int, b: int, exempt: tuple[int, ...] = ()) -> list[Core]:
    """All solid pieces but the exempt ones, and all models of other units, whatever their height."""
    units = [struct.unpack_from("<h", scene.owner, 2 * k)[0] for k in range(scene.field.n)]
    places = enumerate(scene.field.ground.places)
    found = [core for k, place in places if place.solid and k not in exempt for core in footprint(place)]
    here = [k for k in range(scene.field.n) if spot(scene, k)[0] != NOWHERE]
    return found + [body(scene, k) for k in here if units[k] not in (units[a], units[b])]
