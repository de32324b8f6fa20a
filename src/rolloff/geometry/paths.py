"""Moves: the judge, and witnesses whose proposals pass it."""

from __future__ import annotations

import struct

from rolloff.geometry import kernels, plain_paths
from rolloff.geometry.field import NOWHERE, Scene
from rolloff.geometry.moves import Code, March, Order, Shift, Stay, Verdict, Wish
from rolloff.geometry.packing import order_args, scene_args
from rolloff.geometry.plain_blocks import Slots


def slots_of(scene: Scene, unit: int) -> tuple[int, ...]:
    """The slots of a unit's models on the table, ascending."""
    n = scene.field.n
    xy = struct.unpack(f"<{2 * n}i", scene.xy)
    owner = struct.unpack(f"<{n}h", scene.owner)
    return tuple(j for j in range(n) if owner[j] == unit and xy[2 * j] != NOWHERE)


def settled(scene: Scene, unit: int, verdict: Verdict) -> Scene:
    """The scene once a unit stands where a verdict says; heights are left alone."""
    xy, facing = bytearray(scene.xy), bytearray(scene.facing)
    for k, slot in enumerate(slots_of(scene, unit)):
        xy[8 * slot : 8 * slot + 8] = verdict.ends[8 * k : 8 * k + 8]
        facing[2 * slot : 2 * slot + 2] = verdict.facings[2 * k : 2 * k + 2]
    return scene._replace(xy=bytes(xy), facing=bytes(facing))


def _unfit(scene: Scene, order: Order) -> Verdict:
    """The verdict on a wish that does not fit the unit."""
    return Verdict(Code.NO_SUCH_MODEL, -1, -1, 0, False, (), False, False, b"", b"")


def _judge_compiled(scene: Scene, order: Order, wish: Wish) -> Verdict:
    ffi, lib, n = kernels.ffi, kernels.lib, scene.field.n
    pieces = scene.field.ground.places
    out = ffi.new("int32_t[]", 8 + 2 * n + (n + 1) // 2 + 2 * n * (len(pieces) if order.dangerous else 0))
    counts, points, dx, dy = ffi.NULL, b"", 0, 0
    if isinstance(wish, Shift):
        dx, dy = wish.dx, wish.dy
    elif isinstance(wish, March):
        counts, points = wish.counts, wish.points
    counted = len(counts) if isinstance(wish, March) else 0
    m = lib.judge_march(
        *scene_args(scene), *order_args(order), counts, counted, points, len(points) // 12, dx, dy, out
    )
    if m == -2:
        raise MemoryError
    if m < 0:
        return _unfit(scene, order)
    code, slot, what, longest, difficult, was_coherent, coherent, dangerous = out[0:8]
    raw = ffi.buffer(out)
    pairs = 8 + 2 * n + (n + 1) // 2
    return Verdict(
        code,
        slot,
        what,
        longest,
        bool(difficult),
        tuple((out[pairs + 2 * k], out[pairs + 2 * k + 1]) for k in range(dangerous)),
        bool(was_coherent),
        bool(coherent),
        raw[32 : 32 + 8 * m],
        raw[32 + 8 * n : 32 + 8 * n + 2 * m],
    )


def _judge_plain(scene: Scene, order: Order, wish: Wish) -> Verdict:
    slots = Slots(scene)
    members = plain_paths.members_of(slots, order.unit)
    if isinstance(wish, Shift) and (wish.dx or wish.dy):
        for m in members:
            m.path = [(m.x + wish.dx, m.y + wish.dy, -1)]
    elif isinstance(wish, March):
        if len(wish.counts) != len(members) or sum(wish.counts) * 12 != len(wish.points):
            return _unfit(scene, order)
        poses = iter(list(struct.iter_unpack("<3i", wish.points)))
        for m, count in zip(members, wish.counts, strict=True):
            m.path = [next(poses) for _ in range(count)]
    r = plain_paths.judge_members(slots, order, members)
    ends = struct.pack(f"<{2 * len(members)}i", *(c for m in members for c in m.to[:2]))
    facings = struct.pack(f"<{len(members)}h", *(m.to[2] for m in members))
    return Verdict(
        r.code,
        r.slot,
        r.what,
        r.longest,
        r.difficult,
        tuple(r.pairs),
        r.was_coherent,
        r.coherent,
        ends,
        facings,
    )


def judge(scene: Scene, order: Order, wish: Wish) -> Verdict:
    """Judge a wish: whether it is legal, why not, and the facts that play goes on with."""
    if kernels.COMPILED:
        return _judge_compiled(scene, order, wish)
    return _judge_plain(scene, order, wish)


def slide(scene: Scene, order: Order, dx: int, dy: int) -> Wish:
    """The unit shifted along a vector as far as it is legal; a stay where it cannot go at all."""
    if kernels.COMPILED:
        out = kernels.ffi.new("int32_t[2]")
        far = kernels.lib.slide_shift(*scene_args(scene), *order_args(order), dx, dy, out)
        if far == -2:
            raise MemoryError
        sx, sy = out[0], out[1]
    else:
        far, sx, sy = plain_paths.slide_shift(scene, order, dx, dy)
    if far <= 0:
        return Stay()
    wish = Shift(sx, sy)
    return wish if judge(scene, order, wish).legal else Stay()
