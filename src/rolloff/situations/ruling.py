"""A ruling on one case: situation, command, answers and dice in; events, rolls and the state after out."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rolloff.errors import BadInput, DiceError, IllegalCommand
from rolloff.oracle.dice import DiceSource, EnteredDice, NamedDice, SeededDice
from rolloff.oracle.oracle import Oracle, Suspended
from rolloff.rules.edition import Step
from rolloff.rules.game import Game
from rolloff.rules.play import OVER, Play, Stopped
from rolloff.rules.rows import parts_of
from rolloff.rules.windows import REACT
from rolloff.situations.caller import WRONG_KIND, Caller, read_dice
from rolloff.situations.case_steps import (
    ACTION,
    UNIT,
    action_named,
    attack_step,
    named_step,
    phase_step,
    spoken,
    talk_step,
)
from rolloff.situations.forms import (
    ActivateForm,
    AnswerForm,
    CaseForm,
    DoAttackForm,
    PhaseForm,
    StepForm,
    fill,
)
from rolloff.situations.situation import Situation, read_situation
from rolloff.table.event import Event
from rolloff.table.request import PASS, Request
from rolloff.table.state import State

ACTIVATED = "activated"


class Ruling(Struct, frozen=True):
    """What came of a case. ``events`` and ``after`` are those of a legal or pending one.

    A refused one is ``on_its_way`` if the last of its answers was a way for models that may move.
    """

    verdict: str
    events: tuple[Event, ...]
    after: State
    refusal: IllegalCommand | None = None
    pending: Request | None = None
    dice_used: int = 0
    answers_used: int = 0
    on_its_way: bool = False


def _announcement(play: Play) -> Event | None:
    """The event by which the unit under way was announced, or the last one there is."""
    activated = [event for event in play.events if event.kind == ACTIVATED]
    return activated[0] if activated else play.events[-1] if play.events else None


def _clause(game: Game, play: Play) -> str:
    event = _announcement(play)
    return event.clauses[-1] if event and event.clauses else game.edition.situation.clause or game.edition.engine.choice


def _check_claims(game: Game, play: Play, caller: Caller) -> None:
    """What the command claimed must have come about, even where the rules did not ask."""
    event = _announcement(play)
    for kind, claim in caller.claims.items():
        fact = event.fact("unit" if kind == UNIT else "action") if event else None
        came = game.names[fact] if kind == UNIT and isinstance(fact, int) and fact >= 0 else fact
        if came != claim:
            raise IllegalCommand("not-offered", _clause(game, play), f"{claim!r} is not offered here", claim)
    left = [row for row in caller.answers[caller.used :] if (row.kind, row.value) != (REACT, "pass")]
    if left:
        raise _not_asked(game, play, left[0])


def _not_asked(game: Game, play: Play, left: AnswerForm) -> IllegalCommand:
    """The refusal of an answer that nothing asked for; a reaction's names its own clause."""
    said = left.value if left.kind == REACT and isinstance(left.value, str) else ""
    named = [rule for rule in game.edition.reactions if said == rule.name or said.startswith(f"{rule.name} ")]
    if named:
        return IllegalCommand("nothing-asked", named[0].clause, f"{named[0].name} cannot be used here", left.kind)
    return IllegalCommand("nothing-asked", _clause(game, play), f"nothing asks for {left.kind} here", left.kind)


def _finish(dice: DiceSource) -> None:
    if isinstance(dice, EnteredDice | NamedDice):
        dice.finish()


