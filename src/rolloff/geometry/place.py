"""Setting units down: the judge of placings, and witnesses that find a place."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import Any

from rolloff.buffers import spliced
from rolloff.geometry import kernels
from rolloff.geometry.field import Scene
from rolloff.geometry.moves import Code, Hub, Order, Verdict, Zone
from rolloff.geometry.packing import order_args, scene_args
from rolloff.geometry.plain import place as plain_place
from rolloff.geometry.plain.blocks import Slots
from rolloff.geometry.plain.members import Member

_NUMBER = struct.Struct("<h")
_UNIT = struct.Struct("<i")


def order_of(scene: Scene, slots: Sequence[int], zone: Zone) -> Order:
    """A zone as an order that asks for nothing on the way."""
    return zone_order(zone, _unit_of(scene, slots))


def _unit_of(scene: Scene, slots: Sequence[int]) -> int:
    """The unit that models belong to."""
    unit: int = _NUMBER.unpack_from(scene.owner, 2 * slots[0])[0]
    return unit


@lru_cache(maxsize=64)
def zone_order(zone: Zone, unit: int) -> Order:
    """The same for a unit by its number."""
    return Order(
        unit, 0, zone.keep, zone.keep, zone.coherency, cohere=zone.cohere, impassable=zone.impassable,
        barred=zone.barred, difficult=0, dangerous=0, off_limits=zone.off_limits, leeway=zone.leeway,
    )  # fmt: skip


@lru_cache(maxsize=64)
def zone_row(zone: Zone) -> bytes:
    """A zone's rectangles and hub as `csrc/place.c` reads them."""
    hub = zone.hub
    numbers = [len(zone.inside), *(n for r in zone.inside for n in r)]
    if hub is None:
        numbers += [0] * 9
    else:
        numbers += [1, hub.x, hub.y, hub.facing, *hub.base[:3], hub.distance, hub.wholly]
    return struct.pack(f"<{len(numbers)}i", *numbers)


def zone_args(zone: Zone, unit: int) -> tuple[Any, ...]:
    """What kernels take second that set models of a unit down: the zone as an order, and its row."""
    terms, rest = _zone_args(zone)
    return _UNIT.pack(unit) + terms, *rest


@lru_cache(maxsize=64)
def _zone_args(zone: Zone) -> tuple[bytes, tuple[Any, ...]]:
    """The same for whichever unit: its number comes before the other terms of an order."""
    terms, *rest = order_args(zone_order(zone, 0))
    return terms[_UNIT.size :], (*rest, zone_row(zone))


@lru_cache(maxsize=256)
def packed_slots(slots: tuple[int, ...]) -> bytes:
    """Slots as kernels read them."""
    return struct.pack(f"<{len(slots)}i", *slots)


def standing(scene: Scene, slots: Sequence[int], xy: bytes, facings: bytes | None = None) -> Scene:
    """The scene with some models set down at given places."""
    there = spliced(scene.xy, 8, slots, xy)
    turned = scene.facing if facings is None else spliced(scene.facing, 2, slots, facings)
    return Scene(scene.field, there, scene.z, turned, scene.owner, scene.sides)


Standing = tuple[int, tuple[int, int], int]
"""A model that still stands in the way though it has left the state: its slot, its place and its facing."""


def with_standing(scene: Scene, models: tuple[Standing, ...]) -> Scene:
    """The scene with models that are still there."""
    for slot, at, facing in models:
        scene = standing(scene, (slot,), struct.pack("<2i", *at), struct.pack("<h", facing))
    return scene


def gap_to_hub(scene: Scene, slot: int, hub: Hub) -> float:
    """How far a base, or the furthest part of it, is from a hub in plan."""
    member = Member(Slots(scene), slot)
    return plain_place.hub_gap(hub, member, member.start)


