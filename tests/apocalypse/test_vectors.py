"""The contract's vectors that concern attacks of Apocalypse 3.3, and what its sheet has of its own."""

from __future__ import annotations

from functools import partial

import pytest

from rolloff.errors import RolloffError
from tests.onepage.desk import Desk, Json, box, disc, unit
from tests.onepage221.desk import attack as attack_by
from tests.onepage221.desk import squad

EDITION = "apocalypse-3.3"
clause = pytest.mark.clause
attack = partial(attack_by, edition=EDITION)
GUN = 'Gun (30", A1)'
AXE = "Axe (A1)"


@clause(EDITION, "DICE-1", "DICE-4", "DICE-5", "SHOOT-8", "SHOOT-9", "SHOOT-10", "RES-8", "CAS-1", "WPN-1")
def test_tv_d1_d6_to_d8_three_pistols() -> None:
    """Three Pistols at 3+: 2, 3, 4 are two hits; on Quality 5+ 4 fails and 5 blocks."""
    found = attack(squad("a1", 3, q=3, weapons=["Pistol"]), squad("b1", 5, q=5), dice=[2, 3, 4, 4, 5])
    row = found.attacks[0]
    assert (row["attacks"], row["hits"], row["blocked"], row["wounds"], len(row["removed"])) == (3, 2, 1, 1, 1)


