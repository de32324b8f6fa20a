"""Distances in plain Python: the twin of `csrc/measure.c`, step for step.

Corners are whole thou held in doubles; every operation below stands in the same order in C.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import lru_cache
from math import inf, sqrt
from typing import Final, NamedTuple

from rolloff.geometry.field import Field, Ground, Place, Scene
from rolloff.geometry.shapes import Base, core
from rolloff.geometry.trig import turned
from rolloff.lengths import NOWHERE

Corners = tuple[tuple[float, float], ...]

WHOLLY: Final = 1
"""In the footing of a base on a piece: all of it lies in the footprint."""
INSIDE: Final = 2
"""Some of it does, and deep enough."""
BESIDE: Final = 4
"""All of it is near enough."""

# Shorter overlaps of a segment and a footprint, as a part of the segment, are rounding.
SLIVER = 1e-9


class Stand(NamedTuple):
    """A base on the table: centre, radius and the corners of its core; how far it reaches from its centre."""

    x: float
    y: float
    r: float
    corners: Corners
    far: float


@lru_cache(maxsize=4096)
def _offsets(facing: int, hl: int, hw: int) -> tuple[Corners, float]:
    """The corners of a turned core about its centre, and the distance of the furthest."""
    corners = tuple((float(x), float(y)) for x, y in core(0, 0, facing, hl, hw))
    return corners, sqrt(max(x * x + y * y for x, y in corners))


@lru_cache(maxsize=32)
def _sheet(field: Field, xy: bytes, facing: bytes) -> list[Stand | None]:
    """Room for the bases of one moment, filled as they are asked for."""
    return [None] * field.n


def stand(scene: Scene, slot: int) -> Stand:
    """The base of a slot that is on the table."""
    sheet = _sheet(scene.field, scene.xy, scene.facing)
    found = sheet[slot]
    if found is None:
        found = sheet[slot] = _stand(scene, slot)
    return found


def _stand(scene: Scene, slot: int) -> Stand:
    """Work out the base of a slot."""
    x, y = struct.unpack_from("<2i", scene.xy, 8 * slot)
    return _stand_at(scene.field.bases[slot], x, y, struct.unpack_from("<h", scene.facing, 2 * slot)[0])


def _stand_at(base: Base, x: int, y: int, facing: int) -> Stand:
    """A base set down somewhere."""
    hl, hw, r, _ = base
    if hl == 0 and hw == 0:
        return Stand(x, y, r, ((float(x), float(y)),), float(r))
    offsets, far = _offsets(facing, hl, hw)
    return Stand(x, y, r, tuple((x + dx, y + dy) for dx, dy in offsets), far + r)


def slots_of(scene: Scene, unit: int) -> tuple[int, ...]:
    """The slots of a unit's models on the table."""
    return tuple(slot for slot, owner in owners_here(scene).items() if owner == unit)


def owners_here(scene: Scene) -> dict[int, int]:
    """The unit of each model on the table, by slot."""
    n = scene.field.n
    owner = struct.unpack(f"<{n}h", scene.owner)
    xs = struct.unpack(f"<{2 * n}i", scene.xy)[::2]
    return {k: owner[k] for k in range(n) if xs[k] != NOWHERE}


def point_to_edge(px: float, py: float, ax: float, ay: float, bx: float, by: float) -> float:
    """Squared distance of a point from an edge."""
    ex, ey = bx - ax, by - ay
    qx, qy = px - ax, py - ay
    dot = qx * ex + qy * ey
    if dot <= 0.0:
        return qx * qx + qy * qy
    long = ex * ex + ey * ey
    if dot >= long:
        qx, qy = px - bx, py - by
        return qx * qx + qy * qy
    turn = qx * ey - qy * ex
    return turn * turn / long


def _apart(a: Corners, b: Corners) -> float:
    """The largest separation of b from a along the normals of a's edges; minus infinity without edges."""
    best = -inf
    n = len(a)
    if n < 2:
        return best
    for k in range(n):
        px, py = a[k]
        qx, qy = a[k + 1 - n]
        ex, ey = qx - px, qy - py
        least = inf
        for x, y in b:
            d = (y - py) * -ex + (x - px) * ey
            if d < least:
                least = d
        least = least / sqrt(ex * ex + ey * ey)
        if least > best:
            best = least
    return best


