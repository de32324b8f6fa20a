"""A ruling on one case: situation, command, answers and dice in; events, rolls and the state after out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rolloff.errors import BadInput, DiceError, IllegalCommand
from rolloff.oracle.dice import DiceSource, EnteredDice, NamedDice, SeededDice, seed_bytes
from rolloff.oracle.oracle import Oracle, Question, Suspended
from rolloff.rules.answers import MOVE, ByWay, read_answer, read_talk
from rolloff.rules.attack import AttackForm as Attack
from rolloff.rules.edition import Step
from rolloff.rules.effects import Boundary, ended
from rolloff.rules.game import Game
from rolloff.rules.play import OVER, TALK, Play, Stopped
from rolloff.rules.rows import parts_of
from rolloff.rules.turns import PICKS, Part, table_of
from rolloff.rules.windows import REACT
from rolloff.situations.cards import thou
from rolloff.situations.forms import (
    MOST_DICE,
    ActivateForm,
    AnswerForm,
    AttackForm,
    CaseForm,
    DoAttackForm,
    PhaseForm,
    SeedForm,
    StepForm,
    fill,
)
from rolloff.situations.situation import Situation
from rolloff.table.event import Event
from rolloff.table.request import Request
from rolloff.table.state import MERGED, State, with_mark

ACTIVATED = "activated"
UNIT, ACTION = "choose-unit", "choose-action"
AGAIN = ">"


class StagedDice(NamedDice):
    """Dice by the name of their roll; a re-roll without its own dice takes those of the roll it repeats."""

    def __init__(self, faces: dict[str, list[Any]]) -> None:
        """Take the faces of each named roll."""
        super().__init__(faces)
        self._names = frozenset(faces)

    def faces(self, n: int, label: str, sides: int = 6) -> list[int]:
        """The next faces of that roll."""
        known = label in self._names
        return super().faces(n, label if known else label.removesuffix(AGAIN), sides)


def _seed(given: int | str) -> bytes:
    if isinstance(given, int):
        return seed_bytes(given)
    try:
        return bytes.fromhex(given)
    except ValueError:
        raise BadInput(
            "bad-seed",
            f"dice.seed: {given[:80]!r} is no seed",
            where="dice.seed",
            allowed="a number or hex digits",
        ) from None


def read_dice(given: list[Any] | dict[str, Any] | None) -> DiceSource:
    """The dice of a case: faces in order, faces by roll, or a stream from a seed; without any, none.

    Raises:
        DiceError: a face that is on no die, or more dice than anybody may enter.
    """
    if given is None or isinstance(given, list):
        return EnteredDice(_capped(given or []))
    if "seed" in given and not isinstance(given["seed"], list):
        form = fill(given, SeedForm, "dice")
        if not 0 <= form.from_ < 2**62:
            raise BadInput("bad-number", f"dice.from: {form.from_} is out of bounds", where="dice.from")
        return SeededDice(_seed(form.seed), form.from_)
    for name, faces in given.items():
        if not isinstance(faces, list):
            raise DiceError("bad-dice", f"dice.{name}: a list of faces is needed", where=f"dice.{name}")
    _capped([face for faces in given.values() for face in faces])
    return StagedDice(given)


def _capped(faces: list[Any]) -> list[Any]:
    if len(faces) > MOST_DICE:
        raise DiceError("too-many", f"{len(faces)} dice are over the cap", where="dice", allowed=f"{MOST_DICE} dice")
    return faces


class Caller:
    """Answers a step from what a case says: the claims of its command, then its answers in order.

    It is asked strictly, also where one option is left: then an answer of that kind must be that option, and
    without one the option is taken. Answers that were meant for a later request pass by the requests in ``passed``.
    """

    def __init__(
        self,
        game: Game,
        claims: dict[str, str],
        answers: Sequence[AnswerForm],
        stop: bool,
        passed: frozenset[int] = frozenset(),
    ) -> None:
        """Claims are answers to the first request of their kind."""
        self.game = game
        self.claims = dict(claims)
        self.answers = answers
        self.stop = stop
        self.used = 0
        self.passed = passed
        self.doubtful = -1
        self.given: list[tuple[str, object]] = []

    def choose(self, request: Question, play: object) -> object:
        """The next answer."""
        assert isinstance(request, Request) and isinstance(play, Play)
        found = self._find(request, play)
        self.given.append((request.kind, found))
        return found

    def _find(self, request: Request, play: Play) -> object:
        if request.kind in self.claims:
            return self.claims.pop(request.kind)
        alone = play.alone
        if self.used < len(self.answers):
            given = self.answers[self.used]
            if given.kind == TALK and not alone:
                self.used += 1
                return read_talk(given.value)
            if given.kind == MOVE and isinstance(request.order, ByWay):
                self.used += 1
                return read_answer(self.game, play.state, replace(request, kind=MOVE), given.value)
            if self._waits(request, given):
                return request.default
            if given.kind == request.kind and not (alone and len(self.given) in self.passed):
                self.used += 1
                self.doubtful = len(self.given) if alone else -1
                return _named_reaction(request, read_answer(self.game, play.state, request, given.value))
            if not alone:
                message = f"{request.kind} is asked for, not {given.kind}"
                raise IllegalCommand("wrong-kind", request.clause, message, given.kind)
        if alone:
            return request.options[0] if request.options else request.default
        if self.stop:
            raise Suspended(request, play)
        return request.default

    def _waits(self, request: Request, given: AnswerForm) -> bool:
        """Whether the next answer is for a later request: a reaction waits for the window that offers it, and windows that
        nobody spoke of pass. Not where the case stops at what is unanswered.
        """
        if self.stop or REACT not in (given.kind, request.kind):
            return False
        if given.kind != request.kind:
            return True
        names = dict(request.facts).get("reactions")
        offered = (*(request.options or ()), *(names if isinstance(names, tuple) else ()))
        return isinstance(given.value, str) and bool(offered) and given.value not in offered

    @property
    def waiting(self) -> AnswerForm | None:
        """The reaction that is still to be used and found no window so far; dice that run out then are its fault."""
        left = self.answers[self.used] if self.used < len(self.answers) else None
        return left if left is not None and left.kind == REACT and left.value != "pass" else None

    def refused(self, request: Question, answer: object, error: Exception) -> bool:
        """A refused answer refuses the case."""
        return False


def _named_reaction(request: Request, answer: object) -> object:
    """A reaction by its name alone: the first use of it that is offered."""
    if request.kind != REACT or answer in (request.options or ()):
        return answer
    names = dict(request.facts).get("reactions")
    if not isinstance(names, tuple) or answer not in names:
        return answer
    return (request.options or ())[names.index(str(answer))]


class Ruling(Struct, frozen=True):
    """What came of a case. ``events`` and ``after`` are those of a legal or pending one."""

    verdict: str
    events: tuple[Event, ...]
    after: State
    refusal: IllegalCommand | None = None
    pending: Request | None = None
    dice_used: int = 0


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
    except IllegalCommand as error:
        return Ruling("refused", (), state if before is None else before, refusal=error)
    except DiceError:
        waits = caller.waiting
        if waits is None:
            raise
        return Ruling("refused", (), state if before is None else before, refusal=_not_asked(game, play, waits))
    except Suspended as pause:
        request, stopped = pause.request, pause.play
        assert isinstance(request, Request) and isinstance(stopped, Play)
        used = _drawn(dice) - drawn
        return Ruling("pending", tuple(stopped.events), stopped.state, pending=request, dice_used=used)
    _finish(dice)
    return Ruling("legal", tuple(play.events), play.state, dice_used=_drawn(dice) - drawn)


def _drawn(dice: DiceSource) -> int:
    return dice.drawn if isinstance(dice, SeededDice | EnteredDice | NamedDice) else 0


def at_phase(game: Game, state: State, phase: str, given: bool, where: str) -> State:
    """The state at the phase a command belongs to; a clock that says another refuses."""
    if phase not in game.edition.steps:
        allowed = ", ".join(sorted(game.edition.steps))
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


def rule_on(case: CaseForm, situation: Situation, passed: frozenset[int] = frozenset()) -> Ruling:
    """The ruling on a case; without a command the situation stands.

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
        attack = _attack(game, fill(case.do, DoAttackForm, "do").attack)
        return play_case(game, state, dice, Caller(game, {}, case.answers, stop), attack)
    said = next((name for name in case.do if name in game.edition.talk), None)
    if said is not None:
        talk = _talk(game, case.do, said)
        return play_case(game, state, dice, Caller(game, {}, case.answers, stop), talk)
    if "play" not in game.edition.can:
        message = f"do: {game.edition.id} resolves attacks by themselves; games of it cannot be played yet"
        raise BadInput("not-playable", message, where="do", allowed="attack")
    _placed(situation, "do")
    claims: dict[str, str] = {}
    if "phase" in case.do:
        form_of_phase = fill(case.do, PhaseForm, "do")
        step, claims = phase_step(game, form_of_phase)
        caller = Caller(game, claims, case.answers, stop, passed)
        return _again(case, situation, passed, caller, play_case(game, state, dice, caller, step))
    _known(case.do, game)
    if "step" in case.do:
        phase = fill(case.do, StepForm, "do").step
    else:
        form = fill(case.do, ActivateForm, "do")
        game.unit_number(form.activate, "do.activate")
        phase = game.edition.situation.phase or game.edition.opening.phase
        claims[UNIT] = form.activate
        if form.action is not None:
            claims[ACTION] = _action(game, form.action)
    begun = at_phase(game, state, phase, case.clock is not None, "do")
    caller = Caller(game, claims, case.answers, stop, passed)
    return _again(case, situation, passed, caller, play_case(game, begun, dice, caller, before=state))


