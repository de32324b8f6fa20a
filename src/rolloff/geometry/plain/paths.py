"""The judge of moves in plain Python: the twin of `csrc/paths_judge.c`."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from rolloff.geometry.field import Scene
from rolloff.geometry.moves import ALWAYS, ANY, KEEP, NEARER, NEVER, NO_FURTHER, Code, Order, Pose
from rolloff.geometry.plain.blocks import (
    BY_JUDGE,
    Block,
    Box,
    Fence,
    Limits,
    Near,
    Slots,
    Terms,
    blocks_of_models,
    blocks_of_pieces,
    leg_hit,
)
from rolloff.geometry.plain.convex import comes_closer, core_offsets, extent
from rolloff.geometry.plain.members import (
    Member,
    coherent_at,
    hull_factor,
    least_gap_to,
    nearest_fellow,
    off_table,
    pose_gap,
    rim_way,
    target_members,
)
from rolloff.geometry.trig import FULL_TURN


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
        return rim_way(m, at, to, order.rim) if by_rim else 0.0
    m.moved = True
    d = sqrt(float(dx) * dx + float(dy) * dy)
    if order.hull is not None:
        factor = hull_factor(order, order.hull, dx, dy, at[2])
        if factor == 0:
            ruling.refuse(Code.SIDEWAYS, m.slot, k)
        return d * factor
    return rim_way(m, at, to, order.rim) if by_rim else d


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
        length = max(length, rim_way(m, m.start, at, order.rim))
    m.length = length
    if not m.moved and (at[2] == m.facing or not (m.hl or m.hw)):
        m.path = []


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


def _check_targets(slots: Slots, order: Order, members: list[Member], ruling: Ruling) -> None:
    """Contact with every target, and nobody further away than allowed."""
    others = target_members(slots, order.targets)
    contact = float(order.reach if order.reach >= 0 else order.leeway.contact)
    if order.contact:
        for unit in order.targets:
            if not any(least_gap_to(m, m.to, others, unit) <= contact for m in members):
                ruling.refuse(Code.NO_CONTACT, -1, unit)
    if order.closing == ANY:
        return
    for m in members:
        if order.closing == NO_FURTHER and not m.path:
            continue
        after, before = least_gap_to(m, m.to, others), least_gap_to(m, m.start, others)
        if after <= contact:
            continue
        if order.closing == NO_FURTHER:
            worse = after > before + order.leeway.gap
        else:
            worse = after >= before and not _nears_one(order, m, others)
        if worse:
            ruling.refuse(Code.FURTHER, m.slot, -1)


def _nears_one(order: Order, m: Member, others: list[tuple[int, Member]]) -> bool:
    """Whether a member ends nearer to one of the targets than it began."""
    return any(least_gap_to(m, m.to, others, unit) < least_gap_to(m, m.start, others, unit) for unit in order.targets)


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
            if k < need and nearest_fellow(members, ends, i) >= nearest_fellow(members, starts, i):
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
