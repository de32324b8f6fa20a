"""The contract's vectors that concern an attack, rules from One Use Only to Wrath of Angels, by their numbers."""

from __future__ import annotations

import pytest

from tests.compendium.desk import Json, attack, clause, enemy, fight, shoot, unit, weapon


@clause("SR-ONE-USE-ONLY-1", "SR-ONE-USE-ONLY-2")
def test_tv_one_use_only_1_spent_when_declared() -> None:
    """TV-ONE-USE-ONLY-1: a missed shot marks the weapon; offered again it is refused."""
    missile = weapon("gun", rules=["One Use Only"])
    found = shoot(missile, enemy("GRT"), 1)
    assert found.marks("a1.1") == {"used:0"}
    spent = unit("a1", "A", "TRP", weapons=[missile])
    spent["models"][0]["marks"] = ["used:0"]
    again = shoot({}, enemy("GRT"), by=spent)
    assert again.refusal is not None and again.refusal["clause"] == "SR-ONE-USE-ONLY-1"


@clause("SR-ORDNANCE-4", "SR-ORDNANCE-2")
def test_tv_ordnance_1_two_dice_and_the_higher() -> None:
    """TV-ORDNANCE-1: S8 with 2 and 6 glances armour 14; a trooper that moved may not fire it, a vehicle may."""
    gun = weapon("gun", S=8, rules=["Ordnance"])
    assert shoot(gun, enemy("MBT"), 3, 2, 6, facing="front").lost == 1
    moved = shoot(gun, enemy("MBT"), facing="front", moved=True)
    assert moved.refusal is not None and moved.refusal["clause"] == "SR-ORDNANCE-2"
    tank = unit("a1", "A", "MBT", weapons=[gun])
    assert shoot({}, enemy("GRT"), 1, by=tank, moved=True).verdict == "legal"


@clause("SR-ORDNANCE-1", "SR-ORDNANCE-2")
def test_ordnance_fires_the_shots_behind_its_name_and_never_snaps() -> None:
    """SR-ORDNANCE-1, SR-ORDNANCE-2: Ordnance 2 fires two shots; as a Snap Shot it is refused."""
    assert shoot(weapon("gun", rules=["Ordnance 2"]), enemy("GRT"), 1, 1).row["attacks"] == 2
    by = unit("a1", "A", "TRP", weapons=[weapon("gun", rules=["Ordnance"])], marks=["snap-shots"])
    assert shoot({}, enemy("GRT"), by=by).verdict == "refused"


@clause("SR-ORDNANCE-5")
def test_ordnance_throws_both_dice_again_and_reads_the_one_kept() -> None:
    """SR-ORDNANCE-5: with Sunder 1 and 2 become 3 and 6; Rending reads the 6 that is kept."""
    gun = weapon("gun", S=8, rules=["Ordnance", "Sunder", "Rending"])
    found = shoot(gun, enemy("MBT"), 3, 1, 2, 3, 6, facing="front")
    assert (found.unsaved, found.row["mortal"]) == (1, 1)


@clause("SR-PISTOL-1", "SR-PISTOL-3")
def test_tv_pistol_1_in_a_scuffle() -> None:
    """TV-PISTOL-1: a locked trooper fires its pistol at the unit it is engaged with; not its gun, and at nobody else."""
    pistol = weapon("gun", name="pistol", range=12, rules=["Pistol"])
    by = unit("a1", "A", "TRP", weapons=[weapon("gun"), pistol], at=[(10, 10)])
    near, far = enemy("GRT", at=[(11.5, 10)]), unit("b2", "B", "GRT", at=[(10, 16)])
    assert attack([by, near, far], dice=[1], weapons=[["a1.1", 1]]).verdict == "legal"
    gun = attack([by, near, far], weapons=[["a1.1", 0]])
    assert gun.refusal is not None and gun.refusal["clause"] == "SR-PISTOL-1"
    other = attack([by, near, far], weapons=[["a1.1", 1]], target="b2")
    assert other.refusal is not None and other.refusal["clause"] == "SR-PISTOL-3"


