"""Ways up and down (CHG-6, MOVE-9): toward enemies who stand at other heights, each tried on the floor they stand on."""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterator
from itertools import chain
from typing import NamedTuple

from msgspec.structs import replace

from rolloff.editions.commentary.climbing import end_spots, judged
from rolloff.editions.commentary.footing import surfaces_at, surfaces_of
from rolloff.editions.commentary.ground import eased_for
from rolloff.editions.commentary.storeys import drop_of, ended, heights_of, storey, tall, touch_in, toward_targets, z_of
from rolloff.errors import IllegalCommand
from rolloff.geometry.contacts import missed_contact
from rolloff.geometry.field import Scene
from rolloff.geometry.measure import gap, slots_of
from rolloff.geometry.moves import UNSAID, March, Order, Verdict, Wish
from rolloff.geometry.place import standing
from rolloff.geometry.plain.around import Spot
from rolloff.rules.play import Play


class Storey(NamedTuple):
    """A height at which a unit may end its move: who is in its way there, and what it may do in plan to get there."""

    z: int
    scene: Scene
    order: Order


def storeys_of(play: Play, order: Order) -> Iterator[Storey]:
    """The heights at which the targets of a move stand, that of the nearest first; then where the unit stands already."""
    ours = play.state.units[order.unit].living
    theirs = heights_of(play, order.targets)
    far = {z: min(gap(play.scene, one, other) for one in ours for other in theirs[z]) for z in theirs}
    own = max(z_of(play, slot) for slot in ours)
    for z in dict.fromkeys([*sorted(far, key=lambda z: (far[z], z)), own]):
        found = storey_at(play, order, z)
        if found is not None:
            yield found


def storey_at(play: Play, order: Order, z: int) -> Storey | None:
    """One height at which a unit may end; None where it cannot get so high, or down so far."""
    own = [z_of(play, slot) for slot in play.state.units[order.unit].living]
    left = order.allowance + drop_of(play, order.unit) - max(abs(tall(z) - tall(level)) for level in own)
    if left < 0:
        return None
    scene = storey(play, play.scene, order.unit, toward_targets(order), (min(z, *own), max(z, *own)))
    barred = eased_for(play.game) if z or any(own) else order.barred
    return Storey(z, scene, replace(order, allowance=left, barred=barred))


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


def could_touch_at(play: Play, order: Order, verdict: Verdict, slot: int, enemies: tuple[int, ...]) -> tuple[int, Spot] | None:
    """An enemy that a model could have ended in base contact with at the height at which that one stands, and where."""
    if touch_in(play.game, ended(play, order.unit, verdict), slot, enemies):
        return None
    for z in sorted({z_of(play, enemy) for enemy in enemies}):
        found = storey_at(play, order, z)
        at = [enemy for enemy in enemies if z_of(play, enemy) == z]
        missed = missed_contact(found.scene, found.order, verdict, slot, at) if found is not None else None
        if missed is not None and z in surfaces_at(play, standing(play.scene, (slot,), struct.pack("<2i", *missed[1])), slot):
            return missed
    return None
