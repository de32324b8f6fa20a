"""Like weapons are one handful of dice, and every die knows whose it is (CF-SHOOT-5, CF-DICE-13)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import replace

from rolloff.editions.compendium.attack_sequence import prepare
from rolloff.editions.compendium.picking import Policies
from rolloff.editions.compendium.places import Places
from rolloff.editions.compendium.squad import Policy
from rolloff.oracle.dice import EnteredDice
from rolloff.oracle.oracle import Defaults, Oracle
from rolloff.rules.attack import AttackForm
from rolloff.rules.play import Play
from rolloff.situations.forms import CaseForm, decode
from rolloff.situations.situation import read_situation
from tests.compendium.cases import Case, exact, rolled
from tests.compendium.desk import Json, attack, clause, enemy, fight, shoot, unit, weapon


def gun(*rules: str, **fields: Any) -> Json:
    """A gun with rules."""
    return weapon("gun", rules=rules, **fields)


def us(*arms: Json, n: int = 1, fixture: str = "TRP", **more: Any) -> Json:
    """Attackers ``a1``."""
    return unit("a1", "A", fixture, n, weapons=list(arms), **more)


# whose die


@clause("SR-GETS-HOT-1")
def test_who_rolled_the_one_is_burnt() -> None:
    """Three guns of one shot: 4, 1, 5: the second bearer is wounded, and its save is reported as its own unit's."""
    found = shoot({}, enemy("GRT", 5, stats={"T": 9}), 4, 1, 5, 2, 1, 1, by=us(gun("Gets Hot"), n=3))
    assert [found.removed(f"a1.{k}") for k in (1, 2, 3)] == [False, True, False]
    saves = [roll for roll in found.rolls if roll["purpose"] == "save"]
    assert [(roll["unit"], roll["faces"]) for roll in saves] == [("a1", [2])]


@clause("SR-GETS-HOT-1", "SR-GETS-HOT-5")
def test_feel_no_pain_of_a_burnt_firer_is_its_own() -> None:
    """Both dice of the burnt firer are told as its unit's, those of the target as the target's."""
    by = us(gun("Gets Hot", A=2), rules=["Feel No Pain(5+)"])
    found = shoot({}, enemy("GRT"), 1, 4, 1, 5, 3, 1, by=by)
    report = [(roll["purpose"], roll["unit"]) for roll in found.rolls if roll["purpose"] in ("save", "feel no pain")]
    assert report == [("save", "a1"), ("feel no pain", "a1"), ("save", "b1")]


@clause("CF-DICE-13", "CF-SHOOT-5")
def test_many_shots_that_get_hot_are_one_handful() -> None:
    """Two guns of two shots: four dice To Hit, the second gun's 1 burns its bearer, then all dice To Wound."""
    found = shoot({}, enemy("GRT", 5, stats={"T": 9}), 4, 4, 4, 1, 1, 1, 1, 1, by=us(gun("Gets Hot", A=2), n=2))
    assert [roll["faces"] for roll in found.rolls] == [[4, 4, 4, 1], [1], [1, 1, 1]]
    assert (found.removed("a1.1"), found.removed("a1.2")) == (False, True)


@clause("CF-DICE-13", "CF-SHOOT-5", "SR-RAPID-FIRE-1")
def test_guns_near_and_far_are_one_handful() -> None:
    """One gun within half range fires twice, one beyond it once: three dice To Hit, then those To Wound."""
    near = us(gun("Rapid Fire 1"), n=2, at=[(10, 20), (2, 20)])
    target = enemy("GRT", 5, stats={"T": 9}, at=[(20, 20), (22, 20), (24, 20), (26, 20), (28, 20)])
    found = attack([near, target], dice=[3, 3, 3, 1, 1, 1])
    assert [(roll["purpose"], len(roll["faces"])) for roll in found.rolls] == [("hit", 3), ("wound", 3)]


@clause("CF-DICE-13", "SR-MELTA-1")
def test_each_die_of_a_pool_carries_its_own_range() -> None:
    """Two melta guns, one within half range: the first hit does D6 more, the second does not."""
    guns = us(gun("Melta", S=8, range=12), n=2, at=[(10, 20), (4, 20)])
    found = attack([guns, enemy("APC", at=[(17, 20)], weapons=[])], dice=[3, 3, 3, 3, 5], facing="front")
    assert (found.lost, found.rolled("damage")) == (1 + 5 + 1, [5])


