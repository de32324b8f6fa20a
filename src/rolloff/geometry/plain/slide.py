"""How far a unit or a model can go straight, in plain Python: the twin of `csrc/paths_slide.c`."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from rolloff.geometry.field import Scene
from rolloff.geometry.moves import Order, Pose
from rolloff.geometry.plain.blocks import (
    BY_AIM,
    BY_WITNESS,
    Limits,
    Near,
    Slots,
    Terms,
    blocks_along,
    blocks_of_pieces,
    hits_any,
    leg_hit,
    leg_hits,
)
from rolloff.geometry.plain.convex import Corners, comes_closer, core_offsets
from rolloff.geometry.plain.members import Member, hull_factor, members_of, nearest_whole, off_table
from rolloff.geometry.plain.paths import Surroundings
from rolloff.geometry.trig import COS, SIN, rounded


class _Course:
    """A straight shift of the whole unit that is to be followed as far as it is lawful."""

    def __init__(self, slots: Slots, order: Order, members: list[Member], dx: int, dy: int) -> None:
        self.slots, self.order, self.members, self.dx, self.dy = slots, order, members, dx, dy
        self.length = sqrt(float(dx) * dx + float(dy) * dy)
        self.around = Surroundings(slots, Terms(order), 0, (0, 0, 0, 0))
        self.hits: list[tuple[Corners, float]] = []

    def at(self, m: Member, far: int) -> Pose:
        """The pose of a member after `far` thou of the course."""
        x = m.x + nearest_whole(float(self.dx) * float(far) / self.length)
        return x, m.y + nearest_whole(float(self.dy) * float(far) / self.length), m.facing

    def clear(self, m: Member, far: int) -> bool:
        """Whether a member may go so far."""
        p = self.at(m, far)
        if off_table(self.slots.scene, m, p, self.order.leeway.edge):
            return False
        return not hits_any(self.hits, float(m.x), float(m.y), float(p[0]), float(p[1]))

    def dry(self, m: Member, far: int) -> bool:
        """Whether a member may go so far without touching difficult ground."""
        p, d = self.at(m, far), float(m.r) - float(self.order.leeway.touch)
        places = self.slots.scene.field.ground.places
        for o in self.around.touched:
            if not places[o.piece].kinds & self.order.difficult:
                continue
            if comes_closer(o.corners, float(m.x), float(m.y), float(p[0]), float(p[1]), d + float(o.r)):
                return False
        return True

    def longest(self, m: Member, most: int, touching: bool) -> int:
        """How far a test that turns only once stays true."""
        test = self.dry if touching else self.clear
        if not touching:
            p, w = self.at(m, most), self.around
            self.hits = leg_hits(w.way, float(m.x), float(m.y), float(p[0]), float(p[1]))
        if test(m, most):
            return most
        if touching and not test(m, 0):
            return -1
        low, high = 0, most
        while high - low > 1:
            mid = low + (high - low) // 2
            if test(m, mid):
                low = mid
            else:
                high = mid
        return low

    def ends_well(self, far: int) -> bool:
        """Whether every member may stand where the shift ends."""
        w = self.around
        for m in self.members:
            w.ready(m, m.facing, BY_WITNESS)
            x, y, _ = self.at(m, far)
            if leg_hit(w.end, float(x), float(y), float(x), float(y)) >= 0:
                return False
        return True

    def follow(self, most: int) -> int:
        """How far the course can be followed."""
        far, cap, w = most, self.order.difficult_cap, self.around
        for m in self.members:
            w.ready(m, m.facing, BY_WITNESS)
            far = self.longest(m, far, False)
        if 0 <= cap < far:
            dry = far
            for m in self.members:
                if dry >= 0:
                    w.ready(m, m.facing, BY_WITNESS)
                    dry = self.longest(m, dry, True)
            far = max(dry, cap)
        for k in range(16, 0, -1):
            part = far * k // 16
            if part == 0:
                return 0
            if self.ends_well(part):
                return part
        return 0


def slide_shift(scene: Scene, order: Order, dx: int, dy: int) -> tuple[int, int, int]:
    """The longest lawful part of a shift of the whole unit: its length and its vector."""
    slots = Slots(scene)
    members = members_of(slots, order.unit)
    course = _Course(slots, order, members, dx, dy)
    most = int(course.length)
    if order.hull is not None and members:
        factor = hull_factor(order, order.hull, dx, dy, members[0].facing)
        most = min(most, order.allowance // factor) if factor else 0
    else:
        most = min(most, order.allowance)
    if most <= 0 or not members:
        return 0, 0, 0
    ends = [course.at(m, most) for m in members]
    xs, ys = [m.x for m in members] + [p[0] for p in ends], [m.y for m in members] + [p[1] for p in ends]
    course.around.r = max(m.r for m in members)
    course.around.region = (min(xs), min(ys), max(xs), max(ys))
    far = course.follow(most)
    return (
        far,
        nearest_whole(float(dx) * float(far) / course.length),
        nearest_whole(float(dy) * float(far) / course.length),
    )


def near_start(scene: Scene, order: Order, slot: int) -> Sequence[Near]:
    """What a model is too near to where it stands."""
    slots = Slots(scene)
    m = Member(slots, slot)
    w = Surroundings(slots, Terms(order), m.r, (m.x, m.y, m.x, m.y))
    w.ready(m, m.facing, BY_AIM)
    return w.near


def straight_reach(slots: Slots, terms: Terms, slot: int, pose: Pose, heading: int, most: int, near: Sequence[Near]) -> int:
    """How far a model could go straight from a pose in a direction, or -1 if the pose itself is unlawful."""
    m, scene = Member(slots, slot), slots.scene
    x, y, turn = pose
    px, py = x + rounded(most * COS[heading]), y + rounded(most * SIN[heading])
    about = core_offsets(m.hl, m.hw, turn if m.hl or m.hw else 0)
    blocks = blocks_along(slots, terms, about, m.r, float(x), float(y), float(px), float(py))
    region = (min(x, px), min(y, py), max(x, px), max(y, py))
    blocks += blocks_of_pieces(scene.field.ground, terms, about, m.r, region, 0)
    way, _ = Limits(terms, blocks, len(blocks), m.r, BY_AIM).fences(near)
    hits = leg_hits(way, float(x), float(y), float(px), float(py))
    fx, fy = float(x), float(y)

    def closed(hit: tuple[Corners, float] | None, far: int) -> bool:
        px, py = x + rounded(far * COS[heading]), y + rounded(far * SIN[heading])
        if hit is None:
            return off_table(scene, m, (px, py, turn), 0)
        return comes_closer(hit[0], fx, fy, float(px), float(py), hit[1])

    if any(closed(hit, 0) for hit in (None, *hits)):
        return -1
    longest = most
    for hit in (None, *hits):
        if not closed(hit, longest):
            continue
        low, high = 0, longest
        while high - low > 1:
            mid = low + (high - low) // 2
            if closed(hit, mid):
                high = mid
            else:
                low = mid
        longest = low
    return longest
