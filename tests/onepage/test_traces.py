"""What a rule did shows in the events: the log cites what helped a unit, and tells nothing that did not happen."""

from __future__ import annotations

import pytest

from tests.onepage.desk import Desk, answer, box, unit

EDITION = "onepage-3.0"
FOES = [(60, 40)]


def moved(rules: list[str], far: float, *terrain: str) -> list[str]:
    """The clauses of a run by a unit with these rules, straight through a piece of these types."""
    desk = Desk([unit("a1", "A", [(10, 10)], rules=rules), unit("b1", "B", FOES)], [box("t1", 8, 12, 12, 13, *terrain)])
    ruling = desk.activate("a1", "run", [answer("move", {"shift": [0, far]})])
    assert ruling.refusal is None
    clauses: list[str] = ruling.event("moved")["clauses"]
    return clauses


@pytest.mark.clause(EDITION, "RULE-FAST-1", "RULE-STRIDER-1", "RULE-FLYING-2", "TERR-DIFF-1")
def test_a_move_cites_what_helped_and_what_hindered() -> None:
    """Fast is cited where it was needed, Strider and Flying in place of the cap they ignore."""
    assert "RULE-FAST-1" in moved(["Fast"], 17, "open")
    assert "RULE-FAST-1" not in moved(["Fast"], 11, "open")
    assert "TERR-DIFF-1" in moved([], 5, "difficult")
    assert "RULE-STRIDER-1" in (strider := moved(["Strider"], 11, "difficult")) and "TERR-DIFF-1" not in strider
    assert "RULE-FLYING-2" in (flier := moved(["Flying"], 11, "difficult")) and "TERR-DIFF-1" not in flier


@pytest.mark.clause(EDITION, "RULE-FLYING-1", "RULE-FLYING-2")
def test_a_move_cites_what_was_flown_over() -> None:
    """Flying is cited over impassable ground and over mines, and not on a way that anybody could have gone."""
    assert "RULE-FLYING-1" in (over := moved(["Flying"], 11, "impassable")) and "RULE-FLYING-2" not in over
    assert "RULE-FLYING-2" in (over := moved(["Flying"], 11, "dangerous")) and "RULE-FLYING-1" not in over
    assert not {"RULE-FLYING-1", "RULE-FLYING-2"} & set(moved(["Flying"], 11, "open"))


@pytest.mark.clause(EDITION, "RULE-IMPACT-1", "RULE-FURIOUS-1", "MELEE-19")
def test_strikes_cite_impact_and_fury() -> None:
    """The assaulter's strikes cite the rules that added attacks; striking back cites neither."""
    rules = ["Impact(2)", "Furious"]
    desk = Desk([unit("a1", "A", [(10, 10)], rules=rules), unit("b1", "B", [(10, 14)], rules=[*rules, "Tough(9)"])])
    ruling = desk.activate("a1", "assault", dice=[1, 1, 1, 1, 1, 1])
    first, back = (event["clauses"] for event in ruling.events if event["kind"] == "struck")
    assert {"RULE-IMPACT-1", "RULE-FURIOUS-1"} <= set(first)
    assert not {"RULE-IMPACT-1", "RULE-FURIOUS-1"} & set(back)


@pytest.mark.clause(EDITION, "RULE-PIERCING-1")
def test_armor_that_was_pierced_is_cited() -> None:
    """Where Piercing takes the ignore roll away, the block says by which rule."""
    desk = Desk([unit("a1", "A", [(10, 10)], weapons=['Gun (24", A1p)']), unit("b1", "B", [(10, 20)], rules=["Armored"])])
    ruling = desk.attack("a1", "b1", dice=[6, 6])
    assert [roll["purpose"] for roll in ruling.rolls] == ["hit", "block"]
    assert "RULE-PIERCING-1" in ruling.rolls[1]["clauses"]


@pytest.mark.clause(EDITION, "MELEE-26", "TYPE-VEH-11")
def test_a_hull_that_touches_a_hull_steps_back() -> None:
    """A vehicle that assaulted a vehicle and destroyed nobody stands an inch clear of it afterwards."""
    hull = ["Tough(6)"]
    desk = Desk(
        [
            unit("a1", "A", [(10, 10)], type="vehicle", rules=hull, facing=97, q=6),
            unit("b1", "B", [(9, 20)], type="vehicle", rules=hull, facing=13),
        ]
    )
    ruling = desk.activate("a1", "assault", dice={"seed": 5})
    assert "stepped-back" in ruling.kinds()
    gap = Desk(ruling.json["after"]["units"]).ask(distance=["a1", "b1"])
    assert gap >= 0.99


@pytest.mark.clause(EDITION, "RULE-PSYKER-3", "RULE-FURIOUS-2")
def test_a_psyker_that_storms_out_may_try_powers_before_it_strikes() -> None:
    """Between leaving the hull in an assault and the first strike there is room for a power, as after any move."""
    truck = unit("a9", "A", [(20, 20)], type="vehicle", rules=["Transport(6)", "Tough(6)"], facing=0)
    seer = unit("a1", "A", [None], where="a9", rules=["Psyker(3)", "Furious"], keywords=["power:Dread"])
    desk = Desk([truck, seer, unit("b1", "B", [(27, 20)])], sides={"A": {"marks": {"power-dice": 3}}})
    asked = desk.activate("a1", "assault", dice={"seed": 1}, unanswered="stop").pending
    assert asked is not None and asked["kind"] == "move"
    report = [answer("move", asked["default"]), answer("choose-option", "Dread by a1.1"), answer("number", 1)]
    ruling = desk.activate("a1", "assault", report, dice={"seed": 1})
    kinds = ruling.kinds()
    assert ruling.refusal is None and kinds.index("disembarked") < kinds.index("cast") < kinds.index("struck")
