"""Hard cases: attacks written down and computed by hand from the text of the rules, rolled and exact."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from rolloff.errors import BadInput
from rolloff.odds.compute import odds_of
from rolloff.odds.results import Odds
from rolloff.odds.scenarios import read_scenario
from tests.compendium.desk import Json, attack, clause, enemy, fight, shoot, unit, weapon

F = Fraction


def odds(units: list[Json], *attacks: Json, kind: str = "shooting", **more: Any) -> Odds:
    """The exact odds of attacks of ``a1`` on ``b1``; shooting is from twelve inches and in sight unless stated."""
    stated: Json = {"attacker": "a1", "target": "b1", "kind": kind}
    stated |= {"range": 12, "visible": True} if kind == "shooting" else {"charged": False}
    forms = [{**stated, **one} for one in attacks or ({},)]
    given = {"edition": "compendium", "units": units, "attacks": forms, **more}
    return odds_of(read_scenario(json.dumps(given).encode()), exact=True)


def us(*weapons: Json, n: int = 1, **more: Any) -> Json:
    """Troopers ``a1``."""
    return unit("a1", "A", "TRP", n, weapons=list(weapons), **more)


def gun(*rules: str, **fields: Any) -> Json:
    """A gun with rules."""
    return weapon("gun", rules=rules, **fields)


def blade(*rules: str, **fields: Any) -> Json:
    """A blade with rules."""
    return weapon("blade", rules=rules, **fields)


# what a second reading found


@clause("SR-DESTROYER-1", "SR-DESTROYER-2")
def test_hits_of_a_destroyer_are_wounds_unless_they_escape() -> None:
    """Two Destroyer shots on 3+, five rows of six harm: as rolled, so many wounds are told by the odds."""
    found = odds([us(gun(A=2, S="D", AP=-4)), enemy("BST", 3)]).results[0]
    harmed = F(2, 3) * F(5, 6)
    assert list(found.wounds) == [(1 - harmed) ** 2, 2 * harmed * (1 - harmed), harmed**2]
    assert shoot(gun(S="D", AP=-4), enemy("BST"), 5, 4, 1).row["wounds"] == 1
    scythe = odds([us(gun("Distort Scythe", S="D", AP=-4)), enemy("BST")]).results[0]
    assert list(scythe.wounds) == [1 - F(2, 3) * F(4, 6), F(2, 3) * F(4, 6)]


@clause("SR-HAYWIRE-1")
def test_hits_of_haywire_are_wounds_unless_they_fizzle() -> None:
    """A Haywire hit harms on 2+, and that is one wound whatever it costs."""
    found = odds([us(gun("Haywire")), enemy("MBT")], {"facing": "front"}).results[0]
    assert list(found.wounds) == [F(4, 9), F(5, 9)]
    assert list(found.damage) == [F(4, 9), *(F(4, 27),) * 3, *(F(1, 27),) * 3]


@clause("SR-DEVASTATING-WOUND-2", "CF-DMG-3")
def test_mortal_wounds_beyond_the_last_model_are_wasted() -> None:
    """Two mortal wounds on a lone grunt: one of them finds nobody."""
    found = odds([us(gun("Devastating Wounds", S=1, D=2)), enemy("GRT")]).results[0]
    six = F(2, 3) * F(1, 6)  # S1 wounds T3 on a 6 only, and that 6 is devastating
    assert list(found.kills) == [1 - six, six]
    assert list(found.wasted) == [1 - six, six]


@clause("SR-HAYWIRE-2")
def test_mortal_wounds_beyond_the_last_hull_point_are_wasted() -> None:
    """One Hull Point left: D3 mortal wounds waste up to two, D3+3 up to five."""
    found = odds([us(gun("Haywire")), enemy("MBT", wounds=[11])], {"facing": "front"}).results[0]
    some, much = F(2, 3) * F(4, 6) / 3, F(2, 3) * F(1, 6) / 3
    assert list(found.wasted) == [1 - 2 * some - 3 * much, some, some, much, much, much]


@clause("CF-PROF-5", "SR-SWARMS-2")
def test_a_swarm_by_its_type_is_a_swarm() -> None:
    """TV-SWARMS-1 on the fixture as it is printed: the type Swarms is enough for blast wounds to count as two."""
    assert shoot(weapon("mortar", AP=-1), enemy("SWM"), 3).lost == 2
    assert shoot(gun(AP=-1), enemy("SWM"), 3, 3).lost == 1


@clause("CF-PROF-5", "SR-DAEMON-1")
def test_a_daemon_by_its_type_has_its_save() -> None:
    """The type Daemon is the rule Daemon: a 5+ invulnerable save against AP -4."""
    assert shoot(gun(AP=-4), enemy("GRT") | {"type": "infantry, daemon"}, 3, 3, 5).row["blocked"] == 1


@clause("CF-SHOOT-1", "CF-ASLT-6")
@pytest.mark.parametrize(("kind", "cited"), [("shooting", "CF-SHOOT-1"), ("melee", "CF-ASLT-6")])
def test_friends_are_not_attacked(kind: str, cited: str) -> None:
    """Only an enemy unit is a target, of shots as of blows."""
    found = attack([us(gun(), blade()), unit("b1", "A", "GRT")], kind=kind)
    assert found.verdict == "refused" and found.refusal is not None
    assert (found.refusal["code"], found.refusal["clause"]) == ("no-enemy", cited)


@clause("CF-ASLT-18")
def test_who_cannot_fight_is_refused_by_its_clause() -> None:
    """A unit of WS 0 makes no attacks, and the refusal says why."""
    found = fight(blade(), enemy("GRT"), by=us(blade(), stats={"WS": 0}))
    assert found.refusal is not None and found.refusal["clause"] == "CF-ASLT-18"


@clause("CF-MOVE-9", "CF-SAVE-1")
@pytest.mark.parametrize(("mark", "need"), [("cover", 5), ({"cover": 4}, 4), ({"cover": "3+"}, 3)])
def test_a_mark_of_cover_in_every_writing(mark: str | Json, need: int) -> None:
    """The mark alone is 5+, with a number it is that number, with or without its plus sign."""
    target = enemy("GRT", marks=[mark])
    assert shoot(gun(AP=-5), target, 3, 3, need).row["blocked"] == 1
    assert shoot(gun(AP=-5), target, 3, 3, need - 1).slain == 1


@pytest.mark.parametrize("value", ["x", 99, 0, -4, "7+"])
def test_a_mark_of_cover_that_is_none(value: object) -> None:
    """Cover of no number is unusable input, and what would fit is said."""
    with pytest.raises(BadInput) as caught:
        shoot(gun(), enemy("GRT", marks=[{"cover": value}]), 3, 3, 3)
    assert (caught.value.where, caught.value.allowed) == ("marks.cover", "a whole number from 2 to 6")


def test_shots_at_nobody_are_saved_in_cover_too() -> None:
    """Two sure wounds on one grunt in cover: the second is wasted only if the save its models share fails."""
    units = [us(gun("Fleshbane", A=2, AP=-5)), enemy("GRT")]
    found = odds(units, {"cover": True}).results[0]
    through = F(2, 3) * F(5, 6) * F(2, 3)
    assert list(found.wasted) == [1 - through**2, through**2]


# cases that a reading could get wrong


@clause("SR-LETHAL-HIT-2", "SR-SUSTAINED-HIT-2")
def test_a_six_that_is_lethal_and_sustained() -> None:
    """IX-2: the 6 wounds by itself, only its two extra hits roll To Wound, and nothing else is drawn."""
    found = shoot(gun("Lethal Hits", "Sustained Hits 2"), enemy("GRT", 4), 6, 3, 2, 1, 1)
    assert (found.row["hits"], found.row["wounds"], found.slain) == (3, 2, 2)
    assert found.rolled("wound") == [3, 2]


@clause("CF-DMG-4", "SR-DEVASTATING-WOUND-2")
def test_devastating_wounds_wait_for_the_ordinary_ones() -> None:
    """The 6 came first, yet the ordinary wound is saved first and the two mortal wounds carry over afterwards."""
    found = shoot(gun("Devastating Wounds", A=2, D=2), enemy("GRT", 3), 3, 3, 6, 3, 2)
    assert (found.slain, found.row["mortal"]) == (3, 2)


@clause("SR-FATAL-PRECISION-2", "CF-DMG-4")
def test_mortal_wounds_of_a_precise_hit_do_not_wait() -> None:
    """Aimed at a model they are not pooled: the captain is short of Wounds when those on the unit come, and dies of them."""
    captain = unit("b2", "B", "CAP", joined="b1")
    found = attack([us(gun("Fatal Precision", A=2, D=2)), enemy("TRP", 2), captain], dice=[3, 4, 4, 4])
    assert sorted(found.row["removed"]) == ["b1.1", "b2.1"]


@clause("CF-DICE-13", "SR-TWIN-LINKED-1")
def test_re_rolls_follow_all_dice_of_their_roll() -> None:
    """Three To Hit dice, then the re-rolls of the first and the third, then To Wound."""
    found = shoot(gun("Twin-linked", A=3), enemy("GRT", 3), 2, 4, 1, 5, 3, 3, 2, 6, 5, 1)
    assert (found.row["hits"], found.row["wounds"], found.slain) == (3, 2, 1)
    assert found.rolls[0]["rerolls"] == [[0, 5], [2, 3]]


@clause("SR-ORDNANCE-4", "SR-ORDNANCE-5")
def test_ordnance_thrown_again() -> None:
    """IX-22: S8 against armour 14 needs a 6 among two dice, and Sunder rolls both again."""
    found = odds([us(gun("Ordnance 1", "Sunder", S=8, D=1)), enemy("MBT")], {"facing": "front"}).results[0]
    one = F(11, 36)
    assert list(found.wounds) == [1 - F(2, 3) * (one + (1 - one) * one), F(2, 3) * (one + (1 - one) * one)]


@clause("SR-ARMOURBANE-3", "SR-MELTA-1", "SR-TANK-HUNTERS-3")
def test_all_dice_of_damage_together() -> None:
    """IX-21: S9 glances armour 14 on a 5 after one re-roll; then 1 + D6 + D6 + D3 Hull Points, 12 to none in 10/108 of them."""
    lance = gun("Armourbane", "Melta", S=9)
    found = odds([us(lance, rules=["Tank Hunters"]), enemy("MBT")], {"facing": "front"}).results[0]
    hurt = F(2, 3) * (F(2, 6) + F(4, 6) * F(2, 6))
    assert sum(found.damage[1:]) == hurt
    assert found.damage[4] == hurt * F(1, 108)
    sums = [(a, b, c) for a in range(1, 7) for b in range(1, 7) for c in range(1, 4)]
    assert found.destroyed == hurt * F(sum(1 + sum(one) >= 12 for one in sums), 108)


@clause("CF-VEH-6", "CF-VEH-7")
def test_an_immobilised_vehicle_loses_another_point() -> None:
    """Rear armour 10, S10: every hit penetrates; AP 0 rolls 6 to immobilise, 5 with no weapon left does the same."""
    found = odds([us(gun(A=2, S=10)), enemy("APC")], {"facing": "rear"}).results[0]
    both = F(2, 3) ** 2
    assert list(found.damage) == [F(1, 9), F(4, 9), both * (1 - F(1, 9)), both * F(1, 9)]


@clause("SR-LANCE-2", "SR-LANCE-3")
def test_a_lance_that_charges_poisoned() -> None:
    """IX-8: two attacks at T6: S6 wounds on 4+, poison on 5+ is worse, and the charge adds 1 to the die: 3+."""
    found = odds([us(blade("Lance", "Poisoned(5+)")), enemy("BST")], {"charged": True}, kind="melee").results[0]
    wound = F(1, 2) * F(4, 6)
    assert list(found.wounds) == [(1 - wound) ** 2, 2 * wound * (1 - wound), wound**2]


@clause("SR-FURIOUS-CHARGE-2", "CF-ASLT-4")
def test_a_disordered_charge_keeps_the_lance() -> None:
    """IX-41: no attack more and no Furious Charge, but +2 S and +1 to the die: S6 against T4 on 2+."""
    knight = us(blade("Lance"), rules=["Furious Charge", "Rage"], marks=["disordered"])
    found = odds([knight, enemy("TRP")], {"charged": True}, kind="melee").results[0]
    assert list(found.attacks) == [0, 1]
    assert list(found.wounds) == [1 - F(1, 2) * F(5, 6), F(1, 2) * F(5, 6)]


@clause("SR-ETERNAL-WARRIOR-2", "SR-DESTROYER-7")
def test_an_eternal_warrior_under_a_destroyer() -> None:
    """One for the Damage of 2 and the table's D3 in full: 2 to 4 on rows 2-5 unsaved, 8 to 13 of nine Wounds on a 6."""
    captain = enemy("CAP", rules=["Eternal Warrior"], stats={"W": 9, "Inv": "5+"})
    found = odds([us(gun(S="D", AP=-4, D=2)), captain]).results[0]
    some, many = F(2, 3) * F(4, 6) * F(4, 6) / 3, F(2, 3) * F(1, 6) / 6
    assert list(found.damage) == [1 - 3 * some - 6 * many, 0, some, some, some, 0, 0, 0, many, 5 * many]


