"""The odds of a scenario: each attack from every state the ones before may have left, and what becomes of the targets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from rolloff.odds.ends import evened
from rolloff.odds.results import AttackOdds, ExchangeOdds, Odds, StageOdds, TargetOdds, capped
from rolloff.odds.scenarios import Scenario, speaking_of
from rolloff.odds.track import NOTHING, Track, spread
from rolloff.oracle.calculator import Calculator
from rolloff.oracle.flow import ATTACKS, BLOCKED, HITS, IGNORED, WOUNDS, Wound
from rolloff.oracle.stage import Stage
from rolloff.oracle.target import Ladder
from rolloff.rules.attack import Change, Clash, Plan
from rolloff.rules.terms import Outcomes
from rolloff.table.state import State


def odds_of(scenario: Scenario, exact: bool = False, calculator: Calculator | None = None) -> Odds:
    """All odds of a scenario, as floats or as fractions; a calculator that is kept remembers what scenarios share.

    Raises:
        BadInput: an attack the rules do not allow, or more attacks than can be reckoned.
    """
    calculator = calculator or Calculator(exact)
    tracks: dict[int, Track] = {}
    results = []
    fought = scenario.strikes_back() if scenario.exchange else None
    begin: Mapping[tuple[State, str], Any] = {}
    for index, form in enumerate(scenario.forms):
        track = tracks.get(form.target) or Track(scenario, calculator, index)
        tracks[form.target] = track
        if fought is not None and index == fought[1]:
            begin = _standing(scenario, track, form.target)
        track.attacked(index)
        results.append(_attack(scenario, track, index))
    targets = {scenario.game.names[unit]: _target(track) for unit, track in tracks.items()}
    exchange = None
    if fought is not None:
        exchange, left = _exchange(scenario, calculator, begin, fought[1])
        targets[scenario.game.names[scenario.forms[-1].target]] = left
    return Odds(scenario.game.edition.id, exact, scenario.policies, tuple(results), targets, exchange, scenario.notes)


def _attack(scenario: Scenario, track: Track, index: int) -> AttackOdds:
    plan, wasted = track.fresh(index), track.wasted()
    cut = (Change("wasted", "of all attacks", "until the last model falls", ""),) if track.cut_short else ()
    return AttackOdds(
        attack=index,
        target=scenario.game.names[scenario.forms[index].target],
        attacks=track.count(ATTACKS),
        hits=track.count(HITS),
        ignored=track.count(IGNORED),
        blocked=track.count(BLOCKED),
        wounds=track.count(WOUNDS),
        damage=track.spread(track.damage),
        kills=track.spread(track.kills),
        wasted=wasted,
        left_on_next=track.spread(track.on_next),
        destroyed=track.destroyed(),
        stages=tuple(dict.fromkeys(stages_of(plan, track.calculator.exact))),
        audit=plan.audit + cut,
    )


def _target(track: Track) -> TargetOdds:
    words = by_word(track.outcomes, ((word, chance) for (_, word), chance in track.law.items()), 0 * track.one)
    return TargetOdds(track.spread(track.kills), track.destroyed(), words)


def by_word(outcomes: Outcomes, pairs: Iterable[tuple[str, Any]], none: Any) -> dict[str, Any]:
    """Chances by word, for every word the edition has."""
    found: dict[str, Any] = dict.fromkeys(outcomes.words, none)
    for word, chance in pairs:
        found[word] = capped(found[word] + chance)
    return found


def stages_of(plan: Plan, exact: bool) -> Iterator[StageOdds]:
    """Every throw an attack may come to: those of its flows, then saves and what ignores wounds."""
    for volley in plan.volleys:
        stages = volley.flow.stages
        for stage in stages[volley.flow.names.index(volley.flow.start) :]:
            if stage.dice:
                yield _stage(stage, exact)
    wounds = [one for volley in plan.volleys for one in volley.flow.exits() if isinstance(one, Wound)]
    throws = getattr(plan.target, "throws", None)
    if throws is not None:
        yield from (_stage(one, exact) for one in throws(wounds))
    if isinstance(plan.target, Ladder):
        for rung in plan.target.rungs:
            saves = [rung.guard(wound) for wound in wounds] if rung.guard is not None else []
            shrugs = [rung.shrugs(wound.harm) for wound in wounds]
            yield from (_stage(save, exact) for save in (*saves, *shrugs) if save is not None and save.dice)


def _stage(stage: Stage[Any], exact: bool) -> StageOdds:
    chance = stage.success()
    return StageOdds(stage.label, chance if exact else float(chance), stage.clauses())


def _standing(scenario: Scenario, track: Track, unit: int) -> dict[tuple[State, str], Any]:
    """The states in which an exchange may begin, the morale of earlier attacks marked on the target and told."""
    found: dict[tuple[State, str], Any] = {}
    for (key, word), chance in track.law.items():
        state = track.state(key, (unit, word) if word in track.outcomes.marking else None)
        found[state, word] = found[state, word] + chance if (state, word) in found else chance
    return found


def _exchange(
    scenario: Scenario, calculator: Calculator, begin: Mapping[tuple[State, str], Any], first: int
) -> tuple[ExchangeOdds, TargetOdds]:
    """Strikes and strikes back, kept joint, and what becomes of the target, the attacks before it included.

    An attack by itself knows neither fear nor who strikes before it; the exchange does. Morale is the worse of before and now.
    """
    exchange, _ = scenario.strikes_back()
    outcomes = scenario.game.edition.outcomes
    forms = scenario.forms[first:]
    whole = len(scenario.state.units[forms[0].target].living)
    clashes: dict[Clash, Any] = {}
    fallen: dict[int, Any] = {}
    for (state, word), share in begin.items():
        law: Mapping[Clash, Any] = {Clash(0, 0, 0, NOTHING, NOTHING): 1}
        standing = len(state.units[forms[0].target].living)
        if standing:
            with speaking_of(f"attacks[{first}]"):
                law = calculator.law(exchange(scenario.game, state, forms, scenario.policies))
        for clash, chance in law.items():
            ended = replace(clash, theirs=NOTHING if standing <= clash.kills else outcomes.worse(word, clash.theirs))
            clashes[ended] = clashes.get(ended, 0) + chance * share
            kills = min(whole, whole - standing + clash.kills)
            fallen[kills] = fallen.get(kills, 0) + chance * share
    found = replace(_clashes(outcomes, evened(clashes), 0 * sum(begin.values())), charged=bool(forms[0].charged))
    destroyed = capped(evened(fallen).get(whole, 0 * sum(begin.values())))
    return found, TargetOdds(spread(fallen.items()), destroyed, found.morale_b)


def _clashes(outcomes: Outcomes, clashes: Mapping[Clash, Any], none: Any) -> ExchangeOdds:
    """The ways an exchange may end, added up."""
    joint: dict[tuple[int, int], Any] = {}
    for clash, chance in clashes.items():
        at = clash.kills, clash.losses
        joint[at] = joint.get(at, none) + chance
    edges = {edge: capped(sum((p for clash, p in clashes.items() if clash.edge == edge), none)) for edge in (1, 0, -1)}
    ours = by_word(outcomes, ((clash.ours, chance) for clash, chance in clashes.items()), none)
    theirs = by_word(outcomes, ((clash.theirs, chance) for clash, chance in clashes.items()), none)
    routs = [capped(sum((words[word] for word in outcomes.breaking), none)) for words in (ours, theirs)]
    return ExchangeOdds(dict(sorted(joint.items())), edges[1], edges[0], edges[-1], routs[0], routs[1], ours, theirs)
