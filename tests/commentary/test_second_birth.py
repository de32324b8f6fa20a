"""A bearer that is born a second time (ENH-T1): once a battle, and as close as possible to where it fell."""

from __future__ import annotations

from typing import Any

import pytest

from tests.commentary.desk import Json, Ruling, gun, squad
from tests.commentary.test_phases import rule
from tests.commentary.test_timing import at, react

KILLER = squad("a1", "A", 1, gun("Torrent", S=9, D=9), at=[(10, 10)])
SHOOT: Json = {"phase": "shooting", "unit": "a1"}


def bearer(**own: Any) -> Json:
    """A lone CHARACTER with Second Birth."""
    return squad("b1", "B", 1, at=[(25, 11.3)], keywords=["CHARACTER"], rules=["Second Birth 2+"], W=4, own=[own])


def kinds(found: Ruling) -> list[str]:
    """The kinds of events, in order."""
    return [event["kind"] for event in found.events]


@pytest.mark.clause("commentary-10", "RETURN-3", "RETURN-4")
def test_second_birth_happens_once() -> None:
    """ENH-T1: who came back and is destroyed again stays so, for the use is still noted; an allocated attack is forgotten."""
    first = rule([KILLER, bearer(marks=["allocated"])], SHOOT, [6, 2, 5], answers=[at("b1"), react("Second Birth b1.1")])
    assert "returned" in kinds(first)
    assert first.model("b1.1")["marks"] == [{"used:Second Birth": "game"}]
    again = next(unit for unit in first.json["after"]["units"] if unit["id"] == "b1")
    second = rule([KILLER, again], SHOOT, [6], answers=[at("b1")])
    assert second.dead() == ["b1.1"] and "returned" not in kinds(second) and "ability" not in kinds(second)


@pytest.mark.clause("commentary-10", "RETURN-3", "WPN-19")
def test_a_returned_model_has_no_second_shot() -> None:
    """A One Shot weapon that was fired stays fired, also in the hands of who came back."""
    fired = bearer(marks=[{"fired:0": 1}])
    found = rule([KILLER, fired], SHOOT, [6, 2, 5], answers=[at("b1"), react("Second Birth b1.1")])
    assert "fired:0" in found.model("b1.1")["marks"]


def at_the_end(enemy: tuple[float, float], *answers: Json, **own: Any) -> Ruling:
    """The end of a Charge phase in which the bearer fell to something that is no attack, with an enemy near."""
    fallen = bearer(removed=True, **{"marks": [{"fell": "25000 11300 else"}], **own})
    fallen["models"][0].pop("at")
    clock = {"phase": "charge-end", "first": "A"}
    units = [squad("a1", "A", 1, at=[enemy]), fallen]
    return rule(units, {"step": "charge-end"}, [2, 5], clock=clock, answers=[react("Second Birth b1.1"), *answers])


@pytest.mark.clause("commentary-10", "ACAP-1", "RETURN-4")
def test_back_as_close_as_possible() -> None:
    """Where it fell if that is free, else just outside Engagement Range; a place further off is refused."""
    assert at_the_end((10, 10)).model("b1.1")["at"] == [25.0, 11.3]
    x, y = at_the_end((25, 12.8)).model("b1.1")["at"]
    away = ((x - 25) ** 2 + (y - 11.3) ** 2) ** 0.5
    assert 0.4 <= away <= 0.75, (x, y)
    far = at_the_end((25, 12.8), {"kind": "place", "value": {"b1.1": [25, 10.4, 0]}})
    assert far.refusal is not None and far.refusal["clause"] == "ACAP-1"
    near = at_the_end((25, 12.8), {"kind": "place", "value": {"b1.1": [25, 10.79, 0]}})
    assert near.verdict == "legal", near.refusal


@pytest.mark.clause("commentary-10", "RETURN-4")
def test_no_birth_in_a_later_phase() -> None:
    """ENH-T1: at the end of a phase only who fell in it comes back, and not who fell to an attack."""
    assert "returned" in kinds(at_the_end((10, 10)))
    for marks in ([], [{"fell": "25000 11300 attack"}]):
        fallen = bearer(removed=True, marks=marks)
        clock = {"phase": "charge-end", "first": "A"}
        found = rule([squad("a1", "A", 1, at=[(10, 10)]), fallen], {"step": "charge-end"}, clock=clock)
        assert "returned" not in kinds(found)


FLOOR: Json = {
    "terrain": [
        {"id": "r", "types": ["ruin"], "polygon": [[20, 5], [30, 5], [30, 15], [20, 15]], "height": 6, "solid": False},
        {
            "id": "f",
            "types": ["floor"],
            "polygon": [[20, 5], [30, 5], [30, 15], [20, 15]],
            "height": 3,
            "bottom": 2.9,
            "solid": True,
        },
    ]
}


def on_a_floor(*answers: Json) -> Ruling:
    """A bearer with INFANTRY that is shot on a floor 3" up, and returns."""
    high = {**bearer(z=3), "keywords": ["CHARACTER", "INFANTRY"]}
    return rule([KILLER, high], SHOOT, [6, 1, 2, 5], answers=[at("b1"), react("Second Birth b1.1"), *answers], table=FLOOR)


@pytest.mark.clause("commentary-10", "ACAP-1", "RETURN-4")
def test_back_on_the_floor_where_it_fell() -> None:
    """As close as possible counts heights: it returns on its floor, and a place on the ground below is refused."""
    assert on_a_floor().model("b1.1")["at"] == [25.0, 11.3] and on_a_floor().model("b1.1")["z"] == 3.0
    there, below = ({"kind": "place", "value": {"b1.1": [25, 11.3, z, 0]}} for z in (3, 0))
    assert on_a_floor(there).model("b1.1")["z"] == 3.0
    refusal = on_a_floor(below).refusal
    assert refusal is not None and refusal["clause"] == "ACAP-1"
