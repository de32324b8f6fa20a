"""What an attack costs whoever makes it, handed on to that unit's later attacks."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from msgspec.structs import replace

from rolloff.errors import BadInput
from rolloff.odds.ends import ends, normalised
from rolloff.odds.scenarios import Scenario
from rolloff.oracle.calculator import Calculator
from rolloff.oracle.law import Number
from rolloff.rules.attack import Plan, Toll
from rolloff.table.event import Event, Removed, apply
from rolloff.table.state import State


def attacks_again(scenario: Scenario, index: int) -> bool:
    """Whether the attacker of an attack makes others, before it or after it."""
    return sum(form.attacker == scenario.forms[index].attacker for form in scenario.forms) > 1


def comes_again(scenario: Scenario, index: int) -> bool:
    """Whether the target of an attack is attacked by the same unit once more: what is left of it then matters."""
    this = scenario.forms[index]
    return any((form.attacker, form.target) == (this.attacker, this.target) for form in scenario.forms[index + 1 :])


def pays(scenario: Scenario, index: int) -> bool:
    """Whether an attack may cost its attacker something, as the scenario starts."""
    return scenario.plan(index, scenario.state).toll is not None


def due(scenario: Scenario, index: int, target: int, since: int) -> list[int]:
    """The attacks on others that come before one, and change who attacks this target from then on."""
    told = _telling(scenario, index, target)
    return [k for k, weakens in sorted(told.items()) if since <= k < index and (weakens or pays(scenario, k))]


def weakens(scenario: Scenario, index: int, target: int) -> bool:
    """Whether the losses of an attack on another unit matter to the attacks on a target after it."""
    return _telling(scenario, index, target).get(index, False)


def struck_back(scenario: Scenario, target: int) -> bool:
    """Whether anybody who attacks a target may have been attacked before."""
    first = next(k for k, form in enumerate(scenario.forms) if form.target == target)
    return any(_telling(scenario, first, target).values())


def _telling(scenario: Scenario, index: int, target: int) -> dict[int, bool]:
    """The attacks on others that may matter to those on a target from one on: True where their losses do, else their cost.

    Looked at from the last back: whoever attacks the target matters, and who weakens those that matter does so too.
    """
    matters: set[int] = set()
    found: dict[int, bool] = {}
    for k in reversed(range(len(scenario.forms))):
        form = scenario.forms[k]
        if form.target == target:
            matters |= {form.attacker} if k >= index else set()
        elif form.target in matters or form.attacker in matters:
            found[k] = form.target in matters
            matters |= {form.attacker} if found[k] else set()
    return found


def planned(scenario: Scenario, index: int, state: State) -> Plan | None:
    """An attack from a state its attacker has lost models in; None if nobody is left who could make it."""
    form = scenario.forms[index]
    living = {slot for unit in state.units for slot in unit.living}
    weapons = None if form.weapons is None else tuple(one for one in form.weapons if one[0] in living)
    if not state.units[form.attacker].living or (form.weapons and not weapons):
        return None
    try:
        return scenario.plan_of(index, replace(form, weapons=weapons), state)
    except BadInput:
        scenario.plan(index, scenario.state)  # what cannot be planned from the start is an error
        return None


def outcomes(calculator: Calculator, plan: Plan, start: Hashable, toll: Toll) -> Iterator[tuple[Hashable, Hashable, Number]]:
    """Where an attack may leave target and attacker, with the chance of both."""
    if toll.along is not None:
        spents = normalised(calculator.law(toll.along, start, (), plan.target))
        yield from ((spent.state, spent.firer, chance) for spent, chance in spents.items())
        return
    costs = calculator.law(toll.alone).items() if toll.alone is not None else ()
    for end, share in ends(calculator, plan, start).items():
        yield from ((end, own, share * chance) for own, chance in costs)


def costs(calculator: Calculator, plan: Plan) -> dict[Hashable, Number]:
    """Where an attack may leave its attacker, whatever becomes of the target."""
    found: dict[Hashable, Number] = {}
    if plan.toll is None:
        return found
    if plan.toll.alone is not None:
        return dict(calculator.law(plan.toll.alone))
    for _, own, chance in outcomes(calculator, plan, plan.start, plan.toll):
        found[own] = found[own] + chance if own in found else chance
    return found


def lost_by(scenario: Scenario, state: State, unit: int) -> int:
    """How many of its models a unit has lost since a scenario began."""
    return len(scenario.state.units[unit].living) - len(state.units[unit].living)


def without(scenario: Scenario, state: State, unit: int) -> State:
    """The start of a scenario, but for the models a unit has lost in a state."""
    lost = set(scenario.state.units[unit].living) - set(state.units[unit].living)
    patches = tuple(Removed(slot, unit) for slot in sorted(lost))
    return apply(scenario.state, Event("odds", (), patches)) if patches else scenario.state
