"""Where rules meet: the contract's interaction matrix, as far as it concerns one attack."""

from __future__ import annotations

import pytest

from tests.compendium.desk import Json, attack, clause, enemy, fight, shoot, unit, weapon


def by(gun: Json, fixture: str = "TRP", n: int = 1, **more: object) -> Json:
    """The attacker ``a1`` with a weapon."""
    return unit("a1", "A", fixture, n, weapons=[gun], **more)  # type: ignore[arg-type]


@clause("SR-LETHAL-HIT-2", "CF-DICE-5")
def test_ix_1_a_lethal_hit_has_no_wound_die() -> None:
    """IX-1: nothing that reads a To Wound die happens on a lethal hit."""
    gun = weapon("gun", rules=["Lethal Hits", "Devastating Wounds", "Rending", "Sniper"])
    found = shoot(gun, enemy("TRP"), 6, 1)
    assert (found.row["mortal"], found.rolled("wound")) == (0, [])


@clause("SR-LETHAL-HIT-2", "SR-SUSTAINED-HIT-2")
def test_ix_2_lethal_and_sustained() -> None:
    """IX-2: the six wounds by itself, its extra hit rolls To Wound."""
    found = shoot(weapon("gun", rules=["Lethal Hits", "Sustained Hits 1"]), enemy("TRP", 2), 6, 4, 1, 1)
    assert (found.row["hits"], found.slain) == (2, 2)


@clause("SR-LETHAL-HIT-1", "SR-PRECISION-SHOTS-1")
def test_ix_3_lethal_and_precise() -> None:
    """IX-3: the automatic wound is allocated by the attacker."""
    gun = weapon("gun", AP=-4, rules=["Lethal Hits", "Precision Shots"])
    found = attack([by(gun), enemy("TRP", 2), unit("b2", "B", "CAP", joined="b1", points=90)], dice=[6, 1])
    assert found.taken("b2.1") == 1


@clause("SR-DEVASTATING-WOUND-3")
def test_ix_4_devastating_ends_the_sequence() -> None:
    """IX-4: a 6 of a weapon with Pulverise too is mortal wounds to its Damage, unless the attacker declines."""
    maul = weapon("blade", D=2, rules=["Devastating Wounds", "Pulverise"])
    found = fight(maul, enemy("BST"), 4, 6)
    assert (found.lost, found.row["mortal"]) == (2, 2)
    declined = fight(maul, enemy("BST"), 4, 6, 1, answers=[{"kind": "yes-no", "value": True}])
    assert (declined.lost, declined.row["mortal"]) == (8, 0)


@clause("SR-RENDING-2", "SR-DEVASTATING-WOUND-2")
def test_ix_5_devastating_and_rending() -> None:
    """IX-5: the Damage in mortal wounds, and one more."""
    assert shoot(weapon("gun", D=2, rules=["Devastating Wounds", "Rending"]), enemy("BST"), 3, 6).row["mortal"] == 3


@clause("SR-WRATH-OF-ANGELS-2", "SR-DEVASTATING-WOUND-1")
def test_ix_6_devastating_and_wrath() -> None:
    """IX-6: the additional wound is an ordinary one, which may be saved."""
    found = shoot(weapon("gun", rules=["Devastating Wounds", "Wrath of Angels"]), enemy("BST"), 3, 6, 3)
    assert (found.row["mortal"], found.row["blocked"]) == (1, 1)


@clause("CF-WOUND-2", "SR-POISONED-1")
def test_ix_7_the_attacker_takes_the_lowest_number() -> None:
    """IX-7: of Sniper, Neural Shock and Poisoned 3+ the last is taken; with Fleshbane 2+; re-rolls apply."""
    gun = weapon("gun", S=1, AP=-5, rules=["Sniper", "Neural Shock", "Poisoned(3+)", "Shred"])
    assert shoot(gun, enemy("BST"), 3, 2, 3).lost == 1
    assert shoot(gun | {"rules": [*gun["rules"], "Fleshbane"]}, enemy("BST"), 3, 2).lost == 1


