"""The attack sequence: order of dice, hits, saves, damage, allocation, mortal wounds, Feel No Pain, values."""

from __future__ import annotations

import pytest

from rolloff.editions.commentary.values import Effect, Op, evaluate
from rolloff.errors import DiceError
from tests.commentary.desk import blade, fight, gun, shoot, squad

ALLOCATE = "allocate"


def to(*models: str) -> list[dict[str, str]]:
    """The owner's answers about who is allocated attacks."""
    return [{"kind": ALLOCATE, "value": model} for model in models]


@pytest.mark.clause("commentary-10", "ATK-1", "ATK-11", "DICE-7", "RESOLVE-1")
def test_one_attack_after_the_other() -> None:
    """Each attack is rolled to its end before the next: hit, wound, save, damage, feel no pain; a failed step ends it."""
    units = [squad("a1", "A", 1, gun(A=3, D="D3")), squad("b1", "B", 1, W=9, Sv=4, FNP=6)]
    ruling = shoot(units, dice=[2, 3, 1, 3, 4, 1, 3, 1, 6])
    assert ruling.purposes() == ["hit", "hit", "wound", "hit", "wound", "save", "damage", "feel no pain", "feel no pain"]
    assert ruling.wounds("b1") == [1]
    assert (ruling.attack["attacks"], ruling.attack["hits"], ruling.attack["wounds"]) == (3, 2, 1)


@pytest.mark.clause("commentary-10", "ATK-11", "DICE-5")
def test_numbers_of_attacks_are_thrown_weapon_by_weapon() -> None:
    """The dice for a weapon's number of attacks come before its own attacks, not before those of another."""
    units = [squad("a1", "A", 2, gun(A="D3")), squad("b1", "B", 9)]
    assert shoot(units, dice=[1, 1, 3, 1, 1]).purposes() == ["attacks", "hit", "attacks", "hit", "hit"]


@pytest.mark.clause("commentary-10", "ATK-11")
def test_attacks_on_a_destroyed_target_are_lost() -> None:
    """Once the last model is gone nothing more is rolled; a die too many is an error of whoever entered it."""
    units = [squad("a1", "A", 3, gun(A="D3")), squad("b1", "B", 1)]
    assert shoot(units, dice=[6, 3, 4]).attack["attacks"] == 1
    with pytest.raises(DiceError):
        shoot(units, dice=[6, 3, 4, 1])


@pytest.mark.clause("commentary-10", "SHOOT-4", "SHOOT-6")
def test_weapons_of_one_profile_before_another() -> None:
    """Two models with two weapons each: both of the first profile, then both of the second."""
    arms = (gun(name="rifle", skill=3), gun(name="cannon", skill=5, A=2))
    ruling = shoot([squad("a1", "A", 2, *arms), squad("b1", "B", 9)], dice=[1] * 6)
    assert ruling.needs("hit") == [3, 3, 5, 5, 5, 5]


@pytest.mark.clause("commentary-10", "ATK-2", "ATK-3")
def test_a_natural_one_always_fails() -> None:
    """A natural 1 misses on 2+ with +1, and does not wound on 2+ with +1."""
    attacker = squad("a1", "A", 1, gun("To Hit(+1)", "To Wound(+1)", skill=2, S=9))
    target = squad("b1", "B", 9)
    assert shoot([attacker, target], dice=[1]).attack["hits"] == 0
    assert shoot([attacker, target], dice=[2, 1]).attack["wounds"] == 0


@pytest.mark.clause("commentary-10", "ATK-2", "MODCH-1", "MODCH-2")
def test_skill_is_of_ranged_or_melee_weapons() -> None:
    """A change of BS reaches ranged weapons, a change of WS melee weapons; neither the other."""
    attacker = squad("a1", "A", 1, gun(skill=4), blade(skill=4), rules=["BS(+1)", "WS(-1)"])
    target = squad("b1", "B", 9)
    assert shoot([attacker, target], dice=[1]).needs("hit") == [3]
    assert fight([attacker, target], dice=[1]).needs("hit") == [5]


@pytest.mark.clause("commentary-10", "MODIMP-1", "MODCH-10")
def test_skill_is_never_improved_to_one() -> None:
    """A skill of 2+ improved stays 2+, and so does a Save."""
    target = squad("b1", "B", 9, Sv=2, rules=["Save(+1)"])
    assert shoot([squad("a1", "A", 1, gun(AP=-1)), target], dice=[3, 4, 1]).needs("save") == [3]
    assert shoot([squad("a1", "A", 1, gun("BS(+1)", skill=2)), squad("b1", "B", 9)], dice=[1]).needs("hit") == [2]


