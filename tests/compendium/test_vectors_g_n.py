"""The contract's vectors that concern an attack, rules from Gets Hot to Neural Shock, by their numbers."""

from __future__ import annotations

import pytest

from tests.compendium.desk import attack, clause, enemy, fight, shoot, unit, weapon


@clause("SR-GETS-HOT-1", "SR-GETS-HOT-5", "CF-DICE-13")
def test_tv_gets_hot_1_a_one_burns_the_firer_at_once() -> None:
    """TV-GETS-HOT-1: of 1 and 4 the first wounds the firer, whose 3+ save fails on a 2; the second hit still counts."""
    found = shoot(weapon("gun", A=2, rules=["Gets Hot"]), enemy("GRT"), 1, 4, 2, 3, 1)
    assert found.removed("a1.1")
    assert found.slain == 1


@clause("SR-GETS-HOT-5")
def test_a_burnt_firer_may_feel_no_pain() -> None:
    """SR-GETS-HOT-5: the wound is AP 0 and Damage 1 with save and Feel No Pain."""
    by = unit("a1", "A", "CAP", rules=["Feel No Pain(5+)"], weapons=[weapon("gun", rules=["Gets Hot"])])
    assert shoot({}, enemy("GRT"), 1, 2, 5, by=by).taken("a1.1") == 0
    assert shoot({}, enemy("GRT"), 1, 2, 4, by=by).taken("a1.1") == 1


@clause("SR-GETS-HOT-2", "SR-GETS-HOT-5")
@pytest.mark.parametrize(("face", "taken"), [(3, 1), (4, 0)])
def test_a_vehicle_is_glanced_on_a_further_die(face: int, taken: int) -> None:
    """SR-GETS-HOT-2: a vehicle rolls a die for its 1; on 1 to 3 it loses a Hull Point."""
    tank = unit("a1", "A", "MBT", weapons=[weapon("gun", rules=["Gets Hot"])])
    assert shoot({}, enemy("GRT"), 1, face, by=tank).taken("a1.1") == taken


@clause("SR-GETS-HOT-5", "CF-VEH-5")
@pytest.mark.parametrize(("save", "taken"), [(5, 0), (4, 1)])
def test_tv_gets_hot_5_a_vehicle_has_its_ward_and_no_cover(save: int, taken: int) -> None:
    """TV-GETS-HOT-5: Inv 5+ in 4+ cover: a 5 discards the glancing hit of its own weapon, a 4 does not."""
    tank = unit("a1", "A", "MBT", weapons=[weapon("gun", rules=["Gets Hot"])], stats={"Inv": "5+", "Cover": "4+"})
    found = shoot({}, enemy("GRT"), 1, 2, save, by=tank)
    assert (found.taken("a1.1"), found.rolled("save")) == (taken, [save])


@clause("SR-GETS-HOT-3")
def test_a_template_that_gets_hot_loses_its_shot() -> None:
    """SR-GETS-HOT-3: without a To Hit roll a die is rolled for each shot; on a 1 it is lost and the firer is wounded."""
    hose = weapon("flamer", A=2, hits=2, rules=["Gets Hot"])
    found = shoot(hose, enemy("GRT", 5), 1, 2, 2, 1, 1, range=6)
    assert found.removed("a1.1")
    assert (found.rolled("overheat"), found.row["hits"]) == ([1, 2], 2)


@clause("SR-GETS-HOT-4", "CF-DICE-3")
def test_a_re_roll_cools_the_weapon() -> None:
    """SR-GETS-HOT-4: with a re-roll of To Hit only a second 1 burns, for weapons without a To Hit roll too."""
    twin = weapon("gun", rules=["Gets Hot", "Twin-linked"])
    assert not shoot(twin, enemy("TRP"), 1, 2, by=None).removed("a1.1")
    assert shoot(twin, enemy("TRP"), 1, 1, 2).removed("a1.1")
    keen = unit("a1", "A", "TRP", stats={"CT": 6}, weapons=[weapon("flamer", rules=["Gets Hot"])])
    assert shoot({}, enemy("TRP"), 1, 2, 1, by=keen, range=6).rolled("overheat") == [1]


