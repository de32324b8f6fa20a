"""Directions against a facing, without trigonometry of the platform: sectors, arcs and hull sides."""

from __future__ import annotations

from math import sqrt
from typing import Final

from rolloff.geometry.trig import COS, FULL_TURN, SCALE, SIN

ANGLE: Final = 1.7453292519943296e-05
"""The sine of 0.001 degree: how far off a border still counts as on it."""


def in_frame(dx: int, dy: int, facing: int) -> tuple[float, float]:
    """An offset on the table seen from a model: how far along its facing, how far across to its left."""
    c, s = COS[facing % FULL_TURN], SIN[facing % FULL_TURN]
    return (dx * c + dy * s) / SCALE, (dy * c - dx * s) / SCALE


def sector(dx: int, dy: int, facing: int, half: int, tol: float = ANGLE) -> int:
    """Whether a direction lies within `half` tenths of a degree of a facing.

    Returns -1 inside, 0 on the border (within the tolerance), 1 outside. Everything is inside a full circle,
    and a model's own centre lies inside every sector.
    """
    if half >= FULL_TURN // 2 or (dx == 0 and dy == 0):
        return -1
    along, across = in_frame(dx, dy, facing)
    across = abs(across)
    c, s = COS[half] / SCALE, SIN[half] / SCALE
    off = across * c - along * s
    if abs(off) <= tol * sqrt(along * along + across * across) and along * c + across * s > 0.0:
        return 0
    return -1 if off < 0.0 else 1
