"""Melees of 2.21: steps, casualties at once, who won and what became of the loser, by scripted dice and by odds."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from rolloff.odds import odds_of, read_scenario
from rolloff.odds.scenarios import Scenario
from rolloff.oracle.roll import Roll
from rolloff.oracle.roller import Roller
from rolloff.rules.attack import FightResult
from tests.odds.scenes import Json, exchanged, joint_of, scene
from tests.odds.scenes import unit as squad
from tests.onepage.desk import box, unit
from tests.onepage221.desk import EDITION

clause = pytest.mark.clause
AXE = "Axe (A1)"


def melee(ours: Json, theirs: Json, **form: Any) -> Scenario:
    """Unit a assaults unit b."""
    return scene(ours, theirs, {"kind": "melee", **form}, edition=EDITION, exchange=True)


def fought(case: Scenario, dice: Sequence[int]) -> tuple[FightResult, list[Roll]]:
    """The melee with these dice, every one of them rolled, and its rolls."""
    left, rolls = list(dice), list[Roll]()

    def dice_roll(n: int, label: str, sides: int = 6) -> list[int]:
        return [left.pop(0) for _ in range(n)]

    exchange, first = case.strikes_back()
    clash = exchange(case.game, case.state, case.forms[first:], case.policies)(Roller(dice_roll, rolls.append))
    assert not left
    return clash, rolls


@clause(EDITION, "MELEE-16", "MELEE-14", "MELEE-21", "DICE-12")
def test_both_sides_strike_before_either_falls() -> None:
    """One against one: both hit, neither blocks, both fall, and it is a tie."""
    clash, rolls = fought(melee(squad(1, weapons=[AXE]), squad(1, weapons=[AXE])), [4, 3, 3, 4, 3])
    assert clash == FightResult(1, 1, 0, "none", "none")
    assert [(roll.purpose, len(roll.faces)) for roll in rolls] == [("hit", 2), ("block", 1), ("hit", 1), ("block", 1)]


@clause(EDITION, "MELEE-20", "MORALE-9")
def test_tv_d15_more_wounds_win() -> None:
    """Three wounds against one: the defender tests once, by Quality, and is Pinned with most of it left."""
    ours, theirs = (
        squad(3, quality=3, weapons=["Hand Weapon"]),
        squad(9, quality=4, weapons=[{"name": "Fist", "range": "melee", "A": 1}]),
    )
    dice = [3] * 3 + [2] * 6 + [3] * 3 + [4] + [3] * 8 + [2] + [3]
    clash, _ = fought(melee(ours, theirs), dice)
    assert clash == FightResult(3, 1, 1, "none", "pinned")


@clause(EDITION, "MORALE-10", "MORALE-9")
@pytest.mark.parametrize(("left", "word"), [(6, "pinned"), (5, "routed"), (4, "routed")])
def test_tv_r34_half_or_less_of_the_start_routs(left: int, word: str) -> None:
    """A unit that began with ten, lost one more and failed: Pinned with six left, gone with five or four."""
    theirs = squad(left + 1, quality=6, weapons=["Fists/Claws"], start_size=10)
    clash, _ = fought(melee(squad(1, quality=2, weapons=["Stick (A1)"]), theirs), [2, 1, 5] + [1] * (left + 1) + [5])
    assert (clash.kills, clash.theirs) == (1, word)


@clause(EDITION, "MORALE-10")
def test_a_single_model_is_pinned_and_never_routs() -> None:
    """A lone Tough model with one wound left that loses a melee is Pinned."""
    giant = squad(1, quality=4, rules=["Tough(3)"], wounds=1, weapons=[AXE])
    clash, _ = fought(melee(squad(1, quality=2, weapons=[AXE]), giant), [2, 1, 1, 1, 3])
    assert clash == FightResult(0, 0, 1, "none", "pinned")


@clause(EDITION, "MELEE-21")
@pytest.mark.parametrize("dice", [[1, 1, 1, 1], [4, 4, 3, 3, 4, 4, 3, 3]])
def test_tv_r36_equal_wounds_are_a_tie(dice: list[int]) -> None:
    """None at all, or two each: nobody tests, whatever fell."""
    ours, theirs = squad(1, weapons=[AXE], rules=["Tough(3)"]), squad(2, weapons=[AXE])
    clash, _ = fought(melee(ours, theirs), dice)
    assert (clash.edge, clash.ours, clash.theirs) == (0, "none", "none")


@clause(EDITION, "RES-11", "MELEE-23")
def test_wounds_beyond_the_last_model_count() -> None:
    """Three wounds on two defenders against two they caused: two fall on either side, and yet the assaulter has won."""
    ours, theirs = squad(3, quality=2, weapons=[AXE]), squad(2, quality=2, weapons=[AXE])
    clash, _ = fought(melee(ours, theirs, charged=False), [2, 2, 2, 1, 1, 1, 2, 2, 1, 1])
    assert clash == FightResult(2, 2, 1, "none", "none")


@clause(EDITION, "RULE-STRIKES-1", "MELEE-17")
def test_whoever_strikes_first_may_leave_nobody_to_strike() -> None:
    """A quick blade kills before the enemy's ordinary blow, which never comes."""
    clash, rolls = fought(melee(squad(1, weapons=["Blade (A1)"]), squad(1, weapons=["Dagger (A1, Strikes First)"])), [4, 3])
    assert clash == FightResult(0, 1, -1, "none", "none")
    assert len(rolls) == 2


