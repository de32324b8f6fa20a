"""Hard cases of the One Page family, computed by hand from the rules and held against the odds."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from rolloff.odds import odds_of
from rolloff.odds.results import Odds
from tests.odds.scenes import Json, scene
from tests.odds.scenes import unit as squad

OLD, NEW, LARGE = "onepage-2.21", "onepage-3.0", "apocalypse-3.3"
clause = pytest.mark.clause
every = pytest.mark.parametrize("edition", [OLD, NEW, LARGE])


def found(ours: Json, theirs: Json, *attacks: Json, **more: Any) -> Odds:
    """The exact odds of unit a's attacks on unit b."""
    return odds_of(scene(ours, theirs, *attacks, **more), exact=True)


@every
@clause(OLD, "JOIN-5", "RULE-FEARLESS-1", "MORALE-5")
@clause(NEW, "JOIN-5", "RULE-FEARLESS-1", "MORALE-5")
@clause(LARGE, "JOIN-5", "RULE-FEARLESS-1", "MORALE-5")
@pytest.mark.parametrize(("bold", "passes"), [(0, Fraction(5, 9)), (2, Fraction(1, 3))])
def test_the_fearless_who_fell_hearten_nobody(edition: str, bold: int, passes: Fraction) -> None:
    """Two of three fall, the last first: the test has a second die only if the one who is left is Fearless."""
    theirs = squad(3, quality=5)
    theirs["models"][bold]["rules"] = ["Fearless"]
    morale = found(squad(1, quality=3, weapons=['Gun (24", A2)']), theirs, edition=edition).targets["b"].morale
    both = Fraction(4, 9) ** 2
    assert morale == {"none": 1 - both, "passed": both * passes, "pinned": both * (1 - passes), "routed": 0}


@clause(OLD, "PIN-2", "RULE-STRIKES-1")
def test_the_target_of_a_melee_is_told_as_the_melee_leaves_it() -> None:
    """A Pinned assaulter strikes last: what its axe fells is told for the case that it was not felled before."""
    ours, theirs = squad(1, weapons=["Axe (A1)"], marks=["pinned"]), squad(1, weapons=["Axe (A1)"])
    fight = {"kind": "melee", "charged": False}
    odds = found(ours, theirs, fight, edition=OLD, exchange=True)
    felled = Fraction(3, 4) * Fraction(1, 4)
    assert odds.exchange is not None
    assert odds.exchange.joint == {(0, 0): Fraction(9, 16), (0, 1): Fraction(1, 4), (1, 0): felled}
    assert (list(odds.targets["b"].kills), odds.targets["b"].destroyed) == ([1 - felled, felled], felled)


@clause(NEW, "RULE-FEAR-1", "RULE-UNWIELDY-1")
@clause(LARGE, "RULE-FEAR-1", "RULE-UNWIELDY-1")
@pytest.mark.parametrize("edition", [NEW, LARGE])
def test_fear_shows_in_what_becomes_of_the_target(edition: str) -> None:
    """An assaulter that may fail its test of fear fells fewer, and the target after the melee says so too."""
    ours, theirs = squad(1, weapons=["Axe (A1)"]), squad(2, rules=["Fear"])
    odds = found(ours, theirs, {"kind": "melee"}, edition=edition, exchange=True)
    felled = (Fraction(1, 2) * Fraction(1, 2) + Fraction(1, 2) * Fraction(1, 4)) * Fraction(1, 2)
    assert list(odds.targets["b"].kills) == [1 - felled, felled]


@every
@clause(OLD, "CAS-1")
@clause(NEW, "CAS-1")
@clause(LARGE, "CAS-1")
def test_what_shots_felled_counts_for_the_target_not_for_the_melee(edition: str) -> None:
    """Shots fell one of four, then axes another: the target has lost both, the exchange tells of the second alone."""
    ours, theirs = squad(1, quality=2, weapons=['Gun (24", A1)', "Axe (A1)"]), squad(4, quality=6)
    odds = found(ours, theirs, {}, {"kind": "melee", "charged": False}, edition=edition, exchange=True)
    one = Fraction(25, 36)
    assert odds.exchange is not None
    assert list(odds.targets["b"].kills) == [(1 - one) ** 2, 2 * one * (1 - one), one**2]
    assert sum(p for (kills, _), p in odds.exchange.joint.items() if kills == 1) == one
