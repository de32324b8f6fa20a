"""The contract's vectors that concern an attack, rules from Anti to Furious Charge, by their numbers."""

from __future__ import annotations

import pytest

from rolloff.errors import BadInput
from tests.compendium.desk import attack, clause, enemy, fight, shoot, unit, weapon


@clause("SR-ANTI-1", "SR-ANTI-2", "CF-DICE-3")
def test_tv_anti_1_failures_against_the_type_are_thrown_again() -> None:
    """TV-ANTI-1: against a Monster 2 is rolled again to hit and 3 to wound."""
    by = unit("a1", "A", "TRP", rules=["Anti-Monster"], weapons=[weapon("gun")])
    found = shoot({}, enemy("BST"), 2, 5, 3, 6, 1, by=by)
    assert [roll["rerolls"] for roll in found.rolls[:2]] == [[[0, 5]], [[0, 6]]]
    assert found.lost == 1


@clause("SR-ANTI-3")
def test_anti_needs_the_type_on_most_models() -> None:
    """SR-ANTI-3: Anti-Vehicle works on the armour roll; against a unit of which only a minority is of the type it does not."""
    by = unit("a1", "A", "TRP", rules=["Anti(Vehicle)"], weapons=[weapon("gun", S=8)])
    assert shoot({}, enemy("APC"), 3, 1, 3, by=by, facing="front").lost == 1
    hunter = unit("a1", "A", "TRP", rules=["Anti(Character)"], weapons=[weapon("gun")])
    captain = unit("b2", "B", "CAP", joined="b1")
    assert attack([hunter, enemy("TRP", 2), captain], dice=[2]).row["hits"] == 0


@clause("SR-ARMOURBANE-1", "SR-ARMOURBANE-3", "CF-VEH-1", "CF-VEH-3", "CF-VEH-4", "CF-VEH-6", "CF-VEH-9")
def test_tv_armourbane_1_a_bomb_on_the_rear() -> None:
    """TV-ARMOURBANE-1: 11 against rear armour 10 penetrates, 1 + 4 Hull Points, and 2 + 2 on the table stuns the crew."""
    bomb = weapon("blade", S=8, AP=-5, rules=["Armourbane"])
    found = fight(bomb, enemy("MBT"), 3, 3, 4, 2)
    assert found.lost == 5
    assert found.taken("b1.1") == 5
    assert {"shaken", "stunned"} <= found.marks("b1.1")


@clause("SR-ARMOURBANE-2")
def test_tv_armourbane_2_flesh_takes_no_die_more() -> None:
    """TV-ARMOURBANE-2: against a Monster nothing is added to Damage 1."""
    assert fight(weapon("blade", S=8, AP=-5, rules=["Armourbane"]), enemy("BST"), 4, 2).lost == 1


@clause("SR-ARMOURBANE-3")
def test_armourbane_adds_nothing_to_mortal_wounds() -> None:
    """SR-ARMOURBANE-3: a mortal wound on a vehicle costs one Hull Point and rolls no die."""
    found = shoot(weapon("gun", rules=["Armourbane", "Rending"]), enemy("MBT"), 3, 6, facing="front")
    assert (found.lost, found.row["mortal"]) == (1, 1)


@clause("SR-BLADESTORM-1", "SR-BLADESTORM-2", "CF-AP-3")
@pytest.mark.parametrize(("face", "lost"), [(6, 1), (5, 0)])
def test_tv_bladestorm_1_a_six_always_wounds_at_ap_4(face: int, lost: int) -> None:
    """TV-BLADESTORM-1: S2 cannot wound T6 but by a 6, and then no 3+ save is left."""
    assert shoot(weapon("gun", S=2, rules=["Bladestorm"]), enemy("BST"), 3, face).lost == lost


@clause("SR-BLADESTORM-3", "CF-AP-4")
def test_bladestorm_keeps_a_better_ap_and_leaves_armour_alone() -> None:
    """SR-BLADESTORM-3: AP -5 stays, so a 6 on the table explodes; an armour roll of 6 that is too low stays a failure."""
    keen = weapon("gun", S=6, AP=-5, rules=["Bladestorm"])
    found = shoot(keen, enemy("MBT"), 3, 6, 5, facing="rear")
    assert "CF-VEH-6" in found.cited() and found.removed("b1.1")
    assert shoot(weapon("gun", rules=["Bladestorm"]), enemy("MBT"), 3, 6, facing="front").lost == 0


