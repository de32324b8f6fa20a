"""Could a model have ended in contact? Places around an enemy base are tried one after the other, the nearest first."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from msgspec.structs import replace

from rolloff.geometry import kernels
from rolloff.geometry.field import Scene
from rolloff.geometry.judging import first_step, judge, settled
from rolloff.geometry.measure import contacts_around, slots_of
from rolloff.geometry.moves import ALWAYS, ANY, NEVER, March, Order, Shift, Verdict, Wish
from rolloff.geometry.packing import order_args, scene_args
from rolloff.geometry.place import standing
from rolloff.geometry.plain.around import Spot
from rolloff.geometry.plain.search import MOST_LEGS
from rolloff.geometry.planning import find_way
from rolloff.geometry.spans import gaps_between

AROUND = 72
"""How many places around a base are tried."""


def contact_spots(scene: Scene, slot: int, enemy: int) -> list[Spot]:
    """The places around a base at which another, facing as it does, would touch it."""
    return contacts_around(scene, slot, enemy, AROUND)


def missed_contact(scene: Scene, order: Order, verdict: Verdict, slot: int, enemies: Iterable[int]) -> tuple[int, Spot] | None:
    """An enemy base that a model could have ended in contact with, and where, while all others end where they do."""
    found = way_into_contact(scene, order, verdict, slot, enemies)
    return None if found is None else (found[0], found[1][-1])


def way_into_contact(
    scene: Scene, order: Order, verdict: Verdict, slot: int, enemies: Iterable[int]
) -> tuple[int, list[Spot]] | None:
    """An enemy base that a model could end in contact with, and by which way, while all others end where they do."""
    after = settled(scene, order.unit, verdict)
    start, facing = scene.xy[8 * slot : 8 * slot + 8], scene.facing[2 * slot : 2 * slot + 2]
    before = standing(after, (slot,), start, facing)
    order = order.of_model(slot)
    lone = replace(order, cohere=ALWAYS if verdict.coherent else NEVER, closing=ANY, still=())
    slots = slots_of(before, order.unit)
    x, y = struct.unpack("<2i", start)
    most = (order.allowance + order.leeway.move) ** 2
    near = sorted(
        [
            (far, enemy, spot)
            for enemy in enemies
            for spot in contact_spots(before, slot, enemy)
            if (far := (spot[0] - x) ** 2 + (spot[1] - y) ** 2) <= most
        ]
    )
    goals = [spot for _, _, spot in near]
    straight = first_step(before, lone, slot, goals) if near else None
    if straight is not None:
        return near[straight][1], [goals[straight]]
    way = find_way(before, lone, (slot,), goals, False, order.allowance, False) if near else None
    if way is not None and way[1] and judge(before, lone, March.of(slots, {slot: way[1]})).legal:
        end = way[1][-1]
        return next((enemy for _, enemy, spot in near if spot == end), near[0][1]), way[1]
    return None


def brought_into_contact(scene: Scene, order: Order, wish: Wish, enemies: Mapping[int, Sequence[int]]) -> Wish:
    """The same move with whoever could end in contact with one of his enemies doing so, while all others end where they do."""
    compiled = kernels.COMPILED and not (order.further or order.permits or order.arranged)
    return (brought_compiled if compiled else brought_plain)(scene, order, wish, enemies)


def brought_compiled(scene: Scene, order: Order, wish: Wish, enemies: Mapping[int, Sequence[int]]) -> Wish:
    """The compiled search."""
    free = [slot for slot, others in enemies.items() if others and slot not in order.still]
    if not free:
        return wish
    ffi, slots = kernels.ffi, slots_of(scene, order.unit)
    counts, counted, points, dx, dy = ffi.NULL, 0, b"", 0, 0
    if isinstance(wish, Shift):
        counted, dx, dy = -1, wish.dx, wish.dy
    elif isinstance(wish, March):
        counts, counted, points = wish.counts, len(wish.counts), wish.points
    theirs = ffi.new("int32_t[]", list(chain.from_iterable([enemies[slot] for slot in free])))
    many = ffi.new("int32_t[]", [len(enemies[slot]) for slot in free])
    out_counts, out = ffi.new("char[]", len(slots) + 1), ffi.new("int32_t[]", 3 * MOST_LEGS * len(slots) + len(points) // 4 + 1)
    going = kernels.lib.touch_unit(
        *scene_args(scene), *order_args(order), counts, counted, points, len(points) // 12, dx, dy,
        [slots.index(slot) for slot in free], len(free), theirs, many, AROUND, out_counts, out,
    )  # fmt: skip
    if going == -2:
        raise MemoryError
    return wish if going < 0 else March(ffi.buffer(out_counts)[: len(slots)], ffi.buffer(out)[: 12 * going])


def brought_plain(scene: Scene, order: Order, wish: Wish, enemies: Mapping[int, Sequence[int]]) -> Wish:
    """The same step by step: the twin of `csrc/paths_touch.c`, which asks the planners of whichever twin is in use."""
    near = {slot: [enemy for enemy, gap in row if gap <= order.allowance] for slot, row in _gaps(scene, enemies)}
    better: Wish | None = wish
    while better is not None:
        wish, better = better, None
        for slot in [slot for slot, others in near.items() if others and slot not in order.still]:
            closer = _one_more(scene, order, better or wish, slot, near[slot])
            better = closer or better
    return wish


def _gaps(scene: Scene, enemies: Mapping[int, Sequence[int]]) -> Iterator[tuple[int, Iterable[tuple[int, float]]]]:
    for slot, others in [row for row in enemies.items() if row[1]]:
        yield slot, zip(others, gaps_between(scene, (slot,), others)[0], strict=True)


def _one_more(scene: Scene, order: Order, wish: Wish, slot: int, enemies: Sequence[int]) -> March | None:
    """The same move with one model more in contact; None where that is not to be had, or it is in contact already."""
    verdict, slots = judge(scene, order, wish), slots_of(scene, order.unit)
    if min(gaps_between(settled(scene, order.unit, verdict), (slot,), enemies)[0]) <= order.leeway.contact:
        return None
    found = way_into_contact(scene, order, verdict, slot, enemies)
    if found is None:
        return None
    ways: dict[int, Sequence[tuple[int, ...]]] = {}
    if isinstance(wish, March):
        ways = {**wish.paths(slots)}
    elif isinstance(wish, Shift):
        ways = {slot: [end] for slot, end in zip(slots, struct.iter_unpack("<2i", verdict.ends), strict=True)}
    march = March.of(slots, {**ways, slot: found[1]})
    return march if judge(scene, order, march).legal else None
