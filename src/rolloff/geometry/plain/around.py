"""What lies around a grown shape, in plain Python: the twin of `csrc/paths_around.c`.

Corners to pass it by, and spots in contact with it.
"""

from __future__ import annotations

from math import floor, sqrt
from typing import Final

from rolloff.geometry.plain.convex import Corners, core_distance, point_segment2
from rolloff.geometry.trig import COS, SIN

ONE: Final = 1073741824.0
ROUND_CORNERS: Final = 16
CIRCUMSCRIBED: Final = 1.0195911582083184
"""How much further than its sides the corners of a 16-gon lie."""
FINE_TURN: Final = 0.9
"""Arcs are cut until the cosine of a part is at least this."""
SPACING: Final = 700.0
"""Contact spots along a straight side lie at most so far apart."""

Spot = tuple[int, int]


def _whole(v: float) -> int:
    return floor(v + 0.5)


def _arc(ax: float, ay: float, bx: float, by: float, out: list[tuple[float, float, float, float]]) -> None:
    """Cut the arc between two unit normals into fine parts."""
    dot = ax * bx + ay * by
    if dot >= FINE_TURN:
        out.append((ax, ay, bx, by))
        return
    mx, my = ax + bx, ay + by
    size = sqrt(mx * mx + my * my)
    if dot < -0.999:
        mx, my, size = -ay, ax, 1.0
    mx, my = mx / size, my / size
    _arc(ax, ay, mx, my, out)
    _arc(mx, my, bx, by, out)


def _normals(corners: Corners) -> list[tuple[float, float]]:
    """The outward normal of each side, beginning with the one that leaves the first corner."""
    found = []
    m = len(corners)
    for k in range(m):
        (ax, ay), (bx, by) = corners[k], corners[(k + 1) % m]
        ex, ey = bx - ax, by - ay
        size = sqrt(ex * ex + ey * ey)
        found.append((ey / size, -ex / size))
    return found


def around(corners: Corners, tau: float) -> list[Spot]:
    """The corners of a polygon drawn around a shape grown by tau, counter-clockwise."""
    if len(corners) == 1:
        far, (x, y) = tau * CIRCUMSCRIBED, corners[0]
        turns = range(0, 3600, 3600 // ROUND_CORNERS)
        return [(_whole(x + far * (COS[t] / ONE)), _whole(y + far * (SIN[t] / ONE))) for t in turns]
    normals, nodes = _normals(corners), []
    for k, (x, y) in enumerate(corners):
        parts: list[tuple[float, float, float, float]] = []
        _arc(*normals[k - 1], *normals[k], parts)
        for ax, ay, bx, by in parts:
            scale = tau / (1.0 + (ax * bx + ay * by))
            nodes.append((_whole(x + (ax + bx) * scale), _whole(y + (ay + by) * scale)))
    return nodes


def contact_spots(corners: Corners, radius: float) -> list[Spot]:
    """Spots on the border of a shape grown by a radius, counter-clockwise."""
    if len(corners) == 1:
        x, y = corners[0]
        turns = range(0, 3600, 3600 // ROUND_CORNERS)
        return [(_whole(x + radius * (COS[t] / ONE)), _whole(y + radius * (SIN[t] / ONE))) for t in turns]
    normals, spots, m = _normals(corners), [], len(corners)
    for k, (x, y) in enumerate(corners):
        parts: list[tuple[float, float, float, float]] = []
        _arc(*normals[k - 1], *normals[k], parts)
        spots += [(_whole(x + radius * ax), _whole(y + radius * ay)) for ax, ay, _, _ in parts]
        nx, ny = normals[k]
        (bx, by) = corners[(k + 1) % m]
        ex, ey = bx - x, by - y
        pieces = int(sqrt(ex * ex + ey * ey) / SPACING) + 1
        for q in range(pieces):
            share = float(q) / float(pieces)
            spots.append((_whole(x + ex * share + radius * nx), _whole(y + ey * share + radius * ny)))
    return spots


def nearest_contact(corners: Corners, radius: float, x: float, y: float) -> Spot | None:
    """The spot at a distance from a shape that is nearest to a point outside it; None from inside."""
    px, py = corners[-1]
    best, qx, qy = -1.0, px, py
    for cx, cy in corners:
        d = point_segment2(x, y, px, py, cx, cy)
        if best < 0.0 or d < best:
            best = d
            ex, ey = cx - px, cy - py
            t, ll = (x - px) * ex + (y - py) * ey, ex * ex + ey * ey
            if t <= 0.0:
                qx, qy = px, py
            elif t >= ll:
                qx, qy = cx, cy
            else:
                qx, qy = px + ex * (t / ll), py + ey * (t / ll)
        px, py = cx, cy
    if len(corners) >= 3 and core_distance(corners, x, y) < 0.0:
        return None
    dx, dy = x - qx, y - qy
    size = sqrt(dx * dx + dy * dy)
    if size == 0.0:
        return None
    return _whole(qx + dx / size * radius), _whole(qy + dy / size * radius)