@clause("SR-MASTER-CRAFTED-1", "CF-DICE-13")
def test_master_crafted_guns_are_one_handful_with_a_re_roll_each() -> None:
    """H=2,4,1: both failures are rolled again, then all To Wound dice; the bearers' weapons are marked, no other."""
    found = shoot({}, enemy("GRT", 5, stats={"T": 9}), 2, 4, 1, 3, 2, 1, 1, by=us(gun("Master-crafted"), n=3))
    assert found.row["hits"] == 2
    assert [found.marks(f"a1.{k}") for k in (1, 2, 3)] == [{"mastered:0"}, set(), {"mastered:0"}]


@clause("SR-MASTER-CRAFTED-2")
def test_the_weapon_that_was_tried_again_is_the_one_marked() -> None:
    """A Monster fires a plain gun and a Master-crafted one: the second is used up."""
    beast = us(gun(), gun("Master-crafted", name="fine"), fixture="BST")
    found = shoot({}, enemy("GRT", 5, stats={"T": 9}), 4, 1, 2, 5, 1, by=beast)
    assert found.marks("a1.1") == {"mastered:1"}


@clause("SR-MASTER-CRAFTED-1", "CF-DICE-3")
def test_ix_84_a_compulsory_re_roll_does_not_use_it_up() -> None:
    """IX-84: Twin-linked rolls the miss again; the weapon is not used up; nor is one whose owner declines."""
    found = shoot(gun("Master-crafted", "Twin-linked"), enemy("GRT"), 2, 1)
    assert (found.row["hits"], found.marks("a1.1")) == (0, set())
    found = shoot(gun("Master-crafted"), enemy("GRT"), 2, answers=[{"kind": "yes-no", "value": False}])
    assert (found.row["hits"], found.marks("a1.1")) == (0, set())


@clause("SR-MASTER-CRAFTED-1", "SR-GETS-HOT-4")
def test_a_master_crafted_template_rolls_no_to_hit() -> None:
    """No To Hit die to roll again; its Gets Hot die may be."""
    assert shoot(weapon("flamer", rules=["Master-crafted"]), enemy("GRT"), 1, range=6).rolled("hit") == []
    found = shoot(weapon("flamer", rules=["Master-crafted", "Gets Hot"]), enemy("GRT"), 1, 2, 1, range=6)
    assert (found.row["hits"], found.removed("a1.1"), found.marks("a1.1")) == (1, False, {"mastered:0"})


@clause("SR-SUNDER-1")
def test_who_may_is_asked() -> None:
    """Sunder declined leaves the failure; the Gets Hot die of a Template that could be rolled again is asked for too."""
    no = [{"kind": "yes-no", "value": False}]
    assert shoot(gun("Sunder", S=9), enemy("MBT"), 3, 3, facing="front", answers=no).lost == 0
    hose = weapon("flamer", rules=["Gets Hot", "Twin-linked"])
    assert shoot(hose, enemy("GRT"), 1, 1, range=6, answers=no).removed("a1.1")
    assert not shoot(hose, enemy("GRT"), 1, 2, 1, 1, range=6).removed("a1.1")
    pending = shoot(gun("Sunder", S=9), enemy("MBT"), 3, 3, facing="front", unanswered="stop")
    assert (pending.verdict, pending.json["pending"]["clause"]) == ("pending", "SR-SUNDER-1")


# Soul-leech


@clause("SR-SOUL-LEECH-1")
def test_what_is_drunk_is_there_at_once() -> None:
    """1 of 3 Wounds left: two unsaved wounds fill it up before Hazardous takes two."""
    thirsty = us(gun("Soul-leech", "Hazardous", A=2), fixture="CAP", wounds=[2])
    found = shoot({}, enemy("GRT", 5), 3, 3, 3, 3, 1, 1, 1, 3, by=thirsty)
    assert (found.slain, found.taken("a1.1")) == (2, 2)


@clause("SR-SOUL-LEECH-1", "SR-SOUL-LEECH-2")
def test_a_wound_burnt_in_the_same_volley_is_drunk_back() -> None:
    """A whole captain burns itself with a 1, then its hit restores the Wound; never above three."""
    found = shoot({}, enemy("GRT", 5), 1, 4, 2, 3, 1, by=us(gun("Soul-leech", "Gets Hot", A=2), fixture="CAP"))
    assert (found.slain, found.taken("a1.1")) == (1, 0)


