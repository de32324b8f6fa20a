"""The judge of moves and the longest lawful shift, in plain Python: the twin of `csrc/paths.c`."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, sqrt
from typing import Final

from rolloff.geometry.field import Scene
from rolloff.geometry.moves import ALWAYS, ANY, KEEP, NEARER, NEVER, NO_FURTHER, Code, Hull, Order, Pose
from rolloff.geometry.plain_blocks import (
    BY_AIM,
    BY_JUDGE,
    BY_WITNESS,
    Block,
    Box,
    Fence,
    Limits,
    Near,
    Slots,
    Terms,
    blocks_of_models,
    blocks_of_pieces,
    hits_any,
    leg_hit,
    leg_hits,
)
from rolloff.geometry.plain_convex import Corners, comes_closer, convex_sum, core_distance, core_offsets, extent
from rolloff.geometry.trig import COS, FULL_TURN, SCALE_BITS, SIN, rounded
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


def _nearest_fellow(members: list[Member], poses: list[Pose], i: int) -> float:
    best = 1e18
    for j, b in enumerate(members):
        if j != i:
            best = min(best, pose_gap(members[i], poses[i], b, poses[j]))
    return best


def _rim_way(m: Member, a: Pose, b: Pose, rim: int) -> float:
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


class Ruling:
    """A verdict in the making: the first refusal stands."""

    __slots__ = ("code", "coherent", "difficult", "longest", "pairs", "slot", "was_coherent", "what")

    def __init__(self) -> None:
        """Nothing is refused yet."""
        self.code = int(Code.LEGAL)
        self.slot = self.what = -1
        self.longest = 0
        self.difficult = self.was_coherent = self.coherent = False
        self.pairs: list[tuple[int, int]] = []

    def refuse(self, code: int, slot: int, what: int) -> None:
        """Refuse, unless something was refused before."""
        if self.code == Code.LEGAL:
            self.code, self.slot, self.what = int(code), slot, what


def _turn(a: int, b: int) -> int:
    turn = abs(b - a)
    return FULL_TURN - turn if turn > FULL_TURN // 2 else turn


def _leg_length(order: Order, m: Member, at: Pose, to: Pose, k: int, ruling: Ruling) -> float:
    """What one leg costs."""
    dx, dy = to[0] - at[0], to[1] - at[1]
    by_rim = order.hull is None and order.rim_by_leg and order.rim and to[2] != at[2] and (m.hl or m.hw)
    if not (dx or dy):
        return _rim_way(m, at, to, order.rim) if by_rim else 0.0
    m.moved = True
    d = sqrt(float(dx) * dx + float(dy) * dy)
    if order.hull is not None:
        factor = hull_factor(order, order.hull, dx, dy, at[2])
        if factor == 0:
            ruling.refuse(Code.SIDEWAYS, m.slot, k)
        return d * factor
    return _rim_way(m, at, to, order.rim) if by_rim else d


def _measure_path(order: Order, m: Member, ruling: Ruling) -> None:
    """Lengths, pivots and the end pose of one member's path."""
    at, pivots, length, hull = m.start, 0, 0.0, order.hull
    for k, (x, y, f) in enumerate(m.path):
        to = (x, y, f if f >= 0 else at[2])
        m.path[k] = to
        length = length + _leg_length(order, m, at, to, k, ruling)
        if hull is not None and to[2] != at[2]:
            turn = _turn(at[2], to[2])
            pivots += 1
            if pivots > hull.pivots or turn > hull.pivot:
                ruling.refuse(Code.PIVOT, m.slot, turn)
        at = to
    m.to = at
    if hull is None and not order.rim_by_leg and order.rim and at[2] != m.facing and (m.hl or m.hw):
        length = max(length, _rim_way(m, m.start, at, order.rim))
    m.length = length
    if not m.moved and (at[2] == m.facing or not (m.hl or m.hw)):
        m.path = []


def off_table(scene: Scene, m: Member, p: Pose, slack: int) -> bool:
    """Whether a base reaches over the table's edge by more than the slack."""
    ex, ey = extent(m.hl, m.hw, m.r, p[2] if m.hl or m.hw else 0)
    ground = scene.field.ground
    return p[0] - ex < -slack or p[1] - ey < -slack or p[0] + ex > ground.width + slack or p[1] + ey > ground.height + slack


