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


TOP = {"id": "t", "types": ["sealed structure"], "polygon": [[26, 5], [36, 5], [36, 15], [26, 15]], "height": 4, "solid": True}
FLOOR = {**TOP, "id": "r.1", "types": ["floor"], "height": 6, "bottom": 5.9}
PAIR: Json = unit("a1", [(10, 10), (10, 12)], **PLANE)


def flight(sentence: str, clauses: str, found: Json, expect: Json, terrain: list[Json], **ways: list[Any]) -> Any:
    """A row: AIRCRAFT fly by ways of their own."""
    answer = {"kind": "move", "value": {name.replace("_", "."): [way] for name, way in ways.items()}}
    return says(sentence, clauses, [found, FAR], move(), expect, answers=[answer] if ways else [], table={"terrain": terrain})


ONE = plane(10, 10)
ENDS = [
    flight("onto a structure", "TER-6 AIR-2", ONE, {"at": {"a1.1": [31, 10]}, "high": {"a1.1": 4}}, [TOP], a1_1=[31, 10, 0]),
    flight("onto a floor", "TER-8 AIR-2", ONE, {"high": {"a1.1": 6}}, [FLOOR], a1_1=[31, 10, 6, 0]),
    flight("beneath it", "TER-8 AIR-2", ONE, {"high": {"a1.1": 0}}, [FLOOR], a1_1=[31, 10, 0]),
    flight("not over its edge", "TER-6 AIR-2", ONE, {"refused": "TER-6"}, [TOP], a1_1=[35.5, 10, 0]),
    flight("two fly as far by default", "AIR-2 MIN-1", PAIR, {"at": {"a1.1": [30, 10], "a1.2": [30, 12]}}, []),
    flight("or each by itself", "AIR-2", PAIR, {"at": {"a1.2": [31, 12]}}, [], a1_1=[30, 10, 0], a1_2=[31, 12, 0]),
    flight("both of them", "MIN-1", PAIR, {"refused": "MIN-1"}, [], a1_1=[30, 10, 0]),
    flight("and coherent", "COH-3", PAIR, {"refused": "COH-3"}, [], a1_1=[30, 10, 0], a1_2=[36, 12, 0]),
    flight("one over the edge", "AIR-3", PAIR, {"where": {"a1": "reserve"}}, [], a1_1=[30, 10, 0], a1_2=[65, 12, 0]),
]


@pytest.mark.parametrize("moment", ENDS)
def test_planes_end_where_they_may_stand_and_all_of_them_fly(moment: Moment) -> None:
    """AIRCRAFT end on structures and floors like others; each model of a unit flies its leg, or the unit leaves."""
    judge(moment)
