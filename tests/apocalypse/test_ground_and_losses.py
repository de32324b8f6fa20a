"""Apocalypse: pieces an enemy is within, losses measured from the leader, and what the sheet takes from the third edition."""

from __future__ import annotations

import pytest

from tests.apocalypse.test_play import clause, desk, refused_by
from tests.onepage.desk import EDGES, Json, answer, box, disc, unit
from tests.onepage.desk import FAR_FOE as FOE

FOREST = disc("f", 20, 20, 4, "cover", "difficult")
GUN = 'Gun (30", A1)'


def chain(lead: int) -> Json:
    """Eight models in a row of seventeen inches, led by one of them."""
    rows: list[Json] = [{} for _ in range(8)]
    rows[lead]["marks"] = {"leader": 1}
    return unit("b1", "B", [(10 + 2.5 * k, 20.0) for k in range(8)], models=rows)


@clause("CAS-3", "COH-2")
def test_losses_leave_the_rest_near_its_leader() -> None:
    """The ends of a row stand seventeen inches apart, near its leader in the middle: whoever goes leaves no end alone."""
    table = desk(unit("a1", "A", [(20, 30)], weapons=[GUN], q=2), chain(4))
    said = [answer("choose-target", "b1")]
    held = table.activate("a1", "hold", said, dice={"hit": [6], "block": [1]}, unanswered="stop")
    assert (held.pending or {})["options"] == ["b1.1", "b1.3", "b1.4", "b1.5", "b1.6", "b1.8"]


@clause("CAS-3", "UNIT-6")
def test_a_new_leader_may_hold_the_rest_together() -> None:
    """The leader at one end of a row is out of reach of the other end: it may go, for others can lead the rest."""
    said = [answer("choose-target", "b1"), answer("allocate", "b1.1"), answer("choose-option", "b1.5")]
    found = desk(unit("a1", "A", [(20, 30)], weapons=[GUN], q=2), chain(0)).activate(
        "a1", "hold", said, dice={"hit": [6], "block": [1]}, ask=[{"coherent": "b1"}]
    )
    assert (found.alive("b1")[0], found.answers()) == ("b1.2", [True])


@clause("MORALE-6")
@pytest.mark.parametrize(("agreed", "tests"), [(False, ["b1"]), (True, ["b1", "b1"])])
def test_losses_in_a_melee_may_test_as_well(agreed: bool, tests: list[str]) -> None:
    """Half of a squad falls in a melee it loses: it tests once, or where the players agreed so for its losses too."""
    ours = unit("a1", "A", [(20, 10), (21.2, 10)], weapons=["Light CCW"])
    theirs = unit("b1", "B", [(20, 11.5), (21.2, 11.5), (22.4, 11.5), (23.6, 11.5)], weapons=["Light CCW"])
    dice = {"hit": [6, 6, 1, 1], "block": [1, 1], "morale": [6] * len(tests)}
    table = desk(ours, theirs, switches={"apoc_melee_half_test": agreed})
    found = table.activate("a1", "assault", dice=dice)
    assert [roll["unit"] for roll in found.rolls if roll["purpose"] == "morale"] == tests


@clause("TERR-FOOT-4", "RULE-DEEPSTRIKE-4")
@pytest.mark.parametrize(("at", "clause_id"), [([29, 20], None), ([22, 20], "TERR-FOOT-4")])
def test_nobody_arrives_in_what_an_enemy_is_within(at: list[float], clause_id: str | None) -> None:
    """In a wide forest there is room seven inches from the enemy, and it is closed; beside the forest it is not."""
    wide = box("f", 5, 5, 25, 35, "cover")
    drop = unit("a1", "A", [None], where="reserve", rules=["Deep Strike"])
    table = desk(drop, unit("a2", "A", [(60, 5)]), unit("b1", "B", [(14, 20)]), terrain=[wide], sides=EDGES, round=1)
    table.situation["clock"] = {"phase": "round", "first": "A"}
    said = [answer("yes-no", True), answer("yes-no", True), answer("place", {"a1.1": at})]
    dice = {"power-dice": [1, 1], "arrival": [6]} | ({"shift": [6]} if clause_id is None else {})
    found = table.step("round", said, dice=dice)
    assert refused_by(found) == clause_id


