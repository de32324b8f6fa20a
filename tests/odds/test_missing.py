"""Mortal wounds, the attacker's own losses, Leader and Bodyguard apart, and the reading of a switch."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from rolloff import odds
from rolloff.odds.compute import odds_of
from rolloff.odds.scenarios import read_scenario
from rolloff.odds.wire import odds_json

TENTH = "commentary-10"
BODY = {"T": 4, "Sv": "4+", "W": 1, "Ld": "7+"}


def gun(*rules: str, **more: Any) -> dict[str, Any]:
    """A gun that hits and wounds half the time."""
    return {"name": "gun", "range": 24, "A": 1, "skill": "4+", "S": 4, "AP": 0, "D": 1, "rules": list(rules)} | more


def shot(weapon: dict[str, Any], models: int = 1, **more: Any) -> Any:
    """One or more such guns at five models, exactly."""
    attacker = odds.unit(models, stats=BODY, weapons=[weapon])
    return odds.attack(attacker, odds.unit(5, stats=BODY), edition=TENTH, range=6, exact=True, **more).last


@pytest.mark.clause(TENTH, "WPN-15")
def test_mortal_wounds_are_told_apart() -> None:
    """A Critical Wound of a hit, one in twelve, is the only mortal wound of a plain gun with Devastating Wounds."""
    assert list(shot(gun("Devastating Wounds")).mortal) == [Fraction(11, 12), Fraction(1, 12)]
    assert list(shot(gun()).mortal) == [1]
    many, near = (
        shot(gun("Devastating Wounds", D=2, A=3), 2).mortal,
        odds.attack(
            odds.unit(2, stats=BODY, weapons=[gun("Devastating Wounds", D=2, A=3)]),
            odds.unit(5, stats=BODY),
            edition=TENTH,
            range=6,
        ).last.mortal,
    )
    assert list(near or ()) == pytest.approx([float(chance) for chance in many], abs=1e-13)


@pytest.mark.clause(TENTH, "WPN-14")
def test_the_attackers_own_losses_are_told() -> None:
    """Each Hazardous weapon loses its model on a 1; without one nobody is lost."""
    assert list(shot(gun("Hazardous"), 2).own_losses) == [Fraction(25, 36), Fraction(10, 36), Fraction(1, 36)]
    assert list(shot(gun(), 2).own_losses) == [1]


@pytest.mark.clause(TENTH, "WPN-15")
def test_the_reading_of_devastating_wounds_is_named_with_how_to_change_it() -> None:
    """The audit says whether mortal wounds spill, by which clause, and which switch turns it."""
    for switches, word in (({}, "false"), ({"devastating_wounds_spill": False}, "true")):
        line = shot(gun("Devastating Wounds"), switches=switches).audit[-1]
        assert (line.what, line.clause) == ("devastating_wounds_spill", "WPN-15")
        assert word in str(line.after)
    assert not any(line.what == "devastating_wounds_spill" for line in shot(gun()).audit)


@pytest.mark.clause(TENTH, "ATK-5")
def test_leader_and_bodyguard_are_told_apart() -> None:
    """While one of two Bodyguards stands the Leader loses nothing; both parts add up to the whole."""
    guard = odds.unit(2, stats=BODY, keywords=["INFANTRY"])
    written = odds.written(
        odds.unit(3, stats=BODY, weapons=[gun(AP=-6)]), guard, edition=TENTH, range=6, visible=True, cover=False
    )
    leader = {**odds.unit(1, stats=BODY | {"W": 2}, keywords=["CHARACTER"]), "id": "leader", "side": "B", "where": "target"}
    leader["models"] = [{**leader["models"][0], "id": "leader.1"}]
    written["units"].append(leader)
    found = odds_of(read_scenario(msgspec.json.encode(written)), True)
    parts = odds_json(found)["results"][0]["parts"]
    assert [Fraction(chance) for chance in parts["leader"]["damage"]] == [Fraction(63, 64), Fraction(1, 64)]
    kills, damage = (sum(found.last.parts[name][at].mean for name in ("leader", "bodyguard")) for at in (0, 1))
    assert (kills, damage) == (found.kills.mean, found.last.damage.mean)
