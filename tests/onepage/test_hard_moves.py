"""Corners of moving: passengers with passengers, slopes before a sortie, keeping clear of third units, hulls that are stuck."""

from __future__ import annotations

from typing import Any

import pytest

from rolloff.errors import BadInput
from tests.onepage.desk import Desk, Ruling, answer, disc, unit

E = "onepage-3.0"
Json = dict[str, Any]
FAR_OFF = unit("b1", "B", [(60, 40)])


def clause(*ids: str) -> pytest.MarkDecorator:
    """Mark the clauses of the third edition a test covers."""
    return pytest.mark.clause(E, *ids)


def refused_by(found: Ruling) -> str | None:
    """The clause that refuses, or None."""
    return None if found.refusal is None else str(found.refusal["clause"])


def place_of(found: Ruling, id: str, model: int = 0) -> list[float]:
    """Where a model of a unit stands afterwards."""
    at: list[float] = found.unit(id)["models"][model]["at"]
    return at


# -- transports ------------------------------------------------------------------------------------------------------------


def _beast(id: str, x: float) -> Json:
    """Infantry that carries others."""
    return unit(id, "A", [(x, 20)], rules=["Transport(3)", "Tough(3)"])


@clause("RULE-TRANSPORT-1")
@pytest.mark.parametrize(("riders", "offered"), [([], True), ([unit("a1", "A", [None], where="a7")], False)])
def test_a_transport_with_passengers_boards_no_other(riders: list[Json], offered: bool) -> None:
    """Infantry that can carry others boards while it is empty, and not with somebody aboard."""
    desk = Desk([_beast("a7", 20), _beast("a8", 24), *riders, FAR_OFF])
    said = [answer("choose-option", "a8")]
    found = desk.activate("a7", "walk", said)
    assert (found.verdict == "legal" and found.unit("a7")["where"] == "a8") is offered


@clause("RULE-TRANSPORT-1")
def test_nobody_is_written_down_aboard_a_passenger() -> None:
    """A situation in which a passenger carries passengers is refused."""
    rows = [_beast("a8", 24), unit("a7", "A", [None], rules=["Transport(3)"], where="a8"), unit("a1", "A", [None], where="a7")]
    with pytest.raises(BadInput, match="carries others"):
        Desk([*rows, FAR_OFF]).ask(score="A")


@clause("ELEV-3")
@pytest.mark.parametrize(("hull", "hampered"), [(20, True), (27, False)])
def test_a_sortie_minds_the_slope_its_transport_stands_on(hull: float, hampered: bool) -> None:
    """Levels count before the move: from a hull below the hill it is uphill, though the way ends on it; from one on it not."""
    hill = disc("h", 28, 20, 5, "elevation", elevation=3, height=3)
    truck = unit("a9", "A", [(hull, 20)], type="vehicle", rules=["Transport(5)", "Tough(3)"])
    riders = unit("a1", "A", [None], where="a9", rules=["Furious"], q=2, weapons=["Light CCW"])
    enemy = unit("b1", "B", [(hull + 6.5, 20)], q=2)
    found = Desk([truck, riders, enemy], [hill]).activate("a1", "assault", dice={"seed": 3})
    assert any("ELEV-3" in event["clauses"] for event in found.events) is hampered


# -- separation ------------------------------------------------------------------------------------------------------------


def _after_assault(third: tuple[float, float], *more: Json) -> Ruling:
    """Two models assault a defender; the second stays clear of it, near a third unit."""
    ours = unit("a1", "A", [(20, 10), (22.5, 10)])
    enemy, other = unit("b1", "B", [(20, 14)]), unit("b2", "B", [third])
    way = {"a1.1": [[20, 13]], "a1.2": [[20.9, 10.2], [20.9, 12.5], [22.5, 12.5]]}
    said = [answer("choose-target", "b1"), answer("move", way)]
    return Desk([ours, enemy, other, *more]).activate(
        "a1", "assault", said, dice={"hit": [1, 1, 1]}, ask=[{"distance": ["a1", "b2"]}]
    )


@clause("MELEE-26")
@pytest.mark.parametrize("third", [(23.7, 12.5), (22.5, 13.8), (22.5, 11.3), (24, 13)])
def test_assaulters_step_clear_of_a_third_enemy(third: tuple[float, float]) -> None:
    """A model an inch from the defender and closer than that to another enemy steps clear of it, within its inch."""
    found = _after_assault(third)
    assert found.answers()[0] >= 0.989
    x, y = place_of(found, "a1", 1)
    assert (x - 22.5) ** 2 + (y - 12.5) ** 2 <= 1.011**2


