"""Pile-in and Consolidation moves (PILEIN, CONSOL, CLOSE, ACAP): toward the closest enemies."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from math import inf, isqrt, sqrt

from msgspec.structs import replace

from rolloff.editions.commentary import places
from rolloff.editions.commentary.aircraft import is_aircraft
from rolloff.editions.commentary.ascents import Storey, all_touching, could_touch_at, lawful, lifted, storeys_of
from rolloff.editions.commentary.barricades import any_across, barricades, in_reach, meets, too_far
from rolloff.editions.commentary.lookups import Host, host_of, index_of
from rolloff.editions.commentary.moving import has_move
from rolloff.editions.commentary.storeys import apart_in, ended, z_of
from rolloff.editions.commentary.unit_values import changing, effects_on
from rolloff.editions.commentary.values import CONSOLIDATION, PILING_IN, evaluate
from rolloff.errors import IllegalCommand
from rolloff.geometry.contacts import brought_into_contact, contact_spots, missed_contact
from rolloff.geometry.field import Scene
from rolloff.geometry.measure import slots_of, touching, unit_gaps
from rolloff.geometry.moves import ANY, FREE, KEEP, NO_FURTHER, STAY, TOUCH, UNSAID, Code, March, Order, Shift, Verdict, Wish
from rolloff.geometry.paths import advance, judge, pile_in, settled
from rolloff.geometry.spans import closest as closest_in_plan
from rolloff.geometry.spans import gaps_between, not_nearer
from rolloff.geometry.stretching import near_way
from rolloff.geometry.trig import turned
from rolloff.lengths import INCH
from rolloff.rules.citing import cites
from rolloff.rules.movement import ENDED, STARTS, MoveKind, make
from rolloff.rules.play import Play
from rolloff.rules.turns import on_table
from rolloff.rules.windows import Moment, window

BESIDE = INCH - 10
"""How far from a base a model stands beside it that is within Engagement Range."""
PAIRS, ASIDE = 6, tuple(sign * 75 * k for k in range(7) for sign in (1, -1))[1:]
"""For how many pairs of a model and an enemy a step of all together is looked for, and how far aside of the straight one."""
ADDED = 3
"""How far a Pile-in or Consolidation move goes, in inches."""


# -- how far, and toward whom ----------------------------------------------------------------------


@cites("PILEIN-6")
def pile_in_distance(play: Play, unit: int) -> int:
    """PILEIN-2, PILEIN-6: 3", and what a rule that any model has changes about it, for every model of the unit."""
    return _changed(play, unit, PILING_IN)


@cites("CONSOL-5")
def consolidation_distance(play: Play, unit: int) -> int:
    """CONSOL-1, CONSOL-5: 3", and what a rule changes about it, for every model of the unit."""
    return _changed(play, unit, CONSOLIDATION)


def _changed(play: Play, unit: int, kind: str) -> int:
    """How far a unit goes; kept by what changes it, but where single models have more."""
    game, state = play.game, play.state
    host, lookups = host_of(game, state, unit), index_of(game)
    if state.models and lookups.singled(state):
        return _changed_for(play, host, kind)
    key = kind, host, *changing(game, state, host, kind)
    found = lookups.closing.get(key)
    if found is None:
        found = lookups.closing[key] = _changed_for(play, host, kind)
    return found


def _changed_for(play: Play, host: Host, kind: str) -> int:
    """The same, found anew."""
    lookups = index_of(play.game)
    single = lookups.singled(play.state)
    firsts: dict[object, int] = {}
    for slot in host.slots:  # models alike have the same, but for what single ones were given
        firsts.setdefault((slot,) if slot in single else id(lookups.fighters[slot]), slot)
    effects = dict.fromkeys(e for slot in firsts.values() for e in effects_on(play.game, play.state, host, slot, kind))
    value = evaluate(kind, ADDED, tuple(effects))
    return value * INCH if isinstance(value, int) else ADDED * INCH