@clause("SR-PISTOL-2", "CF-SHOOT-2")
def test_pistols_or_other_weapons_not_both() -> None:
    """SR-PISTOL-2, CF-SHOOT-2: a trooper may not fire pistol and gun together, nor two guns; two pistols it may."""
    pistol = weapon("gun", name="pistol", range=12, rules=["Pistol"])
    by = unit("a1", "A", "TRP", weapons=[weapon("gun"), weapon("gun"), pistol, pistol])
    both = shoot({}, enemy("GRT"), by=by, weapons=[["a1.1", 0], ["a1.1", 2]])
    assert both.refusal is not None and both.refusal["clause"] == "SR-PISTOL-2"
    guns = shoot({}, enemy("GRT"), by=by, weapons=[["a1.1", 0], ["a1.1", 1]])
    assert guns.refusal is not None and guns.refusal["clause"] == "CF-SHOOT-2"
    assert shoot({}, enemy("GRT"), 1, 1, by=by, weapons=[["a1.1", 2], ["a1.1", 3]]).row["attacks"] == 2


@clause("SR-POISONED-1", "SR-POISONED-2", "SR-POISONED-4", "CF-WOUND-2")
def test_tv_poisoned_1_in_close_combat() -> None:
    """TV-POISONED-1: S4 against T3 needs the table's 3, and a failed 2 is rolled again as a 3."""
    found = fight(weapon("blade", rules=["Poisoned (4+)"]), enemy("GRT"), 3, 2, 3, 1)
    assert found.slain == 1


@clause("SR-POISONED-1", "SR-POISONED-3", "SR-POISONED-4")
def test_tv_poisoned_1_at_range() -> None:
    """TV-POISONED-1: without a printed Strength it has S1; a beast is wounded on a 4, not on a 3; nothing is re-rolled."""
    dart = {"name": "dart", "range": 24, "A": 1, "AP": -4, "D": 1, "rules": ["Poisoned"]}
    assert shoot(dart, enemy("BST"), 3, 4).lost == 1
    assert shoot(dart, enemy("BST"), 3, 3).lost == 0
    assert shoot(dart | {"S": 6}, enemy("GRT"), 3, 1).lost == 0
    assert shoot(dart, enemy("APC"), 3, 6, facing="front").lost == 0


def _with_captain(gun: Json, **more: object) -> list[Json]:
    """A trooper with a weapon, against three troopers a captain has joined."""
    return [unit("a1", "A", "TRP", weapons=[gun], **more), enemy("TRP", 3), unit("b2", "B", "CAP", joined="b1", points=100)]  # type: ignore[arg-type]


@clause("SR-PRECISION-SHOTS-1", "SR-PRECISION-SHOTS-2", "CF-ALLOC-2", "SR-INDEPENDENT-CHARACTER-7")
def test_tv_precision_shots_1_the_captain_is_chosen() -> None:
    """TV-PRECISION-SHOTS-1: a 6 to hit goes to the captain; Look Out, Sir fails on a 1 and the save on a 2: one Wound."""
    found = attack(_with_captain(weapon("gun", rules=["Precision Shots"])), dice=[6, 5, 1, 2])
    assert found.taken("b2.1") == 1


@clause("SR-PRECISION-SHOTS-3", "CF-SHOOT-4")
def test_tv_precision_shots_1_a_snap_shot_is_never_precise() -> None:
    """TV-PRECISION-SHOTS-1: a Snap Shot of 6 is allocated as usual, to the first trooper."""
    units = _with_captain(weapon("gun", rules=["Precision Shots"]), marks=["snap-shots"])
    found = attack(units, dice=[6, 5, 2])
    assert found.removed("b1.1")


@clause("SR-PRECISION-STRIKES-1", "SR-PRECISION-STRIKES-2", "CF-ALLOC-2")
def test_tv_precision_strikes_1_a_trooper_steps_in() -> None:
    """TV-PRECISION-STRIKES-1: the captain is chosen, a 3 passes Look Out, Sir on 2+, and a trooper bears the wound."""
    found = attack(_with_captain(weapon("blade", rules=["Precision Strikes"])), kind="melee", dice=[6, 4, 3, 1])
    assert (found.taken("b2.1"), found.slain) == (0, 1)


@clause("SR-PREFERRED-ENEMY-1")
def test_tv_preferred_enemy_1_ones_are_thrown_again() -> None:
    """TV-PREFERRED-ENEMY-1: 1s to hit and to wound are rolled again, a 2 is kept."""
    by = unit("a1", "A", "TRP", rules=["Preferred Enemy"], weapons=[weapon("gun")])
    assert shoot({}, enemy("TRP"), 1, 4, 1, 5, 1, by=by).slain == 1
    assert shoot({}, enemy("TRP"), 2, by=by).row["hits"] == 0


