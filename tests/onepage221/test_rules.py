"""Rules of 2.21 that no vector covers: what its cards may say, and how its rules meet."""

from __future__ import annotations

import json

import pytest

from rolloff.editions import registry
from rolloff.editions.clauses import clause_book
from rolloff.errors import BadInput, RolloffError
from rolloff.situations.adjudicate import adjudicate
from tests.onepage.desk import Desk, Json, answer, box, unit
from tests.onepage221.desk import EDITION, attack, squad

clause = pytest.mark.clause
GUN = 'Gun (30", A1)'


@clause(EDITION, "RULE-POISON-1", "RULE-PIERCING-1")
@pytest.mark.parametrize(
    ("type", "rules", "cover", "purposes"),
    [
        ("infantry", [], False, ["hit", "block"]),
        ("infantry", ["Armored"], False, ["hit", "block"]),
        ("infantry", [], True, ["hit", "block"]),
        ("monster", ["Tough(3)"], False, ["hit", "block"]),
        ("vehicle", ["Tough(3)"], False, ["hit", "ignore", "block"]),
        ("walker", ["Tough(3)"], False, ["hit", "ignore", "block"]),
    ],
)
def test_poison_is_piercing_against_flesh(type: str, rules: list[str], cover: bool, purposes: list[str]) -> None:
    """Infantry and monsters meet Poison as Piercing, machines as nothing."""
    dice = [2, 3, 3] if len(purposes) == 3 else [2, 3]
    theirs = squad("b1", 3, q=2, type=type, rules=rules)
    bare = type == "infantry" and not rules and not cover
    found = attack(squad("a1", q=2, weapons=['Gun (30", A1, Poison)']), theirs, dice=[2, 3, 3] if bare else dice, cover=cover)
    assert [roll["purpose"] for roll in found.rolls] == purposes
    assert bool(found.rolls[-1]["rerolls"]) == bare


@clause(EDITION, "RULE-POISON-1", "GEN-3")
def test_poison_and_piercing_are_one_piercing() -> None:
    """Against an Armored squad both together ignore the armor, and no block is rolled again."""
    ours, theirs = squad("a1", q=2, weapons=['Gun (30", A1, Poison, Piercing)']), squad("b1", 3, q=3, rules=["Armored"])
    found = attack(ours, theirs, dice=[2, 3])
    assert [roll["purpose"] for roll in found.rolls] == ["hit", "block"] and not found.rolls[-1]["rerolls"]


@clause(EDITION, "RULE-SCOPE-1", "RES-4", "WPN-10")
@pytest.mark.parametrize(("kind", "need"), [("shooting", 2), ("melee", 5)])
def test_a_scope_hits_on_two_when_shooting(kind: str, need: int) -> None:
    """Shooting with a Scope needs 2+ whoever shoots; in melee it is nothing."""
    weapon = 'Gun (30", A1, Scope)' if kind == "shooting" else "Knife (A1, Scope)"
    found = attack(squad("a1", q=5, weapons=[weapon]), squad("b1", 3), kind, [1])
    assert found.rolls[0]["need"] == need


@clause(EDITION, "TYPE-MON-1", "TYPE-WALK-1", "TYPE-VEH-2")
@pytest.mark.parametrize("type", ["monster", "walker", "vehicle"])
def test_special_units_are_armored_and_relentless(type: str) -> None:
    """Monsters, walkers and vehicles roll for armor, and fire all they have when they hold."""
    beast = squad("b1", type=type, rules=["Tough(3)"], weapons=["Rifle", "Minigun"])
    assert attack(squad("a1", q=2, weapons=[GUN]), beast, dice=[2, 4]).attacks[0]["ignored"] == 1
    assert attack(beast, squad("a1", 9), dice=[1] * 4).attacks[0]["attacks"] == 4


