"""Moments of the Charge phase: who is asked, and what a charge without a placement comes to."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rolloff.situations.adjudicate import adjudicate
from tests.commentary.desk import EDITION, Json, Ruling, squad
from tests.commentary.referee import Moment, at, judge, part, says

CHARGE = part("charge", "a1", "charge")


def unit(id: str, places: list[Any], *weapons: Json, **more: Any) -> Json:
    """A unit of the side its name begins with, a model at each of some places."""
    return squad(id, id[0].upper(), len(places), *weapons, at=places, **{"M": 6, "W": 3, **more})


CHARGES = [
    *(
        says(
            f"an owner who submits no placement ({said!r}) fails the charge",
            "CHG-3",
            [unit("a1", [(10, 10)]), unit("b1", [(10, 14)])],
            CHARGE,
            {"events": {"charge-failed": 1, "charged": 0}, "at": {"a1.1": [10, 10]}, "unmarked": {"a1": ["charged"]}},
            [6, 6],
            [{"kind": "move", "value": said}],
        )
        for said in ("stay", dict[str, Any]())
    ),
    says(
        "the step of the Charge phase opens it and asks who charges",
        "CHG-1",
        [unit("a1", [(10, 10)]), unit("a2", [(10, 40)]), unit("b1", [(10, 14)])],
        {"step": "charge"},
        {"verdict": "pending", "pending": {"who": "A", "kind": "choose-unit", "options": ["a1", "pass"]}},
        clock={"phase": "charge"},
        unanswered="stop",
    ),
]


@pytest.mark.parametrize("moment", CHARGES)
def test_charges_are_opened_and_may_be_let_go(moment: Moment) -> None:
    """The phase asks those near an enemy, and a charge without a placement fails."""
    judge(moment)


@pytest.mark.clause("commentary-10", "CHG-1")
def test_who_came_near_during_the_phase_does_not_charge() -> None:
    """Only who was within 12 inches of an enemy when the own phase began may charge, whoever came near later."""
    units = [unit("a1", [(10, 10)]), unit("a2", [(10, 27.5)]), unit("b1", [(10, 14)]), unit("b2", [(14, 14)])]
    case: Json = {"edition": EDITION, "round": 2, "active": "A", "units": units, "do": CHARGE, "dice": [2, 2]}
    after = adjudicate(json.dumps({**case, "answers": [at("b1")]}).encode())["after"]
    nearer = next(row for row in after["units"] if row["id"] == "b2")
    nearer["models"][0]["at"] = [14, 16]
    later = Ruling(adjudicate(json.dumps({**after, "do": part("charge", "a2", "charge"), "dice": [6, 6]}).encode()))
    assert later.refusal is not None and later.refusal["clause"] == "CHG-1"
    other = {**after, "active": "B", "do": part("charge", "b2", "charge"), "answers": [at("a1")], "dice": [6, 6]}
    assert Ruling(adjudicate(json.dumps(other).encode())).refusal is None
