"""Units whose models differ in keywords: what a model may pass on its way is its own keywords' (KEYW-4, FLY-1)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.commentary.desk import Json, blade, squad
from tests.commentary.referee import FAR, Moment, at, judge, move, part, says, way


def lead(x: float, y: float, *keywords: str, **more: Any) -> Json:
    """A Leader of a1."""
    more = {"M": 12, "W": 4} | more
    return squad("x", "A", 1, blade(), at=[(x, y)], keywords=[*keywords, "CHARACTER"], rules=["Leader"], leading="a1", **more)


def led(x: float, y: float, *keywords: str, **more: Any) -> Json:
    """The Bodyguard model of such a unit."""
    return squad("a1", "A", 1, blade(), at=[(x, y)], keywords=keywords, **({"M": 12} | more))


def box(name: str, kind: str, left: float, low: float, right: float, high: float, height: float) -> Json:
    """A piece of terrain from one corner to the other."""
    ring = [[left, low], [right, low], [right, high], [left, high]]
    return {"id": name, "types": [kind], "polygon": ring, "height": height, "solid": kind != "ruin"}


def ground(*pieces: Json) -> Json:
    """A table with terrain."""
    return {"size": [60, 44], "terrain": list(pieces)}


def path(**models: Any) -> Json:
    """A move by several points; ``x_1=[(x, y), ...]`` is the first model of x."""
    return {"kind": "move", "value": {name.replace("_", "."): [list(spot) for spot in ways] for name, ways in models.items()}}


WALL = ground(box("r", "ruin", 11.5, 4, 24, 16, 9), box("r.w", "wall", 12, 9, 12.25, 16, 9))
BLOCK = ground(box("k", "sealed structure", 12, 9, 14, 11, 4))

WALLS = [
    says(
        "a MOUNTED Leader does not pass a wall with the INFANTRY it leads",
        "TER-8 KEYW-4",
        [led(10, 7.5, "INFANTRY"), lead(8.5, 10, "MOUNTED"), FAR],
        move(),
        {"refused": "MOVE-5"},
        (),
        [way(a1_1=(14, 7.5), x_1=(15, 10))],
        table=WALL,
    ),
    says(
        "while that INFANTRY passes it, and its Leader goes round",
        "TER-8 KEYW-4",
        [led(10, 10, "INFANTRY"), lead(10, 7.5, "MOUNTED"), FAR],
        move(),
        {"at": {"a1.1": [15, 10], "x.1": [15, 7.5]}},
        (),
        [way(a1_1=(15, 10), x_1=(15, 7.5))],
        table=WALL,
    ),
    says(
        "MOUNTED models do not pass a wall with the INFANTRY that leads them",
        "TER-8 KEYW-4",
        [led(8.5, 10, "MOUNTED"), lead(10, 7.5, "INFANTRY"), FAR],
        move(),
        {"refused": "MOVE-5"},
        (),
        [way(a1_1=(15, 10), x_1=(14, 7.5))],
        table=WALL,
    ),
    says(
        "neither do they in a charge",
        "TER-8 KEYW-4 CHG-6",
        [led(9.5, 10, "MOUNTED"), lead(9.5, 8, "INFANTRY"), squad("b1", "B", 1, at=[(16, 10)], M=6)],
        part("charge", "a1", "charge"),
        {"refused": "CHG-4"},
        [6, 2],
        [way(a1_1=(15, 10), x_1=(16, 9))],
        table=WALL,
    ),
    says(
        "where INFANTRY and BEASTS do",
        "TER-8 CHG-6",
        [led(9.5, 10, "INFANTRY"), lead(9.5, 8, "BEASTS"), squad("b1", "B", 1, at=[(16, 10)], M=6)],
        part("charge", "a1", "charge"),
        {"at": {"a1.1": [15, 10], "x.1": [16, 9]}},
        [6, 2],
        [way(a1_1=(15, 10), x_1=(16, 9))],
        table=WALL,
    ),
]

BETWEEN = squad("b1", "B", 1, at=[(13, 10)], M=6)
FLIGHTS = [
    says(
        "a model with FLY crosses an enemy while its Leader without it walks round",
        "FLY-1 FLY-2 KEYW-4",
        [led(10, 10, "INFANTRY", "FLY"), lead(10, 7.8, "INFANTRY"), BETWEEN],
        move(),
        {"at": {"a1.1": [16, 10], "x.1": [16, 7.8]}},
        (),
        [way(a1_1=(16, 10), x_1=(16, 7.8))],
    ),
    says(
        "its Leader without FLY does not cross him",
        "FLY-1 ER-3 KEYW-4",
        [led(10, 7.8, "INFANTRY", "FLY"), lead(10, 10, "INFANTRY"), BETWEEN],
        move(),
        {"refused": "ER-3"},
        (),
        [way(a1_1=(16, 7.8), x_1=(16, 10))],
    ),
    says(
        "nor does either end within Engagement Range",
        "FLY-1 MOM-2 ER-2",
        [led(10, 10, "INFANTRY", "FLY"), lead(10, 7.8, "INFANTRY"), BETWEEN],
        move(),
        {"refused": "ER-2"},
        (),
        [way(a1_1=(14.9, 10), x_1=(14.9, 7.8))],
    ),
    says(
        "over a tall block the way of the model with FLY is measured through the air",
        "FLY-1 FLY-5 KEYW-4",
        [led(10, 10, "INFANTRY", "FLY"), lead(10, 7.8, "INFANTRY"), FAR],
        move(),
        {"at": {"a1.1": [16, 10], "x.1": [16, 7.8]}},
        (),
        [way(a1_1=(16, 10), x_1=(16, 7.8))],
        table=BLOCK,
    ),
    says(
        "and that of its Leader is climbed",
        "FLY-1 MOVE-9 KEYW-4",
        [led(10, 7.8, "INFANTRY", "FLY"), lead(10, 10, "INFANTRY"), FAR],
        move(),
        {"refused": "MOVE-5"},
        (),
        [way(a1_1=(16, 7.8), x_1=(16, 10))],
        table=BLOCK,
    ),
    says(
        "in a charge the model with FLY passes who is no target, and its Leader goes round him",
        "FLY-1 FLY-4 KEYW-4 CHG-3",
        [
            led(10, 10, "INFANTRY", "FLY"),
            lead(8, 10, "INFANTRY"),
            squad("b1", "B", 1, at=[(16, 10)], M=6),
            squad("b2", "B", 1, at=[(13, 8.3)], M=6),
        ],
        part("charge", "a1", "charge"),
        {"at": {"a1.1": [15, 10], "x.1": [16, 11]}},
        [6, 5],
        [at("b1"), at("pass"), path(a1_1=[(15, 10)], x_1=[(10, 13), (16, 11)])],
    ),
    says(
        "and has to be in base contact if it can fly there",
        "FLY-4 CHG-4",
        [
            led(10, 10, "INFANTRY", "FLY"),
            lead(10.4, 12.9, "INFANTRY"),
            squad("b1", "B", 1, at=[(16, 10)], M=6),
            squad("b2", "B", 1, at=[(12.5, 10)], M=6),
        ],
        part("charge", "a1", "charge"),
        {"refused": "CHG-4"},
        [5, 1],
        [at("b1"), at("pass"), way(a1_1=(14.5, 8.9), x_1=(16, 11))],
    ),
]

TANK = squad("a5", "A", 1, at=[(13, 10)], keywords=["VEHICLE"], M=6)
BIG = [
    says(
        "INFANTRY led by a VEHICLE crosses a friendly VEHICLE",
        "MOVE-2 KEYW-4",
        [led(10, 10, "INFANTRY"), lead(10, 12.5, "VEHICLE", "WALKER"), TANK, FAR],
        move(),
        {"at": {"a1.1": [16, 10], "x.1": [16, 12.5]}},
        (),
        [way(a1_1=(16, 10), x_1=(16, 12.5))],
    ),
    says(
        "which its Leader does not",
        "MOVE-2 KEYW-4",
        [led(10, 12.5, "INFANTRY"), lead(10, 10, "VEHICLE", "WALKER"), TANK, FAR],
        move(),
        {"refused": "MOVE-2"},
        (),
        [way(a1_1=(16, 12.5), x_1=(16, 10))],
    ),
    says(
        "a VEHICLE crosses the INFANTRY that another leads",
        "MOVE-2 KEYW-4",
        [{**TANK, "stats": {**TANK["stats"], "M": 12}}, led(16, 10, "INFANTRY"), lead(16, 12.2, "VEHICLE", "WALKER"), FAR],
        move("normal", "a5"),
        {"at": {"a5.1": [19, 10]}},
        (),
        [way(a5_1=(19, 10))],
    ),
    says(
        "but does not end on it",
        "GEO-4",
        [{**TANK, "stats": {**TANK["stats"], "M": 12}}, led(16, 10, "INFANTRY"), lead(16, 12.2, "VEHICLE", "WALKER"), FAR],
        move("normal", "a5"),
        {"refused": "GEO-4"},
        (),
        [way(a5_1=(16.5, 10))],
    ),
    says(
        "nor crosses the one that leads it",
        "MOVE-2 KEYW-4",
        [{**TANK, "stats": {**TANK["stats"], "M": 12}}, led(16, 12.2, "INFANTRY"), lead(16, 10, "VEHICLE", "WALKER"), FAR],
        move("normal", "a5"),
        {"refused": "MOVE-2"},
        (),
        [way(a5_1=(19, 10))],
    ),
]

PLANE = squad("b1", "B", 1, at=[(12.6, 10)], keywords=["VEHICLE", "FLY", "AIRCRAFT"], M=20, W=9)
FIGHT = part("fight", "a1", "fight")
AIRCRAFT = [
    says(
        "a model without FLY does not pile in toward AIRCRAFT with those that have it",
        "AIR-6 PILEIN-3 KEYW-4",
        [led(10.9, 10, "INFANTRY", "FLY"), lead(9.4, 10, "INFANTRY"), PLANE, squad("b2", "B", 1, at=[(2, 10)], M=6)],
        FIGHT,
        {"refused": "PILEIN-3"},
        {"seed": 1},
        [way(x_1=(12.1, 10.867))],
    ),
    says(
        "but toward the closest enemy that is none",
        "AIR-6 PILEIN-3 KEYW-4",
        [led(10.9, 10, "INFANTRY", "FLY"), lead(9.4, 10, "INFANTRY"), PLANE, squad("b2", "B", 1, at=[(2, 10)], M=6)],
        FIGHT,
        {"events": {"piled-in": 1}},
        {"seed": 1},
        [way(x_1=(8.4, 10)), way()],
    ),
    says(
        "and by itself it stays where it is, while they go",
        "AIR-6 PILEIN-3 KEYW-4",
        [led(10.9, 10, "INFANTRY", "FLY"), lead(9.4, 10, "INFANTRY"), PLANE],
        FIGHT,
        {"at": {"a1.1": [11.598, 10], "x.1": [9.4, 10]}},
        {"seed": 1},
    ),
    says(
        "a unit charges no AIRCRAFT if one of its models cannot FLY",
        "AIR-5 FLY-1",
        [led(8, 10, "INFANTRY", "FLY"), lead(6, 10, "INFANTRY"), PLANE],
        part("charge", "a1", "charge"),
        {"refused": "AIR-5"},
        [6, 6],
    ),
    says(
        "and does if all can",
        "AIR-5 FLY-1",
        [led(8, 10, "INFANTRY", "FLY"), lead(6, 10, "INFANTRY", "FLY"), PLANE],
        part("charge", "a1", "charge"),
        {"marked": {"a1": ["charged"]}},
        [6, 6],
    ),
]

ROOTED = [
    says(
        "models go without a Leader that has no Move",
        "UNIT-2 MOVE-2",
        [led(10, 10, "INFANTRY", M=6), lead(11.5, 11.5, "INFANTRY", M="-"), FAR],
        move(),
        {"at": {"a1.1": [10, 12], "x.1": [11.5, 11.5]}, "marked": {"a1": ["moved"]}},
        (),
        [way(a1_1=(10, 12))],
    ),
    says(
        "who stays where he is",
        "UNIT-2",
        [led(10, 10, "INFANTRY", M=6), lead(11.5, 11.5, "INFANTRY", M="-"), FAR],
        move(),
        {"refused": "UNIT-2"},
        (),
        [way(a1_1=(10, 12), x_1=(11.5, 12))],
    ),
    says(
        "as far as their own Move",
        "UNIT-2 MOVE-5",
        [led(10, 10, "INFANTRY", M=6), lead(11.5, 11.5, "INFANTRY", M="-"), FAR],
        move(),
        {"refused": "MOVE-5"},
        (),
        [path(a1_1=[(10, 14), (10, 11)])],
    ),
    says(
        "and pile in beside him",
        "UNIT-2 PILEIN-2",
        [led(10, 10, "INFANTRY", M=6), lead(11.5, 10, "INFANTRY", M="-"), squad("b1", "B", 1, at=[(10, 11.8)], M=6)],
        FIGHT,
        {"at": {"a1.1": [10, 10.798], "x.1": [11.5, 10]}},
        {"seed": 1},
    ),
    says(
        "but do not charge",
        "UNIT-2 CHG-1",
        [led(10, 10, "INFANTRY", M=6), lead(11.5, 10, "INFANTRY", M="-"), squad("b1", "B", 1, at=[(10, 14)], M=6)],
        part("charge", "a1", "charge"),
        {"refused": "CHG-1"},
        [6, 6],
    ),
]


@pytest.mark.parametrize("moment", [*WALLS, *FLIGHTS, *BIG, *AIRCRAFT, *ROOTED])
def test_each_model_goes_by_its_own_keywords(moment: Moment) -> None:
    """Each row is what its clauses say of that moment."""
    judge(moment)
