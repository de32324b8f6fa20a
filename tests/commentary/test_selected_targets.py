"""What an attack is like is read when its target is selected, whatever the target does just after (TCOND)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.commentary.desk import Json, gun, squad
from tests.commentary.referee import FAR, Moment, at, judge, part, react, says
from tests.commentary.test_referee_moments import wall
from tests.commentary.test_timing import TIDE

SHOOT = part("shooting", "a1", "shoot")
CRACKS = {"sides": {"A": {"cp": 0}, "B": {"cp": 1}}}


def slips(gap: float, dx: float, dy: float, *weapons: Json, more: Any = (), **shooter: Any) -> tuple[list[Json], list[Json]]:
    """A model of A shoots at a SWARM so far north of it, which slips away meanwhile: the units, and the answers."""
    units = [
        squad("a1", "A", 1, *weapons, at=[(10, 10)], M=6, **shooter),
        squad("b1", "B", 1, at=[(10, 11 + gap)], keywords=["SWARM", *TIDE], M=6, W=9),
        *more,
        FAR,
    ]
    return units, [at("b1"), react("Into the Cracks b1 a1"), {"kind": "move", "value": {"shift": [dx, dy]}}]


def row(
    sentence: str, clauses: str, slipping: tuple[list[Json], list[Json]], expect: Json, dice: Any, *then: Json, **more: Any
) -> Any:
    """One way to slip away, what it comes to, and which dice show it."""
    units, answers = slipping
    return says(sentence, clauses, units, SHOOT, expect, dice, [*answers, *then], **CRACKS, **more)


def marker(y: float) -> Json:
    """One objective marker north of the shooter."""
    return {"objectives": [{"id": "o1", "at": [12, y]}]}


RAPID, MELTED = gun("Rapid Fire 1"), gun("Melta 2", S=9, AP=-9)
MORTAR, STEADY = gun("Indirect Fire", skill=4, S=8), gun(S=8)
KEEPER = {"rules": ["Near Markers: Re-roll Hits(ones)"]}
NEAR = squad("b2", "B", 1, at=[(16, 10)], M=6, W=9)
FIRST = [
    row(
        "Rapid Fire counts from where the target was selected",
        "TCOND-1 WPN-2",
        slips(11, 0, 6, RAPID),
        {"attacks": [{"attacks": 2}]},
        [6, 2, 2],
    ),
    row(
        "and not where it comes near afterwards",
        "TCOND-2 WPN-2",
        slips(13, 0, -3, RAPID),
        {"attacks": [{"attacks": 1}]},
        [6, 2],
    ),
    row("Melta counts from there too", "TCOND-1 WPN-12", slips(11, 0, 6, MELTED), {"wounds": {"b1": [3]}}, [6, 6, 6]),
    row(
        "Indirect Fire at a unit that was seen when it was selected is aimed, though it hides",
        "TCOND-1 WPN-9",
        slips(11, -6, 0, MORTAR),
        {"needs": {"hit": [4]}},
        [6, 3],
        **wall(0, 19, 9, 19.4),
    ),
    row(
        "a unit on a marker when it was selected is one though it leaves it",
        "TCOND-1 OC-2",
        slips(11, 0, 6, STEADY, **KEEPER),
        {"attacks": [{"hits": 1}]},
        [6, 1, 5, 1],
        **marker(22),
    ),
    row(
        "a unit that comes to a marker afterwards is not on it",
        "TCOND-2 OC-2",
        slips(11, 0, 6, STEADY, **KEEPER),
        {"attacks": [{"hits": 0}]},
        [6, 1],
        **marker(30),
    ),
    row(
        "a target selected anew is looked at anew",
        "ELIG-1 TCOND-1",
        slips(13, 0, 6, gun("Rapid Fire 1", range=16), more=[NEAR]),
        {"attacks": [{"target": "b2", "attacks": 2}]},
        [6, 2, 2],
        at("b2"),
    ),
]


@pytest.mark.parametrize("moment", FIRST)
def test_when_the_target_was_selected(moment: Moment) -> None:
    """Half range, sight and markers are those of the selection while the target stays eligible."""
    judge(moment)
