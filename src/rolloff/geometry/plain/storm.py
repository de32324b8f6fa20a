"""A whole assault in plain Python: a lead model into contact, everyone else after it. The twin of `csrc/paths_storm.c`.

It asks the planners of whichever twin is in use, so that both may be set against each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Final

from rolloff.geometry.field import Scene
from rolloff.geometry.judging import judge, target_gaps
from rolloff.geometry.marching import positions, variants
from rolloff.geometry.measure import slots_of
from rolloff.geometry.moves import Code, March, Order
from rolloff.geometry.plain.around import Spot
from rolloff.geometry.plain.settle import AVOID, COHERENT, IN_TURN, LINKED, NOT_FURTHER, TO_POINT, TO_TARGETS
from rolloff.geometry.planning import find_way, settle

TRIES: Final = 3
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


def lead_of(scene: Scene, order: Order, slots: Sequence[int], most: int, avoid: bool) -> tuple[int, list[Spot]] | None:
    """The model with the shortest way into contact, and that way."""
    best: tuple[float, int, list[Spot]] | None = None
    for group in _shapes(scene, slots):
        found = find_way(scene, order, group, (), True, most, avoid)
        if found is not None:
            far = _length(positions(scene, (found[0],))[0], found[1])
            if best is None or far < best[0]:
                best = (far, *found)
    return None if best is None else best[1:]


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


class _Judged:
    """What the judge said of the proposals so far: whether difficult ground made one of them too long."""

    def __init__(self, scene: Scene, order: Order) -> None:
        self.scene, self.order, self.stopped = scene, order, False

    def legal(self, march: March) -> bool:
        """Whether the judge lets a proposal pass."""
        code = judge(self.scene, self.order, march).code
        self.stopped = self.stopped or code == Code.TOO_LONG
        return code == Code.LEGAL


def _in_step(
    scene: Scene, order: Order, slots: Sequence[int], lead: int, path: list[Spot], most: int, avoid: bool, said: _Judged
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
    if not said.legal(plain):
        return None
    ends = [(i, *(ways[i][-1] if ways[i] else starts[i])) for i in range(len(slots)) if i != first]
    gaps = target_gaps(scene, order)
    turns.sort(key=lambda i: (gaps[i], i))
    rules |= IN_TURN | COHERENT
    done, ways = settle(scene, order, TO_TARGETS, rules, most, turns, [(first, ex, ey), *ends])
    near = March.of(slots, {**{slot: ways[i] for i, slot in enumerate(slots)}, lead: path})
    return near if done and said.legal(near) else plain


def _apart(a: Spot, b: Spot, number: int) -> tuple[int, int]:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2, number


def storm(scene: Scene, order: Order) -> March | None:
    """The unit into contact with the order's targets; None if no way was found that keeps it coherent.

    Difficult ground is minded only where it made a proposal too long: a way that keeps off it is a way without it.
    """
    slots, said = slots_of(scene, order.unit), _Judged(scene, order)
    for most, avoid in variants(scene, order):
        leads = list(slots)
        for _ in range(TRIES):
            found = lead_of(scene, order, leads, most, avoid) if leads else None
            if found is None:
                break
            march = _behind(scene, order, slots, *found, most, avoid)
            if march is not None and said.legal(march):
                return march
            march = _in_step(scene, order, slots, *found, most, avoid, said)
            if march is not None:
                return march
            leads.remove(found[0])
        if not said.stopped:
            return None
    return None
