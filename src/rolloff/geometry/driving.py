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
"""First parts that are tried, in sixteenths of what is possible; negative ones go backward."""
MOST_AIMS = 4
"""How many of the nearest enemy models are aimed at."""
MOST_DRIVES = 60
"""How many plans are driven through before the best so far has to do."""


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
    for swerve in SWERVES:
        turn = max(-hull.pivot, min(hull.pivot, _turn(start, wanted + swerve)))
        yield (start + turn) % FULL_TURN if hull.pivots else start
    yield start


class _Driver:
    """The lone hull of a unit, and how far it can go forward and back before it turns."""

    def __init__(self, scene: Scene, order: Order, slot: int, most: int) -> None:
        self.scene, self.order, self.slot, self.most = scene, order, slot, most
        self.hull = order.hull or Hull()
        (x, y) = positions(scene, (slot,))[0]
        self.pose: Pose = (x, y, struct.unpack_from("<h", scene.facing, 2 * slot)[0])
        self.back = (self.pose[2] + FULL_TURN // 2) % FULL_TURN

    def parts(self) -> list[int]:
        """First parts that have room, in thou; negative ones go backward."""
        ahead = straight_reach(self.scene, self.order, self.slot, self.pose, self.pose[2], self.most)
        behind = 0
        if self.hull.reverse:
            most = self.most // self.hull.reverse
            behind = straight_reach(self.scene, self.order, self.slot, self.pose, self.back, most)
        found = [(ahead if part > 0 else behind) * part // 16 for part in PARTS]
        return sorted(set(found), key=found.index)

    def rest(self, first: int) -> int:
        """What a first part leaves of the allowance."""
        return self.most - first if first >= 0 else self.most + first * self.hull.reverse

    def plans(self, goals: Sequence[tuple[int, int]]) -> list[_Plan]:
        """Every plan with how near to its goal it would end with nothing in the way, the best first."""
        plans: dict[tuple[int, int], _Plan] = {}
        x, y, facing = self.pose
        for first in self.parts():
            px, py = _ahead(x, y, facing, first)
            rest = self.rest(first)
            for gx, gy in goals:
                for turned in _facings(facing, heading_of(gx - px, gy - py), self.hull):
                    along = ((gx - px) * COS[turned] + (gy - py) * SIN[turned]) / 2**30
                    far = int(max(0.0, min(float(rest), along)))
                    ex, ey = _ahead(px, py, turned, far)
                    plan = _Plan(sqrt((gx - ex) ** 2 + (gy - ey) ** 2), first, turned, far)
                    known = plans.get((first, turned))
                    if known is None or plan < known:
                        plans[first, turned] = plan
        return sorted(plans.values())

    def driven(self, plan: _Plan, rest: int) -> list[Pose]:
        """A plan as a path, its second part cut short by what is in the way; nothing if there is no room to turn."""
        x, y, facing = self.pose
        path: list[Pose] = []
        if plan.first or plan.facing != facing:
            x, y = _ahead(x, y, facing, plan.first)
            path.append((x, y, plan.facing))
        pose = (x, y, plan.facing)
        far = straight_reach(self.scene, self.order, self.slot, pose, plan.facing, rest)
        if far < 0:
            return []
        if far:
            path.append((*_ahead(x, y, plan.facing, far), -1))
        return path


def drive(scene: Scene, order: Order, x: int, y: int) -> Wish:
    """A hull as near to a point as one move takes it; the lone model of its unit."""
    slots = slots_of(scene, order.unit)
    if len(slots) != 1:
        return Stay()
    best: Wish = Stay()
    nearest = 1e18
    for most, avoid in variants(scene, order):
        if avoid:
            continue
        driver = _Driver(scene, order, slots[0], most)
        nearest = min(nearest, sqrt((driver.pose[0] - x) ** 2 + (driver.pose[1] - y) ** 2) - 1.0)
        for plan in driver.plans(((x, y),))[:MOST_DRIVES]:
            if plan.score >= nearest:
                break
            path = driver.driven(plan, plan.rest)
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
    slots = slots_of(scene, order.unit)
    if len(slots) != 1:
        return None
    stay = March.of(slots, {})
    if judge(scene, order, stay).legal:
        return stay
    bases = scene.field.bases
    size = max(bases[s].hl + bases[s].hw + bases[s].r for unit in order.targets for s in slots_of(scene, unit))
    base = bases[slots[0]]
    near = float(base.hl + base.hw + base.r + size)
    for most, avoid in variants(scene, order):
        if avoid:
            continue
        driver = _Driver(scene, order, slots[0], most)
        for plan in driver.plans(_aims(scene, order, driver.pose))[:MOST_DRIVES]:
            path = driver.driven(plan, driver.rest(plan.first)) if plan.score <= near else []
            march = March.of(slots, {slots[0]: path})
            if path and judge(scene, order, march).legal:
                return march
    return None