@clause("SR-MOLECULAR-REALIGNMENT-FIELD-2", "SR-LIGHTNING-REFLEXES-1")
def test_armour_may_be_better_than_a_save_thrown_twice() -> None:
    """IX-32: AP -2 leaves armour 5+, a third; 4+ twice is a quarter, so armour is taken."""
    trooper = enemy("TRP", rules=["Lightning Reflexes"])
    found = odds([us(gun("Molecular Realignment Field", AP=-2)), trooper]).results[0]
    assert found.kills[1] == F(2, 3) * F(1, 2) * F(2, 3)


@clause("SR-LUMINAGEN-1", "SR-STEALTH-1")
def test_light_lasts_for_the_next_attack() -> None:
    """IX-31: Stealth makes 5+ woods 4+; who was lit by the first wound saves on 5+ from then on."""
    units = [us(gun("Luminagen", S=8, AP=-5)), enemy("GRT", 2, rules=["Stealth"])]
    found = odds(units, {"cover": True}, {"cover": True})
    wound = F(2, 3) * F(5, 6)
    first = wound * F(1, 2)
    assert found.results[0].kills[1] == first
    assert found.results[1].kills[2] == first * wound * F(4, 6)


@clause("SR-DAEMON-1", "CF-ASLT-5")
def test_a_fight_by_steps_with_fear() -> None:
    """A Daemon strikes first at a trooper of Ld 8, who on 9 and more has WS 1: hit on 3+, hitting on 5+."""
    plain: Json = {"S": 4, "T": 4, "Sv": "-", "A": 1, "WS": 4, "W": 1}
    fiend = us(blade(), rules=["Daemon"], stats=plain | {"I": 5})
    man = enemy("TRP", weapons=[blade()], stats=plain | {"I": 3})
    found = odds([fiend, man], kind="melee", exchange=True).exchange
    assert found is not None
    fear = F(10, 36)
    felled = {True: F(2, 3) * F(1, 2), False: F(1, 2) * F(1, 2)}
    struck = {True: F(1, 3) * F(1, 2) * F(2, 3), False: F(1, 2) * F(1, 2) * F(2, 3)}
    assert found.joint[1, 0] == fear * felled[True] + (1 - fear) * felled[False]
    assert found.joint[0, 1] == fear * (1 - felled[True]) * struck[True] + (1 - fear) * (1 - felled[False]) * struck[False]


