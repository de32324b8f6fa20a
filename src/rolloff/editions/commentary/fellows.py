"""Big models of one unit on their ways past each other (MOVE-2): one after the other, so that none is crossed."""

from __future__ import annotations

import struct
from collections.abc import Collection, Sequence
from itertools import permutations

from msgspec.structs import replace

from rolloff.editions.commentary.lookups import index_of
from rolloff.editions.commentary.passing import minding_none
from rolloff.editions.commentary.storeys import ended, without
from rolloff.geometry.field import Scene
from rolloff.geometry.measure import slots_of
from rolloff.geometry.moves import TOUCH, Code, March, Order, Verdict
from rolloff.geometry.paths import judge
from rolloff.rules.citing import cites
from rolloff.rules.game import Game
from rolloff.rules.play import Play


def with_big_fellows(game: Game) -> frozenset[int]:
    """The units of which several models are big; found once a game."""
    lookups = index_of(game)
    found = lookups.flown.get("with big fellows")
    if not isinstance(found, frozenset):
        big = [fighter.card for slot, fighter in enumerate(lookups.fighters) if _is_big(game, slot)]
        found = lookups.flown["with big fellows"] = frozenset([card for card in big if big.count(card) > 1])
    return found


def _is_big(game: Game, slot: int) -> bool:
    return any(gait.big for gait, _ in index_of(game).gaits((slot,)))


@cites("MOVE-2")
def past_fellows(play: Play, order: Order, way: March, verdict: Verdict, flyers: Collection[int]) -> Verdict:
    """MOVE-2: refused where a MONSTER or VEHICLE crosses one of its own unit, whoever goes first; but flyers may (FLY-3)."""
    slots = slots_of(play.scene, order.unit)
    big = [slot for slot in slots if _is_big(play.game, slot)]
    paths = {slot: poses for slot, poses in way.paths(slots).items() if poses}
    after = ended(play, order.unit, verdict)
    later: dict[int, set[int]] = {slot: set() for slot in big}  # who waits for whom
    for slot, other in permutations(big, 2):
        if slot in paths and slot not in flyers:
            heights = _between(play, play.scene, slot), _between(play, after, slot)
            lone = March.of((slot,), {slot: paths[slot]})
            if _crosses(play, order, lone, slot, other, play.scene, heights):
                later[slot].add(other)
            if _crosses(play, order, lone, slot, other, after, heights):
                later[other].add(slot)
    stuck = _stuck(later)
    return replace(verdict, code=int(Code.PASSED_BY), slot=stuck[0], what=order.unit) if stuck else verdict


def _stuck(later: dict[int, set[int]]) -> Sequence[int]:
    """Those who wait for each other, so that none of them can go."""
    left = dict(later)
    while ready := [slot for slot, before in left.items() if before.isdisjoint(left)]:
        for slot in ready:
            del left[slot]
    return tuple(left)


Interval = tuple[int, int]


def _between(play: Play, scene: Scene, slot: int) -> Interval:
    """The heights a body fills."""
    z = memoryview(scene.z).cast("i")[slot]
    return z, z + play.game.models[slot].height


def _crosses(
    play: Play, order: Order, lone: March, slot: int, other: int, scene: Scene, heights: tuple[Interval, Interval]
) -> bool:
    """Whether a model on its way crosses another that stands as in a scene."""
    low, high = _between(play, scene, other)
    if max(top for _, top in heights) <= low or min(z for z, _ in heights) >= high:
        return False
    owners = bytearray(scene.owner)
    struct.pack_into("<h", owners, 2 * other, (order.unit + 1) % len(scene.sides))
    there = bytearray(play.scene.xy)
    there[8 * other : 8 * other + 8] = scene.xy[8 * other : 8 * other + 8]
    facings = bytearray(play.scene.facing)
    facings[2 * other : 2 * other + 2] = scene.facing[2 * other : 2 * other + 2]
    two = replace(play.scene, xy=bytes(there), facing=bytes(facings), owner=bytes(owners))
    two = without(two, [k for k in range(two.field.n) if k not in (slot, other)])
    touching = struct.pack("<i", TOUCH) * (len(order.way) // 4)
    return judge(two, minding_none(order, touching), lone).code == Code.GAP_UNIT