@clause("SR-PREFERRED-ENEMY-2")
def test_preferred_enemy_works_on_armour_and_cools_weapons() -> None:
    """SR-PREFERRED-ENEMY-2: an armour die of 1 is rolled again; so is the 1 of a weapon that gets hot."""
    by = unit("a1", "A", "TRP", rules=["Preferred Enemy"], weapons=[weapon("gun", S=8, rules=["Gets Hot"])])
    assert shoot({}, enemy("APC"), 3, 1, 3, by=by, facing="front").lost == 1
    assert not shoot({}, enemy("APC"), 1, 2, by=by, facing="front").removed("a1.1")


@clause("SR-PULVERISE-1", "SR-PULVERISE-2")
def test_tv_pulverise_1_a_six_leaves_nothing() -> None:
    """TV-PULVERISE-1: an unsaved 6 to wound removes a beast of 8 Wounds."""
    assert fight(weapon("blade", rules=["Pulverise"]), enemy("BST"), 4, 6, 1).lost == 8
    assert fight(weapon("blade"), enemy("BST"), 4, 6, 1).lost == 1


@clause("SR-RAPID-FIRE-1", "SR-RAPID-FIRE-3")
@pytest.mark.parametrize(("distance", "shots"), [(12, 2), (12.5, 1)])
def test_tv_rapid_fire_1_half_range(distance: float, shots: int) -> None:
    """TV-RAPID-FIRE-1: at 12.0" of 24" two shots, at 12.5" one."""
    found = shoot(weapon("gun", rules=["Rapid Fire 1"]), enemy("GRT"), *[1] * shots, range=distance)
    assert found.row["attacks"] == shots


@clause("SR-REAPING-BLOW-1", "SR-REAPING-BLOW-2", "SR-REAPING-BLOW-3")
def test_tv_reaping_blow_1_later_and_wider() -> None:
    """TV-REAPING-BLOW-1: a trooper strikes at step 3, twice if it touches two enemies, once if it touches one."""
    sickle = weapon("blade", rules=["Reaping Blow"])
    by = unit("a1", "A", "TRP", weapons=[sickle], at=[(10, 10)])
    two = attack([by, enemy("GRT", 2, at=[(11, 10), (10, 11)])], kind="melee", dice=[1, 1])
    assert (two.event("struck")["facts"]["steps"], two.row["attacks"]) == ([3], 2)
    assert attack([by, enemy("GRT", 2, at=[(11, 10), (12.5, 10)])], kind="melee", dice=[1]).row["attacks"] == 1
    slow = unit("a1", "A", "TRP", stats={"I": 1}, weapons=[sickle])
    assert fight({}, enemy("GRT"), 1, by=slow).event("struck")["facts"]["steps"] == [1]


@clause("SR-RENDING-1", "CF-DMG-4", "CF-SHOOT-5")
def test_tv_rending_1_a_mortal_wound_on_top() -> None:
    """TV-RENDING-1: two grunts fall to the wounds, and one more to the mortal wound that waited for them."""
    found = shoot(weapon("gun", A=2, rules=["Rending"]), enemy("GRT", 5), 4, 5, 6, 3, 2, 1)
    assert (found.unsaved, found.row["mortal"], found.slain) == (2, 1, 3)


@clause("SR-RENDING-2", "CF-VEH-2")
def test_tv_rending_2_even_if_the_six_does_not_wound() -> None:
    """TV-RENDING-2: 10 against armour 14 is no hit, but costs a Hull Point; so does a 6 the table calls impossible."""
    assert shoot(weapon("gun", rules=["Rending"]), enemy("MBT"), 3, 6, facing="front").lost == 1
    found = shoot(weapon("gun", S=2, rules=["Rending"]), enemy("BST"), 3, 6)
    assert (found.unsaved, found.lost) == (0, 1)


@clause("SR-RITUAL-PAIR-1", "SR-RITUAL-PAIR-2")
def test_tv_ritual_pair_1_two_attacks_and_ones_again() -> None:
    """TV-RITUAL-PAIR-1: A1 makes two attacks; 1 to hit becomes 4, 1 to wound becomes 6."""
    found = fight(weapon("blade", AP=-4, rules=["Ritual Pair"]), enemy("TRP"), 1, 2, 4, 1, 6)
    assert (found.row["attacks"], found.slain) == (2, 1)


