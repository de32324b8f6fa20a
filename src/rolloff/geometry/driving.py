"""Witnesses of vehicle moves: a straight part, perhaps a pivot, and another straight part."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from math import sqrt
from typing import NamedTuple

from rolloff.geometry import kernels, plain_paths
from rolloff.geometry.field import Scene
from rolloff.geometry.judging import judge, slots_of
from rolloff.geometry.marching import positions, variants
from rolloff.geometry.moves import Hull, March, Order, Pose, Stay, Wish
from rolloff.geometry.packing import order_args, scene_args
from rolloff.geometry.trig import COS, FULL_TURN, SIN, rounded

SWERVES = (0, 50, -50, 100, -100, 150, -150, 300, -300, 450, -450, 600, -600, 750, -750, 900, -900)
"""Turns off the straight heading that are tried, in tenths of a degree."""
PARTS = (0, 16, 12, 8, 4, -8, -16)
"""First parts that are tried, in sixteenths of the allowance; negative ones go backward."""
MOST_AIMS = 6
"""How many of the nearest enemy models are aimed at."""


def straight_reach(scene: Scene, order: Order, slot: int, pose: Pose, heading: int, most: int) -> int:
    """How far a model could go straight from a pose in a direction, or -1 if the pose itself is unlawful."""
    if not kernels.COMPILED:
        return plain_paths.straight_reach(scene, order, slot, pose, heading, most)
    far: int = kernels.lib.straight_reach(*scene_args(scene), *order_args(order), slot, *pose, heading, max(most, 0))
    if far == -2:
        raise MemoryError
    return far


def heading_of(dx: int, dy: int) -> int:
    """The facing, in whole tenths, that points along a vector best."""
    low, high = 0, FULL_TURN // 4
    x, y, quarter = dx, dy, 0
    while not (x > 0 and y >= 0) and quarter < 4:
        x, y, quarter = y, -x, quarter + 1
    while high - low > 1:
        mid = (low + high) // 2
        if COS[mid] * y - SIN[mid] * x >= 0:
            low = mid
        else:
            high = mid
    nearer = low if COS[low] * y - SIN[low] * x <= SIN[high] * x - COS[high] * y else high
    return (nearer + quarter * FULL_TURN // 4) % FULL_TURN


def _turn(a: int, b: int) -> int:
    """The signed turn from one facing to another."""
    return (b - a + FULL_TURN // 2) % FULL_TURN - FULL_TURN // 2


class _Plan(NamedTuple):
    """A first part (backward if negative), a facing to turn to, and how far the second part may go."""

    score: float
    first: int
    facing: int
    rest: int


def _ahead(x: int, y: int, facing: int, far: int) -> tuple[int, int]:
    return x + rounded(far * COS[facing]), y + rounded(far * SIN[facing])


def _facings(start: int, wanted: int, hull: Hull) -> Iterator[int]:
    """Facings a hull may turn to, the wanted one first."""
    seen = set()
    for swerve in SWERVES:
        turn = max(-hull.pivot, min(hull.pivot, _turn(start, wanted + swerve)))
        facing = (start + turn) % FULL_TURN if hull.pivots else start
        if facing not in seen:
            seen.add(facing)
            yield facing
    if start not in seen:
        yield start


def _plans(pose: Pose, hull: Hull, most: int, goals: Sequence[tuple[int, int]]) -> list[_Plan]:
    """Every plan with how near to its goal it would end on an empty table, the best first."""
    plans = []
    x, y, facing = pose
    for part in PARTS:
        cost = 1 if part >= 0 else hull.reverse
        if cost == 0:
            continue
        first = most * part // (16 * cost)
        px, py = _ahead(x, y, facing, first)
        rest = most - abs(first) * cost
        for gx, gy in goals:
            for turned in _facings(facing, heading_of(gx - px, gy - py), hull):
                along = ((gx - px) * COS[turned] + (gy - py) * SIN[turned]) / 2**30
                far = int(max(0.0, min(float(rest), along)))
                ex, ey = _ahead(px, py, turned, far)
                plans.append(_Plan(sqrt((gx - ex) ** 2 + (gy - ey) ** 2), first, turned, far))
    return sorted(plans)


def _driven(scene: Scene, order: Order, slot: int, pose: Pose, plan: _Plan, rest: int) -> list[Pose] | None:
    """A plan cut short by what is in the way; None if the pivot has no room."""
    x, y, facing = pose
    path: list[Pose] = []
    if plan.first:
        heading = facing if plan.first > 0 else (facing + FULL_TURN // 2) % FULL_TURN
        far = straight_reach(scene, order, slot, pose, heading, abs(plan.first))
        if far <= 0:
            return None
        x, y = _ahead(x, y, heading, far)
        path.append((x, y, plan.facing))
    elif plan.facing != facing:
        path.append((x, y, plan.facing))
    far = straight_reach(scene, order, slot, (x, y, plan.facing), plan.facing, rest)
    if far < 0:
        return None
    if far:
        path.append((*_ahead(x, y, plan.facing, far), -1))
    return path


def _pose(scene: Scene, slot: int) -> Pose:
    (x, y) = positions(scene, (slot,))[0]
    return x, y, struct.unpack_from("<h", scene.facing, 2 * slot)[0]


def drive(scene: Scene, order: Order, x: int, y: int) -> Wish:
    """A hull as near to a point as one move takes it; the lone model of its unit."""
    slots, hull = slots_of(scene, order.unit), order.hull or Hull()
    if len(slots) != 1:
        return Stay()
    pose = _pose(scene, slots[0])
    best: Wish = Stay()
    nearest = sqrt((pose[0] - x) ** 2 + (pose[1] - y) ** 2) - 1.0
    for most, avoid in variants(scene, order):
        if avoid:
            continue
        for plan in _plans(pose, hull, most, ((x, y),)):
            if plan.score >= nearest:
                break
            path = _driven(scene, order, slots[0], pose, plan, plan.rest)
            if not path:
                continue
            px, py, _ = path[-1]
            far = sqrt((px - x) ** 2 + (py - y) ** 2)
            march = March.of(slots, {slots[0]: path})
            if far < nearest and judge(scene, order, march).legal:
                best, nearest = march, far
    return best


def _aims(scene: Scene, order: Order, pose: Pose) -> list[tuple[int, int]]:
    """Where the nearest models of the targets stand."""
    found = [p for unit in order.targets for p in positions(scene, slots_of(scene, unit))]
    return sorted(found, key=lambda p: ((p[0] - pose[0]) ** 2 + (p[1] - pose[1]) ** 2, p))[:MOST_AIMS]


def charge(scene: Scene, order: Order) -> March | None:
    """A hull into contact with the order's targets; None if no straight parts lead there."""
    slots, hull = slots_of(scene, order.unit), order.hull or Hull()
    if len(slots) != 1:
        return None
    pose = _pose(scene, slots[0])
    stay = March.of(slots, {})
    if judge(scene, order, stay).legal:
        return stay
    for most, avoid in variants(scene, order):
        if avoid:
            continue
        for plan in _plans(pose, hull, most, _aims(scene, order, pose)):
            cost = 1 if plan.first >= 0 else hull.reverse
            path = _driven(scene, order, slots[0], pose, plan, most - abs(plan.first) * cost)
            if path:
                march = March.of(slots, {slots[0]: path})
                if judge(scene, order, march).legal:
                    return march
    return None
