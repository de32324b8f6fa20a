"""Terrain pieces that stand for units: how far their outlines are from bases and from one another, and points along them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt
from typing import Final

from rolloff.geometry.field import Place, Scene
from rolloff.geometry.plain.around import Spot
from rolloff.geometry.plain.measure import Stand, stand, stand_gap
from rolloff.geometry.trig import turned

STEP: Final = 1000
"""How far apart points along an outline lie at the most, in thou."""
ROUND: Final = 32
"""Points along the outline of a disc."""


def shape_of(places: Iterable[Place]) -> tuple[Stand, ...]:
    """The union of some pieces, as the convex parts it is made of."""
    return tuple(Stand(core[0][0], core[0][1], r, core, 0.0) for place in places for core, r in place.cores)


def bases_of(scene: Scene, slots: Iterable[int]) -> tuple[Stand, ...]:
    """The bases of models on the table."""
    return tuple(stand(scene, slot) for slot in slots)


def shape_gap(ours: Sequence[Stand], theirs: Sequence[Stand]) -> float:
    """The distance of two shapes; 0 where they meet or overlap."""
    return max(0.0, min((stand_gap(a, b) for a in ours for b in theirs), default=float("inf")))


def outline_points(place: Place, away: int = 0) -> list[Spot]:
    """Points along the outline of a piece, or so far outside it."""
    if place.disc is not None:
        x, y, r = place.disc
        return [(x + dx, y + dy) for dx, dy in (turned(r + away, 0, 3600 * k // ROUND) for k in range(ROUND))]
    found: list[Spot] = []
    corners = place.outline
    for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True):
        dx, dy = bx - ax, by - ay
        size = sqrt(float(dx * dx + dy * dy))
        if size == 0.0:
            continue
        nx, ny = away * dy / size, -away * dx / size
        parts = int(size // STEP) + 1
        found += [(round(ax + dx * k / parts + nx), round(ay + dy * k / parts + ny)) for k in range(parts)]
    return found


def nearest_point(place: Place, x: int, y: int) -> Spot:
    """The point along an outline that is nearest to a spot."""
    return min(outline_points(place), key=lambda spot: ((spot[0] - x) ** 2 + (spot[1] - y) ** 2, spot))