@cites("AIR-5")
def may_attack(play: Play, unit: int, enemy: int) -> bool:
    """AIR-5: only those who fly charge AIRCRAFT or fight them, and AIRCRAFT fight only those who fly."""
    airborne = play.game.lookups.may_fly
    if unit not in airborne and enemy not in airborne:
        return True
    return (not is_aircraft(play, enemy) or can_fly(play, unit)) and (not is_aircraft(play, unit) or can_fly(play, enemy))


def can_fly(play: Play, unit: int) -> bool:
    """FLY-1: whether a unit has FLY, in any model of it."""
    lookups = index_of(play.game)
    return "FLY" in lookups.words(play.state.units[unit].living)


@cites("FLY-1")
def all_fly(play: Play, unit: int) -> bool:
    """FLY-1: whether a unit can FLY where that is about movement: every model of it has it."""
    return all(gait.flies for gait, _ in index_of(play.game).gaits(play.state.units[unit].living))


@cites("AIR-5")
def may_charge(play: Play, unit: int, enemy: int) -> bool:
    """AIR-5: only those charge AIRCRAFT of whom everybody can FLY."""
    if enemy in play.game.lookups.may_fly and is_aircraft(play, enemy) and not all_fly(play, unit):
        return False
    return may_attack(play, unit, enemy)


def enemies_near(play: Play, unit: int) -> tuple[int, ...]:
    """The enemies a unit piles in toward; kept while no unit changes."""
    units, kept = index_of(play.game).opposed
    if units is not play.state.units:
        kept = {}
        index_of(play.game).opposed = play.state.units, kept
    found: tuple[int, ...] | None = kept.get(unit)
    if found is None:
        found = kept[unit] = _enemies_near(play, unit)
    return found


@cites("AIR-6")
def _enemies_near(play: Play, unit: int) -> tuple[int, ...]:
    """AIR-6: all on the table; AIRCRAFT only for those who fly."""
    enemies, airborne = on_table(play, 1 - play.game.sides[unit]), index_of(play.game).may_fly
    asked = enemies if unit in airborne else [k for k in enemies if k in airborne] if airborne else ()
    barred = [k for k in asked if not may_attack(play, unit, k)]
    return tuple([k for k in enemies if k not in barred] if barred else enemies)


def models_near(play: Play, unit: int) -> tuple[int, ...]:
    """The models of those enemies."""
    units = play.state.units
    return tuple(chain.from_iterable([units[k].living for k in enemies_near(play, unit)]))


@cites("AIR-6")
def grounded(play: Play, unit: int) -> tuple[int, ...]:
    """AIR-6: the models that cannot FLY, of a unit of which others can, while AIRCRAFT are near: those ignore these."""
    lookups = index_of(play.game)
    gaits = lookups.gaits(play.state.units[unit].living) if lookups.aircraft else ()
    if len(gaits) < 2 or not any(is_aircraft(play, k) for k in enemies_near(play, unit)):
        return ()
    return tuple(chain.from_iterable([slots for gait, slots in gaits if not gait.flies]))


def in_contact(play: Play, unit: int) -> tuple[int, ...]:
    """The models in base contact with an enemy."""
    found: set[int] = set()
    gaps = play.gaps_from(unit)
    for enemy in [k for k in enemies_near(play, unit) if gaps[k] <= places.CONTACT + places.EPSILON]:
        close = touching(play.scene, unit, enemy, places.CONTACT)
        found |= places.touching(play.game, play.state, close, play.state.units[enemy].living)
    return tuple(sorted(found))


@cites("PILEIN-4", "CONSOL-4")
def held(play: Play, order: Order) -> Order:
    """PILEIN-4, CONSOL-4: the same order for a unit whose models in base contact with an enemy are not moved.

    Where not all its models mind the same enemies, who ends closer to his is seen to apart.
    """
    still = in_contact(play, order.unit)
    if order.still:  # UNIT-2
        still = tuple(sorted({*still, *order.still}))
    if grounded(play, order.unit):
        return replace(order, still=still, closing=ANY)
    return replace(order, still=still)


