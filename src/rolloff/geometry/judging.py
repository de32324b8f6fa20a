"""The judge of moves, in whichever twin is in use, and what follows from its verdicts."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from itertools import chain, compress
from typing import Any

from msgspec.structs import replace

from rolloff.geometry import kernels
from rolloff.geometry.field import Scene
from rolloff.geometry.measure import slots_of
from rolloff.geometry.moves import ANY, FREE, NEVER, STAY, Code, March, Order, Permit, Shift, Stay, Verdict, Wish
from rolloff.geometry.outlines import crossings
from rolloff.geometry.packing import kernel_args
from rolloff.geometry.place import standing
from rolloff.geometry.plain import members as plain_members
from rolloff.geometry.plain import paths as plain_paths
from rolloff.geometry.plain.around import Spot
from rolloff.geometry.plain.blocks import Slots
from rolloff.geometry.profiles import length_of
from rolloff.identity_cache import IdentityCache
from rolloff.lengths import NOWHERE


def settled(scene: Scene, unit: int, verdict: Verdict) -> Scene:
    """The scene once a unit stands where a verdict says; heights are left alone."""
    slots = slots_of(scene, unit)
    return standing(scene, slots, verdict.ends[: 8 * len(slots)], verdict.facings[: 2 * len(slots)])


def unfit() -> Verdict:
    """The verdict on a wish that does not fit the unit."""
    return Verdict(int(Code.NO_SUCH_MODEL), -1, -1, 0, False, (), False, False, b"", b"")


_facts = struct.Struct("<8i").unpack_from
"""What a verdict begins with, as `csrc/paths_judge.c` writes it."""


def judge_compiled(scene: Scene, order: Order, wish: Wish) -> Verdict:
    """The compiled judge."""
    ffi = kernels.ffi
    out = ffi.new("int32_t[]", verdict_room(scene, order))
    if isinstance(wish, March):
        counts, points = wish.counts, wish.points
        way = counts, len(counts), points, len(points) // 12, 0, 0
    else:
        way = (ffi.NULL, 0, b"", 0, wish.dx, wish.dy) if isinstance(wish, Shift) else (ffi.NULL, 0, b"", 0, 0, 0)
    m = kernels.lib.judge_march(*kernel_args(scene, order), *way, out)
    return _unjudged(m) if m < 0 else _verdict(out, scene.field.n, m)


def verdict_room(scene: Scene, order: Order) -> int:
    """How many numbers a verdict takes."""
    n = scene.field.n
    room = 8 + 2 * n + (n + 1) // 2
    return room + 2 * n * scene.field.ground.count(order.dangerous) if order.dangerous else room


def _verdict(out: Any, n: int, m: int) -> Verdict:
    """A verdict on `m` models of `n` on the table, as `csrc/paths_judge.c` writes it."""
    raw = kernels.ffi.buffer(out)
    code, slot, what, longest, difficult, was_coherent, coherent, dangerous = _facts(raw)
    touched: tuple[tuple[int, int], ...] = ()
    if dangerous:
        pairs = 8 + 2 * n + (n + 1) // 2
        touched = tuple([(out[k], out[k + 1]) for k in range(pairs, pairs + 2 * dangerous, 2)])
    ends, turns = raw[32 : 32 + 8 * m], raw[32 + 8 * n : 32 + 8 * n + 2 * m]
    return Verdict(code, slot, what, longest, difficult != 0, touched, was_coherent != 0, coherent != 0, ends, turns)


def slide_compiled(scene: Scene, order: Order, dx: int, dy: int) -> Wish:
    """The compiled search for the longest lawful part of a shift, which asks the judge as well; his word is kept."""
    room = verdict_room(scene, order)
    out = kernels.ffi.new("int32_t[]", room + 2)
    m = kernels.lib.slide_judged(*kernel_args(scene, order), dx, dy, room, out)
    if m <= 0:
        if m == -2:
            raise MemoryError
        return STAY
    wish, verdict = Shift(out[room], out[room + 1]), _verdict(out, scene.field.n, m)
    _judged.put(wish, (scene, order, verdict))
    return STAY if verdict.code else wish


def _unjudged(answer: int) -> Verdict:
    """The verdict where the kernel could not judge: a wish that does not fit, or no memory."""
    if answer == -2:
        raise MemoryError
    return unfit()


def judge_plain(scene: Scene, order: Order, wish: Wish) -> Verdict:
    """The plain judge."""
    slots = Slots(scene)
    members = plain_members.members_of(slots, order.unit)
    if isinstance(wish, Shift) and (wish.dx or wish.dy):
        for m in members:
            m.path = [(m.x + wish.dx, m.y + wish.dy, -1)]
    elif isinstance(wish, March):
        if len(wish.counts) != len(members) or sum(wish.counts) * 12 != len(wish.points):
            return unfit()
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


def _judge_swept(scene: Scene, order: Order, wish: Wish) -> Verdict:
    """Judge a wish by what bases sweep over."""
    return judge_compiled(scene, order, wish) if kernels.COMPILED else judge_plain(scene, order, wish)


_judged: IdentityCache[Wish, tuple[Scene, Order, Verdict]] = IdentityCache(32)
"""Wishes judged lately, each with the scene and the order: who proposes a way judges it, and so does who carries it out."""


def judge(scene: Scene, order: Order, wish: Wish) -> Verdict:
    """Judge a wish of a unit on the table: whether it is legal, why not, and the facts that play goes on with."""
    known = _judged.seek(id(wish))
    if known is not None:
        its_scene, its_order, verdict = known[1]
        if its_scene is scene and its_order is order:
            return verdict
    verdict = _judge(scene, order, wish)
    _judged.put(wish, (scene, order, verdict))
    return verdict


def _judge(scene: Scene, order: Order, wish: Wish) -> Verdict:
    if order.still:
        stuck = _stuck(scene, order, wish)
        if stuck >= 0:
            return replace(unfit(), code=int(Code.STUCK), slot=stuck)
    if order.further:
        return _judge_apart(scene, order, wish)
    if order.permits:
        return _judge_permitted(scene, order, wish)
    if order.arranged:
        return _judge_arranged(scene, order, wish)
    return judge_compiled(scene, order, wish) if kernels.COMPILED else judge_plain(scene, order, wish)


def first_step(scene: Scene, order: Order, slot: int, spots: Sequence[Spot]) -> int | None:
    """Which of some spots is the first that a model may go to straight while all others of its unit stand; None without one."""
    slots = slots_of(scene, order.unit)
    if kernels.COMPILED and not (order.still or order.further or order.permits or order.arranged):
        return _first_step_compiled(scene, order, slots, slot, spots)
    steps = enumerate(March.of(slots, {slot: [spot]}) for spot in spots)
    return next((k for k, step in steps if _judge(scene, order, step).legal), None)


def _first_step_compiled(scene: Scene, order: Order, slots: Sequence[int], slot: int, spots: Sequence[Spot]) -> int | None:
    packed = struct.pack(f"<{2 * len(spots)}i", *chain.from_iterable(spots))
    found = kernels.lib.first_step(*kernel_args(scene, order), slots.index(slot), packed, len(spots))
    if found == -2:
        raise MemoryError
    return found if found >= 0 else None


def _judge_apart(scene: Scene, order: Order, wish: Wish) -> Verdict:
    """Judge a unit of which some may go further than others: as far as the farthest, then every model by itself."""
    most = max(more for _, more in order.further)
    verdict = _judge(scene, replace(order, allowance=order.allowance + most, further=()), wish)
    if not verdict.legal or isinstance(wish, Stay):
        return verdict
    if verdict.longest < order.allowance and not order.arranged:
        return verdict  # nobody goes further than everybody may
    slots = slots_of(scene, order.unit)
    ways = wish.paths(slots) if isinstance(wish, March) else {}
    for k, slot in enumerate(slots):
        start: Spot = struct.unpack_from("<2i", scene.xy, 8 * slot)
        end: Spot = struct.unpack_from("<2i", verdict.ends, 8 * k)
        path = [start, *((x, y) for x, y, _ in ways[slot])] if ways else [start, end]
        if length_of(path) > order.allowed(slot) + order.leeway.move:
            return replace(verdict, code=int(Code.TOO_LONG), slot=slot, what=order.allowed(slot))
    return verdict


def _judge_permitted(scene: Scene, order: Order, wish: Wish) -> Verdict:
    """Judge a unit of which some may pass what others may not: if all may not, where it ends, and then the way of each part."""
    verdict = _judge(scene, replace(order, permits=()), wish)
    if verdict.code not in (Code.GAP_UNIT, Code.IMPASSABLE):
        return verdict
    free = struct.pack("<i", FREE) * (len(order.way) // 4)
    whole = _judge(scene, replace(order, way=free, barred=b"", impassable=0, permits=()), wish)
    if not whole.legal:
        return whole
    slots, named = slots_of(scene, order.unit), {slot for permit in order.permits for slot in permit.slots}
    rest = Permit(tuple([slot for slot in slots if slot not in named]), order.way, order.barred)
    for permit in (rest, *order.permits):
        some = [slot for slot in slots if slot in permit.slots]
        part = _judge_part(scene, order, wish, slots, some, permit) if some else whole
        if not part.legal:
            return replace(whole, code=part.code, slot=part.slot, what=part.what)
    return whole


def _judge_part(scene: Scene, order: Order, wish: Wish, slots: Sequence[int], some: Sequence[int], permit: Permit) -> Verdict:
    """Judge the ways of some models of a unit by what these may pass; how the whole unit ends is seen to apart."""
    places = bytearray(scene.xy)
    for slot in (*permit.over, *[slot for slot in slots if slot not in some]):
        struct.pack_into("<2i", places, 8 * slot, NOWHERE, 0)
    if isinstance(wish, March):
        wish = March.of(some, wish.paths(slots))
    alone = replace(
        order, way=permit.way, barred=permit.barred, permits=(), cohere=NEVER, contact=False, closing=ANY, targets=()
    )
    return _judge(replace(scene, xy=bytes(places)), alone, wish)


def _stuck(scene: Scene, order: Order, wish: Wish) -> int:
    """The first model that should stand still and would not; -1 without one."""
    if isinstance(wish, Stay):
        return -1
    slots, still = slots_of(scene, order.unit), order.still
    if isinstance(wish, Shift) and (wish.dx or wish.dy):
        return next((slot for slot in slots if slot in still), -1)
    if not isinstance(wish, March) or len(wish.counts) != len(slots) or sum(wish.counts) * 12 != len(wish.points):
        return -1
    held = [slot for slot in compress(slots, wish.counts) if slot in still]
    paths = wish.paths(slots) if held else {}
    for slot in held:
        x, y = struct.unpack_from("<2i", scene.xy, 8 * slot)
        facing = struct.unpack_from("<h", scene.facing, 2 * slot)[0]
        if any((px, py) != (x, y) or turn not in (-1, facing) for px, py, turn in paths[slot]):
            return slot
    return -1


def _judge_arranged(scene: Scene, order: Order, wish: Wish) -> Verdict:
    """Judge a move of which only the leader's path counts: terrain acts where its centre crosses an outline."""
    bare = _judge_swept(scene, replace(order, difficult=0, dangerous=0), wish)
    slots = slots_of(scene, order.unit)
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


def target_gaps(scene: Scene, order: Order) -> list[float]:
    """The gap of each model of the unit, ascending by slot, to the nearest model of the order's targets."""
    if not kernels.COMPILED:
        return plain_members.target_gaps(scene, order)
    out = kernels.ffi.new("double[]", scene.field.n)
    count = kernels.lib.target_gaps(*kernel_args(scene, order), out)
    if count == -2:
        raise MemoryError
    found: list[float] = kernels.ffi.unpack(out, count) if count else []
    return found
