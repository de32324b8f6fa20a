"""Sight through the compiled kernels; `plain.sight` is the twin and says what each function means."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import lru_cache

from rolloff.geometry.field import COVER, Scene
from rolloff.geometry.kernels import checked, ffi, lib
from rolloff.geometry.measure import slots_of
from rolloff.geometry.plain import sight as plain_sight
from rolloff.geometry.views import Eye, Mode, Sight

_OFF_TABLE = -2
_TOUCHING = -4
_HIDDEN = Sight(False)


@lru_cache(maxsize=256)
def _packed(mode: Mode) -> bytes:
    """A mode as the kernels read it."""
    numbers = (
        mode.margin,
        mode.contact,
        mode.models,
        mode.heights,
        *mode.eye,
        mode.stand_exempt,
        mode.target_exempt,
        len(mode.ignored),
        len(mode.clear),
        *mode.ignored,
        *mode.clear,
    )
    return struct.pack(f"<{len(numbers)}i", *numbers)


@lru_cache(maxsize=512)
def _eye(eye: int | Eye) -> bytes:
    """An eye as the kernels read it."""
    if not isinstance(eye, Eye):
        return struct.pack("<8i", eye, 0, 0, 0, 0, 0, 0, 0)
    numbers = (
        eye.slot,
        eye.barrel is not None,
        *(eye.barrel or (0, 0)),
        eye.arc is not None,
        *(eye.arc or (0, 0)),
        len(eye.pieces),
        *eye.pieces,
    )
    return struct.pack(f"<{len(numbers)}i", *numbers)


def sees(scene: Scene, mode: Mode, a: int | Eye, b: int | Eye) -> Sight:
    """Whether one model, barrel or outline sees another, with evidence."""
    f = scene.field
    line = ffi.new("double[4]")
    tags = ffi.new("int32_t[]", f.n + len(f.ground.places))
    count = checked(
        lib.sees_eyes(
            f.ground.handle,
            f.n,
            f.shape,
            scene.xy,
            scene.z,
            scene.facing,
            scene.owner,
            _packed(mode),
            _eye(a),
            _eye(b),
            line,
            tags,
        )
    )
    if count == -1:
        return Sight(True, tuple(line))
    if count == _OFF_TABLE:
        return _HIDDEN
    if count == _TOUCHING:
        return plain_sight.sees(scene, mode, a, b)
    found = tags[0:count]
    return Sight(False, None, tuple(t for t in found if t >= 0), tuple(-1 - t for t in found if t < 0))


def watch(scene: Scene, mode: Mode, unit_a: int, unit_b: int, viewers: Sequence[int] | None = None) -> dict[int, int]:
    """For each model of a unit (or each of `viewers`) a model of the other unit that it sees, or -1."""
    f = scene.field
    slots = slots_of(scene, unit_a) if viewers is None else tuple(viewers)
    seen = ffi.new("int32_t[]", max(len(slots), 1))
    checked(
        lib.watch_from(
            f.ground.handle,
            f.n,
            f.shape,
            scene.xy,
            scene.z,
            scene.facing,
            scene.owner,
            _packed(mode),
            unit_a,
            unit_b,
            slots,
            len(slots),
            seen,
        )
    )
    return dict(zip(slots, seen, strict=False))


def aims(scene: Scene, mode: Mode, eye: int | Eye, unit_b: int) -> int:
    """The first model of a unit that one eye sees, or -1."""
    f = scene.field
    return checked(
        lib.aims_at(
            f.ground.handle,
            f.n,
            f.shape,
            scene.xy,
            scene.z,
            scene.facing,
            scene.owner,
            _packed(mode),
            _eye(eye),
            unit_b,
        )
    )


def covered(
    scene: Scene,
    mode: Mode,
    firing: Sequence[int],
    unit_b: int,
    *,
    kinds: int = COVER,
    near: int = 1000,
    tol: int = 10,
) -> dict[int, int]:
    """For each model of a unit a piece that it is within or behind, or -1."""
    f = scene.field
    slots, pieces = ffi.new("int32_t[]", max(f.n, 1)), ffi.new("int32_t[]", max(f.n, 1))
    count = checked(
        lib.covered_from(
            f.ground.handle,
            f.n,
            f.shape,
            scene.xy,
            scene.z,
            scene.facing,
            scene.owner,
            _packed(mode),
            tuple(firing),
            len(firing),
            unit_b,
            kinds,
            near,
            tol,
            slots,
            pieces,
        )
    )
    return {slots[k]: pieces[k] for k in range(count)}
