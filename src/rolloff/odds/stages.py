"""Every roll an attack may come to, with how likely it succeeds and the clauses in its table."""

from __future__ import annotations

from functools import lru_cache

from rolloff.odds.results import StageOdds
from rolloff.oracle.flow import Flow, Wound
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
    return tuple([_stage(stage, exact) for stage in stages if stage.dice])


@lru_cache(maxsize=8192)
def _stage(stage: Stage[object], exact: bool) -> StageOdds:
    chance = stage.success()
    return StageOdds(stage.label, chance if exact else float(chance), stage.clauses())