@clause("MELEE-26", "MOVE-5")
def test_a_model_that_cannot_clear_a_third_enemy_still_leaves_the_defender() -> None:
    """Between a defender and another enemy behind it the model goes as far from the defender as it can."""
    ours, enemy = unit("a1", "A", [(20, 10)]), unit("b1", "B", [(20, 14)])
    sides = [unit("b2", "B", [(18.8, 13.4)]), unit("b3", "B", [(21.2, 13.4)])]
    said = [answer("choose-target", "b1"), answer("move", {"a1.1": [[20, 13]]})]
    found = Desk([ours, enemy, *sides]).activate("a1", "assault", said, dice={"hit": [1, 1]}, ask=[{"distance": ["a1", "b1"]}])
    assert found.answers()[0] >= 0.9


# -- hulls that are stuck --------------------------------------------------------------------------------------------------


def _pair(*more: Json, first_stuck: bool = True) -> Desk:
    """Two hulls of one unit side by side, the first Immobile or not."""
    marks = [{"marks": {"immobile": 1}}] if first_stuck else []
    hulls = unit("a1", "A", [(20, 20), (20, 24)], type="vehicle", rules=["Tough(6)"], weapons=['Gun (24", A1)'], models=marks)
    return Desk([hulls, *(more or (FAR_OFF,))])


@clause("VDMG-7")
def test_sound_fellows_of_an_immobile_vehicle_move() -> None:
    """The unit may walk: the sound hull goes as far as keeps the unit together, the stuck one stays where it is."""
    desk = _pair()
    assert desk.ask(options="a1") == ["hold", "walk", "run"]
    found = desk.activate("a1", "walk", [answer("move", {"a1.2": [[22, 24]]})])
    assert (found.verdict, place_of(found, "a1"), place_of(found, "a1", 1)) == ("legal", [20, 20], [22, 24])


@clause("VDMG-7")
@pytest.mark.parametrize("way", [{"a1.1": [[21, 20]]}, {"shift": [1, 0]}, {"a1.1": [[20, 20, 45]]}])
def test_the_immobile_hull_itself_neither_moves_nor_turns(way: Json) -> None:
    """A move or turn of the stuck hull is refused by its clause, with its fellow or without."""
    assert refused_by(_pair().activate("a1", "walk", [answer("move", way)])) == "VDMG-7"


@clause("VDMG-7", "TYPE-VEH-4")
@pytest.mark.parametrize(("hull", "clause_id"), [("a1.2", None), ("a1.1", "VDMG-7")])
def test_on_hold_only_the_sound_hull_turns(hull: str, clause_id: str | None) -> None:
    """A unit of two hulls that holds may turn the one that is sound."""
    y = 24 if hull == "a1.2" else 20
    found = _pair().activate("a1", "hold", [answer("move", {hull: [[20, y, 90]]})], dice={"seed": 1})
    assert refused_by(found) == clause_id


@clause("VDMG-7", "MELEE-26")
def test_the_sound_hull_assaults_and_only_it_steps_back() -> None:
    """The sound hull goes into contact beside its stuck fellow and steps back alone."""
    enemy = unit("b1", "B", [(24.5, 24)], rules=["Tough(9)"])
    found = _pair(enemy).activate("a1", "assault", [answer("move", {"a1.2": [[21.5, 24]]})], dice={"seed": 2})
    assert found.verdict == "legal"
    assert place_of(found, "a1") == [20, 20]
    assert place_of(found, "a1", 1)[0] < 21.5


@clause("TYPE-VEH-3")
def test_hulls_of_one_unit_assault_together() -> None:
    """A unit of two sound hulls is offered an assault in reach, and its own proposal passes."""
    desk = _pair(unit("b1", "B", [(30, 22)], rules=["Tough(9)"]), first_stuck=False)
    assert "assault" in desk.ask(options="a1")
    assert desk.activate("a1", "assault", dice={"seed": 2}).verdict == "legal"


@clause("VDMG-7")
def test_a_unit_of_stuck_hulls_only_holds() -> None:
    """With every hull Immobile there is nothing but Hold."""
    marks = [{"marks": {"immobile": 1}}] * 2
    hulls = unit("a1", "A", [(20, 20), (20, 24)], type="vehicle", rules=["Tough(6)"], models=marks)
    assert Desk([hulls, FAR_OFF]).ask(options="a1") == ["hold"]