@clause("SR-COLOSSAL-2", "SR-FIGHT-FIRST-2")
def test_the_colossal_come_last_though_they_fight_first() -> None:
    """IX-33: at step 1 the bearer strikes after a grunt of Initiative 3, so whom it kills has struck."""
    plain: Json = {"S": 4, "T": 4, "Sv": "-", "A": 1, "WS": 4, "W": 1, "Ld": 10}
    giant = us(blade("Colossal"), rules=["Fights First"], stats=plain)
    found = odds([giant, enemy("GRT", weapons=[blade()], stats=plain)], kind="melee", exchange=True).exchange
    assert found is not None and found.joint == {(0, 0): F(9, 16), (0, 1): F(1, 4), (1, 0): F(3, 16)}


@clause("SR-PREFERRED-ENEMY-2", "SR-GETS-HOT-4")
def test_a_burning_one_is_thrown_again() -> None:
    """IX-17: the 1 becomes a 5, so nobody burns; without Preferred Enemy the firer would have to save."""
    keen = us(gun("Gets Hot", A=2), rules=["Preferred Enemy"])
    found = shoot(gun(), enemy("GRT", 2), 1, 4, 5, 3, 3, 1, 1, by=keen)
    assert found.slain == 2 and not found.removed("a1.1") and found.rolled("overheat") == []


