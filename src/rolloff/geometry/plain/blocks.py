"""Obstacles in plain Python: a moving base is a point amid grown convex shapes.

A base that does not turn sweeps over another base exactly where its centre comes closer to the sum of both
cores than the sum of both radii. So every obstacle is a `Block`: a convex polygon and a radius; and every rule
about gaps is a `Fence` around it that the centre of a moving base may not cross. The twin of
`csrc/paths_blocks.c`.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from rolloff.geometry.field import Ground, Scene
from rolloff.geometry.moves import CLEAR, FREE, Order
from rolloff.geometry.plain.convex import Corners, comes_closer, convex_sum, core_distance, point_segment2
from rolloff.geometry.shapes import core
from rolloff.lengths import NOWHERE

NO_LIMIT: Final = -1e18
STRICT: Final = 1e-6
OVER: Final = 1 << 28
BY_JUDGE: Final = 0
BY_WITNESS: Final = 1
BY_AIM: Final = 2

Box = tuple[float, float, float, float]


class Block(NamedTuple):
    """One obstacle: its box, corners and radius, and the unit and slot, or the piece, it stands for."""

    left: float
    bottom: float
    right: float
    top: float
    corners: Corners
    r: int
    unit: int
    slot: int
    piece: int


@lru_cache(maxsize=16)
def _pieces(ground: Ground) -> tuple[tuple[int, int, int, tuple[Corners, ...]], ...]:
    """Each piece's number, kinds, radius and convex parts, as floats."""
    rows: list[tuple[int, int, int, tuple[Corners, ...]]] = []
    for number, place in enumerate(ground.places):
        if place.disc is not None:
            x, y, r = place.disc
            rows.append((number, place.kinds, r, (((float(x), float(y)),),)))
        else:
            parts = tuple(tuple((float(x), float(y)) for x, y in part) for part in place.parts)
            rows.append((number, place.kinds, 0, parts))
    return tuple(rows)


def grown(corners: Corners, about: Corners) -> Corners:
    """Corners grown by a mover's core."""
    return convex_sum(corners, about) if len(about) > 1 else corners


def _boxed(corners: Corners) -> Box:
    if len(corners) == 1:
        x, y = corners[0]
        return x, y, x, y
    xs, ys = [p[0] for p in corners], [p[1] for p in corners]
    return min(xs), min(ys), max(xs), max(ys)


