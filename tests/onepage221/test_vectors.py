"""The contract's vectors that concern attacks of 2.21."""

from __future__ import annotations

from typing import Any

import pytest

from tests.onepage.desk import FACINGS, Desk, answer, box, unit
from tests.onepage221.desk import EDITION, attack, squad

clause = pytest.mark.clause
GUN = 'Gun (30", A1)'


@clause(EDITION, "DICE-1", "DICE-4", "DICE-5", "SHOOT-8", "SHOOT-9", "WPN-1")
def test_tv_d1_d6_d7_three_pistols() -> None:
    """Three models with a Pistol at Quality 3+ make three attacks; 2, 3, 4 are two hits."""
    found = attack(squad("a1", 3, q=3, weapons=["Pistol"]), squad("b1", 5, q=2), dice=[2, 3, 4, 2, 2])
    assert (found.attacks[0]["attacks"], found.attacks[0]["hits"], found.attacks[0]["blocked"]) == (3, 2, 2)


@clause(EDITION, "SHOOT-10", "RES-8", "CAS-1")
def test_tv_d8_one_block_one_wound() -> None:
    """Two hits on Quality 5+: 4 fails and 5 blocks, so one model goes."""
    found = attack(squad("a1", 2, q=2, weapons=[GUN]), squad("b1", 5, q=5), dice=[2, 2, 4, 5])
    assert (found.attacks[0]["blocked"], found.attacks[0]["wounds"], len(found.attacks[0]["removed"])) == (1, 1, 1)


@clause(EDITION, "CAS-3", "CAS-2")
def test_tv_d9_only_the_ends_of_a_line_may_go() -> None:
    """Of four models an inch apart one wound takes either end: anyone else would leave the unit in parts."""
    row = unit("b1", "B", [(20 + 2 * k, 20) for k in range(4)])
    desk = Desk([squad("a1", q=2, weapons=['Gun (60", A1)']), row], edition=EDITION)
    form = {"attacker": "a1", "target": "b1", "range": 10, "visible": True, "cover": False}
    found = desk.rule(do={"attack": form}, dice=[2, 1], unanswered="stop")
    assert found.pending is not None and found.pending["options"] == ["b1.1", "b1.4"]


@clause(EDITION, "MELEE-9")
def test_tv_d11_models_within_two_inches_strike() -> None:
    """Models at gaps of 0, 1.5, 2.0 and 2.1 inches: the first three strike."""
    ours = unit("a1", "A", [(10, 10), (12.5, 11), (7, 11), (10, 14.1)], q=2, weapons=["Axe (A1)"])
    found = Desk([ours, unit("b1", "B", [(10, 11)], q=2)], edition=EDITION).attack("a1", "b1", "melee", dice=[2] * 6)
    assert found.attacks[0]["attacks"] == 3


@clause(EDITION, "MELEE-12", "MELEE-13", "MELEE-10")
def test_tv_d12_to_d14_three_hand_weapons_assault() -> None:
    """Three assaulting models with Hand Weapons strike nine times: six hits, three blocks, three wounds."""
    dice = [2, 2, 2, 3, 3, 3, 4, 4, 4, 3, 3, 3, 4, 4, 4]
    found = attack(squad("a1", 3, q=3, weapons=["Hand Weapon"]), squad("b1", 8, q=4), "melee", dice, charged=True)
    row = found.attacks[0]
    assert (row["attacks"], row["hits"], row["blocked"], row["wounds"]) == (9, 6, 3, 3)


@clause(EDITION, "MELEE-12")
def test_the_defender_has_no_bonus() -> None:
    """Who did not assault strikes with its weapons alone."""
    found = attack(squad("a1", 3, q=3, weapons=["Hand Weapon"]), squad("b1", 8), "melee", [2] * 6)
    assert found.attacks[0]["attacks"] == 6


@clause(EDITION, "MELEE-12", "RULE-FURIOUS-1", "GEN-4")
def test_tv_r40_furious_and_the_assault_add_up() -> None:
    """A Furious model with a Hand Weapon assaults with four attacks."""
    found = attack(squad("a1", q=3, rules=["Furious"], weapons=["Hand Weapon"]), squad("b1", 5), "melee", [2] * 4, charged=True)
    assert found.attacks[0]["attacks"] == 4


