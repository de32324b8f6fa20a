"""Assaults on units within terrain (TERR-FOOT-3): into contact with the outline, and clear of it again."""

from __future__ import annotations

from msgspec.structs import replace

from rolloff.editions.onepage.leading import leader_of, within
from rolloff.errors import IllegalCommand
from rolloff.geometry.arranging import set_down
from rolloff.geometry.footprints import bases_of, nearest_point, outline_points, shape_gap, shape_of
from rolloff.geometry.marching import slide, variants
from rolloff.geometry.measure import slots_of
from rolloff.geometry.moves import March, Order, Verdict, Wish
from rolloff.geometry.paths import contact_of, drive, judge, settled
from rolloff.geometry.planning import find_way
from rolloff.rules.citing import cites
from rolloff.rules.play import Play

TOUCHING = 2
"""How far from an outline, in thou, a base is aimed to stand."""


def outline_order(order: Order) -> Order:
    """The same order for a target within terrain: the outline is touched, not the models drawn inside it."""
    return replace(order, targets=(), contact=False, closing=0)


@cites("TERR-FOOT-3", "MELEE-5")
def engage_outline(play: Play, order: Order, target: int) -> March | None:
    """TERR-FOOT-3: the leader into contact with the outline of what the target is within, and the others around it."""
    scene, leader = play.scene, order.coherency.leader
    if order.hull is not None:
        return _driven_to(play, order, target)
    base = scene.field.bases[leader]
    reach = base.r + max(base.hl, base.hw) + TOUCHING
    goals = [spot for place in within(play, target) for spot in outline_points(place, reach)]
    x, y = play.state.at(leader)
    goals.sort(key=lambda spot: ((spot[0] - x) ** 2 + (spot[1] - y) ** 2, spot))
    for most, avoid in variants(scene, order):
        for spot in ((x, y), *goals[:24]):
            found = (leader, []) if spot == (x, y) else find_way(scene, order, (leader,), [spot], False, most, avoid)
            march = set_down(scene, order, found[1]) if found else None
            if march is not None and _touches(play, order, target, judge(scene, order, march)):
                return march
    return None


def _driven_to(play: Play, order: Order, target: int) -> March | None:
    """A hull straight to the nearest points of an outline."""
    x, y = play.state.at(order.coherency.leader)
    for place in within(play, target):
        wish = drive(play.scene, order, *nearest_point(place, x, y))
        verdict = judge(play.scene, order, wish)
        if isinstance(wish, March) and verdict.legal and _touches(play, order, target, verdict):
            return wish
    return None


def _touches(play: Play, order: Order, target: int, verdict: Verdict) -> bool:
    """Whether the leader would end in contact with the outline its target is within."""
    if not verdict.legal:
        return False
    after = settled(play.scene, order.unit, verdict)
    gap = shape_gap(bases_of(after, (order.coherency.leader,)), shape_of(within(play, target)))
    return gap <= contact_of(order)


@cites("MELEE-2", "MELEE-5")
def led_into_contact(play: Play, order: Order, verdict: Verdict, target: int) -> None:
    """MELEE-2, MELEE-5: it is the leader that must end in contact, with a model of the target or with its outline."""
    if within(play, target):
        touching = _touches(play, order, target, verdict)
    else:
        touching = _meets(play, order, target, verdict)
    if not touching:
        raise _no_contact(play, order, "MELEE-5")


@cites("RULE-TRANSPORT-3")
def led_aboard(play: Play, order: Order, verdict: Verdict, transport: int) -> None:
    """RULE-TRANSPORT-3: it is the leader that must reach contact with the transport."""
    if not _meets(play, order, transport, verdict):
        raise _no_contact(play, order, "RULE-TRANSPORT-3")


def _meets(play: Play, order: Order, other: int, verdict: Verdict) -> bool:
    """Whether the leader would end in contact with a model of another unit."""
    after = settled(play.scene, order.unit, verdict)
    ours, theirs = bases_of(after, (order.coherency.leader,)), bases_of(after, play.state.units[other].living)
    return shape_gap(ours, theirs) <= contact_of(order)


def _no_contact(play: Play, order: Order, clause: str) -> IllegalCommand:
    name = play.game.models[order.coherency.leader].id
    return IllegalCommand("no-contact", clause, f"{name} leads and must end in contact", name)


@cites("MELEE-26", "TERR-FOOT-3")
def clear_of_outline(play: Play, order: Order, target: int) -> Wish:
    """MELEE-26: the unit back from the outline of a defender within terrain, by an inch at most."""
    leader = leader_of(play.game, play.state, order.unit)
    x, y = play.state.at(leader)
    place = min(within(play, target), key=lambda one: _square(nearest_point(one, x, y), x, y))
    px, py = nearest_point(place, x, y)
    size = max(1.0, _square((px, py), x, y) ** 0.5)
    far = max(0, order.allowance - int(shape_gap(bases_of(play.scene, slots_of(play.scene, order.unit)), shape_of([place]))))
    return slide(play.scene, order, round((x - px) * far / size), round((y - py) * far / size))


def _square(spot: tuple[int, int], x: int, y: int) -> int:
    return (spot[0] - x) ** 2 + (spot[1] - y) ** 2