def engages(play: Play, order: Order, verdict: Verdict) -> bool:
    """Whether a unit would end within Engagement Range of an enemy."""
    enemies = enemies_near(play, order.unit)
    if order.still and not any(verdict.levels) and places.level(play.state.z):
        gaps = play.gaps_from(order.unit)
        if min([gaps[k] for k in enemies], default=inf) <= places.CONTACT:  # to somebody who is not moved
            return True
    if not on_the_ground(play, verdict):
        after = ended(play, order.unit, verdict)
        return any(meets(play, after, slots_of(after, order.unit), play.state.units[k].living) for k in enemies)
    after = settled(play.scene, order.unit, verdict)
    gaps = unit_gaps(after, order.unit)
    near = [k for k in enemies if gaps[k] <= places.CLOSE]
    if not near or min([gaps[k] for k in near]) <= INCH + places.EPSILON:
        return bool(near)
    pieces, slots = barricades(play.game), slots_of(after, order.unit)
    return bool(pieces) and any(any_across(after, pieces, slots, play.state.units[k].living) for k in near)


def on_the_ground(play: Play, verdict: Verdict) -> bool:
    """Whether everybody stands on the ground, and still does after a move."""
    return places.level(play.state.z) and not any(verdict.levels)


# -- who ends closer -------------------------------------------------------------------------------


@cites("CLOSE-1")
def closest(play: Play, slot: int, enemies: tuple[int, ...]) -> list[int]:
    """CLOSE-1: the enemy models closest to a model; several where they are equally close, and the owner may mean either."""
    far = places.apart(play.game, play.state, enemies, (slot,)).nearest
    best = min(far.values(), default=0.0)
    return [enemy for enemy, gap in far.items() if gap < best + INCH and places.within(gap, int(best))]


@cites("CLOSE-1")
def closest_of_all(play: Play, slots: Sequence[int], enemies: tuple[int, ...]) -> dict[int, list[int]]:
    """CLOSE-1: the same for some models at once."""
    near = measured_in_plan(play, slots, enemies)
    if near is not None:
        return dict(zip(slots, closest_in_plan(play.scene, slots, near, places.EPSILON), strict=True))
    return {slot: closest(play, slot, enemies) for slot in slots}


def closest_to_each(play: Play, unit: int, slots: Sequence[int]) -> dict[int, list[int]]:
    """The same for some models of a unit that closes in, of those enemies each of them minds."""
    low = grounded(play, unit)
    if not low:
        return closest_of_all(play, slots, models_near(play, unit))
    units, others = play.state.units, [k for k in enemies_near(play, unit) if not is_aircraft(play, k)]
    enemies = tuple(chain.from_iterable([units[k].living for k in others]))
    below = [slot for slot in slots if slot in low]
    found = closest_of_all(play, [slot for slot in slots if slot not in low], models_near(play, unit))
    found |= closest_of_all(play, below, enemies) if enemies else {slot: [] for slot in below}
    return dict(sorted(found.items()))


def measured_in_plan(play: Play, ours: Sequence[int], theirs: tuple[int, ...]) -> tuple[int, ...] | None:
    """Those of others among whom the closest to some models are, if these are as far apart as their bases in plan; else None.

    All stand on the ground, no hull of ours hangs over its base, and those of theirs that do are further away than others.
    """
    if not places.level(play.state.z):
        return None
    hulls = places.overhanging(play.game)
    if hulls is None or not ours or (hulls[0].isdisjoint(ours) and hulls[0].isdisjoint(theirs)):
        return theirs
    others = tuple([slot for slot in theirs if slot not in hulls[0]])
    if not others or not hulls[0].isdisjoint(ours):
        return None
    state, unit = play.state, play.state.owner_of(ours[0])
    far = max(places.apart(play.game, state, tuple(ours), others).nearest.values())
    least = places.least_gaps(play.game, state, unit)
    hanging = {state.owner_of(slot) for slot in theirs if slot in hulls[0]}
    return others if min([least[k] for k in hanging]) > far + INCH else None


def moved_models(play: Play, order: Order, verdict: Verdict) -> list[int]:
    """The models that end elsewhere than they began, or higher or lower."""
    slots = slots_of(play.scene, order.unit)
    ends = struct.iter_unpack("<2i", verdict.ends)
    moved = [slot for slot, end in zip(slots, ends, strict=True) if end != play.state.at(slot)]
    if not verdict.levels:
        return moved
    levels = zip(slots, memoryview(verdict.levels).cast("i"), strict=True)
    return sorted({*moved, *(slot for slot, z in levels if z != z_of(play, slot))})


