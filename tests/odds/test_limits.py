"""Chances stay chances: sums to one however many attacks there are, limits that are named, and no morale for nobody."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from rolloff import odds
from rolloff.errors import BadInput
from rolloff.odds.quick import odds_of as quick_odds
from rolloff.odds.results import Distribution, Odds
from rolloff.odds.scenarios import Scenario
from rolloff.odds.target_odds import Track
from rolloff.odds.wire import number_json
from rolloff.oracle.calculator import Calculator
from rolloff.oracle.powers import joined, raised
from tests.odds.scenes import Json, held, scene, unit

STATS = {"M": 6, "T": 4, "Sv": 4, "W": 2, "Ld": 7, "OC": 1}
LAWS = ("attacks", "hits", "ignored", "blocked", "wounds", "damage", "kills", "wasted", "left_on_next")


def gun(*rules: str, attacks: int, **more: Any) -> Json:
    """A weapon of the phase game."""
    return {"name": "gun", "range": 24, "A": attacks, "skill": 3, "S": 4, "AP": 0, "D": 1, "rules": list(rules), **more}


def shot(weapon: Any, edition: str, exact: bool = False) -> Odds:
    """Ten models under fire."""
    stats = STATS if edition == "commentary-10" else {}
    ours, theirs = odds.unit(1, weapons=[weapon], stats=stats), odds.unit(10, stats=stats)
    return odds.attack(ours, theirs, edition=edition, range=10, exact=exact)


MANY = [
    ('Rifle (24", A10000)', "onepage-3.0"),
    ('Rifle (24", A9999, Linked)', "onepage-3.0"),
    (gun(attacks=10_000), "commentary-10"),
    (gun("Sustained Hits 1", attacks=3_000, D="D3"), "commentary-10"),
]


@pytest.mark.parametrize(("weapon", "edition"), MANY, ids=lambda part: part if isinstance(part, str) else part["name"])
def test_chances_of_very_many_attacks_sum_to_one(weapon: Any, edition: str) -> None:
    """After thousands of products every law sums to one within 1e-12, and no chance lies above one or below nothing."""
    found = shot(weapon, edition)
    for name in LAWS:
        law: Distribution = getattr(found.last, name)
        assert sum(law) == pytest.approx(1, abs=1e-12), name
        assert all(0 <= chance <= 1 for chance in (*law, *law.tails())), name
    assert found.destroyed <= 1 and sum(found.morale.values()) == pytest.approx(1, abs=1e-12)
    assert all(0 <= chance <= 1 for chance in found.morale.values())


@pytest.mark.parametrize("weapon", [weapon for weapon, _ in MANY[:3]], ids=["plain", "linked", "phases"])
def test_what_is_too_much_for_rationals_is_named(weapon: Any) -> None:
    """Ten thousand attacks are not computed exactly, and the sentence says how many are."""
    with pytest.raises(BadInput, match=r"10,000|9,999") as caught:
        _ = shot(weapon, "onepage-3.0" if isinstance(weapon, str) else "commentary-10", exact=True).kills
    assert caught.value.code == "too-large" and "up to" in caught.value.message


def test_hundreds_of_attacks_are_exact() -> None:
    """Below the limit rationals answer, and floats agree with them to the far tail."""
    weapon = 'Rifle (24", A400, Linked)'
    exact, quick = shot(weapon, "onepage-3.0", True), shot(weapon, "onepage-3.0")
    assert sum(exact.last.wounds) == 1
    for true, near in zip(exact.last.wounds, quick.last.wounds, strict=True):
        if float(true) > 1e-300:
            assert near == pytest.approx(float(true), rel=1e-12)


@pytest.mark.parametrize("law", [[0, 1], [1, 2], [0, 3, 1], [2, 0, 1, 3], [0, 0, 1, 0, 5]])
def test_powers_of_rationals_are_repeated_sums(law: list[int]) -> None:
    """A law raised in one go is the law joined with itself, whatever gaps it has."""
    chances = raised_once = Distribution([Fraction(part, sum(law)) for part in law])
    array = _array(chances)
    for times in range(2, 9):
        raised_once = raised_once.plus(chances)
        assert Distribution(raised(array, times).tolist()) == raised_once
        assert Distribution(joined(raised(array, times - 1), array).tolist()) == raised_once


def _array(law: Distribution) -> Any:
    import numpy as np

    return np.array(list(law), dtype=object)


def test_fractions_too_long_to_write_are_refused() -> None:
    """A fraction of more digits than Python writes is a limit with a name, not a fault."""
    with pytest.raises(BadInput, match="too many digits"):
        number_json(Fraction(1, 10**5000), True)


def test_only_a_limit_cuts_waste_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waste is counted until the last model falls where the whole is too much; any other refusal is told."""
    case = scene(unit(1, weapons=['Gun (24", A3)']), unit(2, rules=["Tough(2)"]), {}, {})
    monkeypatch.setattr("rolloff.odds.target_odds.pointwise", lambda plan: False)

    def refused(code: str) -> Odds:
        def wasting(self: Track, index: int, key: Any) -> Any:
            raise BadInput(code, "no")

        monkeypatch.setattr(Track, "_wasting", wasting)
        return odds.odds_of(case)

    assert [line.what for line in refused("too-large").last.audit] == ["wasted"]
    with pytest.raises(BadInput, match="no"):
        refused("bad-number")


