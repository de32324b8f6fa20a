"""Ways up and down (CHG-6, MOVE-9): toward enemies who stand at other heights, each tried on the floor they stand on."""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from msgspec.structs import replace

from rolloff.buffers import spliced
from rolloff.editions.commentary import places
from rolloff.editions.commentary.barricades import eased, meets
from rolloff.editions.commentary.climbing import end_spots, flown, judged, way_cost
from rolloff.editions.commentary.footing import hold_together, surfaces_at, surfaces_of
from rolloff.editions.commentary.ground import eased_for
from rolloff.editions.commentary.passing import FAR, Waypoint, passed, stretches_of, ways_of
from rolloff.editions.commentary.storeys import (
    ended,
    heights_of,
    standing_heights,
    storey,
    tall,
    touch_in,
    toward_targets,
    without,
    z_of,
)
from rolloff.errors import IllegalCommand
from rolloff.geometry.contacts import contact_spots, missed_contact
from rolloff.geometry.field import Scene
from rolloff.geometry.judging import first_step
from rolloff.geometry.measure import gap, slots_of
from rolloff.geometry.moves import FREE, NEVER, UNSAID, March, Order, Verdict, Wish
from rolloff.geometry.place import standing
from rolloff.geometry.plain.around import Spot
from rolloff.rules.citing import cites
from rolloff.rules.play import Play


class Storey(NamedTuple):
    """A height at which a unit may end its move: who is in its way there, and what it may do in plan to get there."""

    z: int
    scene: Scene
    order: Order


def storeys_of(play: Play, order: Order) -> Iterator[Storey]:
    """The heights at which targets of a move stand, that of the nearest first; where the unit stands; those near a target."""
    ours = play.state.units[order.unit].living
    theirs = heights_of(play, order.targets)
    far = {z: min(gap(play.scene, one, other) for one in ours for other in theirs[z]) for z in theirs}
    own = max(z_of(play, slot) for slot in ours)
    near = [z for z in standing_heights(play.game) if any(abs(z - other) <= places.RISE for other in theirs)]
    for z in dict.fromkeys([*sorted(far, key=lambda z: (far[z], z)), own, *near]):
        found = storey_at(play, order, z)
        if found is not None:
            yield found


def storey_at(play: Play, order: Order, z: int) -> Storey | None:
    """One height at which a unit may end; None where it cannot get so high, or down so far."""
    own = [z_of(play, slot) for slot in play.state.units[order.unit].living]
    left = order.allowance + order.kept_back - max(abs(tall(z) - tall(level)) for level in own)
    if left < 0:
        return None
    scene = storey(play, play.scene, order.unit, toward_targets(order), (min(z, *own), max(z, *own)))
    barred = eased_for(play.game, level=z) if z or any(own) else order.barred
    return Storey(z, scene, replace(order, allowance=left, kept_back=0).for_all(barred=barred))


def lifted(play: Play, unit: int, way: Wish, z: int, but: Collection[int] = ()) -> Wish:
    """The same way to a height, for those who end where something holds them there; some do not climb."""
    slots = slots_of(play.scene, unit)
    if not z and not any(z_of(play, slot) for slot in slots):
        return way
    ends = end_spots(play, slots, way)
    there = standing(play.scene, slots, struct.pack(f"<{2 * len(slots)}i", *chain.from_iterable(ends)))
    tops = surfaces_of(play, there, slots)
    levels = [UNSAID if slot in but or z not in tops[slot] else z for slot in slots]
    starts = dict(zip(slots, map(play.state.at, slots), strict=True))
    turned = {slot: [end] for slot, end in zip(slots, ends, strict=True) if end != starts[slot]}
    march = way if isinstance(way, March) else March.of(slots, turned)
    return replace(march, levels=struct.pack(f"<{len(levels)}i", *levels))


def lawful(play: Play, order: Order, way: Wish) -> Verdict | None:
    """The verdict on a way that stands and leaves the unit coherent; None of any other."""
    try:
        verdict = judged(play, order, way)
    except IllegalCommand:
        return None
    return verdict if verdict.legal and verdict.coherent else None


