"""How long a ten-model unit takes to look at a ten-model unit: 20 terrain pieces, 60 other models.

Ordinary tables give the mean; dense ones, with the other models between the two units, give the worst. Nothing is
remembered between looks: each table is looked at in turn, and a look starts from the bare buffers.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator
from functools import cache
from time import process_time
from typing import Any

from rolloff.geometry import kernels, sight
from rolloff.geometry import measure as rule
from rolloff.geometry.field import Field, Ground, Piece, Scene
from rolloff.geometry.shapes import Base
from rolloff.geometry.trig import turned
from rolloff.lengths import NOWHERE

TABLE = (72000, 48000)
PIECES = 20
UNITS = 8
SIZE = 10
TABLES = 100
MODE = sight.Mode()

FOOT, BIKE, WALKER = Base.circle(1260, 1000), Base.oval(984, 2756, 1500), Base.rect(2000, 2500, 2500)
STEP = {FOOT: 1800, BIKE: 3000, WALKER: 3000}


def _piece(luck: random.Random, k: int) -> Piece:
    """A solid piece: a disc, a turned rectangle or an L of walls."""
    x, y = luck.randint(4000, 68000), luck.randint(4000, 44000)
    shape = luck.randrange(3)
    if shape == 0:
        return Piece(f"t{k}", disc=(x, y, luck.randint(800, 2500)), height=4000, solid=True)
    w, h, facing = luck.randint(600, 3500), luck.randint(400, 3000), luck.randrange(3600)
    corners = [(-w, -h), (w, -h), (w, h), (-w, h)]
    if shape == 2:
        corners[2:] = [(w, 500 - h), (500 - w, 500 - h), (500 - w, h), (-w, h)]
    offsets = [turned(a, b, facing) for a, b in corners]
    return Piece(f"t{k}", outline=tuple((x + dx, y + dy) for dx, dy in offsets), height=4000, solid=True)


def _spots(x: int, y: int, step: int) -> list[tuple[int, int]]:
    """Ten places in two ranks."""
    return [(x + step * (k % 5 - 2), y + step * (k // 5)) for k in range(SIZE)]


def _scene(field: Field, spots: list[tuple[int, int]]) -> Scene:
    """A scene in which the units stand as given; the last ones may not be placed yet."""
    everyone = [*spots, *[(NOWHERE, 0)] * (field.n - len(spots))]
    xy = struct.pack(f"<{2 * field.n}i", *(c for spot in everyone for c in spot))
    owner = struct.pack(f"<{field.n}h", *(k // SIZE for k in range(field.n)))
    return Scene(field, xy, bytes(4 * field.n), bytes(2 * field.n), owner, bytes(UNITS))


def _stands_freely(scene: Scene, first: int) -> bool:
    """Whether the unit that starts at a slot overlaps no piece and no other unit."""
    unit = first // SIZE
    if any(rule.nearest(scene, unit, other).gap < 0 for other in range(unit)):
        return False
    slots, pieces = range(first, first + SIZE), range(PIECES)
    return all(rule.base_gap(scene, slot, piece) >= 0 for slot in slots for piece in pieces)


def _middle(luck: random.Random, unit: int, spots: list[tuple[int, int]], dense: bool) -> tuple[int, int]:
    """Where to try to put a unit: the two that look at each other left and right, the others anywhere or between."""
    if unit == 0:
        return luck.randint(6000, 20000), luck.randint(6000, 40000)
    if unit == 1:
        return luck.randint(42000, 66000), luck.randint(6000, 40000)
    if not dense:
        return luck.randint(6000, 66000), luck.randint(4000, 42000)
    (ax, ay), (bx, by), part = spots[2], spots[12], luck.uniform(0.15, 0.85)
    return round(ax + part * (bx - ax)), round(ay + part * (by - ay)) + luck.randint(-5000, 5000)


def table(seed: int, dense: bool) -> Scene:
    """A table on which unit 0 looks at unit 1."""
    luck = random.Random(f"{seed} {dense}")
    ground = Ground.of(TABLE, [_piece(luck, k) for k in range(PIECES)])
    kinds = [FOOT, FOOT, *(luck.choice([FOOT, FOOT, FOOT, BIKE, WALKER]) for _ in range(UNITS - 2))]
    field = Field(ground, [kind for kind in kinds for _ in range(SIZE)])
    spots: list[tuple[int, int]] = []
    for unit in range(UNITS):
        spots = _with_unit(luck, field, spots, unit, dense)
    return _scene(field, spots)


def _with_unit(
    luck: random.Random, field: Field, spots: list[tuple[int, int]], unit: int, dense: bool
) -> list[tuple[int, int]]:
    """Find a free place for one more unit, anywhere if there is none where it was wanted."""
    step = STEP[field.bases[unit * SIZE]]
    for tries in range(5000):
        x, y = _middle(luck, unit, spots, dense and tries < 200)
        more = spots + _spots(x, y, step)
        if _stands_freely(_scene(field, more), unit * SIZE):
            return more
    raise RuntimeError("a table without room cannot be looked at")


@cache
def tables(dense: bool) -> tuple[Scene, ...]:
    """The tables that are looked at."""
    return tuple(table(seed, dense) for seed in range(TABLES))


def _look_us(scene: Scene, looks: int) -> float:
    """Microseconds of one look, the least of a few: what other work on the machine adds is no part of it."""
    best = float("inf")
    for _ in range(5):
        start = process_time()
        for _ in range(looks):
            sight.watch(scene, MODE, 0, 1)
        best = min(best, (process_time() - start) / looks)
    return best * 1e6


def _times(dense: bool) -> list[float]:
    """The time of one look on each table."""
    looks = 20 if kernels.COMPILED else 1
    return [_look_us(scene, looks) for scene in tables(dense)]


def sight_us() -> float:
    """The mean over ordinary tables, in microseconds."""
    times = _times(dense=False)
    return sum(times) / len(times)


def sight_dense_us() -> float:
    """The worst of the dense tables, in microseconds."""
    return max(_times(dense=True))


def _workload(dense: bool) -> dict[str, Any]:
    """What was looked at, and how much of it was to be seen."""
    seen = [slot for scene in tables(dense) for slot in sight.watch(scene, MODE, 0, 1).values()]
    return {
        "tables": TABLES,
        "models": [SIZE, SIZE],
        "others": (UNITS - 2) * SIZE,
        "terrain": PIECES,
        "seeing": round(sum(slot >= 0 for slot in seen) / len(seen), 3),
        "result_cache": False,
    }


def measure() -> Iterator[dict[str, Any]]:
    """Both rows, three runs each."""
    for name, run, dense in (("sight_us", sight_us, False), ("sight_dense_us", sight_dense_us, True)):
        yield {"name": name, "unit": "us", "runs": [run() for _ in range(3)], "workload": _workload(dense)}