@clause("SR-GRAVITON-1", "SR-GRAVITON-2")
@pytest.mark.parametrize(("target", "dice", "lost"), [("TRP", (3,), 1), ("SWM", (5,), 0), ("SWM", (6,), 1)])
def test_tv_graviton_1_the_save_is_the_number(target: str, dice: tuple[int, ...], lost: int) -> None:
    """TV-GRAVITON-1: 3+ armour is wounded on a 3, 6+ armour not on a 5."""
    assert shoot(weapon("gun", S="X", AP=-5, rules=["Graviton"]), enemy(target), 3, *dice).lost == lost


@clause("SR-GRAVITON-2")
def test_tv_graviton_1_vehicles_are_glanced_on_a_six() -> None:
    """TV-GRAVITON-1: against a tank a 6 glances for the weapon's Damage and never penetrates, a 5 does nothing."""
    crusher = weapon("gun", S="X", AP=-2, D=2, rules=["Graviton"])
    assert shoot(crusher, enemy("MBT"), 3, 6, facing="front").lost == 2
    assert shoot(crusher, enemy("MBT"), 3, 5, facing="front").lost == 0
    plated = enemy("MBT", stats={"Sv": "4+"})
    assert shoot(crusher, plated, 3, 4, 5, facing="front").lost == 2


@clause("SR-HAMMER-OF-WRATH-1", "SR-HAMMER-OF-WRATH-3", "SR-HAMMER-OF-WRATH-6")
def test_tv_hammer_of_wrath_1_the_impact_comes_first() -> None:
    """TV-HAMMER-OF-WRATH-1: a charging beast hits once at step 10, wounds on a 2 and is saved on a 3."""
    by = unit("a1", "A", "BST", rules=["Hammer of Wrath"])
    found = fight({}, enemy("TRP"), 2, 3, 1, 1, 1, 1, 1, by=by, charged=True)
    assert found.event("struck")["facts"]["steps"] == [10, 3]
    assert (found.row["hits"], found.row["blocked"]) == (1, 1)


@clause("SR-HAMMER-OF-WRATH-1")
def test_no_hammer_without_a_charge_or_contact() -> None:
    """SR-HAMMER-OF-WRATH-1: a beast that did not charge, or does not touch the enemy, has no such attack."""
    by = unit("a1", "A", "BST", rules=["Hammer of Wrath"])
    assert fight({}, enemy("TRP"), 1, 1, 1, 1, by=by).row["attacks"] == 4
    placed = unit("a1", "A", "TRP", 2, rules=["Hammer of Wrath"], at=[(10, 10), (9, 10)], stats={"A": 1})
    found = attack([placed, enemy("TRP", at=[(11, 10)])], kind="melee", charged=True, dice=[1, 1, 1, 1, 1])
    assert found.row["attacks"] == 5


@clause("SR-HAMMER-OF-WRATH-2")
def test_no_rule_of_the_model_helps_the_impact() -> None:
    """SR-HAMMER-OF-WRATH-2: neither Furious Charge nor Fleshbane makes the wound of the impact easier."""
    by = unit("a1", "A", "TRP", rules=["Hammer of Wrath", "Furious Charge", "Fleshbane"], weapons=[weapon("blade")])
    found = fight({}, enemy("TRP"), 3, 1, 1, by=by, charged=True)
    assert (found.rolls[0]["need"], found.row["damage"]) == (4, 0)


@clause("SR-HAMMER-OF-WRATH-4")
def test_the_impact_strikes_the_facing_touched() -> None:
    """SR-HAMMER-OF-WRATH-4: S6 meets front armour 14 of a tank where it is touched, not the rear; a Walker's front always."""
    by = unit("a1", "A", "BST", rules=["Hammer of Wrath"])
    assert fight({}, enemy("MBT"), 6, 1, 1, 1, 1, 1, by=by, charged=True, facing="front").rolls[0]["need"] == 8
    assert fight({}, enemy("WLK"), 6, 1, 1, 1, 1, 1, by=by, charged=True).rolls[0]["need"] == 6