@pytest.mark.clause("commentary-10", "ATK-6", "DICE-2")
@pytest.mark.parametrize(("ap", "face", "saved"), [(0, 3, True), (0, 2, False), (-2, 5, True), (-2, 4, False), (0, 1, False)])
def test_armour_saves(ap: int, face: int, saved: bool) -> None:
    """The die plus AP against Sv 3+; a natural 1 fails."""
    units = [squad("a1", "A", 1, gun(AP=ap)), squad("b1", "B", 9, Sv=3)]
    assert shoot(units, dice=[3, 4, face]).attack["blocked"] == int(saved)


@pytest.mark.clause("commentary-10", "ATK-6")
def test_a_natural_one_fails_even_a_sure_save() -> None:
    """Sv 2+ in cover, AP -1, with the bonus against Damage 1: a 1 is still no save."""
    target = squad("b1", "B", 9, Sv=2, rules=["Save Against Damage 1"])
    assert shoot([squad("a1", "A", 1, gun()), target], dice=[3, 4, 1]).attack["blocked"] == 0


@pytest.mark.clause("commentary-10", "ATK-6", "ATK-7")
def test_the_better_save_is_used() -> None:
    """Armour while it is better, the invulnerable save against AP; no die where neither can succeed."""
    target = squad("b1", "B", 9, Sv=3, Inv=5)
    assert shoot([squad("a1", "A", 1, gun()), target], dice=[3, 4, 3]).needs("save") == [3]
    assert shoot([squad("a1", "A", 1, gun(AP=-4)), target], dice=[3, 4, 5]).needs("save") == [5]
    assert shoot([squad("a1", "A", 1, gun(AP=-4)), squad("b1", "B", 9, Sv=3)], dice=[3, 4]).attack["damage"] == 1


@pytest.mark.clause("commentary-10", "ATK-7")
def test_invulnerable_saves_of_several_sources() -> None:
    """A rule's invulnerable save counts beside the printed one; the better is used, and cover never helps it."""
    target = squad("b1", "B", 9, Sv="-", Inv=6, rules=["Invulnerable Save 4+"])
    ruling = shoot([squad("a1", "A", 1, gun(AP=-3)), target], dice=[3, 4, 3], cover=True)
    assert (ruling.needs("save"), ruling.attack["blocked"]) == ([4], 0)


@pytest.mark.clause("commentary-10", "ATK-8")
@pytest.mark.parametrize(("ap", "net", "need"), [(0, True, 4), (-1, True, 4), (-1, False, 5), (-2, True, 5)])
def test_a_save_is_improved_by_one_at_most(ap: int, net: bool, need: int) -> None:
    """Cover and another +1 together: capped after AP is counted, or before it where the switch says so."""
    target = squad("b1", "B", 9, Sv=5, rules=["Save Against Damage 1"])
    attacker = squad("a1", "A", 1, gun(AP=ap))
    ruling = shoot([attacker, target], dice=[3, 4, 1], cover=True, switches={"save_cap_net": net})
    assert ruling.needs("save") == [need]


@pytest.mark.clause("commentary-10", "COVER-1")
def test_cover_from_a_rule() -> None:
    """A rule or a mark gives the Benefit of Cover whatever terrain is around, but only against ranged attacks."""
    attacker = squad("a1", "A", 1, gun(), blade())
    for unit in (squad("b1", "B", 9, Sv=4, rules=["Benefit of Cover"]), squad("b1", "B", 9, Sv=4, marks=["cover"])):
        assert shoot([attacker, unit], dice=[3, 4, 3]).attack["blocked"] == 1
        assert fight([attacker, unit], dice=[3, 4, 3]).attack["blocked"] == 0


@pytest.mark.clause("commentary-10", "USV-2", "MODUNIT-1")
def test_changes_of_a_unit_reach_every_model() -> None:
    """Save and Toughness changed for the unit are changed for each model of it."""
    target = squad("b1", "B", 2, Sv=5, T=4, rules=["Save(+1)", "Toughness(+1)"])
    ruling = shoot([squad("a1", "A", 2, gun()), target], dice=[3, 5, 3, 3, 5, 3])
    assert (ruling.needs("wound"), ruling.needs("save"), len(ruling.dead())) == ([5, 5], [4, 4], 2)


