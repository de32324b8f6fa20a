"""Measuring (MEAS), bases (BASE) and the dice's small print (DICE), through the public way in."""

from __future__ import annotations

import pytest

from tests.onepage.desk import Desk, answer, unit

E = "onepage-3.0"


def clause(*ids: str) -> pytest.MarkDecorator:
    """Mark the clauses of the third edition a test covers."""
    return pytest.mark.clause(E, *ids)


@clause("MEAS-2")
def test_distance_runs_between_closest_points_of_bases() -> None:
    """Two one-inch bases ten inches apart from centre to centre are nine inches apart."""
    desk = Desk([unit("a1", "A", [(10, 10)]), unit("b1", "B", [(20, 10)])])
    assert desk.ask(distance=["a1.1", "b1.1"]) == 9.0


@clause("MEAS-3")
def test_units_are_as_far_apart_as_their_closest_models() -> None:
    """Of two units the two closest models count."""
    desk = Desk([unit("a1", "A", [(10, 10), (12, 10)]), unit("b1", "B", [(20, 10), (22, 10)])])
    assert desk.ask(distance=["a1", "b1"]) == 7.0


@clause("MEAS-5")
@pytest.mark.parametrize(("gap", "fires"), [(12.009, True), (12.02, False)])
def test_within_has_a_hundredth_of_an_inch_to_spare(gap: float, fires: bool) -> None:
    """A target 12.009 inches away is within 12 inches, one 12.02 inches away is not."""
    shooter = unit("a1", "A", [(10, 10)], weapons=['Pistol (12", A1)'])
    found = Desk([shooter, unit("b1", "B", [(11 + gap, 10)])]).activate("a1", "hold", dice=[1] if fires else [])
    assert ("shot" in found.kinds()) is fires


@clause("MEAS-7")
def test_nothing_is_measured_to_a_unit_in_reserve() -> None:
    """A unit in reserve has no position."""
    desk = Desk([unit("a1", "A", [(10, 10)]), unit("b1", "B", [None], where="reserve", rules=["Deep Strike"])])
    assert desk.rule(ask=[{"distance": ["a1", "b1"]}]).refused_asks() == ["MEAS-7"]


@clause("MEAS-7")
def test_an_inch_is_25_4_millimetres() -> None:
    """A model of the usual 32 mm base is 1.26 inches across."""
    model = {"base": None}
    desk = Desk([unit("a1", "A", [(10, 10)], models=[model]), unit("b1", "B", [(20, 10)], models=[model])])
    assert desk.ask(distance=["a1", "b1"]) == pytest.approx(10 - 1.26, abs=0.001)


@clause("DICE-9")
@pytest.mark.parametrize(("again", "dice", "hits"), [(True, [1, 4, 5, 6, 6], 2), (False, [1, 4, 6], 1)])
def test_optional_re_rolls_may_be_left(again: bool, dice: list[int], hits: int) -> None:
    """With the automatic re-roll switched off the player says whether failures are rolled again."""
    ours = unit("a1", "A", [(20, 10)], weapons=['Gun (24", A2, Linked)'])
    desk = Desk([ours, unit("b1", "B", [(20 + 2 * k, 16) for k in range(5)])], switches={"auto_optional_rerolls": False})
    found = desk.activate("a1", "hold", [answer("choose-target", "b1"), answer("yes-no", again)], dice=dice)
    assert found.attacks[0]["hits"] == hits


@clause("BASE-1", "BASE-2")
def test_usual_bases_and_hulls() -> None:
    """Infantry stand on 32 mm circles and vehicles on hulls of 3 by 5 inches unless a card says otherwise."""
    foot, tank = (
        unit("a1", "A", [(10, 10)], models=[{"base": None}]),
        unit("b1", "B", [(20, 10)], type="vehicle", models=[{"base": None}]),
    )
    assert Desk([foot, tank]).ask(distance=["a1", "b1"]) == pytest.approx(10 - 0.63 - 2.5, abs=0.001)
