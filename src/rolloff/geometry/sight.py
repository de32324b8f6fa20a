"""Who sees whom, exactly and with evidence; and who is behind cover.

Two ends see each other when, in some direction, a band of parallel lines of the mode's margin meets both and
no blocker between them. `docs/geometry.md` says why the answer can be trusted.
"""

from __future__ import annotations

from rolloff.geometry import kernels
from rolloff.geometry.views import ALL, HULLS, NONE, Eye, Mode, Sight

if kernels.COMPILED:
    from rolloff.geometry.compiled.sight import aims, covered, sees, watch
else:
    from rolloff.geometry.plain.sight import aims, covered, sees, watch

__all__ = ["ALL", "HULLS", "NONE", "Eye", "Mode", "Sight", "aims", "covered", "sees", "watch"]
