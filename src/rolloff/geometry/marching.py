"""Witnesses of ordinary moves: the unit shifted, led around obstacles, or brought back together."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from math import sqrt
from typing import Final

from msgspec.structs import replace

from rolloff.geometry import kernels
from rolloff.geometry.field import Scene
from rolloff.geometry.judging import judge, slide_compiled
from rolloff.geometry.measure import slots_of
from rolloff.geometry.moves import ALWAYS, ANY, NEVER, STAY, March, Order, Shift, Verdict, Wish
from rolloff.geometry.packing import kernel_args
from rolloff.geometry.plain import slide as plain_slide
from rolloff.geometry.plain.around import Spot
from rolloff.geometry.plain.blocks import Slots
from rolloff.geometry.plain.members import members_of, nearest_whole, pose_gap
from rolloff.geometry.plain.search import MOST_LEGS
from rolloff.geometry.plain.settle import AVOID, IN_TURN, LINKED, MOST_POINTS, TO_POINT
from rolloff.geometry.planning import find_way, settle
from rolloff.geometry.trig import COS, SIN

FAR = 400_000
"""Longer than any way on a table worth going."""


def slide(scene: Scene, order: Order, dx: int, dy: int) -> Wish:
    """The unit shifted along a vector as far as it is legal; a stay where it cannot go at all."""
    if order.still:
        return STAY
    if kernels.COMPILED and not (order.further or order.arranged):
        return slide_compiled(scene, order, dx, dy)
    far, sx, sy = (slide_shift if kernels.COMPILED else plain_slide.slide_shift)(scene, order, dx, dy)
    if far <= 0:
        return STAY
    wish = Shift(sx, sy)
    return wish if judge(scene, order, wish).legal else STAY


def slide_shift(scene: Scene, order: Order, dx: int, dy: int) -> tuple[int, int, int]:
    """The compiled search for the longest lawful part of a shift: its length and its vector."""
    out = kernels.ffi.new("int32_t[2]")
    far = kernels.lib.slide_shift(*kernel_args(scene, order), dx, dy, out)
    if far == -2:
        raise MemoryError
    return far, out[0], out[1]


def variants(scene: Scene, order: Order) -> Iterator[tuple[int, bool]]:
    """Ways to mind difficult ground: not at all, within its cap, or keeping off it."""
    yield order.allowance, False
    cap = order.difficult_cap
    if 0 <= cap < order.allowance and scene.field.ground.count(order.difficult):
        yield cap, False
        yield order.allowance, True


def positions(scene: Scene, slots: Sequence[int]) -> list[Spot]:
    """Where models stand."""
    spot, xy = _spot, scene.xy
    return [spot(xy, 8 * slot) for slot in slots]


_spot: Callable[[bytes, int], Spot] = struct.Struct("<2i").unpack_from


def alone(order: Order) -> Order:
    """The same order for one model that nobody has to follow."""
    return replace(order, cohere=NEVER, closing=ANY)


def route(scene: Scene, order: Order, slot: int, goals: Sequence[Spot]) -> tuple[Spot, ...] | None:
    """The shortest way of one model to one of some goals within the allowance, or None; its start is left out."""
    slots, lone = slots_of(scene, order.unit), replace(alone(order), contact=False)
    for most, avoid in variants(scene, order):
        found = find_way(scene, order, (slot,), goals, False, most, avoid)
        if found and judge(scene, lone, March.of(slots, {slot: found[1]})).legal:
            return tuple(found[1])
    return None


def cut_path(start: Spot, path: Sequence[Spot], most: float) -> list[Spot]:
    """The part of a path that `most` thou reach."""
    x, y = start
    kept: list[Spot] = []
    for px, py in path:
        dx, dy = float(px - x), float(py - y)
        size = sqrt(dx * dx + dy * dy)
        if size > most:
            if most >= 1.0:
                kept.append((x + nearest_whole(dx * most / size), y + nearest_whole(dy * most / size)))
            return kept
        kept.append((px, py))
        most -= size
        x, y = px, py
    return kept


_RINGS: Final = (
    (0, 0),
    *(
        (nearest_whole(far * (COS[turn] / 2**30)), nearest_whole(far * (SIN[turn] / 2**30)))
        for far in (500, 1000, 2000, 3000, 4500, 6000)
        for turn in range(0, 3600, 450)
    ),
)
"""A point, and rings of spots around it."""


def spots_near(x: int, y: int) -> list[Spot]:
    """A point and rings of spots around it."""
    return [(x + dx, y + dy) for dx, dy in _RINGS]


def _in_train(starts: Sequence[Spot], lead: int) -> list[int]:
    """Those who follow a lead model, by number: whoever stands nearest to it first."""
    sx, sy = starts[lead]
    far = [(x - sx) ** 2 + (y - sy) ** 2 for x, y in starts]
    return sorted([i for i in range(len(starts)) if i != lead], key=far.__getitem__)


def _followed(
    scene: Scene, order: Order, slots: Sequence[int], lead: int, path: Sequence[Spot], rules: int, most: int
) -> March | None:
    """Everyone after a lead model along its path: each wishes to keep its place in the formation."""
    starts = positions(scene, slots)
    (sx, sy), (ex, ey) = starts[lead], path[-1]
    dx, dy = ex - sx, ey - sy
    wishes = [(x + dx, y + dy) for x, y in starts]
    done, paths = settle(scene, order, TO_POINT, rules, most, _in_train(starts, lead), [(lead, ex, ey)], wishes)
    if not done:
        return None
    paths[lead] = list(path)
    return March.of(slots, dict(zip(slots, paths, strict=True)))


def _foremost(starts: Sequence[Spot], x: int, y: int) -> int:
    """The number of the model nearest to a point."""
    far = [(px - x) ** 2 + (py - y) ** 2 for px, py in starts]
    return far.index(min(far))


def _led(
    scene: Scene, order: Order, slots: Sequence[int], x: int, y: int, most: int, avoid: bool
) -> tuple[March, Verdict] | None:
    """The unit led by its foremost model around obstacles toward a point, and the judge's verdict."""
    compiled = kernels.COMPILED and not (order.still or order.further or order.arranged)
    march = (led_compiled if compiled else led_plain)(scene, order, slots, x, y, most, avoid)
    return None if march is None else (march, judge(scene, order, march))


