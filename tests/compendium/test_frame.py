"""The frame of an attack: to hit, to wound, allocation, saves, Damage and vehicles, clause by clause."""

from __future__ import annotations

import pytest

from rolloff.errors import BadInput
from tests.compendium.desk import Json, attack, clause, enemy, fight, shoot, unit, weapon


def by(gun: Json, fixture: str = "TRP", n: int = 1, **more: object) -> Json:
    """The attacker ``a1`` with a weapon."""
    return unit("a1", "A", fixture, n, weapons=[gun], **more)  # type: ignore[arg-type]


# dice


@clause("CF-DICE-1", "CF-DICE-12")
@pytest.mark.parametrize(("damage", "dice", "lost"), [("D3", (4,), 2), ("D6+1", (5,), 6), ("2D6", (1, 2), 3)])
def test_dice_are_numbers(damage: str, dice: tuple[int, ...], lost: int) -> None:
    """CF-DICE-1, CF-DICE-12: a D3 is half a die rounded up, several dice are added, and Damage may be rolled."""
    assert shoot(weapon("gun", S=10, AP=-5, D=damage), enemy("BST"), 3, 2, *dice).lost == lost


@clause("CF-DICE-12")
def test_damage_is_thrown_after_save_and_pain() -> None:
    """CF-DICE-12: a wound that is saved or discounted rolls no Damage dice."""
    gun = weapon("gun", S=8, D="D6")
    assert shoot(gun, enemy("BST"), 3, 2, 3).rolled("damage") == []
    assert shoot(gun, enemy("BST", rules=["Feel No Pain(5+)"]), 3, 2, 1, 5).rolled("damage") == []


@clause("CF-DICE-13", "CF-SHOOT-5")
def test_all_dice_come_in_the_canonical_order() -> None:
    """CF-DICE-13: numbers of shots, To Hit and its re-rolls, To Wound and its re-rolls, then wound by wound."""
    gun = weapon("gun", A="D3", AP=0, D="D3", rules=["Twin-linked", "Shred"])
    target = enemy("CAP", 2, rules=["Feel No Pain(5+)"], type="infantry")
    dice = [1, 2, 3, 2, 4, 4, 1, 5, 1, 4, 3, 1, 4, 2]
    found = attack([by(gun, n=2), target], dice=dice)
    seen = [(roll["purpose"], roll["faces"], roll["rerolls"]) for roll in found.rolls]
    assert seen == [
        ("attacks", [1], []),
        ("attacks", [2], []),
        ("hit", [3, 2], [[1, 4]]),
        ("wound", [4, 1], [[1, 5]]),
        ("save", [1], []),
        ("feel no pain", [4], []),
        ("damage", [3], []),
        ("save", [1], []),
        ("feel no pain", [4], []),
        ("damage", [2], []),
    ]


@clause("CF-DICE-3")
def test_a_die_is_thrown_again_once() -> None:
    """CF-DICE-3: two permissions do not give two rolls, and the second result stands even if it is worse."""
    by_ = by(weapon("gun", rules=["Twin-linked"]), rules=["Anti(Infantry)"])
    assert shoot({}, enemy("TRP"), 2, 1, by=by_).row["hits"] == 0


@clause("CF-DICE-5")
def test_automatic_hits_trigger_nothing() -> None:
    """CF-DICE-5: a Template has no To Hit die, so it is never lethal and sustains nothing."""
    hose = weapon("flamer", rules=["Lethal Hits", "Sustained Hits 2"])
    found = shoot(hose, enemy("TRP"), 1, range=6)
    assert (found.row["hits"], found.rolled("wound")) == (1, [1])


@clause("CF-DICE-8")
def test_strength_stays_within_ten() -> None:
    """CF-DICE-8: a Userx2 weapon of S8 counts as 10, which needs 4 to glance armour 14."""
    strong = by(weapon("blade", S="Userx2"), "BST", stats={"S": 8, "A": 1})
    found = fight({}, enemy("WLK", stats={"AV": [14, 14, 10]}), 4, 3, by=strong)
    assert found.rolls[1]["need"] == 4


