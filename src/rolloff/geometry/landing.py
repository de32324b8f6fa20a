"""Leaving a transport: the judge of moves that begin aboard, and a witness of them."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import lru_cache

from msgspec.structs import replace

from rolloff.geometry import judging, kernels
from rolloff.geometry.field import Scene
from rolloff.geometry.marching import lead_to
from rolloff.geometry.moves import ALWAYS, FREE, KEEP, NEVER, TOUCH, Code, Hub, March, Order, Verdict, Wish, Zone
from rolloff.geometry.packing import order_args, scene_args
from rolloff.geometry.place import lawful_place, order_of, standing, zone_row
from rolloff.geometry.plain.around import Spot, contact_spots
from rolloff.geometry.plain.blocks import grown
from rolloff.geometry.plain.convex import Corners, core_offsets
from rolloff.geometry.shapes import Base, core

MOST_STARTS = 12
"""How many spots at a hull are tried as the start of all passengers."""


def judge(scene: Scene, order: Order, wish: Wish) -> Verdict:
    """Judge a wish: whether it is legal, why not, and the facts that play goes on with."""
    return judging.judge(scene, order, wish) if order.leaving < 0 else _judge_leaving(scene, order, wish)


def _doorstep(scene: Scene, order: Order) -> Zone:
    """Where passengers may begin: in contact with the hull, on nobody's base and no barred ground."""
    slot = order.leaving
    x, y = struct.unpack_from("<2i", scene.xy, 8 * slot)
    facing = struct.unpack_from("<h", scene.facing, 2 * slot)[0]
    codes = struct.unpack(f"<{len(order.way) // 4}i", order.way)
    keep = struct.pack(f"<{len(codes)}i", *[FREE if code == FREE else TOUCH for code in codes])
    hub = Hub(x, y, facing, scene.field.bases[slot], 0)
    return Zone(
        keep, order.coherency, cohere=NEVER, hub=hub, impassable=order.impassable, barred=order.barred,
        leeway=order.leeway,
    )  # fmt: skip


def _judge_leaving(scene: Scene, order: Order, wish: Wish) -> Verdict:
    """Judge a march whose first poses are starts at the hull's outline."""
    slots = tuple(sorted(order.slots))
    if not isinstance(wish, March) or len(wish.counts) != len(slots) or 0 in wish.counts:
        return judging.unfit()
    if sum(wish.counts) * 12 != len(wish.points):
        return judging.unfit()
    paths, zone = wish.paths(slots), _doorstep(scene, order)
    leader, starters = order.coherency.leader, slots
    if order.arranged:  # the others are set down around the leader, wherever they begin
        paths = {slot: path if slot == leader else [paths[leader][0], *path] for slot, path in paths.items()}
        starters = (leader,)
    known: dict[object, Verdict] = {}  # models alike at one spot share a verdict
    for slot in starters:
        x, y, facing = start = paths[slot][0]
        kind = scene.field.bases[slot], scene.facing[2 * slot : 2 * slot + 2], start
        verdict = known.get(kind)
        if verdict is None:
            turn = None if facing < 0 else struct.pack("<h", facing)
            verdict = known[kind] = lawful_place(scene, (slot,), zone, struct.pack("<2i", x, y), turn)
        if verdict.code:
            return replace(judging.unfit(), code=int(Code.BAD_START), slot=slot, what=verdict.what)
        if len(paths[slot]) == 1:
            unit = struct.unpack_from("<h", scene.owner, 2 * order.leaving)[0]
            return replace(judging.unfit(), code=int(Code.GAP_UNIT), slot=slot, what=unit)
    there = _outside(scene, slots, {slot: path[0] for slot, path in paths.items()})
    rest = March.of(slots, {slot: path[1:] for slot, path in paths.items()})
    cohere = ALWAYS if order.cohere == KEEP else order.cohere  # who had no place on the table was not astray there
    return judge(there, replace(order, leaving=-1, slots=(), cohere=cohere), rest)