class Surroundings:
    """What may not be neared, and difficult and dangerous ground, for the core of the mover at hand."""

    __slots__ = ("core", "end", "limits", "models", "near", "order", "r", "region", "slots", "terms", "touched", "way")

    def __init__(self, slots: Slots, terms: Terms, r: int, region: Box) -> None:
        """Nothing is gathered before the first mover."""
        self.slots, self.terms, self.r, self.region = slots, terms, r, region
        self.order = terms.order
        self.core: tuple[int, int, int] | None = None
        self.models: list[Block] = []
        self.touched: list[Block] = []
        self.limits: dict[tuple[int, int], Limits] = {}
        self.near: Sequence[Near] = ()
        self.way: list[Fence] = []
        self.end: list[Fence] = []

    def ready(self, m: Member, facing: int, level: int, near: Sequence[Near] | None = None) -> None:
        """Gather the obstacles of a mover's core, if they are others, and set its limits.

        What a model is too near to is noted at its start; once it has turned, that note is handed in.
        """
        core = (m.hl, m.hw, facing if m.hl or m.hw else 0)
        if core != self.core:
            self.core, self.limits = core, {}
            about = core_offsets(*core)
            ground = self.slots.scene.field.ground
            self.models = blocks_of_models(self.slots, self.terms, about, self.r, self.region)
            self.models += blocks_of_pieces(ground, self.terms, about, self.r, self.region, 0)
            kinds = self.order.difficult | self.order.dangerous
            self.touched = blocks_of_pieces(ground, self.terms, about, self.r, self.region, kinds) if kinds else []
        limits = self.limits.get((m.r, level))
        if limits is None:
            limits = self.limits[m.r, level] = Limits(self.terms, self.models, len(self.models), m.r, level)
        self.near = limits.near(m.x, m.y) if near is None else near
        self.way, self.end = limits.fences(self.near)


def blame(blocks: list[Block], hit: int, slot: int, ruling: Ruling) -> None:
    """Refuse for the block that was hit, if any."""
    if hit >= 0:
        o = blocks[hit]
        if o.unit >= 0:
            ruling.refuse(Code.GAP_UNIT, slot, o.unit)
        else:
            ruling.refuse(Code.IMPASSABLE, slot, o.piece)


def _note_touched(w: Surroundings, m: Member, at: Pose, to: Pose, ruling: Ruling) -> None:
    """Note the difficult and dangerous pieces a leg touches."""
    d = float(m.r) - float(w.order.leeway.touch)
    places = w.slots.scene.field.ground.places
    for o in w.touched:
        if not comes_closer(o.corners, float(at[0]), float(at[1]), float(to[0]), float(to[1]), d + float(o.r)):
            continue
        kinds = places[o.piece].kinds
        if kinds & w.order.difficult:
            ruling.difficult = True
        if kinds & w.order.dangerous and (m.slot, o.piece) not in ruling.pairs:
            ruling.pairs.append((m.slot, o.piece))


def _walk_path(w: Surroundings, m: Member, ruling: Ruling) -> None:
    """Walk one member along its path and refuse at the first thing in the way."""
    order, scene = w.order, w.slots.scene
    edge = order.leeway.edge
    free_way = order.arranged and m.slot != order.coherency.leader
    at = m.start
    w.ready(m, at[2], BY_JUDGE)
    for to in m.path:
        if not free_way:
            if m.moved and w.touched:
                _note_touched(w, m, at, to, ruling)
            if off_table(scene, m, (to[0], to[1], at[2]), edge):
                ruling.refuse(Code.OFF_TABLE, m.slot, -1)
            hit = leg_hit(w.way, float(at[0]), float(at[1]), float(to[0]), float(to[1]))
            blame(w.models, hit, m.slot, ruling)
        if to[2] != at[2]:
            w.ready(m, to[2], BY_JUDGE, w.near)
            if not free_way:
                if m.moved and w.touched:
                    _note_touched(w, m, to, to, ruling)
                hit = leg_hit(w.way, float(to[0]), float(to[1]), float(to[0]), float(to[1]))
                blame(w.models, hit, m.slot, ruling)
        at = to
    _check_end(w, m, ruling)


def _check_end(w: Surroundings, m: Member, ruling: Ruling) -> None:
    """Whether a member may stand where its path ends."""
    order, (x, y, facing) = w.order, m.to
    edge = order.leeway.edge
    if off_table(w.slots.scene, m, m.to, edge):
        ruling.refuse(Code.OFF_TABLE, m.slot, -1)
    hit = leg_hit(w.end, float(x), float(y), float(x), float(y))
    blame(w.models, hit, m.slot, ruling)
    if order.off_limits is not None:
        x0, y0, x1, y1 = order.off_limits
        ex, ey = extent(m.hl, m.hw, m.r, facing if m.hl or m.hw else 0)
        if x + ex > x0 + edge and x - ex < x1 - edge and y + ey > y0 + edge and y - ey < y1 - edge:
            ruling.refuse(Code.OFF_LIMITS, m.slot, -1)


def target_members(slots: Slots, units: tuple[int, ...]) -> list[tuple[int, Member]]:
    """The models of some units on the table, with their unit numbers."""
    xy = slots.xy
    return [(unit, Member(slots, j)) for j, unit in enumerate(slots.owner) if unit in units and xy[2 * j] != NOWHERE]


def _least(m: Member, p: Pose, others: list[tuple[int, Member]], unit: int = -1) -> float:
    best = 1e18
    for owner, other in others:
        if unit in (-1, owner):
            best = min(best, pose_gap(m, p, other, other.start))
    return best


def target_gaps(scene: Scene, order: Order) -> list[float]:
    """The gap of each member of the unit to the nearest model of the targets."""
    slots = Slots(scene)
    others = target_members(slots, order.targets)
    return [_least(m, m.start, others) for m in members_of(slots, order.unit)]


