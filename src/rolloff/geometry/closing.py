"""Witnesses of melee: into contact, piling in, and standing clear again."""

from __future__ import annotations

from collections.abc import Sequence

from rolloff.geometry import kernels
from rolloff.geometry.driving import charge
from rolloff.geometry.field import Scene
from rolloff.geometry.judging import judge, settled, target_gaps
from rolloff.geometry.marching import alone, positions, variants
from rolloff.geometry.measure import slots_of
from rolloff.geometry.moves import March, Order, Pose, Stay, Wish
from rolloff.geometry.packing import order_args, scene_args
from rolloff.geometry.plain_around import Spot
from rolloff.geometry.plain_search import MOST_LEGS
from rolloff.geometry.plain_settle import AWAY, COHERENT, IN_TURN, LINKED, NOT_FURTHER, TO_TARGETS
from rolloff.geometry.plain_storm import lead_of, storm
from rolloff.geometry.planning import settle

INCH = 1000
REAR = 3000
"""How far behind the first rank models may be asked to make room."""


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
    """Models not in contact go toward the order's targets, in turn, nearest first; those in contact stand."""
    slots = slots_of(scene, order.unit)
    gaps, starts = target_gaps(scene, order), positions(scene, slots)
    contact = float(order.reach if order.reach >= 0 else order.leeway.contact)
    turns = sorted((i for i, gap in enumerate(gaps) if gap > contact), key=lambda i: (gaps[i], i))
    if not turns:
        return Stay()
    fixed = [(i, *starts[i]) for i in range(len(slots)) if i not in turns]
    coherent = COHERENT if judge(scene, order, Stay()).coherent else 0
    _, ways = settle(scene, order, TO_TARGETS, IN_TURN | NOT_FURTHER | coherent, order.allowance, turns, fixed)
    stepwise = _lawful(scene, order, slots, ways)
    if not coherent:
        return stepwise
    # Step by step a model waits for those behind it; all at once each keeps to those set down before it.
    done, ways = settle(scene, order, TO_TARGETS, LINKED | NOT_FURTHER, order.allowance, turns, fixed)
    at_once = _lawful(scene, order, slots, ways) if done else stepwise
    return min(stepwise, at_once, key=lambda wish: _still_apart(scene, order, wish))


def _still_apart(scene: Scene, order: Order, wish: Wish) -> tuple[bool, float]:
    """Whether a move scatters the unit, and how far from the targets its models end, all told."""
    verdict = judge(scene, order, wish)
    return not verdict.coherent, sum(target_gaps(settled(scene, order.unit, verdict), order))


def separate(scene: Scene, order: Order) -> Wish:
    """Each model straight away from the order's targets until it stands an inch clear of them, the rear first.

    Where those behind are in the way of those in front, they step back as well.
    """
    slots, gaps = slots_of(scene, order.unit), target_gaps(scene, order)
    if min(gaps, default=INCH) >= INCH:
        return Stay()
    best: tuple[float, Wish] | None = None
    for behind in (False, True):
        wish = _stepped_back(scene, order, slots, gaps, behind)
        after = settled(scene, order.unit, judge(scene, order, wish))
        close = sum(max(0.0, INCH - gap) for gap in target_gaps(after, order))
        if best is None or close < best[0]:
            best = (close, wish)
        if close == 0.0:
            break
    return best[1] if best else Stay()


def _stepped_back(scene: Scene, order: Order, slots: Sequence[int], gaps: list[float], behind: bool) -> Wish:
    """Models within an inch of the targets clear of them; with `behind` those in the second rank as well."""
    starts = positions(scene, slots)
    most = INCH + REAR if behind else INCH
    turns = sorted((i for i, gap in enumerate(gaps) if gap < most), key=lambda i: (-gaps[i], i))
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
            return Stay()
        del paths[verdict.slot]
    return Stay()
