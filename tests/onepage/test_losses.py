"""Losses by every cause: the backlash of a hull, wrecks, the clauses of blocks, Impact, Shaken, routs by models."""

from __future__ import annotations

from typing import Any

import pytest

from tests.onepage.desk import Desk, Json, Ruling, answer, unit

E = "onepage-3.0"
FOE = unit("b1", "B", [(30, 20)], q=6)


def clause(*ids: str) -> pytest.MarkDecorator:
    """Mark the clauses of the third edition a test covers."""
    return pytest.mark.clause(E, *ids)


def seer_truck(tough: int, **more: Any) -> Json:
    """A transport that is a Psyker as well."""
    rules = ["Transport(10)", "Psyker(2)", f"Tough({tough})"]
    return unit("a9", "A", [(20, 20)], type="vehicle", rules=rules, keywords=["power:Dread"], **more)


def dread(hull: Json, *others: Json, **dice: list[int]) -> Ruling:
    """The truck holds and tries Dread with two dice, both sixes."""
    desk = Desk([hull, *others, FOE], sides={"A": {"marks": {"power-dice": 2}}})
    said = [answer("choose-option", "Dread by a9.1"), answer("number", 2)]
    return desk.activate("a9", "hold", said, dice={"power": [6, 6], "morale": [6], **dice})


@clause("RULE-PSYKER-7", "RULE-TRANSPORT-8")
def test_a_transport_that_dies_of_its_backlash_leaves_a_wreck() -> None:
    """Three wounds of a backlash destroy the truck: its passengers are hit by the wreck and stand beside it."""
    squad = unit("a1", "A", [None] * 3, where="a9")
    found = dread(seer_truck(1), squad, backlash=[6], attacks=[2], block=[1, 6])
    assert not found.alive("a9")
    assert (found.unit("a1")["where"], len(found.alive("a1"))) == ("table", 2)


@clause("RULE-PSYKER-7", "VDMG-2")
@pytest.mark.parametrize(("face", "kind"), [(1, "glanced"), (3, "shaken"), (6, "immobile")])
def test_backlash_wounds_on_a_hull_go_through_the_table_of_damage(face: int, kind: str) -> None:
    """Two wounds of its own backlash make a tank that lives roll once, from the side: D6 + 2 + 1."""
    found = dread(seer_truck(12), backlash=[3], damage=[face])
    assert kind in found.kinds()
    assert found.rolled("damage") == [face]


@clause("VDMG-6")
def test_a_vehicle_shaken_in_its_own_activation_stays_shaken_to_the_end_of_the_next() -> None:
    """Shaken by its own backlash the tank is still Shaken when the activation ends, and recovers with its next one."""
    found = dread(seer_truck(12), backlash=[3], damage=[3])
    assert "recovered" not in found.kinds()
    mark = found.unit("a9")["models"][0]["marks"]
    assert mark == [{"shaken": "next"}]
    later = Desk([seer_truck(12, models=[{"marks": mark}]), FOE]).activate("a9", "hold")
    assert "recovered" in later.kinds()


@clause("MELEE-13")
def test_blocks_cite_what_they_are_taken_by() -> None:
    """A block in shooting cites SHOOT-10, in melee MELEE-13, against a power and in a wreck RES-8."""

    def cited(found: Ruling, purpose: str = "block") -> list[str]:
        return [roll["clauses"][0] for roll in found.rolls if roll["purpose"] == purpose]

    gun = unit("a1", "A", [(20, 20)], weapons=['Gun (24", A1)'])
    assert cited(Desk([gun, FOE]).attack("a1", "b1", dice={"hit": [6], "block": [6]})) == ["SHOOT-10"]
    near = unit("b1", "B", [(21, 20)], q=6)
    assert cited(Desk([gun, near]).attack("a1", "b1", "melee", dice={"hit": [6], "block": [6]})) == ["MELEE-13"]
    seer = unit("a1", "A", [(20, 20)], rules=["Psyker(2)"], keywords=["power:Mind Spike"])
    said = [answer("choose-option", "Mind Spike by a1.1"), answer("number", 1)]
    spike = Desk([seer, FOE], sides={"A": {"marks": {"power-dice": 1}}}).activate("a1", "hold", said, dice=[5, 1, 1])
    assert cited(spike) == ["RES-8"]
    squad = unit("a1", "A", [None] * 3, where="a9")
    assert cited(dread(seer_truck(1), squad, backlash=[6], attacks=[1], block=[6])) == ["RES-8"]


@clause("RULE-IMPACT-1")
def test_impact_counts_models_that_cannot_strike() -> None:
    """Three riders assault, two of them end too far away to strike: all three deal their automatic hit."""
    spots = [(20, 20), (20, 17.5), (20, 15)]
    riders = unit("a1", "A", spots, rules=["Impact(1)"], q=6)
    way = answer("move", {"a1.1": [[20, 29]], "a1.2": [[20, 26.1]], "a1.3": [[20, 24]]})
    dice = {"hit": [1, 1], "block": [6, 6, 6]}
    found = Desk([riders, unit("b1", "B", [(20, 30)], q=2)]).activate("a1", "assault", [way], dice=dice)
    assert found.event("struck")["facts"]["models"] == ["a1.1"]
    assert found.attacks[0]["hits"] == 3


@clause("MORALE-10")
@pytest.mark.parametrize(("switch", "fate"), [(False, "routed"), (True, "pinned")])
def test_a_lone_model_routs_by_wounds_unless_models_alone_count(switch: bool, fate: str) -> None:
    """A lone Tough(4) model with two wounds left fails after a lost melee: it routs, or is Pinned where models count."""
    giant = unit("b1", "B", [(20, 30)], q=6, rules=["Tough(4)"], wounds=1)
    enemy = unit("a1", "A", [(20, 25)], q=2)
    desk = Desk([enemy, giant], switches={"rout_by_models": switch})
    found = desk.activate("a1", "assault", dice={"hit": [6, 1], "block": [1], "morale": [1]})
    assert fate in found.kinds()