@clause(EDITION, "MELEE-17")
def test_survivors_strike_with_the_weapons_that_were_named() -> None:
    """One of two axes falls to a quick dagger: the other, named too, still strikes in the ordinary step."""
    named = [["a.1", 0], ["a.2", 0]]
    theirs = squad(1, weapons=["Dagger (A1, Strikes First)"])
    clash, _ = fought(melee(squad(2, weapons=[AXE]), theirs, weapons=named, charged=False), [4, 3, 4, 3])
    assert (clash.kills, clash.losses) == (1, 1)


@clause(EDITION, "RULE-STRIKES-1", "MELEE-17")
def test_whoever_strikes_last_may_fall_before() -> None:
    """A slow hammer is not swung by a model that was killed in the ordinary step."""
    clash, _ = fought(melee(squad(1, weapons=[AXE]), squad(1, weapons=["Hammer (A3, Strikes Last)"])), [4, 1, 3])
    assert clash == FightResult(1, 0, 1, "none", "none")


@clause(EDITION, "RULE-STRIKES-2", "PIN-2")
@pytest.mark.parametrize(("ours", "theirs"), [(["pinned"], ["pinned"]), ([], ["pinned"])])
def test_tv_r38_what_both_have_both_ignore(ours: list[str], theirs: list[str]) -> None:
    """Both Pinned: both strike in the ordinary step. One Pinned: it falls before it strikes."""
    a, b = squad(1, weapons=[AXE], marks=ours), squad(1, weapons=[AXE], marks=theirs)
    both = ours == theirs
    clash, _ = fought(melee(a, b), [4, 1, 3] + ([4, 3] if both else []))
    assert (clash.kills, clash.losses) == (1, int(both))


@clause(EDITION, "RULE-STRIKES-2")
def test_a_weapon_on_each_side_is_enough_to_cancel() -> None:
    """A quick weapon on either side voids all quickness: everything is ordinary."""
    ours = squad(1, weapons=["Dagger (A1, Strikes First)", AXE])
    theirs = squad(1, weapons=["Dagger (A1, Strikes First)"])
    _, rolls = fought(melee(ours, theirs, charged=False), [1, 1, 1])
    assert [len(roll.faces) for roll in rolls] == [1, 1, 1]
    clash, _ = fought(melee(ours, theirs, charged=False), [4, 3, 1, 4, 3])
    assert (clash.kills, clash.losses) == (1, 1)


@clause(EDITION, "RULE-STRIKES-3")
@pytest.mark.parametrize(
    ("weapon", "rules", "marks", "survives"),
    [
        ("Dagger (A1, Strikes First)", [], ["pinned"], True),
        (AXE, ["Strikes First"], ["pinned"], True),
        (AXE, [], ["pinned"], False),
        ("Hammer (A1, Strikes Last)", ["Strikes First"], [], True),
        ("Hammer (A1, Strikes Last)", [], [], False),
    ],
)
def test_a_weapon_against_its_unit_is_ordinary(weapon: str, rules: list[str], marks: list[str], survives: bool) -> None:
    """First and Last on one unit, or on a weapon and its unit, cancel: the blow is struck in the ordinary step."""
    theirs = squad(1, weapons=[weapon], rules=rules, marks=marks)
    clash, _ = fought(melee(squad(1, weapons=[AXE]), theirs), [4, 1, 3] + ([4, 3] if survives else []))
    assert (clash.kills, clash.losses) == (1, int(survives))


