"""Moments of moves up and down: where they end, what they pass at the heights they have there, what waypoints cost."""

from __future__ import annotations

import json

import pytest

from rolloff.situations.adjudicate import adjudicate
from tests.commentary.desk import EDITION, Json, squad
from tests.commentary.referee import FAR, Moment, at, judge, move, part, place, says
from tests.commentary.test_referee_storeys import down, piece, up

CHARGE = part("charge", "a1", "charge")
ARRIVES = part("reinforcements", "a1", "arrive")
STOREYS: Json = {
    "terrain": [
        piece("ruin", "ruin", 10, 10, 20, 20, 9, solid=False),
        piece("first", "floor", 10.5, 10.5, 19.5, 19.5, 3, bottom=2.9, solid=True),
        piece("second", "floor", 10.5, 10.5, 19.5, 19.5, 6, bottom=5.9, solid=True),
    ]
}
BLOCK: Json = {"terrain": [piece("block", "sealed structure", 18, 20, 22, 26, 6, solid=True)]}


def goes(**models: list[list[float]]) -> Json:
    """A move of models along waypoints of two or four numbers."""
    return {"kind": "move", "value": {name.replace("_", "."): path for name, path in models.items()}}


def over(*spots: tuple[float, float, float]) -> list[list[float]]:
    """Waypoints with their heights."""
    return [[*spot, 0] for spot in spots]


UP_AND_ON = over((12, 12, 6), (17, 12, 6))
UP_AND_DOWN = over((12, 12, 6), (12, 17, 6), (12, 17, 0))

ENDS = [
    says(
        "a move ends on a floor above a friend",
        "GEO-4 MOVE-9",
        [down("a1", "A", (12, 12)), down("a2", "A", (14, 12)), FAR],
        move(),
        {"at": {"a1.1": [14.0, 12.0]}},
        answers=[goes(a1_1=over((12, 12, 3), (14, 12, 3)))],
        table=STOREYS,
    ),
    says(
        "a move does not end in the body of a friend on that floor",
        "GEO-4",
        [down("a1", "A", (12, 12)), up("a2", "A", (14, 12), z=3), FAR],
        move(),
        {"refused": "GEO-4"},
        answers=[goes(a1_1=over((12, 12, 3), (14, 12, 3)))],
        table=STOREYS,
    ),
    says(
        "a move ends on a floor 6 inches above an enemy",
        "ER-2 ER-1 HV-1",
        [down("a1", "A", (12, 12), M=20), down("b1", "B", (17, 12))],
        move(),
        {"at": {"a1.1": [17.0, 12.0]}},
        answers=[goes(a1_1=UP_AND_ON)],
        table=STOREYS,
    ),
    says(
        "a move does not end on a floor 3 inches above an enemy",
        "ER-2 ER-1 HV-1",
        [down("a1", "A", (12, 12), M=20), down("b1", "B", (17, 12))],
        move(),
        {"refused": "ER-2"},
        answers=[goes(a1_1=over((12, 12, 6), (17, 12, 6), (17, 12, 3)))],
        table=STOREYS,
    ),
    says(
        "a move ends on top of a structure beside which an enemy stands 6 inches below",
        "ER-2 ER-3 MOVE-11 TER-6",
        [down("a1", "A", (20.9, 18), M=30), down("b1", "B", (22.7, 23))],
        move(),
        {"at": {"a1.1": [20.9, 23.0]}},
        answers=[goes(a1_1=over((20.9, 23, 6)))],
        table=BLOCK,
    ),
    says(
        "a unit falls back up out of Engagement Range, and crosses nobody there",
        "MOVE-7 MOVE-8 ER-2 ER-1",
        [down("a1", "A", (12, 12), M=12), down("b1", "B", (13.5, 12))],
        move("fall-back"),
        {"at": {"a1.1": [14.0, 14.0]}, "rolls": []},
        answers=[goes(a1_1=over((12, 12, 6), (14, 14, 6)))],
        table=STOREYS,
    ),
    says(
        "a unit falls back straight up",
        "MOVE-7 ER-2 ER-1",
        [down("a1", "A", (12, 12), M=12), down("b1", "B", (13.5, 12))],
        move("fall-back"),
        {"at": {"a1.1": [12.0, 12.0]}, "rolls": []},
        answers=[goes(a1_1=over((12, 12, 6)))],
        table=STOREYS,
    ),
    says(
        "a charge ends 6 inches above who is no target",
        "CHG-3 ER-1",
        [down("a1", "A", (12, 12)), up("b1", "B", (15.5, 12)), down("b2", "B", (14.4, 13.5))],
        CHARGE,
        {"at": {"a1.1": [14.5, 12.0]}},
        [6, 6],
        [at("b1"), at("pass"), goes(a1_1=over((12, 12, 6), (14.5, 12, 6)))],
        table=STOREYS,
    ),
    says(
        "models of a unit are set up above each other",
        "GEO-4 SETUP-1",
        [squad("a1", "A", 2, where="reserve", rules=["Deep Strike"], own=[{"height": 1.5}] * 2), FAR],
        ARRIVES,
        {"at": {"a1.1": [13.0, 13.0], "a1.2": [13.0, 13.0]}},
        answers=[place(a1_1=(13, 13, 0, 0), a1_2=(13, 13, 3, 0))],
        table=STOREYS,
    ),
    says(
        "models of a unit are not set up in each other's body",
        "GEO-4 SETUP-1",
        [squad("a1", "A", 2, where="reserve", rules=["Deep Strike"], own=[{"height": 4}] * 2), FAR],
        ARRIVES,
        {"refused": "GEO-4"},
        answers=[place(a1_1=(13, 13, 0, 0), a1_2=(13, 13, 3, 0))],
        table=STOREYS,
    ),
]

