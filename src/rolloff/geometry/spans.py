"""How far models are from each other in plan and in height, many pairs at once."""

from __future__ import annotations

from rolloff.geometry import kernels
from rolloff.geometry.plain.spans import NEAR, TOUCHES, Bodies, Limits, Spans

if kernels.COMPILED:
    from rolloff.geometry.compiled.spans import closest, first_across, gaps_between, not_nearer, spans
else:
    from rolloff.geometry.plain.spans import closest, first_across, gaps_between, not_nearer, spans

__all__ = ["NEAR", "TOUCHES", "Bodies", "Limits", "Spans", "closest", "first_across", "gaps_between", "not_nearer", "spans"]