def _nears(play: Play, before: Scene, after: Scene, slot: int, enemies: list[int]) -> bool:
    """Whether a model ends closer to one of some enemies than it began."""
    if not places.level(before.z) or not places.level(after.z):
        pairs = [[apart_in(play.game, scene, (slot,), (enemy,)).nearest[0] for scene in (after, before)] for enemy in enemies]
        return any(places.closer(end, start) for end, start in pairs)
    ends, starts = gaps_between(after, (slot,), enemies)[0], gaps_between(before, (slot,), enemies)[0]
    return any(map(places.closer, ends, starts))


def strays(play: Play, order: Order, verdict: Verdict) -> list[int]:
    """PILEIN-3, CONSOL-3: the models that move and do not end closer to the closest enemy model."""
    if grounded(play, order.unit):
        return _strays_apart(play, order, verdict)
    enemies, slots = models_near(play, order.unit), slots_of(play.scene, order.unit)
    near = None if any(verdict.levels) else measured_in_plan(play, slots, enemies)
    if near is not None:
        return not_nearer(play.scene, verdict.ends, verdict.facings, slots, near, places.EPSILON)
    after = settled(play.scene, order.unit, verdict) if on_the_ground(play, verdict) else ended(play, order.unit, verdict)
    moved = moved_models(play, order, verdict)
    return [slot for slot in moved if not _nears(play, play.scene, after, slot, closest(play, slot, enemies))]


def _strays_apart(play: Play, order: Order, verdict: Verdict) -> list[int]:
    """The same where not all models mind the same enemies; who minds nobody has nowhere to go."""
    after = settled(play.scene, order.unit, verdict) if on_the_ground(play, verdict) else ended(play, order.unit, verdict)
    near = closest_to_each(play, order.unit, moved_models(play, order, verdict))
    return [slot for slot, enemies in near.items() if not _nears(play, play.scene, after, slot, enemies)]


def must_close_up(play: Play, order: Order, verdict: Verdict, clause: str) -> None:
    """PILEIN-3, CONSOL-3: each model that moves ends closer to the closest enemy model, in base contact with it if possible."""
    for slot in strays(play, order, verdict):
        who = play.game.models[slot].id
        raise IllegalCommand("not-closer", clause, f"{who} would not end closer to the closest enemy model", who)
    closest_to = closest_to_each(play, order.unit, moved_models(play, order, verdict))
    if not on_the_ground(play, verdict):
        must_touch_at(play, order, verdict, {slot: tuple(near) for slot, near in closest_to.items()}, clause)
        return
    after = settled(play.scene, order.unit, verdict)
    for slot, near in closest_to.items():
        if any(gap <= places.CONTACT for gap in gaps_between(after, (slot,), near)[0]):
            continue
        missed = missed_contact(play.scene, order, verdict, slot, near)
        if missed is not None:
            raise could_touch(play, slot, missed, clause)


def must_touch_at(play: Play, order: Order, verdict: Verdict, enemies: dict[int, tuple[int, ...]], clause: str) -> None:
    """Whoever could end in base contact with one of his enemies, at the height at which that one stands, does so."""
    for slot, others in enemies.items():
        missed = could_touch_at(play, order, verdict, slot, others)
        if missed is not None:
            raise could_touch(play, slot, missed, clause)


def could_touch(play: Play, slot: int, missed: tuple[int, tuple[int, int]], clause: str) -> IllegalCommand:
    """The refusal of a move that leaves a model out of base contact it could have reached; it shows where."""
    who, enemy = play.game.models[slot].id, play.game.models[missed[0]].id
    x, y = (value / INCH for value in missed[1])
    message = f"{who} could end in base contact with {enemy}, at ({x:g}, {y:g})"
    return IllegalCommand("no-contact", clause, message, who)


# -- the two moves ---------------------------------------------------------------------------------


