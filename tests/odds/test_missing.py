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


@pytest.mark.clause(TENTH, "WPN-15")
def test_mortal_wounds_of_several_attacks_add_up() -> None:
    """Two such guns one after the other: each may bring its mortal wound, and both are counted after the second."""
    attacker = odds.unit(1, stats=BODY, weapons=[gun("Devastating Wounds")])
    two = [{"range": 6}, {"range": 6}]
    found = odds.attack(attacker, odds.unit(5, stats=BODY), edition=TENTH, attacks=two, exact=True)
    assert list(found[0].mortal or ()) == [Fraction(11, 12), Fraction(1, 12)]
    assert list(found[1].mortal or ()) == [Fraction(121, 144), Fraction(22, 144), Fraction(1, 144)]


@pytest.mark.clause("compendium", "SR-RENDING-2")
def test_mortal_wounds_of_the_compendium_are_told_apart() -> None:
    """A Rending gun brings a mortal wound with a natural 6 of its wound die, after two hits in three; a plain one none."""
    soldier = {"WS": 4, "CT": 4, "S": 4, "T": 4, "W": 1, "I": 4, "A": 1, "Ld": 8, "Sv": "3+"}
    for rules, law in ((["Rending"], [Fraction(8, 9), Fraction(1, 9)]), ([], [1])):
        rifle = {"name": "gun", "range": 24, "A": 1, "S": 4, "AP": 0, "D": 1, "rules": rules}
        attacker = odds.unit(1, stats=soldier, weapons=[rifle])
        found = odds.attack(attacker, odds.unit(5, stats=soldier), edition="compendium", range=6, exact=True).last
        assert list(found.mortal or ()) == law


@pytest.mark.clause(TENTH, "ULD-1")
def test_battle_shock_is_tested_by_the_best_leadership_of_those_left() -> None:
    """With the one better leader fourth to fall, a test of two models is easier than that of the last one alone."""
    rows = [{}, {}, {}, {"rules": ["Leadership +1"]}, {}]
    attacker = odds.unit(5, stats=BODY, weapons=[gun(A=2)])
    found = odds.attack(attacker, odds.unit(rows, stats=BODY), edition=TENTH, range=6, exact=True)
    better, plain = Fraction(26, 36), Fraction(21, 36)  # 6 or more, 7 or more, with two dice
    kills = found.kills
    assert found.morale["passed"] == kills[3] * better + kills[4] * plain
