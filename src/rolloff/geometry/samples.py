"""Sight by samples: bodies as points on a few levels, obstacles as upright prisms, and who has a clear segment to whom.

Some rulebooks say how sight is computed: points on the outline of both bodies, on three levels and on the axis. A segment is
clear if it runs through no prism. Whatever blocks is put into the list by whoever asks.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import lru_cache
from math import hypot
from typing import Final

from rolloff.geometry import kernels
from rolloff.geometry.field import Place, Scene
from rolloff.geometry.plain import samples as plain_samples
from rolloff.geometry.plain.samples import THIN, Prism, Sample
from rolloff.geometry.shapes import Base, Point, core, seams
from rolloff.geometry.trig import turned

ROUND: Final = 16  # VIS-6
"""Points on the outline of a body, on each level."""
MARGIN: Final = 100
"""How far below the top and above the base the outer levels lie, in thou."""
ENDLESS: Final = 1e9

__all__ = [
    "ENDLESS",
    "Prism",
    "Sample",
    "body_of",
    "clear_pair",
    "facing_samples",
    "first_unseen",
    "leaving",
    "near",
    "prism_of",
    "prisms_of",
    "samples_of",
]


def body_of(scene: Scene, slot: int) -> Prism:
    """A model as a prism: its base from the ground it stands on up to its height."""
    x, y = struct.unpack_from("<2i", scene.xy, 8 * slot)
    (z,) = struct.unpack_from("<i", scene.z, 4 * slot)
    (facing,) = struct.unpack_from("<h", scene.facing, 2 * slot)
    return _body(x, y, z, facing, scene.field.bases[slot])


@lru_cache(maxsize=4096)
def _body(x: int, y: int, z: int, facing: int, base: Base) -> Prism:
    corners = tuple((float(cx), float(cy)) for cx, cy in core(x, y, facing, base.hl, base.hw))
    return prism_of(corners, float(base.r), float(z), float(z + base.height))


def prism_of(corners: tuple[tuple[float, float], ...], r: float, z0: float, z1: float) -> Prism:
    """A prism with its box."""
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return Prism(corners, r, z0, z1, (min(xs) - r, min(ys) - r, max(xs) + r, max(ys) + r))


def prisms_of(place: Place, z0: float, z1: float) -> tuple[Prism, ...]:
    """A terrain piece as prisms, one for each convex part, and one over each seam between two: lines along it are inside."""
    rows = (*place.cores, *[(_sliver(a, b), 0.0) for a, b in seams(place.parts)])
    return tuple(prism_of(corners, r, z0, z1) for corners, r in rows)


def _sliver(a: Point, b: Point) -> tuple[tuple[float, float], ...]:
    """A strip from one point to another, as wide in the middle as what counts for touching on each side."""
    dx, dy, x, y = b[0] - a[0], b[1] - a[1], (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
    aside = THIN / hypot(dx, dy)
    middle = dy * aside, -dx * aside
    return (
        (float(a[0]), float(a[1])),
        (x + middle[0], y + middle[1]),
        (float(b[0]), float(b[1])),
        (x - middle[0], y - middle[1]),
    )


def samples_of(scene: Scene, slot: int) -> tuple[Sample, ...]:
    """The points of a body: the axis on three levels, the middle one first, then the outline on the same levels."""
    x, y = struct.unpack_from("<2i", scene.xy, 8 * slot)
    (z,) = struct.unpack_from("<i", scene.z, 4 * slot)
    (facing,) = struct.unpack_from("<h", scene.facing, 2 * slot)
    return _samples(x, y, z, facing, scene.field.bases[slot])


@lru_cache(maxsize=4096)
def _samples(x: int, y: int, z: int, facing: int, base: Base) -> tuple[Sample, ...]:
    rim = [(float(x + dx), float(y + dy)) for dx, dy in rim_of(base, facing)]
    found: list[Sample] = [(float(x), float(y), level) for level in levels(z, base.height)]
    found += [(px, py, level) for level in levels(z, base.height) for px, py in rim]
    return tuple(found)


def levels(z: int, height: int) -> tuple[float, float, float]:
    """Half height, just below the top, just above the base."""
    return float(z + height // 2), float(z + max(height - MARGIN, 0)), float(z + min(MARGIN, height))


@lru_cache(maxsize=4096)
def rim_of(base: Base, facing: int) -> tuple[tuple[int, int], ...]:
    """Points on the outline of a base about its middle, where rays at even angles from its facing leave it."""
    return tuple(turned(along, across, facing) for along, across in leaving(base))


@lru_cache(maxsize=1024)
def leaving(base: Base) -> tuple[tuple[int, int], ...]:
    """Where rays at even angles from the middle of a base leave it, in its own frame."""
    found = []
    for k in range(ROUND):
        ux, uy = turned(1 << 20, 0, 3600 * k // ROUND)
        along, across = _leaves(base, ux / (1 << 20), uy / (1 << 20))
        found.append((round(along), round(across)))
    return tuple(found)


def _leaves(base: Base, ux: float, uy: float) -> tuple[float, float]:
    """Where a ray from the middle leaves the outline, in the frame of the base."""
    if base.hl == 0 and base.hw == 0:
        return base.r * ux, base.r * uy
    low, high = 0.0, float(base.hl + base.hw + base.r + 1)
    for _ in range(40):
        t = (low + high) / 2
        dx, dy = max(abs(t * ux) - base.hl, 0.0), max(abs(t * uy) - base.hw, 0.0)
        inside = dx * dx + dy * dy <= base.r * base.r
        low, high = (t, high) if inside else (low, t)
    return low * ux, low * uy


def facing_samples(scene: Scene, slot: int, toward: tuple[float, float]) -> tuple[Sample, ...]:
    """The points of a body that face somebody: those of the outline whose normal points there, and all of the top level."""
    (facing,) = struct.unpack_from("<h", scene.facing, 2 * slot)
    base = scene.field.bases[slot]
    points = samples_of(scene, slot)
    normals = _normals(base, facing)
    found: list[Sample] = [points[1]]
    for level in range(3):
        for k in range(ROUND):
            px, py, pz = points[3 + level * ROUND + k]
            nx, ny = normals[k]
            if level == 1 or nx * (toward[0] - px) + ny * (toward[1] - py) > 0.0:
                found.append((px, py, pz))
    return tuple(found)


@lru_cache(maxsize=4096)
def _normals(base: Base, facing: int) -> tuple[tuple[float, float], ...]:
    """The outward normals at the points of a rim."""
    found = []
    for dx, dy in rim_of(base, facing):
        along, across = turned(dx, dy, -facing % 3600)
        nx, ny = (
            max(abs(along) - base.hl, 0) * (1 if along > 0 else -1),
            max(abs(across) - base.hw, 0) * (1 if across > 0 else -1),
        )
        if base.r == 0:
            side = abs(along) * base.hw >= abs(across) * base.hl
            nx, ny = ((1 if along > 0 else -1), 0) if side else (0, (1 if across > 0 else -1))
        found.append(turned(nx * 1000, ny * 1000, facing))
    return tuple((float(x), float(y)) for x, y in found)


def near(prisms: Sequence[Prism], a: Prism, b: Prism) -> list[int]:
    """The numbers of the prisms that could stand between two bodies: those whose box meets the box about both."""
    left, bottom = min(a.box[0], b.box[0]), min(a.box[1], b.box[1])
    right, top = max(a.box[2], b.box[2]), max(a.box[3], b.box[3])
    return [
        k
        for k, prism in enumerate(prisms)
        if prism.box[0] < right and prism.box[2] > left and prism.box[1] < top and prism.box[3] > bottom
    ]


def _packed(prisms: Sequence[Prism], a: Sequence[Sample], b: Sequence[Sample]) -> tuple[object, ...]:
    ffi = kernels.ffi
    points: list[float] = []
    rows = []
    for corners, r, z0, z1, box in prisms:
        rows.append((r, z0, z1, *box, len(points) // 2, len(corners)))
        points += [c for corner in corners for c in corner]
    first = ffi.new("double[]", [c for sample in a for c in sample])
    second = ffi.new("double[]", [c for sample in b for c in sample])
    return ffi.new("Prism[]", rows), len(rows), ffi.new("double[]", points or [0.0]), first, len(a), second, len(b)


def clear_pair(prisms: Sequence[Prism], a: Sequence[Sample], b: Sequence[Sample]) -> tuple[int, int] | int:
    """The first pair of samples with a clear segment; else the number of the prism that stopped the last one."""
    if not prisms:
        return 0, 0
    if not kernels.COMPILED:
        return plain_samples.clear_pair(prisms, a, b)
    out = kernels.ffi.new("int32_t[2]")
    if kernels.lib.clear_pair(*_packed(prisms, a, b), out):
        return out[0], out[1]
    return int(out[0])


def first_unseen(prisms: Sequence[Prism], a: Sequence[Sample], b: Sequence[Sample]) -> int:
    """The first sample of b that no sample of a has a clear segment to; -1: there is none."""
    if not prisms:
        return -1
    if not kernels.COMPILED:
        return plain_samples.first_unseen(prisms, a, b)
    return int(kernels.lib.first_unseen(*_packed(prisms, a, b)))
