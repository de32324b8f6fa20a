"""Heights (MOVE-3, MOVE-9, FLY-5, TER-6, TER-8): what a way costs with its turns, climbs and flights, and where it may end.

Plain geometry judges ways in plan. Where a table has heights, or a base that is not round turns, this is asked besides.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from itertools import chain, pairwise

from msgspec.structs import replace

from rolloff.editions.commentary import places
from rolloff.editions.commentary.barricades import as_close_as_possible, charge_across, charged_across, eased, meets
from rolloff.editions.commentary.fellows import past_fellows, with_big_fellows
from rolloff.editions.commentary.footing import ends_at, hold_together, inside_solid, on_markers, surfaces_of
from rolloff.editions.commentary.ground import CLOSED, FLOOR, MARKER, WALL, eased_for
from rolloff.editions.commentary.hulls import charge_at_hull, clear_of_hulls
from rolloff.editions.commentary.lookups import index_of
from rolloff.editions.commentary.passing import (
    Waypoint,
    beneath,
    climb,
    passed,
    slips,
    stretches_of,
    turned_into,
    turning_through,
    ways_of,
)
from rolloff.editions.commentary.storeys import (
    Band,
    apart_in,
    bodies_meet,
    ended,
    engaged_in,
    judge_bands,
    solid_places,
    z_of,
)
from rolloff.geometry.field import Scene
from rolloff.geometry.measure import slots_of
from rolloff.geometry.moves import (
    ALWAYS,
    ANY,
    FREE,
    NEVER,
    NO_FURTHER,
    UNSAID,
    Code,
    March,
    Order,
    Verdict,
    Wish,
    strict_over,
)
from rolloff.geometry.paths import judge, settled
from rolloff.geometry.place import standing
from rolloff.geometry.profiles import Spot, length_of, stretches, taut, turning
from rolloff.geometry.spans import NEAR, TOUCHES
from rolloff.identity_cache import IdentityCache
from rolloff.lengths import INCH
from rolloff.rules.citing import cites
from rolloff.rules.play import Play


def judged(play: Play, order: Order, wish: Wish) -> Verdict:
    """The verdict on a way with its heights and turns, and what hulls there are."""
    verdict = _judged(play, order, wish)
    if verdict.code == 0 and type(wish) is March and order.closing == ANY and order.unit in with_big_fellows(play.game):
        verdict = _past_fellows(play, order, wish, verdict)
    return clear_of_hulls(play, order, verdict) if verdict.code == 0 and places.overhung(play.game) else verdict


def _past_fellows(play: Play, order: Order, wish: March, verdict: Verdict) -> Verdict:
    """The same where several models of the unit are big."""
    way = swept(play, order, turned_first(play, order, wish))
    flyers = {slot for slot in slots_of(play.scene, order.unit) if flown(play, order, slot)}
    return past_fellows(play, order, way, verdict, flyers) if isinstance(way, March) else verdict


def _judged(play: Play, order: Order, wish: Wish) -> Verdict:
    """The same, by bases."""
    turns, flat = isinstance(wish, March) and _any_long(play, order.unit), places.level(play.state.z)
    wish = turned_first(play, order, wish) if turns else wish
    true = order.whole()
    if not flat or (isinstance(wish, March) and wish.levels):
        return reached(play, true, _in_space(play, eased(true), wish), eased_before=True)
    plain = judge(play.scene, true, swept(play, order, wish) if turns else wish)
    if not (plain.code or turns):
        return plain
    if plain.code in (Code.NO_CONTACT, Code.FURTHER):
        return charge_across(play, true, wish) or charge_at_hull(play, true, wish) or plain
    if (
        plain.code == Code.IMPASSABLE
        or (turns and plain.legal and _turns(play, order.unit, wish))
        or _over(play, true, plain, wish)
    ):
        return reached(play, true, _in_heights(play, true, wish))
    return plain


def _over(play: Play, order: Order, plain: Verdict, wish: Wish) -> bool:
    """Whether a way that meets a unit in plan leads over something tall as well: up there it may be far enough from it."""
    if plain.code != Code.GAP_UNIT or CLOSED not in order.barred:
        return False
    return judge(play.scene, _unminded(order), swept(play, order, wish)).code == Code.IMPASSABLE


def _unminded(order: Order) -> Order:
    """The same order if nobody minded the way to its end."""
    return order.for_all(way=struct.pack("<i", FREE) * (len(order.way) // 4))


def _in_space(play: Play, order: Order, wish: Wish) -> Verdict:
    """The verdict where somebody stands, or would end, above the ground: only who is near in height is in the way."""
    slots = slots_of(play.scene, order.unit)
    if isinstance(wish, March) and len(wish.counts) != len(slots):
        return judge(play.scene, order, wish)
    if not _has_heights(play, order.unit, wish):
        bands = _bands(play, slots, wish)
        plain = judge_bands(play, order, swept(play, order, wish), bands)
        high = plain.code == Code.IMPASSABLE or (plain.legal and _turns(play, order.unit, wish))
        if not high and not _over(play, order, plain, wish):
            return plain
    return _in_heights(play, order, wish)


def _bands(play: Play, slots: Sequence[int], wish: Wish) -> dict[int, Band]:
    """The lowest and the highest each model is on its way."""
    ends = end_spots(play, slots, wish)
    there = standing(play.scene, slots, struct.pack(f"<{2 * len(slots)}i", *chain.from_iterable(ends)))
    said, flat = _said(wish, slots), play.game.field.ground.flat
    found: dict[int, Band] = {}
    unsaid = tuple([slot for slot in slots if said[slot] == UNSAID and (z_of(play, slot) or not flat)])
    tops = surfaces_of(play, there, unsaid) if unsaid else {}
    for slot in slots:
        start = end = z_of(play, slot)
        if said[slot] != UNSAID:
            end = said[slot]
        elif slot in tops and start not in tops[slot]:
            end = min(tops[slot], default=0)
        found[slot] = min(start, end), max(start, end)
    return found


@cites("CHG-3", "CHG-4")
def reached(play: Play, order: Order, verdict: Verdict, eased_before: bool = False) -> Verdict:
    """CHG-3, CHG-4 with heights: whether a move ends within Engagement Range of all its targets, every model closer to one.

    On the ground that is judged in plan already, unless the order was `eased`.
    """
    if not verdict.legal or not order.targets:
        return verdict
    if not eased_before and places.level(play.state.z) and not any(verdict.levels):
        return verdict
    after, slots = ended(play, order.unit, verdict), slots_of(play.scene, order.unit)
    others = [play.state.units[k].living for k in order.targets]
    if order.contact:
        for target, theirs in zip(order.targets, others, strict=True):
            if not meets(play, after, slots, theirs, charging=True):
                return replace(verdict, code=int(Code.NO_CONTACT), what=target)
    late = next((slot for slot in slots if order.closing and not _nears(play, order, after, slot, others)), None)
    return verdict if late is None else replace(verdict, code=int(Code.FURTHER), slot=late)


def _nears(play: Play, order: Order, after: Scene, slot: int, others: Sequence[tuple[int, ...]]) -> bool:
    """Whether a model ends as near to its targets as its move asks for: closer to one, no further, in contact; or it stays."""
    enemies = tuple(chain.from_iterable(others))
    end, start = apart_in(play.game, after, (slot,), enemies), apart_in(play.game, play.scene, (slot,), enemies)
    if end.marks[0] & TOUCHES:
        return True
    if order.closing == NO_FURTHER:
        return places.within(end.nearest[0], int(start.nearest[0]))
    if not end.marks[0] & NEAR:
        piece = charged_across(play, after, slot, order.targets)
        if piece >= 0:
            return as_close_as_possible(play, order, after, slot, piece)
    if len(others) > 1:
        return any(_nears(play, order, after, slot, (theirs,)) for theirs in others)
    return end.nearest[0] < start.nearest[0]


def _turns(play: Play, unit: int, wish: Wish) -> bool:
    """Whether a base that is not round turns on its way, be it back again."""
    if not isinstance(wish, March) or not _any_long(play, unit):
        return False
    paths = wish.paths(slots_of(play.scene, unit))
    long = [(play.state.facing_of(slot), poses) for slot, poses in paths.items() if slot in play.game.field.long]
    return any(turn not in (-1, facing) for facing, poses in long for _, _, turn in poses)


def _has_heights(play: Play, unit: int, wish: Wish) -> bool:
    if isinstance(wish, March) and wish.levels:
        return True
    return not places.level(play.state.z) and any(z_of(play, slot) for slot in play.state.units[unit].living)


@cites("MOVE-3")
def turned_first(play: Play, order: Order, wish: Wish) -> Wish:
    """MOVE-3: a waypoint that changes both facing and place is read as the turn, then the shift; round bases only shift."""
    if not isinstance(wish, March) or not _any_long(play, order.unit):
        return wish
    slots = slots_of(play.scene, order.unit)
    if len(wish.counts) != len(slots):
        return wish
    paths, said, heights = dict[int, list[tuple[int, ...]]](), wish.heights_by(slots), list[int]()
    for slot, poses in wish.paths(slots).items():
        (x, y), facing = play.state.at(slot), play.state.facing_of(slot)
        for (px, py, turn), z in zip(poses, said[slot], strict=True):
            if turn not in (-1, facing) and (px, py) != (x, y) and slot in play.game.field.long:
                paths.setdefault(slot, []).append((x, y, turn))
                heights.append(UNSAID)
            paths.setdefault(slot, []).append((px, py, turn))
            heights.append(z)
            x, y, facing = px, py, facing if turn == -1 else turn
    packed = struct.pack(f"<{len(heights)}i", *heights) if wish.heights else b""
    return replace(March.of(slots, paths), levels=wish.levels, heights=packed)


@cites("MOVE-11")
def swept(play: Play, order: Order, wish: Wish) -> Wish:
    """MOVE-11: the same way with every position a long base turns through, so that all it sweeps over is looked at."""
    if not isinstance(wish, March) or not _any_long(play, order.unit):
        return wish
    slots = slots_of(play.scene, order.unit)
    if len(wish.counts) != len(slots):
        return wish
    paths: dict[int, list[tuple[int, ...]]] = {}
    for slot, poses in wish.paths(slots).items():
        facing, path = play.state.facing_of(slot), list[tuple[int, ...]]()
        for x, y, turn in poses:
            if turn not in (-1, facing) and slot in play.game.field.long:
                path += [(x, y, between) for between in turning_through(facing, turn)]
                facing = turn
            path.append((x, y, turn))
        paths[slot] = path
    return March.of(slots, paths)


def _any_long(play: Play, unit: int) -> bool:
    """Whether a unit has a base that is not round."""
    return not play.game.field.long.isdisjoint(play.state.units[unit].living)


# -- the whole check -------------------------------------------------------------------------------


def _in_heights(play: Play, order: Order, wish: Wish) -> Verdict:
    """A way judged with heights: climbed or flown over what is in the way, onto a surface that holds every base."""
    slots = slots_of(play.scene, order.unit)
    way, open_to = swept(play, order, wish), _opened(order, eased_for(play.game))
    verdict = judge(play.scene, open_to, way)
    clear = verdict.legal and not _crowded(play, order)
    if not verdict.legal and not _depends_on_height(play, verdict):
        return verdict
    after = settled(play.scene, order.unit, verdict)
    levels = ends_at(play, after, _said(wish, slots))
    inside = inside_solid(play, after, dict(zip(slots, levels, strict=True)))
    if inside is not None:
        return replace(verdict, code=int(Code.IMPASSABLE), slot=inside[0], what=inside[1])
    if not clear:
        verdict = _judge_ends(play, order, way, dict(zip(slots, levels, strict=True)))
        if not verdict.legal:
            return verdict
    flyers = {slot for slot in slots if flown(play, order, slot)}
    ways, longest = ways_of(play, slots, wish), 0
    for slot, level, points in zip(slots, levels, ways, strict=True):
        cost = _turned(play, slot, points) + _way_cost(play, slot, points, level, slot in flyers)
        if cost > order.allowed(slot) + order.leeway.move:
            return replace(verdict, code=int(Code.TOO_LONG), slot=slot, what=order.allowed(slot))
        longest = max(longest, round(cost))
    coherent = hold_together(after, slots, levels, order.coherency, order.leeway.gap)
    verdict = replace(verdict, longest=longest, levels=struct.pack(f"<{len(levels)}i", *levels), coherent=coherent)
    if not coherent and order.cohere == ALWAYS:
        return replace(verdict, code=int(Code.INCOHERENT), slot=slots[0])
    if len(flyers) < len(slots):
        rows = [row for row in zip(slots, ways, levels, strict=True) if row[0] not in flyers]
        met = _met_on_the_way(play, order, rows, clear)
        if met is not None:
            return replace(verdict, code=int(met[0]), slot=met[1], what=met[2])
    return verdict if clear else _clear(play, order, verdict)


def _depends_on_height(play: Play, verdict: Verdict) -> bool:
    """Whether what a way is refused for in plan may be too far above or below: models, and markers (OBJ-2)."""
    if verdict.code == Code.IMPASSABLE:
        return bool(play.game.field.ground.places[verdict.what].kinds & MARKER)
    return verdict.code in (Code.GAP_UNIT, Code.OVERLAP)


def _crowded(play: Play, order: Order) -> bool:
    """Whether somebody stands above or below a unit, near enough in plan that its start would excuse its being near him."""
    if places.level(play.state.z):
        return False
    gaps, codes = play.game.gaps_from(play.state, order.unit), struct.unpack(f"<{len(order.end) // 4}i", order.end)
    return any(gaps[k] <= INCH + places.EPSILON for k, code in enumerate(codes) if k != order.unit and code != FREE)


def _judge_ends(play: Play, order: Order, way: Wish, levels: dict[int, int]) -> Verdict:
    """GEO-4, ER-2: the ends of a way judged at the heights at which models end; who minds the way is asked apart."""
    mixed = len(set(levels.values())) > 1
    ends = replace(eased(order) if mixed else order, cohere=NEVER).for_all(barred=eased_for(play.game, markers=False))
    verdict = judge_bands(play, _unminded(ends), way, {slot: (z, z) for slot, z in levels.items()})
    if verdict.legal:
        on = on_markers(play, settled(play.scene, order.unit, verdict), levels)
        if on is not None:
            return replace(verdict, code=int(Code.IMPASSABLE), slot=on[0], what=on[1])
    return verdict


def _met_on_the_way(
    play: Play, order: Order, ways: Sequence[tuple[int, list[Waypoint], int]], clear: bool
) -> tuple[Code, int, int] | None:
    """Who or what models meet on their ways at the heights they have there, and which does; only turns where all is clear."""
    for slot, points, level in ways:
        turns = slot in play.game.field.long and any(there.facing != here.facing for here, there in pairwise(points))
        parts = list(stretches_of(play, slot, points, level)) if turns or not clear else []
        piece = turned_into(play, slot, parts) if turns else -1
        if piece >= 0:
            return Code.IMPASSABLE, slot, piece
        met = passed(play, order, slot, parts) if not clear else None
        if met is not None:
            return met[0], slot, met[1]
    return None


_eased: IdentityCache[Order, Order] = IdentityCache(16)
"""Orders lately judged with heights, as those judge them: a search asks about many ways by one order."""


def _opened(order: Order, barred: bytes) -> Order:
    """The same order for plain geometry where heights are looked at apart; kept by the very order."""
    found = _eased.get(order)
    if found is None or found.barred != barred:
        found = _eased.put(order, replace(order, cohere=NEVER).for_all(barred=barred))
    return found


@cites("GEO-4")
def _clear(play: Play, order: Order, verdict: Verdict) -> Verdict:
    """ER-2, GEO-4: refused where somebody who went up or down ends in another's body, or where he may not be engaged."""
    after, codes = ended(play, order.unit, verdict), struct.unpack(f"<{len(order.end) // 4}i", order.end)
    levels = dict(zip(slots_of(play.scene, order.unit), memoryview(verdict.levels).cast("i"), strict=True))
    for slot, level in levels.items():
        climbs, others = level != z_of(play, slot), places.on_table(after.xy) - {slot}
        for other in sorted(others if climbs else others & levels.keys()):
            owner = play.state.owner_of(other)
            if owner == order.unit or codes[owner] != FREE:
                kept_off = owner != order.unit and strict_over(codes[owner]) is not None
                if bodies_meet(play.game, after, slot, other) or (kept_off and engaged_in(play.game, after, (slot,), (other,))):
                    code, what = (Code.OVERLAP, other) if owner == order.unit else (Code.GAP_UNIT, owner)
                    return replace(verdict, code=int(code), slot=slot, what=what)
    return verdict


