"""Sight by samples between whole units through the compiled kernels; `plain.sampled` is the twin and says what is meant."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain
from struct import pack

from rolloff.geometry.backdrop import Backdrop
from rolloff.geometry.field import Scene
from rolloff.geometry.kernels import checked, ffi, lib
from rolloff.geometry.plain.sampled import Shots
from rolloff.geometry.plain.spans import Bodies
from rolloff.geometry.reaches import Reaches

Laid = tuple[object, int, object, object, object, object, object, object]


def _laid(drop: Backdrop, scene: Scene) -> Laid:
    """What every one of these kernels is told first: the table, who stands where, and what may hide them."""
    f = scene.field
    return f.ground.handle, f.n, f.shape, scene.xy, scene.z, scene.facing, scene.owner, drop.handle


def seen(drop: Backdrop, scene: Scene, opaque: bool, rows: bytes, observers: Sequence[int], targets: Sequence[int]) -> bytes:
    """For each observer 1 if it sees any of the targets, else 0."""
    count = len(observers)
    found = ffi.new("char[]", count or 1)
    laid = _laid(drop, scene)
    checked(lib.sampled_seen(*laid, opaque, rows, observers, count, targets, len(targets), found))
    sees: bytes = ffi.buffer(found, count)[:]
    return sees


def in_aim(
    drop: Backdrop,
    scene: Scene,
    opaque: bool,
    bodies: Bodies,
    rows: bytes,
    observers: Sequence[int],
    groups: Sequence[Sequence[int]],
    shots: Shots,
) -> list[bytes]:
    """For each of some groups of targets, of each of some shots: 1 if one is near enough for it, and seen where it must be."""
    f, count, many = scene.field, len(shots.unseen), len(groups)
    found = ffi.new("char[]", count * many or 1)
    numbers = (*shots.bearers, *observers, *accumulate(map(len, groups)), *chain.from_iterable(groups))
    checked(
        lib.shots_in_aim(
            f.ground.handle,
            f.n,
            f.shape,
            scene.xy,
            scene.z,
            scene.facing,
            scene.owner,
            drop.handle,
            opaque,
            bodies.over.shape,
            bodies.heights,
            rows,
            pack(f"<{len(numbers)}i", *numbers),
            len(observers),
            many,
            shots.reach,
            shots.unseen,
            count,
            found,
        )
    )
    able: bytes = ffi.buffer(found, count * many)[:]
    return [able] if many == 1 else [able[at : at + count] for at in range(0, count * many, count)]


def aiming(
    drop: Backdrop,
    scene: Scene,
    opaque: bool,
    bodies: Bodies,
    rows: bytes,
    reaches: Reaches,
    shooters: Sequence[Sequence[int]],
    kinds: Sequence[int],
    groups: Sequence[Sequence[int]],
    sure: int,
) -> bytes:
    """For each of some groups of models 2 if one has a weapon, by its row of them, that may be fired at one of other groups.

    So it is for as many of those as are ``sure``, the first; if it may be fired only at one of the rest it is 1, else 0.
    """
    count = len(shooters)
    found = ffi.new("char[]", count or 1)
    ends, others = accumulate(map(len, shooters)), accumulate(map(len, groups))
    numbers = (*ends, *kinds, *others, *chain.from_iterable(shooters), *chain.from_iterable(groups))
    checked(
        lib.shooters_in_aim(
            *_laid(drop, scene),
            opaque,
            bodies.over.shape,
            bodies.heights,
            rows,
            *reaches.handles,  # type: ignore[misc] # they are there where the kernels are
            pack(f"<{len(numbers)}i", *numbers),
            count,
            len(groups),
            sure,
            found,
        )
    )
    able: bytes = ffi.buffer(found, count)[:]
    return able


def whole(drop: Backdrop, scene: Scene, opaque: bool, rows: bytes, observer: int, target: int) -> bool:
    """Whether one model sees all that faces it of another."""
    return bool(checked(lib.sampled_whole(*_laid(drop, scene), opaque, rows, observer, target)))


def cover(drop: Backdrop, scene: Scene, rows: bytes, observers: Sequence[int], targets: Sequence[int]) -> list[int]:
    """For each target the first feature that covers it by its row, or hides part of it from an observer; -1 for none."""
    count = len(targets)
    found = ffi.new("int32_t[]", count or 1)
    checked(lib.sampled_cover(*_laid(drop, scene), rows, observers, len(observers), targets, count, found))
    numbers: list[int] = ffi.unpack(found, count) if count else []
    return numbers