@clause(EDITION, "RULE-INDIRECT-1", "SHOOT-2")
def test_indirect_fire_out_of_sight_meets_cover() -> None:
    """Only the Indirect weapon may fire at what is not seen, and the target counts as in cover: 4+ here."""
    ours = squad("a1", 2, q=2, models=[{"weapons": ['Mortar (48", A1, Indirect)']}, {"weapons": ["Rifle"]}])
    found = attack(ours, squad("b1", 5), dice=[2, 4], visible=False)
    assert (found.attacks[0]["attacks"], found.attacks[0]["ignored"]) == (1, 1)
    assert attack(squad("a1", weapons=["Rifle"]), squad("b1", 5), visible=False).refusal is not None


@clause(EDITION, "SHOOT-5", "SHOOT-3")
def test_each_model_measures_for_itself() -> None:
    """Of three models with twelve-inch weapons at 11, 14 and 17 inches one fires."""
    ours = unit("a1", "A", [(12, 20), (9, 20), (6, 20)], weapons=["Pistol"])
    found = Desk([ours, unit("b1", "B", [(24, 20)])], edition=EDITION).attack("a1", "b1", dice=[1])
    assert found.attacks[0]["attacks"] == 1


@clause(EDITION, "RULE-LIMITED-1")
def test_a_limited_weapon_fires_once() -> None:
    """A weapon that was used is gone."""
    ours = squad("a1", weapons=['Rocket (48", A1, Limited)'])
    ours["models"][0]["marks"] = ["used:0"]
    assert attack(ours, squad("b1", 3), dice=[1]).verdict == "refused"


@clause(EDITION, "RULE-ARMORED-2", "JOIN-6", "JOIN-5")
@pytest.mark.parametrize(("armored", "works"), [(3, True), (2, False)])
def test_half_of_the_models_carry_armored(armored: int, works: bool) -> None:
    """Three Armored models of six are enough, two are not."""
    theirs = squad("b1", 6, q=2, models=[{"rules": ["Armored"]}] * armored)
    found = attack(squad("a1", q=2, weapons=[GUN]), theirs, dice=[2, 4] if works else [2, 2])
    assert found.attacks[0]["ignored"] == int(works)


@clause(EDITION, "RES-13", "RES-3")
def test_all_groups_are_rolled_before_anybody_falls() -> None:
    """Two kinds of weapons at one model: both are rolled, and what is too much is discarded."""
    ours = squad("a1", 2, q=2, models=[{"weapons": [GUN]}, {"weapons": ['Gun (30", A1, Linked)']}])
    found = attack(ours, squad("b1"), dice=[2, 1, 2, 1])
    assert (found.attacks[0]["wounds"], found.attacks[0]["removed"]) == (2, ["b1.1"])


@clause(EDITION, "CAS-4", "CAS-6", "RULE-TOUGH-4")
def test_packets_go_before_the_rest() -> None:
    """A packet of two and one pooled wound on two Tough(2) models: one falls to the packet, the other is hurt."""
    ours = squad("a1", 2, q=2, models=[{"weapons": [GUN]}, {"weapons": ['Fuse (12", A2x)']}])
    found = attack(ours, squad("b1", 2, rules=["Tough(2)"]), dice=[2, 1, 2, 2, 1, 1, 6])
    assert len(found.attacks[0]["removed"]) == 1
    assert [model.get("wounds", 0) for model in found.unit("b1")["models"] if not model.get("removed")] == [1]


@clause(EDITION, "MELEE-12", "RULE-FURIOUS-1")
def test_the_extra_die_belongs_to_one_weapon() -> None:
    """The die of the assault goes to the weapon with the most expected wounds, or to the one its owner names."""
    ours, theirs = squad("a1", q=4, weapons=["Club (A1)", "Blade (A1, Piercing)"]), squad("b1", 9, q=3)
    desk = Desk([ours, theirs], edition=EDITION)
    form = {"attacker": "a1", "target": "b1", "kind": "melee", "charged": True}
    found = desk.rule(do={"attack": form}, dice=[1, 1, 1])
    assert [len(roll["faces"]) for roll in found.rolls] == [1, 2]
    found = desk.rule(do={"attack": form}, dice=[1, 1, 1], answers=[answer("number", 0)])
    assert [len(roll["faces"]) for roll in found.rolls] == [2, 1]


