"""Moments of AIRCRAFT: how their ways are written, and what their hulls are near to."""

from __future__ import annotations

from typing import Any

import pytest

from tests.commentary.desk import Json, squad
from tests.commentary.referee import FAR, Moment, judge, move, says


def unit(id: str, places: list[Any], *weapons: Json, **more: Any) -> Json:
    """A unit of the side its name begins with, a model at each of some places."""
    return squad(id, id[0].upper(), len(places), *weapons, at=places, **{"M": 6, "W": 3, **more})


def marker(x: float, y: float) -> dict[str, list[Json]]:
    """One marker on the table."""
    return {"objectives": [{"id": "o1", "at": [x, y]}]}


PLANE: Json = {"keywords": ["VEHICLE", "FLY", "AIRCRAFT"], "M": 20, "W": 8}


def plane(x: float, y: float, **more: Any) -> Json:
    """AIRCRAFT with the base and the hull of the table."""
    found = unit("a1", [(x, y)], **{**PLANE, **more})
    del found["models"][0]["base"]
    return found


FLIGHTS = [
    *(
        says(
            f"straight ahead, then a turn of {turn} degrees on the spot as a waypoint of its own",
            "AIR-2 MOVE-3",
            [plane(10, 10), FAR],
            move(),
            {"refused": refused} if refused else {"at": {"a1.1": [30, 10]}},
            answers=[{"kind": "move", "value": {"a1.1": [[30, 10, 0, 0], [30, 10, 0, turn]]}}],
        )
        for turn, refused in ((90, None), (270, None), (90.1, "AIR-2"))
    ),
    says(
        "a turn before the straight leg is refused",
        "AIR-2",
        [plane(10, 10), FAR],
        move(),
        {"refused": "AIR-2"},
        answers=[{"kind": "move", "value": {"a1.1": [[10, 10, 0, 30], [27.32, 20, 0, 30]]}}],
    ),
    *(
        says(
            f'AIRCRAFT whose hull is {gap}" from a marker: Level of Control {held}',
            "OC-2 GEO-2",
            [plane(10, round(10 + 0.787 + 2.362 + gap, 3), OC=3), FAR],
            None,
            {"asks": [{"holder": "A" if held else None, "levels": {"A": held, "B": 0}}]},
            **marker(10, 10),
            ask=[{"control": "o1"}],
        )
        for gap, held in ((2.99, 3), (3.01, 0))
    ),
]


@pytest.mark.parametrize("moment", FLIGHTS)
def test_planes_turn_after_flying_and_are_measured_from_their_hulls(moment: Moment) -> None:
    """A turn may be written as a waypoint of its own; the hull of AIRCRAFT is within range of a marker."""
    judge(moment)
