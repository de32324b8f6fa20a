"""What 2.21 and Apocalypse 3.3 share: dice, pools, casualties and morale of single attacks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import pytest

from rolloff.errors import BadInput
from tests.onepage.desk import Desk, Json
from tests.onepage221.desk import attack, squad

F = TypeVar("F", bound=Callable[..., Any])
OLD, LARGE = "onepage-2.21", "apocalypse-3.3"
GUN = 'Gun (30", A1)'
both = pytest.mark.parametrize("edition", [OLD, LARGE])


def clause(*ids: str) -> Callable[[F], F]:
    """Marks for clauses of both editions."""

    def marked(test: F) -> F:
        found: F = pytest.mark.clause(OLD, *ids)(pytest.mark.clause(LARGE, *ids)(test))
        return found

    return marked


@both
@clause("DICE-12", "RES-2", "RES-3", "UNIT-3")
def test_the_order_of_dice(edition: str) -> None:
    """Group by group: attacks, to hit and again, ignore, block and again; then morale, all by one Quality."""
    ours = squad("a1", 2, q=4, models=[{"weapons": ['Gun (30", AD3, Linked)']}, {"weapons": [GUN]}])
    found = attack(ours, squad("b1", 4, q=4, rules=["Armored"]), dice=[3, 4, 1, 4, 6, 3, 3, 4, 1, 1, 6], edition=edition)
    assert found.dice_used == 11
    report = [(roll["purpose"], roll["faces"], roll["need"]) for roll in found.rolls]
    assert report == [
        ("attacks", [3], None),
        ("hit", [4, 1], 4),
        ("ignore", [6, 3], 4),
        ("block", [3], 4),
        ("hit", [4], 4),
        ("ignore", [1], 4),
        ("block", [1], 4),
        ("morale", [6], 4),
    ]


@both
@clause("WPN-8", "SHOOT-8", "RES-3")
def test_two_copies_are_two_weapons(edition: str) -> None:
    """Two like weapons of a holding, Relentless or well-drilled model are pooled; two packets stay two."""
    ours = squad("a1", q=2, rules=["Relentless"] if edition == OLD else [], weapons=['Fuse (12", A2x)', 'Fuse (12", A2x)'])
    found = attack(ours, squad("b1", 6), dice=[2, 2, 1, 1, 2, 2, 1, 1], edition=edition)
    assert (found.attacks[0]["attacks"], len(found.attacks[0]["removed"])) == (4, 2)


@both
@clause("WPN-9", "GEN-2")
def test_a_weapon_keeps_its_rules_to_itself(edition: str) -> None:
    """Of two weapons only the Linked one rolls failures again."""
    ours = squad("a1", 2, models=[{"weapons": ['Gun (30", A1, Linked)']}, {"weapons": [GUN]}])
    found = attack(ours, squad("b1", 4), dice=[1, 1, 1], edition=edition)
    assert [bool(roll["rerolls"]) for roll in found.rolls] == [True, False]


@both
@clause("WPN-10")
def test_linked_and_rending_work_in_melee(edition: str) -> None:
    """Weapons without a range use these rules too."""
    found = attack(squad("a1", weapons=["Axe (A1, Linked, Rending)"]), squad("b1", 4), "melee", [1, 6], edition)
    assert found.attacks[0]["wounds"] == 1


@both
@clause("GEN-3", "RULE-LINKED-2")
def test_the_same_rule_twice_is_one(edition: str) -> None:
    """Linked by the weapon and by a power is Linked: one more roll; two Tough ratings are the higher."""
    ours = squad("a1", weapons=['Gun (30", A1, Linked)'], marks=["grant-weapons:Linked"])
    assert attack(ours, squad("b1", 4), dice=[1, 1], edition=edition).dice_used == 2
    hero = squad("b1", rules=["Tough(3)"], models=[{"rules": ["Tough(2)"]}])
    found = attack(
        squad("a1", 2, q=2, weapons=[GUN]), hero, dice=[2, 2, 1, 1, *([6] if edition == LARGE else [])], edition=edition
    )
    assert found.attacks[0]["removed"] == []


@both
@clause("RES-13")
def test_every_group_is_rolled_before_anybody_falls(edition: str) -> None:
    """Two kinds of weapons at a single model: both are rolled, and what is too much is discarded."""
    ours = squad("a1", 2, q=2, models=[{"weapons": [GUN]}, {"weapons": ['Gun (30", A1, Linked)']}])
    found = attack(ours, squad("b1"), dice=[2, 1, 2, 1], edition=edition)
    assert (found.attacks[0]["wounds"], found.attacks[0]["removed"]) == (2, ["b1.1"])


@both
@clause("CAS-4", "CAS-6", "RULE-TOUGH-4")
def test_packets_go_before_the_rest(edition: str) -> None:
    """Two packets and a pooled wound on three models of Tough(2), one of them hurt: it takes the first packet."""
    arms = [{"weapons": [GUN]}, {"weapons": ['Fuse (12", A1x)']}, {"weapons": ['Fuse (12", A1x)']}]
    theirs = squad("b1", 5, rules=["Tough(2)"], models=[{}, {"wounds": 1}])
    found = attack(squad("a1", 3, q=2, models=arms), theirs, dice=[2, 1] * 3, edition=edition)
    assert found.attacks[0]["removed"][0] == "b1.2" and len(found.attacks[0]["removed"]) == 2


@both
@clause("MORALE-12", "MORALE-5", "RES-1")
def test_dangerous_ground_shakes_nerves_too(edition: str) -> None:
    """Half of a unit lost to the ground: one test, failed, and it is Pinned."""
    dice = [1, 1, 6, 6, *([1, 1] if edition == OLD else []), 3]
    found = attack(squad("b1"), squad("a1", 4), "danger", dice, edition)
    assert found.attacks[0]["morale"] == "pinned"


@both
def test_the_starting_size_is_as_deployed(edition: str) -> None:
    """A situation says what a unit started with; without it, what it has."""
    theirs = squad("b1", 4, start_size=20 if edition == LARGE else 4)
    dice = [2, 2, 1, 1, *([3] if edition == OLD else [])]
    found = attack(squad("a1", 2, q=2, weapons=[GUN]), theirs, dice=dice, edition=edition)
    assert found.attacks[0]["morale"] == ("pinned" if edition == OLD else "none")


@both
@clause("RULE-INDIRECT-1")
def test_indirect_fire_out_of_sight_meets_cover(edition: str) -> None:
    """Only that weapon's hits, and one cover whatever else the target hides in."""
    ours = squad("a1", 2, q=2, models=[{"weapons": ['Mortar (48", A1, Indirect)']}, {"weapons": [GUN]}])
    found = attack(ours, squad("b1", 5), dice=[2, 6], visible=False, cover=True, edition=edition)
    assert (found.attacks[0]["attacks"], found.attacks[0]["ignored"]) == (1, 1)


