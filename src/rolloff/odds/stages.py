"""Every roll an attack may come to, with how likely it succeeds and the clauses in its table."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from rolloff.odds.results import StageOdds
from rolloff.oracle.flow import Flow, Wound
from rolloff.oracle.stage import Stage
from rolloff.rules.attack import Plan


def stages_of(plan: Plan, exact: bool) -> tuple[StageOdds, ...]:
    """Those of its flows, then saves and what ignores wounds; each once."""
    found = [row for volley in plan.volleys for row in _thrown(volley.flow, exact)]
    found += _borne(plan, exact)
    return tuple(dict.fromkeys(found))


@lru_cache(maxsize=4096)
def _thrown(flow: Flow, exact: bool) -> tuple[StageOdds, ...]:
    stages = flow.stages[flow.names.index(flow.start) :]
    return tuple(_stage(stage, exact) for stage in stages if stage.dice)


def _borne(plan: Plan, exact: bool) -> Iterator[StageOdds]:
    """The rolls of whoever bears a wound."""
    wounds = [one for volley in plan.volleys for one in volley.flow.exits() if isinstance(one, Wound)]
    for one in plan.target.rolls(wounds):
        yield _stage(one, exact)


@lru_cache(maxsize=8192)
def _stage(stage: Stage[object], exact: bool) -> StageOdds:
    chance = stage.success()
    return StageOdds(stage.label, chance if exact else float(chance), stage.clauses())