def _known(do: dict[str, Any], game: Game) -> None:
    """Refuse a command nobody knows by what the first of these words would be.

    Raises:
        BadInput: it is none of them.
    """
    words = ("activate", "attack", "phase", "step", *game.edition.talk)
    if do and not any(word in do for word in words):
        name = next(iter(do))
        raise BadInput("unknown-field", f"do: there is no field {name!r}", where=f"do.{name}", allowed=", ".join(words))


def _again(case: CaseForm, situation: Situation, passed: frozenset[int], caller: Caller, ruling: Ruling) -> Ruling:
    """The ruling, or if an answer was refused that may be meant for a later request, that on the case with it passed by."""
    if ruling.refusal is not None and caller.doubtful >= 0:
        with suppress(BadInput):
            again = rule_on(case, situation, passed | {caller.doubtful})
            return ruling if again.refusal is not None else again
    return ruling


# -- parts of a phase ------------------------------------------------------------------------------


def phase_step(game: Game, form: PhaseForm) -> tuple[Step, dict[str, str]]:
    """What a phase command plays, and what it claims.

    Raises:
        BadInput: the edition has no such phase, or nobody takes that action in it.
    """
    phases = parts_of(game.edition)
    parts = phases.get(form.phase)
    if parts is None:
        allowed = ", ".join(phases) or "none: this edition has no phases"
        raise BadInput("unknown-phase", f"do.phase: no phase {form.phase!r}", where="do.phase", allowed=allowed)
    if form.unit is None:
        return partial(_whole_phase, form.phase, parts), {}
    unit = game.unit_number(form.unit, "do.unit")
    found = [part for part in parts if part.actions and form.action in (None, *part.actions)]
    if not found:
        allowed = ", ".join(action for part in parts for action in part.actions)
        raise BadInput("unknown-action", f"do.action: no {form.action!r} in this phase", where="do.action", allowed=allowed)
    claims = {UNIT: form.unit}
    if form.action is not None:
        claims[ACTION] = form.action
    return partial(_part_of, found[0], unit), claims