@clause(EDITION, "RULE-PIERCING-2")
def test_the_attacker_may_pick_the_mode() -> None:
    """With the automatic pick off the attacker is asked once the hits lie, also where Poison counts as Piercing."""
    ours, theirs = squad("a1", q=2, weapons=['Gun (30", A1, Poison)']), squad("b1", 3, q=2, rules=["Armored"])
    desk = Desk([ours, theirs], edition=EDITION, switches={"auto_piercing": False})
    form = {"attacker": "a1", "target": "b1", "range": 10, "cover": False}
    found = desk.rule(do={"attack": form}, dice=[2, 3, 2, 1], answers=[answer("choose-option", "re-roll-blocks")])
    assert [roll["purpose"] for roll in found.rolls] == ["hit", "ignore", "block"] and found.attacks[0]["wounds"] == 1


@clause(EDITION, "DICE-9", "RULE-HATRED-1")
def test_failures_need_not_be_thrown_again() -> None:
    """With optional re-rolls asked for, who has Hatred may leave its failures."""
    ours = squad("a1", q=4, rules=["Hatred"], weapons=["Axe (A1)"])
    desk = Desk([ours, squad("b1", 3)], edition=EDITION, switches={"auto_optional_rerolls": False})
    form = {"attacker": "a1", "target": "b1", "kind": "melee", "charged": True}
    assert desk.rule(do={"attack": form}, dice=[1, 1], answers=[answer("yes-no", False)]).dice_used == 2
    assert desk.rule(do={"attack": form}, dice=[1, 1, 1, 1], answers=[answer("yes-no", True)]).dice_used == 4


@clause(EDITION, "VDMG-6")
def test_a_shaken_vehicle_throws_hits_again() -> None:
    """Successful to-hit dice of a Shaken vehicle are rolled again."""
    found = attack(squad("a1", type="vehicle", weapons=[GUN], marks=["shaken"]), squad("b1", 3), dice=[4, 1])
    assert found.rolls[0]["rerolls"] == [[0, 1]]


@clause(EDITION, "RULE-TRANSPORT-8", "CAS-8", "MORALE-12", "MORALE-5")
def test_a_wreck_hits_who_was_aboard() -> None:
    """D6 automatic hits on the passengers, who may block, and test for what they lost when they are out."""
    tank = squad("b1", type="vehicle", rules=["Transport(6)"])
    aboard = {**squad("b2", 4), "where": "b1"}
    desk = Desk([squad("a1", q=2, weapons=['Gun (30", A1, Piercing)']), tank, aboard], edition=EDITION)
    found = desk.attack("a1", "b1", dice=[2, 1, 3, 1, 1, 4, 3], range=10, cover=False)
    assert [(row["target"], row["hits"], row["wounds"], row["morale"]) for row in found.attacks] == [
        ("b1", 1, 1, "none"),
        ("b2", 3, 2, "pinned"),
    ]


@clause(EDITION, "ARC-1", "LOS-10", "ARC-5")
@pytest.mark.parametrize(
    ("type", "mount", "fires"), [("vehicle", "turret", True), ("vehicle", "front", False), ("walker", "front", True)]
)
def test_tv_d28_a_front_mount_does_not_fire_sideways(type: str, mount: str, fires: bool) -> None:
    """A vehicle's front mount looks ahead; a turret, and whatever a walker carries, all round."""
    gun = f'Gun (48", A1, Mount({mount}))'
    tank = unit("a1", "A", [(20, 10)], type=type, weapons=[gun], base={"circle": 2.0})
    found = Desk([tank, unit("b1", "B", [(20, 30)])], edition=EDITION).attack("a1", "b1", dice=[1] if fires else [])
    assert (found.verdict == "legal") is fires


