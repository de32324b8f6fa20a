"""Who may be attacked, with what, and what a form must say."""

from __future__ import annotations

import pytest

from rolloff.errors import BadInput
from tests.commentary.desk import Json, Ruling, blade, fight, gun, shoot, squad

FOE = squad("b1", "B", 9)
NEAR = {"marks": ["engaged"]}


def clause(ruling: Ruling) -> str:
    """The clause a case was refused by."""
    assert ruling.refusal is not None
    return str(ruling.refusal["clause"])


@pytest.mark.clause("commentary-10", "SHOOT-2")
def test_range_and_sight() -> None:
    """A weapon out of range or without sight does not fire; named, it is refused; with none left, so is the attack."""
    attacker = squad("a1", "A", 1, gun(range=12, name="short"), gun(range=36, name="long"))
    assert shoot([attacker, FOE], dice=[1], range=24).event("shot")["facts"]["weapons"] == ["long"]
    assert clause(shoot([attacker, FOE], weapons=[["a1.1", 0]], range=24)) == "SHOOT-2"
    assert clause(shoot([attacker, FOE], range=40)) == "SHOOT-2"


@pytest.mark.clause("commentary-10", "SHOOT-2")
def test_sight_over_open_ground_comes_from_positions() -> None:
    """On an open table a model behind another unit is not seen, and one beside it is."""
    attacker = squad("a1", "A", 1, gun(), at=[(10, 10)])
    wall = squad("c1", "A", 1, at=[(15, 10)], own=[{"base": {"circle": 6.0}, "height": 5}])
    hidden, plain = squad("b1", "B", 1, at=[(20, 10)]), squad("b1", "B", 1, at=[(20, 20)])
    assert clause(shoot([attacker, hidden, wall])) == "SHOOT-2"
    assert shoot([attacker, plain, wall], dice=[1]).verdict == "legal"


@pytest.mark.clause("commentary-10", "LIC-1", "LIC-2", "BGNT-1", "BGNT-2", "BGNT-3")
def test_shooting_in_engagement_range() -> None:
    """Units in combat neither shoot nor are shot; MONSTER and VEHICLE do and are, with 1 less to hit for each reason."""
    rifle = squad("a1", "A", 1, gun())
    assert clause(shoot([{**rifle, **NEAR}, FOE])) == "LIC-1"
    assert clause(shoot([rifle, squad("b1", "B", 9, **NEAR)])) == "LIC-1"
    tank = squad("a1", "A", 1, gun(), keywords=["VEHICLE"], **NEAR)
    assert shoot([tank, FOE], dice=[1]).needs("hit") == [4]
    beast = squad("b1", "B", 1, keywords=["MONSTER"], **NEAR)
    assert shoot([rifle, beast], dice=[1]).needs("hit") == [4]
    assert shoot([tank, beast], dice=[1]).needs("hit") == [4]


@pytest.mark.clause("commentary-10", "BGNT-3", "BGNT-4")
def test_big_units_and_their_pistols() -> None:
    """A VEHICLE in combat fires Pistols without the -1, beside its other weapons, but only at whom it is near."""
    arms = (gun("Pistol", name="pistol"), gun(name="cannon"))
    tank = squad("a1", "A", 1, *arms, keywords=["VEHICLE"], **NEAR)
    ruling = shoot([tank, squad("b1", "B", 9, **NEAR)], dice=[1, 1])
    assert ruling.needs("hit") == [3, 4]
    assert clause(shoot([tank, FOE], weapons=[["a1.1", 0]])) == "BGNT-4"
    assert shoot([tank, FOE], dice=[1]).event("shot")["facts"]["weapons"] == ["cannon"]


@pytest.mark.clause("commentary-10", "ER-1", "LIC-1")
def test_engagement_range_comes_from_positions() -> None:
    """Within an inch of an enemy a unit is locked; an inch and a bit away it shoots."""
    attacker = squad("a1", "A", 1, gun(), at=[(10, 10)])
    assert clause(shoot([attacker, squad("b1", "B", 1, at=[(12, 10)])])) == "LIC-1"
    assert shoot([attacker, squad("b1", "B", 1, at=[(12.1, 10)])], dice=[1]).verdict == "legal"


@pytest.mark.clause("commentary-10", "FGT-5")
def test_who_may_strike() -> None:
    """Models within Engagement Range strike, and one touching a fellow that touches the enemy; the rest do not."""
    spots = [(10, 10), (9, 10), (10, 12), (10, 20)]
    attacker = squad("a1", "A", 4, blade(), at=spots)
    ruling = fight([attacker, squad("b1", "B", 1, W=9, at=[(11, 10)])], dice=[1, 1])
    assert ruling.attack["attacks"] == 2
    assert clause(fight([attacker, squad("b1", "B", 1, at=[(30, 30)])])) == "FGT-5"


def test_own_units_and_wrong_weapons_are_refused() -> None:
    """A friend is no target; a blade is not fired; a model of another unit does not attack."""
    attacker = squad("a1", "A", 1, gun(), blade())
    assert clause(shoot([attacker, squad("a2", "A", 1)])) == "SHOOT-2"
    assert clause(shoot([attacker, FOE], weapons=[["a1.1", 1]])) == "SHOOT-2"
    assert clause(fight([attacker, FOE], weapons=[["a1.1", 0]])) == "FGT-6"
    assert clause(shoot([attacker, FOE, squad("a2", "A", 1, gun())], weapons=[["a2.1", 0]])) == "SHOOT-2"
    assert clause(shoot([{**attacker, "marks": ["fell-back"]}, FOE])) == "SHOOT-1"


@pytest.mark.parametrize(
    ("form", "where"),
    [({"range": None, "visible": None}, "do.attack.range"), ({"kind": "power"}, "do.attack.kind")],
)
def test_a_form_must_say_what_nothing_else_tells(form: Json, where: str) -> None:
    """Without positions the range must be stated; kinds of attack the edition does not know are named."""
    with pytest.raises(BadInput) as caught:
        shoot([squad("a1", "A", 1, gun()), FOE], **form)
    assert caught.value.where == where


@pytest.mark.clause("commentary-10", "TER-7", "TER-2", "VIS-3")
def test_woods_between_give_cover() -> None:
    """Whoever looks through woods sees, but not fully: the target has the Benefit of Cover; stated circumstances stand."""
    wood = {"terrain": [{"id": "t1", "types": ["woods"], "disc": [15, 10, 2]}]}
    units = [squad("a1", "A", 1, gun(), at=[(10, 10)]), squad("b1", "B", 1, Sv=4, at=[(20, 10)])]
    assert shoot(units, dice=[3, 4, 3], table=wood).attack["blocked"] == 1
    assert shoot(units, dice=[3, 4, 3], table=wood, cover=False).attack["blocked"] == 0


@pytest.mark.clause("commentary-10", "RUIN-1", "SHOOT-2")
def test_nobody_shoots_through_a_ruin() -> None:
    """A ruin between hides the target, also from a shot; in the open it is seen."""
    ruin = {"terrain": [{"id": "t1", "types": ["ruin"], "polygon": [[13, 5], [17, 5], [17, 15], [13, 15]]}]}
    units = [squad("a1", "A", 1, gun(), at=[(10, 10)]), squad("b1", "B", 1, Sv=4, at=[(20, 10)])]
    refused = shoot(units, table=ruin).json["refusal"]
    assert refused["clause"] == "SHOOT-2"
    assert shoot(units, dice=[1]).json["verdict"] == "legal"