@clause("CF-DICE-9")
def test_of_two_copies_the_better_is_used() -> None:
    """CF-DICE-9: Sustained Hits 1 and 2 on one weapon score 2 extra hits, not 3."""
    gun = weapon("gun", rules=["Sustained Hits 1", "Sustained Hits 2"])
    assert shoot(gun, enemy("TRP"), 6, 1, 1, 1).row["hits"] == 3


# profiles


@clause("CF-PROF-1", "CF-PROF-2", "CF-PROF-4")
@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"stats": {"W": "many"}}, "a1.stats.W"),
        ({"stats": {"T": 0}}, "a1.stats.T"),
        ({"stats": {"Q": 3}}, "a1.stats.Q"),
        ({"weapons": [{"name": "gun", "range": 24, "S": 11}]}, "units[0].models[0].weapons[0].S"),
        ({"weapons": [{"name": "gun", "range": 24, "S": 4, "A": 0}]}, "units[0].models[0].weapons[0].A"),
        ({"weapons": [{"name": "gun", "range": 24, "S": 4, "AP": "deep"}]}, "units[0].models[0].weapons[0].AP"),
        ({"weapons": [{"name": "gun", "S": 4}]}, "units[0].models[0].weapons[0].range"),
        ({"weapons": ["Rifle"]}, "units[0].models[0].weapons[0]"),
        ({"weapons": [{"name": "gun", "range": 24, "S": 4, "rules": ["Loud"]}]}, "units[0].models[0].weapons[0].rules[0]"),
    ],
)
def test_bad_profiles_are_named(change: Json, where: str) -> None:
    """CF-PROF-2, CF-PROF-4: what does not fit is refused with the field and what would fit there."""
    with pytest.raises(BadInput) as caught:
        shoot({}, enemy("GRT"), by=unit("a1", "A", "TRP", **change))
    assert caught.value.where == where
    assert caught.value.allowed


@clause("CF-PROF-5")
@pytest.mark.parametrize(("type_", "again"), [("flying monster", True), ("monster", True), ("infantry", False)])
def test_types_bring_others_with_them(type_: str, again: bool) -> None:
    """CF-PROF-5: a Flying Monster is a Monster too, so a Monster Hunter's failed wound is rolled again."""
    hunter = by(weapon("gun", AP=-4), rules=["Monster Hunter"])
    dice = (3, 4, 6) if again else (3, 4)
    assert shoot({}, enemy("BST", type=type_), *dice, by=hunter).lost == int(again)


@clause("CF-PROF-6")
def test_rules_stand_where_they_belong() -> None:
    """CF-PROF-6: a weapon rule on a unit is refused, and a unit rule on a weapon; Shred on a model does not help its gun."""
    with pytest.raises(BadInput, match="stands on weapons"):
        shoot({}, enemy("GRT"), by=by(weapon("gun"), rules=["Twin-linked"]))
    with pytest.raises(BadInput, match="stands on no weapon"):
        shoot(weapon("gun", rules=["Stealth"]), enemy("GRT"))
    assert shoot({}, enemy("TRP"), 3, 3, by=by(weapon("gun"), rules=["Shred"])).slain == 0
    assert fight({}, enemy("TRP"), 4, 3, 4, 1, by=by(weapon("blade"), rules=["Shred"])).slain == 1


@clause("CF-PROF-6")
def test_unit_rules_need_one_model_or_all() -> None:
    """CF-PROF-6: one hunter's rule serves its whole unit; a model rule serves its model alone."""
    hunter = unit("a2", "A", "TRP", rules=["Monster Hunter"], weapons=[weapon("gun", AP=-4)], joined="a1")
    found = attack([by(weapon("gun", AP=-4)), hunter, enemy("BST")], dice=[3, 3, 4, 4, 6, 6])
    assert found.lost == 2


@clause("CF-PROF-4")
def test_melee_weapons_use_the_wielders_attacks() -> None:
    """CF-PROF-4: a printed A means nothing on a Melee weapon; without one a model has bare hands."""
    assert fight(weapon("blade", A=7), enemy("TRP"), 1).row["attacks"] == 1
    assert fight({}, enemy("TRP"), 4, 4, 1, by=unit("a1", "A", "TRP")).slain == 1