@clause("ARC-6", "SHOOT-2")
def test_a_hull_that_sees_nothing_is_not_refused_by_an_arc() -> None:
    """A tank behind a house may not fire, because its leader does not see; no arc is spoken of."""
    house = box("h", 25, 10, 26, 30, "impassable", height=8, solid=True)
    gun = {"name": "Gun", "range": 48, "A": 1, "rules": [], "mount": "front"}
    tank = unit("a1", "A", [(15, 20)], type="vehicle", weapons=[gun], rules=["Tough(6)"])
    found = desk(tank, unit("b1", "B", [(40, 20)]), terrain=[house]).attack("a1", "b1", dice=[6])
    assert refused_by(found) == "SHOOT-2"


@clause("GEN-5", "TERR-GEN-1", "TERR-IMP-1", "PIN-2", "VDMG-1")
def test_what_the_sheet_leaves_out_is_as_in_the_third_edition() -> None:
    """Impassable ground and Unwieldy for the Pinned are inherited; the table of damage is one of what the sheet replaces."""
    pond = box("p", 15, 12, 25, 14, "impassable")
    way = [answer("move", {"shift": [0, 3]})]
    assert refused_by(desk(unit("a1", "A", [(20, 10)]), FOE, terrain=[pond]).activate("a1", "walk", way)) == "TERR-IMP-1"
    ours = unit("a1", "A", [(20, 10)], weapons=["Light CCW"])
    theirs = unit("b1", "B", [(20, 11.5)], weapons=["Light CCW"], marks=["pinned"])
    found = desk(ours, theirs).activate("a1", "assault", dice={"hit": [1, 6, 1]})
    assert [roll["rerolls"] for roll in found.rolls if roll["unit"] == "b1"] == [[[0, 1]]]
    tank = unit("b1", "B", [(30, 20)], type="vehicle", rules=["Tough(6)"])
    shot = desk(unit("a1", "A", [(20, 20)], weapons=[GUN], q=2), tank).activate(
        "a1", "hold", dice={"hit": [6], "ignore": [1], "block": [1]}
    )
    assert shot.unit("b1")["models"][0]["wounds"] == 1 and shot.rolled("damage") == []


@clause("TERR-GEN-1", "TERR-OPEN-1")
@pytest.mark.parametrize(
    ("kind", "far", "clause_id"),
    [("open", 12, None), ("cover", 12, None), ("difficult", 12, "TERR-DIFF-1"), ("impassable", 12, "TERR-IMP-1")],
)
def test_every_type_of_ground_does_its_own(kind: str, far: float, clause_id: str | None) -> None:
    """A run of twelve inches goes through open ground and cover, not through difficult or impassable ground."""
    piece = box("p", 15, 12, 25, 14, kind)
    found = desk(unit("a1", "A", [(20, 10)]), FOE, terrain=[piece]).activate("a1", "run", [answer("move", {"shift": [0, far]})])
    assert refused_by(found) == clause_id


@clause("TERR-DANG-6", "RULE-FLYING-2", "RULE-STRIDER-1")
@pytest.mark.parametrize(("rule", "dice"), [("Strider", [6]), ("Flying", [])])
def test_flying_ignores_danger_and_striding_does_not(rule: str, dice: list[int]) -> None:
    """A flyer that enters a minefield rolls no die, a Strider does."""
    mines = box("m", 15, 12, 25, 20, "dangerous")
    found = desk(unit("a1", "A", [(20, 10)], rules=[rule]), FOE, terrain=[mines]).activate(
        "a1", "walk", [answer("move", {"shift": [0, 5]})], dice
    )
    assert (found.verdict, found.dice_used) == ("legal", len(dice))


@clause("RULE-INDIRECT-1")
@pytest.mark.parametrize(("rules", "ignore"), [(", Indirect", [6]), ("", None)])
def test_an_indirect_weapon_fires_at_whom_the_leader_does_not_see(rules: str, ignore: list[int] | None) -> None:
    """Over a house a mortar fires and meets cover; a gun does not fire at all."""
    house = box("h", 25, 10, 26, 30, "impassable", height=8, solid=True)
    ours = unit("a1", "A", [(20, 20)], weapons=[f'Gun (30", A1{rules})'], q=2)
    table = desk(ours, unit("b1", "B", [(31, 20)]), terrain=[house])
    found = table.activate("a1", "hold", dice={"hit": [6], "ignore": ignore} if ignore else [])
    assert ("shot" in found.kinds(), found.rolled("ignore")) == (ignore is not None, ignore or [])
