"""Moments of units that stand on floors and hills taller than their moves are long, decided from the contract's words."""

from __future__ import annotations

from typing import Any

import pytest

from tests.commentary.desk import Json, squad
from tests.commentary.referee import FAR, Moment, at, judge, move, part, says

CHARGE, FIGHT = part("charge", "a1", "charge"), part("fight", "a1", "fight")


def unit(id: str, places: list[Any], *weapons: Json, **more: Any) -> Json:
    """A unit of the side its name begins with, a model at each of some places."""
    return squad(id, id[0].upper(), len(places), *weapons, at=places, **{"M": 6, "W": 3, **more})


def stage(kind: str, height: float) -> Json:
    """A floor or a hill of some height, 20 inches by 10."""
    return {"id": kind, "types": [kind], "polygon": [[5, 5], [25, 5], [25, 15], [5, 15]], "height": height}


ALONG = [
    *(
        says(
            f'{what} of 3" on a {kind} {height} inches up: {far}" {"stands" if far == 3 else "is too far"}',
            clause,
            [
                unit("a1", [(10, 10)], own=[{"z": height}], M=3, marks=["charged"] if what == "a Pile-in move" else []),
                unit("b1", [(11 + far, 10)], own=[{"z": height}]),
            ],
            do,
            {"refused": None if far == 3 else clause},
            {"seed": 1} if what != "a charge" else [1, 2],
            [*([at("b1")] if what == "a charge" else []), {"kind": "move", "value": {"a1.1": [[10 + far, 10, height, 0]]}}],
            table={"terrain": [stage(kind, height)]},
        )
        for what, clause, do in (("a Pile-in move", "PILEIN-2", FIGHT), ("a charge", "CHG-4", CHARGE))
        for kind in ("floor", "hill")
        for height in (4, 7)
        for far in (3, 3.5)
    ),
    *(
        says(
            f'a Normal move of 3" on a {kind} 7 inches up: {far}" {"stands" if far == 3 else "is too far"}',
            "MOVE-5",
            [unit("a1", [(10, 10)], own=[{"z": 7}], M=3), FAR],
            move(),
            {"refused": None if far == 3 else "MOVE-5"},
            answers=[{"kind": "move", "value": {"a1.1": [[10 + far, 10, 7, 0]]}}],
            table={"terrain": [stage(kind, 7)]},
        )
        for kind in ("floor", "hill")
        for far in (3, 3.5)
    ),
]


@pytest.mark.parametrize("moment", ALONG)
def test_nobody_goes_further_for_standing_high(moment: Moment) -> None:
    """A unit on a floor or a hill that is taller than its move is long goes no further along it than the move allows."""
    judge(moment)
