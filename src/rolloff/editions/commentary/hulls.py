"""Hulls that hang over their bases (GEO-2, B2B-2): who keeps clear of them, and who charges them."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from math import inf, isqrt

from msgspec.structs import replace

from rolloff.buffers import spliced
from rolloff.editions.commentary import places
from rolloff.editions.commentary.barricades import ROUNDING, eased
from rolloff.editions.commentary.lookups import index_of
from rolloff.editions.commentary.storeys import apart_in, ended, engaged_in
from rolloff.geometry.field import Scene
from rolloff.geometry.measure import slots_of
from rolloff.geometry.moves import Code, Order, Shift, Verdict, Wish, Zone, over
from rolloff.geometry.paths import judge
from rolloff.geometry.place import standing
from rolloff.geometry.shifting import shifts_with
from rolloff.geometry.trig import turned
from rolloff.identity_cache import IdentityCache
from rolloff.lengths import INCH
from rolloff.rules.answers import Placement
from rolloff.rules.citing import cites
from rolloff.rules.moves import heights
from rolloff.rules.play import Play
from rolloff.table.state import State

STRICTLY = over(0)
"""The least code of a distance that must be more than so much (`geometry.moves.over`)."""
STEP = 50
"""How finely ends before a hull are tried, in thou."""
STRAIGHT = (0,)
ASIDE = tuple(side * 75 * k % 3600 for k in range(1, 13) for side in (1, -1))
"""Headings off the straight one at a hull, in tenths of a degree: past whoever is in the way."""
WIDER = (INCH, 2 * INCH, 3 * INCH)
"""By how much more charges beside a hull keep away from its base, one after the other."""


def _kept_off(play: Play, unit: int, keep: bytes) -> list[tuple[int, int]]:
    """The enemy units that a unit keeps away from where a hull of one of both hangs over its base, and how far."""
    game, wide = play.game, places.overhung(play.game)
    if not wide:
        return []
    units, enemies = play.state.units, game.standing(play.state)[1 - game.sides[unit]]
    codes, hung = memoryview(keep).cast("i"), enemies if unit in wide else wide
    return [(k, codes[k] - STRICTLY) for k in hung if k in enemies and codes[k] >= STRICTLY and units[k].living]


def _out_of_reach(play: Play, unit: int, kept: list[tuple[int, int]], longest: int) -> bool:
    """Whether a unit is too far from some others for their hulls to matter after so long a way, however those are turned."""
    if not play.game.field.long.isdisjoint(play.state.units[unit].living):
        return False  # which may turn toward them
    far, least = longest + INCH + places.CONTACT, places.least_gaps(play.game, play.state, unit)
    return min([least[k] for k, _ in kept], default=inf) > far


@cites("GEO-2", "AIR-4")
def clear_of_hulls(play: Play, order: Order, verdict: Verdict) -> Verdict:
    """GEO-2, AIR-4: refused where somebody who moves ends within Engagement Range of an enemy by a hull, not by bases alone."""
    if _far_off.get(order) is play.state and verdict.longest <= order.allowance:
        return verdict
    kept = _kept_off(play, order.unit, order.end) if verdict.legal else []
    if not kept or _out_of_reach(play, order.unit, kept, verdict.longest):
        return verdict
    after = ended(play, order.unit, verdict)
    rows = zip(slots_of(play.scene, order.unit), struct.iter_unpack("<2i", verdict.ends), strict=True)
    gone = tuple([slot for slot, end in rows if end != play.state.at(slot)])
    for unit, _ in kept:
        theirs = play.state.units[unit].living
        if gone and engaged_in(play.game, after, gone, theirs):
            return replace(verdict, code=int(Code.GAP_UNIT), slot=gone[0], what=unit)
    return verdict


_far_off: IdentityCache[Order, State] = IdentityCache(16)
"""Orders lately found to lead nobody near a hull, each with the state in which."""


def hulls_near(play: Play, order: Order) -> bool:
    """Whether a way proposed by bases could end too near somebody by a hull."""
    kept = _kept_off(play, order.unit, order.end)
    if kept and not _out_of_reach(play, order.unit, kept, order.allowance):
        return True
    _far_off.put(order, play.state)
    return False


@cites("GEO-2")
def set_clear_of_hulls(play: Play, zone: Zone, answer: Placement, scene: Scene) -> Verdict | None:
    """GEO-2: the refusal of a placement that keeps its distance from enemies by bases, but not by hulls; else None."""
    slots = answer.slots
    kept = _kept_off(play, play.state.owner_of(slots[0]), zone.keep)
    if not kept or _far_from_all(play, answer, kept, scene):
        return None
    there = flat = standing(scene, slots, answer.xy, answer.facings)
    levels = answer.levels or heights(play.game, answer.xy)
    if any(levels) or not places.level(scene.z):
        there = replace(there, z=spliced(there.z, 4, slots, levels))
        flat = replace(there, z=bytes(len(there.z)))
    for other, away in kept:
        theirs = play.state.units[other].living
        if away > INCH + places.EPSILON:  # GEO-6: in plan
            near = min(apart_in(play.game, flat, slots, theirs).nearest) <= away
        else:
            near = engaged_in(play.game, there, slots, theirs)
        if near:
            return Verdict(int(Code.GAP_UNIT), slots[0], other, 0, False, (), True, True, answer.xy, answer.facings)
    return None


def _far_from_all(play: Play, answer: Placement, kept: Sequence[tuple[int, int]], scene: Scene) -> bool:
    """Whether models would be set up so far from some units that no hull could matter, however it is turned: by boxes."""
    places_of, middles = memoryview(answer.xy).cast("i"), memoryview(scene.xy).cast("i")
    far = max([2 * INCH, *[away for _, away in kept]]) + max(2 * scene.field.widest, places.OVERHANG + 8)
    xs, ys = places_of[::2], places_of[1::2]
    left, right, bottom, top = min(xs) - far, max(xs) + far, min(ys) - far, max(ys) + far
    units = play.state.units
    for unit, _ in kept:
        for slot in units[unit].living:
            if left <= middles[2 * slot] <= right and bottom <= middles[2 * slot + 1] <= top:
                return False
    return True


def clear_zones(play: Play, unit: int, zone: Zone) -> Iterator[Zone]:
    """Zones in which models keep further and further from hulls by bases, in the last however those are turned."""
    for more in (*WIDER, places.OVERHANG):
        yield replace(zone, keep=_kept_wide(play, unit, zone.keep, more))


def wider_orders(play: Play, order: Order) -> Iterator[Order]:
    """An order, and others by which whoever ends keeps further and further from hulls by bases."""
    yield order
    for more in WIDER:
        yield replace(order, end=_kept_wide(play, order.unit, order.end, more))


def _kept_wide(play: Play, unit: int, keep: bytes, more: int) -> bytes:
    """Distances to keep from each unit, so much greater where a hull hangs over."""
    codes = bytearray(keep)
    for k, away in _kept_off(play, unit, keep):
        struct.pack_into("<i", codes, 4 * k, over(away + more))
    return bytes(codes)


# -- charges ---------------------------------------------------------------------------------------


def hull_among(play: Play, targets: Sequence[int]) -> bool:
    """Whether one of some units has a hull that hangs over its base."""
    wide = index_of(play.game).aircraft
    return bool(wide) and not set(places.overhung(play.game)).isdisjoint(targets)


@cites("B2B-2")
def charge_at_hull(play: Play, order: Order, wish: Wish) -> Verdict | None:
    """B2B-2, CHG-3: a charge that ends within Engagement Range of all its targets, measured to base or hull; else None."""
    if not order.contact or not hull_among(play, order.targets):
        return None
    verdict = judge(play.scene, eased(order), wish)
    if not verdict.legal or not verdict.coherent:
        return None
    after, slots = ended(play, order.unit, verdict), slots_of(play.scene, order.unit)
    others = [play.state.units[k].living for k in order.targets]
    if not all(engaged_in(play.game, after, slots, theirs) for theirs in others):
        return None
    rows = [(apart_in(play.game, scene, slots, theirs).nearest for scene in (play.scene, after)) for theirs in others]
    moved = zip(*(zip(before, now, strict=True) for before, now in rows), strict=True)
    return verdict if all(any(places.closer(far, start) or not start for start, far in model) for model in moved) else None


def toward_hull(play: Play, order: Order) -> Wish | None:
    """CHG-3: a way of the whole unit straight at a hull, as near as it goes, else past what is in the way of that.

    No step too short for all targets is tried.
    """
    if not order.contact or not hull_among(play, order.targets):
        return None
    return _by_hull(play, order, STRAIGHT, STEP) or _by_hull(play, order, ASIDE, 4 * STEP)


def _by_hull(play: Play, order: Order, headings: Sequence[int], step: int) -> Wish | None:
    """A way of the whole unit by some headings off the straight one at a hull, the longest that does."""
    bx, by = play.state.at(play.state.units[order.targets[0]].living[0])
    gaps, freed = places.gaps_from(play.game, play.state, order.unit), eased(order)
    least = max(0, int(max([gaps[k] for k in order.targets]) - INCH) - places.EPSILON - ROUNDING)
    for slot in slots_of(play.scene, order.unit):
        ax, ay = play.state.at(slot)
        span = max(1, isqrt((bx - ax) ** 2 + (by - ay) ** 2))
        for heading in headings:
            dx, dy = turned(bx - ax, by - ay, heading) if heading else (bx - ax, by - ay)
            steps = range(min(order.allowance, span), least, -step)
            ways = [Shift(dx * far // span, dy * far // span) for far in steps]
            for way in shifts_with(play.scene, freed, ways, Code.LEGAL):
                if charge_at_hull(play, order, way) is not None:
                    return way
    return None