@both
@clause("RULE-LIMITED-1")
def test_a_limited_weapon_works_once(edition: str) -> None:
    """A weapon that was used neither shoots nor strikes."""
    ours = squad("a1", weapons=["Bomb (A5, Limited)", 'Rocket (48", A1, Limited)'])
    ours["models"][0]["marks"] = ["used:0", "used:1"]
    assert attack(ours, squad("b1", 3), edition=edition).verdict == "refused"
    assert attack(ours, squad("b1", 3), "melee", edition=edition).verdict == "refused"


@both
@clause("RES-5")
def test_powers_hit_by_themselves_and_meet_no_cover(edition: str) -> None:
    """Hits of a power take no to-hit roll; armor and blocks apply, cover does not."""
    ours, theirs = squad("a1", weapons=['Lash (18", A2)']), squad("b1", 5, q=2)
    found = attack(ours, theirs, "power", [2, 2], edition, cover=True)
    assert [roll["purpose"] for roll in found.rolls] == ["block"] and found.attacks[0]["hits"] == 2


@both
@clause("CAS-7", "CAS-2")
def test_the_owner_picks_who_goes(edition: str) -> None:
    """Any model may be named by the owner of the unit; it is gone afterwards."""
    desk = Desk([squad("a1", q=2, weapons=[GUN]), squad("b1", 4)], edition=edition)
    form = {"attacker": "a1", "target": "b1", "range": 10, "cover": False}
    found = desk.rule(do={"attack": form}, dice=[2, 1], answers=[{"kind": "allocate", "value": "b1.2"}])
    gone: list[Json] = [model for model in found.unit("b1")["models"] if model.get("removed")]
    assert [model["id"] for model in gone] == ["b1.2"]