# -- base contact at heights -----------------------------------------------------------------------


class Touch(NamedTuple):
    """How a model gets into base contact with an enemy: by which way, and at which height."""

    enemy: int
    way: list[Waypoint]
    z: int


@cites("CHG-4", "PILEIN-3")
def all_touching(play: Play, order: Order, way: Wish, enemies: Mapping[int, Sequence[int]]) -> Wish:
    """CHG-4, PILEIN-3 with heights: the same way with everybody in base contact with one of his enemies who can be."""
    slots, verdict = slots_of(play.scene, order.unit), lawful(play, order, way)
    for slot in [slot for slot in slots if slot not in order.still and enemies.get(slot)]:
        touch = way_to_touch(play, order, verdict, slot, tuple(enemies[slot])) if verdict is not None else None
        if verdict is not None and touch is not None:
            better = _with_way(play, slots, way, verdict, slot, touch)
            judged_so = lawful(play, order, better)
            if judged_so is not None:
                way, verdict = better, judged_so
    return way


def _with_way(play: Play, slots: Sequence[int], way: Wish, verdict: Verdict, slot: int, touch: Touch) -> March:
    """The same way, but for one model."""
    ways = {one: points[1:] for one, points in zip(slots, ways_of(play, slots, way), strict=True)}
    ways[slot] = touch.way[1:]
    levels = dict(zip(slots, memoryview(verdict.levels or bytes(4 * len(slots))).cast("i"), strict=True)) | {slot: touch.z}
    heights = [point.z for one in slots for point in ways[one]]
    return replace(
        March.of(slots, {one: [point[:3] for point in points] for one, points in ways.items()}),
        levels=struct.pack(f"<{len(slots)}i", *levels.values()),
        heights=struct.pack(f"<{len(heights)}i", *heights) if any(z != UNSAID for z in heights) else b"",
    )


def could_touch_at(play: Play, order: Order, verdict: Verdict, slot: int, enemies: tuple[int, ...]) -> tuple[int, Spot] | None:
    """An enemy that a model could have ended in base contact with, and where; None of one that is in contact."""
    if touch_in(play.game, ended(play, order.unit, verdict), slot, enemies):
        return None
    found = way_to_touch(play, order, verdict, slot, enemies)
    return _around(play, order, verdict, slot, enemies) if found is None else (found.enemy, found.way[-1][:2])


def way_to_touch(play: Play, order: Order, verdict: Verdict, slot: int, enemies: tuple[int, ...]) -> Touch | None:
    """How a model that is in contact with none of some enemies gets there at a height at which their bodies meet."""
    after = ended(play, order.unit, verdict)
    if touch_in(play.game, after, slot, enemies):
        return None
    for z in standing_heights(play.game):
        at = [enemy for enemy in enemies if _beside(play, slot, z, enemy)]
        found = _free_spot(play, order, after, slot, _contact_spots(play, order, slot, at, z), z) if at else None
        if found is not None:
            return found
    return None


@cites("B2B-1")
def _beside(play: Play, slot: int, z: int, enemy: int) -> bool:
    """B2B-1: whether the body of a model at a height and that of an enemy overlap or touch in height."""
    other, models = z_of(play, enemy), play.game.models
    return z <= other + models[enemy].height and other <= z + models[slot].height


def _contact_spots(play: Play, order: Order, slot: int, enemies: Sequence[int], z: int) -> list[tuple[int, Spot]]:
    """The places around some enemies that a model could reach at a height if nothing stood in its way, the nearest first."""
    x, y = play.state.at(slot)
    most = _farthest(play, order, slot, z)
    around = [(enemy, spot) for enemy in enemies for spot in contact_spots(play.scene, slot, enemy)] if most >= 0 else []
    far = [((sx - x) ** 2 + (sy - y) ** 2, enemy, (sx, sy)) for enemy, (sx, sy) in around]
    return [(enemy, spot) for long, enemy, spot in sorted(far) if long <= most]


