"""Witnesses of melee where base contact is not to be had: one model as near as will do and the others after it, or a chain.

Tried where nothing else was found, and only as far as a bound says that they could succeed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from math import sqrt

from rolloff.geometry.contacts import AROUND
from rolloff.geometry.field import Scene
from rolloff.geometry.judging import first_step, judge
from rolloff.geometry.marching import alone, positions
from rolloff.geometry.measure import slots_of, spots_around
from rolloff.geometry.moves import March, Order
from rolloff.geometry.plain.around import Spot
from rolloff.geometry.plain.settle import LINKED, NOT_FURTHER, TO_POINT, TO_TARGETS
from rolloff.geometry.planning import find_way, settle
from rolloff.geometry.spans import gaps_between
from rolloff.geometry.trig import FULL_TURN, turned

ROUNDED = 4
"""Thou that roundings of places may add up to."""
LEADING, ENDS, APART = 3, 6, 9
"""How many models are tried as the first, at how many places each, and how many places further on the next one is."""
BEHIND = 0, 450, 3150, 900, 2700
"""The angles by which those who follow keep off the straight way to whom they follow, in tenths of a degree."""
PAIRS = 4
"""Between how many pairs of enemies a chain is tried."""
BENT = tuple(sign * 150 * k % FULL_TURN for k in range(7) for sign in (1, -1))[1:]
"""The angles by which a chain leaves the straight line between two bases, the least first, in tenths of a degree."""


def _far(one: tuple[float, float], other: tuple[float, float]) -> float:
    """How far two points are apart: by products and a root, which are the same on every machine."""
    dx, dy = one[0] - other[0], one[1] - other[1]
    return sqrt(dx * dx + dy * dy)


def near_way(scene: Scene, order: Order) -> March | None:
    """A way to within reach of the order's targets: one model goes where it is near all of them, and the others follow it."""
    if order.reach < 0:
        return None
    slots, enemies = slots_of(scene, order.unit), slots_of(scene, order.targets[0])
    far = order.allowance + order.leeway.move
    near: list[tuple[float, int, list[int]]] = []
    for i, gaps in enumerate(gaps_between(scene, slots, enemies)):
        close = sorted([(gap, enemy) for gap, enemy in zip(gaps, enemies, strict=True) if gap <= far + order.reach])
        if close:
            near.append((close[0][0], i, [enemy for _, enemy in close[:PAIRS]]))
    for _, i, close_by in sorted(near)[:LEADING]:
        goals = _within(scene, order, slots[i], close_by, far)
        for path in _leads(scene, order, slots[i], goals) if goals else ():
            march = _filled(scene, order, slots, {i: path})
            if march is not None:
                return march
    return None


