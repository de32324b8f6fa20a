"""Moves: the judge, and witnesses whose proposals pass it.

A witness answers a continuous choice or a clause that asks whether some lawful way exists. Whatever a
witness returns is legal by the judge of the same scene and order.
"""

from __future__ import annotations

from rolloff.geometry.closing import engage, pile_in, reachable_contact, separate
from rolloff.geometry.driving import drive
from rolloff.geometry.field import Scene
from rolloff.geometry.judging import settled, slots_of, target_gaps
from rolloff.geometry.landing import crossings, disembark, judge
from rolloff.geometry.marching import draw_in, march_to, regroup, route, slide
from rolloff.geometry.moves import Order, Wish
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


def advance(scene: Scene, order: Order, x: int, y: int) -> Wish:
    """The unit as near to a point as one move takes it, around what is in the way; hulls drive."""
    return march_to(scene, order, x, y) if order.hull is None else drive(scene, order, x, y)
