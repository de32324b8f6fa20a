"""Witnesses of vehicle moves: a straight part, perhaps a pivot, and another straight part."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from rolloff.geometry import kernels
from rolloff.geometry.convoys import charge_together, drive_together
from rolloff.geometry.field import Scene
from rolloff.geometry.judging import judge
from rolloff.geometry.marching import positions
from rolloff.geometry.measure import slots_of
from rolloff.geometry.moves import STAY, March, Order, Pose, Wish
from rolloff.geometry.packing import order_args, scene_args
from rolloff.geometry.plain import drive as plain_drive
from rolloff.geometry.plain.around import Spot

MOST_AIMS = 3
"""How many of the nearest enemy models are aimed at."""


def drive_compiled(
    scene: Scene, order: Order, most: int, goals: Sequence[Spot], charging: bool, near: int
) -> tuple[list[Pose] | None, bool]:
    """The compiled driver."""
    out = kernels.ffi.new("int32_t[7]")
    packed = struct.pack(f"<{2 * len(goals)}i", *(c for goal in goals for c in goal))
    count = kernels.lib.drive_hull(*scene_args(scene), *order_args(order), most, packed, len(goals), charging, near, out)
    if count == -2:
        raise MemoryError
    path = None if count < 0 else [(out[3 * k], out[3 * k + 1], out[3 * k + 2]) for k in range(count)]
    return path, bool(out[6])


def _driven(
    scene: Scene, order: Order, most: int, goals: Sequence[Spot], charging: bool, near: int
) -> tuple[list[Pose] | None, bool]:
    """A hull's way as near to a goal as it gets, or into contact; and whether difficult ground made one too long."""
    find = drive_compiled if kernels.COMPILED else plain_drive.drive_hull
    return find(scene, order, most, goals, charging, near)


def drive(scene: Scene, order: Order, x: int, y: int) -> Wish:
    """A hull as near to a point as one move takes it; several of one unit keep together."""
    slots = slots_of(scene, order.unit)
    if len(slots) != 1 or order.still:
        return drive_together(scene, order, x, y)
    path, stopped = _driven(scene, order, order.allowance, ((x, y),), False, 0)
    if stopped:
        slow, _ = _driven(scene, order, order.difficult_cap, ((x, y),), False, 0)
        if slow is not None and (path is None or _apart(slow, x, y) < _apart(path, x, y)):
            path = slow
    return STAY if path is None else March.of(slots, {slots[0]: path})


def _apart(path: list[Pose], x: int, y: int) -> int:
    """How far from a point a path ends, squared."""
    return (path[-1][0] - x) ** 2 + (path[-1][1] - y) ** 2


def charge(scene: Scene, order: Order) -> March | None:
    """A hull into contact with the order's targets, the others of its unit after it; None if no straight way leads there."""
    slots = slots_of(scene, order.unit)
    enemies = [slot for unit in order.targets for slot in slots_of(scene, unit)]
    if not slots or not enemies:
        return None
    stay = March.of(slots, {})
    if judge(scene, order, stay).legal:
        return stay
    (x, y), bases = positions(scene, slots)[0], scene.field.bases
    goals = sorted(positions(scene, enemies), key=lambda p: ((p[0] - x) ** 2 + (p[1] - y) ** 2, p))[:MOST_AIMS]
    if len(slots) != 1:
        return charge_together(scene, order, goals)
    near = sum(bases[slots[0]][:3]) + max(sum(bases[slot][:3]) for slot in enemies)
    path, stopped = _driven(scene, order, order.allowance, goals, True, near)
    if path is None and stopped:
        path, _ = _driven(scene, order, order.difficult_cap, goals, True, near)
    return _backed_into(scene, order, goals, near) if path is None else March.of(slots, {slots[0]: path})


def _back_reach(scene: Scene, order: Order, pose: Pose, most: int) -> int:
    """How far the hull could go straight back from a pose, or -1 if the pose itself is unlawful."""
    if not kernels.COMPILED:
        return plain_drive.back_reach(scene, order, pose, most)
    far: int = kernels.lib.back_reach(*scene_args(scene), *order_args(order), pose[2], most)
    if far == -2:
        raise MemoryError
    return far


def _backed_into(scene: Scene, order: Order, goals: Sequence[Spot], near: int) -> March | None:
    """A hull in reverse into contact: its rear turned to a target as far as it may turn, then straight back."""
    hull, slots = order.hull, slots_of(scene, order.unit)
    if hull is None or not hull.reverse:
        return None
    (x, y), facing = positions(scene, slots)[0], struct.unpack_from("<h", scene.facing, 2 * slots[0])[0]
    for most in dict.fromkeys((order.allowance, order.difficult_cap)):
        for gx, gy in goals:
            far = most // hull.reverse
            if most <= 0 or (gx - x) ** 2 + (gy - y) ** 2 > (far + near) ** 2:
                continue
            turn = plain_drive.turn_within(facing, plain_drive.heading_of(x - gx, y - gy), hull)
            far = _back_reach(scene, order, (x, y, turn), far)
            if far < 0:
                continue
            ends: list[Pose] = [] if turn == facing else [(x, y, turn)]
            march = March.of(slots, {slots[0]: [*ends, (*plain_drive.ahead(x, y, turn, -far), -1)]})
            if judge(scene, order, march).legal:
                return march
    return None
