"""Exact odds: the calculator's public face. What it says of a shot is, by construction, the odds of that shot.

    from rolloff import odds

    rifles = odds.unit(10, quality=4, weapons=['Rifle (24", A1)'])
    squad = odds.unit(5, quality=5, rules=["Armored"])
    found = odds.attack(rifles, squad, range=12)
    found.kills.mean, found.kills.at_least(2), found.destroyed

Names are imported when they are first used, so that whoever wants one part does not load numpy for the others.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rolloff.odds.build import attack as attack
    from rolloff.odds.build import scenario as scenario
    from rolloff.odds.build import unit as unit
    from rolloff.odds.compute import odds_of as odds_of
    from rolloff.odds.fortune import Luck as Luck
    from rolloff.odds.fortune import luck as luck
    from rolloff.odds.results import Distribution as Distribution
    from rolloff.odds.results import Odds as Odds
    from rolloff.odds.scenario import Scenario as Scenario
    from rolloff.odds.scenario import read_scenario as read_scenario

_HOMES = {
    "attack": "build",
    "scenario": "build",
    "unit": "build",
    "odds_of": "compute",
    "Luck": "fortune",
    "luck": "fortune",
    "Distribution": "results",
    "Odds": "results",
    "Scenario": "scenario",
    "read_scenario": "scenario",
}

__all__ = ["Distribution", "Luck", "Odds", "Scenario", "attack", "luck", "odds_of", "read_scenario", "scenario", "unit"]


def __getattr__(name: str) -> Any:
    """Import a public name from its module."""
    if name not in _HOMES:
        raise AttributeError(f"rolloff.odds has no {name!r}")
    return getattr(import_module(f"rolloff.odds.{_HOMES[name]}"), name)