@both
@clause("RULE-TOUGH-1")
def test_nobody_bears_as_many_wounds_as_it_is_tough(edition: str) -> None:
    """A model with three wounds on Tough(3) is out of the game, so that no situation can hold it."""
    attack(squad("a1", weapons=[GUN]), squad("b1", rules=["Tough(3)"], wounds=2), dice=[1], edition=edition)
    with pytest.raises(BadInput, match="removes it"):
        attack(squad("a1", weapons=[GUN]), squad("b1", rules=["Tough(3)"], wounds=3), dice=[1], edition=edition)


@both
@clause("MORALE-6")
def test_losses_in_melee_test_nobody_by_themselves(edition: str) -> None:
    """Half of a unit struck down: no test is taken until the melee has a loser."""
    found = attack(squad("a1", 2, q=2, weapons=["Axe (A1)"]), squad("b1", 4), "melee", [2, 2, 1, 1], edition)
    assert (len(found.attacks[0]["removed"]), found.attacks[0]["morale"]) == (2, "none")


@both
@clause("DICE-9")
def test_optional_throws_may_be_left(edition: str) -> None:
    """With optional re-rolls asked for, the failures of a Linked weapon may stand."""
    units = [squad("a1", weapons=['Gun (30", A1, Linked)']), squad("b1", 4)]
    desk = Desk(units, edition=edition, switches={"auto_optional_rerolls": False})
    form = {"attacker": "a1", "target": "b1", "range": 10, "cover": False}
    for again in (True, False):
        found = desk.rule(do={"attack": form}, dice=[1] * (1 + again), answers=[{"kind": "yes-no", "value": again}])
        assert found.dice_used == 1 + again


@pytest.mark.clause(LARGE, "SHOOT-6")
@pytest.mark.parametrize(("moved", "attacks"), [(False, 4), (True, 3)])
def test_all_weapons_on_hold_one_on_walk(moved: bool, attacks: int) -> None:
    """A holding model fires a Carbine and a Minigun, a walking one the Minigun."""
    ours = squad("a1", weapons=["Carbine", "Minigun"])
    assert attack(ours, squad("b1", 4), dice=[1] * attacks, moved=moved, edition=LARGE).attacks[0]["attacks"] == attacks


@pytest.mark.clause(OLD, "DICE-8")
def test_linked_on_a_shaken_vehicle_throws_each_die_once_more() -> None:
    """2 and 5 become 5 and 3, and that is final."""
    tank = squad("a1", type="vehicle", marks=["shaken"], weapons=['Gun (30", A2, Linked)'])
    assert attack(tank, squad("b1", 5, q=2), dice=[2, 5, 5, 3, 2]).attacks[0]["hits"] == 1


@pytest.mark.clause(OLD, "DICE-2", "DICE-3")
@pytest.mark.parametrize(("value", "faces", "attacks"), [("D3", [4], 2), ("2D6", [2, 5], 7), ("D6+1", [4], 5)])
def test_tv_d2_d3_dice_for_attacks(value: str, faces: list[int], attacks: int) -> None:
    """D3 is half a die rounded up; several dice are summed; a number is added."""
    found = attack(squad("a1", weapons=[f'Gun (30", A{value})']), squad("b1", 9), dice=[*faces, *[1] * attacks])
    assert found.attacks[0]["attacks"] == attacks
