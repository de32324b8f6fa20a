"""Lawful battles to try witnesses on: two armies mustered on a table of mixed terrain."""

from __future__ import annotations

import random
import struct
from functools import cache

from rolloff.geometry.field import COVER, DANGEROUS, DIFFICULT, IMPASSABLE, NOWHERE, Piece, Scene
from rolloff.geometry.moves import NEVER, NO_FURTHER, TOUCH, Hull, Order, Zone, gaps
from rolloff.geometry.place import muster, standing
from tests.geometry.path_scenes import HEAVY, INFANTRY, LOOSE, RIDER, TANK, Model, scene_of

UNITS = 12
WHOLE = (0, 0, 72_000, 48_000)
HALVES = ((0, 0, 72_000, 24_000), (0, 24_000, 72_000, 48_000))


def terrain(luck: random.Random, count: int = 12) -> list[Piece]:
    """Discs and crooked quadrilaterals of every kind."""
    pieces = []
    for k in range(count):
        x, y = luck.randint(6000, 66_000), luck.randint(6000, 42_000)
        kinds = luck.choice((COVER, DIFFICULT, COVER | DIFFICULT, DANGEROUS, IMPASSABLE, IMPASSABLE))
        if luck.random() < 0.5:
            pieces.append(Piece(f"p{k}", disc=(x, y, luck.randint(1500, 3500)), kinds=kinds))
        else:
            w, h, tilt = luck.randint(2000, 7000), luck.randint(1000, 5000), luck.randint(-900, 900)
            pieces.append(Piece(f"p{k}", outline=((x, y), (x + w, y + tilt), (x + w, y + h), (x, y + h)), kinds=kinds))
    return pieces


def off(slots: list[int] | tuple[int, ...]) -> bytes:
    """Places of models that are not on the table."""
    return struct.pack("<2i", NOWHERE, 0) * len(slots)


@cache
def battle(
    seed: int, mixed: bool = True, units: int = UNITS, zones: tuple[tuple[int, int, int, int], ...] = (WHOLE, WHOLE)
) -> Scene:
    """A table with both armies set down somewhere in their zones; even unit numbers are side 0."""
    luck = random.Random(seed)
    models: list[Model] = []
    for unit in range(units):
        base = luck.choice((INFANTRY, INFANTRY, HEAVY, RIDER)) if mixed else INFANTRY
        size = 5 if base is RIDER else luck.choice((5, 10, 10))
        if mixed and luck.random() < 0.15:
            base, size = TANK, 1
        models += [Model(unit, NOWHERE, 0, 0, base) for _ in range(size)]
    scene = scene_of(models, terrain(luck), bytes(k & 1 for k in range(units)))
    owner = struct.unpack(f"<{scene.field.n}h", scene.owner)
    for unit in range(units):
        slots = [j for j, k in enumerate(owner) if k == unit]
        area = zones[unit & 1]
        x, y = luck.randint(area[0], area[2]), luck.randint(area[1], area[3])
        xy = muster(scene, slots, Zone(gaps(units, 1000), LOOSE, inside=(area,)), x, y)
        if xy is not None:
            scene = standing(scene, slots, xy)
    return scene


def hull_of(scene: Scene, slots: tuple[int, ...]) -> Hull | None:
    """How a unit of hulls may go; None for other units."""
    return Hull() if scene.field.bases[slots[0]] is TANK else None


def pile_in_order(unit: int, enemy: int, count: int = UNITS) -> Order:
    """Defenders going up to three inches toward those who assault them."""
    keep = gaps(count, 1000, {enemy: TOUCH})
    return Order(
        unit, 3000, keep, keep, LOOSE, cohere=NEVER, targets=(enemy,), closing=NO_FURTHER, difficult=0, dangerous=0,
        tolerant=True,
    )  # fmt: skip


def separation_order(unit: int, enemy: int, count: int = UNITS) -> Order:
    """Assaulters going up to an inch away from those they fought."""
    keep = gaps(count, 1000)
    return Order(
        unit, 1000, keep, keep, LOOSE, cohere=NEVER, targets=(enemy,), difficult=0, dangerous=0, tolerant=True
    )  # fmt: skip
