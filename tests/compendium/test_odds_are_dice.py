"""Odds equal dice: the calculator against every way the roller's dice can fall, as rationals, for rules in company.

The cases come from the registry (`cases`), so a new rule joins by existing. Where an attack would open more paths than there
is time for, the same rules meet a target that falls at once; the soak leaves no case out.
"""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import islice
from math import sqrt

import pytest
from msgspec.structs import replace

from rolloff.editions.compendium.gathering import nameless
from rolloff.editions.compendium.resolve import SUMS, resolve
from rolloff.oracle.calculator import Calculator
from rolloff.oracle.dice import SeededDice, seed_bytes
from rolloff.oracle.roller import Roller
from rolloff.table.profile import Rule
from tests.compendium.cases import TRIED, exact, key_of, kinds_of, pairs, ready, rolled, samples, targets_of
from tests.compendium.desk import clause
from tests.oracle.brute import TooMany

MOST_PATHS, MOST_FRAIL = 800, 20_000
PARTS = 12
SIGMAS = 7.0
"""A count this far off its mean happens by chance less than once in 10^11; with some thousand counts a false alarm is rarer
than one run in 10^7."""


def agree(rules: tuple[Rule, ...], kind: str, vehicle: bool, seen: set[object], limit: int | None = MOST_PATHS) -> bool:
    """Compare both laws of a case, or of its frail twin if it is too big; False if even that is."""
    for frail in (False, True):
        case = ready(rules, kind, vehicle, frail=frail)
        limit = MOST_FRAIL if frail and limit is not None else limit
        key = key_of(case)
        if key in seen:
            return True
        try:
            found = rolled(case, limit)
        except TooMany:
            continue
        seen.add(key)
        assert exact(case) == found, (kind, vehicle, frail, [str(rule) for rule in rules])
        return True
    return False


@clause("CF-DICE-13")
@pytest.mark.parametrize("name", TRIED)
def test_every_rule_alone(name: str) -> None:
    """A rule by itself, with every rating, in every kind of attack it takes part in, on flesh and on a vehicle."""
    seen: set[object] = set()
    for rule in samples([name]):
        for kind in kinds_of([rule]):
            for vehicle in targets_of([rule]):
                assert agree((rule,), kind, vehicle, seen, None)


@pytest.mark.parametrize("part", range(PARTS))
def test_every_pair_of_rules(part: int) -> None:
    """All pairs of rules that can stand on one attack, on flesh or on a vehicle by turns."""
    seen: set[object] = set()
    for at, pair in islice(enumerate(pairs()), part, None, PARTS):
        kinds, targets = kinds_of(pair), targets_of(pair)
        turn = at // PARTS
        assert agree(pair, kinds[turn % len(kinds)], targets[turn // 2 % len(targets)], seen), pair


def drawn(seed: int, most: int) -> tuple[Rule, ...]:
    """Some rules drawn at random that can stand on one attack."""
    dice = random.Random(seed)
    while True:
        rules = tuple(dice.sample(samples(), dice.randint(3, most)))
        if kinds_of(rules) and len({rule.name for rule in rules}) == len(rules):
            return rules


@pytest.mark.parametrize("part", range(4))
def test_larger_sets_of_rules(part: int) -> None:
    """Three to eight rules at once, drawn at random."""
    tried = 0
    for seed in range(part, 80, 4):
        rules = drawn(seed, 8)
        kinds, targets = kinds_of(rules), targets_of(rules)
        tried += agree(rules, kinds[seed % len(kinds)], targets[seed // 4 % len(targets)], set())
    assert tried > 10


def test_two_attacks_with_a_master_crafted_weapon_that_gets_hot() -> None:
    """Which failed die is rolled again matters when ones burn: the law of two attacks is the dice's."""
    case = ready((Rule("Master-crafted"), Rule("Gets Hot")), "shooting", False, attacks=2, frail=True)
    assert exact(case) == rolled(case)


def test_the_quick_lane_and_the_step_tell_the_same() -> None:
    """The volleys of a plain event, folded, give the law of the event in direct style."""
    for rule in samples():
        for kind in kinds_of([rule]):
            for vehicle in targets_of([rule]):
                assault, start, _ = ready((rule,), kind, vehicle, attacks=2)
                assault = replace(assault, groups=nameless(assault.groups))
                if assault.plain:
                    folded = Calculator(exact=True).after(assault.volleys(), assault.target, start)
                    direct = Calculator(exact=True).law(resolve, assault, start, None).map(lambda spent: spent.state)
                    assert dict(folded) == dict(direct), (str(rule), kind, vehicle)


def test_laws_sum_to_one() -> None:
    """Every law of floats sums to 1 within 1e-12 and has no negative entry."""
    for rule in samples():
        for kind in kinds_of([rule]):
            case = ready((rule,), kind, False, attacks=4)
            law = Calculator().law(resolve, *case)
            assert abs(float(law.total()) - 1) < 1e-12
            assert min(law.values()) > 0


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
def test_soak_every_pair_everywhere(part: int) -> None:
    """All pairs in every kind of attack on both kinds of targets, however many paths there are."""
    seen: set[object] = set()
    for pair in islice(pairs(), part, None, PARTS):
        for kind in kinds_of(pair):
            for vehicle in targets_of(pair):
                assert agree(pair, kind, vehicle, seen, 400_000)


@pytest.mark.soak
@pytest.mark.parametrize("name", TRIED)
def test_soak_two_attacks(name: str) -> None:
    """Every rule with two attacks and rolled Damage."""
    rule = samples([name])[0]
    for kind in kinds_of([rule]):
        for vehicle in targets_of([rule]):
            case = ready((rule,), kind, vehicle, attacks=2, damage="D3", frail=True)
            try:
                found = rolled(case, 600_000)
            except TooMany:
                continue
            assert exact(case) == found


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1000, 1010))
def test_soak_frequencies(seed: int) -> None:
    """200,000 attacks with eight rules at once fall as the odds say, each result within SIGMAS of its mean."""
    rules = drawn(seed, 8)
    case = ready(rules, kinds_of(rules)[0], False, attacks=3)
    law = exact(case)
    dice = SeededDice(seed_bytes(seed))
    n = 200_000
    seen = Counter(resolve(Roller(dice.faces, to_the_end=True), *case, SUMS) for _ in range(n))
    assert set(seen) <= set(law)
    for result, chance in law.items():
        mean, spread = n * float(chance), sqrt(n * float(chance * (1 - chance)))
        assert abs(seen[result] - mean) <= SIGMAS * spread + 20, (result, seen[result], mean)
    assert sum(law.values()) == Fraction(1)
