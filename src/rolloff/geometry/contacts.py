"""Could a model have ended in contact? Places around an enemy base are tried one after the other, the nearest first."""

from __future__ import annotations

import struct
from collections.abc import Iterable

from msgspec.structs import replace

from rolloff.geometry.field import Scene
from rolloff.geometry.judging import judge, settled
from rolloff.geometry.measure import contacts_around, slots_of
from rolloff.geometry.moves import ALWAYS, ANY, NEVER, March, Order, Verdict
from rolloff.geometry.place import standing
from rolloff.geometry.plain.around import Spot
from rolloff.geometry.planning import find_way

AROUND = 72
"""How many places around a base are tried."""


def contact_spots(scene: Scene, slot: int, enemy: int) -> list[Spot]:
    """The places around a base at which another, facing as it does, would touch it."""
    return contacts_around(scene, slot, enemy, AROUND)


def missed_contact(scene: Scene, order: Order, verdict: Verdict, slot: int, enemies: Iterable[int]) -> tuple[int, Spot] | None:
    """An enemy base that a model could have ended in contact with, and where, while all others end where they do."""
    after = settled(scene, order.unit, verdict)
    start, facing = scene.xy[8 * slot : 8 * slot + 8], scene.facing[2 * slot : 2 * slot + 2]
    before = standing(after, (slot,), start, facing)
    lone = replace(order, cohere=ALWAYS if verdict.coherent else NEVER, closing=ANY, still=())
    slots = slots_of(before, order.unit)
    x, y = struct.unpack("<2i", start)
    most = (order.allowance + order.leeway.move) ** 2
    spots = [(enemy, spot) for enemy in enemies for spot in contact_spots(before, slot, enemy)]
    near = [(enemy, spot) for enemy, spot in spots if (spot[0] - x) ** 2 + (spot[1] - y) ** 2 <= most]
    near.sort(key=lambda found: ((found[1][0] - x) ** 2 + (found[1][1] - y) ** 2, found))
    for enemy, spot in near:
        if judge(before, lone, March.of(slots, {slot: [spot]})).legal:
            return enemy, spot
    way = find_way(before, lone, (slot,), [spot for _, spot in near], False, order.allowance, False) if near else None
    if way is not None and way[1] and judge(before, lone, March.of(slots, {slot: way[1]})).legal:
        end = way[1][-1]
        return next(((enemy, end) for enemy, spot in near if spot == end), (near[0][0], end))
    return None
