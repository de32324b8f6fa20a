"""Small scenarios, and their odds by brute force: the roller is run over every fall of the dice, nothing else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rolloff.editions.onepage.damaged_vehicles import MORE
from rolloff.odds import read_scenario, unit
from rolloff.odds.build import placed
from rolloff.odds.compute import odds_of
from rolloff.odds.losses import roster_of
from rolloff.odds.results import Odds
from rolloff.odds.scenarios import Scenario
from rolloff.odds.state_roster import chronicle_of
from rolloff.odds.waste import Nobody
from rolloff.oracle.flow import ATTACKS, BLOCKED, HITS, IGNORED, WOUNDS
from rolloff.oracle.roll import Dice, Spent
from rolloff.rules.attack import FightResult, Plan
from tests.oracle.brute import every_path

COUNTS = (ATTACKS, HITS, IGNORED, BLOCKED, WOUNDS, MORE)
Json = dict[str, Any]


def scene(attacker: Json, target: Json, *attacks: Json, edition: str = "onepage-3.0", **more: Any) -> Scenario:
    """Unit ``a`` against unit ``b``; attacks that say nothing are shots in the open."""
    forms = [{"attacker": "a", "target": "b", **_shots(attack), **attack} for attack in (attacks or ({},))]
    written = {"edition": edition, "units": [placed(attacker, "a", "A"), placed(target, "b", "B")], "attacks": forms}
    return read_scenario(json.dumps({**written, **more}).encode())


def _shots(attack: Json) -> Json:
    return {} if attack.get("kind", "shooting") != "shooting" else {"range": 0, "visible": True, "cover": False}


class Plans:
    """The plans of a scenario by what the target has lost, made once for all falls of the dice."""

    def __init__(self, scenario: Scenario) -> None:
        """Read the target off the first plan."""
        self.scenario, self.made = scenario, dict[Any, Plan]()
        first = scenario.plan(0, scenario.state)
        roster = roster_of(first, scenario.state)
        assert roster is not None
        self.roster: Any = roster if first.left is None else chronicle_of(scenario.game, scenario.state, first)

    def plan(self, index: int, losses: Any) -> Plan:
        """The plan of one attack; on a target that is gone as if it were there."""
        key = index, losses
        if key not in self.made:
            state = self.scenario.state
            state = state if self.roster.gone(losses) else self.roster.state(state, losses)
            self.made[key] = self.scenario.plan(index, state)
        return self.made[key]


def rolled(dice: Dice, plans: Plans) -> Any:
    """All attacks of a scenario on one target, by any dice: losses, the morale, and the counts."""
    roster = plans.roster
    losses, words, sums = roster.none(), ["none"], [0] * len(COUNTS)
    for index in range(len(plans.scenario.forms)):
        gone = roster.gone(losses)
        plan = plans.plan(index, losses)
        spent = struck(dice, plan, gone)
        sums = [so_far + more for so_far, more in zip(sums, spent.counts, strict=True)]
        if not gone:
            if plan.after is not None:
                words.append(plan.after(dice, plan.start, spent.state))
            losses = roster.after(losses, plan, spent.state)
    word = "none" if roster.gone(losses) else max(words, key=("none", "passed", "pinned", "routed").index)
    damage = roster.damage(losses)
    wasted = sums[4] + sums[5] - damage
    return (*sums[:5], damage, roster.kills(losses), wasted, roster.on_next(losses), roster.gone(losses), word)


def struck(dice: Dice, plan: Plan, gone: bool) -> Spent[Any, Any]:
    """One attack by any dice, step by step if the plan has steps; on a target that is gone it is only counted."""
    if gone:
        return dice.volley(plan.volleys, Nobody(plan.target), 0, *COUNTS)
    if plan.step is not None:
        return plan.step(dice, plan.start, COUNTS)
    return dice.volley(plan.volleys, plan.target, plan.start, *COUNTS)


READINGS = ("attacks", "hits", "ignored", "blocked", "wounds", "damage", "kills", "wasted", "left_on_next")


def brute(scenario: Scenario, limit: int | None = None) -> dict[Any, Fraction]:
    """The law of everything `rolled` tells; TooMany beyond the limit of paths."""
    return every_path(rolled, Plans(scenario), limit=limit)


def spread(law: Mapping[Any, Fraction], at: int) -> list[Fraction]:
    """One of the numbers a law tells, as a list without zeros at its end."""
    found: dict[int, Fraction] = {}
    for report, chance in law.items():
        found[report[at]] = found.get(report[at], Fraction(0)) + chance
    return [found.get(k, Fraction(0)) for k in range(max(found) + 1)]


def held(scenario: Scenario, limit: int | None = None) -> Odds:
    """The exact odds of a scenario, once every number in them was found equal to brute force."""
    law, odds = brute(scenario, limit), odds_of(scenario, exact=True)
    last = odds.results[-1]
    for at, name in enumerate(READINGS):
        assert list(getattr(last, name)) == spread(law, at), name
    assert last.destroyed == sum(chance for report, chance in law.items() if report[9])
    words: dict[str, Fraction] = {}
    for report, chance in law.items():
        words[report[10]] = words.get(report[10], Fraction(0)) + chance
    assert {word: chance for word, chance in odds.morale.items() if chance} == words
    return odds


__all__ = ["brute", "held", "rolled", "scene", "spread", "unit"]


def exchanged(case: Scenario) -> Mapping[FightResult, Fraction]:
    """The law of strikes and strikes back, over every fall of the dice."""
    exchange, first = case.strikes_back()
    law: Mapping[FightResult, Fraction] = every_path(exchange(case.game, case.state, case.forms[first:], case.policies))
    return law


def joint_of(law: Mapping[FightResult, Fraction]) -> dict[tuple[int, int], Fraction]:
    """How likely each pair of losses is by such a law."""
    joint: dict[tuple[int, int], Fraction] = {}
    for clash, chance in law.items():
        joint[clash.kills, clash.losses] = joint.get((clash.kills, clash.losses), Fraction(0)) + chance
    return joint