@clause("SR-HATRED-1", "SR-HATRED-2")
def test_tv_hatred_1_only_the_hated() -> None:
    """TV-HATRED-1: a missed 2 is struck again against grunts, not against troopers."""
    by = unit("a1", "A", "TRP", rules=["Hatred (Grunts)"], weapons=[weapon("blade")])
    assert fight({}, enemy("GRT", name="Grunts"), 2, 3, 1, by=by).row["hits"] == 1
    assert fight({}, enemy("TRP"), 2, by=by).row["hits"] == 0


@clause("SR-HAYWIRE-1", "SR-HAYWIRE-2")
@pytest.mark.parametrize(("dice", "lost"), [((1,), 0), ((3, 3), 2), ((6, 2), 4)])
def test_tv_haywire_1_the_table(dice: tuple[int, ...], lost: int) -> None:
    """TV-HAYWIRE-1: 1 does nothing, 3 costs D3 and 6 costs D3 + 3 Hull Points, whatever the weapon's Damage."""
    assert shoot(weapon("gun", D=3, rules=["Haywire"]), enemy("MBT"), 3, *dice, facing="front").lost == lost


@clause("SR-HAYWIRE-2")
def test_haywire_wounds_flesh_normally() -> None:
    """SR-HAYWIRE-2: against troopers the weapon rolls To Wound; a failed table die is not rolled again."""
    assert shoot(weapon("gun", rules=["Haywire"]), enemy("TRP"), 3, 4, 1).slain == 1
    assert shoot(weapon("gun", rules=["Haywire", "Shred"]), enemy("MBT"), 3, 1, facing="front").lost == 0


@clause("SR-HAZARDOUS-1", "SR-HAZARDOUS-2", "CF-DICE-13")
def test_tv_hazardous_1_a_die_for_each_weapon() -> None:
    """TV-HAZARDOUS-1: of three troopers the one whose die is 1 is destroyed."""
    firers = unit("a1", "A", "TRP", 3, weapons=[weapon("gun", rules=["Hazardous"])])
    found = shoot({}, enemy("GRT", 5), 1, 1, 1, 4, 1, 6, by=firers)
    assert [found.removed(f"a1.{k}") for k in (1, 2, 3)] == [False, True, False]


@clause("SR-HAZARDOUS-1", "SR-HAZARDOUS-2")
def test_tv_hazardous_1_a_character_bears_mortal_wounds() -> None:
    """TV-HAZARDOUS-1: a captain suffers D3 mortal wounds instead, in close combat too."""
    by = unit("a1", "A", "CAP", weapons=[weapon("gun", rules=["Hazardous"])])
    assert shoot({}, enemy("GRT"), 1, 1, 3, by=by).taken("a1.1") == 2
    flail = unit("a1", "A", "CAP", weapons=[weapon("blade", rules=["Hazardous"])])
    assert fight({}, enemy("GRT"), 1, 1, 1, 1, 3, by=flail).taken("a1.1") == 2


@clause("SR-HEAVY-1", "SR-HEAVY-2")
def test_tv_heavy_1_steady_when_stationary() -> None:
    """TV-HEAVY-1: a stationary tank hits on 2 + 1, a moved one misses; a natural 1 misses always."""
    tank = unit("a1", "A", "MBT", weapons=[weapon("cannon")])
    assert shoot({}, enemy("GRT"), 2, 1, by=tank, stationary=True).row["hits"] == 1
    assert shoot({}, enemy("GRT"), 2, by=tank, moved=True).row["hits"] == 0
    assert shoot({}, enemy("GRT"), 1, by=tank, stationary=True).row["hits"] == 0


@clause("SR-HEAVY-2", "CF-SHOOT-4")
def test_a_snap_shot_gains_nothing_from_heavy() -> None:
    """SR-HEAVY-2: a Snap Shot of a stationary firer needs a natural 6."""
    by = unit("a1", "A", "TRP", weapons=[weapon("cannon")], marks=["snap-shots"])
    assert shoot({}, enemy("GRT"), 5, by=by, stationary=True).row["hits"] == 0


