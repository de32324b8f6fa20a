"""Distances in plan and in height through the compiled kernels; `plain.spans` is the twin and says what each function means."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress

from rolloff.geometry.field import Scene
from rolloff.geometry.kernels import ffi, lib
from rolloff.geometry.plain.spans import Bodies, Limits, Spans


def spans(scene: Scene, bodies: Bodies, ours: Sequence[int], theirs: Sequence[int], limits: Limits) -> Spans:
    """How far some models are from others."""
    f, m = scene.field, len(ours)
    if not m:
        return Spans([], b"")
    out, (flat, rise, contact) = ffi.new("double[]", m + (m + 7) // 8), limits
    any_marks = lib.spans_of(
        f.ground.handle, f.n, f.shape, scene.xy, scene.z, scene.facing, scene.owner, bodies.over.shape, bodies.heights,
        ours, m, theirs, len(theirs), flat, rise, contact, out,
    )  # fmt: skip
    return Spans(ffi.unpack(out, m), ffi.buffer(out)[8 * m : 9 * m] if any_marks else bytes(m))


def gaps_between(scene: Scene, ours: Sequence[int], theirs: Sequence[int]) -> list[list[float]]:
    """The distance in plan of each of some models from each of others, row by row."""
    f, m, k = scene.field, len(ours), len(theirs)
    if not m or not k:
        return [[] for _ in ours]
    gaps = ffi.new("double[]", m * k)
    args = f.ground.handle, f.n, f.shape, scene.xy, scene.z, scene.facing, scene.owner
    lib.gaps_between(*args, tuple(ours), m, tuple(theirs), k, gaps)
    found: list[float] = ffi.unpack(gaps, m * k)
    return [found[row * k : (row + 1) * k] for row in range(m)]


def closest(scene: Scene, ours: Sequence[int], theirs: Sequence[int], slack: int) -> list[list[int]]:
    """Who of others is closest to each of some models."""
    m, k = len(ours), len(theirs)
    if not m or not k:
        return [[] for _ in ours]
    f, counts, numbers = scene.field, ffi.new("int32_t[]", m), ffi.new("int32_t[]", m * k)
    args = f.ground.handle, f.n, f.shape, scene.xy, scene.z, scene.facing, scene.owner
    lib.closest_of(*args, tuple(ours), m, tuple(theirs), k, slack, counts, numbers)
    found, first = [], 0
    for count in ffi.unpack(counts, m):
        found.append([theirs[numbers[first]]] if count == 1 else [theirs[numbers[j]] for j in range(first, first + count)])
        first += count
    return found


def not_nearer(scene: Scene, ends: bytes, facings: bytes, ours: Sequence[int], theirs: Sequence[int], slack: int) -> list[int]:
    """Those of some models that end elsewhere and not nearer to the closest of others."""
    f, m = scene.field, len(ours)
    marks = ffi.new("char[]", m + 1)
    args = f.ground.handle, f.n, f.shape, scene.xy, scene.z, scene.facing, scene.owner
    if not lib.not_nearer_of(*args, ends, facings, tuple(ours), m, tuple(theirs), len(theirs), slack, marks):
        return []
    return list(compress(ours, ffi.buffer(marks)[:m]))


def first_across(
    scene: Scene, pieces: Sequence[int], ours: Sequence[int], theirs: Sequence[int], limit: float, rise: int
) -> int:
    """The first of some terrain pieces that lies between two models near each other."""
    f = scene.field
    args = f.ground.handle, f.n, f.shape, scene.xy, scene.z, scene.facing, scene.owner
    found: int = lib.across_of(*args, pieces, len(pieces), ours, len(ours), theirs, len(theirs), limit, rise)
    return found