def judge_place_compiled(scene: Scene, order: Order, zone: Zone, slots: Sequence[int]) -> tuple[int, int, int, bool]:
    """The compiled judge of placings: code, slot, what, coherent."""
    out, who = kernels.ffi.new("int32_t[4]"), packed_slots(tuple(slots))
    done = kernels.lib.judge_place(*scene_args(scene), *zone_args(zone, order.unit), who, len(slots), out)
    if done == -2:
        raise MemoryError
    return out[0], out[1], out[2], bool(out[3])


def judge_place_plain(scene: Scene, order: Order, zone: Zone, slots: Sequence[int]) -> tuple[int, int, int, bool]:
    """The plain judge of placings: code, slot, what, coherent."""
    r = plain_place.judge_place(scene, order, zone, slots)
    return r.code, r.slot, r.what, r.coherent


def lawful_place(scene: Scene, slots: Sequence[int], zone: Zone, xy: bytes, facings: bytes | None = None) -> Verdict:
    """Judge models set down at given places ('<2i' each, in the order of `slots`) with given facings ('<h')."""
    if len(xy) != 8 * len(slots) or (facings is not None and len(facings) != 2 * len(slots)) or not slots:
        return Verdict(int(Code.NO_SUCH_MODEL), -1, -1, 0, False, (), False, False, b"", b"")
    there = standing(scene, slots, xy, facings)
    judged = judge_place_compiled if kernels.COMPILED else judge_place_plain
    code, slot, what, coherent = judged(there, order_of(scene, slots, zone), zone, slots)
    turns = facings if facings is not None else b"".join([scene.facing[2 * s : 2 * s + 2] for s in slots])
    return Verdict(code, slot, what, 0, False, (), coherent, coherent, xy, turns)


def muster_compiled(scene: Scene, slots: Sequence[int], zone: Zone, x: int, y: int, facing: int) -> bytes | None:
    """The compiled search for a place, which asks the judge as well."""
    ffi, field, owner, count = kernels.ffi, scene.field, scene.owner, len(slots)
    (terms, rest), who, out = _zone_args(zone), packed_slots(tuple(slots)), ffi.new("int32_t[]", 2 * count)
    terms = _UNIT.pack(*_NUMBER.unpack_from(owner, 2 * slots[0])) + terms
    args = field.ground.handle, field.n, field.shape, scene.xy, scene.z, scene.facing, owner, terms
    found = kernels.lib.muster_unit(*args, *rest, who, count, x, y, facing, out)
    if found == -2:
        raise MemoryError
    return ffi.buffer(out)[:] if found else None


def muster_plain(scene: Scene, slots: Sequence[int], zone: Zone, x: int, y: int, facing: int) -> bytes | None:
    """The plain search for a place, and the judge's word on what it finds."""
    order = order_of(scene, slots, zone)
    spots = plain_place.muster_unit(scene, order, zone, slots, (x, y), facing)
    if spots is None:
        return None
    xy = struct.pack(f"<{2 * len(slots)}i", *chain.from_iterable(spots))
    there = standing(scene, slots, xy, struct.pack("<h", facing) * len(slots))
    return xy if judge_place_plain(there, order, zone, slots)[0] == Code.LEGAL else None


def muster(scene: Scene, slots: Sequence[int], zone: Zone, x: int, y: int, facing: int = 0) -> bytes | None:
    """Places for a whole unit, coherent, at or near a point: '<2i' for each slot; None if none was found."""
    find = muster_compiled if kernels.COMPILED else muster_plain
    return find(scene, slots, zone, x, y, facing)


def drift(scene: Scene, slots: Sequence[int], zone: Zone, xy: bytes, dx: int, dy: int) -> bytes:
    """A whole formation shifted along a vector as far as it is lawful to stand; unshifted if nowhere."""
    places = list(struct.iter_unpack("<2i", xy))
    for k in range(64, 0, -1):
        sx, sy = dx * k // 64, dy * k // 64
        moved = struct.pack(f"<{2 * len(places)}i", *(c for x, y in places for c in (x + sx, y + sy)))
        if lawful_place(scene, slots, zone, moved).legal:
            return moved
    return xy
