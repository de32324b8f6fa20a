"""Distances through the compiled kernels; `plain.measure` is the twin and says what each function means."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain, pairwise
from struct import pack
from typing import Any

from rolloff.geometry.field import Field, Ground, Scene
from rolloff.geometry.kernels import checked, ffi, lib
from rolloff.geometry.plain.measure import (
    Coherency,
    Leg,
    Nearest,
    piece_gap,
)
from rolloff.identity_cache import Recent

__all__ = [
    "Coherency",
    "Nearest",
    "base_gap",
    "climbed",
    "close_units",
    "coherent",
    "contacts_around",
    "crosses",
    "footings",
    "gap",
    "ground_z",
    "grounds",
    "near_piece",
    "near_pieces",
    "nearest",
    "piece_gap",
    "pieces_at",
    "point_gap",
    "reach",
    "scattered",
    "slots_of",
    "spots_around",
    "touching",
    "unit_gaps",
    "wholly_within",
]


_slots: list[tuple[bytes, bytes, dict[int, tuple[int, ...]]]] = [(b"", b"", {})]
"""Where everybody stood and whose he was when units were asked for last, and what was found: a search asks again and again."""


def slots_of(scene: Scene, unit: int) -> tuple[int, ...]:
    """The slots of a unit's models on the table."""
    xy, owner, known = _slots[0]
    if xy is not scene.xy or owner is not scene.owner:
        known = {}
        _slots[0] = scene.xy, scene.owner, known
    slots = known.get(unit)
    if slots is None:
        n = scene.field.n
        found = ffi.new("int32_t[]", n or 1)
        count: int = lib.slots_of_unit(n, scene.xy, scene.owner, unit, found)
        slots = known[unit] = tuple(ffi.unpack(found, count)) if count else ()
    return slots


def gap(scene: Scene, i: int, j: int) -> float:
    """Distance of two bases."""
    f = scene.field
    answer: float = lib.gap_of(f.ground.handle, f.n, f.shape, scene.xy, scene.z, scene.facing, scene.owner, i, j)
    return answer


def contacts_around(scene: Scene, slot: int, enemy: int, places: int) -> list[tuple[int, int]]:
    """The places around a base at which another would touch it."""
    f, out = scene.field, ffi.new("int32_t[]", 2 * places)
    rest = (scene.xy, scene.z, scene.facing, scene.owner)
    lib.contacts_around(f.ground.handle, f.n, f.shape, *rest, slot, enemy, places, out)
    flat = ffi.unpack(out, 2 * places)
    return list(zip(flat[::2], flat[1::2], strict=True))


def spots_around(
    scene: Scene, slot: int, enemies: Sequence[int], apart: Sequence[int], reach: float, places: int
) -> list[tuple[int, int]]:
    """The places so far from touching one of some bases that a model could get to, the nearest first."""
    f, rest = scene.field, (scene.xy, scene.z, scene.facing, scene.owner, slot)
    out = ffi.new("int32_t[]", 2 * len(enemies) * places * len(apart) + 1)
    count = lib.spots_around(
        f.ground.handle, f.n, f.shape, *rest, tuple(enemies), len(enemies), places, tuple(apart), len(apart), reach, out
    )
    if count == -2:
        raise MemoryError
    if not count:
        return []
    flat = ffi.unpack(out, 2 * count)
    return list(zip(flat[::2], flat[1::2], strict=True))


def nearest(scene: Scene, unit_a: int, unit_b: int) -> Nearest:
    """The closest pair of models of two units."""
    f = scene.field
    c = lib.nearest_of(f.ground.handle, f.n, f.shape, scene.xy, scene.z, scene.facing, scene.owner, unit_a, unit_b)
    return Nearest(c.gap, c.a, c.b)


_rows: list[tuple[Field | None, bytes, bytes, dict[int, tuple[Scene, Any]]]] = [(None, b"", b"", {})]
"""For whom `unit_gaps` were asked last, and what they were when the unit was: mostly one unit has moved since."""


def unit_gaps(scene: Scene, unit: int) -> list[float]:
    """The gap of a unit to each unit, by number."""
    f, sides, units = scene.field, scene.sides, len(scene.sides)
    field, owner, fought, known = _rows[0]
    if field is not f or owner is not scene.owner or fought is not sides:
        known = {}
        _rows[0] = f, scene.owner, sides, known
    gaps, (before, row) = ffi.new("double[]", units or 1), known.get(unit) or (scene, ffi.NULL)
    lib.gaps_since(
        f.ground.handle, f.n, f.shape, scene.xy, scene.z, scene.facing, scene.owner,
        unit, units, before.xy, before.facing, row, gaps,
    )  # fmt: skip
    known[unit] = scene, gaps
    found: list[float] = ffi.unpack(gaps, units)
    return found