def closing_up(play: Play, order: Order) -> Wish | None:
    """Everybody nearer to the closest enemy, if the unit ends coherent and within Engagement Range; else None.

    Where nobody can reach base contact, the unit goes as far as it may toward an enemy whose Engagement Range it reaches.
    """
    reached = in_reach(play, order)
    if not reached or len(too_far(play, order)) == len(order.targets):
        return None
    if not places.level(play.state.z):
        return _up_and_down(play, order, reached)
    if order.still and set(order.still).issuperset(slots_of(play.scene, order.unit)):
        return _closer(play, order, STAY)  # nobody may move
    found = _closer(play, order, pile_in(play.scene, order))
    for enemy in reached:
        if found is None:
            found = _closer(play, order, advance(play.scene, order, *_nearest_spot(play, order.unit, enemy)))
    better = into_contact(play, order, found or STAY)
    if found is not None or _closer(play, order, better) is not None:
        return better
    found = _beside(play, order, reached)
    if found is None:
        ways = chain(abreast(play, order, reached), _after_one(play, order, reached))
        closer = (_closer(play, order, way) for way in ways)
        found = next((way for way in closer if way is not None), None)
    return None if found is None else into_contact(play, order, found)


def abreast(play: Play, order: Order, reached: Sequence[int]) -> Iterator[March]:
    """Everybody who may move by one and the same step, by which one of them comes within Engagement Range of an enemy.

    The least step that brings somebody there is tried first, then as far as it may go; each also to the sides.
    """
    free, units = free_models(play, order), play.state.units
    theirs = list(chain.from_iterable([units[k].living for k in reached]))
    rows = zip(free, gaps_between(play.scene, free, theirs), strict=True)
    near = sorted((gap, slot, enemy) for slot, gaps in rows for enemy, gap in zip(theirs, gaps, strict=True))
    for gap, slot, enemy in near[:PAIRS]:
        if gap <= order.allowance + INCH + places.EPSILON:
            yield from steps(play, order, slot, play.state.at(enemy), (gap - BESIDE, gap), free)


def _after_one(play: Play, order: Order, reached: Sequence[int]) -> Iterator[March]:
    """One model goes to within Engagement Range of an enemy, and the others after it."""
    for enemy in reached:
        way = near_way(play.scene, replace(order, targets=(enemy,), reach=INCH + places.EPSILON))
        if way is not None:
            yield way


def free_models(play: Play, order: Order) -> list[int]:
    """The models of a unit that may move."""
    return [slot for slot in slots_of(play.scene, order.unit) if slot not in order.still]


def steps(
    play: Play, order: Order, slot: int, goal: tuple[int, int], lengths: Sequence[float], who: Sequence[int]
) -> Iterator[March]:
    """Some models by one step, of some lengths: that of a model straight to a place, or to the sides of it."""
    slots, (x, y) = slots_of(play.scene, order.unit), play.state.at(slot)
    starts = {one: play.state.at(one) for one in who}
    far = sqrt((goal[0] - x) ** 2 + (goal[1] - y) ** 2)  # the same on every machine
    for length in dict.fromkeys(min(max(length, 0.0), order.allowance) for length in lengths):
        for side in ASIDE if far else ():
            dx, dy = turned(round((goal[0] - x) * length / far), round((goal[1] - y) * length / far), side)
            yield March.of(slots, {one: [(ax + dx, ay + dy)] for one, (ax, ay) in starts.items()})


def _beside(play: Play, order: Order, reached: list[int]) -> Wish | None:
    """The way of a single model to a place within Engagement Range around an enemy, where none in base contact is free."""
    slots = slots_of(play.scene, order.unit)
    if len(slots) > 1:
        return None
    (x, y), found = play.state.at(slots[0]), list[tuple[int, tuple[int, int]]]()
    for enemy in (slot for k in reached for slot in play.state.units[k].living):
        ex, ey = play.state.at(enemy)
        for cx, cy in contact_spots(play.scene, slots[0], enemy):
            far = max(isqrt((cx - ex) ** 2 + (cy - ey) ** 2), 1)
            spot = cx + (cx - ex) * BESIDE // far, cy + (cy - ey) * BESIDE // far
            found.append(((spot[0] - x) ** 2 + (spot[1] - y) ** 2, spot))
    ways = (
        _closer(play, order, March.of(slots, {slots[0]: [spot]})) for far, spot in sorted(found) if far <= order.allowance**2
    )
    return next((way for way in ways if way is not None), None)


