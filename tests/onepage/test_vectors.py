"""Every worked example and derived vector of the contract that holds in the third edition, by its number."""

from __future__ import annotations

from typing import Any

import pytest

from tests.onepage.desk import FACINGS, Desk, answer, box, disc, unit

E = "onepage-3.0"
PISTOL = 'Pistol (12", A1)'


def clause(*ids: str) -> pytest.MarkDecorator:
    """Mark the clauses of the third edition a test covers."""
    return pytest.mark.clause(E, *ids)


def line(id: str, side: str, n: int, y: float, **more: object) -> dict[str, object]:
    """A unit of n models side by side, two inches from centre to centre."""
    return unit(id, side, [(10 + 2 * k, y) for k in range(n)], **more)  # type: ignore[arg-type]


# -- 4.1 worked examples -------------------------------------------------------------------------------------------------


@clause("DICE-4", "DICE-5", "SHOOT-8", "SHOOT-9")
def test_tv_d1_d6_d7_three_pistols_hit_twice() -> None:
    """TV-D1, TV-D6, TV-D7: three pistols are three attacks; at 3+ the dice 2, 3, 4 are two hits."""
    found = Desk([line("a1", "A", 3, 10, q=3, weapons=[PISTOL]), line("b1", "B", 5, 16, q=5)]).attack(
        "a1", "b1", dice={"hit": [2, 3, 4], "block": [5, 5]}
    )
    assert (found.attacks[0]["attacks"], found.attacks[0]["hits"]) == (3, 2)
    assert found.rolls[0]["successes"] == 2


@clause("SHOOT-10", "RES-8")
def test_tv_d8_one_block_one_wound() -> None:
    """TV-D8: two hits on Quality 5+ with block dice 4, 5: one block, one wound."""
    found = Desk([line("a1", "A", 2, 10, q=3, weapons=[PISTOL]), line("b1", "B", 5, 16, q=5)]).attack(
        "a1", "b1", dice=[3, 3, 4, 5]
    )
    assert (found.attacks[0]["blocked"], found.attacks[0]["wounds"]) == (1, 1)


