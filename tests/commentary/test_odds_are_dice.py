"""Odds equal the dice: for every ability, every pair and many larger sets, the exact law is that of every die path.

Only the roller is enumerated, with scripted dice; probabilities are compared as fractions.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from rolloff.editions.commentary.abilities import SPECIALS
from rolloff.editions.commentary.ability import BEARER
from rolloff.editions.commentary.attack import POLICIES
from rolloff.editions.commentary.matchup import FAILURES, FISHING
from rolloff.oracle.calculator import Calculator
from rolloff.table.profile import Rule
from tests.commentary.matchups import TooMany, built, computed, enumerated, kinds_of, matchup, pairs, played, tried

OF_DAMAGE = ("Damage", "Melta", "Re-roll Damage", "Devastating Wounds", "Precision")


def same(rules: tuple[Rule, ...], rerolls: str = FAILURES, most: int = 1_000_000, **weapon: Any) -> None:
    """Every die path, with questions asked on the way or settled beforehand, against the plan for odds."""
    exact = computed(built(rules, rerolls, **weapon), {}, Calculator(exact=True))
    assert exact == enumerated(built(rules, rerolls, asked=True, **weapon), {}, most), rules
    assert sum(exact.values()) == 1


@pytest.mark.parametrize("rule", tried(), ids=str)
def test_every_ability_alone(rule: Rule) -> None:
    """One ability on one attack, with every rating it may be tried with; random Damage where it matters."""
    same((rule,))
    if SPECIALS[rule.name].part == BEARER or rule.name in OF_DAMAGE:
        same((rule,), D="D3")


@pytest.mark.parametrize("name", sorted({rule.name for rule in tried()}))
def test_every_pair_of_abilities(name: str) -> None:
    """Each ability with every other that can stand on the same attack."""
    for pair in pairs():
        if pair[0].name == name:
            same(pair)


def some_rules(seed: int) -> tuple[Rule, ...]:
    """Three to six different abilities that can stand on one attack."""
    luck = random.Random(seed)
    while True:
        rules = luck.sample(tried(), luck.randint(3, 6))
        if len({rule.name for rule in rules}) == len(rules) and kinds_of(*rules):
            return tuple(rules)


@pytest.mark.parametrize("seed", range(60))
def test_larger_sets_of_abilities(seed: int) -> None:
    """Random larger sets, under either policy for re-rolls; sets with too many paths make room for the next."""
    for more in range(10):
        try:
            same(some_rules(1000 * seed + more), (FAILURES, FISHING)[seed % 2], most=6_000)
        except TooMany:
            continue
        return
    pytest.fail("no set was small enough")


BY_CHOICE = frozenset({"Echo Parry", "Echo Strike"})
"""What a player may spend once a battle when dice have fallen: odds are those of the attack without it."""


def first_ratings() -> list[Rule]:
    """Every ability with the first rating it may be tried with, but for those that are a player's choice."""
    return [rule for rule in tried() if rule.rating == SPECIALS[rule.name].samples[0] and rule.name not in BY_CHOICE]


@pytest.mark.parametrize("rule", first_ratings(), ids=str)
def test_odds_are_those_of_play(rule: Rule) -> None:
    """The whole attack in play, to the state it leaves, comes out as the plan for odds says."""
    case = matchup((rule,))
    assert played(case) == computed(built((rule,)), {}, Calculator(exact=True))


@pytest.mark.parametrize("precision", POLICIES["precision"])
def test_policies_of_precision(precision: str) -> None:
    """Precise wounds and mortal wounds go where the policy says, in odds as in dice."""
    rules = (Rule("Precision"), Rule("Devastating Wounds"), Rule("Critical Wounds", 5))
    policies = {"precision": precision}
    for asked in (False, True):
        dice = enumerated(built(rules, asked=asked), policies)
        assert dice == computed(built(rules), policies, Calculator(exact=True))


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(400))
def test_many_larger_sets(seed: int) -> None:
    """Larger sets with more paths than a quick run can afford."""
    try:
        same(some_rules(500_000 + seed), (FAILURES, FISHING)[seed % 2], most=200_000)
    except TooMany:
        pytest.skip("too many die paths")


@pytest.mark.soak
@pytest.mark.parametrize("rule", tried(), ids=str)
def test_every_rating_with_every_other(rule: Rule) -> None:
    """Each ability at each rating with every other at each of its ratings."""
    for other in tried():
        if other.name > rule.name and kinds_of(rule, other):
            try:
                same((rule, other), most=50_000)
            except TooMany:
                continue
