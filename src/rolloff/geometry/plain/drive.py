"""Hulls in plain Python: a straight part, perhaps a pivot, another straight part. The twin of `csrc/paths_vehicles.c`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Final, NamedTuple

from rolloff.geometry.field import Scene
from rolloff.geometry.moves import Code, Hull, Order, Pose
from rolloff.geometry.plain.around import Spot
from rolloff.geometry.plain.blocks import Slots, Terms
from rolloff.geometry.plain.members import Member, members_of, pose_gap, target_members
from rolloff.geometry.plain.paths import judge_members
from rolloff.geometry.plain.slide import near_start, straight_reach
from rolloff.geometry.trig import COS, FULL_TURN, SIN, rounded

SWERVES: Final = (0, 50, -50, 100, -100, 200, -200, 450, -450, 900, -900)
"""Turns off the straight heading that are tried, in tenths of a degree."""
PARTS: Final = (0, 16, 8, 4, -16)
"""First parts that are tried, in sixteenths of what is possible; negative ones go backward."""
MOST_DRIVES: Final = 60
"""How many plans are driven through before the best so far has to do."""


def heading_of(dx: int, dy: int) -> int:
    """The facing, in whole tenths, that points along a vector best."""
    x, y, quarter = dx, dy, 0
    while not (x > 0 and y >= 0) and quarter < 4:
        x, y, quarter = y, -x, quarter + 1
    low, high = 0, FULL_TURN // 4
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


def ahead(x: int, y: int, facing: int, far: int) -> Spot:
    """The point straight ahead of a pose, or behind it."""
    return x + rounded(far * COS[facing]), y + rounded(far * SIN[facing])


def _facings(start: int, wanted: int, hull: Hull) -> Iterator[int]:
    """Facings a hull may turn to, the wanted one first."""
    for swerve in SWERVES:
        turn = max(-hull.pivot, min(hull.pivot, _turn(start, wanted + swerve)))
        yield (start + turn) % FULL_TURN if hull.pivots else start
    yield start


def turn_within(start: int, wanted: int, hull: Hull) -> int:
    """The wanted facing, or as near to it as one pivot takes a hull."""
    turn = max(-hull.pivot, min(hull.pivot, _turn(start, wanted))) if hull.pivots else 0
    return (start + turn) % FULL_TURN


def back_reach(scene: Scene, order: Order, pose: Pose, most: int) -> int:
    """How far the lone hull of a unit could go straight back from a pose, or -1 if the pose itself is unlawful."""
    slots = Slots(scene)
    slot = members_of(slots, order.unit)[0].slot
    heading = (pose[2] + FULL_TURN // 2) % FULL_TURN
    return straight_reach(slots, Terms(order), slot, pose, heading, most, near_start(scene, order, slot))


class _Driver:
    """The lone hull of a unit, and how far it can go forward and back before it turns."""

    def __init__(self, scene: Scene, order: Order, most: int) -> None:
        self.scene, self.order, self.most = scene, order, most
        self.hull = order.hull or Hull()
        self.slots = Slots(scene)
        member = members_of(self.slots, order.unit)[0]
        self.slot, self.pose = member.slot, member.start
        self.near = near_start(scene, order, member.slot)
        self.terms = Terms(order)
        self.enemies = target_members(self.slots, order.targets)
        self.stopped = False

    def _reach(self, pose: Pose, heading: int, most: int) -> int:
        """How far the hull could go straight from a pose, or -1 if the pose itself is unlawful."""
        return straight_reach(self.slots, self.terms, self.slot, pose, heading, most, self.near)

    def _parts(self) -> list[int]:
        """First parts that have room, in thou; negative ones go backward."""
        front, back = self.pose[2], (self.pose[2] + FULL_TURN // 2) % FULL_TURN
        forward = self._reach(self.pose, front, self.most)
        behind = 0
        if self.hull.reverse:
            most = self.most // self.hull.reverse
            behind = self._reach(self.pose, back, most)
        return [max(forward, 0) * part // 16 if part > 0 else -(max(behind, 0) * -part // 16) for part in PARTS]

    def _rest(self, first: int) -> int:
        """What a first part leaves of the allowance."""
        return self.most - first if first >= 0 else self.most + first * self.hull.reverse

    def plans(self, goals: Sequence[Spot], near: int) -> list[_Plan]:
        """Every plan with how near to its goal it would end with nothing in the way, the best first.

        Charging (`near` is the reach of both bases), plans that pass beside a goal or end short of it are left out.
        """
        hl, hw, r, _ = self.slots.bases[self.slot]
        enemy = float(near - hl - hw - r)
        wide, deep = float(hw + r) + enemy, float(hl + r) + enemy
        plans: set[_Plan] = set()
        x, y, facing = self.pose
        for first in self._parts():
            px, py = ahead(x, y, facing, first)
            rest = self._rest(first)
            for gx, gy in goals:
                for turned in _facings(facing, heading_of(gx - px, gy - py), self.hull):
                    along = ((gx - px) * COS[turned] + (gy - py) * SIN[turned]) / 1073741824.0
                    aside = ((gy - py) * COS[turned] - (gx - px) * SIN[turned]) / 1073741824.0
                    if near and (abs(aside) > wide or along > float(rest) + deep or -along > deep):
                        continue
                    far = int(max(0.0, min(float(rest), along)))
                    ex, ey = ahead(px, py, turned, far)
                    dx, dy = float(gx - ex), float(gy - ey)
                    plans.add(_Plan(sqrt(dx * dx + dy * dy), first, turned, far))
        return sorted(plans)[:MOST_DRIVES]

    def driven(self, plan: _Plan, charging: bool) -> list[Pose]:
        """A plan as a path, its second part cut short by what is in the way; nothing without room to turn."""
        x, y, facing = self.pose
        path: list[Pose] = []
        if plan.first or plan.facing != facing:
            x, y = ahead(x, y, facing, plan.first)
            path.append((x, y, plan.facing))
        most = self._rest(plan.first) if charging else plan.rest
        far = self._reach((x, y, plan.facing), plan.facing, most)
        if far < 0:
            return []
        if far:
            path.append((*ahead(x, y, plan.facing, far), -1))
        return path

    def meets(self, path: list[Pose]) -> bool:
        """Whether a path ends in contact with a model of the targets."""
        contact = float(self.order.reach if self.order.reach >= 0 else self.order.leeway.contact)
        x, y, facing = path[-1]
        pose, m = (
            (x, y, facing if facing >= 0 else path[0][2] if len(path) > 1 else self.pose[2]),
            Member(self.slots, self.slot),
        )
        for _, enemy in self.enemies:
            far = float(m.hl + m.hw + m.r + enemy.hl + enemy.hw + enemy.r) + contact + 1.0
            if abs(enemy.x - x) <= far and abs(enemy.y - y) <= far and pose_gap(m, pose, enemy, enemy.start) <= contact:
                return True
        return False

    def lawful(self, path: list[Pose]) -> bool:
        """Whether the judge lets the hull go this way."""
        members = members_of(self.slots, self.order.unit)
        members[0].path = list(path)
        ruling = judge_members(self.slots, self.order, members)
        self.stopped = self.stopped or (ruling.code == Code.TOO_LONG and ruling.difficult)
        return ruling.code == Code.LEGAL


def drive_hull(
    scene: Scene, order: Order, most: int, goals: Sequence[Spot], charging: bool, near: int
) -> tuple[list[Pose] | None, bool]:
    """A hull's way as near to a goal as it gets, or the first that is lawful when charging; None without one.

    Charging, plans that would end further than `near` from every goal are left out. The second answer says whether
    difficult ground made a way too long.
    """
    driver = _Driver(scene, order, most)
    best: list[Pose] | None = None
    (gx, gy), (x, y, _) = goals[0], driver.pose
    dx, dy = float(gx - x), float(gy - y)
    nearest = float(near) if charging else sqrt(dx * dx + dy * dy) - 1.0
    for plan in driver.plans(goals, near if charging else 0):
        if plan.score >= nearest:
            break
        path = driver.driven(plan, charging)
        if not path:
            continue
        dx, dy = float(gx - path[-1][0]), float(gy - path[-1][1])
        far = sqrt(dx * dx + dy * dy)
        if (driver.meets(path) if charging else far < nearest) and driver.lawful(path):
            best = path
            if charging:
                break
            nearest = far
    return best, driver.stopped