@clause("DICE-2", "DICE-3", "WPN-2")
@pytest.mark.parametrize(("face", "attacks"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_tv_d2_a_d3_is_half_a_die_rounded_up(face: int, attacks: int) -> None:
    """TV-D2: faces 1 to 6 read as a D3 are 1, 1, 2, 2, 3, 3."""
    found = Desk([line("a1", "A", 1, 10, weapons=['Launcher (24", AD3)']), line("b1", "B", 5, 16)]).attack(
        "a1", "b1", dice=[face, *[1] * attacks]
    )
    assert found.attacks[0]["attacks"] == attacks


@clause("LOS-1", "LOS-3", "TERR-COVER-3")
def test_tv_d4_sight_past_a_wall_and_cover_in_a_crater() -> None:
    """TV-D4: blue and green are seen, red behind the wall is not; green stands in cover."""
    units = [
        unit("a1", "A", [(20, 20)], height=1),
        unit("b1", "B", [(32, 28)], height=1),
        unit("b2", "B", [(20, 32)], height=1),
        unit("b3", "B", [(32, 20)], height=1),
    ]
    wall = box("w", 25, 18, 26, 22, "impassable", height=5, solid=True)
    desk = Desk(units, [wall, disc("c", 20, 32, 2, "cover")])
    assert [desk.ask(sight=["a1.1", other]) for other in ("b1.1", "b2.1", "b3.1")] == [True, True, False]
    assert desk.ask(cover=["a1", "b2"]) is True
    assert desk.ask(cover=["a1", "b1"]) is False


@clause("SHOOT-3", "SHOOT-2", "SHOOT-5")
def test_tv_d5_only_models_that_see_may_fire() -> None:
    """TV-D5: all three are in range, but the wall leaves sight to the first two only."""
    shooters = unit("a1", "A", [(20, 20), (20, 18), (20, 24)], weapons=[PISTOL])
    targets = unit("b1", "B", [(30, 20), (30, 18)])
    wall = box("w", 23, 20.8, 24, 26, height=5, solid=True)
    found = Desk([shooters, targets], [wall]).attack("a1", "b1", dice=[1, 1])
    assert found.event("shot")["facts"]["models"] == ["a1.1", "a1.2"]


@clause("CAS-3", "CAS-2", "COH-1")
def test_tv_d10_only_the_ends_of_a_line_may_go() -> None:
    """TV-D10: four models with gaps of 2 inches lose one: only an end keeps the rest coherent."""
    targets = unit("b1", "B", [(10, 16), (13, 16), (16, 16), (19, 16)], q=6)
    desk = Desk([unit("a1", "A", [(10, 10)], weapons=[PISTOL]), targets])
    found = desk.activate("a1", "hold", dice=[6, 1], unanswered="stop", answers=[answer("choose-target", "b1")])
    assert found.pending is not None
    assert found.pending["options"] == ["b1.1", "b1.4"]


@clause("MELEE-9")
def test_tv_d11_models_within_two_inches_strike() -> None:
    """TV-D11: gaps of 0, 1.5, 2.0 and 2.1 inches: the first three strike, the last does not."""
    ours = unit("a1", "A", [(10, 10), (12, 8.5), (14, 8), (16, 7.9)], weapons=["Light CCW"])
    theirs = unit("b1", "B", [(10, 11), (12, 11), (14, 11), (16, 11)])
    found = Desk([ours, theirs]).attack("a1", "b1", "melee", dice=[1, 1, 1])
    assert found.attacks[0]["attacks"] == 3


@clause("MELEE-10", "MELEE-13", "WPN-4")
def test_tv_d16_to_d18_three_medium_blades() -> None:
    """TV-D16 to TV-D18: three Medium CCW make six attacks; 2,2,3,3,4,4 at 3+ hit four times; 3,3,4,4 at 4+ block two."""
    ours = unit("a1", "A", [(10, 10), (12, 10), (14, 10)], q=3, weapons=["Medium CCW"])
    theirs = unit("b1", "B", [(10, 11), (12, 11), (14, 11)])
    found = Desk([ours, theirs]).attack("a1", "b1", "melee", charged=True, dice=[2, 2, 3, 3, 4, 4, 3, 3, 4, 4])
    row = found.attacks[0]
    assert (row["attacks"], row["hits"], row["blocked"], row["wounds"]) == (6, 4, 2, 2)


@clause("MORALE-2", "MORALE-5")
def test_tv_d20_half_of_six_lost_tests() -> None:
    """TV-D20: a unit of six that loses three models to one shooting tests its morale."""
    found = Desk([line("a1", "A", 3, 10, weapons=[PISTOL]), line("b1", "B", 6, 16, q=6)]).attack(
        "a1", "b1", dice=[4, 4, 4, 1, 1, 1, 6]
    )
    assert found.attacks[0]["morale"] == "passed"
    assert len(found.attacks[0]["removed"]) == 3


@clause("WPN-6", "CAS-5")
def test_tv_d21_a_single_model_weapon_removes_one() -> None:
    """TV-D21: a weapon with suffix x that causes three wounds removes exactly one ordinary model."""
    found = Desk([line("a1", "A", 1, 10, weapons=['Fusion (12", A6x)']), line("b1", "B", 5, 16, q=6)]).attack(
        "a1", "b1", dice=[4, 4, 4, 1, 1, 1, 1, 1, 1]
    )
    assert (found.attacks[0]["wounds"], len(found.attacks[0]["removed"])) == (3, 1)


@clause("RES-7", "RES-6", "TERR-COVER-2", "RULE-ARMORED-1")
def test_tv_d23_armored_in_cover_throws_one_die_a_hit() -> None:
    """TV-D23: an Armored unit in cover rolls one ignore die a hit, at 4+, and no second one."""
    targets = line("b1", "B", 4, 16, q=6, rules=["Armored"])
    found = Desk([line("a1", "A", 2, 10, weapons=[PISTOL]), targets]).attack(
        "a1", "b1", cover=True, dice={"hit": [4, 4], "ignore": [4, 3], "block": [6]}
    )
    assert (found.rolls[1]["need"], found.rolls[1]["faces"]) == (4, [4, 3])
    assert found.attacks[0]["ignored"] == 1


@clause("GEN-3", "RULE-LINKED-2")
def test_tv_d24_linked_twice_is_linked_once() -> None:
    """TV-D24: weapons that are Linked and granted Linked again roll failures again once."""
    ours = line("a1", "A", 2, 10, weapons=['Rifle (30", A1, Linked)'], marks=[{"grant-weapons:Linked": "end-of-round"}])
    found = Desk([ours, line("b1", "B", 3, 16)]).attack("a1", "b1", dice={"hit": [1, 1], "hit>": [2, 4], "block": [6]})
    assert (found.attacks[0]["hits"], found.dice_used) == (1, 5)


@clause("JOIN-2", "JOIN-1")
def test_tv_d25_different_kit_for_all_cannot_merge() -> None:
    """TV-D25: five with pistols and hand weapons and five with rifles are not two copies of one unit."""
    a1 = unit("a1", "A", [(10 + 2 * k, 4) for k in range(5)], weapons=[PISTOL, "Medium CCW"])
    a2 = unit("a2", "A", [(30 + 2 * k, 4) for k in range(5)], weapons=['Rifle (30", A1)'])
    a3 = unit("a3", "A", [(50 + 2 * k, 4) for k in range(5)], weapons=[PISTOL, "Medium CCW"])
    desk = Desk([a1, a2, a3, unit("b1", "B", [(40, 40)])])
    assert desk.ask(merge=["a1", "a2"]) is False
    assert desk.ask(merge=["a1", "a3"]) is True


@clause("WPN-7", "WPN-1")
def test_tv_d26_d27_weapons_are_read_as_written() -> None:
    """TV-D26, TV-D27: range, attacks, suffix and rules of written weapons; x and Piercing are one Piercing."""
    desk = Desk([unit("a1", "A", [(10, 10)]), unit("b1", "B", [(10, 20)])])
    chem = desk.ask(parse='Chem Cannon (18", A6, Poison)')
    assert (chem["range"], chem["attacks"], chem["rules"]) == (18, 6, ["Poison"])
    sniper = desk.ask(parse='Sniper Rifle (36", A3x, Piercing)')
    assert (sniper["range"], sniper["attacks"], sniper["x"], sniper["rules"]) == (36, 3, True, ["Piercing"])


@clause("ARC-1", "ARC-2", "LOS-10")
@pytest.mark.parametrize(("mount", "fires"), [("turret", True), ("front", False)])
def test_tv_d28_a_front_mount_does_not_fire_sideways(mount: str, fires: bool) -> None:
    """TV-D28: a target at right angles: the turret may fire, the front mount may not."""
    gun = {"name": "Gun", "range": 48, "A": 1, "rules": [], "mount": mount}
    tank = unit("a1", "A", [(30, 10)], type="vehicle", weapons=[gun])
    found = Desk([tank, unit("b1", "B", [(30, 30)])]).activate("a1", "hold", dice=[1] if fires else [])
    assert ("shot" in found.kinds()) is fires


@clause("GEN-7")
@pytest.mark.parametrize(("face", "decides"), [(3, "A"), (4, "B")])
def test_tv_d29_a_die_settles_a_dispute(face: int, decides: str) -> None:
    """TV-D29: dispute die 3: player A decides; 4: player B decides."""
    desk = Desk([unit("a1", "A", [(10, 10)]), unit("b1", "B", [(10, 20)])])
    found = desk.rule(do={"dispute": {"topic": "cover", "text": "it counts"}}, dice=[face])
    assert found.event("ruled")["facts"]["side"] == decides


# -- 4.2 derived vectors: dice and stages --------------------------------------------------------------------------------


def duel(
    weapon: str,
    dice: object,
    *,
    q: int = 4,
    foe_q: int = 4,
    enemies: int = 5,
    rules: tuple[str, ...] = (),
    n: int = 1,
    **form: Any,
) -> dict:  # type: ignore[type-arg]
    """One unit of n models with a weapon shoots at a unit in the open."""
    targets = line("b1", "B", enemies, 16, q=foe_q, rules=list(rules))
    found = Desk([line("a1", "A", n, 10, q=q, weapons=[weapon]), targets]).attack("a1", "b1", dice=dice, **form)
    return found.attacks[0] | {"rolls": found.rolls, "dice_used": found.dice_used}


@clause("RULE-LINKED-1", "DICE-7")
def test_tv_r1_linked_throws_failures_again() -> None:
    """TV-R1: Linked at 4+, dice 3, 4 and the re-roll 4: two hits."""
    assert duel('Gun (24", A2, Linked)', [3, 4, 4, 6, 6])["hits"] == 2


@clause("RULE-UNWIELDY-1")
def test_tv_r2_unwieldy_throws_successes_again() -> None:
    """TV-R2: Unwieldy at 4+, dice 4, 5, 2 and re-rolls 6, 1: one hit."""
    assert duel('Gun (24", A3, Unwieldy)', [4, 5, 2, 6, 1, 6])["hits"] == 1


@clause("DICE-8", "DICE-9", "RULE-LINKED-2")
def test_tv_r3_no_die_is_thrown_a_third_time() -> None:
    """TV-R3: Linked and Unwieldy at 4+, dice 2, 5 and re-rolls 5, 3: one hit, and nothing more is rolled."""
    found = duel('Gun (24", A2, Linked, Unwieldy)', [2, 5, 5, 3, 6])
    assert (found["hits"], found["dice_used"]) == (1, 5)


@clause("RULE-RENDING-1")
def test_tv_r4_rending_wounds_past_armor_and_block() -> None:
    """TV-R4: Rending with 6, 4 against Armored: the six wounds by itself; the four is ignored on 4."""
    found = duel('Gun (24", A2, Rending)', {"hit": [6, 4], "ignore": [4]}, rules=("Armored",))
    assert (found["wounds"], found["ignored"], found["dice_used"]) == (1, 1, 3)


@clause("RULE-RENDING-1", "RULE-LINKED-1")
def test_tv_r6_a_six_on_the_second_throw_rends() -> None:
    """TV-R6: Rending and Linked: a 2 rolled again as 6 is one automatic wound."""
    found = duel('Gun (24", A1, Rending, Linked)', {"hit": [2], "hit>": [6]})
    assert (found["wounds"], found["dice_used"]) == (1, 2)


@clause("RULE-PIERCING-1", "RULE-PIERCING-3")
def test_tv_r8_piercing_throws_blocks_again() -> None:
    """TV-R8: Piercing, two hits on unarmoured 3+ in the open, blocks 3, 2 and the re-roll 2: two wounds."""
    found = duel('Gun (24", A2p)', {"hit": [4, 4], "block": [3, 2], "block>": [2]}, foe_q=3)
    assert found["wounds"] == 2


@clause("RULE-PIERCING-3")
@pytest.mark.parametrize(("quality", "mode"), [(4, "blocks"), (5, "armor"), (6, "armor"), (3, "blocks")])
def test_tv_r9_the_pick_against_armor_in_cover(quality: int, mode: str) -> None:
    """TV-R9: Piercing on Armored in cover: re-roll blocks at 4+ or better (ignore dice at 4+), else past Armored to 5+."""
    dice = (
        {"hit": [4], "ignore": [1], "block": [6], "block>": [6]}
        if mode == "blocks"
        else {"hit": [4], "ignore": [1], "block": [6]}
    )
    found = duel('Gun (24", A1p)', dice, foe_q=quality, rules=("Armored",), cover=True)
    assert next(roll["need"] for roll in found["rolls"] if roll["purpose"] == "ignore") == (4 if mode == "blocks" else 5)


@clause("RULE-REGEN-1", "RES-10")
def test_tv_r14_regeneration_ignores_on_five() -> None:
    """TV-R14: three wounds with regeneration dice 5, 4, 6: one is left."""
    found = duel('Gun (24", A3)', [4, 4, 4, 1, 1, 1, 5, 4, 6], rules=("Regeneration",))
    assert found["wounds"] == 1


@clause("RULE-TOUGH-1", "RULE-TOUGH-2", "RULE-TOUGH-5")
def test_tv_r15_tough_models_die_one_after_the_other() -> None:
    """TV-R15: two Tough(3) models take four wounds: one is removed, the other bears one."""
    targets = line("b1", "B", 2, 16, rules=["Tough(3)", "Fearless"])
    found = Desk([line("a1", "A", 1, 10, weapons=['Gun (24", A4)']), targets]).attack(
        "a1", "b1", dice=[4] * 4 + [1] * 4 + [6, 6]
    )
    assert len(found.attacks[0]["removed"]) == 1
    assert sorted(model.get("wounds", 0) for model in found.unit("b1")["models"] if model.get("at")) == [1]


@clause("CAS-5", "WPN-6")
def test_tv_r16_what_a_packet_does_not_need_is_lost() -> None:
    """TV-R16: five wounds of one x weapon on Tough(3) models: one removed, two wounds lost."""
    targets = line("b1", "B", 3, 16, q=6, rules=["Tough(3)"])
    found = Desk([line("a1", "A", 1, 10, weapons=['Gun (24", A5x)']), targets]).attack("a1", "b1", dice=[4] * 5 + [1] * 5)
    assert len(found.attacks[0]["removed"]) == 1
    assert all(not model.get("wounds") for model in found.unit("b1")["models"])


@clause("RULE-TOUGH-3")
def test_tv_r18_a_wounded_hero_takes_the_next_wound() -> None:
    """TV-R18: a Tough(3) hero with one wound among four ordinary models must take the next."""
    models = [{"rules": ["Tough(3)", "Hero"], "wounds": 1}]
    targets = unit("b1", "B", [(10 + 2 * k, 16) for k in range(5)], q=6, models=models)
    found = Desk([line("a1", "A", 1, 10, weapons=[PISTOL]), targets]).attack("a1", "b1", dice=[4, 1])
    assert found.attacks[0]["removed"] == []
    assert next(m for m in found.unit("b1")["models"] if m["id"] == "b1.1")["wounds"] == 2


@clause("TERR-DANG-1", "TERR-DANG-2", "TERR-DANG-4")
def test_tv_r20_ones_in_dangerous_ground_wound() -> None:
    """TV-R20: five models cross dangerous ground with 1, 1, 3, 4, 6: two wounds, and no block is rolled."""
    found = Desk([line("a1", "A", 5, 10), unit("b1", "B", [(40, 40)])], [box("m", 5, 11, 40, 12, "dangerous")]).activate(
        "a1", "walk", [answer("move", {"shift": [0, 4]})], dice=[1, 1, 3, 4, 6]
    )
    assert found.attacks[0]["wounds"] == 2
    assert len(found.attacks[0]["removed"]) == 2


@clause("VDMG-4", "VDMG-1", "VDMG-5")
@pytest.mark.parametrize(
    ("wounds", "facing", "die", "result"),
    [
        (1, "front", 6, "shaken"),
        (1, "front", 4, "glanced"),
        (2, "side", 4, "shaken"),
        (2, "side", 5, "immobile"),
        (2, "rear", 4, "immobile"),
    ],
)
def test_tv_r23_r24_the_vehicle_table(wounds: int, facing: str, die: int, result: str) -> None:
    """TV-R23, TV-R24: D6 + wounds + facing: up to 5 glanced, 6 and 7 Shaken, 8 and more Immobile."""
    tank = unit("b1", "B", [(10, 20)], type="vehicle", q=6, rules=["Tough(6)"])
    gun = line("a1", "A", 1, 10, weapons=[f'Gun (24", A{wounds})'])
    dice = {"hit": [4] * wounds, "ignore": [1] * wounds, "block": [1] * wounds, "damage": [die]}
    found = Desk([gun, tank]).attack("a1", "b1", facing=facing, dice=dice)
    assert result in found.kinds()


@clause("VDMG-10", "VDMG-11")
@pytest.mark.parametrize(
    ("dx", "dy", "facing"),
    FACINGS,
)
def test_tv_r27_facings_by_angle(dx: float, dy: float, facing: str) -> None:
    """TV-R27: below 45 degrees front, above 135 rear, borders and the rest side."""
    desk = Desk([unit("a1", "A", [(30 + dx, 20 + dy)]), unit("b1", "B", [(30, 20)], type="vehicle")])
    assert desk.ask(facing=["a1", "b1"]) == facing


@clause("RULE-FEARLESS-1", "MORALE-7", "DICE-11")
def test_tv_r28_fearless_keeps_the_better_die() -> None:
    """TV-R28: Fearless at 4+ with morale dice 1, 5 passes."""
    targets = line("b1", "B", 2, 16, rules=["Fearless"])
    found = Desk([line("a1", "A", 1, 10, weapons=[PISTOL]), targets]).attack("a1", "b1", dice=[4, 1, 1, 5])
    assert found.attacks[0]["morale"] == "passed"


@clause("MORALE-3", "MORALE-2")
@pytest.mark.parametrize(("before", "lost", "tests"), [(5, 2, False), (3, 1, True), (2, 1, False)])
def test_tv_r29_only_the_crossing_tests(before: int, lost: int, tests: bool) -> None:
    """TV-R29: a unit of five going 5 to 3, 3 to 2, 2 to 1 tests at the second step only."""
    targets = unit("b1", "B", [(10 + 2 * k, 16) for k in range(before)], q=6, start_size=5)
    gun = line("a1", "A", 1, 10, weapons=[f'Gun (24", A{lost})'])
    found = Desk([gun, targets]).attack("a1", "b1", dice=[4] * lost + [1] * lost + [6] * tests)
    assert (found.attacks[0]["morale"] == "passed") is tests


@clause("MORALE-4")
@pytest.mark.parametrize(("before", "lost", "tests"), [(0, 2, False), (2, 1, True)])
def test_tv_r30_a_single_model_counts_wounds(before: int, lost: int, tests: bool) -> None:
    """TV-R30: a lone Tough(6) model going 6 to 4 does not test, 4 to 3 does."""
    target = unit("b1", "B", [(10, 16)], q=6, rules=["Tough(6)"], wounds=before)
    gun = line("a1", "A", 1, 10, weapons=[f'Gun (24", A{lost})'])
    found = Desk([gun, target]).attack("a1", "b1", dice=[4] * lost + [1] * lost + [6] * tests)
    assert (found.attacks[0]["morale"] == "passed") is tests


@clause("RULE-IMPACT-1", "RES-5", "TYPE-VEH-2", "MELEE-19")
def test_tv_r42_impact_hits_first_and_by_itself() -> None:
    """TV-R42: Impact die 4 against Armored 4+: four hits, three past Armored, two wounds from Impact."""
    tank = unit("a1", "A", [(30, 20)], type="vehicle", q=6)
    enemies = unit("b1", "B", [(33, 19), (33, 21), (34.5, 20), (33, 17)], rules=["Armored"])
    found = Desk([tank, enemies]).attack("a1", "b1", "melee", charged=True, dice=[4, 4, 1, 2, 3, 4, 3, 1, 1])
    row = found.attacks[0]
    assert (row["hits"], row["ignored"], row["wounds"]) == (4, 1, 2)


@clause("SHOOT-5", "SHOOT-3")
def test_tv_r43_each_model_measures_for_itself() -> None:
    """TV-R43: models at 11, 14 and 17 inches with 12 inch weapons: one fires."""
    shooters = unit("a1", "A", [(10, 22), (10, 25), (10, 28)], weapons=[PISTOL])
    found = Desk([shooters, unit("b1", "B", [(10, 10)])]).activate("a1", "hold", dice=[1])
    assert found.event("shot")["facts"]["models"] == ["a1.1"]


@clause("SHOOT-6")
def test_tv_r44_all_weapons_on_hold() -> None:
    """TV-R44: a model with an assault rifle and a pistol that holds fires both."""
    shooter = unit("a1", "A", [(10, 10)], weapons=['Assault Rifle (24", A1)', PISTOL])
    found = Desk([shooter, unit("b1", "B", [(10, 20)])]).activate("a1", "hold", dice=[1, 1])
    assert found.attacks[0]["attacks"] == 2


@clause("TERR-DIFF-1", "TERR-DIFF-2", "RULE-FAST-1")
@pytest.mark.parametrize(("dy", "legal"), [(6, True), (6.1, False)])
def test_tv_r45_woods_cap_even_the_fast(dy: float, legal: bool) -> None:
    """TV-R45: Fast infantry running through woods goes at most 6 inches."""
    desk = Desk(
        [unit("a1", "A", [(10, 10)], rules=["Fast"]), unit("b1", "B", [(40, 40)])], [box("f", 5, 12, 15, 13, "difficult")]
    )
    found = desk.activate("a1", "run", [answer("move", {"shift": [0, dy]})])
    assert (found.verdict == "legal") is legal


@clause("TYPE-VEH-5", "TYPE-VEH-7")
@pytest.mark.parametrize(("back", "legal"), [(3, True), (4, False)])
def test_tv_r47_reversing_costs_double(back: float, legal: bool) -> None:
    """TV-R47: a vehicle walks 6 inches forward and 3 back (cost 12), but not 4 back (cost 14)."""
    desk = Desk([unit("a1", "A", [(20, 20)], type="vehicle"), unit("b1", "B", [(60, 40)])])
    found = desk.activate("a1", "walk", [answer("move", {"a1.1": [[20, 20], [26, 20], [26 - back, 20]]})])
    assert (found.verdict == "legal") is legal
    assert legal or (found.refusal or {})["clause"] == "MOVE-1"


@clause("COH-1")
def test_tv_r49_a_link_of_two_inches() -> None:
    """TV-R49: two models 1.5 inches apart are coherent; at 2.1 they are not."""
    desk = Desk([unit("a1", "A", [(10, 10), (12.5, 10)]), unit("a2", "A", [(10, 30), (13.1, 30)]), unit("b1", "B", [(40, 40)])])
    assert (desk.ask(coherent="a1"), desk.ask(coherent="a2")) == (True, False)


@clause("RULE-ARMORED-2", "JOIN-5", "JOIN-6")
@pytest.mark.parametrize(("models", "works"), [(6, True), (7, False)])
def test_tv_r51_half_of_the_models_carry_armored(models: int, works: bool) -> None:
    """TV-R51: three Armored models of six make the unit Armored; of seven they do not."""
    targets = unit("b1", "B", [(10 + 2 * k, 16) for k in range(models)], q=6, models=[{"rules": ["Armored"]}] * 3)
    dice = [4, 4] if works else [4, 6]
    found = Desk([line("a1", "A", 1, 10, weapons=[PISTOL]), targets]).attack("a1", "b1", dice=dice)
    assert found.attacks[0]["ignored"] == (1 if works else 0)


@clause("TERR-COVER-3")
@pytest.mark.parametrize(("models", "inside", "cover"), [(5, 3, True), (4, 2, False)])
def test_tv_r52_more_than_half_within_cover(models: int, inside: int, cover: bool) -> None:
    """TV-R52: three of five models within cover are in cover, two of four are not."""
    targets = unit("b1", "B", [(20 + 2 * k, 30) for k in range(models)])
    piece = box("f", 19, 29, 20 + 2 * inside - 1, 31, "cover")
    desk = Desk([unit("a1", "A", [(40, 30)]), targets], [piece])
    assert desk.ask(cover=["a1", "b1"]) is cover


@clause("SCORE-1", "SCORE-3", "PIN-7")
def test_tv_r65_destroyed_and_pinned_units_score() -> None:
    """TV-R65: destroyed 120 and 80, Pinned 150, 200 with one model left: 350."""
    units = [
        unit("a1", "A", [(5, 5)]),
        unit("b1", "B", [], points=120, where="destroyed"),
        unit("b2", "B", [], points=80, where="destroyed"),
        unit("b3", "B", [(40, 40)], points=150, marks=["pinned"]),
        unit("b4", "B", [(50, 40)], points=200, start_size=5),
    ]
    assert Desk(units).ask(score="A") == 350


@clause("PIN-3", "ACT-6", "PIN-4")
def test_tv_r68_a_pinned_unit_idles_and_is_free() -> None:
    """TV-R68: a Pinned unit is offered Idle only, and is not Pinned afterwards."""
    desk = Desk([unit("a1", "A", [(10, 10)], marks=["pinned"]), unit("b1", "B", [(40, 40)])])
    assert desk.ask(options="a1") == ["idle"]
    found = desk.activate("a1", "idle")
    assert "unpinned" in found.kinds()
    assert "pinned" not in found.marks("a1")


# -- 4.2 derived vectors: sight -------------------------------------------------------------------------------------------


@clause("LOS-3", "LOS-8")
@pytest.mark.parametrize(("half", "seen"), [(0.02, True), (0.004, False)])
def test_tv_r71_a_gap_needs_a_hundredth_of_an_inch(half: float, seen: bool) -> None:
    """TV-R71: through a gap of 0.04 inches the target is seen, through one of 0.008 it is not."""
    walls = [box("n", 24, 20 + half, 26, 25, height=5, solid=True), box("s", 24, 15, 26, 20 - half, height=5, solid=True)]
    desk = Desk([unit("a1", "A", [(20, 20)], height=1), unit("b1", "B", [(30, 20)], height=1)], walls)
    assert desk.ask(sight=["a1.1", "b1.1"]) is seen


@clause("LOS-5", "LOS-3")
@pytest.mark.parametrize(("off", "seen"), [(0, False), (0.1, True)])
def test_tv_r72_models_of_other_units_block(off: float, seen: bool) -> None:
    """TV-R72: a third unit's model exactly between hides the target; a tenth of an inch aside it does not."""
    units = [unit("a1", "A", [(10, 20)]), unit("b1", "B", [(30, 20)]), unit("b2", "B", [(20, 20 + off)])]
    for row in units:
        row["models"][0]["height"] = 1
    assert Desk(units).ask(sight=["a1.1", "b1.1"]) is seen


@clause("LOS-6")
@pytest.mark.parametrize(("x", "seen"), [(27, True), (28, False)])
def test_tv_r73_from_a_height_one_sees_over_models(x: float, seen: bool) -> None:
    """TV-R73: from ground 3 inches up the line clears a model at 17 inches but not at 18."""
    units = [unit("a1", "A", [(10, 20)]), unit("b1", "B", [(30, 20)]), unit("b2", "B", [(x, 20)])]
    for row in units:
        row["models"][0]["height"] = 1
    hill = disc("h", 10, 20, 2, "elevation", elevation=3, height=3)
    assert Desk(units, [hill]).ask(sight=["a1.1", "b1.1"]) is seen


@clause("LOS-7")
@pytest.mark.parametrize(("x", "seen"), [(20, True), (16.8, False)])
def test_tv_r74_a_hill_does_not_blind_who_stands_on_it(x: float, seen: bool) -> None:
    """TV-R74: from the top of a solid hill one sees out; from behind it, base overlapping, one does not."""
    hill = disc("h", 20, 20, 3, "elevation", elevation=2, height=2, solid=True)
    desk = Desk([unit("a1", "A", [(x, 20)], height=1), unit("b1", "B", [(30, 20)], height=1)], [hill])
    assert desk.ask(sight=["a1.1", "b1.1"]) is seen


@clause("LOS-7")
@pytest.mark.parametrize(("a", "b", "seen"), [(20, 30, True), (10, 20, True), (14, 30, False)])
def test_who_stands_in_a_tall_piece_sees_out_and_is_seen(a: float, b: float, seen: bool) -> None:
    """A solid piece far taller than anybody blocks only those who both stand outside it."""
    ruin = disc("r", 20, 20, 3, "cover", height=6, solid=True)
    desk = Desk([unit("a1", "A", [(a, 20)], height=1), unit("b1", "B", [(b, 20)], height=1)], [ruin])
    assert desk.ask(sight=["a1.1", "b1.1"]) is seen


@clause("LOS-9")
@pytest.mark.parametrize(("top", "offered"), [(24, ["b1", "hold-fire"]), (30, None)])
def test_a_unit_is_seen_when_one_of_its_models_is(top: float, offered: list[str] | None) -> None:
    """Of three models a wall hides two: the unit may be shot at; with the third hidden too it may not."""
    wall = box("w", 25, 10, 26, top, height=6, solid=True)
    ours = unit("a1", "A", [(20, 20)], weapons=['Gun (24", A1)'])
    desk = Desk([ours, unit("b1", "B", [(30, 16), (30, 20), (30, 28)])], [wall])
    pending = desk.activate("a1", "hold", unanswered="stop").pending
    assert (pending and pending["options"]) == offered


@clause("LOS-7", "TERR-COVER-5")
def test_tv_r75_two_on_one_hill_see_each_other_without_cover() -> None:
    """TV-R75: shooter and target both on the hill: seen, and not in cover."""
    hill = disc("h", 20, 20, 3, "elevation", elevation=2, height=2, solid=True)
    desk = Desk([unit("a1", "A", [(18, 20)], height=1), unit("b1", "B", [(22, 20)], height=1)], [hill])
    assert desk.ask(sight=["a1.1", "b1.1"]) is True
    assert desk.ask(cover=["a1", "b1"]) is False


@clause("ARC-4")
@pytest.mark.parametrize(("barrel", "fires"), [([0, 1.4], True), ([0, 0], False), ([0, -1.4], False)])
def test_a_gun_looks_from_its_barrel_and_reaches_from_its_hull(barrel: list[float], fires: bool) -> None:
    """A wall leaves sight to the hull's left edge only: a gun mounted there fires, one in the middle does not; 7" will do."""
    gun = {"name": "Gun", "range": 7, "A": 1, "rules": [], "mount": "front", "barrel": barrel}
    tank = unit("a1", "A", [(20, 20)], type="vehicle", weapons=[gun])
    wall = box("w", 24, 15, 25, 21, height=6, solid=True)
    pending = (
        Desk([tank, unit("b1", "B", [(30, 21.4)])], [wall])
        .activate("a1", "hold", [answer("move", "stay")], unanswered="stop")
        .pending
    )
    assert ((pending or {}).get("kind") == "choose-target") is fires


@clause("ARC-2", "ARC-3")
@pytest.mark.parametrize(("y", "fires"), [(4.5, True), (5, False)])
def test_tv_r76_some_of_the_target_in_the_front_arc(y: float, fires: bool) -> None:
    """TV-R76: a front mount reaches a target some of which lies within 22.5 degrees, and no other."""
    gun = {"name": "Gun", "range": 48, "A": 1, "rules": [], "mount": "front"}
    tank = unit("a1", "A", [(20, 20)], type="vehicle", weapons=[gun])
    found = Desk([tank, unit("b1", "B", [(30, 20 + y)])]).activate("a1", "hold", dice=[1] if fires else [])
    assert ("shot" in found.kinds()) is fires


@clause("RULE-TOUGH-3", "CAS-2")
@pytest.mark.parametrize(("order", "removed"), [("ordinary-first", 2), ("tough-first", 0)])
def test_tv_r79_ordinary_models_or_the_hero_never_one_of_each(order: str, removed: int) -> None:
    """TV-R79: two wounds on an unwounded Tough(3) hero among four: two ordinary models go, or two wounds on the hero."""
    targets = unit("b1", "B", [(10 + 2 * k, 16) for k in range(5)], q=6, models=[{"rules": ["Tough(3)", "Hero"]}])
    desk = Desk([line("a1", "A", 2, 10, weapons=[PISTOL]), targets])
    picks = [
        answer("choose-target", "b1"),
        answer("assign-weapons", [["a1.1", 0], ["a1.2", 0]]),
        answer("choose-option", order),
    ]
    found = desk.activate("a1", "hold", picks, dice=[4, 4, 1, 1])
    assert len(found.attacks[0]["removed"]) == removed
    assert next(m for m in found.unit("b1")["models"] if m["id"] == "b1.1").get("wounds", 0) == (
        2 if order == "tough-first" else 0
    )