class Terms:
    """An order read once: its gap codes, and what it bars."""

    __slots__ = ("barred", "ends", "far", "order", "ways")

    def __init__(self, order: Order) -> None:
        """Unpack an order's buffers."""
        self.order = order
        self.ways: tuple[int, ...] = struct.unpack(f"<{len(order.way) // 4}i", order.way)
        self.ends: tuple[int, ...] = struct.unpack(f"<{len(order.end) // 4}i", order.end)
        self.barred = order.barred
        self.far: dict[int, float] = {}

    def least_gap(self, code: int, level: int) -> float:
        """The least gap a code asks for; a witness keeps inside the judge's leeway, an aim beyond any."""
        leeway = self.order.leeway
        if code == FREE:
            return NO_LIMIT
        if code >= OVER:
            return float(code - OVER) + (STRICT, 1.0, 3.0)[level]
        if code == CLEAR:
            return float(leeway.contact) + (STRICT, 2.0, 5.0)[level]
        if level == BY_AIM:
            return float(code) + 2.0
        if code == 0:
            return -float(leeway.overlap if level == BY_JUDGE else leeway.overlap // 2)
        return float(code - (leeway.gap if level == BY_JUDGE else leeway.gap // 2))

    def ground_gap(self, level: int) -> float:
        """The least gap to barred ground."""
        if level == BY_AIM:
            return 2.0
        overlap = self.order.leeway.overlap
        return -float(overlap if level == BY_JUDGE else overlap // 2)

    def codes(self, unit: int) -> tuple[int, int]:
        """Gap codes of a unit, on the way and at the end."""
        return (self.ways[unit], self.ends[unit]) if 0 <= unit < len(self.ways) else (FREE, FREE)

    def reach(self, unit: int) -> float:
        """The greatest gap this unit's codes can ask for."""
        known = self.far.get(unit)
        if known is None:
            w, e = self.codes(unit)
            known = self.far[unit] = max(self.least_gap(w, BY_AIM), self.least_gap(e, BY_AIM))
        return known

    def bars(self, piece: int, kinds: int) -> bool:
        """Whether this order keeps the unit out of a piece."""
        flag = self.barred_as(piece)
        return flag in (1, 3) or (flag != 2 and bool(kinds & self.order.impassable))

    def barred_as(self, piece: int) -> int:
        """What the order says of a piece: 1 bars it, 2 opens it, 3 bars it to those who would end there."""
        return self.barred[piece] if 0 <= piece < len(self.barred) else 0


class Slots:
    """A scene's buffers unpacked."""

    __slots__ = ("bases", "facing", "owner", "scene", "xy")

    def __init__(self, scene: Scene) -> None:
        """Unpack the buffers of a moment."""
        n = scene.field.n
        self.scene = scene
        self.bases = scene.field.bases
        self.xy: tuple[int, ...] = struct.unpack(f"<{2 * n}i", scene.xy)
        self.facing: tuple[int, ...] = struct.unpack(f"<{n}h", scene.facing)
        self.owner: tuple[int, ...] = struct.unpack(f"<{n}h", scene.owner)

    def corners(self, slot: int) -> Corners:
        """The corners of a model's core on the table."""
        hl, hw, _, _ = self.bases[slot]
        x, y = self.xy[2 * slot], self.xy[2 * slot + 1]
        if hl == 0 and hw == 0:
            return ((float(x), float(y)),)
        return tuple((float(px), float(py)) for px, py in core(x, y, self.facing[slot], hl, hw))


def blocks_of_models(slots: Slots, terms: Terms, about: Corners, r: int, region: Box) -> list[Block]:
    """Models of other units that matter to an order, near a region of centres."""
    own, xy, owner, bases = terms.order.unit, slots.xy, slots.owner, slots.bases
    left, bottom, right, top = region
    stretch = max(map(abs, (c for p in about for c in p)))
    found: list[Block] = []
    for j, unit in enumerate(owner):
        if unit == own:
            continue
        x = xy[2 * j]
        if x == NOWHERE:
            continue
        far = terms.reach(unit) + r
        if far < -1e9:
            continue
        base = bases[j]
        far += base.r
        wide, y = far + base.hl + base.hw + stretch + 1.0, xy[2 * j + 1]
        if x - wide > right or x + wide < left or y - wide > top or y + wide < bottom:
            continue
        corners = slots.corners(j)
        if len(about) > 1:
            corners = convex_sum(corners, about)
        l, b, rt, t = _boxed(corners)  # noqa: E741  the four sides of a box
        if l - far > right or rt + far < left or b - far > top or t + far < bottom:
            continue
        found.append(Block(l, b, rt, t, corners, base.r, unit, j, -1))
    return found


def blocks_along(slots: Slots, terms: Terms, about: Corners, r: int, x0: float, y0: float, x1: float, y1: float) -> list[Block]:
    """Models of other units that matter to an order and lie anywhere near a leg."""
    own, xy, bases = terms.order.unit, slots.xy, slots.bases
    stretch = max(map(abs, (c for p in about for c in p))) * 1.5
    found: list[Block] = []
    for j, unit in enumerate(slots.owner):
        x = xy[2 * j]
        if unit == own or x == NOWHERE:
            continue
        far = terms.reach(unit) + r + bases[j].r
        if far < -1e9:
            continue
        wide = far + bases[j].hl + bases[j].hw + stretch + 1.0
        if point_segment2(x, xy[2 * j + 1], x0, y0, x1, y1) <= wide * wide:
            corners = grown(slots.corners(j), about)
            found.append(Block(*_boxed(corners), corners, bases[j].r, unit, j, -1))
    return found


def blocks_of_pieces(ground: Ground, terms: Terms, about: Corners, r: int, region: Box, kinds: int) -> list[Block]:
    """Terrain pieces of some kinds (0: those the order bars), part by part."""
    left, bottom, right, top = region
    found: list[Block] = []
    stretch = max(map(abs, (c for p in about for c in p)))
    for number, own_kinds, radius, parts in _pieces(ground):
        if not (terms.bars(number, own_kinds) if kinds == 0 else own_kinds & kinds):
            continue
        far = r + 2.0 + radius
        wide, box = r + 3.0 + stretch, ground.places[number].box
        if box[0] - wide > right or box[2] + wide < left or box[1] - wide > top or box[3] + wide < bottom:
            continue
        for part in parts:
            corners = grown(part, about)
            l, b, rt, t = _boxed(corners)  # noqa: E741  the four sides of a box
            if l - far > right or rt + far < left or b - far > top or t + far < bottom:
                continue
            found.append(Block(l, b, rt, t, corners, radius, -1, -1, number))
    return found


Near = tuple[int, int, float]
"""What a model starts too near to: a unit, or -1 and a terrain piece, and the gap to it."""

Fence = tuple[float, float, float, float, Corners, float, int, float, float, float]
"""A block's box grown by the least distance from it, its corners, that distance, the block's number; then, if it
is a single corner, that corner and the distance squared, else a negative number in place of the latter."""


def _fence(o: Block, d: float, k: int) -> Fence:
    box = (o.left - d, o.bottom - d, o.right + d, o.top + d)
    x, y = o.corners[0]
    return (*box, o.corners, d, k, x, y, d * d if len(o.corners) == 1 and d > 0.0 else -1.0)


def fenced(blocks: Sequence[Block], tau: Sequence[float]) -> list[Fence]:
    """The fences of blocks at given distances; blocks without a limit have none."""
    return [_fence(o, d, k) for k, (o, d) in enumerate(zip(blocks, tau, strict=True)) if d > NO_LIMIT]


def leg_hit(fences: Sequence[Fence], x0: float, y0: float, x1: float, y1: float) -> int:
    """The number of the first block a leg comes too close to, or -1."""
    left, right = (x0, x1) if x0 < x1 else (x1, x0)
    bottom, top = (y0, y1) if y0 < y1 else (y1, y0)
    dx, dy = x1 - x0, y1 - y0
    ll = dx * dx + dy * dy
    for l, b, r, t, corners, d, k, cx, cy, dd in fences:  # noqa: E741  the four sides of a box
        if right < l or left > r or top < b or bottom > t:
            continue
        if dd < 0.0:
            if comes_closer(corners, x0, y0, x1, y1, d):
                return k
            continue
        vx, vy = cx - x0, cy - y0  # a lone corner, as most are: the distance of a point from a segment, written out
        along = vx * dx + vy * dy
        if along <= 0.0:
            if vx * vx + vy * vy < dd:
                return k
        elif along >= ll:
            vx, vy = cx - x1, cy - y1
            if vx * vx + vy * vy < dd:
                return k
        else:
            c = vx * dy - vy * dx
            if c * c / ll < dd:
                return k
    return -1


def leg_hits(fences: Sequence[Fence], x0: float, y0: float, x1: float, y1: float) -> list[tuple[Corners, float]]:
    """All blocks a leg comes too close to. A shorter leg on the same line need only be tested against these."""
    left, right = (x0, x1) if x0 < x1 else (x1, x0)
    bottom, top = (y0, y1) if y0 < y1 else (y1, y0)
    found = []
    for l, b, r, t, corners, d, _, _, _, _ in fences:  # noqa: E741  the four sides of a box
        if right < l or left > r or top < b or bottom > t:
            continue
        if comes_closer(corners, x0, y0, x1, y1, d):
            found.append((corners, d))
    return found


def hits_any(some: list[tuple[Corners, float]], x0: float, y0: float, x1: float, y1: float) -> bool:
    """Whether a leg comes too close to one of some blocks."""
    return any(comes_closer(corners, x0, y0, x1, y1, d) for corners, d in some)


class Limits:
    """The limits of all blocks for models of one radius, before anyone's start lowers them."""

    __slots__ = ("avoid", "blocks", "end", "gaps", "level", "r", "tau_end", "tau_way", "terms", "way")

    def __init__(self, terms: Terms, blocks: Sequence[Block], avoid: int, r: int, level: int) -> None:
        """Work out the least distances of a base's centre from each block, on the way and at the end."""
        self.terms, self.blocks, self.avoid, self.r, self.level = terms, blocks, avoid, r, level
        order = terms.order
        touch, ground = float(order.leeway.touch), terms.ground_gap(level)
        self.tau_way: list[float] = []
        self.tau_end: list[float] = []
        self.gaps: dict[int, tuple[float, float]] = {}
        for k, o in enumerate(blocks):
            total = float(r + o.r)
            if o.unit < 0:
                end = total - touch if k >= avoid else total + ground
                self.tau_end.append(end)
                passed = order.through_impassable or terms.barred_as(o.piece) == 3
                self.tau_way.append(NO_LIMIT if passed and k < avoid else end)
                continue
            pair = self.gaps.get(o.unit)
            if pair is None:
                w, e = terms.codes(o.unit)
                pair = self.gaps[o.unit] = (terms.least_gap(w, level), terms.least_gap(e, level))
            self.tau_way.append(total + pair[0] if pair[0] > NO_LIMIT else NO_LIMIT)
            self.tau_end.append(total + pair[1] if pair[1] > NO_LIMIT else NO_LIMIT)
        self.way, self.end = fenced(blocks, self.tau_way), fenced(blocks, self.tau_end)

    def near(self, x: int, y: int) -> list[Near]:
        """What a model that starts here is nearer to than it may be: unit, piece, gap.

        Units and, for witnesses, which keep further off than the judge asks, barred ground.
        """
        found: list[Near] = []
        fx, fy, r, ground = float(x), float(y), self.r, self.terms.ground_gap(self.level)
        for k, (l, b, rt, t, corners, radius, unit, _, piece) in enumerate(self.blocks):  # noqa: E741  a box
            if unit >= 0:
                w, e = self.gaps[unit]
            elif self.level == BY_JUDGE or k >= self.avoid:
                continue
            else:
                w = e = ground
            total = float(r + radius)
            most = total + (w if w > e else e)
            if fx < l - most or fx > rt + most or fy < b - most or fy > t + most:
                continue
            g = core_distance(corners, fx, fy) - total
            if g < w or g < e:
                found.append((unit, piece, g))
        return found

    def fences(self, near: Sequence[Near]) -> tuple[list[Fence], list[Fence]]:
        """The fences on the way and at the end; what was too near at the start has its own lowered."""
        if not near:
            return self.way, self.end
        way, end = list(self.tau_way), list(self.tau_end)
        for unit, piece, g in near:
            if unit < 0:
                self._lower_ground(piece, g, way, end)
            else:
                self._lower_unit(unit, g, way, end)
        return fenced(self.blocks, way), fenced(self.blocks, end)

    def _lower_ground(self, piece: int, g: float, way: list[float], end: list[float]) -> None:
        low = max(g - 1.0, self.terms.ground_gap(BY_JUDGE))
        for j, q in enumerate(self.blocks[: self.avoid]):
            if q.unit < 0 and q.piece == piece:
                way[j] = min(way[j], float(self.r + q.r) + low)
                end[j] = min(end[j], float(self.r + q.r) + low)

    def _lower_unit(self, unit: int, g: float, way: list[float], end: list[float]) -> None:
        order = self.terms.order
        slack = float(order.leeway.gap if self.level == BY_JUDGE else order.leeway.gap // 2)
        w, e = (self.terms.least_gap(code, self.level) for code in self.terms.codes(unit))
        for j, q in enumerate(self.blocks):
            if q.unit != unit:
                continue
            low = float(self.r + q.r) + g - slack
            if g < w and low < way[j]:
                way[j] = low
            if order.tolerant and g < e and low < end[j]:
                end[j] = low