@clause("SR-RITUAL-PAIR-3")
def test_a_ritual_pair_overrides_two_handed() -> None:
    """SR-RITUAL-PAIR-3: the attack for two weapons stays, whatever Specialist and Two-handed say."""
    pair = weapon("blade", rules=["Ritual Pair", "Two-handed", "Specialist"])
    assert fight(pair, enemy("TRP"), 2, 2).row["attacks"] == 2


@clause("SR-SALVO-1", "SR-SALVO-2")
def test_tv_salvo_1_moving_and_standing() -> None:
    """TV-SALVO-1: moved 2 shots at 12.0" and none at 13"; stationary 4 shots at 24"."""
    gun = weapon("gun", rules=["Salvo 2/4"])
    assert shoot(gun, enemy("GRT"), 1, 1, moved=True, range=12).row["attacks"] == 2
    far = shoot(gun, enemy("GRT"), moved=True, range=13)
    assert far.refusal is not None and far.refusal["clause"] == "SR-SALVO-1"
    assert shoot(gun, enemy("GRT"), 1, 1, 1, 1, stationary=True, range=24).row["attacks"] == 4


@clause("SR-SALVO-4", "SR-RELENTLESS-1")
@pytest.mark.parametrize("rule", ["Relentless", "Slow and Purposeful"])
def test_the_relentless_fire_salvos_as_if_stationary(rule: str) -> None:
    """SR-SALVO-4: after moving they still have the stationary line at full range."""
    by = unit("a1", "A", "TRP", rules=[rule], weapons=[weapon("gun", rules=["Salvo(2/4)"])])
    assert shoot({}, enemy("GRT"), 1, 1, 1, 1, by=by, moved=True, range=24).row["attacks"] == 4


@clause("SR-SHRED-1", "SR-SHRED-2")
def test_tv_shred_1_wounds_are_tried_twice() -> None:
    """TV-SHRED-1: a failed 3 is rolled again as a 4; so is a failed armour roll."""
    assert shoot(weapon("gun", rules=["Shred"]), enemy("TRP"), 3, 3, 4, 1).slain == 1
    assert shoot(weapon("gun", S=8, rules=["Shred"]), enemy("APC"), 3, 2, 3, facing="front").lost == 1


@clause("SR-SHROUDED-1", "SR-SHROUDED-2", "SR-STEALTH-3", "CF-SAVE-2")
def test_tv_shrouded_1_in_the_open_and_in_ruins() -> None:
    """TV-SHROUDED-1: in the open a 5 saves; in 4+ ruins with Stealth a 2 does, and a 1 never."""
    gun = weapon("gun", AP=-4)
    assert shoot(gun, enemy("GRT", rules=["Shrouded"]), 3, 3, 5).slain == 0
    assert shoot(gun, enemy("GRT", rules=["Shrouded"]), 3, 3, 4).slain == 1
    hidden = enemy("GRT", rules=["Shrouded", "Stealth"], stats={"Cover": 4})
    assert shoot(gun, hidden, 3, 3, 2).slain == 0
    assert shoot(gun, hidden, 3, 3, 1).slain == 1


@clause("SR-SMASH-1", "CF-AP-4")
def test_tv_smash_1_ordinary_blows() -> None:
    """TV-SMASH-1: a beast's blows are AP -4, so no 3+ save is left; a weapon of AP -5 keeps it."""
    by = unit("a1", "A", "BST", rules=["Smash"], stats={"A": 1})
    smash = {"kind": "choose-option", "value": "0: bare hands"}
    assert fight({}, enemy("TRP"), 4, 2, by=by, answers=[smash]).slain == 1
    keen = unit("a1", "A", "BST", rules=["Smash"], stats={"A": 1}, weapons=[weapon("blade", AP=-5)])
    found = fight({}, enemy("MBT"), 3, 5, 5, by=keen, answers=[smash | {"value": "0: blade"}])
    assert found.removed("b1.1")


@clause("SR-SMASH-2", "SR-SMASH-3")
def test_tv_smash_1_one_blow_of_double_strength() -> None:
    """TV-SMASH-1: one attack of S10, at most, penetrates rear armour 10 on a 1, and AP -4 gives +1 on the table."""
    by = unit("a1", "A", "BST", rules=["Smash"], weapons=[weapon("blade", S="User+2")])
    found = fight({}, enemy("MBT"), 3, 1, 2, by=by, answers=[{"kind": "choose-option", "value": "0: blade, smash"}])
    assert (found.row["attacks"], found.lost) == (1, 1)
    assert found.rolls[1]["need"] == 0


