"""Obstacles in plain Python: a moving base is a point amid grown convex shapes.

A base that does not turn sweeps over another base exactly where its centre comes closer to the sum of both
cores than the sum of both radii. So every obstacle is a `Block`: a convex polygon (one corner, two, or more,
counter-clockwise) and a radius. Step for step the twin of the first half of `csrc/paths.c`.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import lru_cache
from math import sqrt
from typing import Final, NamedTuple

from rolloff.geometry.field import Ground, Scene
from rolloff.geometry.moves import CLEAR, FREE, Order
from rolloff.geometry.shapes import core
from rolloff.lengths import NOWHERE

NO_LIMIT: Final = -1e18
STRICT: Final = 1e-6
OVER: Final = 1 << 28
BY_JUDGE: Final = 0
BY_WITNESS: Final = 1
BY_AIM: Final = 2

Corners = tuple[tuple[float, float], ...]
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


def point_segment2(px: float, py: float, ax: float, ay: float, bx: float, by: float) -> float:
    """Squared distance of a point from a segment."""
    dx, dy, vx, vy = bx - ax, by - ay, px - ax, py - ay
    t, ll = vx * dx + vy * dy, dx * dx + dy * dy
    if t <= 0.0:
        return vx * vx + vy * vy
    if t >= ll:
        vx, vy = px - bx, py - by
        return vx * vx + vy * vy
    c = vx * dy - vy * dx
    return c * c / ll


def enters(corners: Corners, x0: float, y0: float, x1: float, y1: float, depth: float) -> bool:
    """Whether a segment meets the part of a convex polygon that lies deeper than `depth` inside it."""
    t0, t1 = 0.0, 1.0
    ax, ay = corners[-1]
    for bx, by in corners:
        ex, ey = bx - ax, by - ay
        p, q = ex * (y0 - ay) - ey * (x0 - ax), ex * (y1 - ay) - ey * (x1 - ax)
        if depth > 0.0:
            cut = depth * sqrt(ex * ex + ey * ey)
            p -= cut
            q -= cut
        if p <= 0.0:
            if q <= 0.0:
                return False
            t = p / (p - q)
            if t > t0:
                t0 = t
        elif q <= 0.0:
            t = p / (p - q)
            if t < t1:
                t1 = t
        ax, ay = bx, by
    return t0 < t1


def _segments_cross(corners: Corners, x0: float, y0: float, x1: float, y1: float) -> bool:
    (ax, ay), (bx, by) = corners
    dx, dy, ex, ey = x1 - x0, y1 - y0, bx - ax, by - ay
    p, q = dx * (ay - y0) - dy * (ax - x0), dx * (by - y0) - dy * (bx - x0)
    u, v = ex * (y0 - ay) - ey * (x0 - ax), ex * (y1 - ay) - ey * (x1 - ax)
    parted = (p > 0.0 and q < 0.0) or (p < 0.0 and q > 0.0)
    return parted and ((u > 0.0 and v < 0.0) or (u < 0.0 and v > 0.0))


def comes_closer(corners: Corners, x0: float, y0: float, x1: float, y1: float, tau: float) -> bool:
    """Whether a segment comes closer than tau to a polygon; a negative tau allows so much depth inside."""
    m = len(corners)
    if m >= 3:
        if tau <= 0.0:
            return enters(corners, x0, y0, x1, y1, -tau)
        if enters(corners, x0, y0, x1, y1, 0.0):
            return True
    else:
        if tau <= 0.0:
            return False
        if m == 2 and _segments_cross(corners, x0, y0, x1, y1):
            return True
    tt = tau * tau
    for px, py in corners:
        if point_segment2(px, py, x0, y0, x1, y1) < tt:
            return True
    if m == 1:
        return False
    ax, ay = corners[-1]
    for bx, by in corners:
        if point_segment2(x0, y0, ax, ay, bx, by) < tt or point_segment2(x1, y1, ax, ay, bx, by) < tt:
            return True
        ax, ay = bx, by
    return False


def core_distance(corners: Corners, x: float, y: float) -> float:
    """Signed distance of a point from a polygon: negative inside, by how deep."""
    if len(corners) == 1:
        dx, dy = x - corners[0][0], y - corners[0][1]
        return sqrt(dx * dx + dy * dy)
    ax, ay = corners[-1]
    best, depth, inside = -1.0, 1e18, len(corners) >= 3
    for bx, by in corners:
        d = point_segment2(x, y, ax, ay, bx, by)
        if best < 0.0 or d < best:
            best = d
        if inside:
            ex, ey = bx - ax, by - ay
            c = ex * (y - ay) - ey * (x - ax)
            if c <= 0.0:
                inside = False
            else:
                c = c / sqrt(ex * ex + ey * ey)
                if c < depth:
                    depth = c
        ax, ay = bx, by
    return -depth if inside else sqrt(best)


def convex_sum(p: Corners, q: Corners) -> Corners:
    """The sum of two convex polygons of one, two or more corners, from the lowest corner on."""
    m, n = len(p), len(q)
    i0 = min(range(m), key=lambda k: (p[k][1], p[k][0]))
    j0 = min(range(n), key=lambda k: (q[k][1], q[k][0]))
    im, jn = (0 if m == 1 else m), (0 if n == 1 else n)
    i = j = 0
    out: list[tuple[float, float]] = []
    while True:
        a, b = p[(i0 + i) % m], q[(j0 + j) % n]
        if i == im and j == jn and out:
            break
        out.append((a[0] + b[0], a[1] + b[1]))
        if i == im and j == jn:
            break
        a2, b2 = p[(i0 + i + 1) % m], q[(j0 + j + 1) % n]
        if i == im:
            c = -1.0
        elif j == jn:
            c = 1.0
        else:
            c = (a2[0] - a[0]) * (b2[1] - b[1]) - (a2[1] - a[1]) * (b2[0] - b[0])
        if c >= 0:
            i += 1
        if c <= 0:
            j += 1
    return tuple(out)


@lru_cache(maxsize=512)
def core_offsets(hl: int, hw: int, facing: int) -> Corners:
    """The corners of a core about its own centre."""
    return tuple((float(x), float(y)) for x, y in core(0, 0, facing, hl, hw))


@lru_cache(maxsize=512)
def extent(hl: int, hw: int, r: int, facing: int) -> tuple[int, int]:
    """How far a base reaches along x and along y from its centre."""
    offsets = core(0, 0, facing, hl, hw)
    return max(0, *(x for x, _ in offsets)) + r, max(0, *(y for _, y in offsets)) + r


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
        flag = self.barred[piece] if piece < len(self.barred) else 0
        return flag == 1 or (flag != 2 and bool(kinds & self.order.impassable))


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
        corners = slots.corners(j)
        if len(about) > 1:
            corners = convex_sum(corners, about)
        l, b, rt, t = _boxed(corners)  # noqa: E741  the four sides of a box
        if l - far > right or rt + far < left or b - far > top or t + far < bottom:
            continue
        found.append(Block(l, b, rt, t, corners, base.r, unit, j, -1))
    return found


def blocks_of_pieces(ground: Ground, terms: Terms, about: Corners, r: int, region: Box, kinds: int) -> list[Block]:
    """Terrain pieces of some kinds (0: those the order bars), part by part."""
    left, bottom, right, top = region
    found: list[Block] = []
    for number, own_kinds, radius, parts in _pieces(ground):
        if not (terms.bars(number, own_kinds) if kinds == 0 else own_kinds & kinds):
            continue
        far = r + 2.0 + radius
        for part in parts:
            corners = grown(part, about)
            l, b, rt, t = _boxed(corners)  # noqa: E741  the four sides of a box
            if l - far > right or rt + far < left or b - far > top or t + far < bottom:
                continue
            found.append(Block(l, b, rt, t, corners, radius, -1, -1, number))
    return found


def leg_hit(blocks: Sequence[Block], tau: Sequence[float], x0: float, y0: float, x1: float, y1: float) -> int:
    """The index of the first block a leg comes too close to, or -1; tau by block."""
    left, right = (x0, x1) if x0 < x1 else (x1, x0)
    bottom, top = (y0, y1) if y0 < y1 else (y1, y0)
    k = -1
    for bl, bb, br, bt, corners, _, _, _, _ in blocks:
        k += 1
        d = tau[k]
        if right < bl - d or left > br + d or top < bb - d or bottom > bt + d:
            continue
        if comes_closer(corners, x0, y0, x1, y1, d):
            return k
    return -1


def leg_hits(
    blocks: Sequence[Block], tau: Sequence[float], x0: float, y0: float, x1: float, y1: float
) -> list[tuple[Corners, float]]:
    """All blocks a leg comes too close to. A shorter leg in the same direction need only be tested against these."""
    left, right = (x0, x1) if x0 < x1 else (x1, x0)
    bottom, top = (y0, y1) if y0 < y1 else (y1, y0)
    found = []
    for o, d in zip(blocks, tau, strict=True):
        if right < o.left - d or left > o.right + d or top < o.bottom - d or bottom > o.top + d:
            continue
        if comes_closer(o.corners, x0, y0, x1, y1, d):
            found.append((o.corners, d))
    return found


def hits_any(some: list[tuple[Corners, float]], x0: float, y0: float, x1: float, y1: float) -> bool:
    """Whether a leg comes too close to one of some blocks."""
    return any(comes_closer(corners, x0, y0, x1, y1, d) for corners, d in some)


def _lowered(
    terms: Terms,
    blocks: Sequence[Block],
    r: int,
    x: int,
    y: int,
    level: int,
    way: list[float],
    end: list[float],
) -> None:
    """Lower the limits of units that are nearer than that already when the model starts."""
    order = terms.order
    slack = float(order.leeway.gap if level == BY_JUDGE else order.leeway.gap // 2)
    for o in blocks:
        if o.unit < 0:
            continue
        w, e = (terms.least_gap(code, level) for code in terms.codes(o.unit))
        total = float(r + o.r)
        most = total + (w if w > e else e)
        if x < o.left - most or x > o.right + most or y < o.bottom - most or y > o.top + most:
            continue
        g = core_distance(o.corners, float(x), float(y)) - total
        if g >= w and g >= e:
            continue
        for j, q in enumerate(blocks):
            if q.unit != o.unit:
                continue
            low = float(r + q.r) + g - slack
            if g < w and low < way[j]:
                way[j] = low
            if order.tolerant and g < e and low < end[j]:
                end[j] = low


def limits_of(
    terms: Terms, blocks: Sequence[Block], avoid: int, r: int, x: int, y: int, level: int
) -> tuple[list[float], list[float]]:
    """Least distances of a base's centre from each block, on the way and at the end (MOVE-5 included)."""
    order = terms.order
    way: list[float] = []
    end: list[float] = []
    known: dict[int, tuple[float, float]] = {}
    for k, o in enumerate(blocks):
        total = float(r + o.r)
        if o.unit < 0:
            if k >= avoid:
                way.append(total - order.leeway.touch)
                end.append(total - order.leeway.touch)
                continue
            end.append(total + terms.ground_gap(level))
            way.append(NO_LIMIT if order.through_impassable else end[-1])
            continue
        pair = known.get(o.unit)
        if pair is None:
            w, e = terms.codes(o.unit)
            pair = known[o.unit] = (terms.least_gap(w, level), terms.least_gap(e, level))
        way.append(total + pair[0] if pair[0] > NO_LIMIT else NO_LIMIT)
        end.append(total + pair[1] if pair[1] > NO_LIMIT else NO_LIMIT)
    _lowered(terms, blocks, r, x, y, level, way, end)
    return way, end
