"""Leaving a transport, and what the centre of a path enters and leaves.

The judge of this module minds orders of units that begin aboard or follow a leader; all others go straight
to the judge of `judging`.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from itertools import pairwise
from math import sqrt

from msgspec.structs import replace

from rolloff.geometry import judging
from rolloff.geometry.field import Ground, Place, Scene
from rolloff.geometry.marching import lead_to
from rolloff.geometry.moves import ALWAYS, FREE, NEVER, TOUCH, Code, Hub, March, Order, Verdict, Wish, Zone
from rolloff.geometry.place import lawful_place, standing
from rolloff.geometry.plain_blocks import Slots, grown
from rolloff.geometry.plain_convex import core_offsets
from rolloff.geometry.plain_paths import Member
from rolloff.geometry.plain_search import Spot, contact_spots

MOST_STARTS = 12
"""How many spots at a hull are tried as the start of all passengers."""


def judge(scene: Scene, order: Order, wish: Wish) -> Verdict:
    """Judge a wish: whether it is legal, why not, and the facts that play goes on with."""
    if order.leaving >= 0:
        return _judge_leaving(scene, order, wish)
    if order.arranged:
        return _judge_arranged(scene, order, wish)
    return judging.judge(scene, order, wish)


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


def _within(place: Place, x: float, y: float) -> bool:
    """Whether a point lies in a piece, edge included."""
    if place.disc is not None:
        dx, dy, r = x - place.disc[0], y - place.disc[1], float(place.disc[2])
        return dx * dx + dy * dy <= r * r
    for part in place.parts:
        ax, ay = part[-1]
        for bx, by in part:
            if (bx - ax) * (y - ay) - (by - ay) * (x - ax) < 0.0:
                break
            ax, ay = bx, by
        else:
            return True
    return False


def _breaks(place: Place, a: Spot, b: Spot) -> list[float]:
    """Where a leg meets a piece's outline, as shares of its length, ascending."""
    (ax, ay), (dx, dy) = a, (b[0] - a[0], b[1] - a[1])
    found = []
    if place.disc is not None:
        cx, cy, r = place.disc
        ll, lx, ly = float(dx * dx + dy * dy), float(ax - cx), float(ay - cy)
        half, rest = lx * dx + ly * dy, lx * lx + ly * ly - float(r) * r
        root = half * half - ll * rest
        if root > 0.0:
            found = [(-half - sqrt(root)) / ll, (-half + sqrt(root)) / ll]
    else:
        px, py = place.outline[-1]
        for qx, qy in place.outline:
            ex, ey = qx - px, qy - py
            cross = dx * ey - dy * ex
            if cross:
                t = ((px - ax) * ey - (py - ay) * ex) / cross
                u = ((px - ax) * dy - (py - ay) * dx) / cross
                if 0.0 <= u <= 1.0:
                    found.append(t)
            px, py = qx, qy
    return sorted(t for t in found if 0.0 < t < 1.0)


def _passes(place: Place, path: Sequence[Spot]) -> tuple[int, int]:
    """How often a path enters and leaves a piece."""
    entered = left = 0
    inside = place.contains(*path[0])
    for a, b in pairwise(path):
        cuts = [0.0, *_breaks(place, a, b), 1.0]
        states = []
        for s, t in pairwise(cuts):
            m = (s + t) / 2.0
            states.append(_within(place, a[0] + (b[0] - a[0]) * m, a[1] + (b[1] - a[1]) * m))
        for now in [*states, place.contains(*b)]:
            entered += now and not inside
            left += inside and not now
            inside = now
    return entered, left


def crossings(ground: Ground, path: Sequence[Spot]) -> tuple[tuple[int, int, int], ...]:
    """The pieces whose outline a path of a centre crosses: piece, how often it enters, how often it leaves."""
    found = []
    for number, place in enumerate(ground.places):
        entered, left = _passes(place, path)
        if entered or left:
            found.append((number, entered, left))
    return tuple(found)


def _judge_arranged(scene: Scene, order: Order, wish: Wish) -> Verdict:
    """Judge a move of which only the leader's path counts: terrain acts where its centre crosses an outline."""
    bare = judging.judge(scene, replace(order, difficult=0, dangerous=0), wish)
    slots = judging.slots_of(scene, order.unit)
    leader = order.coherency.leader
    if bare.code == Code.NO_SUCH_MODEL or leader not in slots:
        return bare
    path: list[Spot] = [struct.unpack_from("<2i", scene.xy, 8 * leader)]
    if isinstance(wish, March):
        path += [(x, y) for x, y, _ in wish.paths(slots)[leader]]
    else:
        path.append(struct.unpack_from("<2i", bare.ends, 8 * slots.index(leader)))
    places, difficult, dangers = scene.field.ground.places, False, []
    for piece, entered, left in crossings(scene.field.ground, path):
        difficult = difficult or bool(places[piece].kinds & order.difficult)
        if places[piece].kinds & order.dangerous:
            dangers += [(slot, piece) for _ in range(entered + left) for slot in slots]
    verdict = replace(bare, difficult=difficult, dangerous=tuple(dangers))
    cap = order.difficult_cap
    if verdict.legal and difficult and 0 <= cap < order.allowance and bare.longest > cap + order.leeway.move:
        return replace(verdict, code=int(Code.TOO_LONG), slot=leader, what=cap)
    return verdict
