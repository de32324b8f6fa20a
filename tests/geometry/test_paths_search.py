"""The pathfinder against brute force, and the sweep of a base against dense sampling."""

from __future__ import annotations

import random
from heapq import heappop, heappush
from math import sqrt

import pytest

from rolloff.geometry.field import IMPASSABLE, Piece, Scene
from rolloff.geometry.moves import CLEAR, FREE, TOUCH, Code, Coherency, Order, Shift, gaps
from rolloff.geometry.paths import judge, route
from rolloff.geometry.plain.around import Spot, around
from rolloff.geometry.plain.blocks import Block, Fence, fenced, leg_hit
from rolloff.geometry.plain.convex import Corners
from rolloff.geometry.plain.search import Search, Source, Terrain
from rolloff.geometry.shapes import Base, core
from tests.geometry.path_scenes import Model, scene_of, walk
from tests.geometry.twin import twin

__all__ = ["twin"]
FRAME = (0, 0, 24_000, 16_000)
START, GOAL, MOST = (1000, 8000), (23_000, 8000), 34_000.0


def cluttered(seed: int) -> tuple[list[Block], list[float], list[float]]:
    """Discs, bars and boxes strewn between two points, with how near they may be passed and are aimed at."""
    luck = random.Random(seed)
    blocks = []
    for k in range(luck.randint(5, 30)):
        x, y, kind = luck.randint(4000, 20_000), luck.randint(0, 16_000), luck.random()
        w, h = luck.randint(500, 4000), luck.randint(500, 4000)
        points: list[tuple[int, int]] = [(x, y)]
        if 0.7 <= kind < 0.85:
            points = [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]
        elif kind >= 0.85:
            points = [(x, y), (x + w - 2000, y + h)]
        corners: Corners = tuple((float(px), float(py)) for px, py in points)
        xs, ys = [p[0] for p in corners], [p[1] for p in corners]
        r = 630 if len(points) == 1 else 0 if len(points) == 4 else 492
        blocks.append(Block(min(xs), min(ys), max(xs), max(ys), corners, r, k, k, -1))
    gap = luck.choice((0, 1000, 1000))
    return blocks, [625.0 + b.r + gap for b in blocks], [632.0 + b.r + gap for b in blocks]


def free(fences: list[Fence], a: Spot, b: Spot) -> bool:
    """Whether a straight leg is clear."""
    return leg_hit(fences, float(a[0]), float(a[1]), float(b[0]), float(b[1])) < 0


def shortest(blocks: list[Block], fences: list[Fence], aim: list[float]) -> float | None:
    """The shortest way through all corners drawn around all blocks, by trying every pair of them."""
    corners = [p for b, far in zip(blocks, aim, strict=True) for p in around(b.corners, far)]
    inside = [p for p in corners if 0 <= p[0] <= FRAME[2] and 0 <= p[1] <= FRAME[3] and free(fences, p, p)]
    points, far = [START, GOAL, *inside], {0: 0.0}
    heap, done = [(0.0, 0)], set()
    while heap:
        d, v = heappop(heap)
        if v == 1:
            return d
        if v in done:
            continue
        done.add(v)
        for w, p in enumerate(points):
            reach = d + sqrt((p[0] - points[v][0]) ** 2 + (p[1] - points[v][1]) ** 2)
            if w not in done and reach <= MOST and reach < far.get(w, 1e18) and free(fences, points[v], p):
                far[w] = reach
                heappush(heap, (reach, w))
    return None


def test_the_search_finds_what_brute_force_finds() -> None:
    """On 100 cluttered fields it finds a way wherever one exists, at most three hundredths longer than the best."""
    ways = 0
    for seed in range(100):
        blocks, tau, aim = cluttered(seed)
        fences = fenced(blocks, tau)
        if not (free(fences, START, START) and free(fences, GOAL, GOAL)):
            continue
        best = shortest(blocks, fences, aim)
        found = Search(Terrain(blocks, aim, fences, FRAME, None), [Source(*START, fences)], [GOAL], [], MOST).run()
        assert (found is None) == (best is None), seed
        if found is None or best is None:
            continue
        ways += 1
        legs = list(zip([START, *found[1]], found[1], strict=False))
        assert all(free(fences, a, b) for a, b in legs)
        assert sum(sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) for a, b in legs) <= 1.03 * best
    assert ways > 60


