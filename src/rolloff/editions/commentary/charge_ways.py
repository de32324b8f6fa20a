"""Ways into a charge (CHG-3, CHG-6): into contact, as near as it goes, to several targets at once, over terrain."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from msgspec.structs import replace

from rolloff.editions.commentary import places
from rolloff.editions.commentary.barricades import ROUNDING, in_reach, toward_barricade
from rolloff.editions.commentary.climbing import judged
from rolloff.editions.commentary.ground import CLOSED
from rolloff.errors import IllegalCommand
from rolloff.geometry.contacts import contact_spots
from rolloff.geometry.measure import gap, slots_of
from rolloff.geometry.moves import March, Order, Shift, Wish
from rolloff.geometry.paths import advance, engage, judge, pile_in
from rolloff.rules.citing import cites
from rolloff.rules.play import Play

SENT = 3
"""How many models are tried for each of several targets of a charge."""


@cites("CHG-3")
def into_engagement(play: Play, order: Order) -> Wish | None:
    """CHG-3: a way that ends within Engagement Range of every target, if one is found: in contact, else as near as it goes."""
    if len(in_reach(play, order)) < len(order.targets):
        return None
    found = None
    if len(in_reach(play, order, across=False)) == len(order.targets):
        ways = (way for way in _ways(play, order) if judge(play.scene, order, way).legal)
        found = engage(play.scene, order) or next(ways, None)
        if found is None and CLOSED in order.barred:
            found = over_terrain(play, order)
    return found or toward_barricade(play, order)


def _ways(play: Play, order: Order) -> Iterator[Wish]:
    """Ways on the ground, each looked for when those before it do not do."""
    yield pile_in(play.scene, order)
    yield _straight(play, order)
    yield from shared_out(play, order)


def shared_out(play: Play, order: Order) -> Iterator[Wish]:
    """Ways to several targets at once: for each one of the models nearest to it, and everybody else to whom he is nearest."""
    if len(order.targets) < 2:
        return
    slots = slots_of(play.scene, order.unit)
    ways = {k: pile_in(play.scene, replace(order, targets=(k,))) for k in order.targets}
    paths = {k: way.paths(slots) for k, way in ways.items() if isinstance(way, March)}
    if len(paths) < len(order.targets):
        return
    gaps = {k: {s: min(gap(play.scene, s, enemy) for enemy in play.state.units[k].living) for s in slots} for k in paths}
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
    """CHG-6, FLY-4: straight over what is tall, climbing or flying, the whole unit by one shift that ends in contact."""
    enemies = [slot for k in order.targets for slot in play.state.units[k].living]
    for slot in play.state.units[order.unit].living:
        x, y = play.state.at(slot)
        far, enemy = min((gap(play.scene, slot, other), other) for other in enemies)
        if far > order.allowance + places.EPSILON + ROUNDING:
            continue
        spots = sorted(contact_spots(play.scene, slot, enemy), key=lambda at: ((at[0] - x) ** 2 + (at[1] - y) ** 2, at))
        for px, py in spots[:24]:
            if (px - x) ** 2 + (py - y) ** 2 > (order.allowance + places.EPSILON) ** 2:
                break
            way = Shift(px - x, py - y)
            try:
                verdict = judged(play, order, way)
            except IllegalCommand:
                continue
            if verdict.legal and verdict.coherent:
                return way
    return None


def _straight(play: Play, order: Order) -> Wish:
    """Everybody toward the nearest model of the first target."""
    x, y = play.state.at(play.state.units[order.unit].living[0])
    spots = [play.state.at(slot) for slot in play.state.units[order.targets[0]].living]
    goal = min(spots, key=lambda at: ((at[0] - x) ** 2 + (at[1] - y) ** 2, at))
    return advance(play.scene, order, *goal)
