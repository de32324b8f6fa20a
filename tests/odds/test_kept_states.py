"""States a question leaves behind serve the next, whoever is hurt already."""

from __future__ import annotations

from rolloff import odds
from rolloff.odds.wire import odds_json
from rolloff.oracle.calculator import Calculator

GUN = {"name": "gun", "range": 24, "A": 2, "S": 5, "AP": -3, "D": 1, "rules": []}
STATS = {"WS": 4, "CT": 4, "S": 4, "T": 4, "W": 2, "I": 4, "A": 1, "Ld": 8, "Sv": "3+"}


def report(wounds: int, calculator: Calculator) -> object:
    """The report of two guns against a unit, by a calculator that may have met it before."""
    ours, theirs = odds.unit(2, weapons=[GUN], stats=STATS), odds.unit(3, wounds=wounds, stats=STATS)
    return odds_json(odds.attack(ours, theirs, edition="compendium", range=6, calculator=calculator))


def test_a_unit_that_is_hurt_is_asked_about_after_the_same_unhurt() -> None:
    """States before its own are known by then; they are never reached, and change nothing."""
    shared = Calculator()
    report(0, shared)
    assert report(1, shared) == report(1, Calculator())
