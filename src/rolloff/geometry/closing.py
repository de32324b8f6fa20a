"""Witnesses of melee: into contact, piling in, and standing clear again."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from msgspec.structs import replace

from rolloff.geometry import kernels
from rolloff.geometry.driving import charge
from rolloff.geometry.field import Scene
from rolloff.geometry.judging import judge, settled, target_gaps
from rolloff.geometry.marching import alone, positions, variants
from rolloff.geometry.measure import slots_of
from rolloff.geometry.moves import STAY, TOUCH, March, Order, Pose, Verdict, Wish
from rolloff.geometry.packing import order_args, scene_args
from rolloff.geometry.place import standing
from rolloff.geometry.plain.around import Spot
from rolloff.geometry.plain.search import MOST_LEGS
from rolloff.geometry.plain.settle import AWAY, COHERENT, IN_TURN, LINKED, MOST_POINTS, NOT_FURTHER, TO_TARGETS
from rolloff.geometry.plain.storm import lead_of, storm
from rolloff.geometry.planning import settle

INCH = 1000
REAR = 3000
"""How far behind the first rank models may be asked to make room."""
NEAR_ENOUGH = 250
"""How much nearer a model must be able to end before it is said to have stayed away."""


def reachable_contact(scene: Scene, order: Order) -> tuple[int, tuple[Pose, ...]] | None:
    """Some model's lawful way into contact with the order's targets: its slot and its poses; None without one."""
    if order.hull is not None:
        march = charge(scene, order)
        slots = slots_of(scene, order.unit)
        return None if march is None else (slots[0], tuple(march.paths(slots)[slots[0]]))
    slots, lone = slots_of(scene, order.unit), alone(order)
    for k, (most, avoid) in enumerate(variants(scene, order)):
        found = lead_of(scene, order, slots, most, avoid)
        if found is None:
            if k == 0:
                return None  # to mind difficult ground as well is no easier
            continue
        if judge(scene, lone, March.of(slots, {found[0]: found[1]})).legal:
            return found[0], tuple((x, y, -1) for x, y in found[1])
    return None


def storm_compiled(scene: Scene, order: Order) -> March | None:
    """The compiled assault."""
    slots, row = slots_of(scene, order.unit), 1 + 2 * MOST_LEGS
    out = kernels.ffi.new("int32_t[]", len(slots) * row)
    done = kernels.lib.storm_unit(*scene_args(scene), *order_args(order), out)
    if done == -2:
        raise MemoryError
    if done != 1:
        return None
    paths = {}
    for i, slot in enumerate(slots):
        first = i * row + 1
        paths[slot] = [(out[first + 2 * k], out[first + 2 * k + 1]) for k in range(out[first - 1])]
    return March.of(slots, paths)


def engage(scene: Scene, order: Order) -> March | None:
    """The unit into contact with the order's targets; None if no way was found that keeps it coherent."""
    if order.hull is not None:
        return charge(scene, order)
    return storm_compiled(scene, order) if kernels.COMPILED else storm(scene, order)


def pile_in(scene: Scene, order: Order) -> Wish:
    """Models not in contact go toward the order's targets, in turn, nearest first; those in contact stand.

    Whoever can still close up once the others stand where they end does so.
    """
    compiled = kernels.COMPILED and not (order.further or order.arranged)
    return pile_in_compiled(scene, order) if compiled else pile_in_plain(scene, order)


def pile_in_compiled(scene: Scene, order: Order) -> Wish:
    """The compiled pile-in."""
    ffi, slots = kernels.ffi, slots_of(scene, order.unit)
    counts, points = ffi.new("char[]", len(slots) + 1), ffi.new("int32_t[]", 3 * MOST_POINTS * len(slots) + 1)
    still = order.still
    going = kernels.lib.pile_in_unit(*scene_args(scene), *order_args(order), still, len(still), counts, points)
    if going == -2:
        raise MemoryError
    return March(ffi.buffer(counts)[: len(slots)], ffi.buffer(points)[: 12 * going]) if going else STAY


