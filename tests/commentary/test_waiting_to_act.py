"""Destroyed models that wait to fight before they are removed: they keep their place, and refusals name what is refused."""

from __future__ import annotations

import pytest

from rolloff.errors import DiceError
from tests.commentary.desk import Json, Ruling, blade, gun, squad
from tests.commentary.referee import at, way
from tests.commentary.test_phases import rule

FIGHT: Json = {"phase": "fight", "unit": "b1"}


def fight(*moves: Json, more: tuple[int, ...] = ()) -> Ruling:
    """B fells two of four models in a row, which may fight; the first of them does, by the given way."""
    fallen = squad("a1", "A", 4, blade(), at=[(10 + 1.6 * k, 8.6) for k in range(4)], M=6, rules=["Fights On Death 2+"])
    killers = squad("b1", "B", 2, blade(S=9, skill=2), at=[(11.6, 9.86), (13.2, 9.86)], M=6, marks=["charged"])
    for unit in (fallen, killers):
        for model in unit["models"]:
            model["base"] = {"circle": 1.26}
    answers = [{"kind": "allocate", "value": ["a1.1", "a1.2"]}, {"kind": "order", "value": "a1.1"}, *moves]
    dice = [6, 6, 6, 6, 6, 1, 6, 1, *more]
    return rule([fallen, killers], FIGHT, dice, active="B", answers=answers)


@pytest.mark.clause("commentary-10", "FIGHTDEATH-3", "GEO-4")
def test_models_that_wait_to_act_keep_their_place() -> None:
    """The first of two dying models piles in beside the second, not onto it, by itself and if it is told to."""
    found = fight()
    assert found.verdict == "legal" and found.dead().count("a1.1") == found.dead().count("a1.2") == 2
    first = next(event for event in found.events if event["kind"] == "piled-in" and event["facts"]["unit"] == "a1")
    (x, y), other = first["set"][0][2], (11.6, 8.6)
    assert ((x - other[0]) ** 2 + (y - other[1]) ** 2) ** 0.5 >= 1.25
    onto = fight(way(a1_1=(11.4, 8.6)))
    assert onto.refusal is not None and onto.refusal["clause"] == "GEO-4"


@pytest.mark.clause("commentary-10", "FIGHTDEATH-3", "PILEIN-3")
def test_the_answer_that_breaks_a_rule_is_the_one_refused() -> None:
    """Who is first is answered well and the way badly: the refusal speaks of the way, not of the answer before it."""
    near = fight(way(a1_1=(10.0, 8.7)))
    assert near.refusal is not None and near.refusal["clause"] == "PILEIN-3", near.refusal


@pytest.mark.clause("commentary-10", "FIGHTDEATH-3", "DICE-6")
def test_dice_left_over_are_no_refused_answer() -> None:
    """Who is first is answered well, and a die too many is said to be one, not that nobody asked who is first."""
    with pytest.raises(DiceError) as error:
        fight(more=(4,))
    assert error.value.code == "dice-left"


@pytest.mark.parametrize(
    ("rule_name", "purposes"), [("Fights On Death", ["hit"]), ("Fights On Death 2+", ["after death", "hit"])]
)
@pytest.mark.clause("commentary-10", "FIGHTDEATH-1")
def test_a_right_to_fight_without_a_number_needs_no_die(rule_name: str, purposes: list[str]) -> None:
    """The rule by its name alone lets a destroyed model fight; with a number a die is rolled for it."""
    killer, fallen = squad("b1", "B", 1, blade(S=9, skill=2), at=[(10, 10)], M=6), [(11, 10)]
    found = rule(
        [squad("a1", "A", 1, blade(), at=fallen, M=6, rules=[rule_name]), killer], FIGHT, [6, 6, 2, 1][: 2 + len(purposes)]
    )
    assert found.purposes() == ["hit", "wound", *purposes]


FLOOR: Json = {"id": "f", "types": ["floor"], "polygon": [[8, 8], [15, 8], [15, 15], [8, 15]], "height": 6, "bottom": 5.9}


def aloft(id: str, side: str, *rules: str, **more: object) -> Json:
    """A model on a floor 6" up."""
    weapons, place = (blade(skill=2, S=9, D=2), gun("Torrent", range=12)), [(10, 10 if side == "A" else 11)]
    return squad(id, side, 1, *weapons, at=place, M=6, W=2, own=[{"z": 6}], rules=list(rules), **more)