@clause("SR-BLADE-WHIP-1")
def test_tv_blade_whip_1_missed_blows_are_struck_again() -> None:
    """TV-BLADE-WHIP-1: of 4, 3 and 1 the last two are rolled again as 5 and 2: two hits."""
    by = unit("a1", "A", "TRP", stats={"A": 3}, weapons=[weapon("blade", rules=["Blade Whip"])])
    found = fight({}, enemy("TRP"), 4, 3, 1, 5, 2, 1, 1, by=by)
    assert found.row["hits"] == 2


@clause("SR-BURST-PISTOL-1", "SR-PISTOL-1")
def test_tv_burst_pistol_1_five_shots_in_a_scuffle() -> None:
    """TV-BURST-PISTOL-1: locked with its target a burst pistol fires five shots, of which 3, 3 and 6 hit."""
    found = shoot(weapon("gun", S=3, rules=["Burst Pistol"]), enemy("GRT", 5), 3, 3, 1, 6, 2, 1, 1, 1, range=0.5)
    assert (found.row["attacks"], found.row["hits"]) == (5, 3)


@clause("SR-COLOSSAL-1", "SR-COLOSSAL-2")
@pytest.mark.parametrize(("fixture", "plain"), [("CAP", 5), ("BST", 3)])
def test_tv_colossal_1_everybody_strikes_last(fixture: str, plain: int) -> None:
    """TV-COLOSSAL-1: captain and Monster alike strike at step 1 with it, at their own Initiative without."""
    for rules, step in ((["Colossal", "Fights First"][:1], 1), ([], plain)):
        by = unit("a1", "A", fixture, weapons=[weapon("blade", rules=rules)], rules=["Fights First"] if rules else [])
        found = fight({}, enemy("GRT", 5), *[1] * by["stats"]["A"], by=by)
        assert found.event("struck")["facts"]["steps"] == [step]


@clause("SR-CONCUSSIVE-1")
def test_tv_concussive_1_a_survivor_is_dazed() -> None:
    """TV-CONCUSSIVE-1: a captain that loses a Wound drops to Initiative 1, and strikes at step 1 then."""
    found = shoot(weapon("gun", rules=["Concussive"]), enemy("CAP"), 3, 4, 1)
    assert found.marks("b1.1") == {"concussed"}
    dazed = unit("a1", "A", "CAP", weapons=[weapon("blade")])
    dazed["models"][0]["marks"] = ["concussed"]
    assert fight({}, enemy("GRT", 5), 1, 1, 1, by=dazed).event("struck")["facts"]["steps"] == [1]


@clause("SR-DAEMON-1", "CF-SAVE-1")
def test_tv_daemon_1_an_invulnerable_save() -> None:
    """TV-DAEMON-1: AP -4 leaves no armour, and a 5 saves."""
    found = shoot(weapon("gun", AP=-4), enemy("GRT", rules=["Daemon"]), 3, 3, 5)
    assert (found.row["blocked"], found.lost) == (1, 0)
    assert shoot(weapon("gun", AP=-4), enemy("GRT"), 3, 3).lost == 1


@clause("SR-DAEMON-2")
def test_a_better_ward_than_a_daemons_is_kept() -> None:
    """SR-DAEMON-2: a 4+ invulnerable save on the profile stays."""
    assert shoot(weapon("gun", AP=-4), enemy("GRT", rules=["Daemon"], stats={"Inv": "4+"}), 3, 3, 4).lost == 0


@clause("SR-DECAPITATING-BLOW-1", "SR-DECAPITATING-BLOW-2", "SR-INSTANT-DEATH-2", "CF-DICE-4")
@pytest.mark.parametrize(("face", "lost"), [(6, 3), (5, 1)])
def test_tv_decapitating_blow_1_a_six_kills(face: int, lost: int) -> None:
    """TV-DECAPITATING-BLOW-1: an unsaved 6 to wound takes all three Wounds, a 5 one."""
    assert fight(weapon("blade", rules=["Decapitating Blow"]), enemy("CAP"), 4, face, 2).lost == lost


