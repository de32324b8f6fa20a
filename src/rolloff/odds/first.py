"""The first attack on a target, from one pass over its states: every table is read off the same arrays when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import lru_cache
from math import fsum

import numpy as np

from rolloff.identity_cache import Recent
from rolloff.lazy import lazy
from rolloff.odds.ends import damage_of, ends, normalised_line, points_lost, total
from rolloff.odds.losses import lost_by_model
from rolloff.odds.results import Distribution, StageOdds, capped
from rolloff.odds.scenarios import Scenario
from rolloff.odds.stages import stages_of
from rolloff.odds.target_odds import NOTHING, Track, own_losses_of, plain_part, shared, spread
from rolloff.odds.waste import Overkill, packeted, pointwise
from rolloff.oracle.aims import Aimed, apart
from rolloff.oracle.calculator import Calculator
from rolloff.oracle.counting import attacks_of, number_line
from rolloff.oracle.flow import ATTACKS, BLOCKED, MORTAL, WASTED, WOUNDS, Tally
from rolloff.oracle.law import Number
from rolloff.oracle.powers import Array
from rolloff.oracle.space import Space
from rolloff.oracle.stage import Stage
from rolloff.oracle.target import MORTAL_TRAIT, Ladder
from rolloff.rules.attack import Change, Plan

CUT_SHORT = Change("wasted", "of all attacks", "until the last model falls", "")


_counted: Recent[Hashable, Distribution] = Recent(2048)
"""Counts of volleys told lately, by the law of one attack and the number of attacks, which is all they depend on."""

NEVER = {False: Distribution([1.0]), True: Distribution([Fraction(1)])}
"""What no attack counts, as floats and exactly."""


def counted(calculator: Calculator, plan: Plan, tally: Tally) -> Distribution:
    """The chances of a count as if every attack of a plan were rolled."""
    if plan.volleys[1:]:
        return Distribution(normalised_line(calculator.spread(plan.volleys, tally, plan.target)))
    volley, exact = plan.volleys[0], calculator.exact
    if tally == ATTACKS:
        return _number(volley.count, volley.weapons, exact)
    line = calculator.line(volley.flow, tally, plan.target)
    if line is calculator.nothing:
        return NEVER[exact]
    key = (tuple(line.tolist()) if exact else line.tobytes()), volley.count, volley.weapons, exact
    found = _counted.get(key)
    if found is None:
        found = Distribution(normalised_line(attacks_of(volley, exact).raised(line).tolist()))
        _counted.keep(key, found)
    return found


@lru_cache(maxsize=2048)
def _number(count: int | Stage[int], weapons: int, exact: bool) -> Distribution:
    """The chances of every number of attacks."""
    return Distribution(normalised_line(number_line(count, weapons, exact).tolist()))


class FirstAttack:
    """One attack from the state a scenario starts with."""

    def __init__(self, scenario: Scenario, calculator: Calculator, index: int) -> None:
        """Plan it; nothing is computed before it is asked for."""
        self.scenario, self.calculator, self.index = scenario, calculator, index
        self.plan: Plan = scenario.plan(index, scenario.state)
        self._counts: dict[Tally, Distribution] = {}
        self._kills: Distribution | None = None
        self._destroyed: Number | None = None

    @lazy
    def track(self) -> Track:
        """The same attack followed state by state, for what arrays cannot tell."""
        found = Track(self.scenario, self.calculator, self.index)
        found.attacked(self.index)
        return found

    @lazy
    def _ends(self) -> tuple[Space | None, Sequence[Hashable], Sequence[Number]]:
        """Where it may leave the target, with the chances; floats sum to one."""
        plan = self.plan
        if plan.step is not None:
            law = ends(self.calculator, plan, plan.start)
            return None, list(law), list(law.values())
        if isinstance(plan.target, Ladder) and self._by_points:
            space: Space | None = self.calculator.space(plan.target)
            return space, plan.target.states(), points_lost(self.count(WOUNDS).chances, plan.start, plan.target.whole)
        space, states, chances = self.calculator.ends(plan.volleys, plan.target, plan.start)
        whole = 1 if self.calculator.exact else fsum(chances)
        return space, states, chances if whole == 1 else [chance / whole for chance in chances]

    @lazy
    def _by_points(self) -> bool:
        """Whether the count of wounds says everything."""
        plain = plain_part(self.plan)
        return pointwise(plain) and not packeted(plain)

    @lazy
    def _chances(self) -> Array:
        return np.array(self._ends[2])

    def read(self, reading: Callable[[Hashable], int], *key: Hashable) -> Distribution:
        """The law of a whole number read off the end; ``key`` says when another plan reads the same of the same states."""
        space, states, chances = self._ends
        if space is None or self.calculator.exact:
            return spread((reading(state), chance) for state, chance in zip(states, chances, strict=True) if chance)
        return Distribution(np.bincount(space.readings(reading, key or None), self._chances).tolist())

    # what a report holds

    def kills(self) -> Distribution:
        """Models that fall."""
        if self._kills is None:
            self._kills = self.read(self.plan.target.kills, "kills")
        return self._kills

    def damage(self) -> Distribution:
        """Wounds that are lost."""
        return self.read(lambda end: damage_of(self.plan, end), "damage", self.plan.start)

    def left_on_next(self) -> Distribution:
        """Wounds on the model that is hurt and next to fall."""
        plan, state = self.plan, self.scenario.state
        own: tuple[int, ...] = ()
        shielded: tuple[int, ...] = ()
        if plan.shielded or any(state.wounds):
            slots = [slot for slot, _, _ in lost_by_model(plan, plan.start)]
            before = tuple([state.wounds_on(slot) for slot in slots])
            own = before if any(before) else ()
            shielded = tuple([at for at, slot in enumerate(slots) if slot in plan.shielded])

        def reading(end: Hashable) -> int:
            rows = lost_by_model(plan, end)
            standing = [(slot, lost + state.wounds_on(slot), lost) for slot, lost, whole in rows if lost < whole]
            first = [row for row in standing if row[0] not in plan.shielded] or standing
            return next((total for _, total, lost in first if lost), 0) or next((total for _, total, _ in first if total), 0)

        return self.read(reading, "left on next", plan.start, own, shielded)

    def destroyed(self) -> Number:
        """The chance that nobody is left."""
        if self._destroyed is None:
            self._destroyed = self._gone()
        return self._destroyed

    def _gone(self) -> Number:
        space, states, chances = self._ends
        if space is not None and not self.calculator.exact:
            return capped(float(self._chances @ space.readings(self.plan.target.gone, "gone")))
        gone = self.plan.target.gone
        return capped(
            sum((chance for state, chance in zip(states, chances, strict=True) if chance and gone(state)), 0 * chances[0])
        )

    def count(self, tally: Tally) -> Distribution:
        """Something counted on the way, as if every attack were rolled."""
        found = self._counts.get(tally)
        if found is None:
            plan = self.plan
            if plan.step is not None and not plan.parts:
                found = self.track.count(tally)
            elif tally is BLOCKED and not shared(plan):
                found = self._blocked()
            else:
                found = counted(self.calculator, plan, tally)
            self._counts[tally] = found
        return found

    def _blocked(self) -> Distribution:
        """What is saved where models have saves of their own."""
        plan = self.plan
        noted = None if plan.step is not None else self.calculator.noted(plan.volleys, plan.target, plan.start, BLOCKED)
        return self.track.count(BLOCKED) if noted is None else Distribution(normalised_line(noted))

    def wasted(self) -> Distribution:
        """Damage that found no wound to take."""
        plan = self.plan
        if self._by_points:
            whole = sum(lost for _, _, lost in lost_by_model(plan, plan.start))
            line = self.count(WOUNDS).chances
            return Distribution(normalised_line([total(line[: whole + 1]), *line[whole + 1 :]]))
        if plan.step is None:
            parts = apart(plan.volleys, plan.target, plan.start)
            if parts is not None:
                return self._wasted_apart(parts)
            found = self.calculator.wasted(plan.volleys, plan.target, plan.start, Overkill(plan.target))
            if found is not None:
                return Distribution(normalised_line(found))
        return self.track.wasted()

    def _wasted_apart(self, parts: Aimed[Hashable]) -> Distribution:
        """The same of attacks that befall the parts of a target one by one: what each wastes, added."""
        whole = Distribution([self.calculator.one])
        for volleys, target, start in parts.values():
            found = self.calculator.wasted(volleys, target, start, Overkill(target))
            if found is None:
                law = self.calculator.after_counting(volleys, Overkill(target), start, WASTED)
                line = spread((counts[0], chance) for (_, counts), chance in law.items())
            else:
                line = Distribution(normalised_line(found))
            whole = whole.plus(line)
        return whole

    def audit(self) -> tuple[Change, ...]:
        """What alters the plain numbers."""
        cut = "track" in self.__dict__ and self.track.cut_short
        return self.plan.audit + ((CUT_SHORT,) if cut else ())

    def mortal(self) -> Distribution | None:
        """Mortal wounds that are lost, where the edition tells them apart."""
        plan = self.plan
        if not plan.mortal:
            return None
        if plan.step is not None:
            return self.track.count(MORTAL)
        if not plan.target.converts and not _mortal_harm(plan):
            return NEVER[self.calculator.exact]
        found = self.calculator.noted(plan.volleys, plan.target, plan.start, MORTAL)
        if found is not None:
            return Distribution(normalised_line(found))
        law = self.calculator.after_counting(plan.volleys, plan.target, plan.start, MORTAL)
        return spread((counts[0], chance) for (_, counts), chance in law.items())

    def own_losses(self) -> Distribution | None:
        """Models the attacker loses to its own weapons, where the edition has such."""
        own = self.plan.own_losses
        return None if own is None else own_losses_of(own, self.calculator.exact)

    def parts(self) -> dict[str, tuple[Distribution, Distribution]]:
        """Kills and damage of the models nothing reaches while others stand, and of those others; empty without such."""
        plan = self.plan
        if not plan.shielded:
            return {}

        def part(inside: bool) -> tuple[Distribution, Distribution]:
            def rows(end: Hashable) -> list[tuple[int, int]]:
                return [(lost, whole) for slot, lost, whole in lost_by_model(plan, end) if (slot in plan.shielded) is inside]

            kills = self.read(lambda end: sum(lost >= whole for lost, whole in rows(end)), "part kills", plan.order, inside)
            damage = self.read(lambda end: sum(lost for lost, _ in rows(end)), "part damage", plan.order, inside)
            return kills, damage

        return {"leader": part(True), "bodyguard": part(False)}

    def stages(self) -> tuple[StageOdds, ...]:
        """Every roll it may come to."""
        return stages_of(self.plan, self.calculator.exact)

    def morale(self) -> dict[str, Number]:
        """What the losses lead to, for every word the edition has."""
        outcomes = self.scenario.game.edition.outcomes
        plan, chances = self.plan, self._ends[2]
        none = 0 * chances[0]
        found: dict[str, Number] = dict.fromkeys(outcomes.words, none)
        if plan.after is None:
            found[NOTHING] = capped(sum(chances, none))
            return found
        dice = self.calculator if plan.tests_kept else Calculator(self.calculator.exact)
        for end, chance in self._by_class():
            if plan.target.gone(end):
                found[NOTHING] = found[NOTHING] + chance
                continue
            for (word, _), share in dice.outcomes(plan.after, plan.start, end):
                found[word] = found[word] + chance * share
        return found if self.calculator.exact else {word: 1.0 if chance > 1 else chance for word, chance in found.items()}

    def _by_class(self) -> list[tuple[Hashable, Number]]:
        """One end of each class, with the chance of all of them."""
        plan, (space, states, chances) = self.plan, self._ends
        if plan.tests_kept and space is not None and not self.calculator.exact and len(space.states) == len(states):
            kinds, ends = space.classes(self._class, plan.tested_by)
            sums: list[float] = np.bincount(kinds, self._chances).tolist()
            return [(end, chance) for end, chance in zip(ends, sums, strict=True) if chance]
        classes: dict[Hashable, tuple[Hashable, Number]] = {}
        for state, chance in zip(states, chances, strict=True):
            if chance:
                kind = self._class(state)
                classes[kind] = (state, classes[kind][1] + chance if kind in classes else chance)
        return list(classes.values())

    def _class(self, end: Hashable) -> Hashable:
        """Ends of one class lead to the same test."""
        plan = self.plan
        if plan.target.gone(end):
            return NOTHING
        return end if plan.tested_by is None else plan.tested_by(end)


def _mortal_harm(plan: Plan) -> bool:
    """Whether some harm of an attack is mortal."""
    for volley in plan.volleys:
        for harm in volley.flow.harms:
            if MORTAL_TRAIT in harm.traits:
                return True
    return False