WAYS = [
    says(
        "waypoints up and down again cost what is climbed",
        "MOVE-3 MOVE-9",
        [down("a1", "A", (12, 12)), FAR],
        move(),
        {"refused": "MOVE-5"},
        answers=[goes(a1_1=UP_AND_DOWN)],
        table=STOREYS,
    ),
    says(
        "a way over a floor passes nobody who stands on it",
        "ER-3 MOVE-11",
        [down("a1", "A", (12, 12), M=20), up("b1", "B", (12, 14.5))],
        move(),
        {"refused": "ER-3"},
        answers=[goes(a1_1=UP_AND_DOWN)],
        table=STOREYS,
    ),
    says(
        "a way over a floor passes above who stands 6 inches below",
        "ER-3 MOVE-3 MOVE-11",
        [down("a1", "A", (12, 12), M=20), down("b1", "B", (12, 14.5)), FAR],
        move(),
        {"at": {"a1.1": [12.0, 17.0]}},
        answers=[goes(a1_1=UP_AND_DOWN)],
        table=STOREYS,
    ),
    says(
        "a model does not climb up through the Engagement Range of an enemy above",
        "ER-3 MOVE-11",
        [down("a1", "A", (12, 12), M=20), up("b1", "B", (13.5, 12))],
        move(),
        {"refused": "ER-3"},
        answers=[goes(a1_1=over((12, 12, 6), (12, 17, 6)))],
        table=STOREYS,
    ),
    says(
        "over a structure a model passes who stands on it",
        "ER-3 MOVE-11",
        [down("a1", "A", (20.5, 18), M=30), up("b1", "B", (21.1, 23))],
        move(),
        {"refused": "ER-3"},
        answers=[goes(a1_1=[[20.5, 28]])],
        table=BLOCK,
    ),
    says(
        "over a structure a model is far above who stands beside it",
        "ER-3 MOVE-11 HV-1",
        [down("a1", "A", (20.9, 18), M=30), down("b1", "B", (22.7, 23)), FAR],
        move(),
        {"at": {"a1.1": [20.9, 28.0]}},
        answers=[goes(a1_1=[[20.9, 28]])],
        table=BLOCK,
    ),
    says(
        "beside a structure a model is as near to an enemy as it looks",
        "ER-3 MOVE-11",
        [down("a1", "A", (23.2, 18), M=30), down("b1", "B", (24.7, 23)), FAR],
        move(),
        {"refused": "ER-3"},
        answers=[goes(a1_1=[[23.2, 28]])],
        table=BLOCK,
    ),
]


def turner(*kinds: str) -> Json:
    """A long VEHICLE."""
    own = [{"base": {"rect": [3.15, 4.724]}, "height": 3, "facing": 0}]
    return squad("a1", "A", 1, at=[(20, 20)], own=own, M=5, keywords=["VEHICLE", *kinds])


def beside(kind: str, height: float) -> Json:
    """A table with a piece that a base of a `turner` sweeps over in the middle of its turn alone."""
    return {"terrain": [piece("d", kind, 22.0, 21.9, 22.4, 22.3, height, solid=True)]}


TURN = goes(a1_1=[[20, 20, 0, 90]])
TURNS = [
    says("a turn into a structure is refused", "MOVE-11 MOVE-9", [turner(), FAR], move(), {"refused": "MOVE-9"}, answers=[TURN],
         table=beside("sealed structure", 5)),
    says("a turn into a wall is refused", "MOVE-11 TER-8", [turner(), FAR], move(), {"refused": "MOVE-9"}, answers=[TURN],
         table=beside("wall", 5)),
    says("a turn over what is low stands", "MOVE-11 MOVE-9", [turner(), FAR], move(), {"at": {"a1.1": [20.0, 20.0]}},
         answers=[TURN], table=beside("sealed structure", 2)),
    says("who flies turns above a structure", "MOVE-11 FLY-4", [turner("FLY"), FAR], move(), {"at": {"a1.1": [20.0, 20.0]}},
         answers=[TURN], table=beside("sealed structure", 5)),
]  # fmt: skip

