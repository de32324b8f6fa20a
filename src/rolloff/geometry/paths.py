"""Moves: the judge, and witnesses whose proposals pass it.

A witness answers a continuous choice or a clause that asks whether some lawful way exists. Whatever a
witness returns is legal by the judge of the same scene and order.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from rolloff.geometry import arranging, closing, landing, marching
from rolloff.geometry.closing import pile_in, reachable_contact, separate
from rolloff.geometry.driving import drive
from rolloff.geometry.field import Scene
from rolloff.geometry.judging import settled, target_gaps
from rolloff.geometry.landing import judge
from rolloff.geometry.marching import draw_in, march_to, route, slide
from rolloff.geometry.measure import slots_of
from rolloff.geometry.moves import March, Order, Wish
from rolloff.geometry.outlines import crossings
from rolloff.geometry.plain_drive import heading_of

__all__ = [
    "advance",
    "crossings",
    "disembark",
    "draw_in",
    "drive",
    "engage",
    "heading_of",
    "judge",
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
    return arranging.advance(scene, order, x, y) if order.arranged else march_to(scene, order, x, y)


def engage(scene: Scene, order: Order) -> March | None:
    """The unit into contact with the order's targets; None if no way was found that keeps it coherent."""
    order = _stretched(order)
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
    return arranging.regroup(scene, order) if order.arranged else marching.regroup(scene, order)