def pile_in_plain(scene: Scene, order: Order) -> Wish:
    """The same step by step: the twin of `csrc/paths_tighten.c`, which asks the planners of whichever twin is in use."""
    slots = slots_of(scene, order.unit)
    gaps, starts = target_gaps(scene, order), positions(scene, slots)
    contact = contact_of(order)
    turns = sorted((i for i, gap in enumerate(gaps) if gap > contact), key=lambda i: (gaps[i], i))
    turns = [i for i in turns if slots[i] not in order.still]
    if not turns:
        return STAY
    fixed = [(i, *starts[i]) for i in range(len(slots)) if i not in turns]
    coherent = COHERENT if judge(scene, order, STAY).coherent else 0
    _, ways = settle(scene, order, TO_TARGETS, IN_TURN | NOT_FURTHER | coherent, order.allowance, turns, fixed)
    stepwise = _lawful(scene, order, slots, ways)
    if not coherent:
        return _closed_up(scene, order, stepwise, gaps)
    # Step by step a model waits for those behind it; all at once each keeps to those set down before it.
    done, ways = settle(scene, order, TO_TARGETS, LINKED | NOT_FURTHER, order.allowance, turns, fixed)
    at_once = _lawful(scene, order, slots, ways) if done else stepwise
    if at_once != stepwise:
        stepwise = min(stepwise, at_once, key=lambda wish: _still_apart(scene, order, wish))
    return _closed_up(scene, order, stepwise, gaps)


def contact_of(order: Order) -> float:
    """The gap at which a model counts as in contact."""
    return float(order.reach if order.reach >= 0 else order.leeway.contact)


def _closed_up(scene: Scene, order: Order, wish: Wish, before: list[float]) -> Wish:
    """The same move with those who can still close up closer, one at a time; ``before`` are their `target_gaps`."""
    slots = slots_of(scene, order.unit)
    for _ in range(2 * len(slots)):
        found = laggard(scene, order, judge(scene, order, wish), before)
        if found is None:
            return wish
        paths: dict[int, Sequence[tuple[int, ...]]] = {} if not isinstance(wish, March) else {**wish.paths(slots)}
        better = March.of(slots, {**paths, found[0]: found[1]})
        if not judge(scene, order, better).legal:
            return wish
        wish = better
    return wish


def laggard(scene: Scene, order: Order, verdict: Verdict, before: list[float] | None = None) -> tuple[int, list[Spot]] | None:
    """A model that could have closed up further while all others end where they do, with the way it could go.

    A little is forgiven: who moves models by hand cannot be exact. ``before`` are the `target_gaps` of whoever has them.
    """
    slots = slots_of(scene, order.unit)
    if before is None:
        before = target_gaps(scene, order)
    ends = list(struct.iter_unpack("<2i", verdict.ends))
    after, contact = target_gaps(settled(scene, order.unit, verdict), order), contact_of(order)
    rules = IN_TURN | NOT_FURTHER | (COHERENT if verdict.coherent else 0)
    for i, slot in enumerate(slots):
        if before[i] <= contact or after[i] <= contact or slot in order.still:
            continue
        fixed = [(k, *end) for k, end in enumerate(ends) if k != i]
        _, ways = settle(scene, order, TO_TARGETS, rules, order.allowance, [i], fixed)
        if not ways[i]:
            continue
        alone = standing(scene, (slot,), struct.pack("<2i", *ways[i][-1]))
        gap = target_gaps(alone, order)[i]
        if gap < after[i] - NEAR_ENOUGH:
            return slot, ways[i]
    return None


def _still_apart(scene: Scene, order: Order, wish: Wish) -> tuple[bool, float]:
    """Whether a move scatters the unit, and how far from the targets its models end, all told."""
    verdict, apart = judge(scene, order, wish), 0.0
    for gap in target_gaps(settled(scene, order.unit, verdict), order):
        apart += gap  # one after the other, as the compiled twin adds; `sum` need not
    return not verdict.coherent, apart