@clause("SR-SNIPER-1", "SR-SNIPER-2", "SR-SNIPER-3")
def test_tv_sniper_1_four_and_six() -> None:
    """TV-SNIPER-1: a beast is wounded on a 4 and saves on a 3; a 6 is at AP -4; a 6 to hit picks the captain."""
    rifle = weapon("gun", rules=["Sniper"])
    assert shoot(rifle, enemy("BST"), 3, 4, 3).lost == 0
    assert shoot(rifle, enemy("BST"), 3, 6).lost == 1
    assert attack(_with_captain(rifle), dice=[6, 4, 1, 2]).taken("b2.1") == 1


@clause("SR-SNIPER-4")
def test_tv_sniper_1_exactly_four() -> None:
    """TV-SNIPER-1: S4 does not wound a grunt on a 3; vehicles meet the printed Strength, and X cannot harm them."""
    assert shoot(weapon("gun", rules=["Sniper"]), enemy("GRT"), 3, 3).slain == 0
    assert shoot(weapon("gun", S=6, rules=["Sniper"]), enemy("APC"), 3, 5, facing="front").lost == 1
    assert shoot(weapon("gun", S="X", rules=["Sniper"]), enemy("APC"), 3, facing="front").lost == 0


@clause("SR-SOUL-LEECH-1", "SR-SOUL-LEECH-2")
def test_tv_soul_leech_1_restores_what_was_lost() -> None:
    """TV-SOUL-LEECH-1: a captain at 1 of 3 Wounds is whole after two unsaved wounds, and a third restores nothing."""
    sword = weapon("blade", AP=-4, rules=["Soul-leech"])
    by = unit("a1", "A", "CAP", weapons=[sword], wounds=[2])
    assert fight({}, enemy("GRT", 5), 3, 3, 1, 3, 3, by=by).taken("a1.1") == 0
    assert fight({}, enemy("GRT", 5), 3, 3, 3, 3, 3, 3, by=by).taken("a1.1") == 0
    assert fight({}, enemy("GRT", 5), 3, 1, 1, 3, by=by).taken("a1.1") == 1
    tank = enemy("APC")
    assert fight({}, tank, 3, 1, 1, 6, by=by).taken("a1.1") == 1


@clause("SR-SPECIALIST-1")
def test_tv_specialist_1_needs_its_like() -> None:
    """TV-SPECIALIST-1: with a blade beside it A attacks, with two of them A + 1."""
    claw = weapon("blade", rules=["Specialist"])
    mixed = unit("a1", "A", "TRP", weapons=[claw, weapon("blade")])
    assert fight({}, enemy("TRP"), 1, by=mixed, weapons=[["a1.1", 0]]).row["attacks"] == 1
    pair = unit("a1", "A", "TRP", weapons=[claw, claw])
    assert fight({}, enemy("TRP"), 1, 1, by=pair, weapons=[["a1.1", 0]]).row["attacks"] == 2


@clause("SR-STEALTH-1", "SR-STEALTH-2", "CF-SAVE-2")
def test_tv_stealth_1_in_the_open_and_in_woods() -> None:
    """TV-STEALTH-1: in the open a 6 saves, in woods a 4; Stealth (Ruins) does not help in woods."""
    gun = weapon("gun", AP=-4)
    assert shoot(gun, enemy("GRT", rules=["Stealth"]), 3, 3, 6).slain == 0
    assert shoot(gun, enemy("GRT", rules=["Stealth"]), 3, 3, 5).slain == 1
    wood = {"id": "w", "types": ["wood"], "disc": [20, 10, 3]}
    for rule, slain in (("Stealth", 0), ("Stealth (Ruins)", 1), ("Stealth (Wood)", 0)):
        by = unit("a1", "A", "TRP", weapons=[gun], at=[(10, 10)])
        target = enemy("GRT", rules=[rule], at=[(20, 10)])
        assert attack([by, target], dice=[3, 3, 4], table={"terrain": [wood]}).slain == slain


@clause("SR-SUNDER-1", "SR-SUNDER-2")
def test_tv_sunder_1_vehicles_and_monsters() -> None:
    """TV-SUNDER-1: a failed 3 at armour 14 becomes a 6; a glancing hit is kept; troopers are not sundered."""
    gun = weapon("gun", S=9, rules=["Sunder"])
    assert shoot(gun, enemy("MBT"), 3, 3, 6, 1, facing="front").lost == 1
    assert shoot(gun, enemy("MBT"), 3, 5, facing="front").lost == 1
    assert shoot(weapon("gun", rules=["Sunder"]), enemy("TRP"), 3, 3).slain == 0


