"""Places for a unit around a hull that stands askew: ranks along its sides, where rows along the table find no room."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain

from msgspec.structs import replace

from rolloff.geometry import kernels
from rolloff.geometry.field import Scene
from rolloff.geometry.moves import NEVER, Code, Hub, Zone
from rolloff.geometry.packing import scene_args
from rolloff.geometry.place import judge_place_plain, order_of, packed_slots, standing, zone_args
from rolloff.geometry.plain.around import Spot
from rolloff.geometry.trig import FULL_TURN, turned

STEP, APART = 250, 2
"""How far the places of a rank are from one another that are tried, and what bases keep between them, in thou."""
STARTS, PARTS = 24, 8
"""From how many places around the hub a unit is counted off; sides and bends of its outline."""


Place = tuple[float, int, Spot]
"""How far around the hub, in which rank, and where."""


def muster_around(scene: Scene, slots: Sequence[int], zone: Zone) -> bytes | None:
    """Places for a whole unit, coherent, in ranks around the hub of a zone: '<2i' for each slot; None if none was found."""
    find = muster_around_compiled if kernels.COMPILED else muster_around_plain
    return find(scene, slots, zone)


def muster_around_compiled(scene: Scene, slots: Sequence[int], zone: Zone) -> bytes | None:
    """The compiled search, which asks the judge as well."""
    out, who = kernels.ffi.new("int32_t[]", 2 * len(slots)), packed_slots(tuple(slots))
    zoned = zone_args(zone, order_of(scene, slots, zone).unit)
    found = kernels.lib.muster_ranks(*scene_args(scene), *zoned, who, len(slots), STEP, APART, STARTS, out)
    if found == -2:
        raise MemoryError
    return bytes(kernels.ffi.buffer(out)) if found else None


def muster_around_plain(scene: Scene, slots: Sequence[int], zone: Zone) -> bytes | None:
    """The plain search, and the judge's word on what it finds."""
    broad = {slot: base.r + base.hl + base.hw for slot in slots for base in (scene.field.bases[slot],)}
    one_of = {broad[slot]: slot for slot in reversed(slots)}
    ranks = {wide: _ranks(zone, wide, min(one_of)) for wide in one_of}
    lone, known = replace(zone, cohere=NEVER), dict[tuple[int, Spot], bool]()

    def free(wide: int, spot: Spot) -> bool:
        """Whether a model so broad may stand at a place, whatever the others do: judged once, and only where it is asked."""
        if (wide, spot) not in known:
            known[wide, spot] = _stands(scene, (one_of[wide],), lone, [spot])
        return known[wide, spot]

    for start in range(STARTS):
        spots = _counted_off(ranks, list(broad.values()), PARTS * start / STARTS, free)
        if len(spots) == len(slots) and _stands(scene, slots, zone, spots):
            return struct.pack(f"<{2 * len(spots)}i", *chain.from_iterable(spots))
    return None


def _stands(scene: Scene, slots: Sequence[int], zone: Zone, spots: Sequence[Spot]) -> bool:
    """Whether the judge lets models stand at some places, facing along the table."""
    xy = struct.pack(f"<{2 * len(spots)}i", *chain.from_iterable(spots))
    there = standing(scene, slots, xy, bytes(2 * len(slots)))
    return judge_place_plain(there, order_of(scene, slots, zone), zone, slots)[0] == Code.LEGAL


def _ranks(zone: Zone, broad: int, narrow: int) -> list[Place]:
    """The places around a hub for models so broad, in ranks ``narrow`` bases apart."""
    assert zone.hub is not None
    found, rank = list[Place](), broad + APART
    while rank + (broad if zone.hub.wholly else -broad) <= zone.hub.distance:
        for at, along, across in _outline(zone.hub, zone.hub.base.r + rank):
            dx, dy = turned(along, across, zone.hub.facing)
            found.append((at, rank, (zone.hub.x + dx, zone.hub.y + dy)))
        rank += 2 * narrow + APART
    return found


def _counted_off(
    ranks: Mapping[int, list[Place]], broad: Sequence[int], start: float, free: Callable[[int, Spot], bool]
) -> list[Spot]:
    """For each model the first free place from a start around the hub with none before it on it; fewer where they run out."""
    rows = {wide: iter(sorted([((at - start) % PARTS, rank, spot) for at, rank, spot in row])) for wide, row in ranks.items()}
    found: list[tuple[int, int, int]] = []
    for wide in broad:  # a place that was no place before is none for those who come later
        clear = (
            spot
            for *_, spot in rows[wide]
            if all((spot[0] - x) ** 2 + (spot[1] - y) ** 2 >= (wide + other + APART) ** 2 for x, y, other in found)
            and free(wide, spot)
        )
        spot = next(clear, None)
        if spot is None:
            break
        found.append((*spot, wide))
    return [(x, y) for x, y, _ in found]


def _outline(hub: Hub, off: int) -> Iterator[tuple[float, int, int]]:
    """The outline at a distance from a hub's core, counterclockwise: how far around, and where; four sides and four bends."""
    hl, hw = hub.base.hl, hub.base.hw
    quarter = FULL_TURN // 4
    bends = max(1, 11 * off // (7 * STEP))  # a quarter of a circle is 11/7 of its radius long
    for part, (across_it, beside) in enumerate(((hw, hl), (hl, hw), (hw, hl), (hl, hw))):
        steps = max(1, 2 * across_it // STEP)
        for k in range(steps + 1):
            along, across = turned(beside + off, -across_it + 2 * across_it * k // steps, part * quarter)
            yield 2 * part + k / (steps + 1), along, across
        for k in range(1, bends):
            dx, dy = turned(off, 0, quarter * k // bends)
            along, across = turned(beside + dx, across_it + dy, part * quarter)
            yield 2 * part + 1 + k / bends, along, across
