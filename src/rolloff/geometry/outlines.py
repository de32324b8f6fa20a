"""What the centre of a path enters and leaves: for editions in which terrain acts where an outline is crossed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import sqrt

from rolloff.geometry.field import Ground, Place
from rolloff.geometry.plain.around import Spot


def _within(place: Place, x: float, y: float) -> bool:
    """Whether a point lies in a piece, edge included."""
    if place.disc is not None:
        dx, dy, r = x - place.disc[0], y - place.disc[1], float(place.disc[2])
        return dx * dx + dy * dy <= r * r
    for part in place.parts:
        ax, ay = part[-1]
        for bx, by in part:
            if (bx - ax) * (y - ay) - (by - ay) * (x - ax) < 0.0:
                break
            ax, ay = bx, by
        else:
            return True
    return False


def _breaks(place: Place, a: Spot, b: Spot) -> list[float]:
    """Where a leg meets a piece's outline, as shares of its length, ascending."""
    (ax, ay), (dx, dy) = a, (b[0] - a[0], b[1] - a[1])
    found = []
    if place.disc is not None:
        cx, cy, r = place.disc
        ll, lx, ly = float(dx * dx + dy * dy), float(ax - cx), float(ay - cy)
        half, rest = lx * dx + ly * dy, lx * lx + ly * ly - float(r) * r
        root = half * half - ll * rest
        if root > 0.0:
            found = [(-half - sqrt(root)) / ll, (-half + sqrt(root)) / ll]
    else:
        px, py = place.outline[-1]
        for qx, qy in place.outline:
            ex, ey = qx - px, qy - py
            cross = dx * ey - dy * ex
            if cross:
                t = ((px - ax) * ey - (py - ay) * ex) / cross
                u = ((px - ax) * dy - (py - ay) * dx) / cross
                if 0.0 <= u <= 1.0:
                    found.append(t)
            px, py = qx, qy
    return sorted(t for t in found if 0.0 < t < 1.0)


def _passes(place: Place, path: Sequence[Spot]) -> tuple[int, int]:
    """How often a path enters and leaves a piece."""
    entered = left = 0
    inside = place.contains(*path[0])
    for a, b in pairwise(path):
        cuts = [0.0, *_breaks(place, a, b), 1.0]
        states = []
        for s, t in pairwise(cuts):
            m = (s + t) / 2.0
            states.append(_within(place, a[0] + (b[0] - a[0]) * m, a[1] + (b[1] - a[1]) * m))
        for now in [*states, place.contains(*b)]:
            entered += now and not inside
            left += inside and not now
            inside = now
    return entered, left


def crossings(ground: Ground, path: Sequence[Spot]) -> tuple[tuple[int, int, int], ...]:
    """The pieces whose outline a path of a centre crosses: piece, how often it enters, how often it leaves."""
    found = []
    for number, place in enumerate(ground.places):
        entered, left = _passes(place, path)
        if entered or left:
            found.append((number, entered, left))
    return tuple(found)
