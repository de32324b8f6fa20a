"""What places say of models in plain Python: the twin of `csrc/stances.c`."""

from __future__ import annotations

from typing import NamedTuple

from rolloff.geometry.field import Scene
from rolloff.geometry.plain.measure import footings
from rolloff.geometry.stance_table import FOOTINGS, StanceTable


class Stood(NamedTuple):
    """Where all models stood, and what it said of each: a row of bytes for every one, in their order."""

    xy: bytes
    facing: bytes
    rows: bytes


def stances(table: StanceTable, scene: Scene, before: Stood | None) -> Stood:
    """What places say of all models; of who stands as in a moment before, what was said then."""
    wide = len(table.about)
    rows = [_stance(table, scene, slot) if _moved(scene, before, slot) else b"" for slot in range(scene.field.n)]
    if before is not None:
        rows = [row or before.rows[wide * slot : wide * (slot + 1)] for slot, row in enumerate(rows)]
    return Stood(scene.xy, scene.facing, b"".join(rows))


def _moved(scene: Scene, before: Stood | None, slot: int) -> bool:
    """Whether a model stands otherwise than before, as far as anybody knows."""
    at, turn = slice(8 * slot, 8 * slot + 8), slice(2 * slot, 2 * slot + 2)
    return before is None or before.xy[at] != scene.xy[at] or before.facing[turn] != scene.facing[turn]


def _stance(table: StanceTable, scene: Scene, slot: int) -> bytes:
    """What its place says of one model."""
    (marks,) = footings(scene, (slot,), table.pieces, table.limits, table.depth)
    wide, first = len(table.about), FOOTINGS * len(table.about) * table.sort[slot]
    return bytes([table.says[first + wide * marks[piece] + k] for k, piece in enumerate(table.about)])
