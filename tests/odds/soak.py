"""Frequencies against odds: ``python -m tests.odds.soak --attacks 200000 --seed 1 --jobs 2``.

For every edition that resolves attacks: so many attacks rolled with seeded dice, over cases made of its registry of rules (each
rule by itself, and larger sets), held against the exact odds of each case. A result whose count is too far from its mean is an
alarm. By Chernoff's bound the chance of a count x of n at chance p or beyond is at most exp(-n KL(x/n, p)); the limit is set so
that all counts of a whole run together give a false alarm at most once in a million runs.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import suppress
from math import log
from multiprocessing import get_context
from typing import Any, NamedTuple

from rolloff.editions import registry
from rolloff.editions.commentary.attack import company_of, policy_of, volleys_of
from rolloff.editions.compendium.resolve import SUMS, resolve
from rolloff.errors import RolloffError
from rolloff.oracle.calculator import Calculator
from rolloff.oracle.dice import SeededDice, seed_bytes
from rolloff.oracle.flow import ATTACKS, BLOCKED, HITS, WOUNDS
from rolloff.oracle.roll import Dice
from rolloff.oracle.roller import Roller
from tests.commentary import matchups as commentary
from tests.compendium import cases as compendium
from tests.odds import test_onepage as onepage

FALSE_ALARMS = 1e-6
"""The chance that a whole run alarms although every die is fair and every law right."""
LARGER = 12
"""Larger sets of rules for each edition."""
COUNTS = (ATTACKS, HITS, WOUNDS, BLOCKED)


class Case(NamedTuple):
    """One attack: how it is rolled, and the exact chance of everything that may come of it."""

    name: str
    rolled: Callable[[Dice], Hashable]
    law: Mapping[Any, Any]


# the cases of each kind of edition


def _onepage(edition: str, rules: tuple[tuple[str, str], ...], kind: str) -> Case:
    scenario = onepage._one(*rules, kind=kind, attacks=4, edition=edition)
    plan = scenario.plan(0, scenario.state)

    def step(dice: Dice) -> Hashable:
        if plan.step is not None:
            spent = plan.step(dice, plan.start, COUNTS)
        else:
            spent = dice.volley(plan.volleys, plan.target, plan.start, *COUNTS)
        word = None if plan.after is None else plan.after(dice, plan.start, spent.state)
        return spent.state, spent.counts, word

    return Case(f"{edition} {kind} {_names(rules)}", step, Calculator().law(step))


def _family(edition: str, luck: random.Random) -> Iterator[Case]:
    """One Page and its relatives: rules on the weapon, on whoever strikes, on the target."""
    places = onepage.PLACES[edition]
    for rule in places:
        for kind in ("shooting", "melee"):
            with suppress(RolloffError):
                yield _onepage(edition, (rule,), kind)
    for _ in range(LARGER):
        yield _drawn(lambda: _onepage(edition, tuple(luck.sample(places, 4)), luck.choice(("shooting", "melee"))))


def _commentary(rules: tuple[Any, ...]) -> Case:
    """Rolled model by model with questions settled as they come; the law is that of the plan for odds."""
    attack = commentary.built(rules, asked=True, A=2)
    company = company_of(attack, policy_of({}))
    volleys, start = volleys_of(attack, rolled=True), company.start(attack.touched)
    law = commentary.computed(commentary.built(rules, A=2), {}, Calculator())
    return Case(f"commentary-10 {_names(rules)}", lambda dice: dice.volley(volleys, company, start).state.lost, law)


def _commentaries(edition: str, luck: random.Random) -> Iterator[Case]:
    yield from (_commentary((rule,)) for rule in commentary.tried())
    for _ in range(LARGER):
        yield _drawn(lambda: _commentary(_together(luck, commentary.tried(), lambda rules: bool(commentary.kinds_of(*rules)))))


def _compendium(rules: tuple[Any, ...], kind: str, vehicle: bool) -> Case:
    case = compendium.ready(rules, kind, vehicle, attacks=2)

    def step(dice: Dice) -> Hashable:
        return resolve(dice, *case, SUMS)

    target = "a vehicle" if vehicle else "flesh"
    return Case(f"compendium {kind} {target} {_names(rules)}", step, Calculator().law(resolve, *case, SUMS))


def _compendia(edition: str, luck: random.Random) -> Iterator[Case]:
    for rule in compendium.samples():
        for kind in compendium.kinds_of([rule]):
            for vehicle in compendium.targets_of([rule]):
                yield _compendium((rule,), kind, vehicle)
    for _ in range(LARGER):
        rules = _together(luck, compendium.samples(), lambda rules: bool(compendium.kinds_of(rules)))
        yield _compendium(rules, luck.choice(compendium.kinds_of(rules)), luck.choice(compendium.targets_of(rules)))


def _together(luck: random.Random, every: list[Any], stand: Callable[[tuple[Any, ...]], bool]) -> tuple[Any, ...]:
    """Some different rules that can stand on one attack."""
    while True:
        rules = tuple(luck.sample(every, luck.randint(3, 6)))
        if len({rule.name for rule in rules}) == len(rules) and stand(rules):
            return rules


def _drawn(make: Callable[[], Case]) -> Case:
    """The first case that can be made."""
    while True:
        with suppress(RolloffError):
            return make()


def _names(rules: tuple[Any, ...]) -> str:
    return ", ".join(" ".join(rule) if isinstance(rule, tuple) and isinstance(rule[0], str) else str(rule) for rule in rules)


MAKERS: Mapping[str, Callable[[str, random.Random], Iterator[Case]]] = {
    "commentary-10": _commentaries,
    "compendium": _compendia,
}


def cases_of(edition: str, seed: int) -> list[Case]:
    """All cases of an edition."""
    return list(MAKERS.get(edition, _family)(edition, random.Random(seed)))


# holding counts against chances


def surprise(count: int, n: int, chance: float) -> float:
    """How unlikely a count is: the negative logarithm of a bound on the chance of it or one further off."""
    share = count / n
    if chance >= 1:
        return 0.0 if count == n else float("inf")
    found = share * log(share / chance) if count else 0.0
    return n * (found + ((1 - share) * log((1 - share) / (1 - chance)) if count < n else 0.0))


def alarms(case: Case, n: int, dice: SeededDice, limit: float) -> list[str]:
    """Roll a case so often; what comes up too often, too seldom, or should not come up at all."""
    seen = Counter(case.rolled(Roller(dice.faces, to_the_end=True)) for _ in range(n))
    found = [f"{case.name}: {result} came up, which cannot be" for result in seen if result not in case.law]
    for result, chance in case.law.items():
        if chance > 0 and surprise(seen[result], n, chance) > limit:
            found.append(f"{case.name}: {result} came up {seen[result]} times of {n}, not {n * chance:.1f}")
    return found


def checked(task: tuple[str, int, int]) -> tuple[str, int, int, int, list[str]]:
    """One edition: cases, attacks, counts and alarms."""
    edition, attacks, seed = task
    made = cases_of(edition, seed)
    each = -(-attacks // len(made))
    counts = sum(len(case.law) for case in made)
    limit = log(2 * counts * len(able()) / FALSE_ALARMS)
    dice = SeededDice(seed_bytes(seed))
    found = [line for case in made for line in alarms(case, each, dice, limit)]
    return edition, len(made), each * len(made), counts, found


def able() -> list[str]:
    """The shipped editions that resolve attacks; whatever else is installed has cards nobody here can make up."""
    return [name for name in sorted(registry.BUILT_IN) if registry.edition(name).sequence is not None]


def main() -> int:
    """Roll, and say what was found."""
    reader = argparse.ArgumentParser(prog="python -m tests.odds.soak", description="frequencies of attacks against their odds")
    reader.add_argument("--attacks", type=int, default=200_000, help="attacks for each edition")
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--jobs", type=int, default=1)
    reader.add_argument("--edition", action="append")
    asked = reader.parse_args()
    tasks = [(name, asked.attacks, asked.seed) for name in asked.edition or able()]
    failed = False
    with get_context("spawn").Pool(asked.jobs) as pool:
        for edition, made, rolled, counts, found in pool.imap(checked, tasks):
            failed = failed or bool(found)
            sys.stdout.write("".join(line + "\n" for line in found))
            sys.stdout.write(f"{edition}: {rolled} attacks in {made} cases, {counts} counts, {len(found)} alarms\n")
            sys.stdout.flush()
    sys.stdout.write(f"false alarms: at most one run in {round(1 / FALSE_ALARMS):,}\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
