"""How vehicles fire and fight: speeds, Ordnance, Snap Shots, Walkers and Chariots; grenades and weapons of the mind."""

from __future__ import annotations

from typing import Any

import pytest

from rolloff.errors import BadInput
from tests.compendium.desk import Json, Ruling, attack, clause, enemy, fight, shoot, unit, weapon


def gun(*rules: str, **fields: Any) -> Json:
    """A gun with rules."""
    return weapon("gun", rules=rules, **fields)


def hull(*guns: Json, fixture: str = "MBT", n: int = 1, **more: Any) -> Json:
    """A vehicle ``a1``."""
    return unit("a1", "A", fixture, n, weapons=list(guns), **more)


def hits(by: Json, *dice: int, **form: Any) -> int:
    """The hits of a vehicle on grunts whose dice wound nobody."""
    return int(fire(by, *dice, **form).row["hits"])


def fire(by: Json, *dice: int, **form: Any) -> Ruling:
    """A vehicle fires at grunts that cannot be wounded."""
    return shoot({}, enemy("GRT", 9, stats={"T": 9}), by=by, **{"dice": dice, **form})


# speed


@clause("CF-MOVE-5")
def test_at_combat_speed_one_weapon_of_each_vehicle_is_aimed() -> None:
    """Two tanks of two guns each: one gun of each hits on a 3, the other on a 6 alone."""
    tanks = hull(gun(), gun(name="other"), n=2)
    found = fire(tanks, 3, 3, 1, 1, 5, 5, moved=True)
    assert found.row["hits"] == 2
    assert [roll["need"] for roll in found.rolls if roll["purpose"] == "hit"] == [3, None]
    assert hits(tanks, 3, 3, 1, 1, 3, 3, 1, 1) == 4


@clause("CF-MOVE-5")
def test_at_cruising_speed_nothing_is_aimed_and_flat_out_nothing_is_fired() -> None:
    """Marked so, a tank hits on 6 alone, or is refused."""
    assert hits(hull(gun(), marks=["cruising"]), 5) == 0
    refused = fire(hull(gun(), marks=["flat-out"]))
    assert (refused.verdict, refused.json["refusal"]["clause"]) == ("refused", "CF-MOVE-5")


@clause("SR-FAST-2", "SR-FAST-3")
@pytest.mark.parametrize("said", [{"rules": ["Fast"]}, {"type": "vehicle, fast"}, {"keywords": ["Fast"]}])
def test_tv_fast_1_four_guns_or_two(said: Json) -> None:
    """TV-FAST-1: after Combat Speed all four are aimed; after Cruising Speed two."""
    guns = [gun(name=f"gun {k}") for k in range(4)]
    assert hits(hull(*guns) | said, 3, 1, 3, 1, 3, 1, 3, 1, moved=True) == 4
    found = fire(hull(*guns) | said | {"marks": ["cruising"]}, 3, 1, 3, 1, 5, 5)
    assert found.row["hits"] == 2


@clause("SR-FAST-2")
def test_a_fast_vehicle_counts_as_stationary_for_its_heavy_weapons() -> None:
    """A cannon hits on 2+ after Combat Speed, on 3+ if the vehicle is not Fast."""
    assert hits(hull(weapon("cannon"), rules=["Fast"]), 2, 1, moved=True) == 1
    assert hits(hull(weapon("cannon")), 2, moved=True) == 0


@clause("SR-HEAVYWEIGHTS-2")
@pytest.mark.parametrize(
    "said", [{"rules": ["Heavyweights"]}, {"type": "vehicle, heavyweights"}, {"keywords": ["Heavyweights"]}]
)
def test_tv_heavyweights_1_always_stationary(said: Json) -> None:
    """TV-HEAVYWEIGHTS-1: moved, all weapons at full CT and the cannon at +1."""
    assert hits(hull(weapon("cannon"), gun()) | said, 2, 1, 3, 1, moved=True) == 2


@clause("SR-POTMS-1")
def test_tv_potms_1_one_weapon_more() -> None:
    """TV-POTMS-1: at Combat Speed two of three are aimed; Shaken, one."""
    guns = [gun(name=f"gun {k}") for k in range(3)]
    spirit = ["Power of the Machine Spirit"]
    assert hits(hull(*guns, rules=spirit), 3, 1, 3, 1, 5, moved=True) == 2
    shaken = hull(*guns, rules=spirit)
    shaken["models"][0]["marks"] = ["shaken"]
    assert hits(shaken, 3, 1, 5, 5) == 1


