"""Moments in which somebody stands above another: Engagement Range up and down, distances in space; and edges of zones."""

from __future__ import annotations

from typing import Any

import pytest

from tests.commentary.desk import Json, blade, gun, squad
from tests.commentary.referee import FAR, HULL, SIDES, Moment, at, judge, move, part, place, says, way
from tests.commentary.test_phases import rule

HIGH = 6
CHARGE = part("charge", "a1", "charge")
FIGHT = part("fight", "a1", "fight")
STOP = {"unanswered": "stop"}


def piece(id: str, kind: str, x0: float, y0: float, x1: float, y1: float, height: float, **more: Any) -> Json:
    """A piece of terrain."""
    return {"id": id, "types": [kind], "polygon": [[x0, y0], [x1, y0], [x1, y1], [x0, y1]], "height": height, **more}


def ruin(height: float = HIGH) -> Json:
    """A table with a ruin without walls that has one floor, at some height."""
    floor = piece("floor", "floor", 10, 8, 20, 18, height, bottom=height - 0.1, solid=True)
    return {"terrain": [piece("ruin", "ruin", 10, 8, 20, 18, height, solid=False), floor]}


def hill(x0: float, y0: float, x1: float, y1: float) -> Json:
    """A table with a hill."""
    return {"terrain": [piece("hill", "hill", x0, y0, x1, y1, HIGH, solid=True)]}


def up(id: str, side: str, *spots: tuple[float, float], z: float = HIGH, **more: Any) -> Json:
    """A unit of models that all stand at one height."""
    return squad(id, side, len(spots), blade(), at=spots, own=[{"z": z, "height": 1.5}] * len(spots), **{"M": 6, **more})


def down(id: str, side: str, *spots: tuple[float, float], **more: Any) -> Json:
    """A unit of models on the ground."""
    return up(id, side, *spots, z=0, **more)


def climbs(**models: tuple[float, ...]) -> Json:
    """A move of models that end at a height: (x, y, z)."""
    return {"kind": "move", "value": {name.replace("_", "."): [[*spot, 0]] for name, spot in models.items()}}


CHARGER = down("a1", "A", (8, 13))
ABOVE = up("b1", "B", (13, 13))
CHARGED = {"events": {"charged": 1, "charge-failed": 0}, "asks": [["b1"]]}
FAILED = {"events": {"charged": 0, "charge-failed": 1}, "asks": [[]]}
ASK = {"ask": [{"engaged": "a1"}]}

CHARGES = [
    says(
        "a roll for the ground alone fails below a floor",
        "CHG-3 ER-1",
        [CHARGER, ABOVE],
        CHARGE,
        FAILED,
        [2, 2],
        table=ruin(),
        **ASK,
    ),
    says(
        "no way is asked for that no roll allows",
        "CHG-3",
        [CHARGER, ABOVE],
        CHARGE,
        FAILED,
        [2, 2],
        table=ruin(),
        **ASK,
        **STOP,
    ),
    says("a roll for the floor too ends on it", "CHG-3 CHG-6", [CHARGER, ABOVE], CHARGE, CHARGED, [6, 5], table=ruin(), **ASK),
    says(
        "a whole unit climbs to the floor of its target",
        "CHG-3 CHG-6",
        [down("a1", "A", (8, 12), (8, 13.4), (8, 14.8)), ABOVE],
        CHARGE,
        CHARGED,
        [6, 6],
        table=ruin(),
        **ASK,
    ),
    says(
        "who stands 4 inches up is in Engagement Range from below",
        "ER-1 CHG-3",
        [CHARGER, up("b1", "B", (13, 13), z=4)],
        CHARGE,
        CHARGED,
        [2, 2],
        table=ruin(4),
        **ASK,
    ),
    says(
        "a charge down from a floor is made on the ground",
        "CHG-3 CHG-6",
        [up("a1", "A", (13, 13)), down("b1", "B", (8, 13))],
        CHARGE,
        CHARGED,
        [6, 6],
        table=ruin(),
        **ASK,
    ),
    says(
        "an own placement below its target is refused",
        "CHG-3 ER-1",
        [CHARGER, ABOVE],
        CHARGE,
        {"refused": "CHG-3"},
        [6, 5],
        [way(a1_1=(12, 13))],
        table=ruin(),
    ),
    says(
        "an own placement on the floor of its target stands",
        "CHG-3 CHG-6",
        [CHARGER, ABOVE],
        CHARGE,
        CHARGED,
        [6, 5],
        [climbs(a1_1=(12, 13, HIGH))],
        table=ruin(),
        **ASK,
    ),
    says(
        "a charger passes below who is no target",
        "CHG-3 ER-1",
        [CHARGER, down("b1", "B", (18, 13)), up("b2", "B", (13, 13))],
        CHARGE,
        {"events": {"charged": 1}, "at": {"a1.1": [17.0, 13.0]}},
        [5, 4],
        [at("b1"), at("pass"), way(a1_1=(17, 13))],
        table=ruin(),
    ),
]

