"""A spot for a model that joins others: the first lawful one in rings around them, with enough of them near it."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from msgspec import Struct

from rolloff.geometry import kernels
from rolloff.geometry.field import Scene
from rolloff.geometry.moves import Code, Order, Zone
from rolloff.geometry.packing import scene_args
from rolloff.geometry.place import judge_place_plain, order_of, packed_slots, standing, zone_args
from rolloff.geometry.plain.around import Spot
from rolloff.geometry.plain.measure import gap
from rolloff.geometry.trig import FULL_TURN, turned


class Rings(Struct, frozen=True):
    """Spots to try: so far from each of the middles ('<2i') in turn, all around by steps of a turn, then further off.

    Of those `beside` whom a model is set up at least `need` must be within `link`.
    """

    middles: bytes
    first: int
    after: int
    step: int
    turn: int
    beside: tuple[int, ...] = ()
    need: int = 0
    link: int = 0

    def spots(self) -> Iterator[Spot]:
        """All of the spots, the nearest first."""
        for far in range(self.first, self.after, self.step):
            for x, y in struct.iter_unpack("<2i", self.middles):
                for turn in range(0, FULL_TURN if far else 1, self.turn):
                    dx, dy = turned(far, 0, turn)
                    yield x + dx, y + dy


def place_in_rings(scene: Scene, slot: int, zone: Zone, rings: Rings) -> Spot | None:
    """The first of some spots where a model may stand; None if there is none."""
    find = place_in_rings_compiled if kernels.COMPILED else place_in_rings_plain
    return find(scene, order_of(scene, (slot,), zone), zone, slot, rings)


def place_in_rings_compiled(scene: Scene, order: Order, zone: Zone, slot: int, rings: Rings) -> Spot | None:
    """The compiled search."""
    out, count = kernels.ffi.new("int32_t[2]"), len(rings.beside)
    around = rings.middles, len(rings.middles) // 8, rings.first, rings.after, rings.step, rings.turn
    company = packed_slots(rings.beside), count, rings.link, rings.need
    found = kernels.lib.place_in_rings(*scene_args(scene), *zone_args(zone, order.unit), slot, *around, *company, out)
    if found == -2:
        raise MemoryError
    return (out[0], out[1]) if found else None


def place_in_rings_plain(scene: Scene, order: Order, zone: Zone, slot: int, rings: Rings) -> Spot | None:
    """The plain search."""
    for spot in rings.spots():
        there = standing(scene, (slot,), struct.pack("<2i", *spot))
        near = sum(gap(there, slot, other) <= rings.link for other in rings.beside)
        if near >= rings.need and judge_place_plain(there, order, zone, (slot,))[0] == Code.LEGAL:
            return spot
    return None