@clause(EDITION, "TERR-COVER-5", "LOS-1")
def test_a_wall_hides_and_a_corner_covers() -> None:
    """Behind a wall nobody is seen; half hidden by it counts as behind cover."""
    wall = box("t1", 20, 20, 22, 30, "impassable", solid=True, height=5)
    ours = unit("a1", "A", [(10, 25)], q=2, weapons=[GUN])
    assert Desk([ours, unit("b1", "B", [(30, 25)])], [wall], edition=EDITION).attack("a1", "b1").verdict == "refused"
    found = Desk([ours, unit("b1", "B", [(30, 34.7)])], [wall], edition=EDITION).attack("a1", "b1", dice=[2, 4])
    assert found.attacks[0]["ignored"] == 1


@clause(EDITION, "RULE-GEN-1", "TYPE-GEN-1")
@pytest.mark.parametrize(
    ("card", "near"),
    [
        ({"weapons": ['Gun (30", A1, Precise)']}, "Scope"),
        ({"weapons": ['Gun (30", A1, Sniper)']}, "Scope"),
        ({"weapons": ['Gun (30", A1, Unwieldy)']}, "Strikes Last"),
        ({"rules": ["Regeneration"]}, "no rule Regeneration"),
        ({"rules": ["Impact(3)"]}, "vehicle"),
        ({"rules": ["Hatred(2)"]}, "no rating"),
        ({"rules": ["Monster"]}, 'the type "monster"'),
        ({"type": "cavalry"}, "cavalry"),
        ({"weapons": ['Gun (30", A2p)']}, "suffix p"),
        ({"q": 7}, "Quality 7"),
    ],
)
def test_rules_of_other_editions_are_refused_by_name(card: Json, near: str) -> None:
    """A card that needs another edition is refused with what comes nearest."""
    with pytest.raises(RolloffError) as caught:
        attack(squad("a1", **card), squad("b1"))
    assert near in caught.value.message


@pytest.mark.parametrize(
    ("form", "named"),
    [
        ({"range": -1}, "range"),
        ({"kind": "prayer"}, "kind"),
        ({"weapons": [["a1.1", 7]]}, "weapons"),
        ({"target": "x"}, "target"),
    ],
)
def test_bad_forms_are_named(form: Json, named: str) -> None:
    """What cannot be used is refused with the field and what is allowed."""
    given = {"attacker": "a1", "target": "b1", "range": 10, **form}
    case = {"edition": EDITION, "units": [squad("a1", weapons=[GUN]), squad("b1")], "do": {"attack": given}}
    with pytest.raises(BadInput) as caught:
        adjudicate(json.dumps(case).encode())
    assert named in (caught.value.where or "") + caught.value.message


@pytest.mark.parametrize("edition", [EDITION, "onepage-3.0", "apocalypse-3.3"])
def test_attacks_cite_clauses_of_their_own_edition(edition: str) -> None:
    """Every clause an event or a roll names is one of the edition's book, and of the event's kind."""
    book, kinds = clause_book(edition), registry.edition(edition).kinds
    guns = ['Gun (30", A3, Rending, Linked)', 'Fuse (30", A3x, Poison)']
    guns += ['Long (30", A2, Sniper)'] if edition == "apocalypse-3.3" else []
    hulls: Json = {"type": "vehicle", "rules": ["Tough(3)", "Fear"], "weapons": [*guns, "Axe (A2)"]}
    men: Json = {"rules": ["Furious", "Fearless"], "weapons": [*guns, "Axe (A2)"]}
    for seed in range(12):
        for kind in ("shooting", "melee", "danger", "power"):
            for a, b in ((hulls, men), (men, hulls)):
                form: Json = {"cover": True, "charged": True, "moved": False, "facing": "rear"}
                form |= {"range": 9} if kind == "shooting" else {}
                found = attack(squad("a1", 2, **a), squad("b1", 3, **b), kind, {"seed": seed}, edition, **form)
                for event in found.events:
                    assert set(event["clauses"]) <= set(book), (event["kind"], set(event["clauses"]) - set(book))
                    assert set(event["clauses"]) <= kinds[event["kind"]].clauses, event["kind"]
