"""Witnesses of melee: into contact, piling in, and standing clear again."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from rolloff.geometry.driving import charge
from rolloff.geometry.field import Scene
from rolloff.geometry.judging import judge, settled, slots_of, target_gaps
from rolloff.geometry.marching import alone, positions, variants
from rolloff.geometry.moves import March, Order, Pose, Stay, Wish
from rolloff.geometry.plain_search import Spot
from rolloff.geometry.plain_settle import AVOID, AWAY, COHERENT, IN_TURN, LINKED, NOT_FURTHER, TO_POINT, TO_TARGETS
from rolloff.geometry.planning import find_way, settle

INCH = 1000
REAR = 3000
"""How far behind the first rank models may be asked to make room."""
TRIES = 3
"""How many models may lead an assault before it is given up."""


def _length(start: Spot, path: Sequence[Spot]) -> float:
    total, (x, y) = 0.0, start
    for px, py in path:
        total += sqrt((px - x) ** 2 + (py - y) ** 2)
        x, y = px, py
    return total


def _shapes(scene: Scene, slots: Sequence[int]) -> list[list[int]]:
    """Slots sorted by shape: round bases of one size together, others each for itself."""
    bases = scene.field.bases
    groups: dict[tuple[int, ...], list[int]] = {}
    for slot in slots:
        base = bases[slot]
        key = (base.r,) if not (base.hl or base.hw) else (base.r, slot)
        groups.setdefault(key, []).append(slot)
    return list(groups.values())


def _lead(scene: Scene, order: Order, slots: Sequence[int], most: int, avoid: bool) -> tuple[int, list[Spot]] | None:
    """The model with the shortest way into contact, and that way."""
    best: tuple[float, int, list[Spot]] | None = None
    for group in _shapes(scene, slots):
        found = find_way(scene, order, group, (), True, most, avoid)
        if found is not None:
            far = _length(positions(scene, (found[0],))[0], found[1])
            if best is None or far < best[0]:
                best = (far, *found)
    return None if best is None else best[1:]


def reachable_contact(scene: Scene, order: Order) -> tuple[int, tuple[Pose, ...]] | None:
    """Some model's lawful way into contact with the order's targets: its slot and its poses; None without one."""
    if order.hull is not None:
        march = charge(scene, order)
        slots = slots_of(scene, order.unit)
        return None if march is None else (slots[0], tuple(march.paths(slots)[slots[0]]))
    slots, lone = slots_of(scene, order.unit), alone(order)
    for most, avoid in variants(scene, order):
        found = _lead(scene, order, slots, most, avoid)
        if found and judge(scene, lone, March.of(slots, {found[0]: found[1]})).legal:
            return found[0], tuple((x, y, -1) for x, y in found[1])
    return None


def _behind(
    scene: Scene, order: Order, slots: Sequence[int], lead: int, path: list[Spot], most: int, avoid: bool
) -> March | None:
    """The unit after its lead model: in contact, or as near to the targets as everyone can get."""
    gaps = target_gaps(scene, order)
    first = slots.index(lead)
    turns = sorted((i for i in range(len(slots)) if i != first), key=lambda i: (gaps[i], i))
    rules = LINKED | (AVOID if avoid else 0) | (NOT_FURTHER if order.closing else 0)
    end = path[-1] if path else positions(scene, (lead,))[0]
    done, ways = settle(scene, order, TO_TARGETS, rules, most, turns, [(first, *end)])
    if not done:
        return None
    return March.of(slots, {**{slot: ways[i] for i, slot in enumerate(slots)}, lead: path})


def _in_step(
    scene: Scene, order: Order, slots: Sequence[int], lead: int, path: list[Spot], most: int, avoid: bool
) -> March | None:
    """The unit in formation with its lead model; then whoever can goes nearer without breaking coherency."""
    if not path:
        return None
    starts, first = positions(scene, slots), slots.index(lead)
    (sx, sy), (ex, ey) = starts[first], path[-1]
    wishes = [(x + ex - sx, y + ey - sy) for x, y in starts]
    turns = sorted((i for i in range(len(slots)) if i != first), key=lambda i: _apart(starts[i], starts[first], i))
    rules = (AVOID if avoid else 0) | (NOT_FURTHER if order.closing else 0)
    done, ways = settle(scene, order, TO_POINT, rules | LINKED, most, turns, [(first, ex, ey)], wishes)
    if not done:
        return None
    plain = March.of(slots, {**{slot: ways[i] for i, slot in enumerate(slots)}, lead: path})
    if not judge(scene, order, plain).legal:
        return None
    ends = [(i, *(ways[i][-1] if ways[i] else starts[i])) for i in range(len(slots)) if i != first]
    gaps = target_gaps(scene, order)
    turns.sort(key=lambda i: (gaps[i], i))
    rules |= IN_TURN | COHERENT
    done, ways = settle(scene, order, TO_TARGETS, rules, most, turns, [(first, ex, ey), *ends])
    near = March.of(slots, {**{slot: ways[i] for i, slot in enumerate(slots)}, lead: path})
    return near if done and judge(scene, order, near).legal else plain


def _apart(a: Spot, b: Spot, number: int) -> tuple[int, int]:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2, number


def engage(scene: Scene, order: Order) -> March | None:
    """The unit into contact with the order's targets; None if no way was found that keeps it coherent."""
    if order.hull is not None:
        return charge(scene, order)
    slots = slots_of(scene, order.unit)
    for most, avoid in variants(scene, order):
        leads = list(slots)
        for _ in range(TRIES):
            found = _lead(scene, order, leads, most, avoid) if leads else None
            if found is None:
                break
            march = _behind(scene, order, slots, *found, most, avoid)
            if march is not None and judge(scene, order, march).legal:
                return march
            march = _in_step(scene, order, slots, *found, most, avoid)
            if march is not None:
                return march
            leads.remove(found[0])
    return None


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
    return _lawful(scene, order, slots, ways)


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