@clause("SR-SUSTAINED-HIT-1", "SR-SUSTAINED-HIT-2", "CF-DICE-5")
def test_tv_sustained_hit_1_more_hits_on_a_six() -> None:
    """TV-SUSTAINED-HIT-1: with 2 extra hits 6, 4 and 1 are four hits, and the extra ones are not lethal."""
    gun = weapon("gun", A=3, rules=["Sustained Hits 2", "Lethal Hits"])
    found = shoot(gun, enemy("TRP", 5), 6, 4, 1, 1, 1, 1, 3)
    assert (found.row["hits"], len(found.rolled("wound"))) == (4, 3)


@clause("SR-SWARMS-2", "SR-SWARMS-4")
def test_tv_swarms_1_blasts_count_double() -> None:
    """TV-SWARMS-1: two unsaved mortar wounds take all three Wounds of one swarm, two gun wounds take two."""
    mortar = weapon("mortar", hits=2)
    found = shoot(mortar, enemy("SWM", 2, rules=["Swarms"]), 3, 3)
    assert (found.slain, found.unsaved, found.lost) == (1, 3, 3)
    gun = weapon("gun", A=2, AP=-1)
    assert shoot(gun, enemy("SWM", rules=["Swarms"]), 3, 3, 3, 3).lost == 2


@clause("SR-SWARMS-2")
def test_instant_death_is_not_doubled_on_swarms() -> None:
    """SR-SWARMS-2: a blast wound with Instant Death is one wound."""
    found = shoot(weapon("mortar", S=6, AP=-2), enemy("SWM", 2, rules=["Swarms"]), 2)
    assert (found.slain, found.unsaved) == (1, 1)


@clause("SR-SWARMS-1", "CF-ALLOC-1")
def test_of_equally_close_swarms_the_weakest_goes_first() -> None:
    """SR-SWARMS-1: the second swarm, with fewer Wounds left, bears the wound; of other models the first does."""
    by = unit("a1", "A", "TRP", weapons=[weapon("gun", AP=-4)], at=[(10, 10)])
    spots = [(20, 12), (20, 8)]
    swarm = enemy("SWM", 2, rules=["Swarms"], at=spots, wounds=[0, 1])
    assert attack([by, swarm], dice=[3, 3]).taken("b1.2") == 2
    plain = enemy("CAP", 2, at=spots, wounds=[0, 1], type="infantry")
    assert attack([by, plain], dice=[3, 4]).taken("b1.1") == 1


@clause("SR-TANK-HUNTERS-1", "SR-TANK-HUNTERS-2", "SR-TANK-HUNTERS-3")
def test_tv_tank_hunters_1_again_and_harder() -> None:
    """TV-TANK-HUNTERS-1: a failed 2 becomes a 5, which glances, and Damage is 3 + D3."""
    by = unit("a1", "A", "TRP", 2, weapons=[weapon("cannon")], rules=["Tank Hunters"])
    found = shoot({}, enemy("MBT"), 3, 1, 2, 5, 4, by=by, facing="front", moved=True)
    assert found.lost == 5
    assert shoot({}, enemy("BST"), 3, 1, 1, by=by, moved=True).lost == 0


@clause("SR-TWIN-LINKED-1")
def test_tv_twin_linked_1_misses_again() -> None:
    """TV-TWIN-LINKED-1: a missed 2 becomes a 4."""
    assert shoot(weapon("gun", rules=["Twin-linked"]), enemy("TRP"), 2, 4, 1).row["hits"] == 1


@clause("SR-TWIN-LINKED-3")
def test_tv_twin_linked_1_a_template_wounds_again() -> None:
    """TV-TWIN-LINKED-1: a Template rolls a failed 2 to wound again as a 5, and a failed armour roll too."""
    hose = weapon("flamer", AP=-4, rules=["Twin-linked"])
    assert shoot(hose, enemy("TRP"), 2, 5, range=6).slain == 1
    assert shoot(hose, enemy("APC"), 2, 6, range=6, facing="rear").lost == 1
    assert shoot(weapon("gun", AP=-4, rules=["Twin-linked"]), enemy("TRP"), 3, 2).slain == 0