@clause("SR-DEFLAGRATE-1", "SR-DEFLAGRATE-3", "SR-DEFLAGRATE-4", "CF-DICE-13")
def test_tv_deflagrate_1_wounds_set_fires() -> None:
    """TV-DEFLAGRATE-1: two unsaved wounds bring two hits of S6 AP -1; one wounds and is not saved; then it ends."""
    found = shoot(weapon("gun", A=2, rules=["Deflagrate"]), enemy("GRT", 5), 3, 3, 3, 3, 1, 1, 2, 1, 5)
    assert found.slain == 3
    assert found.row["attacks"] == 2


@clause("SR-DEFLAGRATE-2")
def test_fires_reach_only_models_in_range() -> None:
    """SR-DEFLAGRATE-2: a second model out of range of the weapon is not harmed by the hit that follows."""
    gun = weapon("gun", range=6, rules=["Deflagrate"])
    firer = unit("a1", "A", "TRP", weapons=[gun], at=[(10, 10)])
    found = attack([firer, enemy("GRT", 2, at=[(15, 10), (20, 10)])], dice=[3, 3, 1, 2])
    assert found.slain == 1


@clause("SR-DESTROYER-1", "SR-DESTROYER-2", "SR-DESTROYER-8")
@pytest.mark.parametrize(("dice", "lost"), [((4, 4), 3), ((6, 3), 10), ((1,), 0)])
def test_tv_destroyer_1_vehicles(dice: tuple[int, ...], lost: int) -> None:
    """TV-DESTROYER-1: 4 costs 1 + D3 Hull Points, 6 costs 1 + D6 + 6, 1 nothing; there is no other roll."""
    assert shoot(weapon("gun", S="D", AP=-4), enemy("MBT"), 3, *dice, facing="front").lost == lost


@clause("SR-DESTROYER-3", "SR-DESTROYER-4", "SR-DESTROYER-6", "SR-DESTROYER-7")
@pytest.mark.parametrize(("dice", "lost"), [((5, 4), 0), ((5, 3, 1), 8), ((1,), 0), ((6, 2), 8)])
def test_tv_destroyer_2_a_monster_in_cover(dice: tuple[int, ...], lost: int) -> None:
    """TV-DESTROYER-2: behind 4+ cover a 5 may be saved, else it is Instant Death; a 6 allows no save."""
    assert shoot(weapon("gun", S="D", AP=-4), enemy("BST", stats={"Cover": 4}), 3, *dice).lost == lost


@clause("SR-DESTROYER-7", "SR-DESTROYER-5", "SR-ETERNAL-WARRIOR-1")
def test_tv_destroyer_3_an_eternal_warrior() -> None:
    """TV-DESTROYER-3: it loses 1 for the Damage and the extra wounds in full, and Feel No Pain is not rolled."""
    hero = enemy("CAP", stats={"W": 9}, rules=["Eternal Warrior", "Feel No Pain(4+)"])
    assert shoot(weapon("gun", S="D", AP=-4), hero, 3, 3, 4).lost == 3


@clause("SR-DEVASTATING-WOUND-1", "SR-DEVASTATING-WOUND-2", "CF-DMG-3", "CF-DMG-2")
def test_tv_devastating_wound_1_mortal_wounds_carry_over() -> None:
    """TV-DEVASTATING-WOUND-1: Damage 2 on a 6 slays two; on a 5 one at most."""
    gun = weapon("gun", D=2, rules=["Devastating Wounds"])
    found = shoot(gun, enemy("GRT", 3), 3, 6)
    assert (found.slain, found.row["mortal"], found.unsaved) == (2, 2, 0)
    assert shoot(gun, enemy("GRT", 3), 3, 5, 1).slain == 1


@clause("SR-DEVASTATING-WOUND-2", "CF-VEH-2", "CF-DMG-2")
def test_tv_devastating_wound_2_a_vehicle() -> None:
    """TV-DEVASTATING-WOUND-2: an armour 6 that is too low still costs one Hull Point."""
    assert shoot(weapon("gun", rules=["Devastating Wounds"]), enemy("MBT"), 3, 6, facing="front").lost == 1


@clause("SR-DISTORT-SCYTHE-1", "SR-DISTORT-SCYTHE-2", "SR-DISTORT-SCYTHE-3")
def test_tv_distort_scythe_1_a_lesser_destroyer() -> None:
    """TV-DISTORT-SCYTHE-1: 6 counts as 5 and 2 as 1; against T8 its assumed S15 is no Instant Death."""
    scythe = weapon("gun", S="D", AP=-4, rules=["Distort Scythe"])
    assert shoot(scythe, enemy("MBT"), 3, 6, 5, facing="front").lost == 4
    assert shoot(scythe, enemy("MBT"), 3, 2, facing="front").lost == 0
    assert shoot(scythe, enemy("BST", stats={"T": 8}), 3, 4, 4).lost == 3