@cites("PILEIN-3", "CONSOL-3")
def into_contact(play: Play, order: Order, way: Wish) -> Wish:
    """PILEIN-3, CONSOL-3: the same way with everybody in base contact with the closest enemy model who can be."""
    return brought_into_contact(play.scene, order, way, closest_to_each(play, order.unit, free_models(play, order)))


def _up_and_down(play: Play, order: Order, reached: list[int]) -> Wish | None:
    """The same where somebody stands above the ground: at the height of an enemy in reach, or where the unit stands.

    At last everybody goes at his own height, where models stand at several.
    """
    storeys = storeys_of(play, replace(order, targets=tuple(reached)))
    ways = ((way, at.z) for at in storeys for way in _ways_at(play, at, reached))
    own = ((way, UNSAID) for way in abreast(play, order.whole(), reached))
    for way, z in chain(ways, own):
        found = _closer_at(play, order, way, z)
        if found is not None:
            nearest = closest_to_each(play, order.unit, free_models(play, order))
            return all_touching(play, replace(order, closing=ANY), found, nearest)
    return None


def _ways_at(play: Play, at: Storey, enemies: list[int]) -> Iterator[Wish]:
    """Ways at one height, each looked for when those before it do not do."""
    yield pile_in(at.scene, at.order)
    for enemy in enemies:
        yield advance(at.scene, at.order, *_nearest_spot(play, at.order.unit, enemy))
    yield from abreast(play, at.order, enemies)


def _closer_at(play: Play, order: Order, way: Wish, z: int) -> Wish | None:
    """A way to a height, if one is said, without those whom it brings no closer, if it then stands and the unit is engaged."""
    slots, astray = slots_of(play.scene, order.unit), list[int]()
    for _ in range(2):
        found = way if z == UNSAID else lifted(play, order.unit, way, z, astray)
        verdict = lawful(play, replace(order, closing=ANY), found)
        if verdict is None:
            return None
        astray = strays(play, order, verdict)
        if not astray or not isinstance(way, March):
            return found if not astray and engages(play, order, verdict) else None
        kept = {slot: path for slot, path in way.paths(slots).items() if slot not in astray}
        way = March.of(slots, kept)
    return None


def _nearest_spot(play: Play, unit: int, enemy: int) -> tuple[int, int]:
    """Where the model of an enemy stands that is nearest to a unit."""
    theirs = play.state.units[enemy].living
    far = places.apart(play.game, play.state, theirs, play.state.units[unit].living).nearest
    return play.state.at(min(theirs, key=lambda slot: (far[slot], slot)))


def _closer(play: Play, order: Order, way: Wish) -> Wish | None:
    """A way without those whom it brings no closer, if the unit then ends coherent and within Engagement Range."""
    verdict = judge(play.scene, order, way)
    astray = strays(play, order, verdict) if way is not STAY else []
    if astray:
        slots = slots_of(play.scene, order.unit)
        kept = {slot: path for slot, path in _paths(play, order, way).items() if slot not in astray}
        way = March.of(slots, kept) if any(kept.values()) else STAY
        verdict = judge(play.scene, order, way)
    return way if verdict.legal and verdict.coherent and engages(play, order, verdict) else None


def _paths(play: Play, order: Order, way: Wish) -> Mapping[int, Sequence[tuple[int, ...]]]:
    """The path of each model that goes a way."""
    if isinstance(way, March):
        return way.paths(slots_of(play.scene, order.unit))
    dx, dy = (way.dx, way.dy) if isinstance(way, Shift) else (0, 0)
    return {slot: [(x + dx, y + dy)] for slot in free_models(play, order) for x, y in (play.state.at(slot),)}