@clause("SR-TWO-HANDED-1", "CF-ASLT-8")
def test_tv_two_handed_1_no_hand_free() -> None:
    """TV-TWO-HANDED-1: A2 makes 2 attacks with it and 3 with the blade beside it."""
    by = unit("a1", "A", "TRP", stats={"A": 2}, weapons=[weapon("blade", rules=["Two-handed"]), weapon("blade")])
    assert fight({}, enemy("TRP"), 1, 1, by=by, weapons=[["a1.1", 0]]).row["attacks"] == 2
    assert fight({}, enemy("TRP"), 1, 1, 1, by=by, weapons=[["a1.1", 1]]).row["attacks"] == 3


@clause("SR-UNWIELDY-1")
@pytest.mark.parametrize(("fixture", "step"), [("CAP", 1), ("BST", 3), ("WLK", 4)])
def test_tv_unwieldy_1_the_strong_are_exempt(fixture: str, step: int) -> None:
    """TV-UNWIELDY-1: a captain strikes at step 1, a Monster at 3 and a Walker at 4."""
    by = unit("a1", "A", fixture, weapons=[weapon("blade", rules=["Unwieldy"])])
    found = fight({}, enemy("TRP"), *[1] * by["stats"]["A"], by=by)
    assert found.event("struck")["facts"]["steps"] == [step]


@clause("SR-WRATH-OF-ANGELS-1", "SR-WRATH-OF-ANGELS-2")
def test_tv_wrath_of_angels_1_a_wound_more() -> None:
    """TV-WRATH-OF-ANGELS-1: 6 and 4 to wound are three wounds, of which two are not saved; a vehicle is glanced besides."""
    bolter = weapon("gun", A=2, rules=["Wrath of Angels"])
    found = shoot(bolter, enemy("TRP", 5), 3, 3, 6, 4, 3, 2, 1)
    assert (found.row["blocked"], found.slain) == (1, 2)
    tank = shoot(weapon("gun", S=8, rules=["Wrath of Angels"]), enemy("MBT"), 3, 6, facing="front")
    assert tank.lost == 2


@clause("SR-OPEN-TOPPED-1", "CF-VEH-6", "CF-VEH-7")
@pytest.mark.parametrize(("rules", "explodes"), [(["Open-topped"], True), ([], False)])
def test_tv_open_topped_1_one_more_on_the_table(rules: list[str], explodes: bool) -> None:
    """TV-OPEN-TOPPED-1: AP -4 and a 5 explode an open vehicle and immobilise a closed one."""
    found = shoot(weapon("gun", S=8, AP=-4), enemy("APC", rules=rules), 3, 4, 5, facing="front")
    assert found.removed("b1.1") is explodes
    assert ("exploded" in found.kinds()) is explodes
    assert explodes or "immobile" in found.marks("b1.1")


@clause("SR-ZEALOT-2")
def test_tv_zealot_1_misses_are_struck_again() -> None:
    """TV-ZEALOT-1: a missed 2 becomes a 5."""
    by = unit("a1", "A", "TRP", rules=["Zealot"], weapons=[weapon("blade")])
    assert fight({}, enemy("TRP"), 2, 5, 1, by=by).row["hits"] == 1


@clause("SR-RELENTLESS-1", "SR-RELENTLESS-3")
def test_tv_relentless_1_a_moved_cannon_stays_steady() -> None:
    """TV-RELENTLESS-1: after moving, a cannon still hits on 2 + 1."""
    by = unit("a1", "A", "TRP", rules=["Relentless"], weapons=[weapon("cannon")])
    assert shoot({}, enemy("GRT"), 2, 1, by=by, moved=True).row["hits"] == 1


@clause("SR-RAGE-1", "SR-RAGE-2")
def test_tv_rage_1_a_wild_charge() -> None:
    """TV-RAGE-1: a charging trooper makes 3 attacks, after a disordered charge 1."""
    by = unit("a1", "A", "TRP", rules=["Rage"], weapons=[weapon("blade")])
    assert fight({}, enemy("TRP"), 1, 1, 1, by=by, charged=True).row["attacks"] == 3
    wild = unit("a1", "A", "TRP", rules=["Rage"], weapons=[weapon("blade")], marks=["disordered"])
    assert fight({}, enemy("TRP"), 1, by=wild, charged=True).row["attacks"] == 1