@clause(EDITION, "DICE-2", "DICE-3", "WPN-2", "WPN-5")
@pytest.mark.parametrize(("face", "attacks"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_tv_d2_a_d3_is_half_a_die_rounded_up(face: int, attacks: int) -> None:
    """A Grenade Launcher (D3p) rolls for its attacks, and blocks against it are rolled again."""
    found = attack(squad("a1", q=2, weapons=["Grenade Launcher"]), squad("b1", 9, q=2), dice=[face, *[2] * (3 * attacks)])
    assert found.attacks[0]["attacks"] == attacks


@clause(EDITION, "MORALE-2", "MORALE-3", "MORALE-8", "MORALE-1", "SHOOT-14")
@pytest.mark.parametrize(("before", "lost", "tests"), [(6, 3, True), (5, 2, False), (3, 1, True), (2, 1, False)])
def test_tv_d20_r29_only_the_crossing_tests(before: int, lost: int, tests: bool) -> None:
    """From above half of the starting size to half or less; later losses do not test again."""
    theirs = squad("b1", before, start_size=6 if before == 6 else 5)
    found = attack(squad("a1", lost, q=2, weapons=[GUN]), theirs, dice=[2] * lost + [1] * lost + [3] * tests)
    assert found.attacks[0]["morale"] == ("pinned" if tests else "none")


@clause(EDITION, "WPN-6", "CAS-5")
def test_tv_d21_a_single_model_weapon_removes_one() -> None:
    """Three wounds of a Fusion Gun take exactly one model."""
    found = attack(squad("a1", q=2, weapons=["Meltagun"]), squad("b1", 5, q=3), dice=[2, 2, 2, 1, 1, 1, 2, 2, 2])
    assert (found.attacks[0]["wounds"], len(found.attacks[0]["removed"])) == (3, 1)


@clause(EDITION, "WPN-7")
def test_tv_d26_weapons_are_read_as_written() -> None:
    """A line in the notation of the guides is read."""
    found = Desk([squad("a1")], edition=EDITION).ask(parse='Chem Cannon (18", A6, Poison)')
    assert found == {"name": "Chem Cannon", "range": 18.0, "attacks": 6, "x": False, "rules": ["Poison"]}


@clause(EDITION, "WPN-4", "WPN-3", "MELEE-11", "MELEE-10")
def test_melee_weapons_by_strength_and_type() -> None:
    """A Powerfist pierces and rends here; who carries nothing has one attack."""
    desk = Desk([squad("a1")], edition=EDITION)
    assert desk.ask(parse="Heavy Powerfist")["rules"] == ["Piercing", "Rending"]
    assert desk.ask(parse="Heavy Powerfist")["attacks"] == 3
    assert desk.ask(parse="Medium Powersword")["rules"] == ["Piercing"]
    assert attack(squad("a1", 2), squad("b1", 3), "melee", [1, 1]).attacks[0]["attacks"] == 2


@clause(EDITION, "RULE-LINKED-1", "DICE-7")
def test_tv_r1_linked_throws_failures_again() -> None:
    """3 and 4 at 4+, the first rolled again as 4: two hits."""
    found = attack(squad("a1", weapons=['Gun (30", A2, Linked)']), squad("b1", 5, q=2), dice=[3, 4, 4, 2, 2])
    assert found.attacks[0]["hits"] == 2


@clause(EDITION, "RULE-UNWIELDY-1")
def test_tv_r2_unwieldy_throws_successes_again() -> None:
    """4, 5, 2 at 4+, rolled again as 6 and 1: one hit."""
    found = attack(squad("a1", weapons=['Gun (30", A3, Unwieldy)']), squad("b1", 5, q=2), dice=[4, 5, 2, 6, 1, 2])
    assert found.attacks[0]["hits"] == 1


@clause(EDITION, "DICE-8", "RULE-UNWIELDY-2", "RULE-LINKED-2")
def test_tv_r3_no_die_is_thrown_a_third_time() -> None:
    """Linked and Unwieldy: 2 and 5 become 5 and 3, and that is final."""
    found = attack(squad("a1", weapons=['Gun (30", A2, Linked, Unwieldy)']), squad("b1", 5, q=2), dice=[2, 5, 5, 3, 2])
    assert found.attacks[0]["hits"] == 1


@clause(EDITION, "RULE-RENDING-1", "RULE-ARMORED-1", "RES-6")
def test_rending_wounds_past_armor_cover_and_block() -> None:
    """Of a 6 and a 4, the second rolled again, the six wounds by itself; the other hit is ignored on 4+."""
    ours = squad("a1", weapons=['Gun (30", A2, Rending, Linked)'])
    found = attack(ours, squad("b1", 5, rules=["Armored"]), dice=[2, 4, 6, 4], cover=True)
    assert (found.attacks[0]["wounds"], found.attacks[0]["ignored"]) == (1, 1)


@clause(EDITION, "RULE-PIERCING-1")
def test_tv_r8_piercing_throws_blocks_again() -> None:
    """Without armor blocks are rolled again: two wounds."""
    found = attack(squad("a1", 2, q=2, weapons=['Gun (30", A1p)']), squad("b1", 5, q=3), dice=[2, 2, 3, 2, 2])
    assert found.attacks[0]["wounds"] == 2


@clause(EDITION, "RULE-PIERCING-4", "RULE-PIERCING-1", "RES-7", "TERR-COVER-2")
def test_tv_r11_piercing_leaves_cover() -> None:
    """Armored in cover: the cover die at 5+ is still rolled, and no block is rolled again."""
    found = attack(
        squad("a1", 2, q=2, weapons=['Gun (30", A1p)']), squad("b1", 5, rules=["Armored"]), dice=[2, 2, 5, 4, 4], cover=True
    )
    assert [(roll["purpose"], roll["need"], roll["rerolls"]) for roll in found.rolls[1:]] == [
        ("ignore", 5, []),
        ("block", 4, []),
    ]
    assert found.attacks[0]["wounds"] == 0


@clause(EDITION, "RULE-PIERCING-4")
def test_piercing_at_a_squad_in_cover_meets_the_die_and_throws_blocks_again() -> None:
    """Cover without armor: the cover die, and then blocks rolled again."""
    found = attack(squad("a1", q=2, weapons=['Gun (30", A1p)']), squad("b1", 5), dice=[2, 4, 4, 3], cover=True)
    assert [roll["purpose"] for roll in found.rolls] == ["hit", "ignore", "block"] and found.attacks[0]["wounds"] == 1


@clause(EDITION, "RULE-PIERCING-5", "RULE-ARMORED-2", "JOIN-5", "JOIN-6")
@pytest.mark.parametrize(("armored", "again"), [(2, False), (1, True)])
def test_armor_that_too_few_have_is_none(armored: int, again: bool) -> None:
    """With two of four Armored, Piercing ignores that; with one of four, blocks are rolled again."""
    theirs = squad("b1", 4, q=2, models=[{"rules": ["Armored"]}] * armored)
    found = attack(squad("a1", q=2, weapons=['Gun (30", A1p)']), theirs, dice=[2, 2, *([2] * again)])
    assert bool(found.rolls[-1]["rerolls"]) is again


@clause(EDITION, "RES-7", "TERR-COVER-2")
@pytest.mark.parametrize(
    ("rules", "cover", "need"), [(["Armored"], True, 4), ([], True, 5), (["Stealth"], False, 5), (["Armored"], False, 4)]
)
def test_one_ignore_die_the_better(rules: list[str], cover: bool, need: int) -> None:
    """Armored 4+ or cover 5+, never both."""
    found = attack(squad("a1", q=2, weapons=[GUN]), squad("b1", 5, rules=rules), dice=[2, 6], cover=cover)
    assert [(roll["purpose"], roll["need"]) for roll in found.rolls] == [("hit", 2), ("ignore", need)]
    assert ("RES-7" in found.rolls[1]["clauses"]) == (cover and bool(rules))


@clause(EDITION, "RULE-POISON-1")
@pytest.mark.parametrize(("type", "again"), [("infantry", True), ("vehicle", False)])
def test_poison_makes_infantry_throw_blocks_again(type: str, again: bool) -> None:
    """Armor is still rolled for; blocks are rolled again by infantry only."""
    theirs = squad("b1", 3, q=2, type=type, rules=["Armored", "Tough(3)"])
    found = attack(squad("a1", q=2, weapons=['Gun (30", A1, Poison)']), theirs, dice=[2, 3, 2, *([2] * again)])
    assert bool(found.rolls[-1]["rerolls"]) is again


@clause(EDITION, "RULE-REGEN-1", "RES-10", "GEN-4")
def test_tv_r14_regeneration_ignores_on_five() -> None:
    """5, 4, 6 on three wounds leave one."""
    found = attack(
        squad("a1", 3, q=2, weapons=[GUN]), squad("b1", 9, rules=["Regeneration"]), dice=[2] * 3 + [1] * 3 + [5, 4, 6]
    )
    assert found.attacks[0]["wounds"] == 1


@clause(EDITION, "RULE-STEALTH-1")
def test_stealth_is_cover_everywhere() -> None:
    """A stealthy unit in the open rolls the cover die."""
    found = attack(squad("a1", q=2, weapons=[GUN]), squad("b1", 5, rules=["Stealth"]), dice=[2, 5])
    assert "RULE-STEALTH-1" in found.rolls[-1]["clauses"]


@clause(EDITION, "RULE-TOUGH-1", "RULE-TOUGH-2", "RULE-TOUGH-3", "RULE-TOUGH-5")
def test_tv_r15_r16_r18_tough_models() -> None:
    """Wounds go on one model until it dies, on a wounded one first, and a packet takes one only."""
    found = attack(squad("a1", 4, q=2, weapons=[GUN]), squad("b1", 2, rules=["Tough(3)"]), dice=[2] * 4 + [1] * 4 + [6])
    assert [model.get("wounds", 0) for model in found.unit("b1")["models"] if not model.get("removed")] == [1]
    found = attack(squad("a1", q=2, weapons=['Gun (30", A5x)']), squad("b1", 3, rules=["Tough(3)"]), dice=[2] * 5 + [1] * 5)
    assert len(found.attacks[0]["removed"]) == 1
    hero = {"rules": ["Tough(3)", "Hero"], "wounds": 1}
    found = attack(squad("a1", q=2, weapons=[GUN]), squad("b1", 5, models=[hero]), dice=[2, 1])
    assert found.unit("b1")["models"][0]["wounds"] == 2


@clause(EDITION, "VDMG-1")
def test_tv_r26_vehicles_only_lose_wounds() -> None:
    """Two wounds from the rear, and no roll for damage."""
    tank = squad("b1", type="vehicle", rules=["Tough(6)"])
    found = attack(squad("a1", 2, q=2, weapons=['Gun (30", A1p)']), tank, dice=[2, 2, 1, 1], facing="rear")
    assert found.unit("b1")["models"][0]["wounds"] == 2 and found.rolls[-1]["purpose"] == "block"


@clause(EDITION, "RULE-FEARLESS-1", "DICE-11", "MORALE-7")
def test_tv_r28_fearless_keeps_the_better_die() -> None:
    """1 and 5 pass at Quality 4+."""
    found = attack(squad("a1", 3, q=2, weapons=[GUN]), squad("b1", 5, rules=["Fearless"]), dice=[2] * 3 + [1] * 3 + [1, 5])
    assert found.attacks[0]["morale"] == "passed"


@clause(EDITION, "MORALE-4")
@pytest.mark.parametrize(("wounds", "lost", "tests"), [(0, 2, False), (2, 1, True)])
def test_tv_r30_a_single_model_counts_wounds(wounds: int, lost: int, tests: bool) -> None:
    """A Tough(6) model: from six to four no test, from four to three a test."""
    giant = squad("b1", rules=["Tough(6)"], wounds=wounds)
    found = attack(squad("a1", lost, q=2, weapons=[GUN]), giant, dice=[2] * lost + [1] * lost + [4] * tests)
    assert found.attacks[0]["morale"] == ("passed" if tests else "none")


@clause(EDITION, "TERR-DANG-2", "RULE-ARMORED-3")
def test_ones_in_dangerous_ground_wound() -> None:
    """Each 1 is a wound; nothing is blocked or ignored, but Regeneration may help."""
    found = attack(squad("b1"), squad("a1", 5, rules=["Armored", "Regeneration"]), "danger", [1, 1, 3, 4, 6, 5, 4])
    assert (found.attacks[0]["hits"], found.attacks[0]["wounds"]) == (2, 1)


@clause(EDITION, "RULE-IMPACT-1", "MELEE-19", "TYPE-VEH-2", "TYPE-VEH-9")
def test_impact_hits_first_and_by_itself() -> None:
    """A vehicle assaults: four hits, three past armor, two wounds, then its default weapon."""
    tank = squad("a1", type="vehicle", rules=["Tough(6)"])
    dice = [4, 4, 1, 2, 3, 4, 3, 1, 1]
    found = attack(tank, squad("b1", 5, rules=["Armored"]), "melee", dice, charged=True)
    assert (found.attacks[0]["hits"], found.attacks[0]["ignored"], found.attacks[0]["wounds"]) == (4, 1, 2)


@clause(EDITION, "RULE-FURIOUS-1", "MELEE-13")
def test_only_the_furious_have_more_attacks() -> None:
    """An assault adds nothing by itself, and one attack for each Furious model."""
    assert attack(squad("a1", 3, weapons=[AXE]), squad("b1", 9), "melee", [1] * 3, charged=True).attacks[0]["attacks"] == 3
    found = attack(squad("a1", 3, weapons=[AXE], rules=["Furious"]), squad("b1", 9), "melee", [1] * 6, charged=True)
    assert found.attacks[0]["attacks"] == 6


@clause(EDITION, "SHOOT-5", "SHOOT-4", "SHOOT-2", "UNIT-6", "LOS-1")
def test_tv_r43_the_unit_measures_once_and_its_leader_sees() -> None:
    """Models with twelve-inch weapons at 11, 14 and 17 inches all fire if the leader sees the target, none if it does not."""
    ours = unit("a1", "A", [(12, 20), (9, 20), (6, 20)], weapons=["Pistol"])
    theirs = unit("b1", "B", [(24, 20)])
    assert Desk([ours, theirs], edition=EDITION).attack("a1", "b1", dice=[1] * 3).attacks[0]["attacks"] == 3
    wall = box("t1", 13, 19, 14, 21, "impassable", solid=True, height=5)
    assert Desk([ours, theirs], [wall], edition=EDITION).attack("a1", "b1").verdict == "refused"
    far = unit("b1", "B", [(24, 20), (24, 26)])
    assert Desk([ours, far], [wall], edition=EDITION).attack("a1", "b1", dice=[1] * 3).verdict == "legal"


@clause(EDITION, "UNIT-6")
def test_the_leader_is_marked_or_a_hero_or_the_first() -> None:
    """Whoever is marked sees for the unit; without a mark a Hero, else the first model."""
    wall = box("t1", 20, 10, 21, 14, "impassable", solid=True, height=5)
    theirs = unit("b1", "B", [(30, 12)])
    for extra, sees in (({}, False), ({"marks": ["leader"]}, True), ({"rules": ["Hero"]}, True)):
        ours = unit("a1", "A", [(10, 12), (10, 30)], weapons=['Gun (48", A1)'], models=[{}, extra])
        found = Desk([ours, theirs], [wall], edition=EDITION).attack("a1", "b1", dice=[1, 1] if sees else [])
        assert (found.verdict == "legal") is sees


@clause(EDITION, "TERR-COVER-3", "TERR-COVER-6", "TERR-FOOT-2")
@pytest.mark.parametrize(("at", "cover"), [((35, 15), True), ((35, 8), False)])
def test_cover_is_for_who_is_within(at: tuple[float, float], cover: bool) -> None:
    """A unit whose leader stands in the wood has cover, wherever its fellows are; behind the wood it has none."""
    wood = box("t1", 30, 10, 40, 20, "cover")
    theirs = unit("b1", "B", [at, (34, 8)])
    desk = Desk([unit("a1", "A", [(35, 40)], q=2, weapons=['Gun (48", A1)']), theirs], [wood], edition=EDITION)
    assert desk.ask(cover=["a1", "b1"]) is cover
    found = desk.attack("a1", "b1", dice=[2, 5] if cover else [2, 4], range=25, visible=True)
    assert found.attacks[0]["ignored"] == int(cover)


@clause(EDITION, "ELEV-4")
def test_heights_are_cover_against_everyone() -> None:
    """Also a shooter on the same height meets the cover of the piece."""
    hill = disc("t1", 35, 20, 6, "elevation", elevation=3, height=3)
    ours = unit("a1", "A", [(32, 20)], q=2, weapons=[GUN])
    desk = Desk([ours, unit("b1", "B", [(38, 20)])], [hill], edition=EDITION)
    assert desk.attack("a1", "b1", dice=[2, 5], range=5, visible=True).rolls[-1]["clauses"][-1] == "ELEV-4"


@clause(EDITION, "ELEV-3", "ELEV-5")
@pytest.mark.parametrize(("rules", "inside", "again"), [([], False, True), (["Flying"], False, False), ([], True, False)])
def test_tv_r78_assaults_against_a_height(rules: list[str], inside: bool, again: bool) -> None:
    """Who assaults a unit within a piece of elevation is Unwieldy, unless it flies or was within as well."""
    hill = box("t1", 30, 10, 40, 20, "elevation", elevation=3, height=3)
    ours = unit("a1", "A", [(33.9, 19) if inside else (35, 20.6)], weapons=[AXE], rules=rules)
    desk = Desk([ours, unit("b1", "B", [(35, 19)])], [hill], edition=EDITION)
    found = desk.attack("a1", "b1", "melee", dice=[4, 1] if again else [4, 4], charged=True)
    assert bool(found.rolls[0]["rerolls"]) is again


@clause(EDITION, "TERR-FOOT-1", "TERR-FOOT-3")
def test_a_stated_attack_measures_outlines_too() -> None:
    """Twenty inches reach the edge of the wood, though the model within is twenty-four away."""
    wood = box("t1", 30, 10, 40, 20, "cover")
    ours = unit("a1", "A", [(35, 40)], weapons=['Gun (20", A1)'])
    desk = Desk([ours, unit("b1", "B", [(35, 15)])], [wood], edition=EDITION)
    assert desk.attack("a1", "b1", dice=[1]).attacks[0]["attacks"] == 1


@clause(EDITION, "MELEE-9")
def test_everyone_strikes() -> None:
    """However far its models stand, the whole unit strikes."""
    ours = unit("a1", "A", [(10, 10), (20, 10), (30, 10)], weapons=[AXE])
    found = Desk([ours, unit("b1", "B", [(10, 11)])], edition=EDITION).attack("a1", "b1", "melee", dice=[1] * 3)
    assert found.attacks[0]["attacks"] == 3


@clause(EDITION, "RULE-TRANSPORT-8", "CAS-8", "PIN-1")
def test_tv_r60_a_wreck_endangers_and_pins() -> None:
    """Five passengers roll 1 to 5: one wound, and they are Pinned."""
    tank = squad("b1", type="vehicle", rules=["Transport(6)"])
    desk = Desk([squad("a1", q=2, weapons=['Gun (30", A1p)']), tank, {**squad("b2", 5), "where": "b1"}], edition=EDITION)
    found = desk.attack("a1", "b1", dice=[2, 1, 1, 2, 3, 4, 5], range=10, cover=False)
    assert (found.attacks[1]["target"], found.attacks[1]["wounds"]) == ("b2", 1)
    assert "pinned" in found.marks("b2") and found.unit("b2")["where"] == "table"


@clause(EDITION, "RULE-GEN-1", "TYPE-GEN-1")
@pytest.mark.parametrize(
    ("card", "near"),
    [
        ({"weapons": ['Gun (30", A1, Scope)']}, "Sniper"),
        ({"weapons": ["Axe (A1, Strikes Last)"]}, "Unwieldy"),
        ({"rules": ["Hatred"]}, "Linked"),
        ({"type": "monster"}, "monster"),
        ({"rules": ["Walker"]}, "Tough and Armored"),
    ],
)
def test_rules_of_other_editions_are_refused_by_name(card: Json, near: str) -> None:
    """A card that needs another edition is refused with what comes nearest."""
    with pytest.raises(RolloffError) as caught:
        attack(squad("a1", **card), squad("b1"))
    assert near in caught.value.message