def play_case(
    game: Game, state: State, dice: DiceSource, caller: Caller, step: Step | None = None, before: State | None = None
) -> Ruling:
    """Play the step the clock names, or the one given, with the case's dice and answers.

    A refused case ends as it began: at ``before``, or at the state.

    Raises:
        BadInput: dice that do not fit, or answers that mean nothing.
    """
    drawn = _drawn(dice)
    play = Play(game, state, Oracle(dice, caller, strict=True))
    try:
        with suppress(Stopped):
            (step or game.edition.steps[state.clock.phase])(play)
        _check_claims(game, play, caller)
        _finish(dice)
    except IllegalCommand as error:
        begun = state if before is None else before
        return Ruling("refused", (), begun, refusal=error, answers_used=caller.used, on_its_way=caller.on_its_way)
    except DiceError as error:
        waits = caller.waiting
        if waits is None:
            error.answered = caller.used
            raise
        return Ruling("refused", (), state if before is None else before, refusal=_not_asked(game, play, waits))
    except Suspended as pause:
        request, stopped = pause.request, pause.play
        assert isinstance(request, Request) and isinstance(stopped, Play)
        used = _drawn(dice) - drawn
        return Ruling("pending", tuple(stopped.events), stopped.state, pending=request, dice_used=used)
    return Ruling("legal", tuple(play.events), play.state, dice_used=_drawn(dice) - drawn)


def _drawn(dice: DiceSource) -> int:
    return dice.drawn if isinstance(dice, SeededDice | EnteredDice | NamedDice) else 0


def at_phase(game: Game, state: State, phase: str, given: bool, where: str) -> State:
    """The state at the phase a command belongs to; a clock that says another refuses."""
    if phase not in game.edition.steps:
        allowed = ", ".join(sorted({*game.edition.steps, *parts_of(game.edition)}))
        raise BadInput("unknown-phase", f"{where}: no step {phase!r}", where=where, allowed=allowed)
    if state.clock.phase == phase:
        return state
    if given or state.clock.phase == OVER:
        raise BadInput(
            "wrong-phase",
            f"{where}: the clock says {state.clock.phase}, not {phase}",
            where=where,
            allowed=state.clock.phase,
        )
    return replace(state, clock=replace(state.clock, phase=phase))


def _placed(situation: Situation, where: str) -> None:
    if situation.unplaced:
        name = situation.unplaced[0]
        raise BadInput("no-position", f"{where}: {name} has no position", where=name, allowed="at: [x, y]")


def rule_on(case: CaseForm, situation: Situation) -> Ruling:
    """The ruling on a case; without a command the situation stands.

    A reaction nobody is asked about as a rule may still be used (`SituationDefaults.wider`): where a case with reactions is
    refused, it is ruled on again with those offered too, and the refusal stands only if that does not help.

    Raises:
        BadInput: the case cannot be used.
    """
    found, game = _in_order(case, situation), situation.game
    wider = game.edition.situation.wider
    reacts = any(row.kind == REACT and row.value != PASS for row in case.answers)
    if found.refusal is None or not reacts or not wider or game.switches[wider]:
        return found
    more = replace(case, switches={**case.switches, wider: True})
    try:
        again = _in_order(more, read_situation(more))
    except DiceError as error:
        if error.answered >= len(case.answers):  # all of them were taken, and dice are too few or too many for that
            raise
        return found
    return found if again.refusal is not None else again


def _in_order(case: CaseForm, situation: Situation) -> Ruling:
    """The ruling on a case whose answers may leave out what has a default.

    An answer refused because something of another kind is asked first may be meant for a later request: then those before
    it take their defaults, and the refusal stands only if that helps nobody.

    Raises:
        BadInput: the case cannot be used.
    """
    found = _rule_on(case, situation)
    if found.refusal is None or found.refusal.code != WRONG_KIND or case.unanswered == "stop":
        return found
    try:
        again = _rule_on(case, situation, patient=True)
    except DiceError as error:
        if error.answered >= len(case.answers):  # all of them found their request
            raise
        return found
    return found if again.refusal is not None and again.answers_used <= found.answers_used else again


