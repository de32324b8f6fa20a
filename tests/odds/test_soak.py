"""The soak over frequencies alarms where it should, and its bound on false alarms holds."""

from __future__ import annotations

from fractions import Fraction
from math import comb, exp, log

import pytest

from rolloff.oracle.dice import SeededDice, seed_bytes
from tests.odds.soak import Case, able, alarms, cases_of, surprise

SIX = Case("a die", lambda dice: dice.faces(1, "hit")[0] == 6, {True: 1 / 6, False: 5 / 6})


def test_a_wrong_law_is_found() -> None:
    """Chances a little off, and results that cannot be, raise an alarm; the right ones do not."""
    limit = log(1e8)
    assert not alarms(SIX, 20_000, SeededDice(seed_bytes(1)), limit)
    off = SIX._replace(law={True: 1 / 6 + 0.02, False: 5 / 6 - 0.02})
    assert alarms(off, 20_000, SeededDice(seed_bytes(1)), limit)
    assert alarms(SIX._replace(law={False: 1.0}), 100, SeededDice(seed_bytes(1)), limit)


@pytest.mark.parametrize("chance", [0.01, 0.3, 0.9])
def test_the_bound_holds(chance: float) -> None:
    """The chance of a count at least as surprising, on its side, is no more than the bound says."""
    n, p = 40, Fraction(str(chance))
    for count in range(n + 1):
        beyond = range(count, n + 1) if count >= n * p else range(count + 1)
        tail = float(sum(comb(n, k) * p**k * (1 - p) ** (n - k) for k in beyond))
        assert tail <= exp(-surprise(count, n, chance)) * (1 + 1e-9)


@pytest.mark.parametrize("edition", able())
def test_every_edition_that_can_attack_is_rolled(edition: str) -> None:
    """Each edition brings cases of its own rules, and some attacks of each fall as their odds say."""
    made = cases_of(edition, seed=3)
    assert len(made) > 40
    dice = SeededDice(seed_bytes(5))
    assert not [line for case in made[::5] for line in alarms(case, 50, dice, log(1e9))]