MOVES = [
    says(
        "a move ends below an enemy 6 inches up",
        "ER-2 ER-1",
        [CHARGER, ABOVE],
        move(),
        {"at": {"a1.1": [13.5, 13.0]}},
        answers=[way(a1_1=(13.5, 13))],
        table=ruin(),
    ),
    says(
        "a move passes below an enemy 6 inches up",
        "ER-3 ER-1",
        [CHARGER, up("b1", "B", (11, 13))],
        move(),
        {"at": {"a1.1": [14.0, 13.0]}},
        answers=[way(a1_1=(14, 13))],
        table=ruin(),
    ),
    says(
        "a move does not end below an enemy 5 inches up",
        "ER-2 ER-1",
        [CHARGER, up("b1", "B", (13, 13), z=5)],
        move(),
        {"refused": "ER-2"},
        answers=[way(a1_1=(13.5, 13))],
        table=ruin(5),
    ),
    says(
        "who comes down does not end beside an enemy on the ground",
        "ER-2 ER-1",
        [up("a1", "A", (11, 13), M=12), down("b1", "B", (7, 13))],
        move(),
        {"refused": "ER-2"},
        answers=[climbs(a1_1=(8.5, 13, 0))],
        table=ruin(),
    ),
    says(
        "who climbs where he stands does not end in an enemy",
        "ER-2 GEO-4",
        [down("a1", "A", (13.5, 13)), ABOVE],
        move(),
        {"refused": "ER-2"},
        answers=[climbs(a1_1=(13.5, 13, HIGH))],
        table=ruin(),
    ),
    says(
        "of a unit on two floors each model keeps clear of who is near it in height",
        "ER-2 ER-1",
        [
            squad("a1", "A", 2, at=[(11, 12), (11, 13.4)], own=[{"z": 0}, {"z": 4}], M=6),
            up("b1", "B", (14, 12), z=7),
        ],
        move(),
        {"at": {"a1.1": [14.0, 12.0]}},
        answers=[way(a1_1=(14, 12), a1_2=(12, 13.4))],
        table={
            "terrain": [
                piece("low", "floor", 10, 8, 13, 18, 4, solid=True),
                piece("top", "floor", 13, 8, 20, 18, 7, solid=True),
            ]
        },
    ),
    says(
        "a unit falls back to below an enemy 6 inches up",
        "MOVE-7 ER-1",
        [CHARGER, down("b1", "B", (6.5, 13)), up("b2", "B", (13, 13))],
        move("fall-back"),
        {"at": {"a1.1": [13.0, 13.0]}},
        answers=[way(a1_1=(13, 13))],
        table=ruin(),
    ),
    says(
        "passengers get out below an enemy 6 inches up",
        "TRANS-4 ER-2",
        [
            squad("a1", "A", 1, where="a2", M=6),
            squad("a2", "A", 1, at=[(8, 13)], own=[{"height": 3}], M=10, **HULL),
            up("b1", "B", (11, 13)),
        ],
        move("disembark"),
        {"at": {"a1.1": [10.5, 13.0]}},
        answers=[place(a1_1=(10.5, 13))],
        table=ruin(),
    ),
]

