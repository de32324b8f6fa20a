"""Shooting and melee of 2.21 as games play them: one weapon a model, split fire, strike steps, chained damage."""

from __future__ import annotations

from typing import Any

import pytest

from tests.onepage.desk import Desk, Json, answer, unit
from tests.onepage221.desk import EDITION

clause = pytest.mark.clause
GUNS = ['Rifle (30", A1)', 'Pistol (30", A1)']


def desk(*units: Json, **more: Any) -> Desk:
    """A table of the second edition."""
    return Desk(list(units), edition=EDITION, **more)


@clause(EDITION, "SHOOT-7", "RULE-RELENTLESS-1")
def test_a_relentless_model_that_holds_splits_its_fire() -> None:
    """Each of its weapons may have a target of its own, and each is an event of its own."""
    gunner = unit("a1", "A", [(20, 20)], rules=["Relentless"], weapons=GUNS)
    table = desk(gunner, unit("b1", "B", [(30, 20)]), unit("b2", "B", [(20, 30)]))
    said = [answer("choose-target", "b1"), answer("assign-weapons", [["a1.1", 0], ["a1.1", 1, "b2"]])]
    found = table.activate("a1", "hold", said, dice=[1, 1])
    assert [row["target"] for row in found.attacks] == ["b1", "b2"]


@clause(EDITION, "SHOOT-7")
def test_others_fire_at_one_target() -> None:
    """Without Relentless no weapon may be given another target."""
    pair = unit("a1", "A", [(20, 20), (21, 20)], weapons=GUNS)
    table = desk(pair, unit("b1", "B", [(30, 20)]), unit("b2", "B", [(20, 30)]))
    said = [answer("choose-target", "b1"), answer("assign-weapons", [["a1.1", 0], ["a1.2", 1, "b2"]])]
    found = table.activate("a1", "hold", said, dice=[1, 1])
    assert (found.refusal or {})["clause"] == "SHOOT-7"


@clause(EDITION, "SHOOT-6")
def test_one_weapon_a_model_even_on_hold() -> None:
    """A model that holds fires one of its two weapons; naming both is refused."""
    table = desk(unit("a1", "A", [(20, 20)], weapons=GUNS), unit("b1", "B", [(30, 20)]))
    both = [answer("choose-target", "b1"), answer("assign-weapons", [["a1.1", 0], ["a1.1", 1]])]
    assert (table.activate("a1", "hold", both, dice=[1, 1]).refusal or {})["clause"] == "SHOOT-6"
    assert table.activate("a1", "hold", [answer("choose-target", "b1")], dice=[1]).attacks[0]["attacks"] == 1


@clause(EDITION, "MELEE-16", "MELEE-12")
def test_both_fall_in_one_step_of_a_played_melee() -> None:
    """The assaulter's two dice and the defender's one are rolled before anybody is removed: both fall, a tie."""
    ours, theirs = unit("a1", "A", [(20, 20)], weapons=["Axe (A1)"]), unit("b1", "B", [(24, 20)], weapons=["Axe (A1)"])
    found = desk(ours, theirs).activate("a1", "assault", dice=[4, 3, 3, 4, 3])
    assert found.alive("a1") == found.alive("b1") == []
    assert "melee-tied" in found.kinds()
    kinds = found.kinds()
    assert kinds.index("casualties") > max(k for k, kind in enumerate(kinds) if kind == "struck")


@clause(EDITION, "MELEE-17", "RULE-STRIKES-1")
def test_a_quick_defender_strikes_before_the_assaulter() -> None:
    """Strikes First fells the assaulter before it strikes at all."""
    theirs = unit("b1", "B", [(24, 20)], weapons=["Dagger (A1, Strikes First)"])
    found = desk(unit("a1", "A", [(20, 20)], weapons=["Axe (A1)"]), theirs).activate("a1", "assault", dice=[4, 3])
    assert (found.alive("a1"), found.alive("b1")) == ([], ["b1.1"])


@clause(EDITION, "VDMG-3", "VDMG-8")
def test_immobile_again_goes_on_until_something_else_comes_up() -> None:
    """An Immobile tank shot from behind keeps the higher of two dice, is wounded once more and rolls again."""
    tank = unit("b1", "B", [(30, 20)], type="vehicle", q=6, rules=["Tough(6)"], models=[{"marks": ["immobile"]}])
    gun = unit("a1", "A", [(20, 20)], weapons=['Gun (24", A1)'])
    dice = {"hit": [6], "ignore": [1], "block": [1], "damage": [2, 5, 1, 6, 1, 2]}
    found = desk(gun, tank).attack("a1", "b1", facing="rear", dice=dice)
    assert found.kinds().count("wounded-more") == 2
    assert "glanced" in found.kinds()