@clause("SR-IGNORES-COVER-1", "SR-IGNORES-COVER-2")
def test_tv_ignores_cover_1_armour_is_all_there_is() -> None:
    """TV-IGNORES-COVER-1: a grunt in 4+ cover, hidden and shrouded, falls back on 5+ armour and fails on a 4."""
    gun = weapon("gun", rules=["Ignores Cover"])
    assert shoot(gun, enemy("GRT", stats={"Cover": 4}), 3, 3, 4).slain == 1
    assert shoot(gun, enemy("GRT", rules=["Stealth", "Shrouded"]), 3, 3, 4).slain == 1
    assert shoot(weapon("gun"), enemy("GRT", stats={"Cover": 4}), 3, 3, 4).slain == 0


@clause("SR-IMPACT-1", "SR-IMPACT-2")
def test_tv_impact_1_within_twelve_inches() -> None:
    """TV-IMPACT-1: at 12.0" a 6 is 2 mortal wounds and S9 wounds on a 2; at 12.5" the printed profile stands."""
    slug = weapon("gun", S=3, rules=["Impact"])
    found = shoot(slug, enemy("TRP", 3), 3, 6, range=12)
    assert (found.slain, found.row["mortal"]) == (2, 2)
    assert shoot(slug, enemy("TRP", 3), 3, 2, range=12).slain == 1
    assert shoot(slug, enemy("TRP", 3), 3, 4, range=12.5).slain == 0


@clause("SR-IMPALE-1")
def test_tv_impale_1_ones_are_thrust_again() -> None:
    """TV-IMPALE-1: a 1 to wound is rolled again as a 4; a 2 stays."""
    spike = weapon("blade", rules=["Impale"])
    assert fight(spike, enemy("TRP"), 4, 1, 4, 1).slain == 1
    assert fight(spike, enemy("TRP"), 4, 2).slain == 0


@clause("SR-INDIRECT-FIRE-1", "SR-INDIRECT-FIRE-2", "SR-INDIRECT-FIRE-3")
def test_tv_indirect_fire_1_at_the_unseen() -> None:
    """TV-INDIRECT-FIRE-1: against a hidden unit 3 - 1 misses and 4 - 1 hits, and 5+ cover saves from AP -2."""
    rack = weapon("gun", AP=-2, rules=["Indirect Fire"])
    assert shoot(rack, enemy("GRT"), 3, visible=False).row["hits"] == 0
    assert shoot(rack, enemy("GRT"), 4, 3, 5, visible=False).row["blocked"] == 1
    assert shoot(rack, enemy("GRT"), 3, 3, visible=True).slain == 1


@clause("SR-INDIRECT-FIRE-1")
def test_without_the_rule_the_unseen_is_no_target() -> None:
    """SR-INDIRECT-FIRE-1: any other weapon is refused."""
    found = shoot(weapon("gun"), enemy("GRT"), visible=False)
    assert found.refusal is not None and found.refusal["clause"] == "SR-INDIRECT-FIRE-1"


@clause("SR-INSTANT-DEATH-1", "SR-INSTANT-DEATH-2")
def test_tv_instant_death_1_one_wound_is_enough() -> None:
    """TV-INSTANT-DEATH-1: an unsaved wound removes a beast of 8 Wounds, a saved one does nothing; a vehicle takes Damage."""
    gun = weapon("gun", S=6, rules=["Instant Death"])
    assert shoot(gun, enemy("BST"), 3, 4, 1).lost == 8
    assert shoot(gun, enemy("BST"), 3, 4, 3).lost == 0
    assert shoot(gun, enemy("MBT"), 3, 4, facing="rear").lost == 1


