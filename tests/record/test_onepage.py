"""Rulings by the shipped edition: refusals say why, with the clause; attacks are resolved by themselves."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rolloff.errors import BadInput
from rolloff.situations.adjudicate import adjudicate

Json = dict[str, Any]


def unit(name: str, side: str, models: int, at: tuple[float, float] | None, **more: Any) -> Json:
    """A unit of riflemen in a row, or without places."""
    row = [
        {"id": f"{name}.{k + 1}", "base": {"circle": 1}, "weapons": ['Rifle (24", A1)']}
        | ({"at": [at[0] + 1.5 * k, at[1]]} if at else {})
        for k in range(models)
    ]
    return {"id": name, "side": side, "quality": 4, "points": 100, "models": row} | more


def case(*units: Json, **more: Any) -> Json:
    """A case on an empty table."""
    return {"edition": "onepage-3.0", "round": 2, "active": "A", "units": list(units)} | more


def ruled(asked: Json) -> Json:
    """The ruling on a case."""
    return adjudicate(msgspec.json.encode(asked))


def shooting(target: Json, *others: Json, **more: Any) -> Json:
    """A unit that holds and shoots at the second one."""
    answers = [{"kind": "choose-target", "value": target["id"]}]
    do = {"activate": "a1", "action": "hold"}
    return ruled(case(unit("a1", "A", 3, (10, 10)), target, *others, do=do, answers=answers, **more))


@pytest.mark.clause("onepage-3.0", "SHOOT-5")
def test_a_target_out_of_range_is_refused_for_its_range() -> None:
    """A unit no weapon reaches is no target, and the refusal says so."""
    report = shooting(unit("b1", "B", 3, (10, 40)))
    assert (report["verdict"], report["refusal"]["code"], report["refusal"]["clause"]) == ("refused", "out-of-range", "SHOOT-5")


@pytest.mark.clause("onepage-3.0", "SHOOT-2")
def test_a_target_out_of_sight_is_refused_for_its_sight() -> None:
    """A unit behind a wall is in range but not seen."""
    wall = {"id": "wall", "types": [], "polygon": [[0, 15], [40, 15], [40, 16], [0, 16]], "height": 9, "solid": True}
    report = shooting(unit("b1", "B", 3, (10, 20)), table={"terrain": [wall]})
    assert (report["refusal"]["code"], report["refusal"]["clause"]) == ("out-of-sight", "SHOOT-2")


@pytest.mark.clause("onepage-3.0", "SHOOT-11")
def test_only_enemies_on_the_table_are_targets() -> None:
    """Friends, and enemies in reserve, cannot be shot at."""
    for target in (unit("a2", "A", 1, (10, 20)), unit("b1", "B", 1, None, where="reserve")):
        assert shooting(target)["refusal"]["clause"] == "SHOOT-11"


@pytest.mark.clause("onepage-3.0", "TURN-8")
def test_a_unit_activates_once_a_round() -> None:
    """A player whose units have all acted has nobody to activate."""
    units = (unit("a1", "A", 1, (10, 10), marks=["activated"]), unit("b1", "B", 1, (30, 30)))
    report = ruled(case(*units, do={"activate": "a1", "action": "hold"}))
    assert (report["verdict"], report["refusal"]["clause"]) == ("refused", "TURN-8")


@pytest.mark.clause("onepage-3.0", "PIN-3")
def test_a_pinned_unit_can_only_idle() -> None:
    """Any other action of a pinned unit is refused; idling lifts the mark."""
    units = (unit("a1", "A", 1, (10, 10), marks=["pinned"]), unit("b1", "B", 1, (30, 30)))
    report = ruled(case(*units, do={"activate": "a1", "action": "walk"}))
    assert (report["verdict"], report["refusal"]["clause"]) == ("refused", "PIN-3")
    report = ruled(case(*units, do={"activate": "a1", "action": "idle"}))
    assert report["verdict"] == "legal"
    assert report["after"]["units"][0]["marks"] == ["activated"]


@pytest.mark.clause("onepage-3.0", "ACT-3")
def test_nobody_shoots_after_a_run() -> None:
    """A target named after a run is refused: nothing asks for one."""
    answers = [{"kind": "move", "value": "stay"}, {"kind": "choose-target", "value": "b1"}]
    units = (unit("a1", "A", 1, (10, 10)), unit("b1", "B", 1, (10, 20)))
    report = ruled(case(*units, do={"activate": "a1", "action": "run"}, answers=answers))
    assert (report["verdict"], report["refusal"]["clause"]) == ("refused", "ACT-3")


ATTACK = {"attacker": "a1", "target": "b1", "kind": "shooting", "range": 10, "visible": True, "cover": False}


@pytest.mark.clause("onepage-3.0", "SHOOT-8", "SHOOT-9", "SHOOT-10")
@pytest.mark.parametrize("dice", [[2, 3, 4, 4, 3], {"hit": [2, 3, 4], "block": [4, 3]}, {"hit": [3, 4, 2], "block": [3]}])
def test_an_attack_is_resolved_without_positions(dice: Any) -> None:
    """Three shots at quality 4: what hits, what is blocked, and who falls."""
    hits = len(dice) - 3 if isinstance(dice, list) else len(dice["block"])
    units = (unit("a1", "A", 3, None, quality=4 if hits == 1 else 3), unit("b1", "B", 5, None))
    report = ruled(case(*units, do={"attack": ATTACK}, dice=dice))
    attack = report["attacks"][0]
    assert (attack["attacks"], attack["hits"], attack["wounds"], len(attack["removed"])) == (3, hits, 1, 1)
    assert [roll["purpose"] for roll in report["rolls"]] == ["hit", "block"]


def test_an_attack_needs_its_range_or_positions() -> None:
    """What is neither stated nor to be measured makes the case unusable."""
    do = {"attack": {"attacker": "a1", "target": "b1", "kind": "shooting"}}
    with pytest.raises(BadInput) as caught:
        ruled(case(unit("a1", "A", 3, None), unit("b1", "B", 5, None), do=do, dice=[1]))
    assert caught.value.code == "attack-incomplete"


@pytest.mark.parametrize(("weapons", "code"), [([["a1.9", 0]], "unknown-model"), ([["a1.1", 3]], "unknown-weapon")])
def test_weapons_of_an_attack_must_be_there(weapons: Any, code: str) -> None:
    """A weapon nobody carries cannot fire."""
    do = {"attack": ATTACK | {"weapons": weapons}}
    with pytest.raises(BadInput) as caught:
        ruled(case(unit("a1", "A", 3, None), unit("b1", "B", 5, None), do=do, dice=[1]))
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"marks": ["pined"]}, "unknown-mark"),
        ({"rules": ["Juggling"]}, None),
        ({"quality": 9}, None),
        ({"type": "robot"}, None),
    ],
)
def test_units_the_edition_cannot_read_are_unusable(change: Json, code: str | None) -> None:
    """Marks, rules, qualities and types must be the edition's."""
    with pytest.raises(BadInput) as caught:
        ruled(case(unit("a1", "A", 1, (10, 10), **change)))
    assert code in (None, caught.value.code)