def _at_row(play: Play, row: str, side: int = -1) -> None:
    """Set the clock to a row without ceremony; with a side that player picks."""
    clock = play.state.clock
    marks = clock.marks if side < 0 else with_mark(clock.marks, PICKS, side)
    play.state = replace(play.state, clock=replace(clock, phase=row, marks=marks))


def _note_acted(play: Play, did: Iterable[str]) -> None:
    """Units whose marks say that they have had their part in a phase have acted in it."""
    units = play.state.units
    acted = tuple(k for k, held in enumerate(units) if any(held.mark(name) is not None for name in did))
    if acted:
        kept = tuple(replace(held, done=True) if k in acted else held for k, held in enumerate(units))
        play.state = replace(play.state, units=kept)


def _part_of(part: Part, unit: int, play: Play) -> None:
    """One unit's part of a phase, after the work that opens it."""
    turns, held = table_of(play), play.state.units[unit]
    if held.where == MERGED:
        name, host = play.game.names[unit], play.game.names[play.state.owner_of(play.game.starts[unit])]
        raise IllegalCommand("joined", turns.clause, f"{name} is part of {host}: name that unit", name)
    for row in part.before:
        _at_row(play, row)
        turns.named[row].run(play)
    _at_row(play, part.row, play.game.side_of(unit))
    _note_acted(play, part.did)
    barred = part.why(play, unit) if part.why else None
    if barred is not None:
        raise barred
    if part.acts is not None:
        part.acts(play, unit)
        return
    if not turns.named[part.row].run(play):
        name = play.game.names[unit]
        raise IllegalCommand("not-offered", turns.clause, f"{name} has no part in this phase", name)


