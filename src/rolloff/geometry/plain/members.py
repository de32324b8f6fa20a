"""The models of a moving unit in plain Python: gaps between them, coherency, and what their paths cost.

The twin of `csrc/paths_company.c`.
"""

from __future__ import annotations

from math import floor, sqrt
from typing import Final

from rolloff.geometry.field import Scene
from rolloff.geometry.moves import Hull, Order, Pose
from rolloff.geometry.plain.blocks import Slots
from rolloff.geometry.plain.convex import convex_sum, core_distance, core_offsets, extent
from rolloff.geometry.trig import COS, SCALE_BITS, SIN
from rolloff.lengths import NOWHERE

# cos(k * 5.625 degrees) * 2**30 for a quarter turn; 64 equal steps make the rim of a base.
_RIM_QUARTER: Final = (
    1073741824, 1068571464, 1053110176, 1027506862, 992008094, 946955747, 892783698, 830013654, 759250125,
    681174602, 596538995, 506158392, 410903207, 311690799, 209476638, 105245103, 0,
)  # fmt: skip


def _rim_cos(k: int) -> float:
    k &= 63
    if k > 32:
        k = 64 - k
    return (_RIM_QUARTER[k] if k <= 16 else -_RIM_QUARTER[32 - k]) / 1073741824.0


class Member:
    """One model of the moving unit, with the path it is to take."""

    __slots__ = ("facing", "hl", "hw", "length", "moved", "path", "r", "slot", "to", "x", "y")

    def __init__(self, slots: Slots, slot: int) -> None:
        """Read a model from the table."""
        self.slot = slot
        self.hl, self.hw, self.r, _ = slots.bases[slot]
        self.x, self.y, self.facing = slots.xy[2 * slot], slots.xy[2 * slot + 1], slots.facing[slot]
        self.path: list[Pose] = []
        self.to: Pose = (self.x, self.y, self.facing)
        self.moved = False
        self.length = 0.0

    @property
    def start(self) -> Pose:
        """Where it stands."""
        return self.x, self.y, self.facing


def members_of(slots: Slots, unit: int) -> list[Member]:
    """The models of a unit on the table, ascending by slot."""
    xy = slots.xy
    return [Member(slots, j) for j, owner in enumerate(slots.owner) if owner == unit and xy[2 * j] != NOWHERE]


def pose_gap(a: Member, p: Pose, b: Member, q: Pose) -> float:
    """The gap between two bases at two poses; negative when they overlap."""
    if not (a.hl or a.hw or b.hl or b.hw):
        dx, dy = float(p[0] - q[0]), float(p[1] - q[1])
        return sqrt(dx * dx + dy * dy) - float(a.r + b.r)
    total = convex_sum(core_offsets(b.hl, b.hw, q[2]), core_offsets(a.hl, a.hw, p[2]))
    return core_distance(total, float(p[0] - q[0]), float(p[1] - q[1])) - float(a.r + b.r)


def _height_at(scene: Scene, x: int, y: int) -> int:
    return max([0, *(p.elevation for p in scene.field.ground.places if p.elevation > 0 and p.contains(x, y))])


def coherent_at(scene: Scene, order: Order, members: list[Member], poses: list[Pose]) -> tuple[bool, list[int]]:
    """Whether poses hold together, and how many fellows each member is linked with."""
    rule, leeway, n = order.coherency, order.leeway, len(members)
    links, group = [0] * n, list(range(n))
    link, spread = float(rule.link + leeway.gap), float(rule.spread + leeway.gap)
    height = [_height_at(scene, x, y) for x, y, _ in poses] if rule.rise >= 0 else [0] * n
    ok = True
    for i in range(n):
        a, p = members[i], poses[i]
        for j in range(i + 1, n):
            b = members[j]
            g = pose_gap(a, p, b, poses[j])
            if g <= link and (rule.rise < 0 or abs(height[i] - height[j]) <= rule.rise):
                links[i] += 1
                links[j] += 1
                old, new = group[j], group[i]
                if old != new:
                    group = [new if k == old else k for k in group]
            if rule.spread >= 0 and g > spread and (rule.leader < 0 or rule.leader in (a.slot, b.slot)):
                ok = False
    if n < 2:
        return True, links
    if min(links) < rule.need or (rule.connected and any(k != group[0] for k in group)):
        ok = False
    return ok, links


def nearest_fellow(members: list[Member], poses: list[Pose], i: int) -> float:
    """The gap to the nearest fellow."""
    best = 1e18
    for j, b in enumerate(members):
        if j != i:
            best = min(best, pose_gap(members[i], poses[i], b, poses[j]))
    return best


def rim_way(m: Member, a: Pose, b: Pose, rim: int) -> float:
    """The greatest straight way of any rim point between two poses."""
    ca, sa = COS[a[2]] / 1073741824.0, SIN[a[2]] / 1073741824.0
    cb, sb = COS[b[2]] / 1073741824.0, SIN[b[2]] / 1073741824.0
    dx, dy, dc, ds, most = float(b[0] - a[0]), float(b[1] - a[1]), cb - ca, sb - sa, 0.0
    for k in range(0, 64, 64 // rim):
        u, v = float(m.hl + m.r) * _rim_cos(k), float(m.hw + m.r) * _rim_cos(k - 16)
        x, y = dx + (u * dc - v * ds), dy + (u * ds + v * dc)
        d = x * x + y * y
        if d > most:
            most = d
    return sqrt(most)


def hull_factor(order: Order, hull: Hull, dx: int, dy: int, facing: int) -> int:
    """The cost factor of a hull's straight part, or 0 if it may not go that way."""
    c, s, slack = COS[facing], SIN[facing], order.leeway.axis << SCALE_BITS
    along, across = dx * c + dy * s, dy * c - dx * s
    if abs(across) <= slack:
        return 1 if along >= 0 else hull.reverse
    if abs(along) <= slack:
        return hull.sideways
    return 0


def off_table(scene: Scene, m: Member, p: Pose, slack: int) -> bool:
    """Whether a base reaches over the table's edge by more than the slack."""
    ex, ey = extent(m.hl, m.hw, m.r, p[2] if m.hl or m.hw else 0)
    ground = scene.field.ground
    return p[0] - ex < -slack or p[1] - ey < -slack or p[0] + ex > ground.width + slack or p[1] + ey > ground.height + slack


def target_members(slots: Slots, units: tuple[int, ...]) -> list[tuple[int, Member]]:
    """The models of some units on the table, with their unit numbers."""
    xy = slots.xy
    return [(unit, Member(slots, j)) for j, unit in enumerate(slots.owner) if unit in units and xy[2 * j] != NOWHERE]


def least_gap_to(m: Member, p: Pose, others: list[tuple[int, Member]], unit: int = -1) -> float:
    """The gap of a model at a pose to the nearest of some others, or of one unit of them."""
    best = 1e18
    for owner, other in others:
        if unit in (-1, owner):
            best = min(best, pose_gap(m, p, other, other.start))
    return best


def target_gaps(scene: Scene, order: Order) -> list[float]:
    """The gap of each member of the unit to the nearest model of the targets."""
    slots = Slots(scene)
    others = target_members(slots, order.targets)
    return [least_gap_to(m, m.start, others) for m in members_of(slots, order.unit)]


def nearest_whole(v: float) -> int:
    """Round to the nearest whole number, halves up."""
    return floor(v + 0.5)
