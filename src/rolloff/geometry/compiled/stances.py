"""What places say of models through the compiled kernels; `plain.stances` is the twin and says what is meant."""

from __future__ import annotations

from rolloff.geometry.field import Scene
from rolloff.geometry.kernels import checked, ffi, lib
from rolloff.geometry.plain.stances import Stood
from rolloff.geometry.stance_table import StanceTable


def stances(table: StanceTable, scene: Scene, before: Stood | None) -> Stood:
    """What places say of all models."""
    f, size = scene.field, table.size
    rows = ffi.new("char[]", size or 1)
    args = f.ground.handle, f.n, f.shape, scene.xy, scene.z, scene.facing, scene.owner
    checked(lib.stances_of(*args, table.handle, *(before or _NEVER), rows))
    return Stood(scene.xy, scene.facing, ffi.buffer(rows, size)[:])


_NEVER = ffi.NULL, ffi.NULL, ffi.NULL
