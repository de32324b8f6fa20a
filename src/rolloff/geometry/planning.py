"""The two planners, pathfinder and settler, in whichever twin is in use."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from itertools import chain

from rolloff.geometry import kernels
from rolloff.geometry.field import Scene
from rolloff.geometry.moves import Order
from rolloff.geometry.packing import kernel_args
from rolloff.geometry.plain import search as plain_search
from rolloff.geometry.plain import settle as plain_settle
from rolloff.geometry.plain.around import Spot
from rolloff.geometry.plain.search import MOST_LEGS
from rolloff.geometry.plain.settle import MOST_POINTS


def _packed(rows: Sequence[tuple[int, ...]]) -> bytes:
    numbers = list(chain.from_iterable(rows))
    return struct.pack(f"<{len(numbers)}i", *numbers)


def find_way_compiled(
    scene: Scene, order: Order, who: Sequence[int], goals: Sequence[Spot], contact: bool, most: int, avoid: bool
) -> tuple[int, list[Spot]] | None:
    """The compiled pathfinder."""
    out = kernels.ffi.new("int32_t[]", 1 + 2 * MOST_LEGS)
    slots = struct.pack(f"<{len(who)}i", *who)
    found = kernels.lib.find_way(
        *kernel_args(scene, order), slots, len(who), _packed(goals), len(goals), contact, most, avoid, out
    )
    if found == -2:
        raise MemoryError
    if found < 0:
        return None
    return who[out[0]], [(out[1 + 2 * k], out[2 + 2 * k]) for k in range(found)]


def find_way(
    scene: Scene, order: Order, who: Sequence[int], goals: Sequence[Spot], contact: bool, most: int, avoid: bool
) -> tuple[int, list[Spot]] | None:
    """The slot and the shortest way of one of `who` (all of one shape) to a goal, or into contact with a target.

    `most` is the longest way; with `avoid` it touches no difficult ground.
    """
    find = find_way_compiled if kernels.COMPILED else plain_search.find_way
    return find(scene, order, who, goals, contact, most, avoid)


def settle_compiled(
    scene: Scene,
    order: Order,
    aim: int,
    rules: int,
    most: int,
    turns: Sequence[int],
    fixed: Sequence[tuple[int, int, int]],
    wishes: Sequence[Spot],
) -> tuple[bool, list[list[Spot]]]:
    """The compiled settler."""
    count, row = len({*turns, *[held[0] for held in fixed]}), 1 + 2 * MOST_POINTS
    out = kernels.ffi.new("int32_t[]", count * row)
    done = kernels.lib.settle(
        *kernel_args(scene, order), aim, rules, most, struct.pack(f"<{len(turns)}i", *turns), len(turns),
        _packed(fixed), len(fixed), _packed(wishes), len(wishes), out,
    )  # fmt: skip
    if done == -2:
        raise MemoryError
    numbers: memoryview = memoryview(kernels.ffi.buffer(out)).cast("i")
    paths: list[list[Spot]] = [[] for _ in range(count)]
    for i in turns:  # nobody else goes anywhere
        points = numbers[i * row]
        if points:
            flat = numbers[i * row + 1 : i * row + 1 + 2 * points].tolist()
            paths[i] = list(zip(flat[::2], flat[1::2], strict=True))
    return bool(done), paths


def settle(
    scene: Scene,
    order: Order,
    aim: int,
    rules: int,
    most: int,
    turns: Sequence[int],
    fixed: Sequence[tuple[int, int, int]] = (),
    wishes: Sequence[Spot] = (),
) -> tuple[bool, list[list[Spot]]]:
    """Set a unit's models (by number in the unit) down in turn; True and a path for each, if all found a spot.

    `fixed` (number, x, y) says where models stand that were set down already; those that also have a turn may
    still find a better spot. `turns` and `fixed` together name every model of the unit.
    """
    put = settle_compiled if kernels.COMPILED else plain_settle.settle
    return put(scene, order, aim, rules, most, turns, fixed, wishes)