def _check_targets(slots: Slots, order: Order, members: list[Member], ruling: Ruling) -> None:
    """Contact with every target, and nobody further away than allowed."""
    others = target_members(slots, order.targets)
    contact = float(order.reach if order.reach >= 0 else order.leeway.contact)
    if order.contact:
        for unit in order.targets:
            if not any(_least(m, m.to, others, unit) <= contact for m in members):
                ruling.refuse(Code.NO_CONTACT, -1, unit)
    if order.closing == ANY:
        return
    for m in members:
        if order.closing == NO_FURTHER and not m.path:
            continue
        after, before = _least(m, m.to, others), _least(m, m.start, others)
        if after <= contact:
            continue
        worse = after > before + order.leeway.gap if order.closing == NO_FURTHER else after >= before
        if worse:
            ruling.refuse(Code.FURTHER, m.slot, -1)


def _check_coherency(scene: Scene, order: Order, members: list[Member], ruling: Ruling) -> None:
    """Whether the unit holds together as far as the order asks for it."""
    starts, ends = [m.start for m in members], [m.to for m in members]
    need = order.coherency.need
    ruling.coherent, links = coherent_at(scene, order, members, ends)
    ruling.was_coherent, links_before = coherent_at(scene, order, members, starts)
    if ruling.coherent or order.cohere == NEVER:
        return
    if order.cohere == ALWAYS or (order.cohere == KEEP and ruling.was_coherent):
        stray = next((i for i, k in enumerate(links) if k < need), len(members) - 1)
        ruling.refuse(Code.INCOHERENT, members[stray].slot, -1)
    if order.cohere == NEARER:
        for i, k in enumerate(links_before):
            if k < need and _nearest_fellow(members, ends, i) >= _nearest_fellow(members, starts, i):
                ruling.refuse(Code.INCOHERENT, members[i].slot, -1)


def check_own_bases(order: Order, members: list[Member], ruling: Ruling) -> None:
    """Refuse models that end on fellows."""
    least = -float(order.leeway.overlap)
    for i, a in enumerate(members):
        for b in members[i + 1 :]:
            if (a.path or b.path) and pose_gap(a, a.to, b, b.to) < least:
                ruling.refuse(Code.OVERLAP, a.slot, b.slot)


def _check_length(order: Order, members: list[Member], most: int, ruling: Ruling) -> None:
    for m in members:
        if order.arranged and m.slot != order.coherency.leader:
            continue
        if m.length > float(most + order.leeway.move):
            ruling.refuse(Code.TOO_LONG, m.slot, most)


def _region(members: list[Member]) -> tuple[int, Box]:
    """The greatest radius of those that move, and the box of all their centres."""
    xs, ys, r = [], [], 0
    for m in members:
        if m.path:
            xs += [m.x, *(p[0] for p in m.path)]
            ys += [m.y, *(p[1] for p in m.path)]
            r = max(r, m.r)
    return r, (min(xs), min(ys), max(xs), max(ys)) if xs else (0, 0, 0, 0)


def judge_members(slots: Slots, order: Order, members: list[Member]) -> Ruling:
    """Judge the paths that the members were given."""
    scene, terms, ruling = slots.scene, Terms(order), Ruling()
    for m in members:
        _measure_path(order, m, ruling)
    _check_length(order, members, order.allowance, ruling)
    r, region = _region(members)
    w = Surroundings(slots, terms, r, region)
    for m in members:
        if m.path:
            _walk_path(w, m, ruling)
    check_own_bases(order, members, ruling)
    if ruling.difficult and 0 <= order.difficult_cap < order.allowance:
        _check_length(order, members, order.difficult_cap, ruling)
    _check_coherency(scene, order, members, ruling)
    if order.targets:
        _check_targets(slots, order, members, ruling)
    counted = [m.length for m in members if not (order.arranged and m.slot != order.coherency.leader)]
    ruling.longest = int(max([0.0, *counted]) + 0.5)
    return ruling


def nearest_whole(v: float) -> int:
    """Round to the nearest whole number, halves up."""
    return floor(v + 0.5)


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


def straight_reach(scene: Scene, order: Order, slot: int, pose: Pose, heading: int, most: int, near: Sequence[Near]) -> int:
    """How far a model could go straight from a pose in a direction, or -1 if the pose itself is unlawful."""
    slots = Slots(scene)
    m = Member(slots, slot)
    x, y, turn = pose
    w = Surroundings(slots, Terms(order), m.r, (x - most, y - most, x + most, y + most))
    w.ready(m, turn, BY_AIM, near)
    low, high, mid = -1, most + 1, most
    px, py = x + rounded(most * COS[heading]), y + rounded(most * SIN[heading])
    hits = leg_hits(w.way, float(x), float(y), float(px), float(py))
    while high - low > 1:
        px, py = x + rounded(mid * COS[heading]), y + rounded(mid * SIN[heading])
        clear = not off_table(scene, m, (px, py, turn), 0)
        if clear and not hits_any(hits, float(x), float(y), float(px), float(py)):
            low = mid
        else:
            high = mid
        mid = low + (high - low) // 2
    return low
