"""The initiative sequence: groups, a second to-hit number, harm to the firer, armour rolls against a hull."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from msgspec import Struct

from rolloff.oracle.calculator import Calculator
from rolloff.oracle.dice import EnteredDice
from rolloff.oracle.draft import Draft, Reroll
from rolloff.oracle.flow import BLOCKED, DAMAGE, HITS, UNSAVED, WASTED, WOUNDS, Exit, Flow, Harm, Volley, Wound, harm_of
from rolloff.oracle.roll import Dice, Spent
from rolloff.oracle.roller import Roller
from rolloff.oracle.stage import Keep, Stage, check, number, table
from rolloff.oracle.target import Ladder, Rung, Target
from tests.oracle.brute import every_path, shot
from tests.oracle.pipelines import D3, Armour, group_flow

GRUNTS = Ladder((Rung(1, 3, guard=Armour(5)),))
TROOPER = Ladder((Rung(1, guard=Armour(3)),))
BEASTS = Ladder((Rung(3, 2, guard=Armour(4), shrug=check("feel no pain", 5)),), shrug_whole=True)

RULES: dict[str, Any] = {
    "second_hit": 5,
    "hot": True,
    "ap": -1,
    "damage": 2,
    "rending": True,
    "breaching": True,
    "preferred": True,
}


@pytest.fixture(scope="module")
def exact() -> Calculator:
    """A calculator of rationals."""
    return Calculator(exact=True)


def risky(dice: Dice, volleys: tuple[Volley, ...], target: Ladder) -> tuple[int, int | None, tuple[int, ...]]:
    """Shots that may burn the firer: both states and the counts."""
    spent = dice.volley(volleys, target, 0, HITS, WOUNDS, UNSAVED, firer=TROOPER, firer_state=0)
    return spent.state, spent.firer, spent.counts


@pytest.mark.parametrize("names", [(), *combinations(RULES, 1), *combinations(RULES, 2)], ids="+".join)
def test_every_pair_of_rules_equals_every_die(exact: Calculator, names: tuple[str, ...]) -> None:
    """One shot with any pair of rules: target, firer and counts together are what every path gives."""
    volley = (Volley(group_flow(**{name: RULES[name] for name in names})),)
    assert dict(exact.law(risky, volley, GRUNTS)) == every_path(risky, volley, GRUNTS)
    tallies = (BLOCKED, DAMAGE, WASTED)
    assert dict(exact.law(shot, volley, BEASTS, 1, tallies)) == every_path(shot, volley, BEASTS, 1, tallies)


@pytest.mark.parametrize("rules", [{"rending": True}, {"breaching": True}, {"rending": True, "breaching": True}])
def test_two_hits_of_two_kinds_keep_the_order_of_their_dice(exact: Calculator, rules: dict[str, Any]) -> None:
    """Wounds that differ are borne in the order of the attacks, so that a mixed unit ends as by every path."""
    flow = Flow(group_flow(damage=2, **rules).stages, start="wound")
    unit = Ladder((Rung(1, 1, guard=Armour(6)), Rung(3, 1, guard=Armour(2))))
    volley = (Volley(flow, 2),)
    assert dict(exact.law(shot, volley, unit, 0, (WASTED,))) == every_path(shot, volley, unit, 0, (WASTED,))
    assert dict(exact.law(shot, volley, unit, 0, ())) == every_path(shot, volley, unit, 0, ())


def test_a_miss_of_a_marksman_is_thrown_again_at_another_number(exact: Calculator) -> None:
    """Skill seven: 2+ to hit, and a miss is rolled again needing 5+."""
    hits = exact.spread(Volley(group_flow(2, second_hit=5)), HITS)
    assert hits[1] == Fraction(5, 6) + Fraction(1, 6) * Fraction(1, 3)


def test_a_hot_weapon_burns_at_once_and_the_other_shot_still_counts() -> None:
    """The firer's save follows the to-hit dice, before any wound is rolled."""
    labels: list[str] = []
    dice = EnteredDice([1, 4, 2, 5, 1])

    def source(n: int, label: str, sides: int = 6) -> list[int]:
        labels.append(label)
        return dice.faces(n, label)

    volley = (Volley(group_flow(hot=True), 2),)
    assert risky(Roller(source), volley, GRUNTS) == (1, 1, (1, 1, 2))
    assert labels == ["hit", "save", "wound", "save"]


def test_a_mortal_wound_comes_after_the_group(exact: Calculator) -> None:
    """Two hits on five grunts, a six among the wounds: two fall to wounds and a third to the mortal wound."""
    grunts = Ladder((Rung(1, 5, guard=Armour(5)),))
    volley = Volley(group_flow(3, 3, rending=True), 2)
    dice = EnteredDice([4, 5, 6, 3, 2, 1])
    assert Roller(dice.faces).volley(volley, grunts, 0).state == 3


