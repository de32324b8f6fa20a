"""What a question about sight is made of: the mode, the eye that looks, the answer with its evidence."""

from __future__ import annotations

import struct
from typing import Final, NamedTuple

from rolloff.geometry.field import Scene
from rolloff.geometry.trig import turned
from rolloff.lengths import FULL_TURN

NONE: Final = 0
"""No model blocks sight."""
ALL: Final = 1
"""Models of other units block sight."""
HULLS: Final = 2
"""Of the models of other units only hulls (rectangles) block sight."""


class Mode(NamedTuple):
    """How an edition reads sight.

    A pair sees when a band of parallel lines `margin` wide is clear; bases within `contact` always see.
    `models` says which models block. With `heights` an obstacle blocks only if its top is above the line
    from eye to eye, `eye` being the part of a model's height where its eye sits. `stand_exempt`: a piece
    under viewer or target does not block. `target_exempt`: the target's fellows do not block. `ignored`
    units and `clear` pieces never do.
    """

    margin: int = 10
    contact: int = 10
    models: int = ALL
    heights: bool = True
    eye: tuple[int, int] = (3, 4)
    stand_exempt: bool = True
    target_exempt: bool = True
    ignored: tuple[int, ...] = ()
    clear: tuple[int, ...] = ()


class Eye(NamedTuple):
    """One end of a sight line that is not simply a model's base.

    `barrel` is a point of the table from which a weapon of the model looks, `arc` its right and left border
    in tenths of a degree, counter-clockwise from right to left. `pieces` are terrain pieces whose outline
    stands for the base; centre, ground and height stay the model's.
    """

    slot: int
    barrel: tuple[int, int] | None = None
    arc: tuple[int, int] | None = None
    pieces: tuple[int, ...] = ()

    @classmethod
    def mounted(cls, scene: Scene, slot: int, along: int, across: int, centre: int = 0, half: int = FULL_TURN // 2) -> Eye:
        """The eye of a mounted weapon: an offset and an arc about `centre`, both in the hull's frame."""
        x, y = struct.unpack_from("<2i", scene.xy, 8 * slot)
        facing = struct.unpack_from("<h", scene.facing, 2 * slot)[0]
        dx, dy = turned(along, across, facing)
        arc = None
        if half < FULL_TURN // 2:
            arc = ((facing + centre - half) % FULL_TURN, (facing + centre + half) % FULL_TURN)
        return cls(slot, (x + dx, y + dy), arc)


class Sight(NamedTuple):
    """Whether one sees the other, with evidence.

    Visible: `line` is a clear segment (x, y, x, y) from the first to the second. Hidden: `pieces` and
    `slots` are the obstacles that together leave no band; both are empty when there is nothing to see (off
    the table, or outside the arc).
    """

    visible: bool
    line: tuple[float, float, float, float] | None = None
    pieces: tuple[int, ...] = ()
    slots: tuple[int, ...] = ()