@clause("SR-LANCE-1")
def test_tv_lance_1_the_thickest_plate_counts_as_13() -> None:
    """TV-LANCE-1: S9 and a 4 glance armour 14 with a Lance, and fail without."""
    assert shoot(weapon("gun", S=9, rules=["Lance"]), enemy("MBT"), 3, 4, facing="front").lost == 1
    assert shoot(weapon("gun", S=9), enemy("MBT"), 3, 4, facing="front").lost == 0


@clause("SR-LANCE-2", "SR-LANCE-3", "SR-LANCE-4")
def test_tv_lance_2_on_the_charge() -> None:
    """TV-LANCE-2: charging, S6 wounds T4 on a 2; against T6 a 3 + 1 wounds; without a charge neither."""
    spear = weapon("blade", AP=-4, rules=["Lance"])
    assert fight(spear, enemy("TRP"), 4, 1, 2, charged=True).slain == 1
    assert fight(spear, enemy("BST"), 4, 1, 3, charged=True).lost == 1
    assert fight(spear, enemy("BST"), 4, 5).lost == 0


@clause("SR-LANCE-4", "CF-VEH-2")
def test_a_lance_adds_to_the_armour_total() -> None:
    """SR-LANCE-4: on the charge S4 + 2 and a die of 3 + 1 glance armour 10; a shot with it has no such bonus."""
    by = unit("a1", "A", "TRP", weapons=[weapon("blade", rules=["Lance"])])
    assert fight({}, enemy("APC"), 3, 1, 3, by=by, charged=True).lost == 1
    assert shoot(weapon("gun", S=6, rules=["Lance"]), enemy("APC"), 3, 3, facing="rear", charged=True).lost == 0


@clause("SR-LETHAL-HIT-1", "SR-LETHAL-HIT-2", "CF-VEH-10")
def test_tv_lethal_hit_1_a_six_wounds_by_itself() -> None:
    """TV-LETHAL-HIT-1: S2 wounds a beast by a 6 to hit; a tank is glanced for the weapon's Damage."""
    gun = weapon("gun", S=2, D=2, rules=["Lethal Hits"])
    assert shoot(gun, enemy("BST"), 6, 1).lost == 2
    found = shoot(gun, enemy("MBT"), 6, facing="front")
    assert (found.lost, found.rolled("vehicle damage")) == (2, [])


@clause("SR-LETHAL-PRECISION-1", "SR-LETHAL-PRECISION-2")
def test_tv_lethal_precision_1_only_precision_is_on_four() -> None:
    """TV-LETHAL-PRECISION-1: a 4 to hit is precise; a 5 to wound is ordinary, a 6 is mortal, both on the chosen model."""
    rapier = weapon("blade", rules=["Lethal Precision"])
    units = [unit("a1", "A", "TRP", weapons=[rapier]), enemy("TRP", 3), unit("b2", "B", "PSY", joined="b1", points=200)]
    ordinary = attack(units, kind="melee", dice=[4, 5, 3, 1])
    assert (ordinary.taken("b2.1"), ordinary.row["mortal"]) == (1, 0)
    assert ordinary.rolled("look out") == [3]
    mortal = attack(units, kind="melee", dice=[4, 6])
    assert (mortal.taken("b2.1"), mortal.row["mortal"]) == (1, 1)


@clause("SR-LIGHTNING-REFLEXES-1", "SR-LIGHTNING-REFLEXES-2")
def test_tv_lightning_reflexes_1_hard_to_catch() -> None:
    """TV-LIGHTNING-REFLEXES-1: a 4 saves from AP -5; charging through woods it strikes at its own Initiative."""
    assert shoot(weapon("gun", AP=-5), enemy("GRT", rules=["Lightning Reflexes"]), 3, 3, 4).slain == 0
    for rules, step in ((["Lightning Reflexes"], 4), ([], 1)):
        by = unit("a1", "A", "TRP", rules=rules, weapons=[weapon("blade")], marks=["charge-penalty"])
        assert fight({}, enemy("GRT"), 1, 1, by=by, charged=True).event("struck")["facts"]["steps"] == [step]