def _outside(scene: Scene, slots: Sequence[int], starts: dict[int, tuple[int, int, int]]) -> Scene:
    """The scene with passengers at their starts."""
    xy = struct.pack(f"<{2 * len(slots)}i", *(c for slot in slots for c in starts[slot][:2]))
    turns = bytearray()
    for slot in slots:
        facing = starts[slot][2]
        turns += scene.facing[2 * slot : 2 * slot + 2] if facing < 0 else struct.pack("<h", facing)
    return standing(scene, slots, xy, bytes(turns))


@lru_cache(maxsize=1024)
def _spots_round(hull: Base, turn: int, base: Base, facing: int) -> list[Spot]:
    """Where a base of some shape touches a turned hull, seen from the middle of the hull."""
    corners: Corners = ((0.0, 0.0),)
    if hull.hl or hull.hw:
        corners = tuple((float(px), float(py)) for px, py in core(0, 0, turn, hull.hl, hull.hw))
    about = core_offsets(base.hl, base.hw, facing if base.hl or base.hw else 0)
    return contact_spots(grown(corners, about), float(base.r + hull.r) + 2.0)


class _Doorstep:
    """Spots at a hull where passengers of one shape may begin, those nearest to a point first."""

    def __init__(self, scene: Scene, order: Order, slot: int, x: int, y: int) -> None:
        self.scene, self.slot, self.hull, self.goal = scene, slot, order.leaving, (x, y)
        self.zone = _doorstep(scene, order)
        self.first: Spot | None = None
        if kernels.COMPILED:
            self.args = (
                *scene_args(scene),
                *order_args(order_of(scene, (slot,), self.zone)),
                zone_row(self.zone),
                self.hull,
                slot,
            )
            self.count, self.first = self._door(0)
            return
        bases, hull = scene.field.bases, order.leaving
        hx, hy = struct.unpack_from("<2i", scene.xy, 8 * hull)
        turn, own = (struct.unpack_from("<h", scene.facing, 2 * k)[0] for k in (hull, slot))
        spots = _spots_round(bases[hull], turn, bases[slot], own)
        ranked = sorted([((px + hx - x) ** 2 + (py + hy - y) ** 2, px + hx, py + hy) for px, py in spots])
        self.spots = [(px, py) for _, px, py in ranked]
        self.count = len(self.spots)

    def _door(self, first: int) -> tuple[int, Spot | None]:
        out = kernels.ffi.new("int32_t[3]")
        count: int = kernels.lib.doorstep(*self.args, *self.goal, first, out)
        if count == -2:
            raise MemoryError
        return count, (out[0], out[1]) if out[2] else None

    def after(self, first: int) -> Spot | None:
        """The first lawful spot from a number on."""
        if kernels.COMPILED:
            return self._door(first)[1] if first else self.first
        for spot in self.spots[first:]:
            if lawful_place(self.scene, (self.slot,), self.zone, struct.pack("<2i", *spot)).legal:
                return spot
        return None


def disembark(scene: Scene, order: Order, x: int, y: int) -> March | None:
    """Passengers out of their transport and toward a point: the first pose of each path is its start at the hull."""
    slots, bases = tuple(sorted(order.slots)), scene.field.bases
    if not slots:
        return None
    kinds = {slot: (bases[slot], scene.facing[2 * slot : 2 * slot + 2]) for slot in slots}  # alike, they start alike
    first = {kind: slot for slot, kind in reversed(kinds.items())}
    steps = {kind: _Doorstep(scene, order, slot, x, y) for kind, slot in first.items()}
    out = replace(order, leaving=-1, slots=(), cohere=ALWAYS)
    tries = max(step.count for step in steps.values())
    for k in range(0, tries, max(tries // MOST_STARTS, 1)):
        doors = {kind: step.after(k) for kind, step in steps.items()}
        starts = {slot: (*door, -1) for slot, kind in kinds.items() if (door := doors[kind]) is not None}
        if len(starts) < len(slots):
            return None
        there = _outside(scene, slots, starts)
        wish = lead_to(there, out, x, y)
        if wish is None:
            continue
        paths = wish.paths(slots)
        if all(paths[slot] for slot in slots):  # lawful starts, a lawful way, and nobody left at the hull
            return March.of(slots, {slot: [starts[slot], *paths[slot]] for slot in slots})
    return None