@clause(EDITION, "MORALE-2", "MORALE-8", "MORALE-1", "SHOOT-14")
@pytest.mark.parametrize(("before", "lost", "tests"), [(6, 3, True), (5, 2, False), (5, 3, True), (3, 2, True), (4, 1, False)])
def test_tv_d20_r31_half_of_the_models_at_once(before: int, lost: int, tests: bool) -> None:
    """A test is due when an event kills at least half of the models there were when it began; a 3 fails Quality 4+."""
    theirs = squad("b1", before, q=4, start_size=10)
    found = attack(squad("a1", lost, q=2, weapons=[GUN]), theirs, dice=[2] * lost + [1] * lost + [3] * tests)
    assert found.attacks[0]["morale"] == ("pinned" if tests else "none")
    assert ("pinned" in found.marks("b1")) == tests


@clause(EDITION, "WPN-6", "CAS-5", "RULE-PIERCING-1")
def test_tv_d21_a_single_model_weapon_removes_one() -> None:
    """Three wounds of a Fusion Gun take exactly one of five ordinary models."""
    dice = [2, 2, 2, 1, 1, 1, 2, 2, 2]
    found = attack(squad("a1", q=2, weapons=["Meltagun"]), squad("b1", 5, q=3), dice=dice)
    assert (found.attacks[0]["attacks"], found.attacks[0]["wounds"], len(found.attacks[0]["removed"])) == (6, 3, 1)


@clause(EDITION, "GEN-3", "TERR-COVER-2", "RES-6", "RULE-ARMORED-1")
@pytest.mark.parametrize(("rules", "cover"), [(["Armored"], True), (["Armored"], False), ([], True)])
def test_tv_d22_cover_is_armored(rules: list[str], cover: bool) -> None:
    """Two hits on an Armored unit, in a forest or not, or on one that is only in the forest: two dice at 4+ and no more."""
    found = attack(squad("a1", 2, q=2, weapons=[GUN]), squad("b1", 5, q=2, rules=rules), dice=[2, 2, 4, 3, 2], cover=cover)
    assert [(roll["purpose"], roll["need"]) for roll in found.rolls] == [("hit", 2), ("ignore", 4), ("block", 2)]
    assert found.attacks[0]["ignored"] == 1


@clause(EDITION, "MELEE-13")
def test_cover_never_helps_in_melee() -> None:
    """Strikes at a unit in cover roll no ignore dice."""
    found = attack(squad("a1", q=2, weapons=["Axe (A1)"]), squad("b1", 5, q=2), "melee", [2, 2], cover=True)
    assert [roll["purpose"] for roll in found.rolls] == ["hit", "block"]


@clause(EDITION, "WPN-7", "WPN-2")
def test_tv_d26_weapons_are_read_as_written() -> None:
    """A line in the notation of the guide is read; the suffix p is none of this edition."""
    desk = Desk([squad("a1")], edition=EDITION)
    found = desk.ask(parse='Chem Cannon (18", A6, Poison)')
    assert found == {"name": "Chem Cannon", "range": 18.0, "attacks": 6, "x": False, "rules": ["Poison"]}


@clause(EDITION, "RULE-LINKED-1", "DICE-7", "DICE-9")
def test_tv_r1_linked_throws_failures_again() -> None:
    """Linked at Quality 4+: 3 and 4, the first rolled again as 4, are two hits."""
    found = attack(squad("a1", q=4, weapons=['Gun (30", A2, Linked)']), squad("b1", 5, q=2), dice=[3, 4, 4, 2, 2])
    assert found.attacks[0]["hits"] == 2


@clause(EDITION, "RULE-RENDING-1")
def test_tv_r4_rending_wounds_past_armor_and_block() -> None:
    """A 6 wounds by itself, past Armored and block; the other hit is ignored."""
    found = attack(squad("a1", q=4, weapons=['Gun (30", A2, Rending)']), squad("b1", 5, rules=["Armored"]), dice=[6, 4, 4])
    assert (found.attacks[0]["hits"], found.attacks[0]["ignored"], found.attacks[0]["wounds"]) == (2, 1, 1)


@clause(EDITION, "RULE-RENDING-1", "TERR-COVER-2")
def test_rending_gets_past_cover() -> None:
    """A 6 of a Rending weapon meets neither cover nor block."""
    found = attack(squad("a1", q=4, weapons=['Gun (30", A1, Rending)']), squad("b1", 5), dice=[6], cover=True)
    assert found.attacks[0]["wounds"] == 1


@clause(EDITION, "RULE-RENDING-1", "RULE-LINKED-1")
def test_tv_r6_a_six_on_the_second_throw_rends() -> None:
    """The final face counts."""
    found = attack(squad("a1", q=4, weapons=['Gun (30", A1, Rending, Linked)']), squad("b1", 5), dice=[2, 6])
    assert found.attacks[0]["wounds"] == 1