@clause(EDITION, "RULE-STRIKES-3", "MELEE-17")
def test_a_weapon_rule_is_that_weapon_alone() -> None:
    """Of a dagger and an axe only the dagger strikes first; the axe falls with its bearer's death in the ordinary step."""
    theirs = squad(1, weapons=["Dagger (A1, Strikes First)", AXE])
    clash, rolls = fought(melee(squad(1, weapons=[AXE]), theirs), [1, 4, 1, 3, 4, 3])
    assert (clash.kills, clash.losses) == (1, 1)
    assert [len(roll.faces) for roll in rolls] == [1, 2, 1, 1, 1]


@clause(EDITION, "RULE-FEAR-1", "RULE-FEAR-2", "MELEE-8", "TYPE-MON-1")
@pytest.mark.parametrize(("die", "late"), [(3, True), (4, False)])
def test_who_fails_its_test_of_fear_strikes_last(die: int, late: bool) -> None:
    """Before any strike the assaulter faces a monster: failed, it strikes last; it is not Pinned by that."""
    monster = squad(1, quality=2, type="monster", weapons=["Claw (A2)"], rules=["Tough(2)"])
    rest = [2, 2, 1, 1] if late else [1, 1, 2, 2, 1, 1]
    clash, rolls = fought(melee(squad(1, weapons=[AXE]), monster), [die, *rest])
    assert clash == FightResult(0, 1, -1, "none", "none") and rolls[0].purpose == "morale"


@clause(EDITION, "RULE-FEARLESS-1")
def test_fearless_helps_against_fear() -> None:
    """A test of fear keeps the better of two dice too."""
    monster = squad(1, quality=2, type="monster", rules=["Tough(2)"])
    clash, rolls = fought(melee(squad(1, weapons=[AXE], rules=["Fearless"]), monster), [1, 5, 1, 1, 1])
    assert rolls[0].faces == (1, 5) and clash.edge == 0


@clause(EDITION, "ELEV-3")
def test_tv_r69_whoever_stands_higher_strikes_first() -> None:
    """A unit assaults one three inches higher: the target strikes first."""
    hill = box("t1", 30, 10, 40, 20, "elevation", elevation=3, height=3)
    ours, theirs = unit("a", "A", [(35, 20.6)], weapons=[AXE]), unit("b", "B", [(35, 19.4)], weapons=[AXE])
    clash, rolls = fought(_placed([ours, theirs], [hill]), [4, 3])
    assert clash.losses == 1 and len(rolls) == 2
    clash, _ = fought(_placed([{**ours, "id": "a"}, theirs], []), [1, 1, 4, 3])
    assert clash.losses == 1


def _placed(units: list[Json], terrain: list[Json]) -> Scenario:
    """The same on a table."""
    table = {"size": [72, 48], "terrain": terrain}
    form = {"attacker": "a", "target": "b", "kind": "melee"}
    written = {"edition": EDITION, "table": table, "units": units, "attacks": [form], "exchange": True}
    return read_scenario(json.dumps(written).encode())


@clause(EDITION, "TYPE-VEH-2", "TYPE-VEH-9", "MELEE-19", "WPN-3", "MELEE-11")
def test_a_vehicle_assaults_with_automatic_hits_first() -> None:
    """D6 hits without a to-hit roll, then the default weapon with the bonus of the assault."""
    tank = squad(1, quality=4, type="vehicle", rules=["Tough(6)"], weapons=['Gun (24", A3)'])
    case = melee(tank, squad(5, quality=4, weapons=["Fists/Claws"]))
    clash, rolls = fought(case, [2, 3, 4, 1, 1, 1, 1, 1, 1, 1, 4])
    assert [(roll.purpose, len(roll.faces)) for roll in rolls[:3]] == [("attacks", 1), ("block", 2), ("hit", 2)]
    assert (clash.kills, clash.theirs) == (1, "passed")