@clause("SR-LONE-OPERATIVE-1", "SR-LONE-OPERATIVE-2")
def test_tv_lone_operative_1_only_from_close_by() -> None:
    """TV-LONE-OPERATIVE-1: of firers at 11", 12.0" and 13" two fire; at one that has joined a unit all do."""
    firers = unit("a1", "A", "TRP", 3, weapons=[weapon("gun")], at=[(18, 10), (17, 10), (16, 10)])
    courier = enemy("CAP", rules=["Lone Operative"], at=[(30, 10)])
    assert attack([firers, courier], dice=[1, 1]).row["attacks"] == 2
    joined = unit("b2", "B", "CAP", rules=["Lone Operative"], at=[(30, 10)], joined="b1")
    assert attack([firers, enemy("TRP", at=[(30, 12)]), joined], dice=[1, 1, 1]).row["attacks"] == 3


@clause("SR-LUMINAGEN-1", "SR-LUMINAGEN-3", "CF-SAVE-2")
def test_tv_luminagen_1_cover_gets_worse() -> None:
    """TV-LUMINAGEN-1: an unsaved wound marks the unit; then 4+ cover is 5+ and a 4 fails, also within the same attack."""
    marked = shoot(weapon("gun", rules=["Luminagen"]), enemy("GRT", 2), 3, 3, 1)
    assert "luminagen" in marked.marks("b1")
    lit = enemy("GRT", stats={"Cover": 4}, marks=["luminagen"])
    assert shoot(weapon("gun"), lit, 3, 3, 4).slain == 1
    within = shoot(weapon("gun", A=2, rules=["Luminagen"]), enemy("GRT", 2, stats={"Cover": 4}), 3, 3, 3, 3, 1, 4)
    assert within.slain == 2


@clause("SR-MASTER-CRAFTED-1")
def test_tv_master_crafted_1_one_miss_is_tried_again() -> None:
    """TV-MASTER-CRAFTED-1: of 1, 2 and 5 one miss is rolled again as a 4: two hits, the other miss stays."""
    found = shoot(weapon("gun", A=3, rules=["Master-crafted"]), enemy("GRT", 5), 1, 2, 5, 4, 1, 1)
    assert found.row["hits"] == 2


@clause("SR-MASTER-CRAFTED-2")
def test_tv_master_crafted_1_once_a_turn_for_each_weapon() -> None:
    """TV-MASTER-CRAFTED-1: once used it is gone for the turn; two weapons have one re-roll each."""
    gun = weapon("gun", rules=["Master-crafted"])
    used = unit("a1", "A", "TRP", weapons=[gun])
    used["models"][0]["marks"] = ["mastered:0"]
    assert shoot({}, enemy("GRT"), 2, by=used).row["hits"] == 0
    found = shoot({}, enemy("GRT", 5), 2, 2, 3, 4, 1, 1, by=unit("a1", "A", "TRP", 2, weapons=[gun]))
    assert found.row["hits"] == 2
    assert found.marks("a1.1") == {"mastered:0"}


@clause("SR-MELEE-1")
def test_tv_melee_1_a_blade_is_not_fired() -> None:
    """TV-MELEE-1: a blade named for shooting is refused, and so is a gun in close combat."""
    by = unit("a1", "A", "TRP", weapons=[weapon("blade"), weapon("gun")])
    found = shoot({}, enemy("GRT"), by=by, weapons=[["a1.1", 0]])
    assert found.refusal is not None and found.refusal["clause"] == "SR-MELEE-1"
    assert fight({}, enemy("GRT"), by=by, weapons=[["a1.1", 1]]).verdict == "refused"


@clause("SR-MELTA-1", "SR-MELTA-3", "CF-VEH-6")
def test_tv_melta_1_half_range() -> None:
    """TV-MELTA-1: at 6.0" of 12" 1 + 5 Hull Points and 3 + 1 stuns; at 6.5" one Hull Point."""
    fusion = weapon("gun", range=12, S=8, AP=-4, rules=["Melta"])
    found = shoot(fusion, enemy("APC"), 3, 4, 5, 3, range=6, facing="front")
    assert found.lost == 6 and "stunned" in found.marks("b1.1")
    assert shoot(fusion, enemy("APC"), 3, 4, 3, range=6.5, facing="front").lost == 1


