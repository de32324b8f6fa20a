"""Setting the models of a unit down one after another, in plain Python: the twin of `csrc/paths_settle.c`.

Each model in turn takes the best spot it can lawfully reach: nearest to the targets, nearest to a wished
point, or clear of an enemy. Spots to try lie around targets, around fellows already set down, and on the
straight way. The answers are proposals; the judge has the last word.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop
from math import sqrt
from typing import Final

from rolloff.geometry.field import Scene
from rolloff.geometry.moves import Order, Pose
from rolloff.geometry.plain.around import Spot, contact_spots, nearest_contact
from rolloff.geometry.plain.blocks import Fence, Slots, grown, hits_any, leg_hit, leg_hits
from rolloff.geometry.plain.convex import Corners, core_distance, core_offsets
from rolloff.geometry.plain.members import Member, coherent_at, members_of, nearest_whole, pose_gap
from rolloff.geometry.plain.search import Mover, Search, Source, Terrain
from rolloff.geometry.trig import COS, SIN

TO_TARGETS: Final = 0
TO_POINT: Final = 1
AWAY: Final = 2
"""What a model wants: the targets, its wished point, or a gap to the targets (the x of its wish)."""

LINKED: Final = 1
NOT_FURTHER: Final = 2
IN_TURN: Final = 4
COHERENT: Final = 8
AVOID: Final = 16
"""Rules of a settling: linked to fellows set down; no further from the targets; fellows not yet set down
stand where they began; the unit stays coherent after each step; difficult ground is not touched."""

MOST_HUNTS: Final = 5
MOST_POINTS: Final = 24
_AWAY_TURNS: Final = (0, 225, -225, 450, -450, 675, -675, 900, -900)


class Settling:
    """A unit being set down, model by model."""

    def __init__(self, scene: Scene, order: Order, aim: int, rules: int, most: int) -> None:
        """Prepare to set the unit's models down with `most` thou of movement each."""
        self.scene, self.order, self.aim, self.rules, self.most = scene, order, aim, rules, most
        self.slots = Slots(scene)
        self.members = members_of(self.slots, order.unit)
        self.at: list[Pose] = [m.start for m in self.members]
        self.placed = [False] * len(self.members)
        self.paths: list[list[Spot]] = [[] for _ in self.members]
        self.wishes: list[Spot] = [(m.x, m.y) for m in self.members]
        self.hunts = [0] * len(self.members)
        self.contact = float(order.reach if order.reach >= 0 else order.leeway.contact)
        self.key: tuple[int, ...] = ()
        self.mover: Mover
        self.terrain: Terrain
        self.way: list[Fence] = []
        self.targets: list[int] = []
        self.discs: list[tuple[float, float, int]] = []
        self.guarded: list[tuple[int, float]] = []

    def _ready(self, m: Member) -> None:
        """Gather the obstacles of a model's shape, if they are others, and set its limits."""
        key = (m.hl, m.hw, m.facing if m.hl or m.hw else 0, m.r)
        if key != self.key:
            self.key = key
            xs, ys = [k.x for k in self.members], [k.y for k in self.members]
            far = self.most + max(self.order.reach, 0)
            region = (min(xs) - far, min(ys) - far, max(xs) + far, max(ys) + far)
            self.mover = Mover(self.slots, self.order, m, region, bool(self.rules & AVOID))
            blocks, terms = self.mover.blocks, self.mover.terms
            self.targets = [k for k, o in enumerate(blocks) if o.unit in self.order.targets]
            self.guarded = []
            if self.aim == AWAY:
                for k, o in enumerate(blocks):
                    code = terms.codes(o.unit)[1] if o.unit >= 0 else 0
                    if o.unit not in self.order.targets and 0 < code < 1 << 28:
                        self.guarded.append((k, float(code)))
            self.terrain = self.mover.terrain([])
            discs = [(*blocks[k].corners[0], blocks[k].r) for k in self.targets if len(blocks[k].corners) == 1]
            same = len(discs) == len(self.targets) and len({r for _, _, r in discs}) == 1
            self.discs = discs if same else []
        self.way, self.terrain.end = self.mover.limits(m.x, m.y)

    def _gap(self, m: Member, x: int, y: int) -> float:
        """The gap to the nearest target."""
        if self.discs:
            fx, fy = float(x), float(y)
            d = min([(fx - cx) * (fx - cx) + (fy - cy) * (fy - cy) for cx, cy, _ in self.discs])
            return sqrt(d) - float(m.r + self.discs[0][2])
        best = 1e18
        for k in self.targets:
            o = self.mover.blocks[k]
            d = core_distance(o.corners, float(x), float(y)) - float(m.r + o.r)
            if d < best:
                best = d
        return best

    def _score(self, i: int, x: int, y: int) -> float:
        """How bad a spot is; 0 is as good as can be."""
        m = self.members[i]
        if self.aim == TO_POINT:
            dx, dy = float(x - self.wishes[i][0]), float(y - self.wishes[i][1])
            return sqrt(dx * dx + dy * dy)
        gap = self._gap(m, x, y)
        if self.aim == TO_TARGETS:
            return 0.0 if gap <= self.contact else gap
        clear = float(self.wishes[i][0])
        short = clear - gap if gap < clear else 0.0
        near = 0.0
        for k, least in self.guarded:
            o = self.mover.blocks[k]
            d = core_distance(o.corners, float(x), float(y)) - float(m.r + o.r)
            if least - d > near:
                near = least - d
        return short * 1000.0 + near + (0.0 if self._linked(i, x, y) else 0.5)

    def _linked(self, i: int, x: int, y: int) -> bool:
        """Whether a fellow, as they stand now, is within reach of a link."""
        m, link = self.members[i], float(self.order.coherency.link)
        for j, other in enumerate(self.members):
            if j != i and pose_gap(m, (x, y, m.facing), other, self.at[j]) <= link:
                return True
        return len(self.members) < 2

    def _toward(self, m: Member, x: int, y: int, found: list[Spot]) -> None:
        """Spots on the straight way to a point: as far as allowed, as far as clear, and shares of that."""
        dx, dy = float(x - m.x), float(y - m.y)
        size = sqrt(dx * dx + dy * dy)
        if size == 0.0:
            return
        far = int(size) if size < float(self.most) else self.most - 1  # rounding must not make it too long

        def spot(d: int) -> Spot:
            if d == far and size < float(self.most):
                return x, y
            return m.x + nearest_whole(dx * float(d) / size), m.y + nearest_whole(dy * float(d) / size)

        px, py = spot(far)
        found.append((px, py))
        low, high = 0, far
        hits = leg_hits(self.way, float(m.x), float(m.y), float(px), float(py))
        if not hits and self.terrain.inside(px, py):
            low, high = far, far
        while high - low > 1:
            mid = low + (high - low) // 2
            px, py = spot(mid)
            clear = self.terrain.inside(px, py)
            if clear and not hits_any(hits, float(m.x), float(m.y), float(px), float(py)):
                low = mid
            else:
                high = mid
        for k in range(4, 0, -1):
            d = low * k // 4
            if d > 0:
                found.append(spot(d))

    def _straight(self, m: Member, spot: Spot) -> bool:
        """Whether a model may go straight to a spot."""
        if not self.terrain.inside(*spot):
            return False
        hit = leg_hit(self.way, float(m.x), float(m.y), float(spot[0]), float(spot[1]))
        return hit < 0

    def _candidates(self, i: int) -> list[Spot]:
        """Every spot to try, the model's own place first."""
        m, blocks, aim = self.members[i], self.mover.blocks, self.terrain.aim
        found: list[Spot] = [(m.x, m.y)]
        if self.at[i] != m.start:
            found.append(self.at[i][:2])
        if self.aim == AWAY:
            self._flee(m, float(self.wishes[i][0]), found)
            return found
        if self.aim == TO_POINT:
            self._toward(m, *self.wishes[i], found)
        else:
            best, near = 1e18, None
            for k in self.targets:
                o = blocks[k]
                far = core_distance(o.corners, float(m.x), float(m.y)) - aim[k]
                if far > float(self.most):
                    continue
                spot = nearest_contact(o.corners, aim[k], float(m.x), float(m.y))
                if spot is not None:
                    found.append(spot)
                    if far < best:
                        best, near = far, spot
                found += contact_spots(o.corners, aim[k])
            if near is None:
                near = self._nearest_far(m)
            if near is not None:
                self._toward(m, *near, found)
        about = core_offsets(m.hl, m.hw, m.facing if m.hl or m.hw else 0)
        for j, other in enumerate(self.members):
            if j == i or not self.placed[j]:
                continue
            x, y, facing = self.at[j]
            corners = core_offsets(other.hl, other.hw, facing if other.hl or other.hw else 0)
            corners = grown(tuple((px + x, py + y) for px, py in corners), about)
            found += contact_spots(corners, float(m.r + other.r) + 2.0)
        return found

    def _nearest_far(self, m: Member) -> Spot | None:
        """The nearest contact with any target, however far."""
        best, near = 1e18, None
        for k in self.targets:
            o = self.mover.blocks[k]
            far = core_distance(o.corners, float(m.x), float(m.y)) - self.terrain.aim[k]
            if far < best:
                best, near = far, nearest_contact(o.corners, self.terrain.aim[k], float(m.x), float(m.y))
        return near

    def _flee(self, m: Member, clear: float, found: list[Spot]) -> None:
        """Spots straight away from the nearest target and a little aside of that."""
        best, away = 1e18, None
        for k in self.targets:
            o = self.mover.blocks[k]
            far = core_distance(o.corners, float(m.x), float(m.y)) - float(m.r + o.r)
            if far < best:
                best = far
                away = nearest_contact(o.corners, core_distance(o.corners, float(m.x), float(m.y)) + 4000.0,
                                       float(m.x), float(m.y))  # fmt: skip
                if away is None:
                    away = _from_middle(o.corners, m)
        if away is None:
            return
        dx, dy = float(away[0] - m.x), float(away[1] - m.y)
        size = sqrt(dx * dx + dy * dy)
        if size == 0.0:
            return
        short = clear + 2.0 - best
        for turn in _AWAY_TURNS:
            c, s = COS[turn % 3600] / 1073741824.0, SIN[turn % 3600] / 1073741824.0
            ux, uy = (dx * c - dy * s) / size, (dx * s + dy * c) / size
            most = float(self.most - 1)
            for d in (short, most, most * 0.75, most * 0.5, most * 0.25):
                if 0.0 < d <= most:
                    found.append((m.x + nearest_whole(ux * d), m.y + nearest_whole(uy * d)))

    def _fits(self, i: int, spot: Spot, staying: bool) -> bool:
        """Whether a model may stand on a spot among its fellows."""
        m, rule, leeway = self.members[i], self.order.coherency, self.order.leeway
        pose = (spot[0], spot[1], m.facing)
        least = -float(leeway.overlap if staying else leeway.overlap // 2)
        in_turn, links, others = bool(self.rules & IN_TURN), 0, 0
        for j, other in enumerate(self.members):
            if j == i or not (in_turn or self.placed[j]):
                continue
            g = pose_gap(m, pose, other, self.at[j])
            if g < least:
                return False
            if not self.rules & LINKED:
                continue
            others += 1
            if g <= float(rule.link):
                links += 1
            led = rule.leader < 0 or rule.leader in (m.slot, other.slot)
            if rule.spread >= 0 and led and g > float(rule.spread):
                return False
        if self.rules & LINKED and links < min(rule.need, others):
            return False
        if self.rules & COHERENT:
            poses = list(self.at)
            poses[i] = pose
            return coherent_at(self.scene, self.order, self.members, poses)[0]
        return True

    def _path(self, i: int, spot: Spot) -> list[Spot] | None:
        """A way to a spot: straight, or around what is in the way."""
        m = self.members[i]
        if self._straight(m, spot):
            return [spot]
        if self.hunts[i] >= MOST_HUNTS:
            return None
        self.hunts[i] += 1
        found = Search(self.terrain, [Source(m.x, m.y, self.way)], [spot], [], float(self.most)).run()
        return found[1] if found is not None and len(found[1]) <= MOST_POINTS else None

    def place(self, i: int) -> bool:
        """Set one model down on the best spot it can reach."""
        m = self.members[i]
        self._ready(m)
        start_gap = self._gap(m, m.x, m.y) if self.rules & NOT_FURTHER else 0.0
        ranked = []
        for k, (x, y) in enumerate(self._candidates(i)):
            dx, dy = float(x - m.x), float(y - m.y)
            d = sqrt(dx * dx + dy * dy)
            if d <= float(self.most):
                ranked.append((self._score(i, x, y), d, k, x, y))
        heapify(ranked)
        while ranked:
            _, d, _, x, y = heappop(ranked)
            if d == 0.0:
                if self._fits(i, (x, y), True):
                    self.placed[i], self.paths[i], self.at[i] = True, [], m.start
                    return True
                continue
            if self.rules & NOT_FURTHER:
                gap = self._gap(m, x, y)
                if gap > self.contact and gap > start_gap:
                    continue
            if not (self.terrain.stands(x, y) and self._fits(i, (x, y), False)):
                continue
            path = self._path(i, (x, y))
            if path is not None:
                self.placed[i], self.paths[i] = True, path
                self.at[i] = (x, y, m.facing)
                return True
        return False

    def run(self, turns: Sequence[int]) -> bool:
        """Set down everyone in turn; those who find no spot try again after the others. True if all found one."""
        while True:
            progress = False
            for i in turns:
                if not self.placed[i] and self.place(i):
                    progress = True
            if all(self.placed[i] for i in turns):
                return True
            if not progress:
                return False


def _from_middle(corners: Corners, m: Member) -> Spot:
    """A spot beyond a model that has sunk a little into a hull, straight on from the middle of that."""
    mx = my = 0.0
    for px, py in corners:
        mx, my = mx + px, my + py
    n = float(len(corners))
    return m.x + nearest_whole(float(m.x) - mx / n), m.y + nearest_whole(float(m.y) - my / n)


def settle(
    scene: Scene,
    order: Order,
    aim: int,
    rules: int,
    most: int,
    turns: Sequence[int],
    fixed: Sequence[tuple[int, int, int]],
    wishes: Sequence[Spot],
) -> tuple[bool, list[list[Spot]]]:
    """Set a unit's models (by number in the unit) down in turn.

    `fixed` (number, x, y) says where models stand that were set down already; those that also have a turn may
    still find a better spot.
    """
    s = Settling(scene, order, aim, rules, most)
    for i, x, y in fixed:
        s.at[i] = (x, y, s.members[i].facing)
        s.placed[i] = i not in turns
    if wishes:
        s.wishes = list(wishes)
    return s.run(turns), s.paths