# to hit


@clause("CF-SHOOT-3")
@pytest.mark.parametrize(("skill", "need"), [(1, 6), (3, 4), (5, 2)])
def test_the_number_to_hit(skill: int, need: int) -> None:
    """CF-SHOOT-3: seven less the CT, never below 2."""
    shooter = by(weapon("gun"), stats={"CT": skill})
    assert shoot({}, enemy("TRP"), need, 1, by=shooter).row["hits"] == 1
    assert shoot({}, enemy("TRP"), need - 1, by=shooter).row["hits"] == 0


@clause("CF-SHOOT-3")
def test_the_best_shots_try_again() -> None:
    """CF-SHOOT-3: at CT 8 a miss is rolled again and needs 12 - 8; a natural 6 hits even at -1 from CT 1."""
    ace = by(weapon("gun"), stats={"CT": 8})
    assert shoot({}, enemy("TRP"), 1, 4, 1, by=ace).row["hits"] == 1
    assert shoot({}, enemy("TRP"), 1, 3, by=ace).row["hits"] == 0
    lob = by(weapon("gun", rules=["Indirect Fire"]), stats={"CT": 1})
    assert shoot({}, enemy("TRP"), 6, 1, by=lob, visible=False).row["hits"] == 1


@clause("CF-SHOOT-3", "CF-DICE-3")
def test_of_two_re_rolls_the_easier_is_taken() -> None:
    """CF-SHOOT-3: a Twin-linked weapon at CT 6 needs 2+ on its second roll, not 6."""
    ace = by(weapon("gun", rules=["Twin-linked"]), stats={"CT": 6})
    assert shoot({}, enemy("TRP"), 1, 2, 1, by=ace).row["hits"] == 1


@clause("CF-SHOOT-4")
def test_snap_shots_hit_on_a_six_alone() -> None:
    """CF-SHOOT-4: whatever the CT; a re-roll is allowed; a Template cannot be one."""
    hasty = by(weapon("gun", rules=["Twin-linked"]), stats={"CT": 9}, marks=["snap-shots"])
    assert shoot({}, enemy("TRP"), 5, 6, 1, by=hasty).row["hits"] == 1
    assert shoot({}, enemy("TRP"), 5, 5, by=hasty).row["hits"] == 0
    hose = shoot({}, enemy("TRP"), by=by(weapon("flamer"), marks=["snap-shots"]), range=6)
    assert hose.refusal is not None and hose.refusal["clause"] == "CF-SHOOT-4"


@clause("CF-SHOOT-2")
def test_the_default_gun_promises_most() -> None:
    """CF-SHOOT-2, DP-10: of two guns a trooper left to itself fires the one that does more; a Monster fires two."""
    guns = [weapon("gun"), weapon("cannon")]
    trooper = unit("a1", "A", "TRP", weapons=guns)
    assert shoot({}, enemy("MBT"), 1, by=trooper, facing="front").event("shot")["facts"]["weapons"] == ["cannon"]
    beast = unit("a1", "A", "BST", weapons=guns)
    assert shoot({}, enemy("MBT"), 1, 1, by=beast, facing="front").row["attacks"] == 2


@clause("CF-SHOOT-8")
def test_without_aim_nobody_shoots() -> None:
    """CF-SHOOT-8: a model of CT 0 makes no ranged attack, not even with a Template."""
    for gun in (weapon("gun"), weapon("flamer")):
        found = shoot({}, enemy("TRP"), by=by(gun, stats={"CT": 0}), range=6)
        assert found.refusal is not None and found.refusal["clause"] == "CF-SHOOT-8"