@clause(EDITION, "RULE-PIERCING-3", "RULE-PIERCING-1")
def test_tv_r7_piercing_ignores_armor() -> None:
    """Two Piercing hits on Armored Quality 3+: no ignore dice, blocks of 3 and 2 leave one wound."""
    ours, theirs = squad("a1", 2, q=2, weapons=['Gun (30", A1, Piercing)']), squad("b1", 5, q=3, rules=["Armored"])
    found = attack(ours, theirs, dice=[2, 2, 3, 2])
    assert (found.attacks[0]["ignored"], found.attacks[0]["wounds"]) == (0, 1)


@clause(EDITION, "RULE-PIERCING-1", "RES-9")
def test_tv_r8_piercing_throws_blocks_again() -> None:
    """Without armor a block of 3 is rolled again as 2: two wounds."""
    found = attack(squad("a1", 2, q=2, weapons=['Gun (30", A1, Piercing)']), squad("b1", 5, q=3), dice=[2, 2, 3, 2, 2])
    assert found.attacks[0]["wounds"] == 2


@clause(EDITION, "TERR-COVER-2", "RULE-PIERCING-3")
def test_tv_r13_piercing_ignores_cover_as_armor() -> None:
    """Cover is Armored here, so Piercing picks to ignore it: no ignore dice, and blocks stand."""
    ours, theirs = squad("a1", q=2, weapons=['Gun (30", A1, Piercing)']), squad("b1", 5, q=4)
    found = attack(ours, theirs, dice=[2, 4], cover=True)
    assert (found.attacks[0]["ignored"], found.attacks[0]["blocked"]) == (0, 1)


@clause(EDITION, "RULE-TOUGH-1", "RULE-TOUGH-2", "RULE-TOUGH-5")
def test_tv_r15_tough_models_die_one_after_the_other() -> None:
    """Four wounds on two Tough(3) models: one is removed, the other bears one."""
    found = attack(squad("a1", 4, q=2, weapons=[GUN]), squad("b1", 2, rules=["Tough(3)"]), dice=[2] * 4 + [1] * 4 + [6])
    assert len(found.attacks[0]["removed"]) == 1
    assert sorted(model.get("wounds", 0) for model in found.unit("b1")["models"] if not model.get("removed")) == [1]


@clause(EDITION, "CAS-5", "WPN-6")
def test_tv_r16_what_a_packet_does_not_need_is_lost() -> None:
    """Five wounds of one weapon take one Tough(3) model, and the rest is lost."""
    ours, theirs = squad("a1", q=2, weapons=['Gun (30", A5x)']), squad("b1", 3, rules=["Tough(3)"])
    found = attack(ours, theirs, dice=[2] * 5 + [1] * 5)
    assert (found.attacks[0]["wounds"], len(found.attacks[0]["removed"])) == (5, 1)
    assert all(not model.get("wounds") for model in found.unit("b1")["models"] if not model.get("removed"))


@clause(EDITION, "RULE-TOUGH-3")
def test_tv_r18_a_wounded_hero_takes_the_next_wound() -> None:
    """A wound goes on the Hero that is hurt already."""
    hero = {"rules": ["Tough(3)", "Hero"], "wounds": 1}
    found = attack(squad("a1", q=2, weapons=[GUN]), squad("b1", 5, models=[hero]), dice=[2, 1])
    assert found.attacks[0]["removed"] == []
    assert found.unit("b1")["models"][0]["wounds"] == 2


@clause(EDITION, "RULE-TOUGH-3")
@pytest.mark.parametrize(("order", "removed"), [("ordinary-first", 2), ("tough-first", 0)])
def test_tv_r79_ordinary_models_or_the_hero_never_one_of_each(order: str, removed: int) -> None:
    """Two wounds take two ordinary models, or both go on the unhurt Hero."""
    hero = {"rules": ["Tough(3)", "Hero"]}
    desk = Desk([squad("a1", 2, q=2, weapons=[GUN]), squad("b1", 5, models=[hero])], edition=EDITION)
    form = {"attacker": "a1", "target": "b1", "range": 10, "cover": False}
    found = desk.rule(do={"attack": form}, dice=[2, 2, 1, 1], answers=[answer("choose-option", order)])
    assert len(found.attacks[0]["removed"]) == removed


@clause(EDITION, "TERR-DANG-2")
def test_tv_r19_ones_in_dangerous_ground_are_hits() -> None:
    """Five models roll two ones: two automatic hits, one of them blocked."""
    found = attack(squad("b1"), squad("a1", 5, q=4), "danger", [1, 1, 3, 4, 6, 4, 2])
    assert (found.attacks[0]["hits"], found.attacks[0]["blocked"], found.attacks[0]["wounds"]) == (2, 1, 1)


