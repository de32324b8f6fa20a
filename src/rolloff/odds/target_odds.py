"""One target through the attacks on it: every state they may leave, each with its chance and the morale so far."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from rolloff.errors import BadInput
from rolloff.odds.ends import K, added, ends, normalised, normalised_line
from rolloff.odds.handing_on import (
    attacks_again,
    comes_again,
    costs,
    due,
    lost_by,
    outcomes,
    planned,
    struck_back,
    weakens,
    without,
)
from rolloff.odds.losses import Roster, by_model, lost_by_model, roster_of
from rolloff.odds.results import Distribution, capped
from rolloff.odds.scenarios import Scenario
from rolloff.odds.state_roster import Chronicle, chronicle_of, left_by
from rolloff.odds.waste import Nobody, Overkill, packeted, pointwise
from rolloff.oracle.calculator import Calculator
from rolloff.oracle.flow import ATTACKS, BLOCKED, HITS, IGNORED, WASTED, WOUNDS, Tally, Wound
from rolloff.oracle.law import Number
from rolloff.oracle.roll import Dice
from rolloff.oracle.target import AnyTarget
from rolloff.rules.attack import Plan, Toll
from rolloff.rules.terms import NONE
from rolloff.table.event import Event, Marked, apply
from rolloff.table.state import State

NOTHING = NONE.word
"""What is told of a unit of which nobody is left, whatever it was before: it tests for nothing and bears no mark."""

TOO_LARGE = "too-large"
"""The code of a refusal to compute what would take too long."""

COUNTED = (ATTACKS, HITS, IGNORED, BLOCKED, WOUNDS)
"""What attacks count by themselves, whatever becomes of the target."""

Key = Hashable
Ends = list[tuple[int, int, Number]]
"""Where an attack may end, as the number of a state, with a count, and the chance."""

Front = dict[tuple[int, int], Number]
"""The law of a state's number and a count."""