def convex_gap(a: Corners, b: Corners) -> float:
    """Distance of two convex cores; when they overlap, minus the least shift that parts them."""
    if len(a) == 1 and len(b) == 1:
        dx, dy = b[0][0] - a[0][0], b[0][1] - a[0][1]
        return sqrt(dx * dx + dy * dy)
    apart = _apart(a, b)
    other = _apart(b, a)
    if other > apart:
        apart = other
    # Two cores without area can lie apart on one line, which no normal shows; a crossing has depth.
    if apart < 0.0 or (apart == 0.0 and (len(a) > 2 or len(b) > 2)):
        return apart
    best = inf
    for near, edges in ((a, b), (b, a)):
        n = len(edges)
        for x, y in near:
            for k in range(n):
                d = point_to_edge(x, y, *edges[k - 1], *edges[k])
                if d < best:
                    best = d
    return sqrt(best)


def stand_gap(a: Stand, b: Stand) -> float:
    """Distance of two bases."""
    if len(a.corners) == 1 and len(b.corners) == 1:
        dx, dy = b.x - a.x, b.y - a.y
        return sqrt(dx * dx + dy * dy) - (a.r + b.r)
    return convex_gap(a.corners, b.corners) - (a.r + b.r)


class Nearest(NamedTuple):
    """The closest models of two units and their gap; infinity and -1 where there is nothing to measure."""

    gap: float
    a: int
    b: int


class Coherency(NamedTuple):
    """Whether a unit holds together, and the slots that do not."""

    ok: bool
    strays: tuple[int, ...]


def gap(scene: Scene, i: int, j: int) -> float:
    """Distance of two bases in thou; 0 or less when they touch or overlap; infinite off the table."""
    for slot in (i, j):
        if struct.unpack_from("<i", scene.xy, 8 * slot)[0] == NOWHERE:
            return inf
    return stand_gap(stand(scene, i), stand(scene, j))


def contacts_around(scene: Scene, slot: int, enemy: int, places: int) -> list[tuple[int, int]]:
    """The places around a base at which another, facing as it does, would touch it."""
    ours, theirs = scene.field.bases[slot], scene.field.bases[enemy]
    x, y = struct.unpack_from("<2i", scene.xy, 8 * enemy)
    found = []
    for k in range(places):
        far, heading = ours.r + theirs.r, 3600 * k // places
        if ours.hl or ours.hw or theirs.hl or theirs.hw:
            far = _touching_distance(scene, slot, enemy, heading)
        dx, dy = turned(far, 0, heading)
        found.append((x + dx, y + dy))
    return found


def spots_around(
    scene: Scene, slot: int, enemies: Sequence[int], apart: Sequence[int], reach: float, places: int
) -> list[tuple[int, int]]:
    """The places at which a model is so far from touching one of some bases, and which it could get to: the nearest first.

    Those it could get to are no further than its reach from where it stands. A place may stand there twice.
    """
    hx, hy = struct.unpack_from("<2i", scene.xy, 8 * slot)
    found = []
    for enemy in enemies:
        ex, ey = struct.unpack_from("<2i", scene.xy, 8 * enemy)
        for cx, cy in contacts_around(scene, slot, enemy, places):
            dx, dy = cx - ex, cy - ey
            off = sqrt(dx * dx + dy * dy) or 1.0
            for away in apart:
                x, y = cx + round(dx * away / off), cy + round(dy * away / off)
                found.append((sqrt((x - hx) ** 2 + (y - hy) ** 2), x, y))
    return [(x, y) for far, x, y in sorted(found) if far <= reach]


def _touching_distance(scene: Scene, slot: int, enemy: int, heading: int) -> int:
    """The least distance in one direction from a base's middle at which another no longer overlaps it."""
    ours, theirs = scene.field.bases[slot], stand(scene, enemy)
    x, y = struct.unpack_from("<2i", scene.xy, 8 * enemy)
    (facing,) = struct.unpack_from("<h", scene.facing, 2 * slot)
    low, high = 0, sum(part for base in (ours, scene.field.bases[enemy]) for part in (base.hl, base.hw, base.r))
    while high - low > 1:
        middle = (low + high) // 2
        dx, dy = turned(middle, 0, heading)
        there = _stand_at(ours, x + dx, y + dy, facing)
        low, high = (middle, high) if stand_gap(there, theirs) < 0 else (low, middle)
    return high


