"""Moments in which a way exists, and the referee must find it or let it be named; each decided from the contract's words."""

from __future__ import annotations

from typing import Any

import pytest

from tests.commentary.desk import Json, blade, squad
from tests.commentary.referee import FAR, Moment, judge, move, part, says, way

FIGHT = part("fight", "a1", "fight")
STAY: Json = {"kind": "move", "value": "stay"}
PAIR = [(10, 10), (11.5, 10)]
TRIO = [(10, 20), (7.47, 20.733), (5.732, 22.743)]
CROWD = [
    (17.05, 16.328),
    (18.179, 17.617),
    (16.703, 23.931),
    (20.935, 19.08),
    (21.538, 16.35),
    (20.444, 25.335),
    (15.769, 22.253),
]
CROWD += [(22.212, 17.314), (21.722, 20.451), (17.055, 21.228), (14.873, 21.136), (23.269, 27.313), (21.786, 25.29)]
LOFT: list[Json] = [
    {"id": "ruin", "types": ["ruin"], "polygon": [[5, 5], [25, 5], [25, 15], [5, 15]]},
    {"id": "floor", "types": ["floor"], "polygon": [[5, 5], [25, 5], [25, 15], [5, 15]], "height": 6, "bottom": 5.8},
]


def unit(id: str, places: list[Any], *weapons: Json, **more: Any) -> Json:
    """A unit of the side its name begins with, a model at each of some places."""
    return squad(id, id[0].upper(), len(places), *weapons, at=places, **{"M": 6, "W": 3, **more})


def stage(kind: str, height: float) -> Json:
    """A floor or a hill of some height, 20 inches by 10."""
    return {**LOFT[1], "types": [kind], "height": height, "bottom": 0}


def marker(x: float, y: float) -> dict[str, list[Json]]:
    """One marker on the table."""
    return {"objectives": [{"id": "o1", "at": [x, y]}]}