# Ordnance and Snap Shots


@clause("SR-ORDNANCE-5")
def test_ordnance_makes_snap_shots_of_the_other_weapons() -> None:
    """A tank that stands still: its Ordnance hits on a 3, its gun on a 6 alone; the next tank's gun is aimed."""
    big, small = gun("Ordnance", name="big", S=8), gun()
    found = fire(hull(big, small), 3, 1, 5)
    assert (found.row["hits"], found.row["attacks"]) == (1, 2)
    fleet = hull(big, small, n=2)
    fleet["models"][1]["weapons"] = [small]
    assert hits(fleet, 3, 1, 5, 3, 1) == 2


@clause("SR-ORDNANCE-5", "CF-SHOOT-4")
def test_ordnance_leaves_no_shot_to_templates_and_blasts() -> None:
    """Named together they are refused; unnamed, what promises most is fired."""
    tank = hull(gun("Ordnance", S=8, D=3), weapon("mortar", hits=1))
    named = fire(tank, weapons=[["a1.1", 0], ["a1.1", 1]])
    assert (named.verdict, named.json["refusal"]["clause"]) == ("refused", "CF-SHOOT-4")
    assert [event["facts"]["weapons"] for event in fire(tank, 3, 1).events if event["kind"] == "shot"] == [["gun"]]


@clause("CF-SHOOT-4")
@pytest.mark.parametrize("rule", ["Blast", "Template", "Ordnance"])
def test_what_is_never_a_snap_shot_is_not_fired_as_one(rule: str) -> None:
    """By speed, by Skyfire at the ground, by a shaken or stunned crew, by a mark on the unit."""
    arm = gun(rule)
    stunned = hull(arm)
    stunned["models"][0]["marks"] = ["stunned"]
    flak = gun(rule, "Skyfire")
    for by in (hull(arm, marks=["cruising"]), hull(flak), stunned, hull(arm, marks=["snap-shots"])):
        assert fire(by, range=6).verdict == "refused"
    fired = hull(arm, gun(name="other"))
    both = fire(fired, weapons=[["a1.1", 1], ["a1.1", 0]], range=6, moved=True, dice={"seed": 1})
    assert both.verdict == "legal"
    assert fire(hull(arm, arm), weapons=[["a1.1", 0], ["a1.1", 1]], moved=True, range=6).verdict == "refused"


@clause("CF-VEH-6")
@pytest.mark.parametrize("mark", ["shaken", "stunned"])
def test_a_shaken_or_stunned_crew_has_snap_shots_alone(mark: str) -> None:
    """Either word by itself: a 5 misses, a 6 hits."""
    tank = hull(gun())
    tank["models"][0]["marks"] = [mark]
    assert (hits(tank, 5), hits(tank, 6, 1)) == (0, 1)


@clause("SR-ORDNANCE-3")
def test_a_monster_is_done_when_it_fired_ordnance() -> None:
    """Gun first is fine; Ordnance first leaves no shot; unnamed, Ordnance comes last."""
    beast = hull(gun("Ordnance", name="big"), gun(), fixture="BST")
    assert fire(beast, weapons=[["a1.1", 0], ["a1.1", 1]]).json["refusal"]["clause"] == "SR-ORDNANCE-3"
    assert fire(beast, 1, 1, weapons=[["a1.1", 1], ["a1.1", 0]]).verdict == "legal"
    shot = fire(beast, 1, 1).event("shot")
    assert shot["facts"]["weapons"] == ["gun", "big"]


@clause("SR-SLOW-AND-PURPOSEFUL-2", "SR-SALVO-4")
def test_one_slow_model_steadies_its_whole_unit() -> None:
    """Two troopers that moved, one of them Slow and Purposeful: both fire the long line of their Salvo, at 24 inches."""
    slow = unit("a1", "A", "TRP", 2, weapons=[gun("Salvo 2/4")])
    slow["models"][0]["rules"] = ["Slow and Purposeful"]
    assert fire(slow, *(1,) * 8, moved=True, range=24).row["attacks"] == 8


@clause("SR-ASSAULT-1", "SR-ASSAULT-2")
def test_tv_assault_1_after_running_only_assault_weapons_fire() -> None:
    """TV-ASSAULT-1: of one Assault and one Primary weapon one fires; without it nobody does."""
    ran = unit("a1", "A", "TRP", 2, weapons=[gun()], marks=["ran"])
    ran["models"][0]["weapons"] = [gun("Assault", name="carbine")]
    found = fire(ran, 1)
    assert (found.row["attacks"], found.event("shot")["facts"]["weapons"]) == (1, ["carbine"])
    assert fire(unit("a1", "A", "TRP", weapons=[gun()], marks=["ran"])).json["refusal"]["clause"] == "SR-ASSAULT-2"


