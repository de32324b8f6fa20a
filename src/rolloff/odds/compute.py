"""The odds of a scenario: each attack from every state the ones before may have left, and what becomes of the targets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from rolloff.odds.ends import normalised
from rolloff.odds.first import CUT_SHORT, FirstAttack
from rolloff.odds.handing_on import due
from rolloff.odds.results import (
    AttackOdds,
    Distribution,
    Ended,
    ExchangeOdds,
    Odds,
    StageOdds,
    Tables,
    TargetOdds,
    capped,
)
from rolloff.odds.scenarios import Scenario, speaking_of
from rolloff.odds.stages import stages_of
from rolloff.odds.target_odds import COUNTED, NOTHING, Track, spread
from rolloff.oracle.calculator import Calculator, kept
from rolloff.oracle.flow import MORTAL, Tally
from rolloff.oracle.law import Number
from rolloff.rules.attack import Change, FightResult
from rolloff.rules.terms import Outcomes
from rolloff.table.state import State


def odds_of(scenario: Scenario, exact: bool = False, calculator: Calculator | None = None) -> Odds:
    """All odds of a scenario, as floats or as fractions. Every attack is planned now; its tables are computed when asked for.

    Calculators are kept from question to question, so that those that share a target or a weapon share what is known of it.

    Raises:
        BadInput: an attack the rules do not allow; later, when a table is asked for, one that is too much to compute.
    """
    calculator = calculator or kept(exact)
    fought = scenario.strikes_back() if scenario.exchange else None
    known: dict[int, FirstAttack | LaterAttack] = {}
    last: dict[int, Tables] = {}
    results: list[AttackOdds] = []
    begin: Mapping[tuple[State, str], Number] = {}
    for index, form in enumerate(scenario.forms):
        if fought is not None and index == fought[1]:
            track = known[form.target].track if form.target in known else Track(scenario, calculator, index)
            begin = _standing(scenario, track, form.target)
        if form.target in known:
            last[form.target] = LaterAttack(known[form.target].track, index)
        elif index and due(scenario, index, form.target, 0):
            last[form.target] = known[form.target] = LaterAttack(Track(scenario, calculator, index), index)
        else:
            last[form.target] = known[form.target] = FirstAttack(scenario, calculator, index)
        results.append(AttackOdds(index, scenario.game.names[form.target], last[form.target]))
    targets = {scenario.game.names[unit]: TargetOdds(tables) for unit, tables in last.items()}
    exchange = None
    if fought is not None:
        exchange, left = _exchange(scenario, calculator, begin, fought[1])
        targets[scenario.game.names[scenario.forms[-1].target]] = left
    return Odds(scenario.game.edition.id, exact, scenario.policies, tuple(results), targets, exchange, scenario.notes)


class LaterAttack:
    """An attack on a target that was attacked before: from every state the earlier ones may have left."""

    def __init__(self, track: Track, index: int) -> None:
        """Carry the target through the attack, and read everything off before the next one."""
        track.attacked(index)
        self._counts = {tally: track.count(tally) for tally in COUNTED}
        self._wasted = track.wasted()
        self._kills, self._damage = track.spread(track.kills), track.spread(track.damage)
        self._next, self._destroyed = track.spread(track.on_next), track.destroyed()
        pairs = ((word, chance) for (_, word), chance in track.law.items())
        self._morale = by_word(track.outcomes, pairs, 0 * track.one)
        plan = track.fresh(index)
        self._mortal = track.count(MORTAL) if plan.mortal else None
        self._own = track.own_losses(index)
        self._parts = track.parts()
        self.track = track
        self._stages = stages_of(plan, track.calculator.exact)
        self._audit = plan.audit + ((CUT_SHORT,) if track.cut_short else ())

    def kills(self) -> Distribution:
        """Models that fall."""
        return self._kills

    def damage(self) -> Distribution:
        """Wounds that are lost."""
        return self._damage

    def left_on_next(self) -> Distribution:
        """Wounds on the model that is hurt and next to fall."""
        return self._next

    def wasted(self) -> Distribution:
        """Damage that found no wound to take."""
        return self._wasted

    def count(self, tally: Tally) -> Distribution:
        """Something counted on the way."""
        return self._counts[tally]

    def destroyed(self) -> Number:
        """The chance that nobody is left."""
        return self._destroyed

    def morale(self) -> Mapping[str, Number]:
        """What the losses lead to."""
        return self._morale

    def mortal(self) -> Distribution | None:
        """Mortal wounds that are lost in all attacks so far, where the edition tells them apart."""
        return self._mortal

    def own_losses(self) -> Distribution | None:
        """Models the attacker loses to its own weapons in all its attacks so far."""
        return self._own

    def parts(self) -> Mapping[str, tuple[Distribution, Distribution]]:
        """Kills and damage of the models nothing reaches while others stand, and of those others; empty without such."""
        return self._parts

    def stages(self) -> tuple[StageOdds, ...]:
        """Every roll it may come to."""
        return self._stages

    def audit(self) -> tuple[Change, ...]:
        """What alters the plain numbers."""
        return self._audit


def by_word(outcomes: Outcomes, pairs: Iterable[tuple[str, Number]], none: Number) -> dict[str, Number]:
    """Chances by word, for every word the edition has."""
    found: dict[str, Number] = dict.fromkeys(outcomes.words, none)
    for word, chance in pairs:
        found[word] = capped(found[word] + chance)
    return found


def _standing(scenario: Scenario, track: Track, unit: int) -> dict[tuple[State, str], Number]:
    """The states in which an exchange may begin, the morale of earlier attacks marked on the target and told."""
    found: dict[tuple[State, str], Number] = {}
    for (key, word), chance in track.law.items():
        state = track.state(key, (unit, word) if word in track.outcomes.marking else None)
        found[state, word] = found[state, word] + chance if (state, word) in found else chance
    return found


def _exchange(
    scenario: Scenario, calculator: Calculator, begin: Mapping[tuple[State, str], Number], first: int
) -> tuple[ExchangeOdds, TargetOdds]:
    """Strikes and strikes back, kept joint, and what becomes of the target, the attacks before it included.

    An attack by itself knows neither fear nor who strikes before it; the exchange does. Morale is the worse of before and now.
    """
    exchange, _ = scenario.strikes_back()
    outcomes = scenario.game.edition.outcomes
    forms = scenario.forms[first:]
    whole = len(scenario.state.units[forms[0].target].living)
    clashes: dict[FightResult, Number] = {}
    fallen: dict[int, Number] = {}
    for (state, word), share in begin.items():
        law: Mapping[FightResult, Number] = {FightResult(0, 0, 0, NOTHING, NOTHING): 1}
        standing = len(state.units[forms[0].target].living)
        if standing:
            with speaking_of(f"attacks[{first}]"):
                law = calculator.law(exchange(scenario.game, state, forms, scenario.policies))
        for clash, chance in law.items():
            ended = replace(clash, theirs=NOTHING if standing <= clash.kills else outcomes.worse(word, clash.theirs))
            clashes[ended] = clashes.get(ended, 0) + chance * share
            kills = min(whole, whole - standing + clash.kills)
            fallen[kills] = fallen.get(kills, 0) + chance * share
    found = replace(_clashes(outcomes, normalised(clashes), 0 * sum(begin.values())), charged=bool(forms[0].charged))
    destroyed = capped(normalised(fallen).get(whole, 0 * sum(begin.values())))
    return found, Ended(spread(fallen.items()), destroyed, found.morale_b)


def _clashes(outcomes: Outcomes, clashes: Mapping[FightResult, Number], none: Number) -> ExchangeOdds:
    """The ways an exchange may end, added up."""
    joint: dict[tuple[int, int], Number] = {}
    for clash, chance in clashes.items():
        at = clash.kills, clash.losses
        joint[at] = joint.get(at, none) + chance
    edges = {edge: capped(sum((p for clash, p in clashes.items() if clash.edge == edge), none)) for edge in (1, 0, -1)}
    ours = by_word(outcomes, ((clash.ours, chance) for clash, chance in clashes.items()), none)
    theirs = by_word(outcomes, ((clash.theirs, chance) for clash, chance in clashes.items()), none)
    routs = [capped(sum((words[word] for word in outcomes.breaking), none)) for words in (ours, theirs)]
    return ExchangeOdds(dict(sorted(joint.items())), edges[1], edges[0], edges[-1], routs[0], routs[1], ours, theirs)