@clause("CF-SHOOT-1")
def test_range_and_sight_are_each_models_own() -> None:
    """CF-SHOOT-1: of two firers the one in range fires; behind a wall nobody does; nobody shoots into a combat of others."""
    near_and_far = by(weapon("gun", range=6), n=2, at=[(10, 10), (10, 14)])
    target = enemy("GRT", at=[(17, 10)])
    assert attack([near_and_far, target], dice=[1]).row["attacks"] == 1
    wall = {"id": "w", "types": ["rocks"], "polygon": [[13, 5], [14, 5], [14, 20], [13, 20]], "height": 5, "solid": True}
    assert attack([near_and_far, target], table={"terrain": [wall]}).verdict == "refused"
    friend = unit("a2", "A", "TRP", at=[(18, 10)])
    locked = attack([near_and_far, target, friend])
    assert locked.refusal is not None and locked.refusal["clause"] == "CF-SHOOT-1"


@clause("CF-ASLT-7")
@pytest.mark.parametrize(("skill", "other", "need"), [(4, 3, 3), (4, 4, 4), (3, 6, 4), (3, 7, 5)])
def test_the_number_to_hit_in_close_combat(skill: int, other: int, need: int) -> None:
    """CF-ASLT-7: 3+ against a lower WS, 5+ against more than twice one's own, else 4+."""
    fighter = by(weapon("blade"), stats={"WS": skill})
    assert fight({}, enemy("TRP", stats={"WS": other}), need, 1, by=fighter).row["hits"] == 1
    assert fight({}, enemy("TRP", stats={"WS": other}), need - 1, by=fighter).row["hits"] == 0


@clause("CF-ASLT-18")
def test_the_helpless_are_hit_and_do_not_strike() -> None:
    """CF-ASLT-18: a target of WS 0 is hit automatically; a model of WS 0 makes no attacks."""
    assert fight(weapon("blade"), enemy("GRT", stats={"WS": 0}), 3, 1).rolled("hit") == []
    assert fight({}, enemy("GRT"), by=by(weapon("blade"), stats={"WS": 0})).verdict == "refused"


@clause("CF-ASLT-6")
def test_only_the_engaged_strike() -> None:
    """CF-ASLT-6: in base contact, or within 2" of a fellow that is; the third model stands too far off."""
    line = by(weapon("blade"), n=3, at=[(10, 10), (8, 10), (4, 10)])
    assert attack([line, enemy("GRT", at=[(11, 10)])], kind="melee", dice=[1, 1]).row["attacks"] == 2
    far = attack([by(weapon("blade"), at=[(10, 10)]), enemy("GRT", at=[(14, 10)])], kind="melee")
    assert far.refusal is not None and far.refusal["clause"] == "CF-ASLT-6"


@clause("CF-ASLT-8", "CF-ASLT-4")
def test_how_many_attacks() -> None:
    """CF-ASLT-8: A, one more for two Melee weapons, one for charging; a model uses one of them."""
    two = unit("a1", "A", "TRP", weapons=[weapon("blade"), weapon("blade", S="User+2", name="maul")])
    found = fight({}, enemy("TRP"), 1, 1, 1, by=two, charged=True, weapons=[["a1.1", 1]])
    assert found.row["attacks"] == 3
    both = fight({}, enemy("TRP"), by=two, weapons=[["a1.1", 0], ["a1.1", 1]])
    assert both.refusal is not None and both.refusal["clause"] == "CF-ASLT-8"


@clause("CF-ASLT-8")
def test_the_default_weapon_promises_most() -> None:
    """CF-ASLT-8, DP-23: left to itself a model takes the maul, and its owner is asked where anybody is."""
    two = unit("a1", "A", "TRP", weapons=[weapon("blade"), weapon("blade", S="User+2", name="maul")])
    assert fight({}, enemy("TRP"), 1, 1, by=two).event("struck")["facts"]["weapons"] == ["maul"]
    found = fight({}, enemy("TRP"), by=two, unanswered="stop")
    assert found.json["pending"]["options"] == ["0: blade", "1: maul"]


# to wound


