"""What places say of models: rows of bytes by how each stands to some pieces and by its sort (`StanceTable`)."""

from __future__ import annotations

from rolloff.geometry import kernels
from rolloff.geometry.plain.stances import Stood
from rolloff.geometry.stance_table import FOOTINGS, StanceTable

if kernels.COMPILED:
    from rolloff.geometry.compiled.stances import stances
else:
    from rolloff.geometry.plain.stances import stances

__all__ = ["FOOTINGS", "StanceTable", "Stood", "stances"]
