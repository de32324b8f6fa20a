"""Many shifts of a unit judged at once: which of them are worth a closer look."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from itertools import chain

from rolloff.geometry import kernels
from rolloff.geometry.field import Scene
from rolloff.geometry.judging import judge
from rolloff.geometry.moves import Code, Order, Shift
from rolloff.geometry.packing import order_args, scene_args


def shifts_with(scene: Scene, order: Order, shifts: Sequence[Shift], *codes: Code) -> Iterator[Shift]:
    """Those of some shifts of a whole unit on which the judge's verdict has one of some codes, each found when asked for."""
    if kernels.COMPILED and not (order.still or order.further or order.permits or order.arranged):
        return _found_compiled(scene, order, shifts, sum(1 << code for code in codes))
    return (shift for shift in shifts if judge(scene, order, shift).code in codes)


def _found_compiled(scene: Scene, order: Order, shifts: Sequence[Shift], codes: int) -> Iterator[Shift]:
    packed, k = struct.pack(f"<{2 * len(shifts)}i", *chain.from_iterable([(one.dx, one.dy) for one in shifts])), 0
    while k < len(shifts):
        k = kernels.lib.first_shift(*scene_args(scene), *order_args(order), packed, len(shifts), k, codes)
        if k == -2:
            raise MemoryError
        if k < 0:
            return
        yield shifts[k]
        k += 1
