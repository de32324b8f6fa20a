"""A fight kept joint: blows by Initiative step, result, Morale and Sweeping Advance, against dice and closed forms."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from rolloff.editions.compendium.edition import EDITION
from rolloff.odds.compute import odds_of
from rolloff.odds.results import ExchangeOdds
from rolloff.odds.scenarios import Scenario, read_scenario
from rolloff.odds.wire import odds_json
from rolloff.oracle.oracle import Defaults, Oracle
from rolloff.rules.attack import AttackForm
from rolloff.rules.play import Play
from tests.commentary.matchups import Rolled
from tests.compendium.desk import Json, clause, enemy, unit, weapon
from tests.oracle.brute import Odometer, every_path

F = Fraction
PLAIN: Json = {"WS": 4, "S": 4, "T": 4, "W": 1, "A": 1, "Ld": 7, "Sv": "-"}
"""4+ to hit, 4+ to wound, no save: a blow fells with 1/4."""
BLADE = [weapon("blade")]


def us(n: int = 1, *rules: str, initiative: int = 4, weapons: list[Json] | None = None, **stats: Any) -> Json:
    """The attacker ``a1``."""
    return unit("a1", "A", "TRP", n, weapons=weapons or BLADE, rules=rules, stats=PLAIN | {"I": initiative, **stats})


def them(n: int = 1, *rules: str, initiative: int = 4, weapons: list[Json] | None = None, **stats: Any) -> Json:
    """The target ``b1``."""
    return enemy("TRP", n, weapons=weapons or BLADE, rules=rules, stats=PLAIN | {"I": initiative, **stats})


def scene(
    attacker: Json, target: Json, *attacks: Json, more: tuple[Json, ...] = (), charged: bool = False, **rest: Any
) -> Scenario:
    """``a1`` in close combat with ``b1``, by default without a charge."""
    stated = {"attacker": "a1", "target": "b1", "kind": "melee", "charged": charged}
    forms = [{**stated, **attack} for attack in attacks or ({},)]
    units = [attacker, target, *more]
    given = {"edition": "compendium", "units": units, "attacks": forms, "exchange": True, **rest}
    return read_scenario(json.dumps(given).encode())


def exchange(case: Scenario) -> ExchangeOdds:
    """The exact odds of the exchange."""
    found = odds_of(case, exact=True).exchange
    assert found is not None
    return found


def by_dice(case: Scenario) -> dict[tuple[int, int], Fraction]:
    """Models felled on both sides over every fall of the dice of the roller."""
    step, _ = case.strikes_back()
    found: dict[tuple[int, int], Fraction] = {}
    for clash, chance in every_path(step(case.game, case.state, case.forms, case.policies), limit=200_000).items():
        found[clash.kills, clash.losses] = found.get((clash.kills, clash.losses), F(0)) + chance
    return found


def in_turn(case: Scenario) -> dict[tuple[int, int], Fraction]:
    """The same by play: all blows of ``a1``, then all of ``b1`` by who is left."""
    dice, found = Odometer(), dict[tuple[int, int], Fraction]()
    sizes = [len(case.state.units[k].living) for k in (0, 1)]
    while True:
        play = Play(case.game, case.state, Oracle(Rolled(dice), Defaults()))
        assert EDITION.sequence is not None
        EDITION.sequence.run(play, case.forms[0])
        if play.state.units[1].living:
            EDITION.sequence.run(play, AttackForm(1, 0, "melee", charged=False))
        key = sizes[1] - len(play.state.units[1].living), sizes[0] - len(play.state.units[0].living)
        found[key] = found.get(key, F(0)) + F(1, 6**dice.at)
        if not dice.turn():
            return found


@clause("CF-ASLT-5")
def test_blows_of_one_step_are_simultaneous() -> None:
    """At equal Initiative both may fall; the faster one strikes first, and who has fallen does not strike back."""
    even = exchange(scene(us(), them()))
    assert even.joint == {(0, 0): F(9, 16), (0, 1): F(3, 16), (1, 0): F(3, 16), (1, 1): F(1, 16)}
    fast = exchange(scene(us(initiative=5), them()))
    assert fast.joint == {(0, 0): F(9, 16), (0, 1): F(3, 16), (1, 0): F(1, 4)}
    slow = exchange(scene(us(initiative=3), them()))
    assert slow.joint == {(0, 0): F(9, 16), (0, 1): F(1, 4), (1, 0): F(3, 16)}


@clause("CF-ASLT-5")
def test_the_fight_is_that_of_play() -> None:
    """The quicker side strikes all its blows, then who is left of the other: as play rolls them one unit after the other."""
    case = scene(us(1, "Fearless", initiative=5), them(1, "Fearless", initiative=3))
    assert exchange(case).joint == in_turn(case) == by_dice(case)


@clause("CF-ASLT-8")
def test_the_charge_brings_its_bonus() -> None:
    """The charger has one attack more; the charged with Counter-attack too, and steps of one unit may differ."""
    assert (
        exchange(scene(us(initiative=5), them(weapons=[weapon("gun")], WS=0), charged=True)).joint[1, 0] == 1 - (F(1, 2)) ** 2
    )
    charged = exchange(scene(us(W=9, initiative=1), them(W=9), charged=True))
    countered = exchange(scene(us(W=9, initiative=1), them(1, "Counter-attack", W=9), charged=True))
    assert charged.win > charged.lose and countered.win == countered.lose
    heavy = scene(us(1, "Fearless", initiative=1), them(1, "Fearless", weapons=[weapon("blade", rules=["Unwieldy"])]))
    assert exchange(heavy).joint == by_dice(heavy) and exchange(heavy).joint[1, 1] == F(1, 16)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [("Soul-leech", ""), ("Gets Hot", ""), ("Hazardous", ""), ("Rending", "Concussive"), ("Deflagrate", ""),
     ("Master-crafted", "Reaping Blow"), ("Instant Death", "Devastating Wounds"), ("Extra Attacks", "")],
)  # fmt: skip
def test_rules_meet_in_a_fight(ours: str, theirs: str) -> None:
    """Whatever rules do to either side, the exchange is every fall of the dice."""
    blades = [[weapon("blade", rules=[name] if name else [])] for name in (ours, theirs)]
    hurt = [side | {"models": [{**side["models"][0], "wounds": 1}]} for side in (
        us(1, "Fearless", weapons=blades[0], W=2, WS=1), them(1, "Fearless", weapons=blades[1], W=2, WS=2)
    )]  # fmt: skip
    case = scene(hurt[0], hurt[1])
    found = exchange(case).joint
    assert found == by_dice(case)
    assert len(found) > 2


@clause("SR-CONCUSSIVE-2")
def test_the_concussed_strike_last() -> None:
    """Concussed before its step, a model strikes at step 1: after a slow enemy that would have struck after it."""
    maul = [weapon("blade", rules=["Concussive"])]
    fellow = unit("a2", "A", "TRP", weapons=BLADE, stats=PLAIN | {"I": 2}, joined="a1")
    slowed = exchange(scene(us(1, weapons=maul, initiative=5), them(initiative=4, W=2), more=(fellow,)))
    assert slowed.joint[1, 0] == F(1, 4) * F(1, 4)
    done = exchange(scene(us(1, weapons=maul, initiative=4), them(initiative=5, W=2)))
    assert done.joint[0, 1] == F(1, 4)  # who has struck does not strike again
    plain = exchange(scene(us(1, initiative=5), them(initiative=4, W=2), more=(fellow,)))
    assert plain.joint[1, 0] == F(1, 4) * F(3, 4) * F(1, 4)


@clause("CF-ASLT-9", "CF-ASLT-10", "CF-DICE-7")
def test_the_loser_tests_and_is_swept() -> None:
    """One wound more: Leadership 7 less 1, then a die and Initiative on both sides; equal is enough to catch."""
    found = exchange(scene(us(W=5), them(W=5)))
    lost = F(1, 4) * F(3, 4)
    failed = F(36 - 15, 36)
    caught = F(sum(one >= other for one, other in product(range(1, 7), repeat=2)), 36)
    assert (found.win, found.lose, found.tie) == (lost, lost, 1 - 2 * lost)
    assert found.rout_b == found.rout_a == lost * failed
    assert found.morale_b["swept"] == lost * failed * caught
    assert found.morale_b["falling-back"] == lost * failed * (1 - caught)
    assert found.morale_b["passed"] == lost * (1 - failed)


@clause("CF-DICE-7")
def test_a_double_one_always_passes() -> None:
    """However badly a fight is lost, a double 1 passes."""
    found = exchange(scene(us(1, W=9, A=1), them(W=9, Ld=1)))
    assert found.rout_b == F(1, 4) * F(3, 4) * F(35, 36)


@clause("SR-STUBBORN-1")
def test_stubborn() -> None:
    """A Stubborn loser tests at its full Leadership."""
    found = exchange(scene(us(W=5), them(1, "Stubborn", W=5)))
    assert found.rout_b == F(3, 16) * F(15, 36)


@clause("SR-FEARLESS-1", "SR-ZEALOT-1")
@pytest.mark.parametrize("rule", ["Fearless", "Zealot"])
def test_the_steadfast_pass(rule: str) -> None:
    """Fearless and Zealot units pass without rolling."""
    found = exchange(scene(us(W=5, WS=4), them(1, rule, W=5)))
    assert found.rout_b == 0 < found.morale_b["passed"]


@clause("SR-ATSKNF-3")
def test_who_knows_no_fear_is_not_swept() -> None:
    """Caught by a Sweeping Advance it stays in the fight; faster than the enemy it gets away all the same."""
    found = exchange(scene(us(W=5), them(1, "And They Shall Know No Fear", W=5)))
    assert not found.morale_b.get("swept")
    assert found.morale_b["falling-back"] == F(3, 16) * F(21, 36) * F(15, 36)


@clause("SR-WALKER-7", "SR-SLOW-AND-PURPOSEFUL-1")
def test_who_may_not_sweep() -> None:
    """A Walker that is stunned, and the Slow and Purposeful, let the loser go."""
    walker = unit("a1", "A", "WLK", weapons=[weapon("blade", AP=-5)], stats={"I": 5})
    still = {**walker, "models": [{**walker["models"][0], "marks": ["stunned"]}]}
    assert exchange(scene(walker, them(2))).morale_b["swept"] > 0
    assert not exchange(scene(still, them(2))).morale_b.get("swept")
    assert not exchange(scene(us(1, "Slow and Purposeful"), them(2))).morale_b.get("swept")


def test_an_exchange_says_whether_it_is_a_charge() -> None:
    """Unsaid it is one; the output tells."""
    for said, counts in (({}, True), ({"charged": True}, True), ({"charged": False}, False)):
        attack = {"attacker": "a1", "target": "b1", "kind": "melee", **said}
        given = {"edition": "compendium", "units": [us(), them()], "attacks": [attack], "exchange": True}
        report = odds_json(odds_of(read_scenario(json.dumps(given).encode())))
        assert report["exchange"]["charged"] is counts


@clause("SR-CRUSADER-2")
def test_crusaders_run_faster() -> None:
    """A Crusader adds a D3 to its Sweeping Advance."""
    found = exchange(scene(us(1, "Crusader", W=5), them(W=5)))
    caught = F(sum(one + more >= other for one, other in product(range(1, 7), repeat=2) for more in (1, 2, 3)), 108)
    assert found.morale_b["swept"] == F(3, 16) * F(21, 36) * caught


def test_the_slow_do_not_sweep() -> None:
    """Slow and Purposeful winners let the loser go."""
    found = exchange(scene(us(1, "Slow and Purposeful", W=5), them(W=5)))
    assert not found.morale_b.get("swept") and found.rout_b > 0


@clause("SR-FEAR-1", "SR-FEAR-2")
def test_fear_makes_clumsy() -> None:
    """Who fails its test against Fear has WS 1: it hits on 5+ and is hit on 3+; who knows no fear does not test."""
    found = exchange(scene(us(1, "Fear"), them()))
    afraid = F(15, 36)
    felled = (1 - afraid) * F(1, 4) + afraid * F(2, 3) * F(1, 2)
    assert found.joint[1, 0] + found.joint[1, 1] == felled
    lost = (1 - afraid) * F(1, 4) + afraid * F(1, 3) * F(1, 2)
    assert found.joint[0, 1] + found.joint[1, 1] == lost
    brave = exchange(scene(us(1, "Fear"), them(1, "Fearless")))
    assert brave.joint[1, 0] == F(3, 16)


@clause("CF-VEH-13")
def test_a_vehicle_that_never_locks_strikes_no_blows() -> None:
    """There is no result against such a vehicle; a Walker fights at its Initiative and needs no Leadership."""
    tank = exchange(scene(us(weapons=[weapon("blade", S=10)]), enemy("APC")))
    assert {losses for _, losses in tank.joint} == {0} and tank.tie == 1
    walker = exchange(scene(us(1, WS=4, S=6), enemy("WLK", weapons=BLADE)))
    assert walker.joint[0, 1] > 0 and walker.lose > 0 and walker.rout_b == 0


def test_a_walker_may_lose_what_it_strikes_with() -> None:
    """A destroyed weapon is not used in close combat; bare hands are left."""
    armed = enemy("WLK", weapons=[weapon("blade", S="Userx2", AP=-4)], stats={"S": 3})
    armed["models"][0]["marks"] = ["lost:0"]
    whole = enemy("WLK", weapons=[weapon("blade", S="Userx2", AP=-4)], stats={"S": 3})
    assert exchange(scene(us(Sv="3+"), armed)).joint[0, 1] < exchange(scene(us(Sv="3+"), whole)).joint[0, 1]


def test_any_weapon_of_a_walker_may_be_destroyed() -> None:
    """Which weapon a Walker loses to a blow is drawn: what it strikes back with is every fall of the dice."""
    arms = [weapon("blade", S=9), weapon("gun")]
    walker = enemy("WLK", weapons=arms, stats={"I": 1, "A": 1, "HP": 9, "AV": [10, 10, 10]})
    case = scene(us(1, "Fearless", initiative=5, weapons=[weapon("blade", S=10, AP=-3)]), walker)
    assert exchange(case).joint == by_dice(case)


def test_shots_before_the_fight_count() -> None:
    """Shots of another unit come first: the fight begins with what they left."""
    gunner = unit("a2", "A", "TRP", weapons=[weapon("gun", S=4)])
    shot = {"attacker": "a2", "kind": "shooting", "range": 12, "visible": True, "charged": None}
    found = exchange(scene(us(), them(2), shot, {}, more=(gunner,)))
    felled = F(2, 3) * F(1, 2)
    assert found.joint[0, 0] == felled * F(9, 16) + (1 - felled) * F(3, 4) ** 3