@clause("SR-LANCE-2")
def test_ix_8_a_lance_adds_to_the_die_of_a_fixed_number() -> None:
    """IX-8: charging with Neural Shock a 3 + 1 wounds."""
    found = fight({}, enemy("BST"), 4, 1, 3, by=by(weapon("blade", AP=-4, rules=["Lance", "Neural Shock"])), charged=True)
    assert found.lost == 1


@clause("SR-BLADESTORM-1")
def test_ix_9_a_six_wounds_in_any_case() -> None:
    """IX-9: with a Graviton number of 6 and a -0 Strength the 6 of Bladestorm wounds at AP -4."""
    assert shoot(weapon("gun", S="X", rules=["Bladestorm", "Graviton"]), enemy("SWM", stats={"Sv": "-"}), 3, 6).lost == 1


@clause("SR-MONOFILAMENT-1", "CF-WOUND-3")
def test_ix_10_toughness_decides_instant_death() -> None:
    """IX-10: S8 against I5 and T4 kills; against T5 it does not, whatever the Initiative."""
    wire = weapon("gun", S=8, AP=-5, rules=["Monofilament"])
    assert shoot(wire, enemy("CAP"), 3, 2).lost == 3
    assert shoot(wire, enemy("CAP", stats={"T": 5, "I": 2}), 3, 2).lost == 1


@clause("SR-ETERNAL-WARRIOR-2")
def test_ix_11_an_eternal_warrior_loses_exactly_one() -> None:
    """IX-11: Instant Death and rolled Damage take one Wound an event, so two with Moonsilver; no Damage die is rolled."""
    bolt = weapon("gun", D="D6", rules=["Instant Death"])
    found = shoot(bolt, enemy("CAP", rules=["Eternal Warrior", "Daemon"]), 3, 4, 1)
    assert (found.lost, found.rolled("damage")) == (1, [])
    silver = weapon("gun", D="D6", rules=["Instant Death", "Moonsilver"])
    found = shoot(silver, enemy("CAP", rules=["Eternal Warrior", "Daemon"]), 3, 4, 1)
    assert (found.lost, found.unsaved, found.rolled("damage")) == (2, 2, [])


@clause("SR-SWARMS-4", "SR-FEEL-NO-PAIN-4")
def test_ix_12_pain_is_felt_for_each_of_two_wounds() -> None:
    """IX-12: a doubled blast wound on a swarm rolls Feel No Pain twice."""
    swarm = enemy("SWM", rules=["Swarms", "Feel No Pain(5+)"])
    found = shoot(weapon("mortar", AP=-2), swarm, 3, 5, 4)
    assert (found.rolled("feel no pain"), found.lost) == ([5, 4], 1)


@clause("SR-MOONSILVER-2")
def test_ix_13_one_roll_for_each_of_two_wounds() -> None:
    """IX-13: a psyker shrugs each of the two wounds of moonsilver off by a die of its own."""
    found = shoot(weapon("gun", AP=-4, rules=["Moonsilver"]), enemy("PSY", rules=["Feel No Pain(5+)"]), 3, 3, 5, 4)
    assert (found.rolled("feel no pain"), found.lost) == ([5, 4], 1)


@clause("SR-SWARMS-2", "SR-MOONSILVER-1")
def test_ix_14_four_events() -> None:
    """IX-14: a Daemon swarm of 6 Wounds suffers four events of one moonsilver blast wound, each with its Feel No Pain."""
    swarm = enemy("SWM", rules=["Swarms", "Daemon", "Feel No Pain(5+)"], stats={"W": 6})
    found = shoot(weapon("mortar", AP=-5, rules=["Moonsilver"]), swarm, 3, 1, 4, 4, 5, 4)
    assert (found.lost, found.unsaved, found.rolled("feel no pain")) == (3, 3, [4, 4, 5, 4])