@clause("SR-COUNTER-ATTACK-1", "SR-COUNTER-ATTACK-2")
def test_tv_counter_attack_1_meets_the_charge() -> None:
    """TV-COUNTER-ATTACK-1: five troopers that were charged make 2 attacks each, already locked 1 each."""
    for marks, attacks in ((["was-charged"], 10), ([], 5)):
        by = unit("a1", "A", "TRP", 5, rules=["Counter-attack"], weapons=[weapon("blade")], marks=marks)
        assert fight({}, enemy("TRP"), *[1] * attacks, by=by).row["attacks"] == attacks


@clause("SR-SKYFIRE-1")
def test_tv_skyfire_1_the_sky_alone() -> None:
    """TV-SKYFIRE-1: a 3 hits what flies; at a trooper only a 6 does."""
    flak = weapon("gun", rules=["Skyfire"])
    assert shoot(flak, enemy("SKM"), 3, 1, facing="front").row["hits"] == 1
    assert shoot(flak, enemy("TRP"), 5).row["hits"] == 0
    assert shoot(flak, enemy("TRP"), 6, 1).row["hits"] == 1


@clause("SR-STRAFING-RUN-1")
def test_tv_strafing_run_1_targets_on_the_ground() -> None:
    """TV-STRAFING-RUN-1: CT4 counts as 5, so a 2 hits grunts; a Skimmer is missed on a 2."""
    flyer = unit("a1", "A", "SKM", rules=["Strafing Run"], weapons=[weapon("gun", rules=["Assault"])])
    assert shoot({}, enemy("GRT"), 2, 1, by=flyer).row["hits"] == 1
    assert shoot({}, enemy("SKM"), 2, by=flyer, facing="front").row["hits"] == 0


@clause("SR-MISSILE-LOCK-1")
def test_tv_missile_lock_1_missiles_find_their_mark() -> None:
    """TV-MISSILE-LOCK-1: a missed 2 with a One Use Only weapon becomes a 5; with another weapon it stays."""
    missile = weapon("gun", rules=["One Use Only"])
    by = unit("a1", "A", "APC", stats={"CT": 4}, rules=["Missile Lock"], weapons=[missile, weapon("gun")])
    assert shoot({}, enemy("GRT"), 2, 5, 1, by=by, weapons=[["a1.1", 0]]).row["hits"] == 1
    assert shoot({}, enemy("GRT"), 2, by=by, weapons=[["a1.1", 1]]).row["hits"] == 0


@clause("SR-SQUADRON-4", "SR-SQUADRON-6")
def test_tv_squadron_1_hit_by_hit() -> None:
    """TV-SQUADRON-1: three glancing hits of Damage 3 wreck the nearer vehicle with 6 Hull Points and cost the other 3."""
    carriers = enemy("APC", 2, wounds=[3, 0], rules=["Squadron"])
    found = shoot(weapon("gun", A=3, S=8, D=3), carriers, 3, 3, 3, 3, 3, 3, facing="front")
    assert (found.removed("b1.1"), found.taken("b1.2")) == (True, 3)


def test_tv_grenades_3_haywire() -> None:
    """TV-GRENADES-3: a haywire grenade at a tank with a 6 and a D3 of 2 costs 5 Hull Points."""
    grenade = weapon("gun", range=6, S=2, rules=["Assault", "Haywire"])
    assert shoot(grenade, enemy("MBT"), 3, 6, 3, range=6, facing="front").lost == 5


def test_tv_grenades_1_krak() -> None:
    """TV-GRENADES-1: 11 penetrates the rear of a carrier, 4 + 1 on the table destroys its weapon."""
    by = unit("a1", "A", "TRP", weapons=[weapon("blade", S=6, AP=-4)])
    found = fight({}, enemy("APC", weapons=[weapon("gun")]), 3, 5, 4, by=by)
    assert (found.lost, "lost:0" in found.marks("b1.1")) == (1, True)


def test_tv_jink_1_and_smoke_1_saves_of_vehicles() -> None:
    """TV-JINK-1, TV-SMOKE-LAUNCHER-1: a jinking Skimmer discards a hit on a 4, smoke discards one on a 5."""
    gun = weapon("gun", S=8)
    assert shoot(gun, enemy("SKM", rules=["Jink"], marks=["jinking"]), 3, 4, 4, facing="front").lost == 0
    assert shoot(gun, enemy("APC", marks=["smoke"]), 3, 3, 5, facing="front").lost == 0
    ignoring = weapon("gun", S=8, rules=["Ignores Cover"])
    assert shoot(ignoring, enemy("SKM", rules=["Jink"], marks=["jinking"]), 3, 3, facing="front").lost == 1