@clause("SR-PRIMARY-1")
def test_tv_primary_1_all_shots_after_moving() -> None:
    """TV-PRIMARY-1: a gun of two shots fires both after a move."""
    assert shoot(gun(A=2), enemy("GRT"), 1, 1, moved=True).row["attacks"] == 2


# evading


@clause("SR-JINK-2", "SR-SKIMMER-6")
def test_tv_jink_1_a_jinking_skimmer_is_in_cover_and_cannot_aim() -> None:
    """TV-JINK-1: a 4 discards a penetrating hit; its own fire is Snap Shots; immobile or Heavyweights it does not jink."""
    skimmer = enemy("SKM", marks=["jinking"])
    assert shoot(gun(S=8), skimmer, 3, 6, 4, facing="front").lost == 0
    assert hits(hull(gun(), fixture="SKM", marks=["jinking"]), 5) == 0
    assert shoot(gun(S=8), enemy("SKM", marks=["jinking"], rules=["Heavyweights"]), 3, 6, 1, facing="front").lost == 1
    still = enemy("SKM", marks=["jinking"])
    still["models"][0]["marks"] = ["immobile"]
    assert shoot(gun(S=8), still, 3, 6, 1, facing="front").lost == 1


@clause("SR-SKILLED-RIDER-2")
def test_tv_skilled_rider_1_jinks_better() -> None:
    """TV-SKILLED-RIDER-1: a 3 saves; other cover is not better for it."""
    rider = enemy("TRP", marks=["jinking"], rules=["Jink", "Skilled Rider"], stats={"Sv": "-"})
    assert shoot(gun(), rider, 3, 4, 3).slain == 0
    hidden = enemy("TRP", rules=["Skilled Rider"], stats={"Sv": "-", "Cover": "4+"})
    assert shoot(gun(), hidden, 3, 4, 3).slain == 1


@clause("SR-SMOKE-LAUNCHER-1", "SR-SMOKE-LAUNCHER-2")
def test_tv_smoke_launcher_1_covers_and_silences() -> None:
    """TV-SMOKE-LAUNCHER-1: a 5 discards a glancing hit; who popped smoke does not fire."""
    assert shoot(gun(S=7), enemy("APC", marks=["smoke"]), 3, 4, 5, facing="front").lost == 0
    assert fire(hull(gun(), marks=["smoke"])).json["refusal"]["clause"] == "SR-SMOKE-LAUNCHER-1"


# Walkers and Chariots


@clause("SR-WALKER-5", "SR-WALKER-6", "SR-WALKER-10")
@pytest.mark.parametrize("mark", ["stunned", "immobile"])
def test_tv_walker_1_half_the_attacks_and_one_for_each_weapon(mark: str) -> None:
    """TV-WALKER-1: A2 with two Melee weapons, Stunned: 1 + 1; whole with three: 2 + 2."""
    arms = [weapon("blade", name=f"claw {k}") for k in range(3)]
    walker = unit("a1", "A", "WLK", weapons=arms[:2])
    walker["models"][0]["marks"] = [mark]
    assert fight({}, enemy("TRP", 9), 1, 1, by=walker).row["attacks"] == 2
    assert fight({}, enemy("TRP", 9), 1, 1, 1, 1, by=unit("a1", "A", "WLK", weapons=arms)).row["attacks"] == 4


@clause("SR-HAMMER-OF-WRATH-5", "SR-CHARIOT-11")
@pytest.mark.parametrize("said", [{"type": "vehicle, chariot"}, {"keywords": ["Chariot"]}, {"rules": ["Chariot"]}])
def test_a_chariot_hammers_without_weapon_skill(said: Json) -> None:
    """No WS and no Attacks of its own: D6 automatic hits of S6 all the same, two of them here."""
    car = unit("a1", "A", "APC") | said
    found = fight({}, enemy("GRT", 5), 2, 2, 2, 1, 1, by=car, charged=True)
    assert (found.row["attacks"], found.slain) == (2, 2)
    assert fight({}, enemy("GRT", 5), by=car, charged=False).verdict == "refused"