@clause(EDITION, "TERR-DANG-2", "RULE-ARMORED-1", "RULE-ARMORED-3")
@pytest.mark.parametrize(("rules", "ignored"), [(["Armored"], 1), ([], 0)])
def test_own_armor_helps_on_dangerous_ground_and_cover_does_not(rules: list[str], ignored: int) -> None:
    """The hit of dangerous ground may be ignored by Armored, but not by the cover one stands in."""
    found = attack(squad("b1"), squad("a1", 1, q=4, rules=[*rules, "Tough(3)"]), "danger", [1, 4], cover=True)
    assert (found.attacks[0]["ignored"], found.attacks[0]["blocked"]) == (ignored, 1 - ignored)


HULL: dict[str, Any] = {"type": "vehicle", "rules": ["Tough(6)"], "q": 4}


@clause(EDITION, "VDMG-1", "VDMG-2", "VDMG-3", "VDMG-5", "VDMG-6", "VDMG-7")
@pytest.mark.parametrize(
    ("facing", "dice", "result"),
    [("front", [5, 3], "shaken"), ("side", [2], "glanced"), ("rear", [2, 5], "immobile"), ("front", [5, 6], "immobile")],
)
def test_tv_r21_the_table_of_damage(facing: str, dice: list[int], result: str) -> None:
    """The lower of two dice from the front, one from the side, the higher from the rear."""
    ours = squad("a1", q=2, weapons=['Gun (30", A1, Piercing)'])
    found = attack(ours, squad("b1", **HULL), dice=[2, 1, *dice], facing=facing)
    assert found.kinds()[-1] == result
    assert found.rolls[-1]["clauses"] == ["VDMG-3"]


@clause(EDITION, "VDMG-8")
@pytest.mark.parametrize(("dice", "wounds", "end"), [([5, 6, 3], 3, "shaken"), ([5, 1], 2, "glanced"), ([4], 1, "shaken")])
def test_an_immobile_result_again_wounds_and_is_rolled_for_again(dice: list[int], wounds: int, end: str) -> None:
    """An Immobile vehicle takes one wound more for each further such result, until another comes."""
    ours, theirs = squad("a1", q=2, weapons=['Gun (30", A1, Piercing)']), squad("b1", **HULL, marks=["immobile"])
    found = attack(ours, theirs, dice=[2, 1, *dice], facing="side")
    assert found.unit("b1")["models"][0]["wounds"] == wounds
    assert found.kinds()[-1] == end and found.attacks[0]["wounds"] == 1


@clause(EDITION, "VDMG-8")
def test_the_chain_ends_with_the_vehicle() -> None:
    """The last wound of the table destroys it, and nothing is rolled after that."""
    hull = {**HULL, "rules": ["Tough(3)"]}
    ours, theirs = squad("a1", q=2, weapons=['Gun (30", A1, Piercing)']), squad("b1", **hull, marks=["immobile"])
    found = attack(ours, theirs, dice=[2, 1, 5, 6], facing="side")
    assert found.attacks[0]["removed"] == ["b1.1"]


@clause(EDITION, "TYPE-WALK-1", "VDMG-1")
@pytest.mark.parametrize(("type", "rolls"), [("walker", True), ("monster", False), ("infantry", False), ("vehicle", True)])
def test_vehicles_and_walkers_roll_for_damage(type: str, rolls: bool) -> None:
    """Who was wounded and lives rolls on the table if it is a vehicle or a walker."""
    ours = squad("a1", q=2, weapons=['Gun (30", A1, Piercing)'])
    found = attack(ours, squad("b1", type=type, rules=["Tough(3)"]), dice=[2, 1, *([3] * rolls)], facing="side")
    assert ("shaken" in found.kinds()) == rolls


@clause(EDITION, "VDMG-10", "VDMG-11")
@pytest.mark.parametrize(
    ("x", "y", "facing"),
    FACINGS,
)
def test_tv_r27_facings_by_angle(x: float, y: float, facing: str) -> None:
    """Below 45 degrees off the forward axis front, above 135 rear, else side; as asked, and as dice are rolled."""
    ours = unit("a1", "A", [(36 + x, 24 + y)], q=2, weapons=['Gun (30", A1, Piercing)'])
    desk = Desk([ours, unit("b1", "B", [(36, 24)], **HULL)], edition=EDITION)
    assert desk.ask(facing=["a1", "b1"]) == facing
    found = desk.attack("a1", "b1", dice=[2, 1, *([1] if facing == "side" else [1, 1])])
    assert len(found.rolls[-1]["faces"]) == (1 if facing == "side" else 2)