@clause("SR-DEFLAGRATE-1", "SR-DEFLAGRATE-3")
def test_fires_of_two_wounds() -> None:
    """TV-DEFLAGRATE-1 from the first die: two unsaved wounds, two more hits, one wound, a save of 5 less 1 fails."""
    found = shoot(gun("Deflagrate", A=2), enemy("GRT", 5), 3, 3, 3, 3, 1, 1, 2, 1, 5)
    assert found.slain == 3


@clause("SR-WRATH-OF-ANGELS-2", "SR-DEVASTATING-WOUND-2")
def test_wrath_adds_an_ordinary_wound_to_a_devastating_one() -> None:
    """IX-6: a 6 is two mortal wounds of Damage 2, and one wound more that is saved on 3+."""
    found = shoot(gun("Wrath of Angels", "Devastating Wounds", D=2), enemy("TRP", 4), 3, 6, 3)
    assert (found.slain, found.row["mortal"], found.row["blocked"]) == (2, 2, 1)


@clause("SR-WRATH-OF-ANGELS-1", "SR-WRATH-OF-ANGELS-2", "CF-VEH-1")
def test_wrath_needs_a_roll_that_succeeds() -> None:
    """A 6 below the armour, or where the table says impossible, devastates all the same but adds no wound."""
    angry = gun("Wrath of Angels", "Devastating Wounds", S=2)
    tank = shoot(angry, enemy("MBT"), 3, 6, facing="front")
    assert (tank.row["wounds"], tank.lost, tank.row["mortal"]) == (1, 1, 1)
    beast = shoot(angry, enemy("BST"), 3, 6)
    assert (beast.row["wounds"], beast.lost, beast.row["mortal"]) == (1, 1, 1)
    assert shoot(gun("Wrath of Angels", "Devastating Wounds", S=8), enemy("MBT"), 3, 6, facing="front").lost == 2


