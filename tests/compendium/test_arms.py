"""Weapons of bare attacks are kept from one target to the next: each target still meets them as if it were the first."""

from __future__ import annotations

from typing import Any

import pytest

from rolloff import odds
from rolloff.errors import BadInput

STATS = {"WS": 4, "CT": 4, "S": 4, "T": 4, "W": 1, "I": 4, "A": 2, "Ld": 8, "Sv": "3+"}
HULL = {"CT": 4, "AV": [12, 11, 10], "HP": 3}


def attackers(weapon: dict[str, Any], *rules: str) -> Any:
    """Four models with one weapon."""
    return odds.unit(4, weapons=[{"name": "w", "AP": 0, "D": 1, **weapon}], stats=STATS, rules=list(rules))


def attacks_and_hits(attacker: Any, target: Any, **how: Any) -> tuple[Any, Any]:
    """The mean attacks and hits of an attack."""
    found = odds.attack(attacker, target, edition="compendium", **how).results[0]
    return found.attacks.mean, found.hits.mean


@pytest.mark.clause("compendium", "SR-SKYFIRE-1")
def test_skyfire_is_told_anew_for_each_target() -> None:
    """A weapon aimed at the sky hits a Skimmer at full CT and the ground by Snap Shots, whoever was shot at before."""
    gun = attackers({"range": 24, "A": 1, "S": 6, "rules": ["Skyfire"]})
    ground, skimmer = odds.unit(5, stats=STATS), odds.unit(1, type="vehicle, skimmer", stats=HULL)
    shots = [attacks_and_hits(gun, one, range=6, facing="front")[1] for one in (ground, skimmer, ground, skimmer)]
    assert shots == pytest.approx([4 / 6, 4 * 4 / 6, 4 / 6, 4 * 4 / 6])


@pytest.mark.clause("compendium", "SR-GRENADES-3")
def test_only_bearers_of_defensive_grenades_break_a_charge() -> None:
    """Chargers lose their Attacks for charging against one unit and have them against the next."""
    swords = attackers({"range": "melee", "S": "User", "rules": []})
    ready, plain = odds.unit(5, stats=STATS, rules=["Defensive Grenades"]), odds.unit(5, stats=STATS)
    blows = [attacks_and_hits(swords, one, kind="melee", charged=True)[0] for one in (plain, ready, plain, ready)]
    assert blows == pytest.approx([12, 8, 12, 8])


@pytest.mark.clause("compendium", "SR-LONE-OPERATIVE-1")
def test_who_is_shielded_is_refused_after_others_were_not() -> None:
    """A Lone Operative beyond 12" cannot be chosen though the same weapons have just fired at others."""
    gun = attackers({"range": 24, "A": 1, "S": 4, "rules": []})
    attacks_and_hits(gun, odds.unit(1, stats=STATS), range=14)
    alone = odds.unit(1, type="independent character", stats=STATS, rules=["Lone Operative"])
    with pytest.raises(BadInput, match="only from within"):
        attacks_and_hits(gun, alone, range=14)


@pytest.mark.clause("compendium", "CF-VEH-8")
def test_the_facing_is_asked_for_though_others_had_none() -> None:
    """A vehicle needs its facing stated, and each facing has its own armour, after a unit that has none."""
    gun = attackers({"range": 24, "A": 1, "S": 7, "rules": []})
    tank = odds.unit(1, type="vehicle, tank", stats=HULL)
    attacks_and_hits(gun, odds.unit(5, stats=STATS), range=6)
    with pytest.raises(BadInput, match="facing"):
        attacks_and_hits(gun, tank, range=6)
    hurt = [
        odds.attack(gun, tank, edition="compendium", range=6, facing=side).results[0].wounds.mean for side in ("front", "rear")
    ]
    assert hurt == pytest.approx([4 * 4 / 6 * 2 / 6, 4 * 4 / 6 * 4 / 6])
