"""Moments in which somebody climbs or flies over a thing, or would end on it; each decided from the contract's words."""

from __future__ import annotations

from typing import Any

import pytest

from tests.commentary.desk import Json, squad
from tests.commentary.referee import FAR, Moment, judge, move, says, way


def unit(id: str, places: list[Any], *weapons: Json, **more: Any) -> Json:
    """A unit of the side its name begins with, a model at each of some places."""
    return squad(id, id[0].upper(), len(places), *weapons, at=places, **{"M": 6, "W": 3, **more})


def piece(kind: str, height: float, **more: Any) -> Json:
    """A thin piece across the way from x 10 to x 17."""
    return {"id": kind, "types": [kind], "polygon": [[15, 5], [15.2, 5], [15.2, 15], [15, 15]], "height": height, **more}


def crossing(words: list[str], inches: int, terrain: list[Json], why: str, sentence: str, clauses: str) -> Any:
    """A row: a model goes 7 inches straight over something with a Move of some inches."""
    return says(
        f"{sentence}: {inches} inches {'do' if not why else 'do not do'}",
        clauses,
        [unit("a1", [(10, 10)], keywords=words, M=inches), FAR],
        move(),
        {"refused": why or None},
        answers=[way(a1_1=(17, 10))],
        table={"terrain": terrain},
    )


OVER: list[Any] = []
for solid in ({}, {"solid": True}):
    for kind in ("wall", "block", "hill", "debris", "barricade"):
        said = f"a {kind} 5 inches tall{', solid,' if solid else ''}"
        OVER += [
            crossing(["MOUNTED", "FLY"], inches, [piece(kind, 5, **solid)], why, f"through the air over {said}", "FLY-5")
            for inches, why in ((12, "MOVE-5"), (13, ""))
        ]
        OVER += [
            crossing(["MOUNTED"], inches, [piece(kind, 5, **solid)], why, f"on foot over {said}", "MOVE-9")
            for inches, why in ((16, "MOVE-5"), (17, ""))
        ]
LINTEL = {**piece("block", 9, solid=True), "bottom": 6, "polygon": [[13, 5], [13.2, 5], [13.2, 15], [13, 15]]}
OVER += [
    crossing(
        ["MOUNTED", "FLY"], inches, [piece("hill", 3), LINTEL], why, "over a hill and beneath what begins above it", "FLY-5"
    )
    for inches, why in ((9, "MOVE-5"), (10, ""))
]
ENDS = [
    says(
        sentence,
        clause,
        [unit("a1", [(12, 10)], M=12), FAR],
        move(),
        {"refused": clause},
        answers=[{"kind": "move", "value": {"a1.1": [spot]}}],
        table={"terrain": [piece("wall", 5), {**piece("hill", 4), "polygon": [[20, 5], [24, 5], [24, 15], [20, 15]]}]},
    )
    for sentence, clause, spot in (
        ("INFANTRY end inside no wall", "TER-8", [15, 10]),
        ("a base that overhangs a hill", "TER-6", [20.3, 10, 4, 0]),
    )
]


@pytest.mark.parametrize("moment", OVER + ENDS)
def test_tall_pieces_are_climbed_or_flown_over(moment: Moment) -> None:
    """What a walker climbs a flyer crosses through the air, sight or not; ends are refused by the clause of the piece."""
    judge(moment)


PAIR = {"a1_1": (10, 10), "a1_2": (13, 10)}


def past(sentence: str, why: str, words: list[str], ways: dict[str, Any]) -> Any:
    """A row: two models side by side go past each other."""
    units = [unit("a1", [*PAIR.values()], keywords=words, M=8), FAR]
    answer = {"kind": "move", "value": {name.replace("_", "."): [list(spot) for spot in path] for name, path in ways.items()}}
    return says(sentence, "MOVE-2 FLY-3", units, move(), {"refused": why or None}, answers=[answer])


THROUGH = {"a1_1": [(15, 10)]}
FELLOWS = [
    past("a tank does not cross another of its unit", "MOVE-2", ["VEHICLE"], THROUGH),
    past("infantry does", "", ["INFANTRY"], THROUGH),
    past("flyers do", "", ["VEHICLE", "FLY"], THROUGH),
    past("the one ahead goes first", "", ["VEHICLE"], {**THROUGH, "a1_2": [(16.5, 10)]}),
    past("nobody overtakes", "MOVE-2", ["MONSTER"], {"a1_1": [(17, 10)], "a1_2": [(15, 10)]}),
    past("two do not change places", "MOVE-2", ["MONSTER"], {"a1_1": [PAIR["a1_2"]], "a1_2": [(13, 12), (10, 12), (10, 10)]}),
    past("one goes round when the other has gone", "", ["MONSTER"], {"a1_1": [(12.5, 10)], "a1_2": [(13, 12), (11.5, 12)]}),
]


@pytest.mark.parametrize("moment", FELLOWS)
def test_big_models_of_a_unit_are_in_each_others_way(moment: Moment) -> None:
    """A MONSTER or VEHICLE crosses none of its own unit either; whoever is in the way may go first."""
    judge(moment)
