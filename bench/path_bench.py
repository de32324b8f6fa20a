"""How long moves take: a way for one model, and the judge, slides, assaults and musters of ten-model units.

The tables have 20 terrain pieces, half of them impassable, and eight units of ten. A way leads to a point up to a foot
away, most of them around something. Nothing is remembered between questions.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Iterator
from functools import cache
from time import process_time
from typing import Any

from rolloff.geometry import kernels, paths
from rolloff.geometry.field import DIFFICULT, IMPASSABLE, Field, Ground, Piece, Scene
from rolloff.geometry.moves import CLEAR, NO_FURTHER, TOUCH, Coherency, Order, Shift, Zone, gaps
from rolloff.geometry.place import muster, standing
from rolloff.geometry.shapes import Base
from rolloff.lengths import NOWHERE

TABLE = (72_000, 48_000)
PIECES = 20
UNITS = 8
SIZE = 10
TABLES = 40
RULE = Coherency(2000, 12_000)
SLOTS = {unit: list(range(unit * SIZE, (unit + 1) * SIZE)) for unit in range(UNITS)}

Question = Callable[[], object]


def _piece(luck: random.Random, k: int) -> Piece:
    """A disc, a crooked quadrilateral or an L; every other one is impassable."""
    x, y, kinds = luck.randint(5000, 66_000), luck.randint(5000, 42_000), IMPASSABLE if k % 2 else DIFFICULT
    w, h, t = luck.randint(2000, 6000), luck.randint(2000, 6000), luck.randint(-800, 800)
    if k % 3 == 0:
        return Piece(f"t{k}", disc=(x, y, w // 2), kinds=kinds)
    if k % 3 == 1:
        return Piece(f"t{k}", outline=((x, y), (x + w, y + t), (x + w, y + h), (x, y + h)), kinds=kinds)
    return Piece(
        f"t{k}", outline=((x, y), (x + w, y), (x + w, y + 900), (x + 900, y + 900), (x + 900, y + h), (x, y + h)), kinds=kinds
    )


def _zone() -> Zone:
    """Anywhere an inch from others."""
    return Zone(gaps(UNITS, 1000), RULE)


@cache
def table(seed: int) -> Scene:
    """Eight units of ten, set down about the middle of the table."""
    luck = random.Random(seed)
    n = UNITS * SIZE
    field = Field(Ground.of(TABLE, [_piece(luck, k) for k in range(PIECES)]), [Base.circle(1260, 1000)] * n)
    owner = struct.pack(f"<{n}h", *(slot // SIZE for slot in range(n)))
    scene = Scene(
        field, struct.pack("<2i", NOWHERE, 0) * n, bytes(4 * n), bytes(2 * n), owner, bytes(k & 1 for k in range(UNITS))
    )
    for unit, slots in SLOTS.items():
        xy = muster(scene, slots, _zone(), luck.randint(10_000, 62_000), luck.randint(8000, 40_000))
        if xy is None:
            raise RuntimeError(f"table {seed} has no room for unit {unit}")
        scene = standing(scene, slots, xy)
    return scene


def walk(unit: int, allowance: int) -> Order:
    """An ordinary move."""
    keep = gaps(UNITS, 1000)
    return Order(unit, allowance, keep, keep, RULE, difficult_cap=6000)


def assault(unit: int, enemy: int) -> Order:
    """An assault on one enemy unit."""
    keep = gaps(UNITS, 1000, {**{k: CLEAR for k in range(UNITS) if (k ^ unit) & 1}, enemy: TOUCH})
    return Order(
        unit, 12_000, keep, keep, RULE, targets=(enemy,), contact=True, closing=NO_FURTHER, difficult_cap=6000
    )  # fmt: skip


def _ways(luck: random.Random, scene: Scene) -> Iterator[Question]:
    """One model of each unit to a point within a foot, the first of a few that lies around something."""
    for unit, slots in SLOTS.items():
        x, y = struct.unpack_from("<2i", scene.xy, 8 * slots[0])
        order, goal = walk(unit, 12_000), (x, y)
        for _ in range(12):
            goal = (x + luck.randint(-8000, 8000), y + luck.randint(-8000, 8000))
            way = paths.route(scene, order, slots[0], (goal,))
            if way is not None and len(way) > 1:
                break
        yield lambda order=order, slot=slots[0], goal=goal: paths.route(scene, order, slot, (goal,))  # type: ignore[misc]


def _judged(luck: random.Random, scene: Scene) -> Iterator[Question]:
    """A shift of each unit."""
    for unit in SLOTS:
        wish = Shift(luck.randint(-4000, 4000), luck.randint(-4000, 4000))
        yield lambda unit=unit, wish=wish: paths.judge(scene, walk(unit, 6000), wish)  # type: ignore[misc]


def _slides(luck: random.Random, scene: Scene) -> Iterator[Question]:
    """Each unit as far as it gets in some direction."""
    for unit in SLOTS:
        dx, dy = luck.randint(-9000, 9000), luck.randint(-9000, 9000)
        yield lambda unit=unit, dx=dx, dy=dy: paths.slide(scene, walk(unit, 12_000), dx, dy)  # type: ignore[misc]


def _assaults(luck: random.Random, scene: Scene) -> Iterator[Question]:
    """Each unit against each enemy within a foot."""
    for unit in SLOTS:
        for enemy in range(1 - unit % 2, UNITS, 2):
            order = assault(unit, enemy)
            if min(paths.target_gaps(scene, order)) <= 12_000:
                yield lambda order=order: paths.engage(scene, order)  # type: ignore[misc]


def _musters(luck: random.Random, scene: Scene) -> Iterator[Question]:
    """Each unit lifted and set down again at some point."""
    for slots in SLOTS.values():
        lifted = standing(scene, slots, struct.pack("<2i", NOWHERE, 0) * SIZE)
        x, y = luck.randint(0, TABLE[0]), luck.randint(0, TABLE[1])
        yield lambda lifted=lifted, slots=slots, x=x, y=y: muster(lifted, slots, _zone(), x, y)  # type: ignore[misc]


@cache
def questions(kind: Callable[[random.Random, Scene], Iterator[Question]]) -> tuple[Question, ...]:
    """All questions of a kind on all tables."""
    return tuple(q for seed in range(TABLES) for q in kind(random.Random(seed), table(seed)))


def _mean_us(kind: Callable[[random.Random, Scene], Iterator[Question]]) -> float:
    """The mean of one question in microseconds, each at its least of a few askings."""
    asked = questions(kind)[:: 1 if kernels.COMPILED else 8]
    total = 0.0
    for question in asked:
        best = float("inf")
        for _ in range(3):
            start = process_time()
            question()
            best = min(best, process_time() - start)
        total += best
    return total / len(asked) * 1e6


def path_us() -> float:
    """The mean time of a way for one model, in microseconds."""
    return _mean_us(_ways)


def measure() -> Iterator[dict[str, Any]]:
    """The row of the design, and others of the same family."""
    kinds = {"path_us": _ways, "judge_us": _judged, "slide_us": _slides, "engage_us": _assaults, "muster_us": _musters}
    for name, kind in kinds.items():
        answers = [question() for question in questions(kind)]
        work = {
            "tables": TABLES,
            "units": [UNITS, SIZE],
            "terrain": PIECES,
            "asked": len(answers),
            "found": sum(answer is not None for answer in answers),
            "result_cache": False,
        }
        if name == "path_us":
            work["bent"] = sum(isinstance(way, tuple) and len(way) > 1 for way in answers)
        yield {"name": name, "unit": "us", "runs": [_mean_us(kind) for _ in range(3)], "workload": work}