class Track:
    """One target. States are losses by model, so that every attack can be planned anew from what is left."""

    def __init__(self, scenario: Scenario, calculator: Calculator, first: int) -> None:
        """Before the first attack on it."""
        self.scenario, self.calculator = scenario, calculator
        self.outcomes = scenario.game.edition.outcomes
        self.first = scenario.plan(first, scenario.state)
        self.roster: Roster | Chronicle | None = (
            roster_of(self.first, scenario.state)
            if self.first.left is None and not (by_model(self.first) and struck_back(scenario, scenario.forms[first].target))
            else chronicle_of(scenario.game, scenario.state, self.first)
        )
        tests = scenario.sequence.tests
        self.tested = None if tests is None else tests(scenario.game, scenario.state, scenario.forms[first].target)
        self.one = calculator.law(_nothing)[None]
        start: Any = self.roster.none() if self.roster is not None else self.first.start
        self.law: dict[tuple[Key, str], Number] = {(start, NOTHING): self.one}
        self.steps: list[int] = []
        self.sums: dict[Tally, Distribution] = {}
        self._start = start
        self.cut_short = False
        """Whether waste was counted only until the last model fell."""
        self._plans: dict[tuple[int, Key], Plan] = {}
        self._keys: list[Key] = []
        self._numbers: dict[Key, int] = {}
        self._endings: dict[tuple[int, Hashable, Hashable], int] = {}
        self.target = scenario.forms[first].target
        self._seen = 0
        self._idle: set[tuple[int, Key]] = set()
        self._fronts: dict[str, tuple[int, Front]] = {}

    # how a state reads

    def kills(self, key: Any) -> int:
        """Models gone."""
        return int(self.roster.kills(key) if self.roster is not None else self.first.target.kills(key))

    def damage(self, key: Any) -> int:
        """Wounds gone."""
        return self.roster.damage(key) if self.roster is not None else self.first.target.damage(self.first.start, key)

    def on_next(self, key: Any) -> int:
        """Wounds gone from the model next to fall."""
        return int(self.roster.on_next(key) if self.roster is not None else self.first.target.lost_on_next(key))

    def gone(self, key: Any) -> bool:
        """Whether nobody is left."""
        return bool(self.roster.gone(key) if self.roster is not None else self.first.target.gone(key))

    def spread(self, reading: Callable[[Key], int]) -> Distribution:
        """The distribution of something read off the states."""
        return spread((reading(key), chance) for (key, _), chance in self.law.items())

    def parts(self) -> dict[str, tuple[Distribution, Distribution]]:
        """Kills and damage of the models nothing reaches while others stand, and of those others; empty without such."""
        roster = self.roster
        if not isinstance(roster, Chronicle) or not roster.shielded:
            return {}

        def part(inside: bool) -> tuple[Distribution, Distribution]:
            kills = self.spread(lambda key: roster.kills(self.state(key), inside))
            return kills, self.spread(lambda key: roster.damage(self.state(key), inside))

        return {"leader": part(True), "bodyguard": part(False)}

    def destroyed(self) -> Number:
        """The chance that nobody is left."""
        return capped(sum((chance for (key, _), chance in self.law.items() if self.gone(key)), 0 * self.one))

    # one attack

    def fresh(self, index: int) -> Plan:
        """An attack as if it were the first."""
        return self._plan(index, self._start)

    def _plan(self, index: int, key: Key) -> Plan:
        """An attack from a state; on a target that is gone it is planned as if it were there."""
        at = index, key
        if at not in self._plans:
            found = self._planned(index, key)
            if (self.roster is None) == by_model(found):
                raise BadInput("mixed-target", f"attacks[{index}]: this cannot follow the attacks before it")
            self._plans[at] = found
        return self._plans[at]

    def _planned(self, index: int, key: Key) -> Plan:
        """Made ready by those of the attacker who are left; a target that is gone is put back."""
        state = self.state(key)
        if not isinstance(self.roster, Chronicle):
            return self.scenario.plan(index, self.scenario.state if self.gone(key) else state)
        attacker = self.scenario.forms[index].attacker
        found = planned(self.scenario, index, without(self.scenario, state, attacker) if self.gone(key) else state)
        if found is None:
            self._idle.add((index, key))
        return self.scenario.plan(index, self.scenario.state) if found is None else found

    def _made(self, index: int, key: Key) -> bool:
        """Whether an attack is made from a state: not if nobody is left who could make it."""
        self._plan(index, key)
        return (index, key) not in self._idle

    def _toll(self, index: int, plan: Plan) -> Toll | None:
        """What an attack costs, where that matters to other attacks."""
        return plan.toll if isinstance(self.roster, Chronicle) and attacks_again(self.scenario, index) else None

    def _foreign(self, index: int) -> bool:
        """Whether an attack is one on another target, followed for what it costs."""
        return self.scenario.forms[index].target != self.target

    def own_losses(self, index: int) -> Distribution | None:
        """Models the attacker of an attack has lost to its own weapons in all its attacks so far."""
        plan = self.fresh(index)
        if plan.own_losses is None or not isinstance(self.roster, Chronicle) or not attacks_again(self.scenario, index):
            return None if plan.own_losses is None else own_losses_of(plan.own_losses, self.calculator.exact)
        attacker = self.scenario.forms[index].attacker
        return self.spread(lambda key: lost_by(self.scenario, self.state(key), attacker))

    def state(self, key: Any, mark: tuple[int, str] | None = None) -> State:
        """The game state in which the target stands so; ``mark`` names a unit and what it has become."""
        return self.scenario.state if self.roster is None else self.roster.state(self.scenario.state, key, mark)

    def _begin(self, plan: Plan, key: Key) -> Key:
        return plan.start if self.roster is not None else key

    def _ended(self, plan: Plan, key: Any, end: Key) -> Key:
        return self.roster.after(key, plan, end) if self.roster is not None else end

    def attacked(self, index: int) -> None:
        """Carry every state through an attack, with what its losses lead to."""
        for earlier in due(self.scenario, index, self.target, self._seen):
            self._paid(earlier)
        self._seen = index
        self._add_sums(index)
        self.steps.append(index)
        states: dict[Key, dict[str, Number]] = {}
        for (key, word), chance in self.law.items():
            words = states.setdefault(key, {})
            kept = word if self.tested is None else NOTHING
            words[kept] = words.get(kept, 0) + chance
        found: dict[tuple[Key, str], Number] = {}
        for key, words in states.items():
            if self.gone(key) or not self._made(index, key):
                _add(found, (((key, word), chance) for word, chance in words.items()))
                continue
            plan = self._plan(index, key)
            start = self._begin(plan, key)
            for end, ended, share in self._ways(index, plan, key):
                led = self._leads(plan, start, end, ended)
                gone = self.gone(ended)
                for word, chance in words.items():
                    rows = ((NOTHING if gone else self.outcomes.worse(word, new), part) for new, part in led.items())
                    _add(found, (((ended, become), chance * share * part) for become, part in rows))
        self.law = normalised(found)

    def _ways(self, index: int, plan: Plan, key: Key) -> Iterator[tuple[Key, Key, Number]]:
        """Where an attack may end: the target's end, the state that leaves, what it cost the attacker included, the chance."""
        start, toll = self._begin(plan, key), self._toll(index, plan)
        if toll is None:
            for end, share in ends(self.calculator, plan, start).items():
                yield end, self._ended(plan, key, end), share
            return
        for end, own, share in outcomes(self.calculator, plan, start, toll):
            yield end, toll.paid(self.state(self._ended(plan, key, end)), own), share

    def _paid(self, index: int) -> None:
        """Carry every state through what an attack on another target costs its attacker."""
        self.steps.append(index)
        self.sums.clear()
        found: dict[tuple[Key, str], Number] = {}
        for (key, word), chance in self.law.items():
            _add(found, (((self._keys[at], word), chance * share) for at, _, share in self._costing(index, key)))
        self.law = normalised(found)

    def _costing(self, index: int, key: Key) -> Ends:
        state = self.state(key)
        plan = planned(self.scenario, index, state)
        harms = comes_again(self.scenario, index) or weakens(self.scenario, index, self.target)
        if plan is None or (plan.toll is None and not harms):
            return [(self._number(key), 0, self.one)]
        toll = plan.toll
        found: dict[State, Number] = {}
        if toll is None:
            for end, share in ends(self.calculator, plan, plan.start).items():
                _add(found, ((left, share * part) for left, part in self._leaving(index, plan, state, end)))
        elif not harms:
            return [(self._number(toll.paid(state, own)), 0, share) for own, share in costs(self.calculator, plan).items()]
        else:
            for end, own, share in outcomes(self.calculator, plan, plan.start, toll):
                lefts = self._leaving(index, plan, state, end)
                _add(found, ((toll.paid(left, own), share * part) for left, part in lefts))
        return [(self._number(ended), 0, share) for ended, share in found.items()]

    def _leaving(self, index: int, plan: Plan, state: State, end: Key) -> Iterator[tuple[State, Number]]:
        """What an attack on another unit leaves: its losses, and what these lead to at once, where the unit bears it."""
        unit, left = self.scenario.forms[index].target, left_by(self.scenario.game, state, plan, end)
        if self.tested is not None or plan.after is None or not left.units[unit].living:
            yield left, self.one
            return
        for word, part in self.calculator.law(plan.after, plan.start, end).items():
            marked = apply(left, Event("odds", (), (Marked(unit, word, 1),))) if word in self.outcomes.marking else left
            yield marked, part

    def _leads(self, plan: Plan, start: Key, end: Key, ended: Key) -> Mapping[str, Number]:
        if self.tested is not None:
            return self.calculator.law(self.tested, ended)
        if plan.after is None:
            return {NOTHING: self.one}
        return self.calculator.law(plan.after, start, end)

    # what is counted on the way

    def _alike(self, index: int) -> bool:
        """Whether an attack is the same from every state: then what it counts depends on nothing before."""
        plans = [self._plan(index, key) for key, _ in self.law]
        if any(not self._made(index, key) for key, _ in self.law):
            return False
        first = self.fresh(index)
        return all((plan.step is None or plan.parts) and plan.volleys == first.volleys for plan in plans)

    def _add_sums(self, index: int) -> None:
        """Go on adding up counts as long as attacks do not depend on states."""
        alike = len(self.steps) == 0 or bool(self.sums)
        if not alike or not self._alike(index):
            self.sums.clear()
            return
        plan = self.fresh(index)
        for tally in COUNTED:
            if tally is BLOCKED and not shared(plan):
                continue
            more = Distribution(normalised_line(self.calculator.spread(plan.volleys, tally, plan.target)))
            self.sums[tally] = self.sums[tally].plus(more) if tally in self.sums else more

    def count(self, tally: Tally) -> Distribution:
        """The distribution of a count over all attacks so far."""
        if tally in self.sums:
            return self.sums[tally]
        return self._joint(tally.name, lambda index, key: self._counting(index, key, tally))

    def wasted(self) -> Distribution:
        """Damage that found no wound to take, over all attacks so far."""
        plans = [self.fresh(index) for index in self.steps if not self._foreign(index)]
        plain = len(plans) == 1 or not any(plan.parts for plan in plans)
        if plain and WOUNDS in self.sums and all(pointwise(plain_part(plan)) and not packeted(plan) for plan in plans):
            whole = sum(lost for _, _, lost in lost_by_model(self.first, self.first.start))
            return spread((max(0, k - whole), chance) for k, chance in enumerate(self.sums[WOUNDS]))
        try:
            return self._joint("wasted", self._wasting)
        except BadInput as error:
            if error.code != TOO_LARGE:
                raise
            self.cut_short = True
            return self._joint("wasted until gone", self._wasting_until_gone)

    def _joint(self, name: str, law: Callable[[int, Key], Ends]) -> Distribution:
        """A count carried along with the states, attack by attack; by its name it goes on from the attack before."""
        done, front = self._fronts.get(name, (0, {(self._number(self._start), 0): self.one}))
        for index in self.steps[done:]:
            laws = {at: law(index, self._keys[at]) for at in dict.fromkeys(at for at, _ in front)}
            found: Front = {}
            for (at, n), chance in front.items():
                for ended, more, share in laws[at]:
                    place = ended, n + more
                    found[place] = found.get(place, 0) + chance * share
            front = found
        self._fronts[name] = len(self.steps), front
        return spread((n, chance) for (_, n), chance in front.items())

    def _number(self, key: Key) -> int:
        """The number of a state; states are large, and numbers are quickly told apart."""
        found = self._numbers.setdefault(key, len(self._keys))
        if found == len(self._keys):
            self._keys.append(key)
        return found

    def _ending(self, plan: Plan, key: Key, end: Key, toll: Toll | None = None, own: Hashable = None) -> int:
        """The number of the state in which a plan made from a state ends; plans are kept, so each is itself."""
        at = id(plan), end, own
        found = self._endings.get(at)
        if found is None:
            ended = self._ended(plan, key, end)
            found = self._endings[at] = self._number(ended if toll is None else toll.paid(self.state(ended), own))
        return found

    def _counting(self, index: int, key: Key, tally: Tally) -> Ends:
        if self._foreign(index) or not self._made(index, key):
            return self._costing(index, key) if self._foreign(index) else [(self._number(key), 0, self.one)]
        plan = self._plan(index, key)
        if self.gone(key):
            chances = self.calculator.spread(plan.volleys, tally, plan.target)
            return [(self._number(key), n, chance) for n, chance in enumerate(chances) if chance]
        return self._counted(index, plain_part(plan).target, key, tally, lambda end, n: n)

    def _wasting(self, index: int, key: Key) -> Ends:
        if self._foreign(index) or not self._made(index, key):
            return self._counting(index, key, WASTED)
        plan = self._plan(index, key)
        if self.gone(key):
            law = self.calculator.after_counting(plan.volleys, Overkill(Nobody(plan.target)), 0, WASTED)
            return [(self._number(key), counts[0], chance) for (_, counts), chance in law.items()]
        plain = plain_part(plan)
        if pointwise(plain):
            return self._counted(index, plain.target, key, WOUNDS, lambda end, n: n - (end - plain.start))
        return self._counted(index, Overkill(plain.target), key, WASTED, lambda end, n: n)

    def _wasting_until_gone(self, index: int, key: Key) -> Ends:
        """The same without what comes after the last model, where the whole is too much to compute."""
        if self.gone(key):
            return [(self._number(key), 0, self.one)]
        if self._foreign(index) or not self._made(index, key):
            return self._counting(index, key, WASTED)
        return self._counted(index, plain_part(self._plan(index, key)).target, key, WASTED, lambda end, n: n)

    def _counted(self, index: int, target: AnyTarget, key: Key, tally: Tally, reading: Callable[[Any, int], int]) -> Ends:
        plan = self._plan(index, key)
        start, toll = self._begin(plan, key), self._toll(index, plan)
        if self._last(index):  # nobody asks how it left the two sides
            return self._merged(self._counted_plainly(plan, target, key, tally, reading))
        if toll is not None and toll.along is not None:
            law = self.calculator.law(toll.along, start, (tally,), target).items()
            return [(self._ending(plan, key, s.state, toll, s.firer), s.counts[0], chance) for s, chance in law]
        rows = self._counted_plainly(plan, target, key, tally, reading)
        if toll is None:
            return [(self._ending(plan, key, end), n, chance) for end, n, chance in rows]
        owns = costs(self.calculator, plan).items()
        return [(self._ending(plan, key, end, toll, own), n, chance * part) for end, n, chance in rows for own, part in owns]

    def _last(self, index: int) -> bool:
        """Whether no attack on this target comes after one."""
        return all(form.target != self.target for form in self.scenario.forms[index + 1 :])

    def _merged(self, rows: list[tuple[Key, int, Number]]) -> Ends:
        """Ends that differ in nothing but where they leave the target, taken together."""
        law = added((n, chance) for _, n, chance in rows)
        return [(0, n, chance) for n, chance in law.items()]

    def _counted_plainly(
        self, plan: Plan, target: AnyTarget, key: Key, tally: Tally, reading: Callable[[Any, int], int]
    ) -> list[tuple[Key, int, Number]]:
        """The ends of the target with a count, whatever the attack costs."""
        start = self._begin(plan, key)
        if plan.parts is not None:
            plain, rest = plan.parts
            law = self.calculator.after_counting(plain.volleys, target, plain.start, tally)
            return [
                (last, reading(end, counts[0]), chance * part)
                for (end, counts), chance in law.items()
                for last, part in self.calculator.law(rest, end).items()
            ]
        if plan.step is not None:
            spents = self.calculator.law(plan.step, start, (tally,)).items()
            return [(spent.state, spent.counts[0], chance) for spent, chance in spents]
        law = self.calculator.after_counting(plan.volleys, target, start, tally)
        return [(end, reading(end, counts[0]), chance) for (end, counts), chance in law.items()]


def plain_part(plan: Plan) -> Plan:
    """The part of an attack that is volleys and nothing else, if it has one of its own."""
    return plan if plan.parts is None else plan.parts[0]


def _nothing(dice: object) -> None:
    return None


def _add(found: dict[K, Number], more: Iterable[tuple[K, Number]]) -> None:
    for key, chance in more:
        found[key] = found[key] + chance if key in found else chance


def shared(plan: Plan) -> bool:
    """Whether every save is one that all models share."""
    guarded = plan.target.shared_guard
    for volley in plan.volleys:
        for leaving in volley.flow.leaving:
            if isinstance(leaving, Wound) and (guarded is None or not guarded(leaving)[0]):
                return False
    return True


@lru_cache(maxsize=256)
def own_losses_of(step: Callable[[Dice], int], exact: bool) -> Distribution:
    """How many models an attacker loses to its own weapons."""
    return spread(Calculator(exact).law(step).items())


def spread(pairs: Iterable[tuple[int, Number]]) -> Distribution:
    """A distribution from values with their chances."""
    found = normalised(added(pairs))
    none = 0 * next(iter(found.values()))
    return Distribution([found.get(k, none) for k in range(max(found) + 1)])