@clause("SR-ENTROPIC-STRIKE-1", "SR-ENTROPIC-STRIKE-2")
def test_tv_entropic_strike_1_a_six_always_wounds() -> None:
    """TV-ENTROPIC-STRIKE-1: S2 wounds T6 on a 6, and a 3+ save at AP 0 stands; an armour roll is not helped."""
    claw = weapon("blade", S=2, rules=["Entropic Strike"])
    found = fight(claw, enemy("BST"), 4, 6, 3)
    assert (found.row["blocked"], found.lost) == (1, 0)
    assert fight(claw, enemy("APC"), 3, 6).lost == 0


@clause("SR-ETERNAL-WARRIOR-1", "SR-ETERNAL-WARRIOR-2", "CF-WOUND-3", "SR-INSTANT-DEATH-1")
@pytest.mark.parametrize(("rules", "lost"), [([], 3), (["Eternal Warrior"], 1)])
def test_tv_eternal_warrior_1_only_one_wound(rules: list[str], lost: int) -> None:
    """TV-ETERNAL-WARRIOR-1: S8 Damage 3 at T4 kills a captain, but takes one Wound off an Eternal Warrior."""
    assert shoot(weapon("gun", S=8, D=3), enemy("CAP", rules=rules), 3, 2, 2).lost == lost


@clause("SR-EXTRA-ATTACKS-1", "SR-EXTRA-ATTACKS-2", "CF-ASLT-8")
def test_tv_extra_attacks_1_one_more_with_its_own_weapon() -> None:
    """TV-EXTRA-ATTACKS-1: a charging captain with two weapons makes 5 blade attacks and 1 at S6."""
    spur = weapon("blade", name="spur", S=6, rules=["Extra Attacks"])
    by = unit("a1", "A", "CAP", weapons=[weapon("blade"), spur])
    found = fight({}, enemy("GRT", 5), 1, 1, 1, 1, 1, 3, 2, 1, by=by, charged=True, weapons=[["a1.1", 0]])
    assert [len(roll["faces"]) for roll in found.rolls if roll["purpose"] == "hit"] == [5, 1]
    assert found.slain == 1


@clause("SR-FATAL-PRECISION-1", "SR-FATAL-PRECISION-2", "SR-PRECISION-STRIKES-1")
@pytest.mark.parametrize(("face", "taken"), [(4, 1), (3, 0)])
def test_tv_fatal_precision_1_mortal_wounds_on_the_chosen(face: int, taken: int) -> None:
    """TV-FATAL-PRECISION-1: a 4 to hit is precise, a 4 to wound is a mortal wound on the captain, a 3 fails."""
    dirk = weapon("blade", rules=["Fatal Precision"])
    captain = unit("b2", "B", "CAP", joined="b1")
    found = attack([unit("a1", "A", "TRP", weapons=[dirk]), enemy("TRP", 4), captain], kind="melee", dice=[4, face])
    assert found.taken("b2.1") == taken


@clause("SR-FEEL-NO-PAIN-1")
@pytest.mark.parametrize(("face", "slain"), [(5, 0), (4, 1)])
def test_tv_feel_no_pain_1_a_wound_shrugged_off(face: int, slain: int) -> None:
    """TV-FEEL-NO-PAIN-1: after a failed save a 5 discounts the wound, a 4 does not."""
    found = shoot(weapon("gun"), enemy("TRP", rules=["Feel No Pain(5+)"]), 3, 4, 1, face)
    assert (found.slain, found.row["ignored"]) == (slain, 1 - slain)


@clause("SR-FEEL-NO-PAIN-4", "CF-DMG-1")
def test_feel_no_pain_is_rolled_once_for_a_wound() -> None:
    """SR-FEEL-NO-PAIN-4: one roll cancels the whole Damage 3; of two numbers the better is used."""
    hardy = enemy("BST", rules=["Feel No Pain(6+)", "Feel No Pain(5+)"])
    assert shoot(weapon("gun", S=8, AP=-5, D=3), hardy, 3, 2, 5).lost == 0


