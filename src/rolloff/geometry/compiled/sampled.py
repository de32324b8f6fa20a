"""Sight by samples between whole units through the compiled kernels; `plain.sampled` is the twin and says what is meant."""

from __future__ import annotations

from collections.abc import Sequence

from rolloff.geometry.backdrop import Backdrop
from rolloff.geometry.field import Scene
from rolloff.geometry.kernels import checked, ffi, lib
from rolloff.geometry.plain.sampled import Shots
from rolloff.geometry.plain.spans import Bodies

Laid = tuple[object, int, object, object, object, object, object, object]


def _laid(drop: Backdrop, scene: Scene) -> Laid:
    """What every one of these kernels is told first: the table, who stands where, and what may hide them."""
    f = scene.field
    return f.ground.handle, f.n, f.shape, scene.xy, scene.z, scene.facing, scene.owner, drop.handle


def seen(
    drop: Backdrop,
    scene: Scene,
    opaque: bool,
    observers: Sequence[int],
    out_of: Sequence[bytes],
    targets: Sequence[int],
    into: Sequence[bytes],
) -> bytes:
    """For each observer 1 if it sees any of the targets, else 0."""
    count = len(observers)
    found = ffi.new("char[]", max(count, 1))
    checked(
        lib.sampled_seen(
            *_laid(drop, scene),
            opaque,
            observers,
            count,
            b"".join(out_of),
            targets,
            len(targets),
            b"".join(into),
            found,
        )
    )
    sees: bytes = ffi.buffer(found, count)[:]
    return sees


def in_aim(
    drop: Backdrop,
    scene: Scene,
    opaque: bool,
    bodies: Bodies,
    observers: Sequence[int],
    out_of: Sequence[bytes],
    targets: Sequence[int],
    into: Sequence[bytes],
    shots: Shots,
) -> bytes:
    """For each of some shots 1 if one of the targets is near enough for it, and seen where it must be, else 0."""
    f, count = scene.field, len(shots.unseen)
    found = ffi.new("char[]", count or 1)
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
            observers,
            len(observers),
            b"".join(out_of),
            targets,
            len(targets),
            b"".join(into),
            *shots,
            count,
            found,
        )
    )
    able: bytes = ffi.buffer(found, count)[:]
    return able


def whole(drop: Backdrop, scene: Scene, opaque: bool, observer: int, out_of: bytes, target: int, into: bytes) -> bool:
    """Whether one model sees all that faces it of another."""
    answer = lib.sampled_whole(
        *_laid(drop, scene),
        opaque,
        observer,
        out_of,
        target,
        into,
    )
    return bool(checked(answer))


def cover(
    drop: Backdrop,
    scene: Scene,
    observers: Sequence[int],
    out_of: Sequence[bytes],
    targets: Sequence[int],
    into: Sequence[bytes],
    rows: Sequence[bytes],
) -> list[int]:
    """For each target the first feature that covers it by its row, or hides part of it from an observer; -1 for none."""
    count = len(targets)
    found = ffi.new("int32_t[]", max(count, 1))
    checked(
        lib.sampled_cover(
            *_laid(drop, scene),
            observers,
            len(observers),
            b"".join(out_of),
            targets,
            count,
            b"".join(into),
            b"".join(rows),
            found,
        )
    )
    numbers: list[int] = ffi.unpack(found, count) if count else []
    return numbers