@cites("PILEIN-5")
def piling_in(play: Play, order: Order) -> Wish:
    """PILEIN-5: if nobody can end so, nobody moves, and the unit has piled in all the same."""
    return closing_up(play, order) or STAY


def must_end_engaged(play: Play, order: Order, verdict: Verdict, clause: str) -> None:
    """PILEIN-2, CONSOL-1: whoever moves ends coherent and within Engagement Range of an enemy unit."""
    if not verdict.longest:
        return
    if not verdict.coherent:
        raise IllegalCommand("incoherent", clause, "the unit would not end coherent", None)
    if not engages(play, order, verdict):
        raise IllegalCommand("not-engaged", clause, "the unit would not end within Engagement Range of an enemy", None)


def piled_in_lawfully(play: Play, order: Order, verdict: Verdict) -> None:
    """PILEIN-2, PILEIN-3 of a way a player names."""
    must_end_engaged(play, order, verdict, "PILEIN-2")
    must_close_up(play, order, verdict, "PILEIN-3")


def consolidated_lawfully(play: Play, order: Order, verdict: Verdict) -> None:
    """CONSOL-1, CONSOL-3 of a way a player names."""
    must_end_engaged(play, order, verdict, "CONSOL-1")
    must_close_up(play, order, verdict, "CONSOL-3")


PILE_IN = MoveKind(
    "pile-in",
    "PILEIN-2",
    pile_in_distance,
    TOUCH,
    TOUCH,
    FREE,
    TOUCH,
    targets=TOUCH,
    closing=NO_FURTHER,
    cohere=KEEP,
    propose=piling_in,
    best=piled_in_lawfully,
    point="DP-47",
    kind="piled-in",
    adapt=held,
    held=True,
    refusals={
        Code.TOO_LONG: ("PILEIN-2", "{who} would go further than a Pile-in move"),
        Code.FURTHER: ("PILEIN-3", "{who} would not end closer to the closest enemy"),
        Code.STUCK: ("PILEIN-4", "{who} is in base contact with an enemy and is not moved"),
    },
)
CONSOLIDATE = replace(
    PILE_IN,
    name="consolidate",
    clause="CONSOL-1",
    distance=consolidation_distance,
    propose=closing_up,
    best=consolidated_lawfully,
    point="DP-50",
    kind="consolidated",
    refusals={
        Code.TOO_LONG: ("CONSOL-1", "{who} would go further than a Consolidation move"),
        Code.FURTHER: ("CONSOL-3", "{who} would not end closer to the closest enemy"),
        Code.STUCK: ("CONSOL-4", "{who} is in base contact with an enemy and is not moved"),
    },
)


def alone(kind: MoveKind, slot: int) -> MoveKind:
    """INDIV-1, INDIV-3: the same move for one model of a unit; the others stand still, and the unit ends coherent."""

    def one(play: Play, order: Order) -> Order:
        others = set(play.state.units[order.unit].living) - {slot}
        order = held(play, order)
        return replace(order, still=tuple(sorted(others | set(order.still))))

    return replace(kind, adapt=one)


def piles_in(play: Play, unit: int, kind: MoveKind) -> bool:
    """A unit piles in or consolidates toward its enemies; False if no way does what is asked for."""
    if not can_move(play, unit):
        return stands_fast(play, unit, kind)
    targets = enemies_near(play, unit)
    if not targets:
        return kind.name == PILE_IN.name and stands_fast(play, unit, kind)
    return make(play, unit, kind, targets=targets) is not None


def can_move(play: Play, unit: int) -> bool:
    """UNIT-2, AIR-5: neither a unit without a Move nor AIRCRAFT piles in or consolidates."""
    return has_move(play.game, play.state, unit) and not is_aircraft(play, unit)


@cites("CONSOL-6")
def stands_fast(play: Play, unit: int, kind: MoveKind) -> bool:
    """PILEIN-5, CONSOL-6: a unit of which nobody moves has piled in or consolidated all the same."""
    window(play, Moment(kind.name + STARTS, unit))
    play.emit(kind.kind, (kind.clause,), unit=unit, action=kind.name, longest=0)
    window(play, Moment(kind.name + ENDED, unit))
    return True