FIGHTS = [
    says(
        "nobody consolidates to below an enemy 6 inches up",
        "CONSOL-1 ER-1",
        [
            squad("a1", "A", 1, blade(), at=[(10, 10)], marks=["charged"], M=6),
            down("b1", "B", (10, 11)),
            up("b2", "B", (13.5, 10)),
        ],
        FIGHT,
        {"dead": ["b1.1"], "at": {"a1.1": [10.0, 10.0]}, "events": {"consolidated": 0}},
        [6, 6],
        table=hill(12.8, 8, 17, 12),
    ),
    says(
        "nobody piles in to below an enemy 6 inches up",
        "PILEIN-2 ER-1",
        [squad("a1", "A", 1, at=[(10, 10)], marks=["charged"], M=6), up("b2", "B", (13.5, 10))],
        FIGHT,
        {"at": {"a1.1": [10.0, 10.0]}},
        table=hill(12.8, 8, 17, 12),
    ),
    says(
        "a model piles in up to a floor its 3 inches reach",
        "PILEIN-2 PILEIN-3",
        [squad("a1", "A", 1, at=[(12, 13)], marks=["charged"], own=[{"height": 1.5}], M=6), up("b1", "B", (13.5, 13), z=2.5)],
        FIGHT,
        {"at": {"a1.1": [12.5, 13.0]}},
        answers=[climbs(a1_1=(12.5, 13, 2.5))],
        table=ruin(2.5),
    ),
]


@pytest.mark.parametrize("moment", CHARGES)
def test_charges_up_and_down(moment: Moment) -> None:
    """A charge succeeds if the unit ends within an inch of its targets in plan and 5" in height, and not otherwise."""
    judge(moment)


@pytest.mark.parametrize("moment", MOVES)
def test_moves_below_and_above_enemies(moment: Moment) -> None:
    """Nobody is in the Engagement Range of who stands more than 5" above or below; who is not is kept clear of."""
    judge(moment)


@pytest.mark.parametrize("moment", FIGHTS)
def test_piling_in_and_consolidating_up_and_down(moment: Moment) -> None:
    """Pile-in and Consolidation moves end in Engagement Range of somebody who is near in height as well."""
    judge(moment)


DISTANCES = [
    says(
        "12 inches of a charge are measured through the air",
        "CHG-1 GEO-3",
        [down("a1", "A", (10, 10)), up("b1", "B", (10, 22))],
        CHARGE,
        {"refused": "CHG-1"},
        table=hill(8, 21, 14, 26),
    ),
    says(
        "24 inches of Fire Overwatch are measured through the air",
        "CSTR-5 GEO-3",
        [down("a1", "A", (10, 10)), squad("b1", "B", 1, gun(range=30), at=[(10, 34.6)], own=[{"z": HIGH}], M=6)],
        move(),
        {"pending": {"kind": "move"}, "verdict": "pending"},
        sides={"B": {"cp": 1}},
        table=hill(8, 34, 14, 40),
        **STOP,
    ),
    says(
        "8 inches of a Grenade are measured through the air",
        "CSTR-6 GEO-3",
        [down("a1", "A", (10, 10), keywords=["INFANTRY", "GRENADES"]), up("b1", "B", (10, 17))],
        {"phase": "shooting"},
        {"verdict": "legal"},
        sides={"A": {"cp": 1}},
        table=hill(8, 16, 14, 22),
        **STOP,
    ),
    says(
        "6 inches of Heroic Intervention are measured through the air",
        "CSTR-11 GEO-3",
        [CHARGER, down("b1", "B", (8, 16)), up("b2", "B", (11, 15))],
        CHARGE,
        {"verdict": "legal", "events": {"charged": 1}},
        [6, 6],
        [at("b1"), at("pass"), way(a1_1=(8, 15))],
        sides={"B": {"cp": 2}},
        table=ruin(),
        **STOP,
    ),
    says(
        "3 inches to a TRANSPORT are measured through the air",
        "TRANS-3 GEO-3",
        [
            up("a1", "A", (12, 13), marks=["moved"]),
            squad("a2", "A", 1, at=[(10, 13)], own=[{"height": 2.5}], M=10, **HULL),
            FAR,
        ],
        move("embark"),
        {"refused": "TRANS-3"},
        table=ruin(),
    ),
    says(
        "a model set up on a hill is not wholly within 3 inches of its TRANSPORT",
        "TRANS-4 WITHIN-3",
        [
            squad("a1", "A", 1, where="a2", M=6),
            squad("a2", "A", 1, at=[(10, 10)], own=[{"height": 3, "base": {"rect": [3, 4]}}], M=10, **HULL),
            FAR,
        ],
        move("disembark"),
        {"refused": "TRANS-4"},
        answers=[place(a1_1=(13.5, 10, HIGH, 0))],
        table=hill(12.5, 8, 16, 12),
    ),
]