@clause("SR-FEEL-NO-PAIN-4")
def test_ix_15_a_discounted_wound_triggers_nothing() -> None:
    """IX-15: no Concussion, no fire and no drink from a wound that was shrugged off."""
    gun = weapon("gun", rules=["Concussive", "Deflagrate", "Soul-leech"])
    found = shoot({}, enemy("CAP", rules=["Feel No Pain(5+)"]), 3, 4, 1, 5, by=by(gun, "CAP", wounds=[1]))
    assert (found.marks("b1.1"), found.taken("a1.1"), found.rolled("wound")) == (set(), 1, [4])


@clause("SR-GETS-HOT-4")
@pytest.mark.parametrize("rule", ["Twin-linked", "Master-crafted"])
def test_ix_17_a_one_is_thrown_again_where_permitted(rule: str) -> None:
    """IX-17: of a 1 and a 2 the 1 is rolled again first."""
    found = shoot(weapon("gun", A=2, rules=["Gets Hot", rule]), enemy("TRP"), *(1, 2, 2, 2) if rule[0] == "T" else (1, 2, 2))
    assert not found.removed("a1.1")


@clause("SR-HAZARDOUS-1", "SR-GETS-HOT-1")
def test_ix_18_hot_and_hazardous() -> None:
    """IX-18: both, the hazard after all attacks."""
    gun = weapon("gun", rules=["Gets Hot", "Hazardous"])
    found = shoot({}, enemy("TRP"), 1, 2, 1, 1, by=by(gun, "CAP", stats={"W": 5}))
    assert [roll["purpose"] for roll in found.rolls] == ["hit", "save", "hazardous", "wounds"]
    assert found.taken("a1.1") == 2


@clause("SR-GETS-HOT-1")
def test_ix_19_snap_shots_get_hot() -> None:
    """IX-19: a natural 1 of a Snap Shot burns."""
    assert shoot({}, enemy("TRP"), 1, 2, by=by(weapon("gun", rules=["Gets Hot"]), marks=["snap-shots"])).removed("a1.1")


@clause("SR-ARMOURBANE-3", "SR-MELTA-3", "SR-TANK-HUNTERS-3")
def test_ix_21_damage_dice_add_up() -> None:
    """IX-21: D + D6 + D6 + D3."""
    gun = by(weapon("gun", S=8, rules=["Armourbane", "Melta"]), rules=["Tank Hunters"])
    assert shoot({}, enemy("MBT"), 3, 6, 2, 3, 4, by=gun, facing="front").lost == 1 + 2 + 3 + 2


@clause("SR-HAYWIRE-2")
def test_ix_23_nothing_helps_the_haywire_table() -> None:
    """IX-23: Armourbane, Melta, Tank Hunters and Rending add nothing to a table result of 6 and D3 + 3."""
    gun = by(weapon("gun", rules=["Haywire", "Armourbane", "Melta", "Rending"]), rules=["Tank Hunters"])
    assert shoot({}, enemy("MBT"), 3, 6, 1, by=gun, facing="front").lost == 4


@clause("SR-DESTROYER-1")
def test_ix_25_destroyers_make_no_wound_roll() -> None:
    """IX-25: Devastating Wounds, Rending and Shred do nothing, and a lethal hit still rolls the table."""
    gun = weapon("gun", S="D", rules=["Devastating Wounds", "Rending", "Shred", "Lethal Hits"])
    found = shoot(gun, enemy("MBT"), 6, 1, facing="front")
    assert (found.lost, found.rolled("destroyer")) == (0, [1])


@clause("SR-GRAVITON-1", "SR-SHRED-1")
def test_ix_27_graviton_may_be_thrown_again() -> None:
    """IX-27: a failed 2 against 3+ armour becomes a 3."""
    assert shoot(weapon("gun", S="X", AP=-5, rules=["Graviton", "Shred"]), enemy("TRP"), 3, 2, 3).slain == 1


