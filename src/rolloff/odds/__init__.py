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
    from rolloff.odds.build import written as written
    from rolloff.odds.compute import odds_of as odds_of
    from rolloff.odds.lineup import Lineup as Lineup
    from rolloff.odds.lineup import army_lineup as army_lineup
    from rolloff.odds.lineup import written_lineup as written_lineup
    from rolloff.odds.named_profiles import profile as profile
    from rolloff.odds.named_profiles import profiles as profiles
    from rolloff.odds.record_luck import Luck as Luck
    from rolloff.odds.record_luck import luck as luck
    from rolloff.odds.results import Distribution as Distribution
    from rolloff.odds.results import Odds as Odds
    from rolloff.odds.scenarios import Scenario as Scenario
    from rolloff.odds.scenarios import read_scenario as read_scenario
    from rolloff.odds.sweeps import Sweep as Sweep
    from rolloff.odds.sweeps import sweep as sweep

_HOMES = {
    "attack": "build",
    "scenario": "build",
    "unit": "build",
    "written": "build",
    "odds_of": "compute",
    "profile": "named_profiles",
    "profiles": "named_profiles",
    "Luck": "record_luck",
    "luck": "record_luck",
    "Lineup": "lineup",
    "army_lineup": "lineup",
    "written_lineup": "lineup",
    "Distribution": "results",
    "Odds": "results",
    "Scenario": "scenarios",
    "read_scenario": "scenarios",
    "Sweep": "sweeps",
    "sweep": "sweeps",
}

__all__ = [
    "Distribution",
    "Lineup",
    "Luck",
    "Odds",
    "Scenario",
    "Sweep",
    "army_lineup",
    "attack",
    "luck",
    "odds_of",
    "profile",
    "profiles",
    "read_scenario",
    "scenario",
    "sweep",
    "unit",
    "written",
    "written_lineup",
]


def __getattr__(name: str) -> Any:
    """Import a public name from its module, once."""
    if name not in _HOMES:
        raise AttributeError(f"rolloff.odds has no {name!r}")
    found = globals()[name] = getattr(import_module(f"rolloff.odds.{_HOMES[name]}"), name)
    return found
