"""Setting units down, in plain Python: the twin of `csrc/place.c`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from math import sqrt
from typing import Final

from rolloff.geometry.field import Scene
from rolloff.geometry.moves import NEVER, Code, Hub, Order, Pose, Rectangle, Zone
from rolloff.geometry.plain.around import Spot
from rolloff.geometry.plain.blocks import BY_JUDGE, Block, Fence, Slots, Terms, fenced, leg_hit
from rolloff.geometry.plain.convex import extent
from rolloff.geometry.plain.members import Member, coherent_at, members_of, off_table, pose_gap
from rolloff.geometry.plain.paths import Ruling, Surroundings, blame, check_own_bases
from rolloff.geometry.plain.search import Mover
from rolloff.geometry.shapes import core

MOST_CELLS: Final = 6000
SEEDS: Final = 8
FINE: Final = 250
"""How far apart places are tried where it is to be found out that there is none."""
_RANKS: Final = (2, 1, 3, 4)


def _as_member(like: Member, hl: int, hw: int, r: int, pose: Pose) -> Member:
    """A member of another shape and place."""
    made = object.__new__(Member)
    made.slot, made.hl, made.hw, made.r = like.slot, hl, hw, r
    made.x, made.y, made.facing = pose
    made.path, made.to, made.moved, made.length = [], pose, False, 0.0
    return made


def hub_gap(hub: Hub, m: Member, p: Pose) -> float:
    """How far a base, or the furthest part of it, is from the hub."""
    there = (hub.x, hub.y, hub.facing)
    centre = _as_member(m, hub.base.hl, hub.base.hw, hub.base.r, there)
    if not hub.wholly:
        return pose_gap(m, p, centre, there)
    corner = _as_member(m, 0, 0, 0, p)
    corners = core(p[0], p[1], p[2], m.hl, m.hw)
    return max(pose_gap(corner, (x, y, 0), centre, there) + float(m.r) for x, y in corners)


def inside(rectangles: Sequence[Rectangle], x: int, y: int, ex: int, ey: int, slack: int) -> bool:
    """Whether a base lies wholly in one of some rectangles, or anywhere if there are none."""
    for left, bottom, right, top in rectangles:
        if x - ex >= left - slack and y - ey >= bottom - slack and x + ex <= right + slack and y + ey <= top + slack:
            return True
    return not rectangles


def _on_limits(limits: Rectangle | None, x: int, y: int, ex: int, ey: int, slack: int) -> bool:
    if limits is None:
        return False
    left, bottom, right, top = limits
    return x + ex > left + slack and x - ex < right - slack and y + ey > bottom + slack and y - ey < top - slack


def _judge_spot(slots: Slots, order: Order, zone: Zone, m: Member, ruling: Ruling) -> None:
    """Judge one model where it was set down."""
    leeway = order.leeway
    ex, ey = extent(m.hl, m.hw, m.r, m.facing if m.hl or m.hw else 0)
    if off_table(slots.scene, m, m.start, leeway.edge):
        ruling.refuse(Code.OFF_TABLE, m.slot, -1)
    if not inside(zone.inside, m.x, m.y, ex, ey, leeway.edge):
        ruling.refuse(Code.OUTSIDE_ZONE, m.slot, -1)
    if zone.hub is not None and hub_gap(zone.hub, m, m.start) > float(zone.hub.distance + leeway.gap):
        ruling.refuse(Code.TOO_FAR, m.slot, -1)
    w = Surroundings(slots, Terms(order), m.r, (m.x, m.y, m.x, m.y))
    w.ready(m, m.facing, BY_JUDGE, ())
    x, y = float(m.x), float(m.y)
    blame(w.models, leg_hit(w.end, x, y, x, y), m.slot, ruling)
    if _on_limits(order.off_limits, m.x, m.y, ex, ey, leeway.edge):
        ruling.refuse(Code.OFF_LIMITS, m.slot, -1)


def judge_place(scene: Scene, order: Order, zone: Zone, who: Sequence[int]) -> Ruling:
    """Judge a placing: the scene has the models of `who` where they are set down."""
    slots, ruling = Slots(scene), Ruling()
    members = members_of(slots, order.unit)
    for m in members:
        if m.slot in who:
            m.path = [m.start]
            _judge_spot(slots, order, zone, m, ruling)
    check_own_bases(order, members, ruling)
    ruling.coherent, links = coherent_at(scene, order, members, [m.start for m in members])
    if not ruling.coherent and order.cohere != NEVER:
        stray = next((i for i, k in enumerate(links) if k < order.coherency.need), len(members) - 1)
        ruling.refuse(Code.INCOHERENT, members[stray].slot, -1)
    return ruling


class _Buckets:
    """Blocks with their limits, sorted into squares of the table so that a spot meets only those nearby."""

    SIDE = 2000

    def __init__(self, blocks: Sequence[Block], limits: Sequence[float]) -> None:
        self.squares: dict[tuple[int, int], list[Fence]] = {}
        side = self.SIDE
        for fence in fenced(blocks, limits):
            for i in range(int(fence[0] // side), int(fence[2] // side) + 1):
                for j in range(int(fence[1] // side), int(fence[3] // side) + 1):
                    self.squares.setdefault((i, j), []).append(fence)

    def hit(self, x: int, y: int) -> bool:
        """Whether a spot is too near to some block."""
        found = self.squares.get((x // self.SIDE, y // self.SIDE))
        return found is not None and leg_hit(found, float(x), float(y), float(x), float(y)) >= 0


class _Cell:
    """A free place on a close lattice."""

    __slots__ = ("d", "links", "taken", "x", "y")

    def __init__(self, x: int, y: int, d: float) -> None:
        self.x, self.y, self.d = x, y, d
        self.taken, self.links = False, 0


class _Muster:
    """A unit looking for a place near a point."""

    def __init__(self, scene: Scene, order: Order, zone: Zone, who: Sequence[int], facing: int) -> None:
        self.scene, self.order, self.zone, self.n = scene, order, zone, len(who)
        slots = Slots(scene)
        self.members = [self._lifted(Member(slots, slot), facing) for slot in who]
        extents = [extent(m.hl, m.hw, m.r, facing if m.hl or m.hw else 0) for m in self.members]
        self.ex, self.ey = max(e[0] for e in extents), max(e[1] for e in extents)
        self.members += [m for m in members_of(slots, order.unit) if m.slot not in who]
        self.poses: list[Pose] = [m.start for m in self.members]
        self.box = self._box()
        lead = self._shape(max)
        self.mover = Mover(slots, order, lead, self.box, False)
        blocks, end = self.mover.blocks, self.mover.fences.tau_end
        self.gap = min(order.coherency.link // 4, 250)
        dx, dy = float(2 * self.ex + self.gap), float(2 * self.ey + self.gap)
        slack = 0.0 if self.n == 1 else sqrt(dx * dx + dy * dy) / 2.0 + 2.0
        self.near = _Buckets(blocks, end)
        self.loose = _Buckets(blocks, [d - slack for d in end]) if slack else self.near

    @staticmethod
    def _lifted(m: Member, facing: int) -> Member:
        return _as_member(m, m.hl, m.hw, m.r, (0, 0, facing))

    def _shape(self, pick: Callable[[Iterable[int]], int]) -> Member:
        """The largest (or smallest) extents of the shapes to be set down as one shape."""
        lead, these = self.members[0], self.members[: self.n]
        return _as_member(lead, pick(m.hl for m in these), pick(m.hw for m in these), pick(m.r for m in these), lead.start)

    def _box(self) -> tuple[int, int, int, int]:
        """Where centres may lie: the table and the zone without the largest extents, and the hub's reach."""
        ground, zone, ex, ey = self.scene.field.ground, self.zone, self.ex, self.ey
        left, bottom, right, top = ex, ey, ground.width - ex, ground.height - ey
        if zone.inside:
            xs = [x for r in zone.inside for x in (r[0] + ex, r[2] - ex)]
            ys = [y for r in zone.inside for y in (r[1] + ey, r[3] - ey)]
            left, bottom, right, top = max(left, min(xs)), max(bottom, min(ys)), min(right, max(xs)), min(top, max(ys))
        hub = zone.hub
        if hub is not None:
            far = hub.distance + hub.base.hl + hub.base.hw + hub.base.r + ex + ey
            left, bottom = max(left, hub.x - far), max(bottom, hub.y - far)
            right, top = min(right, hub.x + far), min(top, hub.y + far)
        if len(self.members) > self.n and self.order.cohere != NEVER:
            rule, fellows = self.order.coherency, self.members[self.n :]
            far = (rule.link + 2 * (ex + ey)) * self.n
            if rule.spread >= 0:
                far = min(far, rule.spread + ex + ey)
            left, right = max(left, min(m.x for m in fellows) - far), min(right, max(m.x for m in fellows) + far)
            bottom, top = max(bottom, min(m.y for m in fellows) - far), min(top, max(m.y for m in fellows) + far)
        return left, bottom, right, top

    def at(self, m: Member, x: int, y: int) -> bool:
        """Whether a model to be set down could stand here."""
        left, bottom, right, top = self.box
        if not (left <= x <= right and bottom <= y <= top):
            return False
        if not inside(self.zone.inside, x, y, self.ex, self.ey, 0):
            return False
        if _on_limits(self.order.off_limits, x, y, self.ex, self.ey, 0):
            return False
        if self.near.hit(x, y):
            return False
        hub = self.zone.hub
        return hub is None or hub_gap(hub, m, (x, y, m.facing)) <= float(hub.distance)

    def well(self) -> bool:
        """Whether the poses found hold together and overlap no fellow."""
        for i in range(self.n):
            a, p = self.members[i], self.poses[i]
            for j in range(i + 1, len(self.members)):
                if pose_gap(a, p, self.members[j], self.poses[j]) < 0.0:
                    return False
        return self.order.cohere == NEVER or coherent_at(self.scene, self.order, self.members, self.poses)[0]

    def block(self, cx: int, cy: int, columns: int, ranks: int, gap: int) -> bool:
        """Try a block of columns and ranks around a centre."""
        dx, dy = 2 * self.ex + gap, 2 * self.ey + gap
        left, bottom = cx - (columns - 1) * dx // 2, cy - (ranks - 1) * dy // 2
        for i in range(self.n):
            m = self.members[i]
            x, y = left + i % columns * dx, bottom + i // columns * dy
            if not self.at(m, x, y):
                return False
            self.poses[i] = (x, y, m.facing)
        return self.well()

    def here(self, cx: int, cy: int) -> bool:
        """Blocks of two, one, three and four ranks, along and across, loose and tight, at one centre."""
        if self.loose.hit(cx, cy):
            return False
        for k in range(8 if self.n > 1 else 1):
            gap, ranks = self.gap if k < 4 else 2, _RANKS[k % 4]
            if ranks > self.n:
                ranks = 1
            columns = (self.n + ranks - 1) // ranks
            if self.block(cx, cy, columns, ranks, gap):
                return True
            if columns != ranks and self.block(cx, cy, ranks, columns, gap):
                return True
        return False

    def rings(self, gx: int, gy: int, step: int) -> bool:
        """Centres around the goal, ring by ring."""
        left, bottom, right, top = self.box
        for k in range(max(right - left, top - bottom) // step + 2):
            for i in range(-k, k + 1):
                x = gx + i * step
                if not left <= x <= right:
                    continue
                for j in range(-k, k + 1, 1 if k in (-i, i, 0) else 2 * k):
                    y = gy + j * step
                    if bottom <= y <= top and self.here(x, y):
                        return True
        return False

    def clusters(self, gx: int, gy: int) -> bool:
        """Clusters of any form on cells: on a close lattice, laid in four ways; then in lines that are packed as close as what
        stands in their way allows, at every fourth of an inch."""
        dx, dy = 2 * self.ex + 2, 2 * self.ey + 2
        lattices = [(phase // 2 * dy // 2, phase % 2 * dx // 2, dx, False) for phase in range(4)]
        rows = [(off, 0, FINE, False) for off in range(0, dy, FINE)]
        columns = [(off, 0, FINE, True) for off in range(0, dx, FINE)]
        for lay in (*lattices, *rows, *columns):
            cells = [_Cell(x, y, float((x - gx) ** 2 + (y - gy) ** 2)) for x, y in islice(self._laid(*lay), MOST_CELLS)]
            cells.sort(key=lambda c: c.d)
            for seed in range(0, len(cells), max(len(cells) // SEEDS, 1)):
                if self._cluster(cells, cells[seed]):
                    return True
        return False

    def _laid(self, off: int, start: int, skip: int, upright: bool) -> Iterator[Spot]:
        """Places in lines along or up the table, each as near to the one before as bases allow.

        The lines begin so far from the edge of the box, the places from a start on; ``skip``: how far on it is tried where
        nobody may stand.
        """
        left, bottom, right, top = self.box
        dx, dy = 2 * self.ex + 2, 2 * self.ey + 2
        lines = range(left + off, right + 1, dx) if upright else range(bottom + off, top + 1, dy)
        first, last, next_to = (bottom, top, dy) if upright else (left, right, dx)
        for line in lines:
            at = first + start
            while at <= last:
                x, y = (line, at) if upright else (at, line)
                stands = self.at(self.members[0], x, y)
                at += next_to if stands else skip
                if stands:
                    yield x, y

    def _take(self, small: Member, cells: list[_Cell], at: _Cell) -> None:
        """Take a cell, and note which others are linked to it or too far from it."""
        rule, p = self.order.coherency, (at.x, at.y, small.facing)
        at.taken = True
        for c in cells:
            if c.taken:
                continue
            g = pose_gap(small, (c.x, c.y, small.facing), small, p)
            if g <= float(rule.link):
                c.links += 1
            if rule.spread >= 0 and rule.leader < 0 and g > float(rule.spread):
                c.taken = True

    def _cluster(self, cells: list[_Cell], seed: _Cell) -> bool:
        """Grow a cluster of cells from a seed, always by the linked cell nearest to it."""
        need, small = self.order.coherency.need, self._shape(min)
        for c in cells:
            c.taken, c.links = False, 0
        free: _Cell | None = seed
        for i in range(self.n):
            if i > 0:
                best, free = 1e18, None
                for c in cells:
                    if c.taken or c.links < min(need, i):
                        continue
                    d = float((c.x - seed.x) ** 2 + (c.y - seed.y) ** 2)
                    if d < best:
                        best, free = d, c
            if free is None:
                return False
            self._take(small, cells, free)
            self.poses[i] = (free.x, free.y, self.members[i].facing)
        return self.well()


def muster_unit(scene: Scene, order: Order, zone: Zone, who: Sequence[int], goal: Spot, facing: int) -> list[Spot] | None:
    """Set a unit down near a point."""
    u = _Muster(scene, order, zone, who, facing)
    left, bottom, right, top = u.box
    if left > right or bottom > top:
        return None
    gx, gy = min(max(goal[0], left), right), min(max(goal[1], bottom), top)
    found = u.rings(gx, gy, 500 if len(who) == 1 else 1000) or u.clusters(gx, gy)
    return [(x, y) for x, y, _ in u.poses[: u.n]] if found else None
