"""Scenes for the tests of paths and placing: random tables of several classes, and tables drawn by hand."""

from __future__ import annotations

import random
import struct
from collections.abc import Sequence

from rolloff.geometry.field import DANGEROUS, DIFFICULT, IMPASSABLE, NOWHERE, Field, Ground, Piece, Scene
from rolloff.geometry.moves import (
    ANY,
    CLEAR,
    KEEP,
    NO_FURTHER,
    TOUCH,
    Coherency,
    Hull,
    Order,
    gaps,
)
from rolloff.geometry.shapes import Base

INFANTRY = Base.circle(1260, 1000)
HEAVY = Base.circle(1575, 1000)
RIDER = Base.oval(984, 2756, 1500)
TANK = Base.rect(3000, 5000, 2500)

SIZE = (72_000, 48_000)
CLASSES = ("discs", "ovals", "hulls", "concave", "touching", "gaps", "corners")


class Model:
    """One model to set on a table."""

    def __init__(self, unit: int, x: int, y: int, facing: int = 0, base: Base = INFANTRY) -> None:
        """A model of a unit at a place."""
        self.unit, self.x, self.y, self.facing, self.base = unit, x, y, facing, base


def scene_of(models: Sequence[Model], pieces: Sequence[Piece] = (), sides: bytes = b"\0\1\0\1\0\1\0\1") -> Scene:
    """A scene of models on the usual table; even unit numbers are side 0, odd ones side 1."""
    n = len(models)
    field = Field(Ground.of(SIZE, pieces), [m.base for m in models])
    return Scene(
        field,
        struct.pack(f"<{2 * n}i", *(c for m in models for c in (m.x, m.y))),
        bytes(4 * n),
        struct.pack(f"<{n}h", *(m.facing for m in models)),
        struct.pack(f"<{n}h", *(m.unit for m in models)),
        sides,
    )


LOOSE = Coherency(link=2000, spread=12_000)


def walk(unit: int, allowance: int = 6000, count: int = 8, **changes: object) -> Order:
    """An ordinary move: one inch from every other unit, coherent if it was."""
    keep = gaps(count, 1000)
    values: dict[str, object] = {"difficult_cap": 6000, **changes}
    return Order(unit, allowance, keep, keep, LOOSE, **values)  # type: ignore[arg-type]


def assault(unit: int, target: int, allowance: int = 12_000, count: int = 8, **changes: object) -> Order:
    """An assault: enemies (of the other parity) may be neared, the target touched, friends stay apart."""
    codes = {k: CLEAR for k in range(count) if (k ^ unit) & 1}
    keep = gaps(count, 1000, {**codes, target: TOUCH})
    values: dict[str, object] = {
        "cohere": KEEP,
        "targets": (target,),
        "contact": True,
        "closing": NO_FURTHER,
        "difficult_cap": 6000,
        **changes,
    }
    return Order(unit, allowance, keep, keep, LOOSE, **values)  # type: ignore[arg-type]


def _terrain(rng: random.Random, kind: str) -> list[Piece]:
    """A handful of pieces: squares, discs, walls at an angle, and concave corners."""
    pieces = []
    for k in range(rng.randint(3, 12)):
        x, y = rng.randint(4000, 68_000), rng.randint(4000, 44_000)
        kinds = rng.choice((IMPASSABLE, DIFFICULT, DANGEROUS, DIFFICULT | DANGEROUS, 0))
        shape = rng.randrange(4)
        w, h = rng.randint(600, 6000), rng.randint(600, 6000)
        if shape == 0:
            pieces.append(Piece(f"p{k}", disc=(x, y, w), kinds=kinds))
            continue
        if shape == 1 or kind != "concave":
            a, b = rng.randint(-2000, 2000), rng.randint(-2000, 2000)
            outline: tuple[tuple[int, int], ...] = (
                (x, y), (x + w, y + a), (x + w, y + a + h), (x + b // 4, y + h),
            )  # fmt: skip
            if a + h < 500:
                outline = ((x, y), (x + w, y), (x + w, y + h), (x, y + h))
        else:
            t = min(w, h) // 3
            outline = ((x, y), (x + w, y), (x + w, y + t), (x + t, y + t), (x + t, y + h), (x, y + h))
        pieces.append(Piece(f"p{k}", outline=outline, kinds=kinds))
    return pieces


def _bases(rng: random.Random, kind: str) -> Base:
    if kind == "ovals":
        return rng.choice((RIDER, RIDER, INFANTRY, HEAVY))
    if kind == "hulls":
        return rng.choice((TANK, RIDER, INFANTRY))
    return rng.choice((INFANTRY, INFANTRY, HEAVY))


def random_scene(seed: int, kind: str) -> Scene:
    """A random table of a class: units of one to ten models in loose clusters."""
    rng = random.Random(f"{kind}/{seed}")
    models: list[Model] = []
    for unit in range(6):
        cx, cy = rng.randint(3000, 69_000), rng.randint(3000, 45_000)
        if unit and rng.random() < 0.7:
            near = models[rng.randrange(len(models))]
            if near.x != NOWHERE:
                cx, cy = near.x + rng.randint(-6000, 6000), near.y + rng.randint(-6000, 6000)
        if kind == "corners":
            cx, cy = rng.choice((700, 71_300)), rng.choice((700, 47_300))
        base = _bases(rng, kind)
        size = 1 if base is TANK else rng.randint(1, 10)
        pitch = 2 * (base.r + max(base.hl, base.hw)) + (0 if kind == "touching" else rng.randint(0, 1500))
        for k in range(size):
            x, y = cx + (k % 5) * pitch, cy + (k // 5) * pitch
            if kind == "gaps":
                x, y = cx + k * (2 * base.r + rng.choice((0, 5, 10, 990, 1000, 1010))), cy
            if not (0 < x < SIZE[0] and 0 < y < SIZE[1]) or rng.random() < 0.05:
                x, y = NOWHERE, 0
            facing = rng.choice((0, 900, rng.randrange(3600)))
            models.append(Model(unit, x, y, facing, base))
    return scene_of(models, _terrain(rng, kind))


def random_order(seed: int, unit: int, scene: Scene) -> Order:
    """An order of a random kind: walk, assault, flight, capped, hull."""
    rng = random.Random(f"order/{seed}/{unit}")
    kind = rng.randrange(6)
    if kind == 0:
        return assault(unit, unit ^ 1 if (unit ^ 1) < 6 else 0)
    if kind == 1:
        free = gaps(8, -1)
        return Order(unit, 12_000, free, gaps(8, 1000), LOOSE, through_impassable=True, difficult=0, dangerous=0)
    if kind == 2:
        return walk(unit, 12_000, hull=Hull(), cohere=rng.randrange(4))
    if kind == 3:
        tight = Coherency(1000, 12_000, connected=True, need=2, rise=3000)
        return Order(
            unit, 9000, gaps(8, 1000), gaps(8, 1000), tight, cohere=rng.randrange(4), tolerant=True,
            closing=rng.randrange(3), targets=(unit ^ 1,), rim=16, rim_by_leg=True, reach=1000,
            off_limits=(10_000, 10_000, 30_000, 30_000),
        )  # fmt: skip
    return walk(unit, rng.choice((6000, 12_000)), cohere=rng.randrange(4), barred=bytes([0, 1, 2]), closing=ANY)