def _closest(a: Stand, others: Sequence[tuple[int, Stand]], best: float) -> tuple[float, int]:
    """The first of the closest others nearer than `best`, or (`best`, -1)."""
    found = -1
    for k, b in others:
        dx, dy = b.x - a.x, b.y - a.y
        if sqrt(dx * dx + dy * dy) - (a.far + b.far) < best:
            d = stand_gap(a, b)
            if d < best:
                best, found = d, k
    return best, found


def nearest(scene: Scene, unit_a: int, unit_b: int) -> Nearest:
    """The closest pair of models of two units; the first by slots when several are as close."""
    others = [(k, stand(scene, k)) for k in slots_of(scene, unit_b)]
    found = Nearest(inf, -1, -1)
    for i in slots_of(scene, unit_a):
        d, j = _closest(stand(scene, i), others, found.gap)
        if j >= 0:
            found = Nearest(d, i, j)
    return found


def unit_gaps(scene: Scene, unit: int) -> list[float]:
    """The gap of a unit to each unit, by number: infinite to itself and where a unit has no model on the table."""
    own = [(i, stand(scene, i)) for i in slots_of(scene, unit)]
    n = scene.field.n
    owners, xs = struct.unpack(f"<{n}h", scene.owner), struct.unpack(f"<{2 * n}i", scene.xy)[::2]
    gaps = [inf] * len(scene.sides)
    for k, other in enumerate(owners):
        if other != unit and 0 <= other < len(gaps) and xs[k] != NOWHERE:
            there = stand(scene, k)
            for _, a in own:
                dx, dy = there.x - a.x, there.y - a.y
                if sqrt(dx * dx + dy * dy) - (a.far + there.far) < gaps[other]:
                    gaps[other] = min(gaps[other], stand_gap(a, there))
    return gaps


def close_units(scene: Scene, limit: float) -> dict[int, list[tuple[int, float]]]:
    """The units with enemies no further away than a limit: those, in order, and the gap to each."""
    found: dict[int, list[tuple[int, float]]] = {}
    for unit, side in enumerate(scene.sides):
        gaps = enumerate(unit_gaps(scene, unit))
        near = [(other, gap) for other, gap in gaps if gap <= limit and scene.sides[other] != side]
        if near:
            found[unit] = near
    return found


def reach(scene: Scene, unit_a: int, unit_b: int) -> dict[int, float]:
    """The gap of each model of one unit to the nearest model of the other."""
    others = [(k, stand(scene, k)) for k in slots_of(scene, unit_b)]
    return {i: _closest(stand(scene, i), others, inf)[0] for i in slots_of(scene, unit_a)}


def touching(scene: Scene, unit_a: int, unit_b: int, distance: float) -> tuple[int, ...]:
    """The slots of one unit within a distance of some model of the other."""
    return tuple(i for i, d in reach(scene, unit_a, unit_b).items() if d <= distance)


def coherent(
    scene: Scene,
    slots: Sequence[int],
    link: int,
    spread: int,
    *,
    connected: bool = False,
    need: int = 1,
    hub: int = -1,
    tol: int = 10,
) -> Coherency:
    """Whether models hold together.

    Each must be within `link` of `need` fellows (of all, if there are fewer), and within `spread` of every
    fellow, or of the slot `hub` alone when that is given. `connected` also asks for one chain.
    """
    here = [k for k in slots if struct.unpack_from("<i", scene.xy, 8 * k)[0] != NOWHERE]
    n = len(here)
    if n < 2:
        return Coherency(True, ())
    stands = [stand(scene, k) for k in here]
    near, far = float(link + tol), float(spread + tol)
    links = [0] * n
    stray = [False] * n
    chain = list(range(n))
    for i in range(n):
        for j in range(i + 1, n):
            d = stand_gap(stands[i], stands[j])
            if d <= near:
                links[i] += 1
                links[j] += 1
                if chain[i] != chain[j]:
                    old, new = max(chain[i], chain[j]), min(chain[i], chain[j])
                    chain = [new if c == old else c for c in chain]
            if d > far and (hub < 0 or hub in (here[i], here[j])):
                stray[i] = stray[i] or here[i] != hub
                stray[j] = stray[j] or here[j] != hub
    main = max(range(n), key=lambda k: (chain.count(k), -k))
    for i in range(n):
        if links[i] < min(need, n - 1) or (connected and chain[i] != main):
            stray[i] = True
    strays = tuple(k for k, lost in zip(here, stray, strict=True) if lost)
    return Coherency(not strays, strays)