@clause("CF-SHOOT-3")
def test_a_marksman_misses_twice() -> None:
    """CT 6: a miss is rolled again and needs 6+; CT 7: 5+."""
    assert shoot(gun(skill=6), enemy("GRT"), 1, 5).row["hits"] == 0
    assert shoot(gun(skill=7), enemy("GRT"), 1, 5, 1).row["hits"] == 1


@clause("SR-GRAVITON-2", "CF-VEH-2")
def test_gravity_against_armour_is_thrown_again() -> None:
    """IX-27: on a vehicle only a natural 6 glances, and Shred rolls the rest again; no roll on the table follows."""
    found = odds([us(gun("Graviton", "Shred", S="X", D=2)), enemy("APC")], {"facing": "front"}).results[0]
    six = F(1, 6) + F(5, 6) * F(1, 6)
    assert list(found.damage) == [1 - F(2, 3) * six, 0, F(2, 3) * six]


@clause("SR-HAMMER-OF-WRATH-1", "SR-HAMMER-OF-WRATH-3")
def test_a_charging_walker_is_a_hammer() -> None:
    """TV-WALKER-1: every Walker has Hammer of Wrath: S6 at step 10 before its own blows; not if it did not charge."""
    walker = unit("a1", "A", "WLK", weapons=[blade()])
    found = fight(blade(), enemy("TRP", 3), 2, 1, 1, 1, 1, by=walker, charged=True)
    assert (found.row["attacks"], found.row["hits"], found.slain) == (4, 1, 1)
    assert found.event("struck")["facts"]["steps"] == [10, 4]
    assert fight(blade(), enemy("TRP", 3), 1, 1, by=walker, charged=False).row["attacks"] == 2


@clause("CF-VEH-8")
@pytest.mark.parametrize(
    ("at", "armour"),
    [((40, 26.9), 14), ((40, 27.1), 13), ((20, 27.1), 13), ((20, 26.9), 10), ((40, 13.1), 14), ((40, 12.9), 13)],
)
def test_the_corners_of_a_tank_part_its_facings(at: tuple[float, float], armour: int) -> None:
    """A tank without a printed base is 5 by 3.5 inches: ten along, the line through its corner is seven across."""
    by = us(gun(S=9, range=48), at=[at])
    tank = enemy("MBT", at=[(30, 20)])
    assert attack([by, tank], dice=[3, armour - 9]).lost == 1
    if armour > 10:
        assert attack([by, tank], dice=[3, armour - 10]).lost == 0


@clause("CF-GEO-1")
@pytest.mark.parametrize(("fixture", "half"), [("WLK", 1.25), ("SKM", 2), ("SWM", 0.8), ("BST", 1.5), ("CAP", 0.5)])
def test_distances_are_taken_from_the_usual_footprint(fixture: str, half: float) -> None:
    """CF-PROF-7: by the most telling of several types; a gun of 24 inches just reaches from edge to edge, or does not."""
    for gap, verdict in ((24.0, "legal"), (24.01, "refused")):
        by = us(gun(), at=[(5, 20)])
        assert (
            attack([by, enemy(fixture, at=[(5.5 + gap + half, 20)])], dice=[1] if verdict == "legal" else []).verdict == verdict
        )