@clause(EDITION, "RULE-FEARLESS-1", "DICE-11", "MORALE-7")
def test_tv_r28_fearless_keeps_the_better_die() -> None:
    """1 and 5 pass at Quality 4+."""
    found = attack(squad("a1", 3, q=2, weapons=[GUN]), squad("b1", 5, rules=["Fearless"]), dice=[2] * 3 + [1] * 3 + [1, 5])
    assert found.attacks[0]["morale"] == "passed"


@clause(EDITION, "MORALE-2")
def test_tv_r33_a_single_model_never_tests_for_heavy_loss() -> None:
    """A Tough(6) model that loses five wounds to shooting stands."""
    found = attack(squad("a1", 5, q=2, weapons=[GUN]), squad("b1", rules=["Tough(6)"]), dice=[2] * 5 + [1] * 5)
    assert found.attacks[0]["morale"] == "none"


@clause(EDITION, "SHOOT-6", "RULE-RELENTLESS-1")
@pytest.mark.parametrize(
    ("rules", "moved", "attacks"), [([], False, 3), ([], True, 3), (["Relentless"], False, 4), (["Relentless"], True, 3)]
)
def test_tv_r44_one_weapon_a_model(rules: list[str], moved: bool, attacks: int) -> None:
    """Of an Assault Rifle and a Minigun a model fires the better, and all of them only if it is Relentless and holds."""
    ours = squad("a1", q=2, rules=rules, weapons=["Assault Rifle", "Minigun"])
    found = attack(ours, squad("b1", 9, q=2), dice=[2] * 8 if attacks == 4 else [2] * 6, moved=moved)
    assert found.attacks[0]["attacks"] == attacks


@clause(EDITION, "SHOOT-6")
def test_two_named_weapons_of_a_model_are_refused() -> None:
    """A model that is not Relentless cannot be told to fire two weapons."""
    found = attack(squad("a1", weapons=["Assault Rifle", "Pistol"]), squad("b1", 5), weapons=[["a1.1", 0], ["a1.1", 1]])
    assert found.verdict == "refused" and found.refusal is not None and found.refusal["clause"] == "SHOOT-6"


@clause(EDITION, "TERR-COVER-1", "TERR-COVER-3", "TERR-COVER-4", "TERR-COVER-6")
@pytest.mark.parametrize(("models", "inside", "cover"), [(5, 3, True), (4, 2, False)])
def test_tv_r52_more_than_half_within_cover(models: int, inside: int, cover: bool) -> None:
    """Three of five models within a wood are in cover, two of four are not."""
    wood = box("t1", 30, 10, 40, 20, "cover")
    theirs = unit("b1", "B", [(31 + 1.5 * k, 15 if k < inside else 22) for k in range(models)])
    ours = unit("a1", "A", [(35, 40)], q=2, weapons=[GUN])
    desk = Desk([ours, theirs], [wood], edition=EDITION)
    assert desk.ask(cover=["a1", "b1"]) is cover
    found = desk.attack("a1", "b1", dice=[2, 6])
    assert (found.attacks[0]["ignored"], found.attacks[0]["blocked"]) == ((1, 0) if cover else (0, 1))


@clause(EDITION, "ELEV-4", "ELEV-1", "ELEV-2")
def test_a_target_on_higher_ground_is_in_cover() -> None:
    """Shots from below meet cover, which is Armored here."""
    hill = box("t1", 30, 10, 40, 20, "elevation", elevation=3, height=3)
    ours, theirs = unit("a1", "A", [(35, 30)], q=2, weapons=[GUN]), unit("b1", "B", [(35, 15)])
    found = Desk([ours, theirs], [hill], edition=EDITION).attack("a1", "b1", dice=[2, 6])
    assert found.rolls[-1]["clauses"] == ["RES-6", "RULE-ARMORED-1", "TERR-COVER-2", "ELEV-4"]


@clause(EDITION, "COH-1")
def test_tv_r49_a_link_of_one_inch() -> None:
    """Two models an inch and a half apart are not coherent."""
    assert Desk([unit("a1", "A", [(10, 10), (12.5, 10)])], edition=EDITION).ask(coherent="a1") is False
    assert Desk([unit("a1", "A", [(10, 10), (12, 10)])], edition=EDITION).ask(coherent="a1") is True
