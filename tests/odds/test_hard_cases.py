"""Hard cases of the One Page family, reckoned by hand from the rules and held against the odds."""

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