@pytest.mark.clause("commentary-10", "REROLL-3", "REROLL-5")
def test_re_rolls_of_ones_look_at_the_natural_die() -> None:
    """A natural 2 that fails is not rolled again by a permission for 1s, though modifiers make it a 1."""
    attacker = squad("a1", "A", 1, gun("Re-roll Hits(ones)", "To Hit(-1)"))
    target = squad("b1", "B", 9, Sv=4, rules=["Re-roll Saves(ones)"])
    assert shoot([attacker, target], dice=[2]).attack["hits"] == 0
    assert shoot([attacker, target], dice=[1, 4, 4, 1, 4]).attack["blocked"] == 1


@pytest.mark.clause("commentary-10", "REROLL-2")
def test_a_roll_of_several_dice_is_thrown_again_whole() -> None:
    """A Damage roll of 2D6 below the average is rolled again, both dice of it, although one was a 5."""
    attacker = squad("a1", "A", 1, gun("Re-roll Damage(low)", D="2D6"))
    target = squad("b1", "B", 1, W=20)
    assert shoot([attacker, target], dice=[3, 4, 5, 1, 2, 2]).attack["damage"] == 4
    assert shoot([attacker, target], dice=[3, 4, 5, 2]).attack["damage"] == 7


@pytest.mark.clause("commentary-10", "REROLL-5")
def test_failed_rolls_are_judged_with_their_modifiers() -> None:
    """A 3 on a Hit roll of 3+ with -1 has failed and may be rolled again; the second die is modified as well."""
    attacker = squad("a1", "A", 1, gun("Re-roll Hits(failures)", "To Hit(-1)"))
    assert shoot([attacker, squad("b1", "B", 9)], dice=[3, 3]).attack["hits"] == 0
    assert shoot([attacker, squad("b1", "B", 9)], dice=[3, 4, 1]).attack["hits"] == 1


@pytest.mark.clause("commentary-10", "ATK-4")
def test_allocation_stays_with_a_model() -> None:
    """The owner picks a model, which bears attacks until it is destroyed, also if it lost nothing; then picks again."""
    units = [squad("a1", "A", 1, gun(A=4, S=8)), squad("b1", "B", 3, W=2, Sv=4)]
    dice = [3, 3, 4, 3, 3, 1, 3, 3, 1, 3, 3, 1]
    ruling = shoot(units, dice=dice, answers=to("b1.2", "b1.3"))
    assert (ruling.dead(), ruling.wounds("b1")) == (["b1.2"], [0, 1])


@pytest.mark.clause("commentary-10", "ATK-4")
def test_a_wounded_model_comes_first() -> None:
    """A model that has lost wounds, or was allocated attacks earlier in the phase, must be chosen."""
    attacker = squad("a1", "A", 1, gun(S=8))
    hurt = squad("b1", "B", 3, W=2, wounds=[0, 0, 1])
    assert shoot([attacker, hurt], dice=[3, 3]).dead() == ["b1.3"]
    target = squad("b1", "B", 3, Sv=4)
    first = shoot([attacker, target], dice=[3, 3, 4], answers=to("b1.2"))
    target["models"][1]["marks"] = first.model("b1.2")["marks"]
    assert shoot([attacker, target], dice=[3, 3, 1]).dead() == ["b1.2"]


@pytest.mark.clause("commentary-10", "ATK-4")
def test_by_default_the_model_with_the_fewest_wounds() -> None:
    """Nobody asked, the model with the fewest wounds left bears the attack; somebody asked, the play waits."""
    target = squad("b1", "B", 3, W=3, own=[{}, {"rules": ["W(1)"]}])
    attacker = squad("a1", "A", 1, gun(S=8))
    assert shoot([attacker, target], dice=[3, 3]).dead() == ["b1.2"]
    waiting = shoot([attacker, target], dice=[3, 3], unanswered="stop")
    assert waiting.pending and (waiting.pending["kind"], waiting.pending["clause"]) == (ALLOCATE, "ATK-4")
    assert (waiting.pending["default"], waiting.pending["who"]) == ("b1.2", "B")


