"""Sight and cover of the commentary edition: ruins by the contract's vectors, woods, craters, barricades, and the asks."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rolloff.geometry import samples
from rolloff.geometry.plain import samples as plain_samples
from rolloff.situations.adjudicate import adjudicate
from tests.commentary.desk import EDITION, squad

RUIN = {"id": "r1", "types": ["ruin"], "polygon": [[10, 10], [16, 10], [16, 16], [10, 16]], "height": 6}


def asked(terrain: list[dict[str, Any]], asks: list[dict[str, Any]], *units: dict[str, Any]) -> list[dict[str, Any]]:
    """The answers to some questions about units on a table."""
    case = {"edition": EDITION, "table": {"terrain": terrain}, "units": list(units), "ask": asks}
    found: list[dict[str, Any]] = adjudicate(json.dumps(case).encode())["answers"]
    return found


def one(id: str, side: str, at: tuple[float, float], *words: str) -> dict[str, Any]:
    """A single model on a base of 0.63" radius, 1.5" tall."""
    unit = squad(id, side, 1, at=[at], keywords=["INFANTRY", *words])
    unit["models"][0] |= {"base": {"circle": 1.26}, "height": 1.5}
    return unit


@pytest.mark.clause("commentary-10", "RUIN-1", "RUIN-2", "RUIN-3", "RUIN-5", "VIS-1", "VIS-3", "VIS-7")
@pytest.mark.parametrize(
    ("observer", "target", "words", "seen", "cover"),
    [
        pytest.param((5, 13), (20, 13), (), "none", True, id="RV-1 behind the ruin"),
        pytest.param((5, 13), (13, 13), (), "fully", True, id="RV-2 seeing in"),
        pytest.param((13, 13), (20, 13), (), "fully", False, id="RV-3 observer wholly within"),
        pytest.param((10, 13), (5, 13), (), "fully", False, id="RV-5 lines that do not cross the interior"),
        pytest.param((5, 13), (20, 13), ("TOWERING",), "fully", False, id="RV-6 towering"),
        pytest.param((5, 13), (16, 13), (), "fully", False, id="RV-7 target partly within"),
        pytest.param((5, 9), (20, 9), (), "fully", False, id="RV-8 past the corner"),
        pytest.param((20, 13), (10, 13), (), "fully", False, id="RV-10 the other way round"),
    ],
)
def test_ruins(
    observer: tuple[float, float], target: tuple[float, float], words: tuple[str, ...], seen: str, cover: bool
) -> None:
    """What a model sees past, into and out of a ruin."""
    units = one("a1", "A", observer, *words), one("b1", "B", target)
    found = asked([RUIN], [{"visible": ["a1.1", "b1.1"]}, {"cover": ["a1", "b1"]}, {"sight": ["a1", "b1"]}], *units)
    assert found[0]["value"] == seen
    assert found[1]["value"] is cover
    assert found[2]["value"] is (seen != "none")
    assert found[2]["evidence"]["blockers"] == (["r1"] if seen == "none" else [])


@pytest.mark.clause("commentary-10", "RUIN-3", "VIS-7")
def test_from_the_rim_of_a_ruin_nobody_sees_across() -> None:
    """An observer only partly within a ruin does not see out of its far side."""
    asks = [{"visible": ["a1", "b1"]}, {"visible": ["b1", "a1"]}]
    there, back = asked([RUIN], asks, one("a1", "A", (10, 13)), one("b1", "B", (20, 13)))
    assert (there["value"], back["value"]) == ("none", "fully")


BENT = {
    "polygon": [
        [10, 10],
        [20, 10],
        [20, 13],
        [23, 13],
        [23, 17],
        [20, 17],
        [20, 20],
        [10, 20],
        [10, 17],
        [7, 17],
        [7, 13],
        [10, 13],
    ]
}


@pytest.mark.clause("commentary-10", "RUIN-1", "TER-7", "VIS-6")
@pytest.mark.parametrize(("observer", "target"), [((3, 13), (30, 13)), ((10, 3), (10, 30))])
def test_a_bent_footprint_is_one(observer: tuple[float, float], target: tuple[float, float]) -> None:
    """A line along an edge of one part of a ruin, a wood or a block with corners turned in is inside of it all the same."""
    asks, units = [{"visible": ["a1", "b1"]}], (one("a1", "A", observer), one("b1", "B", target))
    for kind, height, expected in (("ruin", 6, "none"), ("woods", 5, "visible"), ("sealed structure", 4, "none")):
        piece = {"id": "t", "types": [kind], "height": height, "solid": kind == "sealed structure", **BENT}
        (found,) = asked([piece], asks, *units)
        assert found["value"] == expected, kind


@pytest.mark.clause("commentary-10", "TER-3", "CRATER-1")
def test_a_crater_shelters_infantry_wholly_on_it() -> None:
    """Infantry wholly on a crater has cover, with a base over its edge or another keyword it has none."""
    crater = [{"id": "c1", "types": ["crater"], "disc": [20, 10, 2]}]
    for at, words, expected in (((20, 10), (), True), ((21.8, 10), (), False)):
        (found,) = asked(crater, [{"cover": ["a1", "b1"]}], one("a1", "A", (10, 10)), one("b1", "B", at, *words))
        assert found["value"] is expected
    beast = one("b1", "B", (20, 10)) | {"keywords": ["BEASTS"]}
    (found,) = asked(crater, [{"cover": ["a1", "b1"]}], one("a1", "A", (10, 10)), beast)
    assert found["value"] is False


@pytest.mark.clause("commentary-10", "TER-4", "TER-2")
def test_a_barricade_shelters_who_stands_close_behind_it() -> None:
    """Infantry wholly within 3" of a barricade that hides part of it has cover; further off it has none."""
    wall = [
        {"id": "w1", "types": ["barricade"], "polygon": [[15, 5], [15.5, 5], [15.5, 15], [15, 15]], "height": 1, "solid": True}
    ]
    for x, expected in ((16.5, True), (25, False)):
        (found,) = asked(wall, [{"cover": ["a1", "b1"]}], one("a1", "A", (5, 10)), one("b1", "B", (x, 10)))
        assert found["value"] is expected