@clause("CF-DICE-13", "SR-SOUL-LEECH-1")
def test_hurt_and_whole_bearers_are_one_handful() -> None:
    """Two captains with leeching guns, one hurt: two dice To Hit, two To Wound; each drinks what it spilt itself."""
    found = shoot({}, enemy("GRT", 5), 3, 3, 3, 3, 1, 1, by=us(gun("Soul-leech"), n=2, fixture="CAP", wounds=[0, 2]))
    assert [len(roll["faces"]) for roll in found.rolls if roll["purpose"] != "save"] == [2, 2]
    assert (found.taken("a1.1"), found.taken("a1.2")) == (0, 1)


# who can be reached


@clause("SR-PRECISION-SHOTS-1")
def test_a_precise_wound_stays_within_reach_of_its_firer() -> None:
    """The near firer's 6 may take the captain 20 inches off; the far one's may not, and goes to the trooper it reaches."""
    firers = us(gun("Precision Shots"), n=2, at=[(10, 20), (2, 20)])
    units = [firers, enemy("TRP", 1, at=[(24, 20)]), unit("b2", "B", "CAP", joined="b1", points=99, at=[(32, 20)])]
    near = attack(units, dice=[6, 3, 2, 4, 1])
    assert (near.taken("b2.1"), near.removed("b1.1")) == (1, False)
    far = attack(units, dice=[3, 6, 2, 4, 1])
    assert (far.taken("b2.1"), far.removed("b1.1")) == (0, True)


@clause("SR-PRECISION-STRIKES-1")
def test_a_precise_strike_finds_engaged_models_alone() -> None:
    """A captain nine inches from the fight is not to be had; one within 2 inches of a model in contact is."""
    striker = us(weapon("blade", rules=["Precision Strikes", "Instant Death"]), at=[(20, 20)])
    trooper = enemy("TRP", at=[(21, 20)])
    for far, hurt in ((30.0, False), (22.5, True)):
        captain = unit("b2", "B", "CAP", joined="b1", points=99, at=[(far, 20)])
        found = attack([striker, trooper, captain], kind="melee", dice=[6, 4, 1, 1] if hurt else [6, 4, 1])
        assert found.removed("b2.1") is hurt


@clause("CF-ALLOC-3")
def test_wounds_go_no_farther_than_the_weapons_of_their_group() -> None:
    """A rifle kills the near grunt; the pistol's wound then finds nobody within its twelve inches."""
    pair = us(gun(), n=2, at=[(10, 20), (10, 22)])
    pair["models"][1]["weapons"] = [gun(name="carbine", range=12)]
    grunts = enemy("GRT", 2, at=[(21, 21), (30, 21)])
    found = attack([pair, grunts], dice=[3, 3, 1, 3, 3])
    assert (found.removed("b1.1"), found.removed("b1.2")) == (True, False)


# use


@clause("SR-ONE-USE-ONLY-1", "SR-ONE-USE-ONLY-2", "SR-EXTRA-ATTACKS-1")
def test_extra_attacks_of_one_use_are_used_up() -> None:
    """A blade with Extra Attacks that serves once: marked when it was used, and not there again."""
    once = weapon("blade", name="fang", rules=["Extra Attacks", "One Use Only"])
    found = fight({}, enemy("TRP", 9), 1, 1, 1, by=us(weapon("blade"), once), weapons=[["a1.1", 0]])
    assert (found.row["attacks"], found.marks("a1.1")) == (3, {"used:1"})
    spent = us(weapon("blade"), once)
    spent["models"][0]["marks"] = ["used:1"]
    assert fight({}, enemy("TRP", 9), 1, 1, by=spent, weapons=[["a1.1", 0]]).row["attacks"] == 2


@clause("SR-POISONED-2", "SR-POISONED-3")
def test_the_strength_of_wielder_or_weapon_decides_about_poison() -> None:
    """A weapon of S1 in the hand of S4 against T3: a failure is rolled again; against T4 it stands, unless it charges."""
    venom = weapon("blade", S="-", rules=["Poisoned"])
    assert fight(venom, enemy("GRT"), 4, 3, 4, 1).slain == 1
    assert fight(venom, enemy("TRP"), 4, 3).slain == 0
    furious = us(venom, rules=["Furious Charge"])
    assert fight({}, enemy("TRP"), 4, 1, 3, 4, 1, by=furious, charged=True).slain == 1