def scattered(
    scene: Scene, groups: Sequence[Sequence[int]], needs: Sequence[int], link: int, spread: int, tol: int
) -> list[int]:
    """The numbers of those groups of models that are not one coherent group; of each how many fellows a model needs."""
    found = []
    for k, (group, need) in enumerate(zip(groups, needs, strict=True)):
        if not coherent(scene, group, link, spread, connected=True, need=need, tol=tol).ok:
            found.append(k)
    return found


def pieces_at(ground: Ground, x: int, y: int) -> tuple[int, ...]:
    """The numbers of the pieces whose footprint contains a point, edge included."""
    return tuple(k for k, place in enumerate(ground.places) if place.contains(x, y))


def ground_z(ground: Ground, x: int, y: int) -> int:
    """The highest elevation among the pieces that contain a point; 0 without one."""
    return max((ground.places[k].elevation for k in pieces_at(ground, x, y)), default=0)


def grounds(field: Field, xy: bytes) -> bytes:
    """The z buffer of models that stand on the ground: the elevation under each centre."""
    spots = struct.unpack(f"<{2 * field.n}i", xy)
    heights = [0 if spots[2 * k] == NOWHERE else ground_z(field.ground, spots[2 * k], spots[2 * k + 1]) for k in range(field.n)]
    return struct.pack(f"<{field.n}i", *heights)


def _core_to_place(corners: Corners, r: float, place: Place) -> float:
    """Distance of a core grown by a radius from a footprint."""
    best = inf
    for other, grown in place.cores:
        d = convex_gap(corners, other) - (r + grown)
        if d < best:
            best = d
    return best


def point_gap(ground: Ground, piece: int, x: int, y: int) -> float:
    """Distance of a point from a piece's footprint; 0 inside."""
    d = _core_to_place(((float(x), float(y)),), 0.0, ground.places[piece])
    return d if d > 0.0 else 0.0


def base_gap(scene: Scene, slot: int, piece: int) -> float:
    """Distance of a base from a piece's footprint; 0 or less when they meet; infinite off the table."""
    if struct.unpack_from("<i", scene.xy, 8 * slot)[0] == NOWHERE:
        return inf
    base = stand(scene, slot)
    return _core_to_place(base.corners, base.r, scene.field.ground.places[piece])


def near_piece(scene: Scene, piece: int, distance: float) -> list[int]:
    """The models on the table whose bases are within a distance of a piece's footprint."""
    return [slot for slot in owners_here(scene) if base_gap(scene, slot, piece) <= distance]


def near_pieces(scene: Scene, pieces: Sequence[int], distance: float) -> list[list[int]]:
    """The same for several pieces."""
    return [near_piece(scene, piece, distance) for piece in pieces]


def piece_gap(ground: Ground, piece: int, other: int) -> float:
    """Distance of two footprints; 0 or less when they meet."""
    return min(_core_to_place(corners, r, ground.places[other]) for corners, r in ground.places[piece].cores)


def wholly_within(scene: Scene, slot: int, piece: int) -> bool:
    """Whether a whole base lies in a footprint, edge included."""
    x, y = struct.unpack_from("<2i", scene.xy, 8 * slot)
    place = scene.field.ground.places[piece]
    if x == NOWHERE or not place.contains(x, y):
        return False
    base = stand(scene, slot)
    if place.disc is not None:
        mx, my, r = place.disc
        inner = r - base.r
        return inner >= 0 and all((cx - mx) ** 2 + (cy - my) ** 2 <= inner * inner for cx, cy in base.corners)
    outline = tuple((float(cx), float(cy)) for cx, cy in place.outline)
    edges = (convex_gap(base.corners, (outline[k - 1], outline[k])) for k in range(len(outline)))
    return all(d >= base.r - 1e-6 for d in edges)


Leg = tuple[int, int, int, int, int]
"""A straight part of a way: from x, y to x, y, and in how many steps it is followed."""


