"""Distances on the table: between bases, units and footprints; coherency, ground height and sectors.

All lengths are thou in plan. Tolerances come in as values: which one applies is the edition's business.
"""

from __future__ import annotations

from rolloff.geometry import kernels
from rolloff.geometry.plain.measure import BESIDE, INSIDE, WHOLLY
from rolloff.geometry.sectors import ANGLE, in_frame, sector

if kernels.COMPILED:
    from rolloff.geometry.compiled.measure import (
        Coherency,
        Nearest,
        base_gap,
        climbed,
        close_units,
        coherent,
        contacts_around,
        crosses,
        footings,
        gap,
        gaps_among,
        ground_z,
        grounds,
        heights_at,
        near_piece,
        near_pieces,
        nearest,
        piece_gap,
        pieces_at,
        point_gap,
        reach,
        scattered,
        slots_of,
        touching,
        unit_gaps,
        wholly_within,
    )
else:
    from rolloff.geometry.plain.measure import (
        Coherency,
        Nearest,
        base_gap,
        climbed,
        close_units,
        coherent,
        contacts_around,
        crosses,
        footings,
        gap,
        gaps_among,
        ground_z,
        grounds,
        heights_at,
        near_piece,
        near_pieces,
        nearest,
        piece_gap,
        pieces_at,
        point_gap,
        reach,
        scattered,
        slots_of,
        touching,
        unit_gaps,
        wholly_within,
    )

__all__ = [
    "ANGLE",
    "BESIDE",
    "INSIDE",
    "WHOLLY",
    "Coherency",
    "Nearest",
    "base_gap",
    "climbed",
    "close_units",
    "coherent",
    "contacts_around",
    "crosses",
    "footings",
    "gap",
    "gaps_among",
    "ground_z",
    "grounds",
    "heights_at",
    "in_frame",
    "near_piece",
    "near_pieces",
    "nearest",
    "piece_gap",
    "pieces_at",
    "point_gap",
    "reach",
    "scattered",
    "sector",
    "slots_of",
    "touching",
    "unit_gaps",
    "wholly_within",
]