def _rule_on(case: CaseForm, situation: Situation, passed: frozenset[int] = frozenset(), patient: bool = False) -> Ruling:
    """The ruling on a case as players are asked; with a ``patient`` caller answers wait for a request of their kind.

    An answer refused where one option was left, so that nothing needed asking, may be meant for a later request of its
    kind: then the case is ruled on again with that request ``passed`` by, and the refusal stands only if that helps nobody.

    Raises:
        BadInput: the case cannot be used.
    """
    game, state, dice = situation.game, situation.state, read_dice(case.dice)
    if case.do is None:
        if case.answers:
            raise BadInput("nothing-done", "answers are given but nothing is done", where="answers", allowed="do")
        _finish(dice)
        return Ruling("legal", (), state)
    stop = case.unanswered == "stop"
    if "attack" in case.do:
        attack = attack_step(game, fill(case.do, DoAttackForm, "do").attack)
        return play_case(game, state, dice, Caller(game, {}, case.answers, stop, patient=patient), attack)
    said = spoken(case.do)
    name = next((name for name in said if name in game.edition.talk), None)
    if name is not None:
        talk = talk_step(game, said, name)
        return play_case(game, state, dice, Caller(game, {}, case.answers, stop, patient=patient), talk)
    if "play" not in game.edition.can:
        message = f"do: {game.edition.id} resolves attacks by themselves; games of it cannot be played yet"
        raise BadInput("not-playable", message, where="do", allowed="attack")
    _placed(situation, "do")
    claims: dict[str, str] = {}
    if "phase" in case.do:
        form_of_phase = fill(case.do, PhaseForm, "do")
        step, claims = phase_step(game, form_of_phase, case.clock is not None)
        caller = Caller(game, claims, case.answers, stop, passed, patient)
        return _again(case, situation, caller, play_case(game, state, dice, caller, step))
    _known(case.do, game)
    whole: Step | None = None
    if "step" in case.do:
        row = "" if case.clock is None else state.clock.phase
        phase, whole = named_step(game, fill(case.do, StepForm, "do").step, row)
    else:
        form = fill(case.do, ActivateForm, "do")
        game.unit_number(form.activate, "do.activate")
        phase = game.edition.situation.phase or game.edition.opening.phase
        claims[UNIT] = form.activate
        if form.action is not None:
            claims[ACTION] = action_named(game, form.action)
    begun = at_phase(game, state, phase, case.clock is not None, "do")
    caller = Caller(game, claims, case.answers, stop, passed, patient)
    return _again(case, situation, caller, play_case(game, begun, dice, caller, whole, before=state))


def _known(do: dict[str, Any], game: Game) -> None:
    """Refuse a command nobody knows by what the first of these words would be.

    Raises:
        BadInput: it is none of them.
    """
    if "talk" in do:
        allowed = ", ".join(game.edition.talk) or "none: nothing is said in this edition"
        raise BadInput("unknown-talk", "do.talk: this is nothing that may be said", where="do.talk", allowed=allowed)
    words = ("activate", "attack", "phase", "step", *game.edition.talk)
    if not do:
        raise BadInput("bad-field", "do: it says nothing that is done", where="do", allowed=", ".join(words))
    if not any(word in do for word in words):
        name = next(iter(do))
        raise BadInput("unknown-field", f"do: there is no field {name!r}", where=f"do.{name}", allowed=", ".join(words))


def _again(case: CaseForm, situation: Situation, caller: Caller, ruling: Ruling) -> Ruling:
    """The ruling, or if an answer was refused that may be meant for a later request, that on the case with it passed by.

    If a later answer is refused then, that one was taken by the request it was meant for, and the later refusal stands; so
    do dice that do not fit after it was taken. A way that was refused where nobody may move is meant for a move in which
    somebody may: there it is refused for what is wrong with it.

    Raises:
        BadInput: the dice do not fit.
    """
    if ruling.refusal is None or caller.doubtful < 0:
        return ruling
    try:
        again = _rule_on(case, situation, caller.passed | {caller.doubtful}, caller.patient)
    except BadInput as error:
        if isinstance(error, DiceError) and error.answered >= ruling.answers_used:
            raise
        return ruling
    if again.refusal is None or again.answers_used > ruling.answers_used:
        return again
    return again if again.on_its_way and again.answers_used == ruling.answers_used else ruling