@pytest.mark.clause("commentary-10", "MW-4", "NDMG-1")
def test_mortal_wounds_wait_for_normal_damage() -> None:
    """A Critical Wound of the first attack is applied after the normal damage of the last, of whatever weapon."""
    arms = (gun("Devastating Wounds", D=2), gun(name="rifle", S=8))
    ruling = shoot([squad("a1", "A", 1, *arms), squad("b1", "B", 3, W=2, FNP=6)], dice=[3, 6, 3, 3, 1, 2, 3])
    assert ruling.purposes() == ["hit", "wound", "hit", "wound", "feel no pain", "feel no pain", "feel no pain"]
    assert (ruling.dead(), ruling.wounds("b1")) == (["b1.1"], [1, 0])


@pytest.mark.clause("commentary-10", "MW-3", "MW-1")
def test_mortal_wounds_are_allocated_like_attacks() -> None:
    """Mortal wounds go to the model that is already wounded, and may be ignored but not saved."""
    target = squad("b1", "B", 3, W=3, Sv=2, Inv=2, FNP=4, wounds=[0, 1, 0])
    ruling = shoot([squad("a1", "A", 1, gun("Devastating Wounds", D=3)), target], dice=[3, 6, 3, 4, 3])
    assert (ruling.dead(), ruling.attack["ignored"], ruling.wounds("b1")) == (["b1.2"], 1, [0, 0])


@pytest.mark.clause("commentary-10", "FNP-2", "ATK-9")
def test_feel_no_pain_stops_at_the_end_of_a_model() -> None:
    """Of Damage 3 on a model with one wound one die is rolled; the rest is lost without rolling."""
    ruling = shoot([squad("a1", "A", 1, gun(D=3)), squad("b1", "B", 3, FNP=5)], dice=[3, 4, 4])
    assert (ruling.faces("feel no pain"), ruling.dead()) == ([4], ["b1.1"])


@pytest.mark.clause("commentary-10", "ABIL-3")
def test_one_feel_no_pain_for_each_wound() -> None:
    """Of several the best that works is used: the one against mortal wounds for those, the plain one else."""
    target = squad("b1", "B", 3, W=4, FNP=6, rules=["Feel No Pain 5+", "Feel No Pain 3+ against mortal wounds"])
    attacker = squad("a1", "A", 1, gun("Devastating Wounds", A=2))
    assert shoot([attacker, target], dice=[3, 4, 1, 3, 6, 1]).needs("feel no pain") == [5, 3]


@pytest.mark.clause("commentary-10", "MODDW-1")
@pytest.mark.parametrize(("taken", "mortal"), [("-1", 2), ("/2", 2), ("=0", 0)])
def test_changed_damage_becomes_mortal_wounds(taken: str, mortal: int) -> None:
    """A rule that changes Damage when an attack is allocated changes the mortal wounds of a Critical Wound too."""
    target = squad("b1", "B", 9, rules=[f"Damage Taken({taken})"])
    attacker = squad("a1", "A", 1, gun("Devastating Wounds", D=3))
    assert shoot([attacker, target], dice=[3, 6]).attack["mortal"] == mortal
    plain = {"dw_uses_allocation_damage_modifiers": False}
    assert shoot([attacker, target], dice=[3, 6], switches=plain).attack["mortal"] == 3


@pytest.mark.clause("commentary-10", "MODDW-1")
def test_damage_is_changed_by_whoever_would_bear_it_now() -> None:
    """Where models differ, the one the first mortal wound would go to at that moment decides; here the first has died."""
    attacker = squad("a1", "A", 1, gun("Devastating Wounds", A=2, D=3, S=8))
    target = squad(
        "b1", "B", 3, W=2, own=[{"rules": ["W(1)"]}, {"rules": ["Damage Taken(-2)"]}, {"rules": ["Damage Taken(-2)"]}]
    )
    assert shoot([attacker, target], dice=[3, 6, 1]).attack["mortal"] == 3
    after = shoot([attacker, target], dice=[3, 3, 3, 6])
    assert (after.attack["mortal"], after.wounds("b1")) == (1, [1, 0])