@pytest.mark.clause("onepage-3.0", "RULE-TOUGH-1")
def test_a_model_cannot_stand_with_as_many_wounds_as_it_is_tough() -> None:
    """Wounds stay below the Tough value, which is one without the rule."""
    for tough, wounds, fits in ((1, 0, True), (1, 1, False), (3, 2, True), (3, 3, False)):
        hurt = unit("a1", "A", 1, (10, 10))
        hurt["models"][0] |= {"wounds": wounds, "rules": [f"Tough({tough})"] if tough > 1 else []}
        if fits:
            assert ruled(case(hurt))["verdict"] == "legal"
        else:
            with pytest.raises(BadInput):
                ruled(case(hurt))


def test_marks_of_models_may_be_written_on_their_unit() -> None:
    """Shaken and immobile belong to a hull, and are found there."""
    hull = {"id": "a1.1", "at": [10, 10], "weapons": ['Gun (24", A1)'], "rules": ["Tough(6)"]}
    tank = {"id": "a1", "side": "A", "type": "vehicle", "quality": 4, "models": [hull], "marks": ["immobile"]}
    report = ruled(case(tank, ask=[{"options": "a1"}]))
    assert report["after"]["units"][0]["models"][0]["marks"] == ["immobile"]
    assert report["answers"][0]["value"] == ["hold"]
