"""Ways into a charge (CHG-3, CHG-6): into contact, as near as it goes, to several targets at once, over terrain."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice, product

from msgspec.structs import replace

from rolloff.editions.commentary import places
from rolloff.editions.commentary.ascents import all_touching, lawful, lifted, storeys_of
from rolloff.editions.commentary.barricades import ROUNDING, barricades, in_reach, nearly_across, too_far, toward_barricade
from rolloff.editions.commentary.ground import CLOSED
from rolloff.editions.commentary.hulls import clear_of_hulls, hull_among, toward_hull, wider_orders
from rolloff.geometry.contacts import AROUND, brought_into_contact
from rolloff.geometry.field import Scene
from rolloff.geometry.measure import gap, slots_of, spots_around
from rolloff.geometry.moves import STAY, Code, March, Order, Shift, Wish
from rolloff.geometry.paths import advance, engage, judge, pile_in
from rolloff.geometry.shifting import shifts_with
from rolloff.geometry.spans import gaps_between
from rolloff.geometry.stretching import chained_way, near_way
from rolloff.lengths import INCH
from rolloff.rules.charges import within_roll
from rolloff.rules.citing import cites
from rolloff.rules.play import Play

SENT = 3
"""How many models are tried for each of several targets of a charge."""
LOOKED_AT = Code.LEGAL, Code.IMPASSABLE
"""Verdicts in plan on which heights may have another word; every other refusal stands (`climbing.judged`)."""
AT_HULLS = *LOOKED_AT, Code.NO_CONTACT, Code.FURTHER
"""The same where the hull of a target may have one."""


@cites("CHG-3")
def into_engagement(play: Play, order: Order) -> Wish | None:
    """CHG-3: a way that ends within Engagement Range of every target, if one is found: in contact, else as near as it goes."""
    if len(in_reach(play, order)) < len(order.targets) or too_far(play, order):
        return None
    if not places.level(play.state.z):
        return up_and_down(play, order)
    found = None
    if len(in_reach(play, order, across=False)) == len(order.targets):
        found = _in_plan(play, order)
        if found is not None:
            return found
        if CLOSED in order.barred:
            found = over_terrain(play, order)
    return found or toward_barricade(play, order) or toward_hull(play, order)


def _in_plan(play: Play, order: Order) -> Wish | None:
    """A way on the level, beside the hulls of who is no target if need be."""
    for mindful in wider_orders(play, order):
        hindered = False
        for way in _candidates(play, mindful):
            if way is not None and _clear(play, order, way):
                touching = all_in_contact(play, mindful, way)
                return touching if _clear(play, order, touching) else way
            hindered = hindered or way is not None
        if not hindered:
            return None
    return None


def _candidates(play: Play, order: Order) -> Iterator[Wish | None]:
    """Ways in plan, each looked for when those before it do not do."""
    yield engage(play.scene, order)
    yield from (way for way in _ways(play, play.scene, order) if judge(play.scene, order, way).legal)
    yield _one_by_spots(play, order)
    yield near_way(play.scene, order)
    yield chained_way(play.scene, order)


@cites("GEO-2")
def _clear(play: Play, order: Order, way: Wish) -> bool:
    """GEO-2: whether nobody ends a way too near a hull of somebody who is no target."""
    if not places.overhung(play.game):
        return True
    verdict = judge(play.scene, order, way)
    return not verdict.legal or clear_of_hulls(play, order, verdict).legal


def _one_by_spots(play: Play, order: Order) -> Wish | None:
    """The way of a single model to a free place around a target, wherever on its base that is."""
    found = all_in_contact(play, order, STAY) if len(slots_of(play.scene, order.unit)) == 1 else STAY
    return None if found is STAY else found


@cites("CHG-4")
def all_in_contact(play: Play, order: Order, way: Wish) -> Wish:
    """CHG-4: the same way with everybody in base contact who can be."""
    enemies = [slot for k in order.targets for slot in play.state.units[k].living]
    return brought_into_contact(play.scene, order, way, dict.fromkeys(slots_of(play.scene, order.unit), enemies))


def possible(play: Play, order: Order) -> bool:
    """CHG-3: whether some model could get into Engagement Range of each target, if nothing else stood in the way."""
    flat = places.level(play.state.z) and not hull_among(play, order.targets)
    return within_roll(play, order) if flat else len(in_reach(play, order)) == len(order.targets)


@cites("CHG-6")
def up_and_down(play: Play, order: Order) -> Wish | None:
    """CHG-6: where somebody stands above the ground: a way at the height of a target, or where the unit stands already."""
    for at in storeys_of(play, order):
        present = places.on_table(at.scene.xy)
        if all(not present.isdisjoint(play.state.units[k].living) for k in order.targets):
            contact = engage(at.scene, at.order)
            for way in chain(
                [contact] if contact else [],
                _ways(play, at.scene, at.order),
                chain.from_iterable(_shifts(play, at.order)),
                [STAY],  # straight up or down
            ):
                found = lifted(play, order.unit, way, at.z)
                if lawful(play, order, found) is not None:
                    enemies = [slot for k in order.targets for slot in play.state.units[k].living]
                    return all_touching(play, order, found, dict.fromkeys(slots_of(play.scene, order.unit), enemies))
    across = toward_barricade(play, order)
    return across if across is not None and lawful(play, order, across) is not None else None


def _ways(play: Play, scene: Scene, order: Order) -> Iterator[Wish]:
    """Ways on one level, each looked for when those before it do not do."""
    yield pile_in(scene, order)
    yield _straight(play, scene, order)
    yield from shared_out(play, scene, order)


def shared_out(play: Play, scene: Scene, order: Order) -> Iterator[Wish]:
    """Ways to several targets at once: for each one of the models nearest to it, and everybody else to whom he is nearest."""
    if len(order.targets) < 2:
        return
    slots = slots_of(scene, order.unit)
    ways = {k: pile_in(scene, replace(order, targets=(k,))) for k in order.targets}
    paths = {k: way.paths(slots) for k, way in ways.items() if isinstance(way, March)}
    if len(paths) < len(order.targets):
        return
    gaps = {k: {s: min(gap(scene, s, enemy) for enemy in play.state.units[k].living) for s in slots} for k in paths}
    goals = {slot: _nearest({k: gaps[k][slot] for k in paths})[0] for slot in slots}
    for sent in product(*(_nearest(gaps[k])[:SENT] for k in paths)):
        if len(set(sent)) == len(sent):
            shared = goals | dict(zip(sent, paths, strict=True))
            yield March.of(slots, {slot: paths[k][slot] for slot, k in shared.items()})


def _nearest(far: dict[int, float]) -> list[int]:
    """Models or units by how far away they are."""
    return sorted(far, key=lambda one: (far[one], one))


@cites("CHG-6", "FLY-4")
def over_terrain(play: Play, order: Order) -> Wish | None:
    """CHG-6, FLY-4: straight over what is tall, climbing or flying, the whole unit by one shift: into contact, or near it."""
    codes = AT_HULLS if hull_among(play, order.targets) else LOOKED_AT
    mindful = nearly_across(order) if barricades(play.game) and codes is LOOKED_AT else order
    for shifts in chain(_shifts(play, order), islice(_shifts(play, order, SHORT), SENT)):
        for way in shifts_with(play.scene, mindful, shifts, *codes):
            if lawful(play, order, way) is not None:
                return way
    return None


SHORT, SENT_SHORT = INCH, 6
"""How far from contact a charge may end, and at how many such places it is looked for by each of `SENT` models."""


def _shifts(play: Play, order: Order, short: int = 0) -> Iterator[list[Shift]]:
    """Shifts of the whole unit by which one of its models ends so far from contact with an enemy, model by model."""
    enemies = [slot for k in order.targets for slot in play.state.units[k].living]
    ours = play.state.units[order.unit].living
    for slot, gaps in zip(ours, gaps_between(play.scene, ours, enemies), strict=True):
        x, y = play.state.at(slot)
        far, enemy = min(zip(gaps, enemies, strict=True))
        if far > order.allowance + short + places.EPSILON + ROUNDING:
            continue
        near = spots_around(play.scene, slot, (enemy,), (short,), order.allowance + places.EPSILON, AROUND)
        yield [Shift(px - x, py - y) for px, py in near[: SENT_SHORT if short else 24]]


def _straight(play: Play, scene: Scene, order: Order) -> Wish:
    """Everybody toward the nearest model of the first target."""
    x, y = play.state.at(play.state.units[order.unit].living[0])
    spots = [play.state.at(slot) for slot in play.state.units[order.targets[0]].living]
    goal = min(spots, key=lambda at: ((at[0] - x) ** 2 + (at[1] - y) ** 2, at))
    return advance(scene, order, *goal)