@clause("CF-VEH-12")
def test_a_chariot_strikes_with_weapon_skill_one_where_it_has_none() -> None:
    """A3 and S5 without WS against WS3: 5+ to hit."""
    car = unit("a1", "A", "APC", stats={"A": 3, "S": 5, "I": 3}) | {"type": "vehicle, chariot"}
    found = fight({}, enemy("GRT", 5), 5, 4, 4, 2, 1, by=car, charged=False)
    assert (found.row["attacks"], found.row["hits"], found.slain) == (3, 1, 1)


# grenades and Psychic weapons


@clause("SR-GRENADES-2")
@pytest.mark.parametrize("rule", ["Frag Grenades", "Grenades (frag)", "Plasma Grenades", "Assault Grenades"])
def test_tv_grenades_2_frag_clears_the_way(rule: str) -> None:
    """TV-GRENADES-2: troopers with frag grenades that charge through woods strike at step 4, others at step 1."""
    slow = unit("a1", "A", "TRP", weapons=[weapon("blade")], marks=["charge-penalty"])
    quick = slow | {"rules": [rule]}
    assert fight({}, enemy("GRT"), 1, 1, by=slow, charged=True).event("struck")["facts"]["steps"] == [1]
    assert fight({}, enemy("GRT"), 1, 1, by=quick, charged=True).event("struck")["facts"]["steps"] == [4]


@clause("SR-GRENADES-3")
def test_tv_grenades_2_defensive_ones_break_a_charge() -> None:
    """TV-GRENADES-2: no Attacks for charging, with Rage neither; Gone to Ground or locked before, the charge is whole."""
    ready = enemy("GRT", 9, rules=["Defensive Grenades"])
    assert fight(weapon("blade"), ready, 1, charged=True).row["attacks"] == 1
    wild = unit("a1", "A", "TRP", weapons=[weapon("blade")], rules=["Rage"])
    assert fight({}, ready, 1, by=wild, charged=True).row["attacks"] == 1
    for mark in ("gone-to-ground", "locked"):
        assert fight(weapon("blade"), ready | {"marks": [mark]}, 1, 1, charged=True).row["attacks"] == 2


@clause("SR-PSYCHIC-1", "SR-PSYKER-1", "SR-BROTHERHOOD-5")
def test_tv_psychic_1_only_psykers_use_it() -> None:
    """TV-PSYCHIC-1: a trooper cannot use a Psychic blade or gun, and fights with bare hands; a psyker and a brother can."""
    mind, bolt = weapon("blade", S="User+2", rules=["Psychic"]), gun("Psychic")
    assert shoot(bolt, enemy("GRT")).json["refusal"]["clause"] == "SR-PSYCHIC-1"
    assert shoot({}, enemy("GRT"), 1, by=unit("a1", "A", "PSY", weapons=[bolt])).verdict == "legal"
    brother = unit("a1", "A", "TRP", rules=["Brotherhood of Psykers"], weapons=[bolt])
    assert shoot({}, enemy("GRT"), 1, by=brother).verdict == "legal"
    assert fight(mind, enemy("GRT"), weapons=[["a1.1", 0]]).json["refusal"]["clause"] == "SR-PSYCHIC-1"
    assert [event["facts"]["weapons"] for event in fight(mind, enemy("GRT"), 1).events if event["kind"] == "struck"] == [
        ["bare hands"]
    ]
    units = [unit("a1", "A", "PSY", weapons=[mind]) | {"type": "infantry, character, psyker (2)"}, enemy("GRT")]
    assert attack(units, kind="melee", dice=[1]).event("struck")["facts"]["weapons"] == ["blade"]


# what an explosion does


@clause("CF-ALLOC-4", "CF-DICE-13")
def test_an_explosion_hits_model_by_model_and_nobody_looks_out() -> None:
    """Its own unit, then others by id; all To Wound dice of a unit by model id, then their saves, each on its own model."""
    tank = enemy("APC", at=[(30, 20)], weapons=[])
    squad = unit("b3", "B", "TRP", 2, at=[(34, 20), (35, 21.5)])
    squad["models"] = squad["models"][::-1]
    captain = unit("b2", "B", "CAP", at=[(30, 23.5)])
    grunt = unit("b4", "B", "GRT", joined="b2", at=[(31.2, 23.5)])
    by = unit("a1", "A", "TRP", weapons=[gun(S=9, AP=-5, range=48)], at=[(5, 20)])
    found = attack([by, tank, squad, captain, grunt], dice=[3, 6, 5, 6, 4, 4, 1, 1, 4, 3, 1], facing="front")
    rolls = [(roll["unit"], roll["purpose"], roll["faces"]) for roll in found.rolls[4:]]
    assert rolls == [
        ("b1", "wound", [4, 4]),
        ("b2", "save", [1]),
        ("b2", "save", [1]),
        ("b1", "wound", [4, 3]),
        ("b3", "save", [1]),
    ]
    assert (found.taken("b2.1"), found.removed("b4.1"), found.removed("b3.1"), found.removed("b3.2")) == (1, True, True, False)


