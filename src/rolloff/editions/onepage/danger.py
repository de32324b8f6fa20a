"""The ground (TERR-DIFF, TERR-DANG): difficult pieces cap a move, dangerous ones wound on ones."""

from __future__ import annotations

from rolloff.editions.onepage.attack import danger_event
from rolloff.editions.onepage.moving import difficult_cap, endangered
from rolloff.rules.citing import cites
from rolloff.rules.play import Play
from rolloff.rules.terrain import RoughGround


@cites("TERR-DANG-1", "TERR-DANG-3", "TERR-DANG-4")
def dangerous_ground(play: Play, unit: int, dice: int) -> None:
    """TERR-DANG-3: at the end of the move, one die for each model and each dangerous piece it moved into or across."""
    danger_event(play, unit, dice)


GROUND = RoughGround(difficult_cap, harms=endangered, harm=dangerous_ground, each_piece=True)
