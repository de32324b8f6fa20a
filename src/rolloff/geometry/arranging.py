"""Witnesses for units whose leader alone follows a path while the others are set down around it."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from math import sqrt

from msgspec.structs import replace

from rolloff.geometry.field import NOWHERE, Scene
from rolloff.geometry.judging import judge
from rolloff.geometry.marching import FAR, cut_path, positions, slide, spots_near, variants
from rolloff.geometry.measure import slots_of
from rolloff.geometry.moves import ALWAYS, STAY, March, Order, Shift, Wish, Zone
from rolloff.geometry.place import muster, standing
from rolloff.geometry.plain.around import Spot
from rolloff.geometry.planning import find_way


def set_down(scene: Scene, order: Order, path: Sequence[Spot]) -> March | None:
    """The leader along a path and everyone else around where it ends; None without room or against the rules."""
    slots, leader = slots_of(scene, order.unit), order.coherency.leader
    others = [slot for slot in slots if slot != leader]
    paths: dict[int, Sequence[tuple[int, ...]]] = {leader: path}
    if others:
        end = path[-1] if path else positions(scene, (leader,))[0]
        facing = struct.unpack_from("<h", scene.facing, 2 * leader)[0]
        gone = struct.pack("<2i", *end) + struct.pack("<2i", NOWHERE, 0) * len(others)
        zone = Zone(
            order.end, order.coherency, ALWAYS, impassable=order.impassable, barred=order.barred,
            off_limits=order.off_limits, leeway=order.leeway,
        )  # fmt: skip
        xy = muster(standing(scene, (leader, *others), gone), others, zone, *end, facing)
        if xy is None:
            return None
        for slot, spot in zip(others, struct.iter_unpack("<2i", xy), strict=True):
            paths[slot] = [(*spot, facing)]
    march = March.of(slots, paths)
    return march if judge(scene, order, march).legal else None


def advance(scene: Scene, order: Order, x: int, y: int) -> Wish:
    """The unit as near to a point as one move takes it: shifted as it stands, or led and set down again."""
    slots, leader = slots_of(scene, order.unit), order.coherency.leader
    if leader not in slots:
        return STAY
    start = positions(scene, (leader,))[0]
    best = slide(scene, order, x - start[0], y - start[1])
    if isinstance(best, Shift):
        far = sqrt(best.dx * best.dx + best.dy * best.dy)
        if far + 20.0 >= min(sqrt((x - start[0]) ** 2 + (y - start[1]) ** 2), float(order.allowance)):
            return best
    for most, avoid in variants(scene, order):
        goals = spots_near(x, y)
        found = find_way(scene, order, (leader,), goals[:17], False, FAR, avoid)
        found = found or find_way(scene, order, (leader,), goals[17:], False, FAR, avoid)
        for share in (16, 12, 8, 4) if found else ():
            path = cut_path(start, found[1] if found else (), float(most * share // 16))
            march = set_down(scene, order, path) if path else None
            if march is not None:
                return march
    return best


def engage(scene: Scene, order: Order) -> March | None:
    """The leader into contact with the order's targets and the others around it; None if there is no lawful way."""
    leader = order.coherency.leader
    if leader not in slots_of(scene, order.unit):
        return None
    for most, avoid in variants(scene, order):
        found = find_way(scene, order, (leader,), (), True, most, avoid)
        march = set_down(scene, order, found[1]) if found else None
        if march is not None:
            return march
    return None


def regroup(scene: Scene, order: Order) -> Wish | None:
    """The others set down around the leader where it stands; None if there is no room."""
    order = replace(order, cohere=ALWAYS)
    if judge(scene, order, STAY).legal:
        return STAY
    return set_down(scene, order, ()) if order.coherency.leader in slots_of(scene, order.unit) else None
