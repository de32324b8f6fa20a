"""Dangerous ground (TERR-DANG): one die for each model and piece a move touched; ones wound."""

from __future__ import annotations

from rolloff.editions.onepage.attack import danger_event
from rolloff.geometry.moves import Verdict
from rolloff.rules.citing import cites
from rolloff.rules.play import Play


@cites("TERR-DANG-1", "TERR-DANG-3", "TERR-DANG-4")
def dangerous_ground(play: Play, unit: int, verdict: Verdict) -> None:
    """TERR-DANG-3: at the end of the move, one die for each model and each dangerous piece it moved into or across."""
    if verdict.dangerous:
        danger_event(play, unit, len(verdict.dangerous))