@pytest.mark.usefixtures("twin")
def test_a_corridor_as_wide_as_the_base_is_passed() -> None:
    """Two walls with exactly a base's width between them: through, not around; a hair narrower: no way."""

    def walled(width: int) -> Scene:
        low = ((22_000, 0), (26_000, 0), (26_000, 20_000 - width // 2), (22_000, 20_000 - width // 2))
        high = ((22_000, 20_000 + width // 2), (26_000, 20_000 + width // 2), (26_000, 48_000), (22_000, 48_000))
        pieces = [Piece("low", outline=low, kinds=IMPASSABLE), Piece("high", outline=high, kinds=IMPASSABLE)]
        return scene_of([Model(0, 20_000, 21_500)], pieces)

    order = walk(0, 12_000)
    way = route(walled(1260), order, 0, [(28_000, 18_500)])
    assert way is not None
    assert len(way) >= 3
    assert route(walled(1230), order, 0, [(28_000, 18_500)]) is None


@pytest.mark.usefixtures("twin")
def test_a_way_out_of_a_pocket_is_found() -> None:
    """From inside a U of rock the way leads back out and around."""
    u = ((20_000, 18_000), (24_000, 18_000), (24_000, 22_000), (20_000, 22_000), (20_000, 21_000), (23_000, 21_000),
         (23_000, 19_000), (20_000, 19_000))  # fmt: skip
    scene = scene_of([Model(0, 22_200, 20_000)], [Piece("u", outline=u, kinds=IMPASSABLE)])
    way = route(scene, walk(0, 14_000), 0, [(26_000, 20_000)])
    assert way is not None
    assert way[0][0] < 20_500
    assert route(scene, walk(0, 9000), 0, [(26_000, 20_000)]) is None


SHAPES = (Base.circle(1260, 1000), Base.oval(984, 2756, 1000), Base.rect(3000, 5000, 1000), Base.rect(700, 1500, 1000))


def apart(a: list[tuple[float, float]], b: list[tuple[float, float]]) -> float:
    """The distance of two convex outlines by trying all pairs of sides; 0 when they meet."""

    def sides(p: list[tuple[float, float]]) -> list[tuple[tuple[float, float], tuple[float, float]]]:
        return [(p[k - 1], p[k]) for k in range(len(p))]

    def gap(p: tuple[float, float], s: tuple[tuple[float, float], tuple[float, float]]) -> float:
        (ax, ay), (bx, by) = s
        ll = (bx - ax) ** 2 + (by - ay) ** 2
        t = 0.0 if ll == 0 else max(0.0, min(1.0, ((p[0] - ax) * (bx - ax) + (p[1] - ay) * (by - ay)) / ll))
        return sqrt((p[0] - ax - t * (bx - ax)) ** 2 + (p[1] - ay - t * (by - ay)) ** 2)

    def covers(outline: list[tuple[float, float]], p: tuple[float, float]) -> bool:
        turns = [(d[0] - c[0]) * (p[1] - c[1]) - (d[1] - c[1]) * (p[0] - c[0]) for c, d in sides(outline)]
        return len(outline) > 2 and all(t >= 0 for t in turns)

    if any(covers(a, p) for p in b) or any(covers(b, p) for p in a):
        return 0.0
    return min(min(gap(p, s) for p in x for s in sides(y)) for x, y in ((a, b), (b, a)))


@pytest.mark.clause("onepage-3.0", "MOVE-7", "MEAS-2")
@pytest.mark.usefixtures("twin")
def test_the_sweep_of_a_base_is_what_sampling_says() -> None:
    """For 300 pairs of shapes and legs the judge refuses exactly those that samples find closer than an inch."""
    luck = random.Random(11)
    near = refused = 0
    for _ in range(300):
        moving, standing = luck.choice(SHAPES), luck.choice(SHAPES)
        f, g = luck.randrange(3600), luck.randrange(3600)
        dx, dy = luck.randint(-6000, 6000), luck.randint(-6000, 6000)
        ox, oy = 30_000 + luck.randint(-6000, 6000), 24_000 + luck.randint(-6000, 6000)
        scene = scene_of([Model(0, 30_000, 24_000, f, moving), Model(1, ox, oy, g, standing)])
        there = [(float(x), float(y)) for x, y in core(ox, oy, g, standing.hl, standing.hw)]
        least = 1e18
        for k in range(101):
            px, py = 30_000 + dx * k / 100, 24_000 + dy * k / 100
            mine = [(px + x, py + y) for x, y in core(0, 0, f, moving.hl, moving.hw)]
            least = min(least, apart(mine, there) - moving.r - standing.r)
        start = apart([(30_000.0 + x, 24_000.0 + y) for x, y in core(0, 0, f, moving.hl, moving.hw)], there)
        if start - moving.r - standing.r < 1000 or abs(least - 990) < 60:
            continue
        verdict = judge(scene, walk(0, 20_000), Shift(dx, dy))
        assert (verdict.code == Code.GAP_UNIT) == (least < 990)
        near, refused = near + 1, refused + (least < 990)
    assert near > 80
    assert refused > 25


@pytest.mark.usefixtures("twin")
@pytest.mark.parametrize("facing", [0, 300, 450, 900])
def test_hulls_may_touch_hulls_and_walls_but_not_overlap(facing: int) -> None:
    """Side by side and nose to wall is legal; a fiftieth of an inch deeper is not."""
    tank = Base.rect(3000, 5000, 2500)
    scene = scene_of([Model(0, 30_000, 20_000, facing, tank), Model(1, 40_000, 20_000, facing, tank)])
    order = Order(0, 20_000, gaps(4, FREE), gaps(4, TOUCH), Coherency(2000))
    clear = Order(0, 20_000, gaps(4, FREE), gaps(4, CLEAR), Coherency(2000))
    low, high = 0, 10_000
    while high - low > 1:
        mid = (low + high) // 2
        low, high = (mid, high) if judge(scene, order, Shift(mid, 0)).legal else (low, mid)
    side = {0: 5000, 900: 3000}.get(facing)
    if side is not None:
        assert low == 10_000 - side + 10
    assert not judge(scene, clear, Shift(low, 0)).legal
    assert judge(scene, clear, Shift(low - 60, 0)).legal