@clause("SR-HAZARDOUS-1", "SR-HAZARDOUS-2")
def test_a_hazardous_weapon_is_tested_though_its_target_is_gone() -> None:
    """The last grunt falls; the 1 that follows destroys the firer all the same."""
    found = shoot({}, enemy("GRT"), 3, 3, 1, 1, by=us(gun("Hazardous")))
    assert (found.slain, found.removed("a1.1")) == (1, True)


@clause("CF-ASLT-18")
def test_a_model_without_weapon_skill_does_not_hammer() -> None:
    """It makes no attacks of its own, by its impact neither."""
    meek = us(weapon("blade"), stats={"WS": 0}, rules=["Hammer of Wrath"])
    assert fight({}, enemy("TRP"), by=meek, charged=True).json["refusal"]["clause"] == "CF-ASLT-18"


# markers


@clause("SR-BLAST-6", "SR-TEMPLATE-4")
@pytest.mark.parametrize("name", ["mortar", "flamer"])
def test_the_hits_of_all_shots_are_rolled_to_wound_together(name: str) -> None:
    """Two shots that cover two models each: four dice To Wound in one handful."""
    found = shoot(weapon(name, A=2, hits=2), enemy("GRT", 9), 1, 1, 1, 1, range=6)
    assert [(roll["purpose"], roll["faces"]) for roll in found.rolls] == [("wound", [1, 1, 1, 1])]


@clause("SR-TEMPLATE-3")
def test_a_template_ignores_cover_and_is_never_a_snap_shot() -> None:
    """Grunts without armour in cover have no save; who has Snap Shots alone does not fire it."""
    assert shoot(weapon("flamer"), enemy("GRT", stats={"Sv": "-"}), 3, range=6, cover=True).slain == 1
    shaken = us(weapon("flamer"), marks=["snap-shots"])
    assert shoot({}, enemy("GRT"), by=shaken, range=6).json["refusal"]["clause"] == "CF-SHOOT-4"


@clause("SR-BLAST-7")
def test_a_blast_is_never_a_snap_shot() -> None:
    """Who has gone to ground does not fire it."""
    assert shoot({}, enemy("GRT"), by=us(weapon("mortar"), marks=["gone-to-ground"])).verdict == "refused"


@clause("SR-BLAST-5", "CF-ALLOC-3")
def test_the_wounds_of_a_blast_find_models_out_of_range() -> None:
    """Two wounds of a marker that lay on two grunts, one of them beyond the mortar's range: both fall; a gun's would not."""
    mortar = us(weapon("mortar", range=24, hits=2), at=[(10, 20)])
    grunts = enemy("GRT", 2, at=[(34, 20), (36, 20)])
    assert attack([mortar, grunts], dice=[2, 2, 1, 1]).slain == 2
    assert attack([us(gun(A=2), at=[(10, 20)]), grunts], dice=[3, 3, 3, 3, 1]).slain == 1


# the law of a pool is that of its dice


def made(units: list[Json], **form: Any) -> Case:
    """An attack of ``a1`` on ``b1`` as it is resolved."""
    found = read_situation(decode(json.dumps({"edition": "compendium", "units": units}).encode(), CaseForm))
    play = Play(found.game, found.state, Oracle(EnteredDice(()), Defaults()))
    ready = prepare(Places(play, AttackForm(0, 1, "shooting", **form)), Policies({}), Policy())
    return replace(ready.assault, stops=False, chooser=None), ready.start, ready.muster


@clause("CF-DICE-13")
@pytest.mark.parametrize(
    "rules",
    [["Gets Hot"], ["Gets Hot", "Twin-linked"], ["Master-crafted"], ["Master-crafted", "Gets Hot"], ["Soul-leech", "Gets Hot"],
     ["Rapid Fire 1", "Rending"], ["Rapid Fire 1", "Deflagrate"], ["Hazardous", "Gets Hot"]],
)  # fmt: skip
def test_the_law_of_a_pool_is_every_fall_of_its_dice(rules: list[str]) -> None:
    """Two bearers, one nearer, one hurt: calculator and every path of the roller, as rationals."""
    firers = us(gun(*rules, S=8), n=2, at=[(10, 20), (2, 20)], stats={"W": 2, "CT": 2}, wounds=[1, 0])
    target = enemy("GRT", 2, at=[(21, 20), (22, 22)], stats={"Sv": "-"})
    case = made([firers, target])
    assert len(case[0].groups) == 1 and case[0].groups[0].fellows
    assert exact(case) == rolled(case)
