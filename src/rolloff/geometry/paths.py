"""Moves: the judge, and witnesses whose proposals pass it.

A witness answers a continuous choice or a clause that asks whether some lawful way exists. Whatever a
witness returns is legal by the judge of the same scene and order.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from rolloff.geometry import arranging, closing, landing, marching
from rolloff.geometry.closing import contact_of, laggard, pile_in, reachable_contact, separate
from rolloff.geometry.driving import drive
from rolloff.geometry.field import Scene
from rolloff.geometry.judging import settled, target_gaps
from rolloff.geometry.landing import judge
from rolloff.geometry.marching import draw_in, march_to, route, slide
from rolloff.geometry.measure import slots_of
from rolloff.geometry.moves import STAY, March, Order, Shift, Stay, Wish
from rolloff.geometry.outlines import crossings
from rolloff.geometry.plain.drive import heading_of

__all__ = [
    "advance",
    "contact_of",
    "crossings",
    "disembark",
    "draw_in",
    "drive",
    "engage",
    "heading_of",
    "judge",
    "laggard",
    "pile_in",
    "reachable_contact",
    "regroup",
    "route",
    "separate",
    "settled",
    "slide",
    "slots_of",
    "target_gaps",
]

ROUNDING: Final = 2
"""What ways lose and gain when their ends are put on whole thousandths."""


def advance(scene: Scene, order: Order, x: int, y: int) -> Wish:
    """The unit as near to a point as one move takes it, around what is in the way; hulls drive."""
    if order.hull is not None:
        return drive(scene, order, x, y)
    if order.still:
        return _round_the_still(scene, order, march_to(scene, replace(order, still=()), x, y)) or STAY
    return arranging.advance(scene, order, x, y) if order.arranged else march_to(scene, order, x, y)


def engage(scene: Scene, order: Order) -> March | None:
    """The unit into contact with the order's targets; None if no way was found that keeps it coherent."""
    order = _stretched(order)
    if order.still and order.hull is None:
        return _engage_without(scene, order)
    return arranging.engage(scene, order) if order.arranged and order.hull is None else closing.engage(scene, order)


def disembark(scene: Scene, order: Order, x: int, y: int) -> March | None:
    """The unit out of its transport, toward a point or into contact; None if no way was found."""
    return landing.disembark(scene, _stretched(order) if order.contact else order, x, y)


def _stretched(order: Order) -> Order:
    """The same order for a search that uses up what is forgiven in lengths, but for a rounding: the judge says the same."""
    spare = order.leeway.move - ROUNDING
    if spare <= 0:
        return order
    cap = order.difficult_cap + spare if order.difficult_cap >= 0 else order.difficult_cap
    return replace(order, allowance=order.allowance + spare, difficult_cap=cap, leeway=replace(order.leeway, move=ROUNDING))


def regroup(scene: Scene, order: Order) -> Wish | None:
    """A move that ends coherent, however the unit began; None if none was found."""
    if order.still and order.hull is None:
        found = marching.regroup(scene, replace(order, still=()))
        return None if found is None else _round_the_still(scene, order, found)
    return arranging.regroup(scene, order) if order.arranged else marching.regroup(scene, order)


def _round_the_still(scene: Scene, order: Order, wish: Wish) -> March | None:
    """The same move without those who stand still, cut shorter until the judge lets it pass; None if it never does."""
    if isinstance(wish, Stay):
        return None
    slots = slots_of(scene, order.unit)
    starts = dict(zip(slots, marching.positions(scene, slots), strict=True))
    if isinstance(wish, Shift):
        paths = {slot: [(x + wish.dx, y + wish.dy)] for slot, (x, y) in starts.items()}
    else:
        paths = {slot: [(x, y) for x, y, _ in path] for slot, path in wish.paths(slots).items()}
    free = {slot: path for slot, path in paths.items() if slot not in order.still and path}
    for share in range(4, 0, -1):
        most = order.allowance * share / 4
        march = March.of(slots, {slot: marching.cut_path(starts[slot], path, most) for slot, path in free.items()})
        if free and judge(scene, order, march).legal:
            return march
    return None


def _engage_without(scene: Scene, order: Order) -> March | None:
    """Into contact with whoever can move: as the whole unit would, or the first model alone."""
    slots, whole = slots_of(scene, order.unit), replace(order, still=())
    march = closing.engage(scene, whole)
    found = None if march is None else _round_the_still(scene, order, march)
    if found is not None:
        return found
    lead = reachable_contact(scene, whole)
    alone = March.of(slots, {lead[0]: lead[1]}) if lead else None
    return alone if alone is not None and judge(scene, order, alone).legal else None