@clause("SR-MOLECULAR-REALIGNMENT-FIELD-1", "SR-MOLECULAR-REALIGNMENT-FIELD-2")
@pytest.mark.parametrize(("dice", "slain"), [((5, 3), 1), ((6, 5), 0), ((4,), 1)])
def test_tv_molecular_realignment_field_1_wards_must_hold_twice(dice: tuple[int, ...], slain: int) -> None:
    """TV-MOLECULAR-REALIGNMENT-FIELD-1: a passed 5+ ward is rolled again, and the second die counts."""
    pike = weapon("gun", AP=-4, rules=["Molecular Realignment Field"])
    assert shoot(pike, enemy("GRT", rules=["Daemon"]), 3, 3, *dice).slain == slain


@clause("SR-MOLECULAR-REALIGNMENT-FIELD-2", "CF-SAVE-1")
def test_the_choice_of_save_takes_the_field_into_account() -> None:
    """SR-MOLECULAR-REALIGNMENT-FIELD-2: a 5+ armour save is chosen over a 4+ ward that must hold twice."""
    pike = weapon("gun", rules=["Molecular Realignment Field"])
    assert shoot(pike, enemy("GRT", stats={"Inv": "4+"}), 3, 3, 5).slain == 0


@clause("SR-MONOFILAMENT-1", "SR-MONOFILAMENT-2", "CF-AP-2")
def test_tv_monofilament_1_against_initiative() -> None:
    """TV-MONOFILAMENT-1: S6 wounds I3 on a 2 at its own AP; a 6 is at AP -4."""
    wire = weapon("gun", S=6, rules=["Monofilament"])
    assert shoot(wire, enemy("BST"), 3, 2, 3).lost == 0
    assert shoot(wire, enemy("BST"), 3, 6).lost == 1


@clause("SR-MONOFILAMENT-3")
def test_monofilament_against_a_vehicle() -> None:
    """SR-MONOFILAMENT-3: the armour roll is ordinary, but a 6 counts as AP -4 on the table: 5 + 1 immobilises."""
    wire = weapon("gun", S=6, rules=["Monofilament"])
    assert "immobile" in shoot(wire, enemy("MBT"), 3, 6, 5, facing="rear").marks("b1.1")
    assert shoot(wire, enemy("MBT"), 3, 3, facing="rear").lost == 0


@clause("SR-MONSTER-HUNTER-1")
def test_tv_monster_hunter_1_only_monsters() -> None:
    """TV-MONSTER-HUNTER-1: a failed 4 is rolled again against a beast, a failed 2 not against a grunt."""
    by = unit("a1", "A", "TRP", rules=["Monster Hunter"], weapons=[weapon("gun", AP=-4)])
    assert shoot({}, enemy("BST"), 3, 4, 6, by=by).lost == 1
    assert shoot({}, enemy("GRT"), 3, 2, by=by).lost == 0


@clause("SR-MOONSILVER-1", "SR-MOONSILVER-2")
def test_tv_moonsilver_1_a_wound_counts_as_two() -> None:
    """TV-MOONSILVER-1: a psyker loses 2 of 2 Wounds to Damage 1 as two events; a trooper falls to one."""
    bolt = weapon("gun", AP=-4, rules=["Moonsilver"])
    found = shoot(bolt, enemy("PSY"), 3, 3)
    assert (found.lost, found.unsaved, found.slain) == (2, 2, 1)
    found = shoot(bolt, enemy("TRP"), 3, 4)
    assert (found.lost, found.unsaved, found.slain) == (1, 1, 1)