ARRIVE = part("reinforcements", "a1", "arrive")
WAITS = squad("a1", "A", 1, where="reserve", M=6)
DEPLOYS = squad("a1", "A", 1, where="waiting", M=6)
EDGES = [
    says(
        "wholly within 6 inches to a thousandth",
        "RSV-3 WITHIN-3 GEO-5",
        [WAITS, FAR],
        ARRIVE,
        {},
        (),
        [place(a1_1=(5.501, 20))],
        sides=SIDES,
    ),
    says(
        "not wholly within 6 inches by three thousandths",
        "RSV-3 WITHIN-3 GEO-5",
        [WAITS, FAR],
        ARRIVE,
        {"refused": "RSV-3"},
        (),
        [place(a1_1=(5.503, 20))],
        sides=SIDES,
    ),
    says(
        "not wholly within the deployment zone by eight thousandths",
        "MIS-5 WITHIN-3 GEO-5",
        [DEPLOYS, FAR],
        {"step": "deploy"},
        {"refused": "MIS-5"},
        (),
        [{"kind": "choose-unit", "value": "a1"}, place(a1_1=(30, 9.508))],
        round=1,
        sides=SIDES,
    ),
    says(
        "Infiltrators are more than 9 inches from the enemy zone, not exactly so",
        "ABIL-6 GEO-5",
        [{**DEPLOYS, "rules": ["Infiltrators"]}, FAR],
        {"step": "deploy"},
        {"verdict": "refused"},
        (),
        [{"kind": "choose-unit", "value": "a1"}, place(a1_1=(30, 24.5))],
        round=1,
        sides=SIDES,
    ),
]


@pytest.mark.parametrize("moment", DISTANCES)
def test_distances_are_measured_in_space(moment: Moment) -> None:
    """Within so many inches is measured through the air, with the height between two models (GEO-3)."""
    judge(moment)


@pytest.mark.parametrize("moment", EDGES)
def test_zones_end_where_they_say(moment: Moment) -> None:
    """Wholly within forgives a thousandth of an inch, and no more (GEO-5)."""
    judge(moment)


@pytest.mark.clause("commentary-10", "WPN-2", "GEO-5")
@pytest.mark.parametrize(("gap", "attacks"), [(12.001, 2), (12.003, 1)])
def test_half_range_forgives_a_thousandth(gap: float, attacks: int) -> None:
    """A target is within half of 24" at 12.001", as every other distance is within its limit."""
    units = [squad("a1", "A", 1, gun("RAPID FIRE 1"), at=[(10, 10)], M=6), squad("b1", "B", 1, at=[(10, 11 + gap)], M=6)]
    found = rule(units, part("shooting", "a1", "shoot"), [1] * attacks)
    assert found.json["attacks"][0]["attacks"] == attacks


TWO_FLOORS = {"terrain": [*ruin(3)["terrain"], piece("top", "floor", 10, 8, 20, 18, 6, bottom=5.9, solid=True)]}


@pytest.mark.parametrize(
    "moment",
    [
        *(
            says(
                f"through two floors, {aside} inch aside",
                "VIS-6 RUIN-1",
                [down("a1", "A", (13, 13)), up("b1", "B", (13 + aside, 13))],
                None,
                {"asks": ["none"]},
                table=TWO_FLOORS,
                ask=[{"visible": ["a1.1", "b1.1"]}],
            )
            for aside in (0, 0.001, 0.002)
        ),
        says(
            "straight up where there is no floor",
            "VIS-6",
            [down("a1", "A", (5, 13)), up("b1", "B", (5, 13))],
            None,
            {"asks": ["fully"]},
            table=TWO_FLOORS,
            ask=[{"visible": ["a1.1", "b1.1"]}],
        ),
    ],
)
def test_nobody_looks_through_a_floor(moment: Moment) -> None:
    """A solid floor stops lines of sight that run straight up and down like all others."""
    judge(moment)