MARKER: Json = {"objectives": [{"id": "o1", "at": [13, 13], "holder": None}], "table": STOREYS}
DIVER = squad("a1", "A", 1, where="reserve", rules=["Deep Strike"])
MARKERS = [
    says("a move ends on a floor above a marker", "OBJ-2", [up("a1", "A", (13, 16), z=3), FAR], move(),
         {"at": {"a1.1": [13.0, 13.5]}}, answers=[goes(a1_1=over((13, 13.5, 3)))], **MARKER),
    says("a move ends on no marker on the ground", "OBJ-2", [up("a1", "A", (13, 16), z=3, M=12), FAR], move(),
         {"refused": "OBJ-2"}, answers=[goes(a1_1=over((13, 13.5, 0)))], **MARKER),
    says("a unit is set up on a floor above a marker", "OBJ-2", [DIVER, FAR], ARRIVES, {"at": {"a1.1": [13.0, 13.0]}},
         answers=[place(a1_1=(13, 13, 3, 0))], **MARKER),
    says("a unit is set up on no marker on the ground", "OBJ-2", [DIVER, FAR], ARRIVES, {"refused": "OBJ-2"},
         answers=[place(a1_1=(13, 13, 0, 0))], **MARKER),
]  # fmt: skip

BARRICADE: Json = {"terrain": [piece("b", "barricade", 10, 5, 10.5, 20, 1, solid=True)]}
AT_IT = goes(a1_1=over((9.45, 12, 0)))
HILL: Json = {"terrain": [piece("h", "hill", 10, 10, 20, 20, 3, solid=True)]}
MIXED = squad("a1", "A", 2, at=[(12, 13), (12, 15)], own=[{"z": 0, "height": 1.5}, {"z": 3, "height": 1.5}], M=6)
CHARGES = [
    says("a charge ends within 2 inches across a barricade only of who is within 1 inch of it", "TER-4 CHG-3",
         [down("a1", "A", (5, 12)), down("b1", "B", (12.1, 12))], CHARGE, {"refused": "CHG-3"}, [3, 3], [at("b1"), AT_IT],
         table=BARRICADE),
    says("who is within 1 inch of a barricade is charged across it", "TER-4 CHG-3",
         [down("a1", "A", (5, 12)), down("b1", "B", (11.9, 12))], CHARGE, {"events": {"charged": 1}}, [2, 3], [at("b1"), AT_IT],
         table=BARRICADE),
    says("a charge whose waypoints say they are on the ground ends within Engagement Range", "CHG-3",
         [down("a1", "A", (5, 12)), down("b1", "B", (11.9, 12))], CHARGE, {"refused": "CHG-3"}, [2, 3], [at("b1"), AT_IT]),
    says("who could end in base contact does, whatever floor his fellows stand on", "CHG-4 B2B-1",
         [MIXED, down("b1", "B", (17, 13))], CHARGE, {"refused": "CHG-4"}, [3, 3],
         [at("b1"), goes(a1_1=over((15.5, 13, 0)), a1_2=over((14.5, 15, 3)))], table=STOREYS),
    says("who could pile in into base contact does, whatever floor his fellows stand on", "PILEIN-3 B2B-1",
         [squad("a1", "A", 2, at=[(12, 15), (12, 13)], own=[{"z": 0, "height": 1.5}, {"z": 3, "height": 1.5}], M=6),
          up("b1", "B", (13.9, 13), z=3)], part("fight", "a1", "fight"), {"refused": "PILEIN-3"}, {"seed": 3},
         [goes(a1_2=over((12.3, 13, 3)))], table=STOREYS),
    says("who could come down into base contact does", "CHG-4 CHG-6",
         [up("a1", "A", (18, 13), (18, 15), z=3), down("b1", "B", (22, 13))], CHARGE, {"refused": "CHG-4"}, [4, 5],
         [at("b1"), goes(a1_1=over((21, 13, 0)), a1_2=over((20.8, 14.6, 0)))], table=HILL),
    says("a charge is proposed straight up to the floor below its target", "CHG-3 CHG-6",
         [down("a1", "A", (13, 15)), up("b1", "B", (13, 15))], CHARGE, {"events": {"charged": 1}}, [2, 2], [at("b1")],
         table=STOREYS),
]  # fmt: skip

MOMENTS = [*ENDS, *WAYS, *TURNS, *MARKERS, *CHARGES]


@pytest.mark.parametrize("moment", MOMENTS)
def test_climbs(moment: Moment) -> None:
    """What the referee says of a moment in which somebody goes up or down."""
    judge(moment)


@pytest.mark.clause("commentary-10", "CHG-4", "CHG-6")
def test_a_proposed_charge_down_a_hill_brings_everybody_into_contact() -> None:
    """A charge that nobody names a way for ends with both models in base contact with the enemy at the foot of the hill."""
    units = [up("a1", "A", (18, 13), (18, 15), z=3), down("b1", "B", (22, 13))]
    case = {"edition": EDITION, "round": 2, "active": "A", "units": units, "table": HILL, "do": CHARGE, "dice": [4, 5]}
    after = adjudicate(json.dumps(case | {"answers": [at("b1")]}).encode())["after"]
    spots = [model["at"] for model in after["units"][0]["models"]]
    assert all(abs(((x - 22) ** 2 + (y - 13) ** 2) ** 0.5 - 1) <= 0.011 for x, y in spots), spots