_near: Recent[float, tuple[Scene, dict[int, list[tuple[int, float]]], Any, int]] = Recent(8)
"""What `close_units` found last, by the limit, and for whom: mostly one unit has moved since, and nobody came close."""


def close_units(scene: Scene, limit: float) -> dict[int, list[tuple[int, float]]]:
    """The units with enemies no further away than a limit: those, in order, and the gap to each."""
    f, sides, known = scene.field, scene.sides, _near.get(limit)
    if known is not None:
        before, found, pairs, count = known
        if before.field is f and before.owner is scene.owner and before.sides is sides:
            same = lib.as_close_as_before(
                f.ground.handle, f.n, f.shape, scene.xy, scene.z, scene.facing, scene.owner,
                sides, len(sides), limit, before.xy, before.facing, pairs, count,
            )  # fmt: skip
            if same:
                _near[limit] = scene, found, pairs, count
                return found
    return _close_units(scene, limit)


def _close_units(scene: Scene, limit: float) -> dict[int, list[tuple[int, float]]]:
    """The same, measured anew."""
    f, units = scene.field, len(scene.sides)
    pairs, gaps = ffi.new("int32_t[]", units * units + 1), ffi.new("double[]", units * units + 1)
    args = f.ground.handle, f.n, f.shape, scene.xy, scene.z, scene.facing, scene.owner
    count = checked(lib.close_units_of(*args, scene.sides, units, limit, pairs, gaps))
    found: dict[int, list[tuple[int, float]]] = {}
    _near.keep(limit, (scene, found, pairs, count))
    if not count:
        return found
    last, row = -1, list[tuple[int, float]]()
    for pair, gap in zip(ffi.unpack(pairs, count), ffi.unpack(gaps, count), strict=True):  # unit by unit
        unit = pair // units
        if unit != last:
            last, row = unit, []
            found[unit] = row
        row.append((pair - unit * units, gap))
    return found


def _reach(scene: Scene, unit_a: int, unit_b: int) -> tuple[int, Any, Any]:
    """Count, slots and gaps as C arrays."""
    f = scene.field
    slots, gaps = ffi.new("int32_t[]", f.n), ffi.new("double[]", f.n)
    count = lib.reach_of(
        f.ground.handle,
        f.n,
        f.shape,
        scene.xy,
        scene.z,
        scene.facing,
        scene.owner,
        unit_a,
        unit_b,
        slots,
        gaps,
    )
    return count, slots, gaps


def reach(scene: Scene, unit_a: int, unit_b: int) -> dict[int, float]:
    """The gap of each model of one unit to the nearest model of the other."""
    count, slots, gaps = _reach(scene, unit_a, unit_b)
    return dict(zip(ffi.unpack(slots, count), ffi.unpack(gaps, count), strict=True)) if count else {}


def touching(scene: Scene, unit_a: int, unit_b: int, distance: float) -> tuple[int, ...]:
    """The slots of one unit within a distance of some model of the other."""
    count, slots, gaps = _reach(scene, unit_a, unit_b)
    return tuple([slots[k] for k in range(count) if gaps[k] <= distance])


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
    """Whether models hold together."""
    f = scene.field
    stray = ffi.new("char[]", max(len(slots), 1))
    count = lib.coherent_of(
        f.ground.handle,
        f.n,
        f.shape,
        scene.xy,
        scene.z,
        scene.facing,
        scene.owner,
        tuple(slots),
        len(slots),
        link,
        spread,
        connected,
        need,
        hub,
        tol,
        stray,
    )
    if count == 0:
        return Coherency(True, ())
    marks = ffi.buffer(stray)
    return Coherency(False, tuple(k for k, mark in zip(slots, marks[:], strict=False) if mark))


def scattered(
    scene: Scene, groups: Sequence[Sequence[int]], needs: Sequence[int], link: int, spread: int, tol: int
) -> list[int]:
    """The numbers of those groups of models that are not one coherent group."""
    f, found = scene.field, ffi.new("int32_t[]", max(len(groups), 1))
    args = f.ground.handle, f.n, f.shape, scene.xy, scene.z, scene.facing, scene.owner
    slots, counts = tuple(chain.from_iterable(groups)), tuple(map(len, groups))
    many = lib.scattered_of(*args, slots, counts, needs, len(groups), link, spread, tol, found)
    numbers: list[int] = ffi.unpack(found, many) if many else []
    return numbers


def pieces_at(ground: Ground, x: int, y: int) -> tuple[int, ...]:
    """The numbers of the pieces whose footprint contains a point, edge included."""
    found = ffi.new("int32_t[]", max(len(ground.places), 1))
    count: int = lib.pieces_at_point(ground.handle, x, y, found)
    return tuple(found[0:count])


def ground_z(ground: Ground, x: int, y: int) -> int:
    """The highest elevation among the pieces that contain a point; 0 without one."""
    answer: int = lib.ground_z_at(ground.handle, x, y)
    return answer