def led_compiled(scene: Scene, order: Order, slots: Sequence[int], x: int, y: int, most: int, avoid: bool) -> March | None:
    """The compiled search for a way to lead a unit, which asks the judge as well."""
    ffi = kernels.ffi
    counts, points = ffi.new("char[]", len(slots)), ffi.new("int32_t[]", 3 * (len(slots) * MOST_POINTS + MOST_LEGS))
    poses = kernels.lib.train_unit(*kernel_args(scene, order), x, y, most, avoid, counts, points)
    if poses == -2:
        raise MemoryError
    return None if poses < 0 else March(ffi.buffer(counts)[:], ffi.buffer(points)[: 12 * poses])


def led_plain(scene: Scene, order: Order, slots: Sequence[int], x: int, y: int, most: int, avoid: bool) -> March | None:
    """The same step by step: the twin of `csrc/paths_train.c`, which asks the planners of whichever twin is in use."""
    starts = positions(scene, slots)
    lead = _foremost(starts, x, y)
    goals = spots_near(x, y)
    found = find_way(scene, order, (slots[lead],), goals[:17], False, FAR, avoid)
    found = found or find_way(scene, order, (slots[lead],), goals[17:], False, FAR, avoid)
    if found is None:
        return None
    rules = LINKED | (AVOID if avoid else 0)
    for share in (16, 14, 12, 8, 4):
        path = cut_path(starts[lead], found[1], float(most * share // 16))
        march = _followed(scene, order, slots, lead, path, rules, most) if path else None
        if march is not None and judge(scene, order, march).legal:
            return march
    return None


def _distance(verdict: Verdict, x: int, y: int) -> float:
    """How far from a point the unit's models are on average after a move."""
    ends = struct.iter_unpack("<2i", verdict.ends)
    far = [sqrt((px - x) ** 2 + (py - y) ** 2) for px, py in ends]
    return sum(far) / max(len(far), 1)


def _straight(scene: Scene, order: Order, slots: Sequence[int], x: int, y: int) -> March | None:
    """The unit led straight toward a point, as far as it may go: cheaper to try than a way round things."""
    starts = positions(scene, slots)
    lead = _foremost(starts, x, y)
    path = cut_path(starts[lead], [(x, y)], float(order.allowance))
    march = _followed(scene, order, slots, lead, path, LINKED, order.allowance) if path else None
    return march if march is not None and judge(scene, order, march).legal else None


def lead_to(scene: Scene, order: Order, x: int, y: int) -> March | None:
    """The unit led toward a point, if that is lawful at all: straight, or by the first way to mind difficult ground that is."""
    slots = slots_of(scene, order.unit)
    if not order.contact:
        march = _straight(scene, order, slots, x, y)
        if march is not None:
            return march
    for most, avoid in variants(scene, order):
        led = _led(scene, order, slots, x, y, most, avoid)
        if led is not None:
            return led[0]
    return None


def march_to(scene: Scene, order: Order, x: int, y: int) -> Wish:
    """A unit of models that turn freely, as near to a point as it can get with one move."""
    slots = slots_of(scene, order.unit)
    if not slots:
        return STAY
    xs, ys = zip(*positions(scene, slots), strict=True)
    cx, cy = sum(xs) // len(slots), sum(ys) // len(slots)
    best = slide(scene, order, x - cx, y - cy)
    if isinstance(best, Shift):
        far = sqrt(best.dx * best.dx + best.dy * best.dy)
        if far + 20.0 >= min(sqrt((x - cx) ** 2 + (y - cy) ** 2), float(order.allowance)):
            return best
    verdict = judge(scene, order, best)
    nearest = _distance(verdict, x, y) if verdict.legal else 1e18
    for most, avoid in variants(scene, order):
        led = _led(scene, order, slots, x, y, most, avoid)
        if led is None:
            continue
        away = _distance(led[1], x, y)
        if away < nearest:
            best, nearest = led[0], away
        if most == order.allowance and not avoid:
            break
    return best


def _groups(scene: Scene, order: Order) -> list[list[int]]:
    """The linked groups of a unit's models (by number in the unit), largest first."""
    slots = Slots(scene)
    members = members_of(slots, order.unit)
    link = float(order.coherency.link + order.leeway.gap)
    left, groups = list(range(len(members))), []
    while left:
        group = [left.pop(0)]
        for i in group:
            near = [j for j in left if pose_gap(members[i], members[i].start, members[j], members[j].start) <= link]
            group += near
            left = [j for j in left if j not in near]
        groups.append(sorted(group))
    return sorted(groups, key=lambda g: (-len(g), g))


def _gathered(
    scene: Scene, order: Order, slots: Sequence[int], fixed: list[tuple[int, int, int]], paths: dict[int, list[Spot]]
) -> March | None:
    """Everyone else set down around those that are fixed, wherever that is nearest."""
    starts = positions(scene, slots)
    held = {i for i, _, _ in fixed}

    def nearest(i: int) -> tuple[int, int, int]:
        x, y = starts[i]
        return min(((fx - x) ** 2 + (fy - y) ** 2, fx, fy) for _, fx, fy in fixed)

    wishes = [nearest(i)[1:] for i in range(len(slots))]
    turns = sorted((i for i in range(len(slots)) if i not in held), key=lambda i: (nearest(i)[0], i))
    for most, avoid in variants(scene, order):
        rules = LINKED | (AVOID if avoid else 0)
        done, ways = settle(scene, order, TO_POINT, rules, most, turns, fixed, wishes)
        if not done:
            continue
        march = March.of(slots, {**{slot: ways[i] for i, slot in enumerate(slots)}, **paths})
        if judge(scene, order, march).legal:
            return march
    return None


def regroup(scene: Scene, order: Order) -> Wish | None:
    """A move that ends coherent, however the unit began; None if none was found."""
    order = replace(order, cohere=ALWAYS)
    if judge(scene, order, STAY).legal:
        return STAY
    slots = slots_of(scene, order.unit)
    starts = positions(scene, slots)
    groups = _groups(scene, order)
    for group in groups:
        march = _gathered(scene, order, slots, [(i, *starts[i]) for i in group], {})
        if march is not None:
            return march
    return _meet_halfway(scene, order, slots, groups[0])


def _meet_halfway(scene: Scene, order: Order, slots: Sequence[int], group: Sequence[int]) -> March | None:
    """One model of the largest group goes toward the furthest stray; the rest gather around it."""
    starts = positions(scene, slots)
    for anchor in group[:4]:
        x, y = starts[anchor]
        fx, fy = max(starts, key=lambda p: (p[0] - x) ** 2 + (p[1] - y) ** 2)
        found = find_way(scene, order, (slots[anchor],), spots_near(fx, fy), False, FAR, False)
        for share in (0, 4, 8, 12, 16):
            path = cut_path((x, y), found[1], float(order.allowance * share // 16)) if found else []
            if share and not path:
                continue
            ex, ey = path[-1] if path else (x, y)
            march = _gathered(scene, order, slots, [(anchor, ex, ey)], {slots[anchor]: path})
            if march is not None:
                return march
    return None


def draw_in(scene: Scene, order: Order) -> Wish:
    """Each stray as near to its closest fellow as it can get; a stay if nobody can get nearer lawfully."""
    slots = slots_of(scene, order.unit)
    starts = positions(scene, slots)
    groups = _groups(scene, order)
    strays = [g[0] for g in groups if len(g) == 1] if len(groups) > 1 else []
    fixed = [(i, *starts[i]) for i in range(len(slots)) if i not in strays]
    wishes = []
    for i, (x, y) in enumerate(starts):
        others = [p for j, p in enumerate(starts) if j != i] or [(x, y)]
        wishes.append(min(others, key=lambda p: ((p[0] - x) ** 2 + (p[1] - y) ** 2, p)))
    for most, avoid in variants(scene, order):
        rules = IN_TURN | (AVOID if avoid else 0)
        _, ways = settle(scene, order, TO_POINT, rules, most, strays, fixed, wishes)
        march = March.of(slots, {slot: ways[i] for i, slot in enumerate(slots)})
        if judge(scene, order, march).legal:
            return march
    return STAY