@clause("CF-WOUND-1")
@pytest.mark.parametrize(("strength", "need"), [(8, 2), (7, 3), (6, 4), (5, 5), (4, 6), (3, 6)])
def test_the_number_to_wound(strength: int, need: int) -> None:
    """CF-WOUND-1: Strength against Toughness 6, step by step."""
    gun = weapon("gun", S=strength, AP=-5)
    assert shoot(gun, enemy("BST"), 3, need).lost == 1
    assert shoot(gun, enemy("BST"), 3, need - 1).lost == 0


@clause("CF-WOUND-1")
def test_too_weak_to_wound() -> None:
    """CF-WOUND-1: four less than the Toughness is impossible; most models' Toughness counts, of equals the higher."""
    assert shoot(weapon("gun", S=2, AP=-5), enemy("BST"), 3, 6).lost == 0
    beast = unit("b2", "B", "BST", joined="b1")
    found = attack([by(weapon("gun", AP=-5)), enemy("GRT"), beast], dice=[3, 5])
    assert found.lost == 0


@clause("CF-WOUND-3")
def test_instant_death_by_strength() -> None:
    """CF-WOUND-3: twice the victim's own Toughness kills; one less does not."""
    assert shoot(weapon("gun", S=8, AP=-5), enemy("CAP"), 3, 2).lost == 3
    assert shoot(weapon("gun", S=7, AP=-5), enemy("CAP"), 3, 2).lost == 1


# who bears it


@clause("CF-ALLOC-1", "CF-DMG-1")
def test_the_closest_bears_wounds_until_it_falls() -> None:
    """CF-ALLOC-1, CF-DMG-1: the closest of two captains loses its Wounds first; excess Damage is lost."""
    gun = weapon("gun", A=2, AP=-4, D=2)
    captains = enemy("CAP", 2, at=[(25, 10), (20, 10)], type="infantry")
    found = attack([by(gun, at=[(10, 10)]), captains], dice=[3, 3, 4, 4])
    assert (found.removed("b1.2"), found.taken("b1.1"), found.lost) == (True, 0, 3)


@clause("CF-ALLOC-1")
def test_in_close_combat_who_is_touched_comes_first() -> None:
    """CF-ALLOC-1: the model in base contact falls before the others."""
    found = attack(
        [by(weapon("blade"), at=[(10, 10)]), enemy("GRT", 2, at=[(12.5, 10), (10, 11)])], kind="melee", dice=[3, 3, 1]
    )
    assert found.removed("b1.2")


@clause("CF-ALLOC-3")
def test_wounds_nobody_in_reach_can_bear_are_lost() -> None:
    """CF-ALLOC-3: two wounds, one model in range: the second is lost without a save."""
    gun = weapon("gun", A=2, range=12)
    found = attack([by(gun, at=[(10, 10)]), enemy("GRT", 2, at=[(20, 10), (30, 10)])], dice=[3, 3, 3, 3, 1])
    assert found.slain == 1


@clause("CF-ALLOC-2")
def test_a_character_may_pass_a_wound_on() -> None:
    """CF-ALLOC-2: on 4+ a Character's wound moves to a fellow within 6", if its owner wants; not to one farther off."""
    gun = weapon("gun", AP=-4)
    psyker = enemy("PSY", at=[(20, 10)])
    close, far = (unit("b2", "B", "GRT", at=[spot], joined="b1") for spot in ((22, 10), (28, 10)))
    shooter = by(gun, at=[(10, 10)])
    assert attack([shooter, psyker, close], dice=[3, 3, 4]).removed("b2.1")
    assert attack([shooter, psyker, close], dice=[3, 3, 3]).taken("b1.1") == 1
    assert attack([shooter, psyker, far], dice=[3, 3]).taken("b1.1") == 1
    refused = attack([shooter, psyker, close], dice=[3, 3], answers=[{"kind": "yes-no", "value": False}])
    assert refused.taken("b1.1") == 1


# saves