def separate(scene: Scene, order: Order) -> Wish:
    """Each model straight away from the order's targets until it stands an inch clear of them, the rear first.

    Where those behind are in the way of those in front, they step back as well. Whoever is clear of the targets
    but not of other enemies steps clear of those.
    """
    slots, gaps = slots_of(scene, order.unit), target_gaps(scene, order)
    gaps = [float(INCH) if slot in order.still else gap for slot, gap in zip(slots, gaps, strict=True)]
    best: tuple[float, Wish] | None = None
    for behind in (False, True) if min(gaps, default=INCH) < INCH else ():
        wish = _stepped_back(scene, order, slots, gaps, behind)
        after = settled(scene, order.unit, judge(scene, order, wish))
        close = sum(max(0.0, INCH - gap) for gap in target_gaps(after, order))
        if best is None or close < best[0]:
            best = (close, wish)
        if close == 0.0:
            break
    return _stepped_aside(scene, order, slots, best[1] if best else STAY)


def _stepped_aside(scene: Scene, order: Order, slots: Sequence[int], wish: Wish) -> Wish:
    """The same move, and whoever had no part in it steps clear of enemies that are no targets."""
    side = scene.sides[order.unit]
    enemies = [k for k, other in enumerate(scene.sides) if other != side and k not in order.targets]
    others = tuple(k for k in enemies if min(target_gaps(scene, replace(order, targets=(k,))), default=INCH) < INCH)
    if not others:
        return wish
    paths = wish.paths(slots) if isinstance(wish, March) else {}
    codes = dict(enumerate(struct.unpack(f"<{len(order.end) // 4}i", order.end)))
    codes |= {**dict.fromkeys(order.targets, INCH), **dict.fromkeys(others, TOUCH)}
    aside = replace(order, targets=others, end=struct.pack(f"<{len(codes)}i", *codes.values()))
    near = target_gaps(scene, aside)
    turns = [i for i, slot in enumerate(slots) if near[i] < INCH and not paths.get(slot) and slot not in order.still]
    ends = list(struct.iter_unpack("<2i", judge(scene, order, wish).ends))
    fixed = [(i, *ends[i]) for i in range(len(slots)) if i not in turns]
    _, ways = settle(scene, aside, AWAY, IN_TURN, order.allowance, turns, fixed, [(INCH, 0)] * len(slots))
    for i in turns:
        if ways[i]:
            further = March.of(slots, {**paths, slots[i]: ways[i]})
            if judge(scene, order, further).legal:
                paths = further.paths(slots)
    return March.of(slots, paths) if any(paths.values()) else wish


def _stepped_back(scene: Scene, order: Order, slots: Sequence[int], gaps: list[float], behind: bool) -> Wish:
    """Models within an inch of the targets clear of them; with `behind` those in the second rank as well."""
    starts = positions(scene, slots)
    most = INCH + REAR if behind else INCH
    free = [i for i, slot in enumerate(slots) if slot not in order.still]
    turns = sorted((i for i in free if gaps[i] < most), key=lambda i: (-gaps[i], i))
    clear = [(int(gap) + order.allowance if behind and gap > 0.0 else INCH, 0) for gap in gaps]
    fixed = [(i, *starts[i]) for i in range(len(slots)) if i not in turns]
    _, ways = settle(scene, order, AWAY, IN_TURN, order.allowance, turns, fixed, clear)
    return _lawful(scene, order, slots, ways)


def _lawful(scene: Scene, order: Order, slots: Sequence[int], ways: list[list[Spot]]) -> Wish:
    """The ways as a march, without those the judge refuses."""
    paths = {slot: ways[i] for i, slot in enumerate(slots) if ways[i]}
    while paths:
        march = March.of(slots, paths)
        verdict = judge(scene, order, march)
        if verdict.legal:
            return march
        if verdict.slot not in paths:
            return STAY
        del paths[verdict.slot]
    return STAY
