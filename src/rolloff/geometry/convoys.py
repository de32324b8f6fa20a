"""Witnesses for hulls that share a unit: each drives for itself, and the unit keeps together."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from rolloff.geometry.field import Scene
from rolloff.geometry.judging import judge
from rolloff.geometry.marching import positions
from rolloff.geometry.measure import slots_of
from rolloff.geometry.moves import ANY, NEVER, STAY, Hull, March, Order, Pose, Wish
from rolloff.geometry.plain.around import Spot
from rolloff.geometry.plain.blocks import Slots, Terms
from rolloff.geometry.plain.drive import ahead, heading_of, turn_within
from rolloff.geometry.plain.slide import near_start, straight_reach

SHARES = (8, 7, 6, 5, 4, 3, 2, 1)
"""Into eighths of the allowance a drive is cut where the whole of it breaks the unit up."""

Paths = dict[int, Sequence[Pose]]


def _pose(scene: Scene, slot: int) -> Pose:
    """Where a model stands and which way it faces."""
    x, y = struct.unpack_from("<2i", scene.xy, 8 * slot)
    return x, y, struct.unpack_from("<h", scene.facing, 2 * slot)[0]


def _movers(scene: Scene, order: Order, x: int, y: int) -> list[int]:
    """The hulls that can move, those nearest to a point first."""
    free = [slot for slot in slots_of(scene, order.unit) if slot not in order.still]
    spots = dict(zip(free, positions(scene, free), strict=True))
    return sorted(free, key=lambda slot: ((spots[slot][0] - x) ** 2 + (spots[slot][1] - y) ** 2, slot))


def _headings(pose: Pose, goal: Spot, hull: Hull) -> Iterator[int]:
    """Facings worth a try: toward the goal as far as one pivot goes, and straight on."""
    x, y, facing = pose
    yield from dict.fromkeys((turn_within(facing, heading_of(goal[0] - x, goal[1] - y), hull), facing))


def _straight(scene: Scene, order: Order, slot: int, turned: int, most: int) -> list[Pose]:
    """One hull turned on the spot and driven straight on until something stops it; no poses if it cannot."""
    x, y, facing = _pose(scene, slot)
    reach = straight_reach(Slots(scene), Terms(order), slot, (x, y, turned), turned, most, near_start(scene, order, slot))
    if reach < 0:
        return []
    path: list[Pose] = [] if turned == facing else [(x, y, turned)]
    return [*path, (*ahead(x, y, turned, reach), -1)] if reach else path


def _nearer(scene: Scene, slot: int, path: Sequence[Pose], goal: Spot) -> bool:
    """Whether a path ends nearer to a goal than it began."""
    x, y, _ = _pose(scene, slot)
    ends = path[-1] if path else (x, y, 0)
    return (ends[0] - goal[0]) ** 2 + (ends[1] - goal[1]) ** 2 < (x - goal[0]) ** 2 + (y - goal[1]) ** 2


def _followed(scene: Scene, order: Order, paths: Paths, goal: Spot, most: int) -> Paths:
    """The same paths, and every other hull as near to the goal as it can go without touching anybody."""
    slots, loose = slots_of(scene, order.unit), replace(order, cohere=NEVER, contact=False, closing=ANY)
    for slot in _movers(scene, order, *goal):
        if slot in paths or order.hull is None:
            continue
        for turned in _headings(_pose(scene, slot), goal, order.hull):
            for share in SHARES:
                path = _straight(scene, order, slot, turned, most * share // SHARES[0])
                if _nearer(scene, slot, path, goal) and judge(scene, loose, March.of(slots, {**paths, slot: path})).legal:
                    paths = {**paths, slot: path}
                    break
            if slot in paths:
                break
    return paths


def drive_together(scene: Scene, order: Order, x: int, y: int) -> Wish:
    """Hulls of one unit as near to a point as they come without breaking the unit up."""
    slots = slots_of(scene, order.unit)
    for share in SHARES:
        paths = _followed(scene, order, {}, (x, y), order.allowance * share // SHARES[0])
        march = March.of(slots, paths)
        if paths and judge(scene, order, march).legal:
            return march
    return STAY


def charge_together(scene: Scene, order: Order, goals: Sequence[Spot]) -> March | None:
    """One hull of a unit into contact and the others after it; None if no straight way of any leads there."""
    slots, hull = slots_of(scene, order.unit), order.hull
    if hull is None:
        return None
    for goal in goals:
        for slot in _movers(scene, order, *goal):
            for turned in _headings(_pose(scene, slot), goal, hull):
                lead: Paths = {slot: _straight(scene, order, slot, turned, order.allowance)}
                for paths in (_followed(scene, order, lead, goal, order.allowance), lead):
                    march = March.of(slots, paths)
                    if judge(scene, order, march).legal:
                        return march
    return None
