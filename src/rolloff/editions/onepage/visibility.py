"""How the family sees and what its terrain is."""

from __future__ import annotations

from rolloff.geometry.sight import ALL, Mode

SIGHT = Mode(
    margin=10,  # LOS-3, LOS-8
    contact=10,  # LOS-3
    models=ALL,  # LOS-5
    heights=True,  # LOS-6
    eye=(3, 4),  # LOS-6
    stand_exempt=True,  # LOS-7
    target_exempt=True,  # LOS-5
)
