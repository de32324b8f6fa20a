"""What a climbing model passes (MOVE-9, MOVE-11, ER-3): how high it is on each stretch of its way, and who is there."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

from msgspec.structs import replace

from rolloff.editions.commentary import places
from rolloff.editions.commentary.ground import CLIMBED, FLOOR, HILL, LOW, SEALED, WALL, hanging
from rolloff.editions.commentary.lookups import index_of
from rolloff.editions.commentary.storeys import Band, storey, tall, tall_places, without, z_of
from rolloff.geometry.field import Scene
from rolloff.geometry.measure import INSIDE, climbed, footings, slots_of
from rolloff.geometry.moves import ANY, FREE, NEVER, UNSAID, Code, March, Order, Shift, Wish
from rolloff.geometry.paths import judge
from rolloff.geometry.place import standing
from rolloff.geometry.plain.blocks import BY_JUDGE, Terms
from rolloff.geometry.profiles import Spot, length_of
from rolloff.geometry.spans import gaps_between
from rolloff.rules.citing import cites
from rolloff.rules.play import Play

STEP = 100
"""How finely a climb is followed, in thou."""
TURN_STEP = 30
"""How finely a turn is followed, in tenths of a degree."""
FAR = 10**7
"""Longer than any way."""


class Waypoint(NamedTuple):
    """Where a model goes: a place, its facing once there, and the height its player says, or `UNSAID`."""

    x: int
    y: int
    facing: int
    z: int = UNSAID


class Stretch(NamedTuple):
    """A straight part of a way between two heights, or the facings of a turn at its first spot."""

    start: Spot
    end: Spot
    facing: int
    band: Band
    turns: tuple[int, ...] = ()


def ways_of(play: Play, slots: Sequence[int], wish: Wish) -> list[list[Waypoint]]:
    """The waypoints of each model, beginning where it stands."""
    found = [[Waypoint(*play.state.at(slot), play.state.facing_of(slot))] for slot in slots]
    if isinstance(wish, Shift):
        for way in found:
            way.append(way[0]._replace(x=way[0].x + wish.dx, y=way[0].y + wish.dy))
    elif isinstance(wish, March):
        paths, said = wish.paths(slots), wish.heights_by(slots)
        for slot, way in zip(slots, found, strict=True):
            for (x, y, turn), z in zip(paths[slot], said[slot], strict=True):
                way.append(Waypoint(x, y, way[-1].facing if turn == -1 else turn, z))
    return found


def slips(play: Play, slot: int) -> bool:
    """TER-8: INFANTRY and BEASTS pass through the walls and floors of ruins."""
    lookups = index_of(play.game)
    return bool({"INFANTRY", "BEASTS"} & set(lookups.fighters[slot].keywords))


def turning_through(before: int, after: int) -> list[int]:
    """The facings between two, every few degrees, the shorter way round."""
    far = (after - before) % 3600
    far = far if far <= 1800 else far - 3600
    count = abs(far) // TURN_STEP
    return [(before + far * k // (count + 1)) % 3600 for k in range(1, count + 1)]


# -- how high --------------------------------------------------------------------------------------


class Climb:
    """One model on its way up and down: how high it is, and how far it has gone up and down so far."""

    def __init__(self, play: Play, slot: int, way: Sequence[Waypoint], level: int) -> None:
        """It stands where it stands, and is on its way to a height."""
        self.scene, self.slot, self.total, self.at = play.scene, slot, 0, tall(z_of(play, slot))
        self.walls = tall_places(play.game, CLIMBED & ~WALL if slips(play, slot) else CLIMBED)
        self.tops = tall_places(play.game, FLOOR | HILL | SEALED)
        if hanging(play.game):
            highest = max([self.at, level, *[point.z for point in way if point.z != UNSAID]])
            self.walls = beneath(play, self.walls, highest)
            self.tops = tuple([k for k in self.tops if k in self.walls or play.game.field.ground.places[k].kinds & FLOOR])

    def turn(self, facing: int) -> None:
        """It faces another way from here on."""
        self.scene = standing(self.scene, (self.slot,), self.scene.xy[8 * self.slot :][:8], struct.pack("<h", facing))

    def go(self, a: Spot, b: Spot, steps: int) -> int:
        """Go straight from a spot to another; how far that was up and down."""
        legs = [(*a, *b, steps)]
        more, self.at = climbed(self.scene, self.slot, legs, self.walls, self.tops, places.CONTACT, self.at)
        self.total += more
        return more

    def rise(self, spot: Spot, z: int) -> None:
        """Climb to a height its player says, unless it is on something higher there."""
        on = climbed(self.scene, self.slot, [(*spot, *spot, 1)], self.walls, self.tops, places.CONTACT, tall(z))[1]
        goal = max(on, tall(z))
        self.total, self.at = self.total + abs(goal - self.at), goal


@cites("MOVE-11")
def beneath(play: Play, pieces: Sequence[int], height: int) -> tuple[int, ...]:
    """MOVE-11: those of some pieces that begin no higher than a base is on its way; it passes beneath the others."""
    ground = play.game.field.ground.places
    return tuple([k for k in pieces if ground[k].bottom <= height])


@cites("MOVE-9", "CHG-6")
def climb(play: Play, slot: int, way: Sequence[Waypoint], level: int) -> int:
    """MOVE-9, CHG-6: all the height a model goes up and down on its way, over what it cannot pass through."""
    going = Climb(play, slot, way, level)
    for here, there in pairwise(way):
        if here[:2] != there[:2]:
            going.go(here[:2], there[:2], _steps(here, there))
        if there.facing != here.facing:
            going.turn(there.facing)
        if there.z != UNSAID:
            going.rise(there[:2], there.z)
    return going.total + abs(tall(level) - going.at)


def _steps(here: Waypoint, there: Waypoint) -> int:
    return max(1, round(length_of((here[:2], there[:2]))) // STEP)


def stretches_of(play: Play, slot: int, way: Sequence[Waypoint], level: int) -> Iterator[Stretch]:
    """MOVE-11: the stretches of a way, each with the heights the base has there."""
    going, low = Climb(play, slot, way, level), [z if z <= LOW else 0 for z in (z_of(play, slot), level)]
    ground = min(low), max(low)
    for here, there in pairwise(way):
        if here[:2] != there[:2]:
            yield from _straight(going, here, there, ground)
        if there.facing != here.facing:
            facings = (*turning_through(here.facing, there.facing), there.facing)
            yield Stretch(there[:2], there[:2], here.facing, _band(going.at, going.at, ground), facings)
            going.turn(there.facing)
        if there.z != UNSAID:
            before = going.at
            going.rise(there[:2], there.z)
            if before != going.at:
                yield Stretch(there[:2], there[:2], there.facing, _band(before, going.at, ground))
    if going.at != tall(level):
        end = way[-1]
        yield Stretch(end[:2], end[:2], end.facing, _band(going.at, tall(level), ground))


def _straight(going: Climb, here: Waypoint, there: Waypoint, ground: Band) -> Iterator[Stretch]:
    """The stretches of one leg: as long as it goes at one height, and step by step where it goes up or down."""
    steps, before, start = _steps(here, there), going.at, here[:2]
    level = going.go(start, there[:2], steps) == 0
    if level:
        yield Stretch(start, there[:2], here.facing, _band(before, before, ground))
        return
    going.at, last = before, start
    for k in range(1, steps + 1):
        spot = here.x + (there.x - here.x) * k // steps, here.y + (there.y - here.y) * k // steps
        before = going.at
        if going.go(last, spot, 1):
            if last != start:
                yield Stretch(start, last, here.facing, _band(before, before, ground))
            yield Stretch(last, spot, here.facing, _band(before, going.at, ground))
            start = spot
        last = spot
    if last != start:
        yield Stretch(start, last, here.facing, _band(going.at, going.at, ground))


def _band(one: int, other: int, ground: Band) -> Band:
    """The heights between two; what is low is as high as the model stands on low ground."""
    low, high = min(one, other), max(one, other)
    return low or ground[0], high or ground[1]


# -- who is in the way -----------------------------------------------------------------------------


@cites("MOVE-11")
def passed(play: Play, order: Order, slot: int, stretches: Sequence[Stretch]) -> tuple[Code, int] | None:
    """MOVE-11: what a model may not pass on its way at the heights it has there: a unit, or a piece it would turn into."""
    order = order.of_model(slot)
    if set(struct.unpack(f"<{len(order.way) // 4}i", order.way)) == {FREE}:
        return None
    lone = minding_none(order, order.way)
    unminded = [other for other in slots_of(play.scene, order.unit) if other != slot]
    unminded += chain.from_iterable([permit.over for permit in order.permits])
    own = z_of(play, slot)
    begun = dict(_too_near(lone, slot, storey(play, play.scene, order.unit, order.way, (own, own))))
    for part in stretches:
        scene = without(storey(play, play.scene, order.unit, order.way, part.band), unminded)
        scene = standing(scene, (slot,), struct.pack("<2i", *part.start), struct.pack("<h", part.facing))
        near = [unit for other, unit in _too_near(lone, slot, scene) if other not in begun]
        if near:
            return Code.GAP_UNIT, near[0]
        path = [(*part.end, facing) for facing in part.turns or (-1,)]
        verdict = judge(scene, lone, March.of((slot,), {slot: path}))
        if not verdict.legal:
            return Code(verdict.code), verdict.what
    return None


def minding_none(order: Order, way: bytes) -> Order:
    """An order by which only who is in the way counts, to so near as ``way`` says: no end, no terrain, no distance."""
    return replace(
        order,
        way=way,
        end=struct.pack("<i", FREE) * (len(way) // 4),
        barred=b"",
        cohere=NEVER,
        contact=False,
        closing=ANY,
        targets=(),
        allowance=FAR,
        still=(),
        further=(),
        permits=(),
    )


def _too_near(order: Order, slot: int, scene: Scene) -> list[tuple[int, int]]:
    """The models of other units, each with its unit, that one is nearer to in plan than it may be on its way."""
    terms, owners = Terms(order), struct.unpack(f"<{scene.field.n}h", scene.owner)
    others = [other for other in sorted(places.on_table(scene.xy)) if owners[other] != order.unit]
    gaps = gaps_between(scene, (slot,), others)[0] if others else []
    rows = [(other, owners[other], gap) for other, gap in zip(others, gaps, strict=True)]
    return [(other, unit) for other, unit, gap in rows if gap < terms.least_gap(terms.codes(unit)[0], BY_JUDGE)]


@cites("MOVE-11")
def turned_into(play: Play, slot: int, stretches: Sequence[Stretch]) -> int:
    """MOVE-11: the piece taller than a model stands that its base would turn through; -1 without one."""
    walls = tall_places(play.game, CLIMBED & ~WALL if slips(play, slot) else CLIMBED)
    ground, nothing = play.game.field.ground.places, (0.0,) * len(walls)
    for part in stretches if walls else ():
        taller = [ground[k].bottom <= part.band[1] < ground[k].height for k in walls] if part.turns else []
        for facing in part.turns if any(taller) else ():
            scene = standing(play.scene, (slot,), struct.pack("<2i", *part.start), struct.pack("<h", facing))
            marks = footings(scene, (slot,), walls, nothing, places.CONTACT)[0]
            met = [k for k, mark, high in zip(walls, marks, taller, strict=True) if high and mark & INSIDE]
            if met:
                return met[0]
    return -1