@clause("SR-MOONSILVER-2", "SR-FEEL-NO-PAIN-4")
def test_tv_moonsilver_2_each_has_its_own_feel_no_pain() -> None:
    """TV-MOONSILVER-2: one save, then F=5,3: one of two events stands; with Damage 2 the first slays, no second die."""
    psyker = enemy("PSY", rules=["Feel No Pain(5+)"])
    found = shoot(weapon("gun", rules=["Moonsilver"]), psyker, 3, 3, 2, 5, 3)
    assert (found.lost, found.unsaved, found.slain, found.rolled("save")) == (1, 1, 0, [2])
    found = shoot(weapon("gun", D=2, rules=["Moonsilver"]), psyker, 3, 3, 2, 4)
    assert (found.lost, found.unsaved, found.slain) == (2, 1, 1)


@clause("SR-MOONSILVER-2")
def test_mortal_wounds_of_moonsilver_are_not_doubled() -> None:
    """CF-DMG-4: a Devastating 6 of Damage 1 is one mortal wound, on a psyker too."""
    found = shoot(weapon("gun", rules=["Moonsilver", "Devastating Wounds"]), enemy("PSY"), 3, 6)
    assert (found.lost, found.row["mortal"]) == (1, 1)


@clause("SR-BROTHERHOOD-5", "SR-MOONSILVER-1")
def test_tv_brotherhood_2_members_are_psykers() -> None:
    """TV-BROTHERHOOD-2: a member with W2 suffers two events; a captain who joined is no Psyker and suffers one."""
    bolt = weapon("gun", AP=-4, rules=["Moonsilver", "Precision Shots"])
    members = enemy("TRP", 2, rules=["Brotherhood of Psykers"], stats={"W": 2})
    assert shoot(bolt, members, 3, 4).slain == 1
    units = [unit("a1", "A", "TRP", weapons=[bolt]), members, unit("b2", "B", "CAP", joined="b1", points=99)]
    found = attack(units, dice=[6, 4, 1])
    assert (found.taken("b2.1"), found.unsaved) == (1, 1)


@clause("SR-PSYCHIC-PILOT-1", "SR-MOONSILVER-1")
def test_a_psychic_pilot_makes_its_vehicle_a_psyker() -> None:
    """A glancing hit of moonsilver, Damage 1, is two events on a Walker with a Psychic Pilot."""
    bolt = weapon("gun", S=8, rules=["Moonsilver"])
    found = shoot(bolt, enemy("WLK", rules=["Psychic Pilot"]), 3, 4, facing="front")
    assert (found.lost, found.unsaved) == (2, 2)
    assert shoot(bolt, enemy("WLK"), 3, 4, facing="front").lost == 1


@clause("SR-MURDEROUS-STRIKE-1", "SR-MURDEROUS-STRIKE-2", "CF-DICE-2", "CF-DICE-4")
def test_tv_murderous_strike_1_the_natural_six() -> None:
    """TV-MURDEROUS-STRIKE-1: an unsaved 6 kills; a 5 + 1 by a Lance is an ordinary wound."""
    by = unit("a1", "A", "TRP", rules=["Murderous Strike"], weapons=[weapon("blade", AP=-4, rules=["Lance"])])
    assert fight({}, enemy("CAP"), 4, 6, by=by).lost == 3
    assert fight({}, enemy("CAP"), 4, 1, 5, by=by, charged=True).lost == 1


@clause("SR-NEURAL-SHOCK-1", "SR-NEURAL-SHOCK-2", "CF-WOUND-2")
def test_tv_neural_shock_1_exactly_four() -> None:
    """TV-NEURAL-SHOCK-1: S3 wounds a beast on a 4, S6 does not wound a grunt on a 3; vehicles meet the printed Strength."""
    assert shoot(weapon("gun", S=3, AP=-4, rules=["Neural Shock"]), enemy("BST"), 3, 4).lost == 1
    strong = weapon("gun", S=6, AP=-4, rules=["Neural Shock"])
    assert shoot(strong, enemy("GRT"), 3, 3).lost == 0
    assert shoot(weapon("gun", S=3, rules=["Neural Shock"]), enemy("APC"), 3, 6, facing="front").lost == 0
    assert shoot(strong, enemy("APC"), 3, 5, facing="front").lost == 1