CLOSING = [
    says(
        "a unit of which everybody goes 3 inches reaches an enemy, and by default does, marker or not",
        "CONSOL-1 CONSOL-2",
        [unit("a1", PAIR, marks=["charged"]), unit("b1", [(10, 5.03)])],
        FIGHT,
        {"events": {"consolidated": 1}, "at": {"a1.1": [10.0, 7.02], "a1.2": [11.5, 7.02]}},
        answers=[STAY],
        **marker(18.5, 10),
    ),
    says(
        "such a way may be named",
        "CONSOL-1 CONSOL-3",
        [unit("a1", PAIR, marks=["charged"]), unit("b1", [(10, 5.03)])],
        FIGHT,
        {"at": {"a1.1": [10, 7], "a1.2": [11.5, 7]}},
        answers=[STAY, way(a1_1=(10, 7), a1_2=(11.5, 7))],
        **marker(18.5, 10),
    ),
    says(
        "where an enemy is a little too far the marker is gone to",
        "CONSOL-2",
        [unit("a1", PAIR, marks=["charged"]), unit("b1", [(10, 4.998)])],
        FIGHT,
        {"at": {"a1.1": [12.5, 10], "a1.2": [14.4, 10]}},
        answers=[STAY, way(a1_1=(12.5, 10), a1_2=(14.4, 10))],
        **marker(18.5, 10),
    ),
    says(
        "a straggling unit piles in by a step of all together and strikes",
        "PILEIN-2",
        [unit("a1", TRIO, blade(), marks=["charged"]), unit("b1", [(1.039, 21.508)])],
        FIGHT,
        {"rolls": ["hit"]},
        [1],
    ),
    says(
        "a straggling unit consolidates to a marker by a step of all together",
        "CONSOL-2",
        [
            unit("a1", [(20, 20), (21.008, 19.828), (20.627, 18.14), (17.785, 21.102), (21.806, 18.057)], marks=["charged"]),
            FAR,
        ],
        FIGHT,
        {"events": {"consolidated": 1}, "asks": [True]},
        **marker(28.606, 20.398),
        ask=[{"coherent": "a1"}],
    ),
    says(
        "from a floor 6 inches up nobody consolidates to a marker: it is not within range from there",
        "CONSOL-2 OC-2",
        [unit("a1", [(10, 10)], own=[{"z": 6}], marks=["charged"]), FAR],
        FIGHT,
        {"events": {"consolidated": 0}, "at": {"a1.1": [10, 10]}},
        table={"terrain": LOFT},
        **marker(15, 10),
    ),
    *(
        says(
            f"from a {kind} 4 inches up a unit consolidates along it, 3 inches and no further",
            "CONSOL-2 CONSOL-1",
            [unit("a1", [(10, 10)], own=[{"z": 4}], marks=["charged"]), FAR],
            FIGHT,
            {"at": {"a1.1": [13, 10]}},
            table={"terrain": [stage(kind, 4)]},
            **marker(17, 10),
        )
        for kind in ("floor", "hill")
    ),
    *(
        says(
            f"a unit on a {kind} {height} inches up may Fall Back along it to {spot}",
            "MOVE-7",
            [unit("a1", [(10, 10)], own=[{"z": height}], M=5), unit("b1", [(11.5, 10)], own=[{"z": height}])],
            move("fall-back"),
            {"refused": why},
            answers=[{"kind": "move", "value": {"a1.1": [[*spot, height, 0]]}}],
            table={"terrain": [stage(kind, height)]},
        )
        for kind in ("floor", "hill")
        for height in (4, 6)
        for spot, why in (((6.5, 10), None), ((5.6, 5.6), "MOVE-7"))
    ),
    says(
        "a unit on two storeys piles in at both heights",
        "PILEIN-2",
        [
            unit("a1", [(10, 10), (10, 11.6)], blade(), own=[{"z": 4}, {}], marks=["charged"]),
            unit("b1", [(14.9, 10)], own=[{"z": 4}]),
        ],
        FIGHT,
        {"rolls": ["hit"]},
        [1],
        table={"terrain": [{**stage("floor", 4), "bottom": 3.8}]},
    ),
    says(
        "a unit on two storeys consolidates to a marker",
        "CONSOL-2",
        [unit("a1", [(10, 10), (10, 11.6)], own=[{"z": 4}, {}], marks=["charged"]), FAR],
        FIGHT,
        {"at": {"a1.1": [12, 10], "a1.2": [12.9, 11.2]}},
        answers=[STAY, way(a1_1=(12, 10, 4, 0), a1_2=(12.9, 11.2, 0, 0))],
        table={"terrain": [{**stage("floor", 4), "bottom": 3.8}]},
        **marker(16, 10),
    ),
    says(
        "a unit on two storeys falls back at both heights",
        "MOVE-7",
        [unit("a1", [(10, 10), (10, 11.6)], own=[{"z": 4}, {}], M=4), unit("b1", [(11.5, 10)], own=[{"z": 4}])],
        move("fall-back"),
        {"at": {"a1.1": [6, 10], "a1.2": [6, 11.6]}},
        answers=[way(a1_1=(6, 10, 4, 0), a1_2=(6, 11.6, 0, 0))],
        table={"terrain": [{**stage("floor", 4), "bottom": 3.8}]},
    ),
    says(
        "between many enemies a unit of whom a free place is near may Fall Back",
        "MOVE-7",
        [
            unit("a1", [(20, 20), (19.222, 19.248), (18.462, 21.559)], M=3),
            *(unit(f"b{k}", [spot]) for k, spot in enumerate(CROWD)),
        ],
        move("fall-back"),
        {"verdict": "legal", "marked": {"a1": ["fell-back"]}},
        {"seed": 1},
    ),
]


@pytest.mark.parametrize("moment", CLOSING)
def test_ways_that_exist_are_found(moment: Moment) -> None:
    """Where a whole unit can go by one step, to enemies, to a marker or clear of enemies, that is possible."""
    judge(moment)