def grounds(field: Field, xy: bytes) -> bytes:
    """The z buffer of models that stand on the ground."""
    heights = ffi.new("int32_t[]", max(field.n, 1))
    lib.grounds_of(field.ground.handle, field.n, xy, heights)
    return bytes(ffi.buffer(heights, 4 * field.n))


def point_gap(ground: Ground, piece: int, x: int, y: int) -> float:
    """Distance of a point from a piece's footprint; 0 inside."""
    answer: float = lib.point_gap_of(ground.handle, piece, x, y)
    return answer


def near_piece(scene: Scene, piece: int, distance: float) -> list[int]:
    """The models on the table whose bases are within a distance of a piece's footprint."""
    f = scene.field
    found = ffi.new("int32_t[]", max(f.n, 1))
    count: int = lib.near_piece_of(
        f.ground.handle, f.n, f.shape, scene.xy, scene.z, scene.facing, scene.owner, piece, distance, found
    )
    slots: list[int] = ffi.unpack(found, count) if count else []
    return slots


def near_pieces(scene: Scene, pieces: Sequence[int], distance: float) -> list[list[int]]:
    """The same for several pieces, in one call."""
    f, m = scene.field, len(pieces)
    found = ffi.new("int32_t[]", m * (f.n + 1) + 1)
    args = f.ground.handle, f.n, f.shape, scene.xy, scene.z, scene.facing, scene.owner
    count: int = lib.near_pieces_of(*args, pieces, m, distance, found)
    flat: list[int] = ffi.unpack(found, count) if count else []
    ends = list(accumulate(flat[:m], initial=m))
    return [flat[start:end] for start, end in pairwise(ends)]


def base_gap(scene: Scene, slot: int, piece: int) -> float:
    """Distance of a base from a piece's footprint; 0 or less when they meet."""
    f = scene.field
    answer: float = lib.base_gap_of(f.ground.handle, f.n, f.shape, scene.xy, scene.z, scene.facing, scene.owner, slot, piece)
    return answer


def wholly_within(scene: Scene, slot: int, piece: int) -> bool:
    """Whether a whole base lies in a footprint, edge included."""
    f = scene.field
    args = f.ground.handle, f.n, f.shape, scene.xy, scene.z, scene.facing, scene.owner
    return bool(lib.wholly_within_of(*args, slot, piece))


def footings(
    scene: Scene,
    slots: Sequence[int],
    pieces: Sequence[int],
    limits: Sequence[float],
    depth: float,
) -> list[bytes]:
    """How each of some bases stands to each of some pieces."""
    f, count, many = scene.field, len(slots), len(pieces)
    if not many:
        return [b""] * count
    args = f.ground.handle, f.n, f.shape, scene.xy, scene.z, scene.facing, scene.owner
    marks = ffi.new("char[]", max(many * count, 1))
    lib.footings_of(*args, slots, count, pieces, limits, many, depth, marks)
    rows = ffi.buffer(marks)
    return [rows[at : at + many] for at in range(0, many * count, many)]


def climbed(
    scene: Scene, slot: int, legs: Sequence[Leg], walls: Sequence[int], tops: Sequence[int], depth: float, at: int
) -> tuple[int, int]:
    """How far a base goes up and down along legs, and how high it is at the end."""
    f, height = scene.field, ffi.new("int32_t[1]", (at,))
    args = f.ground.handle, f.n, f.shape, scene.xy, scene.z, scene.facing, scene.owner
    rows = pack(f"<{5 * len(legs)}i", *chain.from_iterable(legs))
    total: int = lib.climb_along(*args, slot, rows, len(legs), walls, len(walls), tops, len(tops), depth, height)
    return total, height[0]


def crosses(ground: Ground, piece: int, x0: int, y0: int, x1: int, y1: int) -> bool:
    """Whether a segment runs through the interior of a footprint."""
    return bool(lib.crosses_piece(ground.handle, piece, x0, y0, x1, y1))


def heights_at(ground: Ground, xy: bytes) -> bytes:
    """The ground under each position ('<2i')."""
    n = len(xy) // 8
    heights = ffi.new("int32_t[]", n or 1)
    lib.grounds_of(ground.handle, n, xy, heights)
    return bytes(ffi.buffer(heights, 4 * n))


def gaps_among(scene: Scene, slots: Sequence[int]) -> list[float]:
    """The distances of every two of some bases, in order: the first with each after it, and so on."""
    f, m = scene.field, len(slots)
    found = ffi.new("double[]", max(m * (m - 1) // 2, 1))
    args = f.ground.handle, f.n, f.shape, scene.xy, scene.z, scene.facing, scene.owner
    lib.gaps_among(*args, tuple(slots), m, found)
    answer: list[float] = ffi.unpack(found, m * (m - 1) // 2) if m > 1 else []
    return answer
