"""Sight by samples between whole units through the compiled kernels; `plain.sampled` is the twin and says what is meant."""

from __future__ import annotations

from collections.abc import Sequence

from rolloff.geometry.backdrop import Backdrop
from rolloff.geometry.field import Scene
from rolloff.geometry.kernels import ffi, lib

_OUT_OF_MEMORY = -3


def _checked(answer: int) -> int:
    """An answer of a kernel, unless it could not get the memory it needed."""
    if answer == _OUT_OF_MEMORY:
        raise MemoryError
    return answer


def seen(
    drop: Backdrop,
    scene: Scene,
    opaque: bool,
    observers: Sequence[int],
    out_of: Sequence[bytes],
    targets: Sequence[int],
    into: Sequence[bytes],
) -> list[bool]:
    """For each observer whether it sees any of the targets."""
    f, count = scene.field, len(observers)
    found = ffi.new("char[]", max(count, 1))
    _checked(
        lib.sampled_seen(
            f.ground.handle,
            f.n,
            f.shape,
            scene.xy,
            scene.z,
            scene.facing,
            scene.owner,
            drop.handle,
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
    return [byte == 1 for byte in ffi.buffer(found, count)[:]]


def whole(drop: Backdrop, scene: Scene, opaque: bool, observer: int, out_of: bytes, target: int, into: bytes) -> bool:
    """Whether one model sees all that faces it of another."""
    f = scene.field
    answer = lib.sampled_whole(
        f.ground.handle,
        f.n,
        f.shape,
        scene.xy,
        scene.z,
        scene.facing,
        scene.owner,
        drop.handle,
        opaque,
        observer,
        out_of,
        target,
        into,
    )
    return bool(_checked(answer))


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
    f, count = scene.field, len(targets)
    found = ffi.new("int32_t[]", max(count, 1))
    _checked(
        lib.sampled_cover(
            f.ground.handle,
            f.n,
            f.shape,
            scene.xy,
            scene.z,
            scene.facing,
            scene.owner,
            drop.handle,
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