@pytest.mark.clause("commentary-10", "MODCH-3", "MODCH-5", "MODCH-8")
def test_limits_and_symbols() -> None:
    """Strength, Toughness, Attacks and Damage stay at 1 or more, Leadership within 5+ to 8+; a symbol stays what it is."""
    less = 9
    for kind in ("S", "T", "A", "D"):
        assert evaluate(kind, 2, (Effect(kind, Op.SUBTRACT, less),)) == 1
    assert evaluate("Ld", 6, (Effect("Ld", Op.SUBTRACT, less),)) == 5
    assert evaluate("Ld", 6, (Effect("Ld", Op.ADD, less),)) == 8
    assert evaluate("M", "-", (Effect("M", Op.ADD, 2),)) == "-"
    assert evaluate("M", "-", (Effect("M", Op.SET, 20),)) == 20


@pytest.mark.clause("commentary-10", "MODCH-10")
def test_limits_leave_printed_values_alone() -> None:
    """A printed Leadership of 9+ stays, may be improved, and is never worsened further."""
    assert evaluate("Ld", 9, ()) == 9
    assert evaluate("Ld", 9, (Effect("Ld", Op.ADD, 1),)) == 9
    assert evaluate("Ld", 9, (Effect("Ld", Op.SUBTRACT, 2),)) == 7


@pytest.mark.clause("commentary-10", "MOD-5", "IGN-2")
def test_harmful_changes_are_told_from_helpful_ones() -> None:
    """Who may ignore changes of AP drops the one that worsens it and keeps the one that betters it."""
    attacker = squad("a1", "A", 1, gun("Penetration(+1)", "Ignore Modifiers(AP)", AP=-1))
    target = squad("b1", "B", 9, Sv=2, rules=["Penetration Taken(-1)"])
    assert shoot([attacker, target], dice=[3, 4, 1]).needs("save") == [4]
    bound = squad("a1", "A", 1, gun("Penetration(+1)", AP=-1))
    assert shoot([bound, target], dice=[3, 4, 1]).needs("save") == [3]


@pytest.mark.clause("commentary-10", "NULL-1", "NULL-2")
def test_a_weapon_without_strength_uses_its_bearers_toughness() -> None:
    """Strength "-" is the bearer's Toughness, which nothing modifies."""
    attacker = squad("a1", "A", 1, gun("Strength(+4)", S="-"), T=5)
    assert shoot([attacker, squad("b1", "B", 9, T=5)], dice=[3, 1]).needs("wound") == [4]


@pytest.mark.clause("commentary-10", "UNIT-9")
def test_a_damaged_model_hits_worse() -> None:
    """While one to four wounds are left the model takes 1 from its Hit rolls."""
    tank = {"W": 11, "rules": ["Damaged 4"], "keywords": ["VEHICLE"]}
    assert shoot([squad("a1", "A", 1, gun(), wounds=[7], **tank), squad("b1", "B", 9)], dice=[1]).needs("hit") == [4]
    assert shoot([squad("a1", "A", 1, gun(), wounds=[6], **tank), squad("b1", "B", 9)], dice=[1]).needs("hit") == [3]


@pytest.mark.clause("commentary-10", "ATTR-1")
def test_abilities_of_a_weapon_are_of_its_attacks_alone() -> None:
    """One weapon of a model hits by itself, the other does not."""
    attacker = squad("a1", "A", 1, gun("Torrent", name="spray"), gun(name="rifle"))
    assert shoot([attacker, squad("b1", "B", 9)], dice=[1, 1]).purposes() == ["wound", "hit"]


@pytest.mark.clause("commentary-10", "DEST-1")
def test_a_model_without_wounds_is_removed() -> None:
    """A model at 0 wounds leaves play, and a unit without models is destroyed."""
    ruling = shoot([squad("a1", "A", 1, gun(D=2)), squad("b1", "B", 1, W=2)], dice=[3, 4])
    assert ruling.model("b1.1").get("removed") and ruling.unit("b1")["where"] == "destroyed"


@pytest.mark.clause("commentary-10", "ABIL-1")
def test_deadly_demise_reaches_its_own_unit() -> None:
    """A model that ends on a 6 hurts the rest of its unit at once, before the next attack; others are too far away."""
    target = squad("b1", "B", 3, W=1, rules=["Deadly Demise 1"], at=[(20, 20), (22, 20), (40, 20)])
    attacker = squad("a1", "A", 1, gun(A=2, S=8, range=48), at=[(5, 5)])
    ruling = shoot([attacker, target], dice=[3, 3, 6, 1, 1], answers=to("b1.1", "b1.2"))
    assert ruling.purposes() == ["hit", "wound", "deadly demise", "deadly demise", "hit"]
    assert ruling.dead() == ["b1.1", "b1.2"]