@pytest.mark.clause("commentary-10", "TER-4", "WITHIN-3")
@pytest.mark.parametrize(
    ("base", "x", "facing", "expected"),
    [
        pytest.param({"oval": [1.6, 3]}, 14.6, 90, True, id="along it"),
        pytest.param({"oval": [1.6, 3]}, 14.72, 90, False, id="along it, too far"),
        pytest.param({"oval": [1.6, 3]}, 14.6, 0, False, id="end on"),
        pytest.param({"rect": [2, 2]}, 14.4, 0, True, id="square on"),
        pytest.param({"rect": [2, 2]}, 14.4, 45, False, id="with a corner sticking out"),
    ],
)
def test_all_of_a_long_base_is_near_a_barricade(base: Any, x: float, facing: int, expected: bool) -> None:
    """Wholly within 3" is the furthest part of a base, as it is turned."""
    wall = [
        {"id": "w1", "types": ["barricade"], "polygon": [[12, 2], [12.5, 2], [12.5, 18], [12, 18]], "height": 1, "solid": True}
    ]
    target = one("b1", "B", (x, 10))
    target["models"][0] |= {"base": base, "facing": facing}
    (found,) = asked(wall, [{"cover": ["a1", "b1"]}], one("a1", "A", (5, 10)), target)
    assert found["value"] is expected


@pytest.mark.clause("commentary-10", "VIS-5")
def test_models_block_sight_but_not_those_of_the_own_unit() -> None:
    """A tall model of another unit hides what is behind it; one of the observer's own unit does not."""
    wide = {"base": {"rect": [4, 1]}, "height": 5}
    for side, unit, expected in (("B", "x", "none"), ("A", "a1", "fully")):
        observer = one("a1", "A", (5, 10))
        screen = one("x", side, (10, 10))
        screen["models"][0] |= wide
        if unit == "a1":
            observer["models"] += [{**screen["models"][0], "id": "a1.2"}]
        units = [observer, one("b1", "B", (15, 10)), *([] if unit == "a1" else [screen])]
        (found,) = asked([], [{"visible": ["a1.1", "b1.1"]}], *units)
        assert found["value"] == expected


def test_both_twins_of_sampled_sight_agree() -> None:
    """The compiled and the plain way find the same clear pair and the same unseen sample."""
    square = samples.prism_of(((0.0, 0.0), (1000.0, 0.0), (1000.0, 1000.0), (0.0, 1000.0)), 0.0, 0.0, 900.0)
    capsule = samples.prism_of(((2000.0, -500.0), (2000.0, 700.0)), 300.0, -10.0, 2000.0)
    disc = samples.prism_of(((500.0, 2500.0),), 450.0, 0.0, 5000.0)
    prisms = [square, capsule, disc]
    a = [(-2000.0, 137.0 * k, 100.0 + 333.0 * (k % 3)) for k in range(12)]
    b = [(4000.0, 211.0 * k - 300.0, 200.0 + 401.0 * (k % 3)) for k in range(12)]
    for first in (a, a[3:4], a[5:6]):
        for second in (b, b[:2], b[6:]):
            assert samples.clear_pair(prisms, first, second) == plain_samples.clear_pair(prisms, first, second)
            assert samples.first_unseen(prisms, first, second) == plain_samples.first_unseen(prisms, first, second)