@clause("CF-PROF-9")
def test_attacks_on_who_carries_a_unit_are_planned() -> None:
    """A flamer on an Open-topped Transport says nothing as if nobody were aboard; empty, it is a hull like others."""
    aboard = unit("b2", "B", "GRT", 5, where="b1")
    cart = enemy("APC", rules=["Open-topped"]) | {"type": "vehicle, transport 10"}
    by = unit("a1", "A", "TRP", weapons=[weapon("flamer")])
    with pytest.raises(BadInput) as caught:
        attack([by, cart, aboard], facing="front", range=6)
    assert caught.value.code == "rule-planned"
    assert attack([by, cart], dice=[1], facing="front", range=6).verdict == "legal"


@clause("CF-SHOOT-3", "CF-SHOOT-4")
def test_a_snap_shot_of_a_marksman_is_thrown_again_for_a_six() -> None:
    """CT 7: a miss is rolled again as always, and the second die hits on a 6 alone."""
    marksman = unit("a1", "A", "TRP", weapons=[gun()], stats={"CT": 7}, marks=["snap-shots"])
    assert hits(marksman, 5, 5) == 0
    assert hits(marksman, 5, 6, 1) == 1


# facings, and who is not there


@clause("CF-VEH-8")
def test_every_firer_sees_the_facing_turned_to_it() -> None:
    """S9 from the front of AV14 and from the side of AV13, one handful: two 4s, of which the second glances."""
    firers = unit("a1", "A", "TRP", 2, weapons=[gun(S=9, range=48)], at=[(50, 20), (30, 40)])
    found = attack([firers, enemy("MBT", at=[(30, 20)])], dice=[3, 3, 4, 4])
    assert ([roll["faces"] for roll in found.rolls], found.lost) == ([[3, 3], [4, 4]], 1)


@clause("CF-PROF-9")
def test_who_is_not_on_the_table_does_not_attack() -> None:
    """A passenger's fire is planned; a unit in reserve is not there."""
    ride = unit("a2", "A", "APC")
    with pytest.raises(BadInput) as caught:
        attack([unit("a1", "A", "TRP", weapons=[gun()], where="a2"), enemy("GRT"), ride])
    assert caught.value.code == "rule-planned"
    with pytest.raises(BadInput) as caught:
        attack([unit("a1", "A", "TRP", weapons=[gun()], where="reserve"), enemy("GRT")])
    assert caught.value.code == "not-on-table"


@clause("SR-SMASH-3", "SR-LANCE-3")
def test_a_smash_attack_gains_nothing_from_the_strength_of_a_lance() -> None:
    """S4 smashing on the charge with a Lance: S8 against AV12 in front, and +1 to the roll: a 3 glances."""
    smasher = unit("a1", "A", "TRP", rules=["Smash"], weapons=[weapon("blade", rules=["Lance"])])
    answers = [{"kind": "choose-option", "value": "0: blade, smash"}]
    found = fight({}, enemy("WLK"), 4, 3, by=smasher, charged=True, answers=answers)
    assert (found.lost, found.rolled("vehicle damage")) == (1, [])


@clause("SR-COUNTER-ATTACK-2")
def test_who_was_locked_before_does_not_counter_attack() -> None:
    """Marked as charged and as locked before: one attack."""
    held = unit("a1", "A", "TRP", rules=["Counter-attack"], weapons=[weapon("blade")], marks=["was-charged", "locked"])
    assert fight({}, enemy("GRT"), 1, by=held).row["attacks"] == 1


@clause("CF-VEH-6")
def test_the_weapon_that_is_destroyed_is_drawn_by_lot() -> None:
    """The second of three, written as such."""
    armed = enemy("APC", weapons=[gun(name=f"gun {k}") for k in range(3)])
    found = attack([unit("a1", "A", "TRP", weapons=[gun(S=9)]), armed], dice=[3, 6, 5, "2/3"], facing="front")
    assert found.marks("b1.1") == {"lost:1"}
