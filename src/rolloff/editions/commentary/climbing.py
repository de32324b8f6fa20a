"""Heights (MOVE-3, MOVE-9, FLY-5, TER-6, TER-8): what a way costs with its turns, climbs and flights, and where it may end.

Plain geometry judges ways in plan. Where a table has heights, or a base that is not round turns, this is asked besides.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from itertools import pairwise

from msgspec.structs import replace

from rolloff.editions.commentary import places
from rolloff.editions.commentary.barricades import charge_across
from rolloff.editions.commentary.ground import DEBRIS, FLOOR, HILL, LOW, SEALED, WALL, eased_for
from rolloff.editions.commentary.lookups import index_of
from rolloff.errors import IllegalCommand
from rolloff.geometry.field import Scene
from rolloff.geometry.measure import base_gap, gap, slots_of, wholly_within
from rolloff.geometry.moves import FREE, NEVER, UNSAID, Code, Coherency, March, Order, Shift, Verdict, Wish
from rolloff.geometry.paths import judge, settled
from rolloff.geometry.place import lawful_place, standing
from rolloff.geometry.profiles import Spot, length_of, stretches, taut, turning
from rolloff.lengths import INCH, NOWHERE
from rolloff.rules.answers import Placement
from rolloff.rules.citing import cites
from rolloff.rules.moves import Setting
from rolloff.rules.play import Play

STEP = 100
"""How finely a climb is followed, in thou."""
TURN_STEP = 30
"""How finely a turn is followed, in tenths of a degree."""
RISE = 5 * INCH


def judged(play: Play, order: Order, wish: Wish) -> Verdict:
    """The verdict on a way with its heights and turns."""
    wish = turned_first(play, order, wish)
    drop = drop_of(play, order.unit)
    true = replace(order, allowance=order.allowance + drop) if drop else order
    plain = judge(play.scene, true, swept(play, order, wish))
    if plain.code in (Code.NO_CONTACT, Code.FURTHER):
        return charge_across(play, true, wish) or plain
    if plain.legal and not _turns(play, order.unit, plain) and not _has_heights(play, order.unit, wish):
        return plain
    if not plain.legal and plain.code != Code.IMPASSABLE and not _has_heights(play, order.unit, wish):
        return plain
    return _in_heights(play, true, wish)


def _turns(play: Play, unit: int, verdict: Verdict) -> bool:
    """Whether a base that is not round ends with another facing."""
    if not _any_long(play, unit):
        return False
    facings = struct.unpack(f"<{len(verdict.facings) // 2}h", verdict.facings)
    pairs = zip(slots_of(play.scene, unit), facings, strict=True)
    return any(slot in play.game.field.long and facing != play.state.facing_of(slot) for slot, facing in pairs)


def _has_heights(play: Play, unit: int, wish: Wish) -> bool:
    if isinstance(wish, March) and wish.levels:
        return True
    return not places.level(play.state.z) and any(_z(play, slot) for slot in play.state.units[unit].living)


def _z(play: Play, slot: int) -> int:
    return int(memoryview(play.state.z).cast("i")[slot])


def _tall(height: int) -> int:
    """MOVE-9: terrain up to 2" tall is ignored for movement."""
    return height if height > LOW else 0


def drop_of(play: Play, unit: int) -> int:
    """How far a unit that stands on terrain has to climb down, which its proposals leave for that."""
    if places.level(play.state.z):
        return 0
    return max([_tall(_z(play, slot)) for slot in play.state.units[unit].living], default=0)