@clause("SR-IGNORES-COVER-2", "SR-INDIRECT-FIRE-2")
def test_ix_28_ignores_cover_ignores_all_of_it() -> None:
    """IX-28: neither Jink nor smoke, nor being out of sight helps."""
    rack = weapon("gun", S=8, AP=-3, rules=["Ignores Cover", "Indirect Fire"])
    assert shoot(rack, enemy("SKM", rules=["Jink"], marks=["jinking", "smoke"]), 4, 3, facing="front", visible=False).lost == 1


@clause("SR-STEALTH-3", "SR-SHROUDED-2")
def test_ix_29_hiding_adds_up() -> None:
    """IX-29: Stealth, Shrouded and Go to Ground together are 4 better: 3+ in the open; two Stealths count once."""
    gun = weapon("gun", AP=-4)
    hidden = enemy("GRT", rules=["Stealth", "Shrouded"], marks=["gone-to-ground"])
    assert shoot(gun, hidden, 3, 3, 3).slain == 0
    assert shoot(gun, hidden, 3, 3, 2).slain == 1
    twice = enemy("GRT", rules=["Stealth", "Stealth"])
    assert shoot(gun, twice, 3, 3, 5).slain == 1


@clause("SR-LUMINAGEN-3", "SR-STEALTH-1")
def test_ix_31_luminagen_and_stealth_cancel() -> None:
    """IX-31: 4+ cover stays 4+."""
    target = enemy("GRT", stats={"Cover": 4}, rules=["Stealth"], marks=["luminagen"])
    assert shoot(weapon("gun"), target, 3, 3, 4).slain == 0
    assert shoot(weapon("gun"), target, 3, 3, 3).slain == 1


@clause("SR-MOLECULAR-REALIGNMENT-FIELD-1")
def test_ix_32_armour_may_be_chosen_instead() -> None:
    """IX-32: 3+ armour is taken, and holds at once, where a ward would have to hold twice."""
    pike = weapon("gun", rules=["Molecular Realignment Field"])
    assert shoot(pike, enemy("TRP", rules=["Lightning Reflexes"]), 3, 4, 3).slain == 0


@clause("SR-COLOSSAL-2", "SR-UNWIELDY-1", "SR-FIGHT-FIRST-2")
@pytest.mark.parametrize("rule", ["Colossal", "Unwieldy"])
def test_ix_33_step_one_stands(rule: str) -> None:
    """IX-33: neither Fights First nor Reaping Blow moves it."""
    fighter = by(weapon("blade", rules=[rule, "Reaping Blow"]), rules=["Fights First"])
    assert fight({}, enemy("TRP"), 1, by=fighter).event("struck")["facts"]["steps"] == [1]


@clause("SR-FIGHT-FIRST-2")
def test_ix_34_fighting_first_replaces_initiative() -> None:
    """IX-34: the charge penalty does not touch step 10."""
    fighter = by(weapon("blade"), rules=["Fights First"], marks=["charge-penalty"])
    assert fight({}, enemy("TRP"), 1, 1, by=fighter, charged=True).event("struck")["facts"]["steps"] == [10]


@clause("SR-LIGHTNING-REFLEXES-2")
def test_ix_35_reflexes_do_not_cure_a_concussion() -> None:
    """IX-35: only the charge penalty is lifted."""
    fighter = by(weapon("blade"), rules=["Lightning Reflexes"], marks=["charge-penalty"])
    fighter["models"][0]["marks"] = ["concussed"]
    assert fight({}, enemy("TRP"), 1, 1, by=fighter, charged=True).event("struck")["facts"]["steps"] == [1]


