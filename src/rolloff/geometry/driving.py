"""Witnesses of vehicle moves: a straight part, perhaps a pivot, and another straight part."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from math import sqrt

from rolloff.geometry import kernels, plain_drive
from rolloff.geometry.field import Scene
from rolloff.geometry.judging import judge, slots_of
from rolloff.geometry.marching import positions, variants
from rolloff.geometry.moves import March, Order, Pose, Stay, Wish
from rolloff.geometry.packing import order_args, scene_args
from rolloff.geometry.plain_around import Spot

MOST_AIMS = 3
"""How many of the nearest enemy models are aimed at."""


def drive_compiled(
    scene: Scene, order: Order, most: int, goals: Sequence[Spot], charging: bool, near: int
) -> list[Pose] | None:
    """The compiled driver."""
    out = kernels.ffi.new("int32_t[6]")
    packed = struct.pack(f"<{2 * len(goals)}i", *(c for goal in goals for c in goal))
    count = kernels.lib.drive_hull(*scene_args(scene), *order_args(order), most, packed, len(goals), charging, near, out)
    if count == -2:
        raise MemoryError
    return None if count < 0 else [(out[3 * k], out[3 * k + 1], out[3 * k + 2]) for k in range(count)]


def _driven(scene: Scene, order: Order, most: int, goals: Sequence[Spot], charging: bool, near: int) -> list[Pose] | None:
    """A hull's way as near to a goal as it gets, or into contact when charging."""
    find = drive_compiled if kernels.COMPILED else plain_drive.drive_hull
    return find(scene, order, most, goals, charging, near)


def drive(scene: Scene, order: Order, x: int, y: int) -> Wish:
    """A hull, the lone model of its unit, as near to a point as one move takes it."""
    slots = slots_of(scene, order.unit)
    best: Wish = Stay()
    nearest = 1e18
    for most, avoid in variants(scene, order):
        path = _driven(scene, order, most, ((x, y),), False, 0) if len(slots) == 1 and not avoid else None
        if path is not None:
            far = sqrt((path[-1][0] - x) ** 2 + (path[-1][1] - y) ** 2)
            if far < nearest:
                best, nearest = March.of(slots, {slots[0]: path}), far
    return best


def charge(scene: Scene, order: Order) -> March | None:
    """A hull, the lone model of its unit, into contact with the order's targets; None if no straight way leads there."""
    slots = slots_of(scene, order.unit)
    foes = [slot for unit in order.targets for slot in slots_of(scene, unit)]
    if len(slots) != 1 or not foes:
        return None
    stay = March.of(slots, {})
    if judge(scene, order, stay).legal:
        return stay
    (x, y), bases = positions(scene, slots)[0], scene.field.bases
    goals = sorted(positions(scene, foes), key=lambda p: ((p[0] - x) ** 2 + (p[1] - y) ** 2, p))[:MOST_AIMS]
    near = sum(bases[slots[0]][:3]) + max(sum(bases[slot][:3]) for slot in foes)
    for most, avoid in variants(scene, order):
        path = None if avoid else _driven(scene, order, most, goals, True, near)
        if path is not None:
            return March.of(slots, {slots[0]: path})
    return None
