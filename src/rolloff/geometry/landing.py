"""Leaving a transport: the judge of moves that begin aboard, and a witness of them."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from msgspec.structs import replace

from rolloff.geometry import judging
from rolloff.geometry.field import Scene
from rolloff.geometry.marching import lead_to
from rolloff.geometry.moves import ALWAYS, FREE, NEVER, TOUCH, Code, Hub, March, Order, Verdict, Wish, Zone
from rolloff.geometry.place import lawful_place, standing
from rolloff.geometry.plain_around import Spot, contact_spots
from rolloff.geometry.plain_blocks import Slots, grown
from rolloff.geometry.plain_convex import core_offsets
from rolloff.geometry.plain_members import Member

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
    for slot in slots:
        x, y, facing = paths[slot][0]
        turn = None if facing < 0 else struct.pack("<h", facing)
        verdict = lawful_place(scene, (slot,), zone, struct.pack("<2i", x, y), turn)
        if not verdict.legal:
            return replace(judging.unfit(), code=int(Code.BAD_START), slot=slot, what=verdict.what)
        if len(paths[slot]) == 1:
            unit = struct.unpack_from("<h", scene.owner, 2 * order.leaving)[0]
            return replace(judging.unfit(), code=int(Code.GAP_UNIT), slot=slot, what=unit)
    there = _outside(scene, slots, {slot: path[0] for slot, path in paths.items()})
    rest = March.of(slots, {slot: path[1:] for slot, path in paths.items()})
    return judge(there, replace(order, leaving=-1, slots=()), rest)


def _outside(scene: Scene, slots: Sequence[int], starts: dict[int, tuple[int, int, int]]) -> Scene:
    """The scene with passengers at their starts."""
    xy = struct.pack(f"<{2 * len(slots)}i", *(c for slot in slots for c in starts[slot][:2]))
    turns = bytearray()
    for slot in slots:
        facing = starts[slot][2]
        turns += scene.facing[2 * slot : 2 * slot + 2] if facing < 0 else struct.pack("<h", facing)
    return standing(scene, slots, xy, bytes(turns))


class _Doorstep:
    """Spots at a hull where passengers of one shape may begin, those nearest to a point first."""

    def __init__(self, scene: Scene, order: Order, slot: int, x: int, y: int) -> None:
        slots = Slots(scene)
        m, base = Member(slots, slot), scene.field.bases[order.leaving]
        about = core_offsets(m.hl, m.hw, m.facing if m.hl or m.hw else 0)
        spots = contact_spots(grown(slots.corners(order.leaving), about), float(m.r + base.r) + 2.0)
        self.scene, self.slot, self.zone = scene, slot, _doorstep(scene, order)
        self.spots = sorted(spots, key=lambda p: ((p[0] - x) ** 2 + (p[1] - y) ** 2, p))

    def after(self, first: int) -> Spot | None:
        """The first lawful spot from a number on."""
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
    tries = max(len(step.spots) for step in steps.values())
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
        march = March.of(slots, {slot: [starts[slot], *paths[slot]] for slot in slots})
        if judge(scene, order, march).legal:
            return march
    return None