def _within(scene: Scene, order: Order, slot: int, enemies: Sequence[int], far: float) -> list[Spot]:
    """The places at which a model is within reach of one of some enemies and which it could get to, the nearest first."""
    reach = order.reach - ROUNDED
    return list(dict.fromkeys(spots_around(scene, slot, enemies, (reach // 2, reach, 0), far, AROUND)))


def _leads(scene: Scene, order: Order, slot: int, goals: Sequence[Spot]) -> Iterator[list[Spot]]:
    """Ways of one model to some of the goals: straight ones, and where there is none around what is in the way."""
    lone, first, tried, apart = alone(order), 0, 0, max(1, min(APART, len(goals) // ENDS))
    while tried < ENDS and first < len(goals):
        step = first_step(scene, lone, slot, goals[first:])
        if step is None:
            break
        yield [goals[first + step]]
        first, tried = first + step + apart, tried + 1
    if not tried:
        found = find_way(scene, lone, (slot,), goals, False, order.allowance, False)
        if found is not None and found[1]:
            yield found[1]


def _filled(scene: Scene, order: Order, slots: Sequence[int], paths: dict[int, list[Spot]]) -> March | None:
    """The way of a whole unit of which some models (by number) go as they do and the others join them; None without one.

    The others go as near to the targets as they can; else, where that leaves them no way, just so far that they are linked.
    """
    here, ends = positions(scene, slots), [(i, *path[-1]) for i, path in paths.items()]
    rest = [i for i in range(len(slots)) if i not in paths]
    near = sorted([min([((here[i][0] - x) ** 2 + (here[i][1] - y) ** 2, i, (x, y)) for _, x, y in ends]) for i in rest])
    link = order.coherency.link + 2 * _reaches(scene, slots)[0] - ROUNDED
    joins = ((TO_POINT, _behind(here, near, link, turn)) for turn in BEHIND)
    for aim, wishes in chain([(TO_TARGETS, ())], joins if rest else ()):
        turns = [i for _, i, _ in near]
        done, found = settle(scene, order, aim, LINKED | NOT_FURTHER, order.allowance, turns, ends, wishes)
        march = March.of(slots, {slots[i]: path for i, path in enumerate(found) if path} | {slots[i]: paths[i] for i in paths})
        verdict = judge(scene, order, march) if done else None
        if verdict is not None and verdict.legal and verdict.coherent:
            return march
    return None


def _behind(here: Sequence[Spot], near: Sequence[tuple[int, int, Spot]], link: float, turn: int) -> list[Spot]:
    """Where who follows would be just linked to whom he follows, straight on or aside; who is, a little nearer."""
    wishes = list(here)
    for _, i, (x, y) in near:
        far = _far(here[i], (x, y)) or 1.0
        short = min(link, far * 0.75) / far
        dx, dy = turned(round((here[i][0] - x) * short), round((here[i][1] - y) * short), turn)
        wishes[i] = x + dx, y + dy
    return wishes


# -- a chain between two targets -------------------------------------------------------------------


def chained_way(scene: Scene, order: Order) -> March | None:
    """A way to two targets at once: as many models as it takes stand in a row from one to the other."""
    if len(order.targets) != 2 or order.reach < 0:
        return None
    slots = slots_of(scene, order.unit)
    link = _link(scene, order, slots)
    one, other = (slots_of(scene, k) for k in order.targets)
    longest = len(slots) * 2 * _reaches(scene, slots)[1] + (len(slots) - 1) * order.coherency.link + 2 * order.reach
    rows = zip(one, gaps_between(scene, one, other), strict=True)
    pairs = sorted([(gap, a, b) for a, gaps in rows for b, gap in zip(other, gaps, strict=True) if gap <= longest])
    for _, a, b in pairs[:PAIRS]:
        for row in _rows(scene, order, slots, a, b, link):
            chosen = _matched(positions(scene, slots), row, order.allowance + order.leeway.move)
            march = _filled(scene, order, slots, chosen) if chosen is not None else None
            if march is not None:
                return march
    return None


def _reaches(scene: Scene, slots: Sequence[int]) -> tuple[int, int]:
    """How far bases reach from their middle at least and at most."""
    bases = [scene.field.bases[slot] for slot in slots]
    return min(base.r + min(base.hl, base.hw) for base in bases), max(base.r + max(base.hl, base.hw) for base in bases)


def _link(scene: Scene, order: Order, slots: Sequence[int]) -> float:
    """How far apart models in a row may stand for the unit to be coherent."""
    least = _reaches(scene, slots)[0]
    need = order.coherency.need if len(slots) > 1 else 1
    return (order.coherency.link + 2 * least) / max(1, need) - ROUNDED


def _rows(scene: Scene, order: Order, slots: Sequence[int], one: int, other: int, link: float) -> Iterator[list[Spot]]:
    """Rows of places from one base to another, no longer than a unit may stand, as few in a row as will do."""
    (ax, ay), (bx, by) = positions(scene, (one, other))
    wide, reach, span = _reaches(scene, slots)[1], order.reach - ROUNDED, _far((ax, ay), (bx, by)) or 1.0
    first, last = _reaches(scene, (one,))[1] + wide, _reaches(scene, (other,))[1] + wide
    for bend in BENT:
        (sx, sy), (tx, ty) = turned(bx - ax, by - ay, bend), turned(bx - ax, by - ay, -bend % FULL_TURN)
        for near, far in ((0, 0), (0, reach), (reach, 0), (reach, reach)):
            start = ax + (first + near) * sx / span, ay + (first + near) * sy / span
            end = bx - (last + far) * tx / span, by - (last + far) * ty / span
            many = max(1, -int(-_far(start, end) // link))
            if many + 1 <= len(slots) and _far(start, end) / many >= 2 * wide:
                steps = [k / many for k in range(many + 1)]
                yield [(round(start[0] + (end[0] - start[0]) * k), round(start[1] + (end[1] - start[1]) * k)) for k in steps]
                break


def _matched(here: Sequence[Spot], row: Sequence[Spot], far: float) -> dict[int, list[Spot]] | None:
    """Which models go to the places of a row, in order along it, so that the longest way is shortest; None if too long."""
    (ax, ay), (bx, by) = row[0], row[-1]
    along = sorted(range(len(here)), key=lambda i: ((here[i][0] - ax) * (bx - ax) + (here[i][1] - ay) * (by - ay), i))
    best: list[list[tuple[float, list[int]]]] = [[(0.0, [])] * (len(along) + 1)]
    for place in row:
        line: list[tuple[float, list[int]]] = [(float("inf"), [])]
        for count, i in enumerate(along):
            before, who = best[-1][count]
            line.append(min(line[-1], (max(before, _far(here[i], place)), [*who, i])))
        if line[-1][0] > far:  # and it can but grow longer from here on
            return None
        best.append(line)
    return {i: [place] for i, place in zip(best[-1][-1][1], row, strict=True)}