def climbed(
    scene: Scene, slot: int, legs: Sequence[Leg], walls: Sequence[int], tops: Sequence[int], depth: float, at: int
) -> tuple[int, int]:
    """How far a base goes up and down along legs from a height on, and how high it is at the end.

    Over each of some walls it is in by more than a depth it goes at the height of that, the highest one; else it goes down to
    the ground, unless one of some tops at its height is below its middle.
    """
    total, places = 0, scene.field.ground.places
    base, (facing,) = scene.field.bases[slot], struct.unpack_from("<h", scene.facing, 2 * slot)
    for ax, ay, bx, by, steps in legs:
        for k in range(1, steps + 1):
            x, y = ax + (bx - ax) * k // steps, ay + (by - ay) * k // steps
            there = _stand_at(base, x, y, facing)
            over = [places[wall].height for wall in walls if _core_to_place(there.corners, there.r, places[wall]) < -depth]
            held = any(places[top].height == at and places[top].contains(x, y) for top in tops)
            now = max(over) if over else at if held else 0
            total, at = total + abs(now - at), now
    return total, at


def footings(
    scene: Scene,
    slots: Sequence[int],
    pieces: Sequence[int],
    limits: Sequence[float],
    depth: float,
) -> list[bytes]:
    """How each of some bases stands to each of some pieces; off the table nobody is anything to a piece.

    It is inside a piece it reaches into by more than the depth, and beside one if all of it is within the limit of the piece,
    where that is more than 0.
    """
    rows = []
    for slot in slots:
        row = [_footing(scene, slot, piece, limit, depth) for piece, limit in zip(pieces, limits, strict=True)]
        rows.append(bytes(row))
    return rows


def _furthest(scene: Scene, slot: int, piece: int) -> float:
    """How far the furthest part of a base is from a footprint: beyond that corner of its core which is."""
    base, place = stand(scene, slot), scene.field.ground.places[piece]
    return max([_core_to_place((corner,), 0.0, place) for corner in base.corners]) + base.r


def _footing(scene: Scene, slot: int, piece: int, limit: float, depth: float) -> int:
    """How one base stands to one piece."""
    far = base_gap(scene, slot, piece)
    beside = BESIDE if limit > 0.0 and far <= limit and _furthest(scene, slot, piece) <= limit else 0
    return beside | (INSIDE if far < -depth else 0) | (WHOLLY if wholly_within(scene, slot, piece) else 0)


def _clip(polygon: Corners, x: float, y: float, dx: float, dy: float) -> tuple[float, float, int]:
    """The part of a segment in a convex polygon, and on which side the polygon lies if it runs along an edge.

    The side is 1 when the polygon lies to the left, -1 to the right, 0 when the segment enters the interior.
    """
    start, end, side = 0.0, 1.0, 0
    ax, ay = polygon[-1]
    for bx, by in polygon:
        ex, ey = bx - ax, by - ay
        inside = ex * (y - ay) - ey * (x - ax)
        change = ex * dy - ey * dx
        if change == 0.0:
            if inside < 0.0:
                return 1.0, 0.0, 0
            if inside == 0.0:
                side = 1 if ex * dx + ey * dy > 0.0 else -1
        else:
            u = -inside / change
            if change > 0.0:
                if u > start:
                    start = u
            elif u < end:
                end = u
        ax, ay = bx, by
    return start, end, side


def crosses(ground: Ground, piece: int, x0: int, y0: int, x1: int, y1: int) -> bool:
    """Whether a segment runs through the interior of a footprint, not just along an edge or by a corner."""
    place = ground.places[piece]
    x, y, dx, dy = float(x0), float(y0), float(x1 - x0), float(y1 - y0)
    if place.disc is not None:
        mx, my, r = place.disc
        return point_to_edge(mx, my, x, y, x + dx, y + dy) < float(r) * r
    borders: list[tuple[float, float, int]] = []
    for part, _ in place.cores:
        start, end, side = _clip(part, x, y, dx, dy)
        if end - start > SLIVER:
            if side == 0:
                return True
            borders.append((start, end, side))
    # Along an edge that two parts share, one on each side, the segment is inside the footprint after all.
    return any(p[2] != q[2] and min(p[1], q[1]) - max(p[0], q[0]) > SLIVER for p in borders for q in borders)


def heights_at(ground: Ground, xy: bytes) -> bytes:
    """The ground under each position ('<2i')."""
    spots = struct.iter_unpack("<2i", xy)
    return struct.pack(f"<{len(xy) // 8}i", *(0 if x == NOWHERE else ground_z(ground, x, y) for x, y in spots))


def gaps_among(scene: Scene, slots: Sequence[int]) -> list[float]:
    """The distances of every two of some bases, in order: the first with each after it, and so on."""
    return [gap(scene, a, b) for k, a in enumerate(slots) for b in slots[k + 1 :]]