@clause("SR-SMASH-3", "SR-FURIOUS-CHARGE-1")
def test_ix_37_a_furious_smash() -> None:
    """IX-37: twice the unmodified Strength 4, then one more: 9, which glances armour 14 on a 5."""
    fighter = by(weapon("blade"), rules=["Smash", "Furious Charge"])
    walker = enemy("WLK", stats={"AV": [14, 14, 14]})
    found = fight({}, walker, 4, 5, by=fighter, charged=True, answers=[{"kind": "choose-option", "value": "0: blade, smash"}])
    assert (found.rolls[1]["need"], found.lost) == (5, 1)


@clause("SR-LANCE-3", "SR-FURIOUS-CHARGE-1")
def test_ix_38_a_furious_lance() -> None:
    """IX-38: +1 and +2 S and +1 to the die: S7 against T6 needs 3, a 2 wounds."""
    fighter = by(weapon("blade", AP=-4, rules=["Lance"]), rules=["Furious Charge"])
    assert fight({}, enemy("BST"), 4, 1, 2, by=fighter, charged=True).lost == 1


@clause("SR-EXTRA-ATTACKS-1", "SR-REAPING-BLOW-2", "SR-RAGE-1")
def test_ix_40_attacks_add_up() -> None:
    """IX-40: Rage, two weapons, a Reaping Blow between two enemies and Extra Attacks: 1 + 2 + 1 + 1, and 1."""
    fighter = unit(
        "a1",
        "A",
        "TRP",
        rules=["Rage"],
        weapons=[weapon("blade", rules=["Reaping Blow"]), weapon("blade", rules=["Extra Attacks"])],
        at=[(10, 10)],
    )
    enemies = enemy("TRP", 2, at=[(11, 10), (10, 11)])
    found = attack([fighter, enemies], kind="melee", charged=True, weapons=[["a1.1", 0]], dice=[1] * 6)
    assert found.row["attacks"] == 6


@clause("SR-FURIOUS-CHARGE-2", "SR-LANCE-4")
def test_ix_41_a_disordered_charge_spares_the_lance() -> None:
    """IX-41: Rage and Furious Charge are off, the Lance keeps its bonuses and Hammer of Wrath stays."""
    rules = ["Rage", "Furious Charge", "Hammer of Wrath"]
    fighter = by(weapon("blade", AP=-4, rules=["Lance"]), rules=rules, marks=["disordered"])
    found = fight({}, enemy("BST"), 1, 4, 3, by=fighter, charged=True)
    assert (found.row["attacks"], found.lost) == (2, 1)


@clause("SR-RITUAL-PAIR-3", "SR-TWO-HANDED-1")
def test_ix_42_only_a_ritual_pair_overrules_two_hands() -> None:
    """IX-42: two Specialist weapons, one Two-handed, give no extra attack with that one."""
    claws = [weapon("blade", rules=["Specialist", "Two-handed"]), weapon("blade", rules=["Specialist"])]
    fighter = unit("a1", "A", "TRP", weapons=claws)
    assert fight({}, enemy("TRP"), 1, by=fighter, weapons=[["a1.1", 0]]).row["attacks"] == 1


@clause("SR-GETS-HOT-1")
def test_ix_52_nobody_looks_out_for_a_burnt_captain() -> None:
    """IX-52: the wound of a weapon that gets hot is not passed on, though a trooper stands by."""
    squad = [unit("a1", "A", "TRP"), unit("a2", "A", "CAP", weapons=[weapon("gun", rules=["Gets Hot"])], joined="a1")]
    assert attack([*squad, enemy("GRT")], dice=[1, 2]).taken("a2.1") == 1


@clause("SR-SNIPER-4", "SR-NEURAL-SHOCK-2", "SR-POISONED-3", "SR-FLESHBANE-2")
def test_ix_83_fixed_numbers_mean_nothing_to_armour() -> None:
    """IX-83: against a vehicle the printed Strength is rolled: S4 and a 6 reach 10 of 11."""
    gun = weapon("gun", rules=["Sniper", "Neural Shock", "Poisoned(2+)", "Fleshbane"])
    assert shoot(gun, enemy("APC"), 3, 6, facing="front").lost == 0