@pytest.mark.clause("onepage-3.0", "MORALE-2")
def test_nobody_left_has_no_morale() -> None:
    """A unit pinned by the first volley and destroyed by the second is destroyed, and nothing else is told of it."""
    found = held(scene(unit(1, weapons=['Gun (24", A1)']), unit(2), {}, {}))
    assert found.destroyed > 0
    assert found.morale["pinned"] + found.morale["passed"] <= 1 - found.destroyed
    sure = odds.odds_of(scene(unit(1, weapons=['Gun (24", A400)']), unit(2), {}, {}), exact=True)
    assert sure.morale["none"] >= sure.destroyed > Fraction(999, 1000)


def test_nobody_left_of_a_melee_has_no_morale() -> None:
    """The same when blows finish a unit that shots have pinned."""
    units = unit(3, weapons=['Gun (24", A1)', "Axe (A9)"]), unit(2)
    fight = scene(*units, {}, {"kind": "melee"}, exchange=True)
    report = odds.odds_of(fight, exact=True)
    assert report.exchange is not None
    gone = sum(chance for (kills, _), chance in report.exchange.joint.items() if kills == 2)
    assert report.exchange.morale_b["pinned"] + report.exchange.morale_b["passed"] <= 1 - gone
    assert sum(report.exchange.morale_b.values()) == 1


def test_two_precise_blasts_follow_each_other() -> None:
    """Attacks planned anew from every state the first may leave agree with each attack by itself, counts and all."""
    blast = gun("Precision", "Blast", attacks=2)
    leader: Json = {"id": "x", "side": "B", "where": "b", "stats": {**STATS, "W": 4}, "rules": ["Leader"]}
    leader |= {"keywords": ["CHARACTER"], "models": [{"id": "x1"}]}
    units = [
        {"id": "a", "side": "A", "stats": STATS, "models": [{"id": f"a{k}", "weapons": [blast]} for k in range(2)]},
        {"id": "b", "side": "B", "stats": STATS, "models": [{"id": f"b{k}"} for k in range(5)]},
        leader,
    ]

    def report(*attacks: Json) -> Odds:
        written = {"edition": "commentary-10", "units": units, "attacks": list(attacks)}
        return odds.odds_of(odds.read_scenario(json.dumps(written).encode()), exact=True)

    form = {"attacker": "a", "target": "b", "range": 10, "visible": True}
    once, twice = report(form), report(form, form)
    assert twice[0].kills == once[0].kills and twice[0].wasted == once[0].wasted
    assert twice[1].attacks.mean <= 2 * once[0].attacks.mean
    assert all(sum(getattr(twice[1], name)) == 1 for name in LAWS)


def test_one_calculator_serves_many_scenarios() -> None:
    """What a kept calculator remembers changes no answer."""
    kept = Calculator()
    cases: list[Scenario] = [scene(unit(n, weapons=['Gun (24", A2, Linked)']), unit(4, rules=["Armored"])) for n in (1, 2, 3)]
    for case in cases * 2:
        assert odds.odds_of(case, calculator=kept).kills == odds.odds_of(case).kills


def test_the_odds_beside_a_target_are_chances() -> None:
    """What the table shows sums to one, too, and is what the command says."""
    case = scene(unit(2, weapons=['Gun (24", A3)']), unit(3))
    shown = quick_odds(case.game, case.state, case.forms[0])
    assert shown is not None
    report = odds.odds_of(case)
    assert shown["kills"] == pytest.approx(list(report.kills), rel=1e-12) and max(shown["at_least"]) <= 1
    assert shown["destroyed"] == pytest.approx(report.destroyed)