@cites("MOVE-3")
def turned_first(play: Play, order: Order, wish: Wish) -> Wish:
    """MOVE-3: a waypoint that changes both facing and place is read as the turn, then the shift."""
    if not isinstance(wish, March):
        return wish
    slots = slots_of(play.scene, order.unit)
    if len(wish.counts) != len(slots):
        return wish
    paths: dict[int, list[tuple[int, ...]]] = {}
    for slot, poses in wish.paths(slots).items():
        (x, y), facing = play.state.at(slot), play.state.facing_of(slot)
        for px, py, turn in poses:
            if turn not in (-1, facing) and (px, py) != (x, y) and slot in play.game.field.long:
                paths.setdefault(slot, []).append((x, y, turn))
            paths.setdefault(slot, []).append((px, py, turn))
            x, y, facing = px, py, facing if turn == -1 else turn
    return replace(March.of(slots, paths), levels=wish.levels)


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
                path += [(x, y, between) for between in _turning(facing, turn)]
                facing = turn
            path.append((x, y, turn))
        paths[slot] = path
    return March.of(slots, paths)


def _turning(before: int, after: int) -> list[int]:
    """The facings between two, every few degrees, the shorter way round."""
    far = (after - before) % 3600
    far = far if far <= 1800 else far - 3600
    count = abs(far) // TURN_STEP
    return [(before + far * k // (count + 1)) % 3600 for k in range(1, count + 1)]


def _any_long(play: Play, unit: int) -> bool:
    """Whether a unit has a base that is not round."""
    return not play.game.field.long.isdisjoint(play.state.units[unit].living)


# -- the whole check -------------------------------------------------------------------------------


def _in_heights(play: Play, order: Order, wish: Wish) -> Verdict:
    """A way judged with heights: climbed or flown over what is in the way, onto a surface that holds every base."""
    slots = slots_of(play.scene, order.unit)
    said = _said(wish, slots)
    eased = replace(order, barred=eased_for(play.game), cohere=NEVER)
    verdict = judge(_on_level(play, order.unit, said), eased, swept(play, order, wish))
    if not verdict.legal:
        return verdict
    ends = list(struct.iter_unpack("<2i", verdict.ends))
    after = settled(play.scene, order.unit, verdict)
    levels = [_ends_at(play, after, slot, said[slot]) for slot in slots]
    flies = set(struct.unpack(f"<{len(order.way) // 4}i", order.way)) == {FREE} and _every_flies(play, order.unit)
    longest = 0
    for slot, level, path in zip(slots, levels, _paths(play, slots, wish, ends), strict=True):
        cost = _turned(play, slot, wish, slots) + _way_cost(play, slot, path, level, flies)
        if cost > order.allowed(slot) + order.leeway.move:
            return replace(verdict, code=int(Code.TOO_LONG), slot=slot, what=order.allowed(slot))
        longest = max(longest, round(cost))
    coherent = hold_together(after, slots, levels, order.coherency, order.leeway.gap)
    return replace(verdict, longest=longest, levels=struct.pack(f"<{len(levels)}i", *levels), coherent=coherent)


def _said(wish: Wish, slots: Sequence[int]) -> dict[int, int]:
    """The height each model should end at, where its player says so."""
    found = dict.fromkeys(slots, UNSAID)
    if isinstance(wish, March) and wish.levels:
        found |= dict(zip(slots, struct.unpack(f"<{len(slots)}i", wish.levels), strict=True))
    return found


def _on_level(play: Play, unit: int, said: dict[int, int]) -> Scene:
    """The scene without models too far above or below everywhere this unit goes to be in its way (ER-1, GEO-4)."""
    heights = [_z(play, slot) for slot in said] + [z for z in said.values() if z != UNSAID]
    low, high = min(heights), max(heights)
    scene, side = play.scene, play.game.side_of(unit)
    for slot, model in enumerate(play.game.models):
        owner = play.state.owner_of(slot)
        if owner == unit or play.state.at(slot)[0] == NOWHERE:
            continue
        z = _z(play, slot)
        spare = RISE + places.EPSILON if play.game.side_of(owner) != side else model.height
        if z > high + spare or z < low - spare:
            scene = standing(scene, (slot,), struct.pack("<2i", NOWHERE, 0))
    return scene


def _every_flies(play: Play, unit: int) -> bool:
    lookups = index_of(play.game)
    return all("FLY" in lookups.fighters[slot].keywords for slot in play.state.units[unit].living)


def _paths(play: Play, slots: Sequence[int], wish: Wish, ends: Sequence[Spot]) -> list[list[Spot]]:
    if isinstance(wish, March):
        ways = wish.paths(slots)
        return [[play.state.at(slot), *((x, y) for x, y, _ in ways[slot])] for slot in slots]
    if isinstance(wish, Shift):
        return [[play.state.at(slot), end] for slot, end in zip(slots, ends, strict=True)]
    return [[play.state.at(slot)] for slot in slots]


@cites("MOVE-3")
def _turned(play: Play, slot: int, wish: Wish, slots: Sequence[int]) -> float:
    """MOVE-3: what the turns of a base cost: the way of its farthest tip."""
    if not isinstance(wish, March) or slot not in play.game.field.long:
        return 0.0
    cost, facing = 0.0, play.state.facing_of(slot)
    for _, _, turn in wish.paths(slots)[slot]:
        if turn not in (-1, facing):
            cost, facing = cost + turning(play.game.field.bases[slot], turn - facing), turn
    return cost


def _way_cost(play: Play, slot: int, path: Sequence[Spot], level: int, flies: bool) -> float:
    """The length of a way from where a model stands to a height: flown, or walked and climbed."""
    return flight(play, slot, path, level) if flies else length_of(path) + climb(play, slot, path, level)


# -- climbing and flying ---------------------------------------------------------------------------


def _slips(play: Play, slot: int) -> bool:
    """TER-8: INFANTRY and BEASTS pass through the walls and floors of ruins."""
    lookups = index_of(play.game)
    return bool({"INFANTRY", "BEASTS"} & set(lookups.fighters[slot].keywords))


@cites("MOVE-9", "CHG-6")
def climb(play: Play, slot: int, path: Sequence[Spot], level: int) -> int:
    """MOVE-9, CHG-6: all the height a model goes up and down on its way, over what it cannot pass through."""
    ground = play.game.field.ground.places
    at, total = _tall(_z(play, slot)), 0
    kinds = DEBRIS | HILL | SEALED | (0 if _slips(play, slot) else WALL)
    walls = [k for k, place in enumerate(ground) if place.kinds & kinds and _tall(place.height)]
    surfaces = [k for k, place in enumerate(ground) if place.kinds & (FLOOR | HILL | SEALED) and _tall(place.height)]
    scene = play.scene
    for x, y in _steps(path):
        there = standing(scene, (slot,), struct.pack("<2i", x, y))
        over = [ground[k].height for k in walls if base_gap(there, slot, k) < -places.CONTACT]
        held = any(ground[k].height == at and ground[k].contains(x, y) for k in surfaces)
        now = max(over) if over else at if held else 0
        total, at = total + abs(now - at), now
    return total + abs(_tall(level) - at)


def _steps(path: Sequence[Spot]) -> list[Spot]:
    """Points along a path, close together, its ends included."""
    found: list[Spot] = []
    for (ax, ay), (bx, by) in pairwise(path):
        count = max(1, round(length_of(((ax, ay), (bx, by)))) // STEP)
        found += [(ax + (bx - ax) * k // count, ay + (by - ay) * k // count) for k in range(1, count + 1)]
    return found


@cites("FLY-5", "CHARGE-4")
def flight(play: Play, slot: int, path: Sequence[Spot], level: int) -> float:
    """FLY-5: the shortest line through the air from start to end over all tall parts on the way, but those it may pass."""
    start, end = path[0], path[-1]
    tops: list[tuple[float, float]] = []
    for place, piece in zip(play.game.field.ground.places, play.game.table.terrain, strict=True):
        if not piece.solid or not _tall(place.height) or place.contains(*start) or place.contains(*end):
            continue
        if place.kinds & (WALL | FLOOR) and _slips(play, slot):
            continue
        tops += [(s, float(place.height)) for part in stretches(place, path) for s in part]
    return taut((0.0, float(_z(play, slot))), (length_of(path), float(level)), tops)


# -- where models may stand ------------------------------------------------------------------------


def _ends_at(play: Play, scene: Scene, slot: int, said: int) -> int:
    """The height a model ends at: as its player says, or the surface that is there; refused where none holds its base."""
    tops = surfaces(play, scene, slot)
    name = play.game.models[slot].id
    if said == UNSAID:
        level = _z(play, slot)
        said = level if level in tops else min(tops, default=0)
    near = [top for top in tops if abs(top - said) <= places.CONTACT]
    if not near:
        clause = "TER-8" if said > LOW else "TER-6"
        raise IllegalCommand("no-surface", clause, f'nothing at {said / INCH:g}" holds the whole base of {name}', name)
    return near[0]


@cites("TER-12")
def surfaces(play: Play, scene: Scene, slot: int) -> list[int]:
    """TER-12: the heights at which a model may stand where it is: the ground, tops of hills and structures, and floors."""
    ground = play.game.field.ground.places
    solid = [
        k for k, place in enumerate(ground) if place.kinds & (HILL | SEALED) and base_gap(scene, slot, k) < -places.CONTACT
    ]
    found = [ground[k].height for k in solid if on_top(scene, slot, k)]
    if not solid:
        found.append(0)
    if may_stand_above(play, slot):
        floors = [k for k, place in enumerate(ground) if place.kinds & FLOOR and wholly_within(scene, slot, k)]
        found += [ground[k].height for k in floors]
    return sorted(found)


@cites("TER-6")
def on_top(scene: Scene, slot: int, piece: int) -> bool:
    """TER-6: models may end on top of hills and sealed structures if the base does not overhang."""
    return wholly_within(scene, slot, piece)


@cites("TER-8")
def may_stand_above(play: Play, slot: int) -> bool:
    """TER-8: only INFANTRY, BEASTS and FLY end above the ground floor of a ruin."""
    lookups = index_of(play.game)
    return bool({"INFANTRY", "BEASTS", "FLY"} & set(lookups.fighters[slot].keywords))


def hold_together(scene: Scene, slots: Sequence[int], levels: Sequence[int], law: Coherency, leeway: int) -> bool:
    """COH-1, COH-2 with heights: one group in which each model has enough fellows near in plan and in height."""

    def linked(i: int, k: int) -> bool:
        return gap(scene, slots[i], slots[k]) <= law.link + leeway and abs(levels[i] - levels[k]) <= RISE + leeway

    count = len(slots)
    near = [[k for k in range(count) if k != i and linked(i, k)] for i in range(count)]
    seen, todo = {0}, [0]
    while todo and count > 1:
        fresh = [k for k in near[todo.pop()] if k not in seen]
        seen |= set(fresh)
        todo += fresh
    return count < 2 or (len(seen) == count and all(len(row) >= law.need for row in near))


def placed_high(play: Play, setting: Setting, answer: Placement, scene: Scene) -> tuple[Verdict, Placement]:
    """A placement with heights: on surfaces that hold every base, whatever stands above or below."""
    count = len(answer.slots)
    said = struct.unpack(f"<{count}i", answer.levels) if answer.levels else (UNSAID,) * count
    eased = replace(setting.zone, barred=eased_for(play.game))
    verdict = lawful_place(scene, answer.slots, eased, answer.xy, answer.facings)
    if not verdict.legal:
        return verdict, answer
    there = standing(scene, answer.slots, answer.xy, answer.facings)
    levels = [_ends_at(play, there, slot, z) for slot, z in zip(answer.slots, said, strict=True)]
    law = setting.zone.coherency
    if law.connected and not hold_together(there, answer.slots, levels, law, setting.zone.leeway.gap):
        return replace(verdict, code=int(Code.INCOHERENT), slot=answer.slots[0]), answer
    return verdict, replace(answer, levels=struct.pack(f"<{count}i", *levels))