class Tank(Struct, Target[tuple[int, bool]], frozen=True, cache_hash=True):
    """A hull with armour in the rules' own words: state is hull points left and whether the crew is shaken."""

    armour: int
    points: int

    def gone(self, state: tuple[int, bool], /) -> bool:
        """Whether the hull is wrecked."""
        return state[0] <= 0

    def take(self, dice: Dice, state: tuple[int, bool], leaving: Exit, times: int = 1, /) -> tuple[int, bool]:
        """Lose hull points; a penetrating hit rolls on a table besides."""
        for _ in range(times):
            if self.gone(state):
                break
            harm = harm_of(leaving)
            damage = harm.damage if isinstance(harm.damage, int) else dice.ask(harm.damage)
            dice.note(UNSAVED)
            points, shaken = max(state[0] - damage, 0), state[1]
            if "penetrating" in harm.traits:
                result = dice.ask(TABLE)
                points, shaken = (0 if result == "explodes" else points), shaken or result == "shaken"
            state = (points, shaken)
        return state


TABLE: Stage[str] = table("vehicle damage", ("shaken", "shaken", "", "", "", "explodes"))


def armour_flow(strength: int, armour: int, *, ordnance: bool = False, lance: bool = False) -> Flow:
    """To hit, then the armour roll: less than the armour nothing, equal a glance, more a penetrating hit."""
    armour = min(armour, 13) if lance else armour
    glance, deep = Harm(D3), Harm(D3, ("penetrating",))
    hit = Draft("hit", 3, then=(HITS, "armour"))
    roll = Draft("armour", armour - strength, then=(glance,), dice=2 if ordnance else 1, keep=Keep.HIGHEST)
    for face in range(armour - strength + 1, 7):
        roll.react(face, become=(deep,))
    return Flow((hit.stage(), roll.stage()))


@pytest.mark.parametrize("ordnance", [False, True])
def test_armour_rolls_against_a_hull_equal_every_die(exact: Calculator, ordnance: bool) -> None:
    """A target of the rules' own, with glances, penetrating hits and a table: as by every path of the roller."""
    tank = Tank(13, 4)
    volley = (Volley(armour_flow(9, 13, ordnance=ordnance)),)
    for tallies in ((), (UNSAVED,)):
        law = dict(exact.law(shot, volley, tank, (4, False), tallies))
        assert law == every_path(shot, volley, tank, (4, False), tallies)


def test_two_dice_of_ordnance_use_the_higher(exact: Calculator) -> None:
    """Strength 8 against 14 in front: a two and a six make 14, which glances."""
    tank = Tank(14, 12)
    dice = EnteredDice([3, 2, 6, 6])
    spent: Spent[Any, Any] = Roller(dice.faces).volley(Volley(armour_flow(8, 14, ordnance=True)), tank, (12, False))
    assert spent.state == (9, False)


def deflagrate(dice: Dice, shots: Volley, unit: Ladder) -> int:
    """As many more hits as wounds went unsaved, once: totals read in direct style."""
    first: Spent[Any, Any] = dice.volley(shots, unit, 0, UNSAVED)
    flames = Flow((Draft("burn", 4, then=(Wound(Harm(), -1),)).stage(),))
    burnt: Spent[int, Any] = dice.volley(Volley(flames, first.counts[0]), unit, first.state)
    return burnt.state


def test_rules_that_read_totals_are_direct_style(exact: Calculator) -> None:
    """Extra hits equal to the unsaved wounds of a group: one more volley, exact all the same."""
    unit = Ladder((Rung(1, 4),))
    flow = Flow(group_flow().stages, start="wound")
    assert dict(exact.law(deflagrate, Volley(flow, 2), unit)) == every_path(deflagrate, Volley(flow, 2), unit)


def lucky(dice: Dice, unit: Ladder) -> int:
    """One failed hit of two may be rolled again, whichever: counts read first, one more die asked."""
    hit = Flow((Draft("hit", 4, then=(HITS,), otherwise=(WASTED,)).stage(),))
    hits, misses = dice.tallies(Volley(hit, 2), HITS, WASTED)
    if misses and dice.ask(check("hit>", 4)):
        hits += 1
    wounds = Flow((Draft("wound", 4, then=(Wound(Harm()),)).stage(),))
    return dice.volley(Volley(wounds, hits), unit, 0).state


def test_one_spare_reroll_among_many_dice(exact: Calculator) -> None:
    """A re-roll that any one failed die may take: counts of a flow without a target, then a single die."""
    bare = Ladder((Rung(1, 4),))
    assert dict(exact.law(lucky, bare)) == every_path(lucky, bare)


def test_rerolls_of_ones_and_of_failures_unite() -> None:
    """Two permissions cover what either covers, and a die is still rolled at most twice."""
    draft = Draft("wound", 5).reroll(Reroll.ONES).reroll(frozenset({2}))
    assert draft.check().chance() == Fraction(1, 3) + Fraction(1, 3) * Fraction(1, 3)


def raw(dice: Dice) -> str:
    """Three plain dice: a power that needs two of 4+, and what two sixes do to the caster."""
    faces = dice.faces(3, "power")
    done = sum(face >= 4 for face in faces) >= 2
    return f"{done} {dice.ask(number('backlash', sides=3)) if faces.count(6) >= 2 else 0}"


def test_raw_dice_may_be_read_as_they_lie(exact: Calculator) -> None:
    """Plain faces in order are asked of both evaluators alike."""
    assert dict(exact.law(raw)) == every_path(raw)