@pytest.mark.clause("commentary-10", "FIGHTDEATH-1", "FIGHTDEATH-3")
def test_a_model_dying_on_a_floor_fights_there() -> None:
    """It has kept its place 6" above the ground: it strikes whoever stands beside it on the floor."""
    units = [aloft("a1", "A", "Fights On Death 4+"), aloft("b1", "B", marks=["charged"])]
    found = rule(units, FIGHT, [2, 2, 4, 2, 2], active="B", table={"terrain": [FLOOR]})
    assert sorted(found.dead()) == ["a1.1", "a1.1", "b1.1"]


@pytest.mark.clause("commentary-10", "SHOOTDEATH-1", "SHOOTDEATH-2")
def test_a_model_dying_on_a_floor_shoots_from_there() -> None:
    """Its distances are those from the floor: whoever is 11" off on the ground is out of a range of 12"."""
    far = squad("b1", "B", 1, gun(S=9, D=2), at=[(10, 21.5)], M=6)
    do: Json = {"phase": "shooting", "unit": "b1", "action": "shoot"}
    dying = aloft("a1", "A", "Shoots On Death 4+")
    found = rule([dying, far], do, [3, 2], active="B", answers=[at("a1")], table={"terrain": [FLOOR]})
    assert found.dead() == ["a1.1"] and "after death" not in found.purposes()


# -- nothing is allocated to who is there to act ---------------------------------------------------

SHOOTS = ["Shoots On Death 4+"]
SURE = gun(S=8, skill=2, D=3)


def lobbers(id: str, side: str, models: int, y: float) -> Json:
    """Models in a row that may shoot before they are removed."""
    return squad(id, side, models, SURE, at=[(10 + 1.5 * k, y) for k in range(models)], M=6, rules=SHOOTS)


@pytest.mark.clause("commentary-10", "FIGHTDEATH-3", "SHOOTDEATH-1")
def test_the_shot_of_one_dying_model_goes_past_another() -> None:
    """A model that shot before it is removed destroys one that does so in turn: that one's shot is borne by the living."""
    do: Json = {"phase": "shooting", "unit": "a1", "action": "shoot"}
    units, dice = [lobbers("a1", "A", 2, 10), lobbers("b1", "B", 2, 20)], [2, 2, 1, 4, 2, 2, 4, 2, 2, 3]
    found = rule(units, do, dice, answers=[at("b1")])
    assert [event["facts"]["models"] for event in found.events if event["kind"] == "casualties"] == [
        ["b1.1"],
        ["a1.1"],
        ["b1.2"],
    ]
    assert found.unit("b1")["where"] == "destroyed"
    assert found.faces("after death") == [4, 4, 3]


@pytest.mark.clause("commentary-10", "FIGHTDEATH-3", "DICE-6")
def test_a_dying_model_alone_is_no_target() -> None:
    """Whom the last model of a unit destroys before it is removed has nobody left to shoot, and rolls no die for it."""
    do: Json = {"phase": "shooting", "unit": "a1", "action": "shoot"}
    units = [lobbers("a1", "A", 2, 10), lobbers("b1", "B", 1, 20)]
    found = rule(units, do, [2, 2, 4, 2, 2], answers=[at("b1")])
    assert found.faces("after death") == [4] and found.dead() == ["b1.1", "a1.1", "b1.1"]


@pytest.mark.clause("commentary-10", "FIGHTDEATH-3", "ABIL-1", "MW-3")
def test_mortal_wounds_go_past_a_dying_model() -> None:
    """It destroys a VEHICLE whose end reaches its unit: the mortal wound is borne by a model that lives."""
    hulk = squad("b1", "B", 1, blade(S=8, skill=2, D=3), at=[(10, 10)], M=6, keywords=["VEHICLE"], rules=["Deadly Demise 1"])
    hulk["marks"] = ["charged"]
    dying = squad("a1", "A", 2, blade(S=8, skill=2), at=[(10, 11), (11, 11)], M=6, W=2, rules=["Fights On Death 4+"])
    answers = [{"kind": "allocate", "value": "a1.1"}]
    found = rule([dying, hulk], FIGHT, [2, 2, 4, 2, 2, 6], active="B", answers=answers)
    assert found.model("a1.2")["wounds"] == 1 and found.unit("b1")["where"] == "destroyed"
