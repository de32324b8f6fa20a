"""Many Snipers at once: each names a model, and nobody else bears what was meant for it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rolloff import odds
from rolloff.odds.compute import odds_of
from rolloff.oracle.calculator import Calculator

EDITION = "apocalypse-3.3"
RIFLE = 'Long rifle (36", A3, Sniper)'


def asked(models: int, targets: int, exact: bool = False, **target: object) -> odds.Odds:
    """So many Snipers with three shots each at a unit."""
    squad = odds.unit(targets, quality=4, **target)  # type: ignore[arg-type]
    return odds.attack(odds.unit(models, quality=4, weapons=[RIFLE]), squad, edition=EDITION, range=6, exact=exact)


@pytest.mark.clause(EDITION, "RULE-SNIPER-2")
@pytest.mark.parametrize(("targets", "tough"), [(20, 1), (10, 1), (5, 3)])
def test_ten_snipers_with_three_shots_each_are_answered(targets: int, tough: int) -> None:
    """What is lost and what is wasted are all the wounds there are, on average."""
    found = asked(10, targets, rules=[f"Tough({tough})"] if tough > 1 else [])[0]
    assert float(found.damage.mean) + float(found.wasted.mean) == pytest.approx(float(found.wounds.mean), abs=1e-12)
    assert sum(map(float, found.kills)) == pytest.approx(1, abs=1e-12)
    assert len(found.kills) == min(10, targets) + 1


@pytest.mark.clause(EDITION, "RULE-SNIPER-2")
@pytest.mark.parametrize(("snipers", "targets", "tough"), [(2, 3, 1), (3, 2, 3), (2, 2, 2)])
def test_named_models_one_by_one_are_the_same_as_attack_by_attack(snipers: int, targets: int, tough: int) -> None:
    """The product of what befalls each is the law of walking through all attacks, also with two Snipers on one model."""
    unit = odds.unit(targets, quality=4, rules=[f"Tough({tough})"] if tough > 1 else [])
    scenario = odds.scenario(odds.unit(snipers, quality=4, weapons=[RIFLE]), unit, edition=EDITION, range=6, visible=True)
    plan = scenario.plan(0, scenario.state)
    calculator = Calculator(exact=True)
    _, states, chances = calculator.ends(plan.volleys, plan.target, plan.start)
    walked = calculator._walked(plan.volleys, plan.target, plan.start, (), None, None)  # the general lane
    assert dict(zip(states, chances, strict=True)) == {state: chance for (state, _, _), chance in walked.items()}
    found = odds_of(scenario, exact=True)[0]
    assert found.damage.mean + found.wasted.mean == found.wounds.mean
    assert isinstance(found.wasted[0], Fraction)