@clause("CF-SAVE-1", "CF-AP-1")
def test_the_best_save_is_taken() -> None:
    """CF-SAVE-1: AP is added to the armour die; the ward, then cover, is used once it is better; 1 always fails."""
    tough = enemy("TRP", stats={"Inv": "5+"})
    assert shoot(weapon("gun", AP=-1), tough, 3, 4, 4).slain == 0
    assert shoot(weapon("gun", AP=-3), tough, 3, 4, 5).slain == 0
    assert shoot(weapon("gun", AP=-3), enemy("TRP", stats={"Inv": "5+", "Cover": 4}), 3, 4, 4).slain == 0
    assert shoot(weapon("gun"), enemy("TRP", stats={"Sv": "2+"}), 3, 4, 1).slain == 1


@clause("CF-SAVE-1")
def test_cover_does_not_help_in_close_combat() -> None:
    """CF-SAVE-1: behind 3+ cover a grunt has but its 5+ armour against a blade."""
    assert fight(weapon("blade"), enemy("GRT", stats={"Cover": 3}), 3, 3, 4).slain == 1


@clause("CF-SAVE-1", "CF-DICE-13")
def test_a_save_that_cannot_succeed_throws_no_die() -> None:
    """CF-DICE-13: dice not needed are never drawn."""
    assert shoot(weapon("gun", AP=-4), enemy("TRP"), 3, 4).rolled("save") == []


# Damage


@clause("CF-DMG-2", "CF-DMG-3")
def test_mortal_wounds_go_to_the_hurt_first() -> None:
    """CF-DMG-3: the wound goes to the closest captain, the mortal wound to the one already hurt; neither is saved."""
    gun = weapon("gun", AP=-4, rules=["Rending"])
    captains = enemy("CAP", 3, at=[(20, 10), (22, 10), (24, 10)], wounds=[0, 0, 1], type="infantry")
    found = attack([by(gun, at=[(10, 10)]), captains], dice=[3, 6])
    assert (found.taken("b1.1"), found.taken("b1.2"), found.taken("b1.3")) == (2, 0, 1)
    weak = weapon("gun", S=1, rules=["Rending"])
    tough = enemy("CAP", 2, at=[(20, 10), (22, 10)], wounds=[0, 1], type="infantry", stats={"T": 5})
    assert attack([by(weak, at=[(10, 10)]), tough], dice=[3, 6]).taken("b1.2") == 2
    hardy = enemy("CAP", 2, wounds=[0, 1], type="infantry", rules=["Feel No Pain(4+)"], stats={"T": 5})
    shrugged = shoot(weak, hardy, 3, 6, 4)
    assert (shrugged.lost, shrugged.row["ignored"]) == (0, 1)


@clause("CF-DMG-5", "CF-DMG-1")
def test_the_order_of_a_wound() -> None:
    """CF-DMG-5: Look Out, Sir, save, Feel No Pain, Damage: each stops what comes after."""
    gun = weapon("gun", D="D3")
    target = enemy("CAP", rules=["Feel No Pain(5+)"])
    with_fellow = [by(gun), target, unit("b2", "B", "TRP", joined="b1")]
    found = attack(with_fellow, dice=[3, 4, 1, 2, 4, 4])
    assert [roll["purpose"] for roll in found.rolls] == ["hit", "wound", "look out", "save", "feel no pain", "damage"]
    assert found.taken("b1.1") == 2


@clause("CF-DMG-4")
def test_mortal_wounds_wait_for_the_group() -> None:
    """CF-DMG-4: two mortal wounds of Damage 2 fall after the second attack's ordinary wound."""
    gun = weapon("gun", A=2, D=2, AP=-4, rules=["Devastating Wounds"])
    found = shoot(gun, enemy("CAP", 2, type="infantry"), 3, 3, 6, 4)
    assert (found.removed("b1.1"), found.taken("b1.2")) == (True, 1)


# vehicles


@clause("CF-VEH-1", "CF-VEH-3", "CF-VEH-4")
@pytest.mark.parametrize(("face", "lost", "rolls"), [(2, 0, 0), (3, 3, 0), (4, 3, 1)])
def test_the_armour_roll(face: int, lost: int, rolls: int) -> None:
    """CF-VEH-1: below the Armour Value nothing, equal glances, above penetrates; only that rolls on the table."""
    dice = (3, face, 1) if rolls else (3, face)
    found = shoot(weapon("gun", S=8, D=3), enemy("APC"), *dice, facing="front")
    assert (found.lost, len(found.rolled("vehicle damage"))) == (lost, rolls)