def _said(wish: Wish, slots: Sequence[int]) -> dict[int, int]:
    """The height each model should end at, where its player says so."""
    found = dict.fromkeys(slots, UNSAID)
    if isinstance(wish, March) and wish.levels:
        found |= dict(zip(slots, struct.unpack(f"<{len(slots)}i", wish.levels), strict=True))
    return found


@cites("FLY-1")
def flown(play: Play, order: Order, slot: int) -> bool:
    """FLY-1, FLY-4: whether a model flies, which is read per model: it has FLY, and its move crosses everybody."""
    if "FLY" not in index_of(play.game).fighters[slot].keywords:
        return False
    permit = order.permit(slot)
    way = order.way if permit is None else permit.way
    return way == struct.pack("<i", FREE) * (len(way) // 4)


def end_spots(play: Play, slots: Sequence[int], wish: Wish) -> list[Spot]:
    """Where each model ends."""
    return [points[-1][:2] for points in ways_of(play, slots, wish)]


def ends_of(play: Play, slots: Sequence[int], wish: Wish) -> list[int]:
    """The heights at which models end."""
    spots = struct.pack(f"<{2 * len(slots)}i", *chain.from_iterable(end_spots(play, slots, wish)))
    return ends_at(play, standing(play.scene, slots, spots), _said(wish, slots))


@cites("MOVE-3")
def _turned(play: Play, slot: int, points: Sequence[Waypoint]) -> float:
    """MOVE-3: what the turns of a base cost: the way of its farthest tip."""
    if slot not in play.game.field.long:
        return 0.0
    turns = [there.facing - here.facing for here, there in pairwise(points) if there.facing != here.facing]
    return sum([turning(play.game.field.bases[slot], turn) for turn in turns], 0.0)


def way_cost(play: Play, order: Order, slot: int, points: Sequence[Waypoint], level: int) -> float:
    """MOVE-3: what a way costs a model in a move, turns and heights included."""
    return _turned(play, slot, points) + _way_cost(play, slot, points, level, flown(play, order, slot))


def _way_cost(play: Play, slot: int, points: Sequence[Waypoint], level: int, flies: bool) -> float:
    """The length of a way from where a model stands to a height: flown, or walked and climbed."""
    path = [point[:2] for point in points]
    return flight(play, slot, path, level) if flies else length_of(path) + climb(play, slot, points, level)


@cites("FLY-5", "CHARGE-4")
def flight(play: Play, slot: int, path: Sequence[Spot], level: int) -> float:
    """FLY-5: the shortest line through the air from start to end over all tall parts on the way, but those it may pass."""
    start, end = path[0], path[-1]
    tops: list[tuple[float, float]] = []
    xs, ys = zip(*path, strict=True)
    west, south, east, north = min(xs), min(ys), max(xs), max(ys)
    crossed = beneath(play, solid_places(play.game), max(z_of(play, slot), level))
    for place in [play.game.field.ground.places[k] for k in crossed]:
        left, bottom, right, top = place.box
        if right < west or left > east or top < south or bottom > north or place.contains(*start) or place.contains(*end):
            continue
        if place.kinds & (WALL | FLOOR) and slips(play, slot):
            continue
        tops += [(s, float(place.height)) for part in stretches(place, path) for s in part]
    return taut((0.0, float(z_of(play, slot))), (length_of(path), float(level)), tops)