@clause("SR-FEEL-NO-PAIN-2", "SR-INSTANT-DEATH-2", "CF-DICE-13")
def test_feel_no_pain_does_not_stop_instant_death() -> None:
    """SR-FEEL-NO-PAIN-2: against Instant Death no die is rolled for it."""
    assert shoot(weapon("gun", rules=["Instant Death"]), enemy("CAP", rules=["Feel No Pain(2+)"]), 3, 4, 1).lost == 3


@clause("SR-FEEL-NO-PAIN-3")
def test_feel_no_pain_is_never_better_than_2() -> None:
    """SR-FEEL-NO-PAIN-3: 1+ is refused with what is allowed."""
    with pytest.raises(BadInput, match="does not fit"):
        shoot(weapon("gun"), enemy("TRP", rules=["Feel No Pain(1+)"]), 3, 4, 1)


@clause("SR-FIGHT-FIRST-1")
def test_tv_fight_first_1_only_if_every_model_has_it() -> None:
    """TV-FIGHT-FIRST-1: five grunts with it strike at step 10; joined by a captain without it at 3, the captain at 5."""
    grunts = unit("a1", "A", "GRT", 5, rules=["Fights First"])
    assert fight({}, enemy("TRP"), *[1] * 5, by=grunts).event("struck")["facts"]["steps"] == [10]
    captain = unit("a2", "A", "CAP", joined="a1")
    found = attack([grunts, captain, enemy("TRP")], kind="melee", dice=[1] * 8)
    assert found.event("struck")["facts"]["steps"] == [5, 3]


@clause("SR-FIGHT-FIRST-2")
def test_unwieldy_wins_over_fighting_first() -> None:
    """SR-FIGHT-FIRST-2: with an Unwieldy weapon step 1 stands; a Concussed unit that fights first stays at 10."""
    by = unit("a1", "A", "TRP", rules=["Fights First"], weapons=[weapon("blade", rules=["Unwieldy"])])
    assert fight({}, enemy("TRP"), 1, by=by).event("struck")["facts"]["steps"] == [1]
    dazed = unit("a1", "A", "TRP", rules=["Fights First"], weapons=[weapon("blade")])
    dazed["models"][0]["marks"] = ["concussed"]
    assert fight({}, enemy("TRP"), 1, by=dazed).event("struck")["facts"]["steps"] == [10]


@clause("SR-FLESHBANE-1", "SR-FLESHBANE-2", "CF-WOUND-2")
def test_tv_fleshbane_1_two_is_enough() -> None:
    """TV-FLESHBANE-1: S3 wounds T6 on a 2; armour 11 is beyond 3 + 6."""
    knife = weapon("gun", S=3, AP=-4, rules=["Fleshbane"])
    assert shoot(knife, enemy("BST"), 3, 2).lost == 1
    assert shoot(knife, enemy("APC"), 3, 6, facing="front").lost == 0


@clause("SR-FURIOUS-CHARGE-1", "SR-FURIOUS-CHARGE-2", "CF-ASLT-4")
def test_tv_furious_charge_1_stronger_on_the_charge() -> None:
    """TV-FURIOUS-CHARGE-1: S5 against T4 wounds on a 3; after a disordered charge it needs a 4 and has no bonus attack."""
    by = unit("a1", "A", "TRP", rules=["Furious Charge"], weapons=[weapon("blade")])
    assert fight({}, enemy("TRP"), 4, 1, 3, 1, by=by, charged=True).slain == 1
    wild = unit("a1", "A", "TRP", rules=["Furious Charge"], weapons=[weapon("blade")], marks=["disordered"])
    assert fight({}, enemy("TRP"), 4, 3, by=wild, charged=True).slain == 0


@clause("SR-FURIOUS-CHARGE-3", "CF-DICE-8")
def test_furious_charge_is_added_after_multipliers() -> None:
    """SR-FURIOUS-CHARGE-3: a Userx2 weapon has 4 x 2 + 1 = 9, which wounds T8 on a 3; a fixed Strength is not raised."""
    tough = enemy("BST", stats={"T": 8})
    maul = unit("a1", "A", "TRP", rules=["Furious Charge"], weapons=[weapon("blade", S="Userx2", AP=-4)])
    assert fight({}, tough, 4, 1, 3, by=maul, charged=True).lost == 1
    fixed = unit("a1", "A", "TRP", rules=["Furious Charge"], weapons=[weapon("blade", S=8, AP=-4)])
    assert fight({}, tough, 4, 1, 3, by=fixed, charged=True).lost == 0