def _whole_phase(phase: str, parts: tuple[Part, ...], play: Play) -> None:
    """All rows of a phase, one after the other, as they come in a game."""
    turns, rows = table_of(play), {part.row for part in parts}
    did = {name for part in parts for name in part.did}
    first = parts[0].row
    active, number = play.state.clock.active, play.state.clock.round
    _at_row(play, first)
    lifted = ended(play.game, play.state, Boundary(f"start-{turns.phase(play.state.clock)}", active))
    if lifted:
        play.emit("next", (turns.clause,), *lifted, side=active)
    clock, entered = play.state.clock, ""
    while clock.phase in rows and (clock.active, clock.round) == (active, number):
        if clock.phase != entered:
            entered = clock.phase
            _note_acted(play, did)
        play.game.edition.steps[clock.phase](play)
        clock = play.state.clock


def _talk(game: Game, do: dict[str, Any], name: str) -> Step:
    """What players may do at any time, as the edition knows it: a dispute, an override, conceding."""
    given = do[name]
    if len(do) != 1 or not isinstance(given, dict):
        raise BadInput("bad-talk", f"do.{name}: an object of its own is needed", where=f"do.{name}", allowed="one object")
    return lambda play: game.edition.talk[name](play, given)


def _attack(game: Game, form: AttackForm) -> Step:
    """The step that resolves an attack by itself."""
    sequence = game.edition.sequence
    if sequence is None:
        raise BadInput("no-attacks", f"{game.edition.id} resolves no attacks by themselves", where="do.attack")
    stated = read_attack(game, form)
    return lambda play: sequence.run(play, stated)


def read_attack(game: Game, form: AttackForm, where: str = "do.attack") -> Attack:
    """A written attack as the rules take it; `BadInput` for names nobody knows."""
    kinds = game.edition.sequence.kinds() if game.edition.sequence else (form.kind,)
    if form.kind not in kinds:
        known = ", ".join(kinds)
        raise BadInput("bad-field", f"{where}.kind: no kind of attack {form.kind!r}", where=f"{where}.kind", allowed=known)
    weapons = None
    if form.weapons != "all":
        weapons = tuple(_chosen(game, *pair, f"{where}.weapons") for pair in form.weapons)
        _once(game, weapons, f"{where}.weapons")
    return Attack(
        attacker=game.unit_number(form.attacker, f"{where}.attacker"),
        target=game.unit_number(form.target, f"{where}.target"),
        kind=form.kind,
        weapons=weapons,
        range=None if form.range is None else thou(form.range, f"{where}.range", 0),
        visible=form.visible,
        cover=form.cover,
        facing=form.facing,
        moved=form.moved,
        charged=form.charged,
        stationary=form.stationary,
        half_range=form.half_range,
    )


def _chosen(game: Game, model: str, index: int, where: str) -> tuple[int, int]:
    slot = game.slot_number(model, where)
    held = len(game.models[slot].weapons)
    if not 0 <= index < held:
        raise BadInput("unknown-weapon", f"{where}: {model} has no weapon {index}", where=where, allowed=f"0 to {held - 1}")
    return slot, index


def _once(game: Game, weapons: tuple[tuple[int, int], ...], where: str) -> None:
    """A weapon fires or strikes once in an attack, however often it is named; two copies have numbers of their own."""
    for (slot, index), count in Counter(weapons).items():
        if count > 1:
            message = f"{where}: weapon {index} of {game.models[slot].id} is named twice"
            raise BadInput("named-twice", message, where=where, allowed="each weapon once")


def _action(game: Game, action: str) -> str:
    known = [one.name for one in game.edition.actions]
    if known and action not in known:
        raise BadInput("unknown-action", f"do.action: no action {action!r}", where="do.action", allowed=", ".join(known))
    return action
