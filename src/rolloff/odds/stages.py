"""Every roll an attack may come to, with how likely it succeeds and the clauses in its table."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from msgspec.structs import replace

from rolloff.odds.results import StageOdds
from rolloff.oracle.flow import Flow, Nodes, Wound
from rolloff.oracle.stage import Stage
from rolloff.rules.attack import Plan


def stages_of(plan: Plan, exact: bool) -> tuple[StageOdds, ...]:
    """Those of its flows, then saves and what ignores wounds; each once."""
    found: list[StageOdds] = []
    wounds: list[Wound] = []
    for volley in plan.volleys:
        found += _thrown(volley.flow, exact)
        wounds += [one for one in volley.flow.leaving if isinstance(one, Wound)]
    for stage in plan.target.rolls(wounds):
        found += [_stage(stage, exact)]
    return tuple(dict.fromkeys(found))


@lru_cache(maxsize=4096)
def _thrown(flow: Flow, exact: bool) -> tuple[StageOdds, ...]:
    stages = flow.stages[flow.names.index(flow.start) :]
    return tuple([one for stage in stages if stage.dice for one in _rolls(stage, exact)])


def _rolls(stage: Stage[Nodes], exact: bool) -> tuple[StageOdds, ...]:
    """A roll; one that only says what the next needs, such as a random Strength, and that one."""
    further = tuple(dict.fromkeys([entry for entry in stage.read if isinstance(entry, Stage)]))
    if len({entry.label for entry in further}) != 1 or not all(isinstance(entry, Stage) for entry in stage.read):
        return (_stage(stage, exact),)
    clauses = tuple(dict.fromkeys([clause for entry in further for clause in entry.clauses()]))
    sure = Fraction(1)
    first = StageOdds(stage.label, sure if exact else float(sure), stage.why[0])
    return first, replace(_stage(stage, exact), name=further[0].label, clauses=clauses)


@lru_cache(maxsize=8192)
def _stage(stage: Stage[object], exact: bool) -> StageOdds:
    chance = stage.success()
    return StageOdds(stage.label, chance if exact else float(chance), stage.clauses())
