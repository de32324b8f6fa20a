"""The pathfinder in plain Python: the twin of `csrc/paths_search.c`.

A shortest way of a point amid grown convex shapes runs along corners of polygons drawn around those shapes.
The search draws them only where a straight way was blocked, and takes from each obstacle the two corners
that lie outermost as seen from where it stands. Every leg is tested against the exact shapes.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from math import sqrt
from typing import Final

from rolloff.geometry.field import Scene
from rolloff.geometry.moves import Order
from rolloff.geometry.plain.around import Spot, around, contact_spots, nearest_contact
from rolloff.geometry.plain.blocks import (
    BY_AIM,
    BY_WITNESS,
    NO_LIMIT,
    Block,
    Box,
    Fence,
    Limits,
    Slots,
    Terms,
    blocks_of_models,
    blocks_of_pieces,
    leg_hit,
)
from rolloff.geometry.plain.convex import core_distance, core_offsets, extent
from rolloff.geometry.plain.members import Member

MOST_NODES: Final = 4000
MOST_STEPS: Final = 400
MOST_LEGS: Final = 64
SPOTS_TRIED: Final = 6


class Source:
    """A model that may set out: where it stands, and how near it may come to each block on its way."""

    __slots__ = ("way", "x", "y")

    def __init__(self, x: int, y: int, way: list[Fence]) -> None:
        """A model at a place with its limits."""
        self.x, self.y, self.way = x, y, way


class Terrain:
    """What one search goes through: blocks, how far to pass them, where ends are lawful, and the table."""

    __slots__ = ("aim", "blocks", "end", "frame", "limits")

    def __init__(
        self,
        blocks: list[Block],
        aim: list[float],
        end: list[Fence],
        frame: tuple[int, int, int, int],
        limits: tuple[int, int, int, int] | None,
    ) -> None:
        """Blocks with the distances corners are drawn at and ends need; centres stay in the frame."""
        self.blocks, self.aim, self.end, self.frame, self.limits = blocks, aim, end, frame, limits

    def inside(self, x: int, y: int) -> bool:
        """Whether a centre keeps its base on the table."""
        left, bottom, right, top = self.frame
        return left <= x <= right and bottom <= y <= top

    def stands(self, x: int, y: int) -> bool:
        """Whether a model may end with its centre here."""
        if not self.inside(x, y):
            return False
        if self.limits is not None:
            left, bottom, right, top = self.limits
            if left < x < right and bottom < y < top:
                return False
        return leg_hit(self.end, float(x), float(y), float(x), float(y)) < 0


class Search:
    """One run of the pathfinder: from any source to a goal spot, or into contact with a target block."""

    def __init__(
        self, terrain: Terrain, sources: Sequence[Source], goals: Sequence[Spot], targets: Sequence[int], most: float
    ) -> None:
        """Prepare a run; `targets` are block numbers, `radius` of contact is their aim."""
        self.terrain, self.sources, self.goals, self.targets, self.most = terrain, sources, goals, targets, most
        self.x: list[int] = []
        self.y: list[int] = []
        self.block: list[int] = []
        self.place: list[int] = []
        self.g: list[float] = []
        self.parent: list[int] = []
        self.source: list[int] = []
        self.closed: list[bool] = []
        self.first = [-1] * len(terrain.blocks)
        self.sizes = [0] * len(terrain.blocks)
        self.heap: list[tuple[float, int]] = []
        self.goal_nodes: list[int] = []
        self.spots: list[Spot] = []
        self.spot_ok: list[int] = []

    def _node(self, x: int, y: int, block: int, place: int) -> int:
        self.x.append(x)
        self.y.append(y)
        self.block.append(block)
        self.place.append(place)
        self.g.append(1e18)
        self.parent.append(-1)
        self.source.append(-1)
        self.closed.append(False)
        return len(self.x) - 1

    def _to_go(self, x: int, y: int) -> float:
        """A lower bound of the way from here to the nearest goal."""
        best = 1e18
        fx, fy = float(x), float(y)
        for gx, gy in self.goals:
            dx, dy = fx - gx, fy - gy
            d = sqrt(dx * dx + dy * dy)
            if d < best:
                best = d
        for b in self.targets:
            d = core_distance(self.terrain.blocks[b].corners, fx, fy) - self.terrain.aim[b]
            if d < best:
                best = d
        return best if best > 0.0 else 0.0

    def _reach(self, node: int, g: float, parent: int, source: int, rest: float) -> None:
        """Note a better way to a node."""
        self.g[node], self.parent[node], self.source[node] = g, parent, source
        heappush(self.heap, (g + rest, node))

    def _clear(self, v: int, x: int, y: int) -> int:
        way = self.sources[self.source[v]].way
        return leg_hit(way, float(self.x[v]), float(self.y[v]), float(x), float(y))

    def _length(self, v: int, x: int, y: int) -> float:
        dx, dy = float(x - self.x[v]), float(y - self.y[v])
        return sqrt(dx * dx + dy * dy)

    def _corners_of(self, b: int) -> int:
        """Draw the polygon around a block, once; its number of corners."""
        if self.first[b] < 0:
            nodes = around(self.terrain.blocks[b].corners, self.terrain.aim[b])
            if len(self.x) + len(nodes) > MOST_NODES:
                nodes = []
            self.first[b], self.sizes[b] = len(self.x), len(nodes)
            for k, (x, y) in enumerate(nodes):
                self._node(x, y, b, k)
        return self.sizes[b]

    def _outermost(self, v: int, b: int) -> list[int]:
        """The corners around a block to try from a node: the outermost two, or neighbours when close by."""
        n = self._corners_of(b)
        if n == 0:
            return []
        first = self.first[b]
        if self.block[v] == b:
            k = self.place[v]
            return [first + (k + n - 1) % n, first + (k + 1) % n]
        vx, vy = self.x[v], self.y[v]
        inside, near, near_d = True, 0, -1.0
        left = right = 0
        lx, ly = self.x[first] - vx, self.y[first] - vy
        rx, ry = lx, ly
        for k in range(n):
            px, py = self.x[first + k] - vx, self.y[first + k] - vy
            q = first + (k + 1) % n
            qx, qy = self.x[q] - vx, self.y[q] - vy
            if px * qy - py * qx <= 0:
                inside = False
            d = float(px) * px + float(py) * py
            if near_d < 0.0 or d < near_d:
                near, near_d = k, d
            if lx * py - ly * px > 0:
                left, lx, ly = k, px, py
            if rx * py - ry * px < 0:
                right, rx, ry = k, px, py
        if inside:
            return [first + near, first + (near + n - 1) % n, first + (near + 1) % n]
        return [first + left, first + right]

    def _try_goals(self, v: int, work: list[int]) -> None:
        """Look straight at the goals; note what is in the way."""
        for k, (gx, gy) in enumerate(self.goals):
            self._try_spot(v, (gx, gy), work, self.goal_nodes[k])

    def _try_contact(self, v: int, work: list[int]) -> None:
        """Look at the nearest contact with each target, the closest first, then at spots around them."""
        t, x, y = self.terrain, float(self.x[v]), float(self.y[v])
        near = sorted((core_distance(t.blocks[b].corners, x, y) - t.aim[b], b) for b in self.targets)
        for _, b in near:
            spot = nearest_contact(t.blocks[b].corners, t.aim[b], x, y)
            if spot is not None and t.stands(*spot) and self._try_spot(v, spot, work, -1):
                return
        order = sorted((self._length(v, sx, sy), k) for k, (sx, sy) in enumerate(self.spots))
        tried = 0
        for d, k in order:
            if tried >= SPOTS_TRIED or self.g[v] + d > self.most:
                return
            if self.spot_ok[k] < 0:
                self.spot_ok[k] = int(t.stands(*self.spots[k]))
            if self.spot_ok[k]:
                tried += 1
                if self._try_spot(v, self.spots[k], work, -1):
                    return

    def _try_spot(self, v: int, spot: Spot, work: list[int], node: int) -> bool:
        """Go straight to a goal (a known node, or -1 for a new one); note what is in the way."""
        if self.g[v] + self._length(v, *spot) > self.most:
            return False
        hit = self._clear(v, *spot)
        if hit >= 0:
            if hit not in work:
                work.append(hit)
            return False
        v = self._cut(v, *spot)
        g = self.g[v] + self._length(v, *spot)
        if node < 0:
            node = self._node(*spot, -2, 0)
        if g < self.g[node]:
            self._reach(node, g, v, self.source[v], 0.0)
        return True

    def _expand(self, v: int) -> None:
        """Go on from a node: to the goals, and around whatever is in the way."""
        work: list[int] = []
        if self.targets:
            self._try_contact(v, work)
        else:
            self._try_goals(v, work)
        k = 0
        while k < len(work):
            for w in self._outermost(v, work[k]):
                hit = self._try_corner(v, w)
                if hit == -1:
                    continue
                if hit >= 0 and hit not in work:
                    work.append(hit)
                first, n = self.first[work[k]], self.sizes[work[k]]
                for beside in (first + (w - first + 1) % n, first + (w - first + n - 1) % n):
                    self._try_corner(v, beside)
            k += 1

    def _try_corner(self, v: int, w: int) -> int:
        """Go straight to a corner if that may lead to a goal.

        The number of the block in the way; -1 without one; -2 for a corner that was gone on from already, whose
        neighbours may still be reached more directly from here.
        """
        x, y = self.x[w], self.y[w]
        if self.closed[w]:
            return -2
        if not self.terrain.inside(x, y):
            return -1
        rest, start = self._to_go(x, y), self.sources[self.source[v]]
        dx, dy = float(x - start.x), float(y - start.y)
        if sqrt(dx * dx + dy * dy) + rest > self.most:
            return -1
        hit = self._clear(v, x, y)
        if hit >= 0:
            return hit
        v = self._cut(v, x, y)
        g = self.g[v] + self._length(v, x, y)
        if g < self.g[w] and g + rest <= self.most:
            self._reach(w, g, v, self.source[v], rest)
        return -1

    def _cut(self, v: int, x: int, y: int) -> int:
        """The first node on the way to v from which a spot can be reached without the bend at v."""
        while self.parent[v] >= 0 and self._clear(self.parent[v], x, y) < 0:
            v = self.parent[v]
        return v

    def _prepare(self) -> None:
        for k, s in enumerate(self.sources):
            node = self._node(s.x, s.y, -1, 0)
            self._reach(node, 0.0, -1, k, self._to_go(s.x, s.y))
        for x, y in self.goals:
            self.goal_nodes.append(self._node(x, y, -2, 0))
        for b in self.targets:
            self.spots += contact_spots(self.terrain.blocks[b].corners, self.terrain.aim[b])
        self.spot_ok = [-1] * len(self.spots)

    def run(self) -> tuple[int, list[Spot]] | None:
        """The source that got there and its way, without its start; None if there is no way."""
        self._prepare()
        steps = 0
        while self.heap and steps < MOST_STEPS:
            f, v = heappop(self.heap)
            if f > self.most:
                return None
            if self.closed[v]:
                continue
            self.closed[v] = True
            if self.block[v] == -2:
                return self.source[v], self._pulled(v)
            steps += 1
            self._expand(v)
        return None

    def _pulled(self, goal: int) -> list[Spot]:
        """The way to a goal, without the corners that can be cut."""
        chain = [goal]
        while self.parent[chain[-1]] >= 0:
            chain.append(self.parent[chain[-1]])
        chain.reverse()
        way = self.sources[self.source[goal]].way
        out: list[Spot] = []
        at = 0
        while at < len(chain) - 1:
            to = len(chain) - 1
            while to > at + 1:
                a, b = chain[at], chain[to]
                if leg_hit(way, float(self.x[a]), float(self.y[a]), float(self.x[b]), float(self.y[b])) < 0:
                    break
                to -= 1
            out.append((self.x[chain[to]], self.y[chain[to]]))
            at = to
        return out


class Mover:
    """The shape that a search moves: core, radius, and the obstacles and limits it meets."""

    __slots__ = ("avoid", "blocks", "ex", "ey", "fences", "order", "r", "slots", "terms")

    def __init__(self, slots: Slots, order: Order, lead: Member, region: Box, avoid: bool) -> None:
        """Gather what stands in the way of models shaped like `lead` near a region of centres."""
        self.slots, self.order, self.terms, self.r = slots, order, Terms(order), lead.r
        core = (lead.hl, lead.hw, lead.facing if lead.hl or lead.hw else 0)
        about, ground = core_offsets(*core), slots.scene.field.ground
        self.ex, self.ey = extent(core[0], core[1], lead.r, core[2])
        self.blocks = blocks_of_models(slots, self.terms, about, lead.r, region)
        self.blocks += blocks_of_pieces(ground, self.terms, about, lead.r, region, 0)
        self.avoid = len(self.blocks)
        if avoid and order.difficult:
            self.blocks += blocks_of_pieces(ground, self.terms, about, lead.r, region, order.difficult)
        self.fences = Limits(self.terms, self.blocks, self.avoid, lead.r, BY_WITNESS)

    def limits(self, x: int, y: int) -> tuple[list[Fence], list[Fence]]:
        """The fences for a model that starts here, on the way and at the end."""
        return self.fences.fences(self.fences.near(x, y))

    def aims(self) -> list[float]:
        """How far from each block corners are drawn, and contact is sought."""
        found = []
        for o in self.blocks:
            gap = 2.0
            if o.unit >= 0 and o.unit not in self.order.targets:
                w, e = (self.terms.least_gap(code, BY_AIM) for code in self.terms.codes(o.unit))
                gap = w if w > NO_LIMIT else e
            found.append(float(self.r + o.r) + gap)
        return found

    def terrain(self, end: list[Fence]) -> Terrain:
        """What a search goes through."""
        ground, limits = self.slots.scene.field.ground, None
        if self.order.off_limits is not None:
            x0, y0, x1, y1 = self.order.off_limits
            limits = (x0 - self.ex, y0 - self.ey, x1 + self.ex, y1 + self.ey)
        frame = (self.ex, self.ey, ground.width - self.ex, ground.height - self.ey)
        return Terrain(self.blocks, self.aims(), end, frame, limits)


def find_way(
    scene: Scene, order: Order, who: Sequence[int], goals: Sequence[Spot], contact: bool, most: int, avoid: bool
) -> tuple[int, list[Spot]] | None:
    """The slot and the shortest way of one of `who` (all of one shape) to a goal, or into contact with a target."""
    slots = Slots(scene)
    members = [Member(slots, slot) for slot in who]
    xs, ys = [m.x for m in members], [m.y for m in members]
    region = (min(xs) - most, min(ys) - most, max(xs) + most, max(ys) + most)
    mover = Mover(slots, order, members[0], region, avoid)
    sources: list[Source] = []
    end: list[Fence] = []
    for m in members:
        way, its_end = mover.limits(m.x, m.y)
        sources.append(Source(m.x, m.y, way))
        end = end or its_end
    targets = [k for k, o in enumerate(mover.blocks) if o.unit in order.targets] if contact else []
    terrain = mover.terrain(end)
    lawful = [] if contact else [spot for spot in goals if terrain.stands(*spot)]
    if not (targets or lawful):
        return None
    found = Search(terrain, sources, lawful, targets, float(most)).run()
    if found is None or len(found[1]) > MOST_LEGS:
        return None
    return who[found[0]], found[1]