@clause(EDITION, "RULE-STRIKES-3", "TYPE-VEH-2")
def test_automatic_hits_come_late_with_a_late_unit() -> None:
    """A Pinned vehicle's automatic hits fall into the last step."""
    tank = squad(1, quality=4, type="vehicle", rules=["Tough(6)"], marks=["pinned"])
    _, rolls = fought(melee(tank, squad(1, quality=4, weapons=[AXE])), [1, 1, 4, 1, 1])
    assert [roll.purpose for roll in rolls] == ["hit", "attacks", "block", "hit"]


@clause(EDITION, "VDMG-12", "VDMG-6", "VDMG-8")
def test_a_vehicle_shaken_by_quick_strikes_strikes_shaken() -> None:
    """In the first step it is wounded and Shaken; in the ordinary step its hits are rolled again."""
    tank = squad(1, quality=4, type="vehicle", rules=["Tough(6)"], weapons=[AXE])
    ours = squad(1, quality=2, weapons=["Lance (A1, Strikes First, Piercing)"])
    clash, rolls = fought(melee(ours, tank, charged=False), [2, 1, 3, 4, 1, 3])
    assert clash.edge == 1
    assert rolls[-2].rerolls == ((0, 1),)


@clause(EDITION, "RULE-HATRED-1", "JOIN-5")
@pytest.mark.parametrize(("charged", "again"), [(True, True), (False, False)])
def test_hatred_throws_failures_again_in_an_assault(charged: bool, again: bool) -> None:
    """The one model with Hatred rolls its failed dice again, if it assaults; its fellow does not."""
    ours = squad([{"rules": ["Hatred"]}, {}], weapons=["Axe (A2)"])
    case = scene(ours, squad(9, quality=2), {"kind": "melee", "charged": charged}, edition=EDITION)
    dice = Counter(len(roll.faces) for roll in _rolls(case))
    assert dice == (Counter({3: 2}) if again else Counter({4: 1}))


def _rolls(case: Scenario) -> list[Roll]:
    """The to-hit rolls of one side's strikes when every die shows a one."""
    rolls: list[Roll] = []
    plan = case.plan(0, case.state)
    Roller(lambda n, label, sides=6: [1] * n, rolls.append).volley(plan.volleys, plan.target, plan.start)
    return [roll for roll in rolls if roll.purpose == "hit"]


CASES: dict[str, tuple[Json, Json, Json]] = {
    "plain": (squad(1, weapons=[AXE]), squad(2, weapons=[AXE]), {"charged": False}),
    "quick": (squad(1, weapons=[AXE]), squad(1, weapons=["Dagger (A1, Strikes First)"]), {}),
    "two steps": (squad(1, weapons=["Dagger (A1, Strikes First)", "Maul (A1, Strikes Last)"]), squad(1), {"charged": False}),
    "fear": (squad(1, weapons=[AXE]), squad(1, rules=["Fear"], weapons=[AXE]), {"charged": False}),
    "a tank": (
        squad(1, quality=3, weapons=["Lance (A1, Piercing)"]),
        squad(1, quality=5, type="vehicle", rules=["Tough(2)"], marks=["immobile"]),
        {"charged": False},
    ),
}


@clause(EDITION, "MELEE-16", "MELEE-17", "MELEE-20", "MELEE-21")
@pytest.mark.parametrize("name", CASES)
def test_the_odds_of_a_melee_are_those_of_its_dice(name: str) -> None:
    """Strikes in steps, result and morale: the joint law is that of every fall of the dice."""
    ours, theirs, form = CASES[name]
    case = melee(ours, theirs, **form)
    found = odds_of(case, exact=True).exchange
    law = exchanged(case)
    assert found is not None
    assert found.joint == joint_of(law)
    for words, side in ((found.morale_a, "ours"), (found.morale_b, "theirs")):
        report: dict[str, Fraction] = {}
        for clash, chance in law.items():
            report[getattr(clash, side)] = report.get(getattr(clash, side), Fraction(0)) + chance
        assert {word: chance for word, chance in words.items() if chance} == report
    assert found.win == sum(chance for clash, chance in law.items() if clash.edge > 0)