def _farthest(play: Play, order: Order, slot: int, z: int) -> int:
    """How far in plan a model gets at most that ends at a height, squared; less than 0 where it does not get there."""
    own, most = z_of(play, slot), order.allowed(slot) + order.kept_back + order.leeway.move
    if flown(play, order, slot):
        return min(most**2, (most + 1) ** 2 - (z - own) ** 2)
    left = most - max(abs(tall(z) - tall(own)) - 1, 0)  # a thou more than any rounding
    return left**2 if left >= 0 else -1


def _free_spot(play: Play, order: Order, after: Scene, slot: int, spots: Sequence[tuple[int, Spot]], z: int) -> Touch | None:
    """The first of some spots beside enemies at which a model may end at a height, all others where they end."""
    scene = standing(after, (slot,), struct.pack("<2i", *play.state.at(slot)))
    scene = storey(play, scene, order.unit, order.end, (z, z))
    scene = without(
        scene, [k for k in slots_of(scene, order.unit) if k != slot and not _near_in_height(play, after, slot, z, k)]
    )
    free = struct.pack("<i", FREE) * (len(order.way) // 4)
    lone = replace(
        eased(order), way=free, cohere=NEVER, still=(), permits=(), barred=eased_for(play.game, level=z), allowance=FAR
    )
    ends, first = [spot for _, spot in spots], 0
    while first < len(spots):
        step = first_step(scene, lone, slot, ends[first:])
        if step is None:
            return None
        first += step + 1
        way = _way_to(play, order, after, slot, ends[first - 1], z)
        if way is not None:
            return Touch(spots[first - 1][0], way, z)
    return None


def _near_in_height(play: Play, after: Scene, slot: int, z: int, other: int) -> bool:
    """Whether the body of a fellow, where it ends, is at the height of a model that would stand at another."""
    its, models = struct.unpack_from("<i", after.z, 4 * other)[0], play.game.models
    return bool(z < its + models[other].height and its < z + models[slot].height)


def _way_to(play: Play, order: Order, after: Scene, slot: int, spot: Spot, z: int) -> list[Waypoint] | None:
    """The straight way of a model to a spot and a height where it may stand, if its unit then ends as it should."""
    slots = slots_of(after, order.unit)
    there = standing(after, (slot,), struct.pack("<2i", *spot))
    if z not in surfaces_at(play, there, slot):
        return None
    there = replace(there, z=spliced(there.z, 4, (slot,), struct.pack("<i", z)))
    levels = [int(struct.unpack_from("<i", there.z, 4 * one)[0]) for one in slots]
    if not hold_together(there, slots, levels, order.coherency, order.leeway.gap):
        return None
    if order.contact and not all(meets(play, there, slots, play.state.units[k].living, charging=True) for k in order.targets):
        return None
    start = Waypoint(*play.state.at(slot), play.state.facing_of(slot))
    end, most = start._replace(x=spot[0], y=spot[1]), order.allowed(slot) + order.kept_back + order.leeway.move
    ways = ([start, end], [start, start._replace(z=z), end]) if z != z_of(play, slot) else ([start, end],)
    cheap = [way for way in ways if way_cost(play, order, slot, way, z) <= most]
    return next((way for way in cheap if not passed(play, order, slot, list(stretches_of(play, slot, way, z)))), None)


def _around(play: Play, order: Order, verdict: Verdict, slot: int, enemies: tuple[int, ...]) -> tuple[int, Spot] | None:
    """The same by ways around what stands between, at the height at which an enemy stands."""
    for z in sorted({z_of(play, enemy) for enemy in enemies}):
        found = storey_at(play, order, z)
        at = [enemy for enemy in enemies if z_of(play, enemy) == z]
        missed = missed_contact(found.scene, found.order, verdict, slot, at) if found is not None else None
        if missed is not None and z in surfaces_at(play, standing(play.scene, (slot,), struct.pack("<2i", *missed[1])), slot):
            return missed
    return None