@clause("CF-VEH-2")
def test_wound_re_rolls_work_on_armour() -> None:
    """CF-VEH-2: a failed armour roll is a failed To Wound roll."""
    assert shoot(weapon("gun", S=8, rules=["Shred"]), enemy("APC"), 3, 1, 3, facing="front").lost == 1


@clause("CF-VEH-3")
def test_a_hit_without_a_weapon_has_damage_one() -> None:
    """CF-VEH-3: the glancing hit of an overheated gun of Damage 3 costs one Hull Point."""
    tank = unit("a1", "A", "MBT", weapons=[weapon("gun", D=3, rules=["Gets Hot"])])
    assert shoot({}, enemy("GRT"), 1, 1, by=tank).taken("a1.1") == 1


@clause("CF-VEH-5")
def test_vehicles_save_after_the_armour_roll() -> None:
    """CF-VEH-5: cover discards a penetrating hit, with its Damage and its roll on the table."""
    found = shoot(weapon("gun", S=8), enemy("APC", stats={"Cover": 4}), 3, 6, 4, facing="front")
    assert (found.row["blocked"], found.lost, found.rolled("vehicle damage")) == (1, 0, [])


@clause("CF-VEH-6")
@pytest.mark.parametrize(
    ("ap", "face", "marks"),
    [
        (0, 3, {"shaken"}),
        (0, 4, {"shaken", "stunned"}),
        (0, 6, {"immobile"}),
        (-3, 3, {"shaken"}),
        (-4, 3, {"shaken", "stunned"}),
        (-5, 4, {"immobile"}),
    ],
)
def test_the_vehicle_damage_table(ap: int, face: int, marks: set[str]) -> None:
    """CF-VEH-6: every row short of destruction; +1 at AP -4 and +2 at AP -5."""
    found = shoot(weapon("gun", S=8, AP=ap), enemy("APC"), 3, 4, face, facing="front")
    assert found.marks("b1.1") == marks


@clause("CF-VEH-6")
def test_weapons_are_destroyed_one_at_random() -> None:
    """CF-VEH-6: of two weapons a die picks one; none left counts as Immobilised, and twice Immobilised costs a Hull Point."""
    gun = weapon("gun", S=8)
    armed = enemy("APC", weapons=[weapon("gun"), weapon("cannon")])
    assert shoot(gun, armed, 3, 4, 5, 2, facing="front").marks("b1.1") == {"lost:1"}
    assert shoot(gun, enemy("APC"), 3, 4, 5, facing="front").marks("b1.1") == {"immobile"}
    stuck = enemy("APC")
    stuck["models"][0]["marks"] = ["immobile"]
    assert shoot(gun, stuck, 3, 4, 6, facing="front").lost == 2


@clause("CF-VEH-6", "CF-VEH-7")
def test_an_explosion_reaches_those_around() -> None:
    """CF-VEH-6: every model within a die of inches suffers a hit of S4; CF-VEH-7: also from the last Hull Point."""
    shooter = by(weapon("gun", S=8, AP=-5), at=[(10, 10)])
    carrier = enemy("APC", at=[(20, 10)], wounds=[8])
    grunts = unit("b2", "B", "GRT", 2, at=[(26, 10), (36, 10)])
    found = attack([shooter, carrier, grunts], dice=[3, 6, 5, 4, 3, 1], facing="front")
    assert found.event("exploded")["facts"]["reach"] == 4
    assert (found.removed("b1.1"), found.removed("b2.1"), found.removed("b2.2")) == (True, True, False)


@clause("CF-VEH-7")
def test_the_last_hull_point_wrecks() -> None:
    """CF-VEH-7: without Hull Points it is wrecked; the table is still read for a penetrating hit, which may explode it."""
    last = enemy("APC", wounds=[8])
    wreck = shoot(weapon("gun", S=8), last, 3, 4, 1, facing="front")
    assert wreck.removed("b1.1") and "exploded" not in wreck.kinds()
    assert "exploded" in shoot(weapon("gun", S=8, AP=-5), last, 3, 4, 5, facing="front").kinds()


