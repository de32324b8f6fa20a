"""Room around hulls that stand askew (TRANS-4, TRANS-8), and parts of the table with the tolerance of all lengths (GEO-5)."""

from __future__ import annotations

from math import hypot

import pytest

from tests.commentary.desk import Json, gun, squad
from tests.commentary.test_phases import HULL, rule

SIDES = {"A": {"marks": [{"role": "attacker"}]}, "B": {"marks": [{"role": "defender"}]}}


def hauler(facing: float, **stats: object) -> Json:
    """A long hull with twelve passengers' room, turned somehow."""
    found = squad("a1", "A", 1, gun(), at=[(20, 14)], M=12, **{**HULL, **stats})
    found["models"][0] |= {"base": {"rect": [4.724, 3.15]}, "facing": facing}
    return found


def passengers() -> Json:
    """Eleven models on usual bases and one on a larger."""
    found = squad("a2", "A", 12, M=6, where="a1")
    for k, model in enumerate(found["models"]):
        model["base"] = {"circle": 1.575 if k == 11 else 1.26}
    return found


@pytest.mark.clause("commentary-10", "TRANS-4", "TRANS-5")
@pytest.mark.parametrize("facing", [0, 10, 30, 45, 60, 80])
def test_a_full_transport_is_left_however_it_stands(facing: float) -> None:
    """Twelve passengers find room around their TRANSPORT in the open, whichever way it faces."""
    units = [hauler(facing), passengers(), squad("b1", "B", 1, at=[(50, 40)], M=6)]
    found = rule(units, {"phase": "movement", "unit": "a2", "action": "disembark"})
    assert found.unit("a2")["where"] == "table"
    assert all(hypot(model["at"][0] - 20, model["at"][1] - 14) < 6 for model in found.unit("a2")["models"])


@pytest.mark.clause("commentary-10", "TRANS-8", "TRANS-9")
@pytest.mark.parametrize("facing", [0, 45])
def test_a_wreck_in_the_open_is_no_emergency(facing: float) -> None:
    """With room within 3" for everybody the passengers of a wreck are hurt on a 1 alone, whichever way it stood."""
    gunner = squad("b1", "B", 1, gun(A=1, S=12, AP=-6, D=9), at=[(40, 14)], M=6)
    units = [hauler(facing, W=1, T=3), passengers(), gunner]
    do = {"phase": "shooting", "unit": "b1", "action": "shoot"}
    found = rule(units, do, [6, 6, *[3] * 12], active="B")
    assert found.verdict == "legal", found.refusal
    needs = [event["facts"]["need"] for event in found.events if event["facts"].get("purpose") == "wreck"]
    assert needs == [2] * 12


@pytest.mark.clause("commentary-10", "GEO-5", "WITHIN-3", "QUART-1")
@pytest.mark.parametrize(("x", "points"), [(0.5, 1), (0.499, 1), (29.501, 1), (29.502, 0)])
def test_parts_of_the_table_are_as_tolerant_as_all_lengths(x: float, points: int) -> None:
    """A unit a thousandth over the line of a quarter or the edge is wholly within; two thousandths over it is not."""
    units = [squad("a1", "A", 1, at=[(x, 5)], OC=1), squad("b1", "B", 1, at=[(29.9, 40)], OC=1)]
    found = rule(units, {"phase": "command"}, mission="four-corners", round=2, sides=SIDES)
    assert found.verdict == "legal", found.refusal
    assert sum(event["facts"]["points"] for event in found.events if event["kind"] == "scored") == points