@clause("CF-VEH-8")
@pytest.mark.parametrize(("spot", "need"), [((40, 22), 6), ((30, 36), 5), ((20, 22), 2)])
def test_the_facing_comes_from_the_corners(spot: tuple[float, float], need: int) -> None:
    """CF-VEH-8: from ahead the front armour is hit, from the flank the side, from behind the rear."""
    tank = enemy("MBT", at=[(30, 22)])
    found = attack([by(weapon("gun", S=8), at=[spot]), tank], dice=[3, 1])
    assert found.rolls[1]["need"] == need


@clause("CF-VEH-9")
def test_striking_vehicles() -> None:
    """CF-VEH-9: a Walker by WS on the front, others as WS 1 on the rear; an Immobilised one is hit automatically."""
    maul = weapon("blade", S=8)
    walker = fight(maul, enemy("WLK"), 4, 1)
    assert [roll["need"] for roll in walker.rolls] == [4, 4]
    carrier = fight(maul, enemy("APC"), 3, 1)
    assert [roll["need"] for roll in carrier.rolls] == [3, 2]
    stuck = enemy("APC")
    stuck["models"][0]["marks"] = ["immobile"]
    assert fight(maul, stuck, 1).rolled("hit") == []


@clause("CF-VEH-10")
def test_vehicles_know_no_pain() -> None:
    """CF-VEH-10: Poisoned and Instant Death do nothing to a vehicle, and Feel No Pain is never rolled for one."""
    venom = weapon("gun", S=3, rules=["Poisoned(2+)", "Instant Death"])
    assert shoot(venom, enemy("APC"), 3, 6, facing="front").lost == 0
    assert shoot(weapon("gun", S=8), enemy("APC", rules=["Feel No Pain(2+)"]), 3, 3, facing="front").lost == 1


@clause("CF-AP-4")
def test_setting_ap_never_worsens_it() -> None:
    """CF-AP-4: a Sniper's 6 leaves AP -5 alone: 4 + 2 on the table immobilises."""
    found = shoot(weapon("gun", S=6, AP=-5, rules=["Sniper"]), enemy("APC"), 3, 6, 4, facing="front")
    assert "immobile" in found.marks("b1.1")


@clause("SR-HAMMER-OF-WRATH-5")
def test_a_chariot_rolls_over_its_foes() -> None:
    """SR-HAMMER-OF-WRATH-5: D6 automatic hits of S6, before its blows."""
    chariot = unit("a1", "A", "WLK", rules=["Hammer of Wrath"], type="vehicle, chariot", stats={"A": 1, "S": 3})
    found = fight({}, enemy("GRT", 5), 2, 2, 2, 1, 1, 1, 1, by=chariot, charged=True)
    assert [len(roll["faces"]) for roll in found.rolls] == [1, 2, 1, 1, 2]
    assert (found.row["hits"], found.slain) == (2, 2)


# what is not there yet


def test_a_kind_of_attack_that_is_planned_says_so() -> None:
    """There is no danger by itself yet."""
    with pytest.raises(BadInput, match="no danger by itself"):
        attack([by(weapon("gun")), enemy("GRT")], kind="danger")


@pytest.mark.parametrize(
    ("form", "what"), [({"range": None, "visible": None}, "range"), ({"half_range": None, "range": None}, "half_range")]
)
def test_a_form_without_positions_must_state_what_it_needs(form: Json, what: str) -> None:
    """Neither stated nor shown: the sentence names the field."""
    with pytest.raises(BadInput) as caught:
        shoot(weapon("gun", rules=["Rapid Fire 1"]), enemy("GRT"), **form)
    assert caught.value.where == f"do.attack.{what}"


def test_a_vehicle_needs_a_facing() -> None:
    """The Armour Value depends on it."""
    with pytest.raises(BadInput, match="facing"):
        shoot(weapon("gun"), enemy("MBT"))
