"""Questions about a situation: distance, sight, cover, options and the like, answered with their evidence.

An edition answers in its own way what it lists among its ``asks``; the questions here need no rulebook.
"""

from __future__ import annotations

from typing import Any

from rolloff.errors import BadInput, IllegalCommand
from rolloff.geometry.measure import gap, nearest, slots_of
from rolloff.geometry.sight import Sight, sees
from rolloff.oracle.dice import SeededDice
from rolloff.oracle.oracle import Oracle, Question, Suspended
from rolloff.rules.edition import Ask, Reply
from rolloff.rules.game import Game
from rolloff.rules.play import SIDES, Play, play_step
from rolloff.rules.reading import read_weapons
from rolloff.rules.rows import parts_of
from rolloff.rules.windows import REACT
from rolloff.situations.case_steps import UNIT, phase_step
from rolloff.situations.depiction import write_weapon
from rolloff.situations.forms import PhaseForm
from rolloff.situations.ruling import ACTIVATED, at_phase
from rolloff.table.request import PASS, Request
from rolloff.table.state import NOWHERE, State

PLACELESS = frozenset({"parse", "score", "merge"})
"""Questions that need no positions."""

Json = dict[str, Any]


def _pair(given: Any, where: str) -> tuple[Any, Any]:
    if isinstance(given, list) and len(given) == 2:
        return given[0], given[1]
    raise BadInput("bad-ask", f"{where}: two ids are needed", where=where, allowed='["a1", "b1"]')


def _who(game: Game, state: State, name: object, where: str) -> tuple[int, ...]:
    """The slots a unit's or a model's id stands for; all must be on the table."""
    if isinstance(name, str) and name in game.slots:
        slots: tuple[int, ...] = (game.slots[name],)
    else:
        slots = slots_of(game.scene(state), game.unit_number(name, where))
    if not slots or any(state.at(slot)[0] == NOWHERE for slot in slots):
        raise BadInput("no-position", f"{where}: {name} has no position", where=where, allowed="somebody on the table")
    return slots


def _distance(game: Game, state: State, given: Any) -> Reply:
    """The gap between two units or models, in inches."""
    one, other = _pair(given, "distance")
    scene = game.scene(state)
    ours, theirs = _who(game, state, one, "distance"), _who(game, state, other, "distance")
    if one in game.numbers and other in game.numbers:
        found = nearest(scene, game.numbers[one], game.numbers[other]).gap
    else:
        found = min(gap(scene, a, b) for a in ours for b in theirs)
    return Reply(round(max(found, 0.0) / 1000, 3))


def _sighted(game: Game, found: Sight) -> Reply:
    ends = found.line
    line = None
    if ends is not None:
        line = ((ends[0] / 1000, ends[1] / 1000), (ends[2] / 1000, ends[3] / 1000))
    blockers = [game.field.ground.places[piece].id for piece in found.pieces]
    return Reply(found.visible, (), line, (*blockers, *(game.models[slot].id for slot in found.slots)))


def _sight(game: Game, state: State, given: Any) -> Reply:
    """Whether one sees another, with the clear line or what blocks it."""
    one, other = _pair(given, "sight")
    scene, mode = game.scene(state), game.edition.sight
    ours, theirs = _who(game, state, one, "sight"), _who(game, state, other, "sight")
    looks = [sees(scene, mode, a, b) for a in ours for b in theirs]
    return _sighted(game, next((look for look in looks if look.visible), looks[0]))


def _score(game: Game, state: State, given: Any) -> Reply:
    """A side's score as it stands."""
    if given not in SIDES:
        raise BadInput("bad-ask", f"score: no side {given!r}", where="score", allowed="A or B")
    return Reply(game.edition.score(game, state)[SIDES.index(given)])


def _parse(game: Game, state: State, given: Any) -> Reply:
    """How the edition reads a weapon, and what of it was read otherwise than written."""
    weapons, notes = read_weapons(game.edition, given, "parse")
    shown = [write_weapon(weapon) for weapon in weapons]
    return Reply(shown[0] if len(shown) == 1 else shown, notes=notes)


class _Asker:
    """Activates one unit and stops at the first thing it is asked."""

    def __init__(self, unit: str) -> None:
        self.unit = unit

    def choose(self, request: Question, play: object) -> object:
        """Name the unit; anything else is what we came for."""
        assert isinstance(request, Request)
        if request.kind == UNIT:
            return self.unit
        if request.kind == REACT:
            return PASS
        raise Suspended(request, play)

    def refused(self, request: Question, answer: object, error: Exception) -> bool:
        """Let a refusal stand."""
        return False


def _acting(game: Game, row: str) -> str | None:
    """The phase, as situations name it, in which units act in a row or after it; nothing if none does any more.

    None where situations name no phase of that row.
    """
    phases = {name: [part.row for part in parts] for name, parts in parts_of(game.edition).items()}
    within = [(name, rows.index(row)) for name, rows in phases.items() if row in rows]
    acting = (name for name, at in within if any(part.actions for part in parts_of(game.edition)[name][at:]))
    return next(acting, "") if within else None


def _options(game: Game, state: State, given: Any) -> Reply:
    """What a unit may do if it is activated now, in the phase the clock stands in; nothing if it may not be."""
    game.unit_number(given, "options")
    phase = game.edition.situation.phase or game.edition.opening.phase
    named = None if state.clock.phase == phase else _acting(game, state.clock.phase)
    if named == "":
        assert game.edition.turns is not None
        return Reply([], (game.edition.turns.clause,))
    oracle = Oracle(SeededDice(b""), _Asker(given), strict=True)
    try:
        if named:
            play = Play(game, state, oracle)
            phase_step(game, PhaseForm(named, given), timed=True)[0](play)
        else:
            play = play_step(game, at_phase(game, state, phase, False, "options"), oracle)
    except IllegalCommand as error:
        return Reply([], (error.cited,))
    except Suspended as pause:
        assert isinstance(pause.request, Request)  # noqa: PT017  (for the types alone)
        return Reply(list(pause.request.options or ()), (pause.request.clause,))
    return _forced(play)


def _forced(play: Play) -> Reply:
    """An activation that asked nothing: its one action."""
    activated = next((event for event in play.events if event.kind == ACTIVATED), None)
    return Reply([activated.fact("action")] if activated else [], activated.clauses if activated else ())


COMMON: dict[str, Ask] = {
    "distance": _distance,
    "sight": _sight,
    "score": _score,
    "parse": _parse,
    "options": _options,
}


def _plain(value: object) -> object:
    return [_plain(item) for item in value] if isinstance(value, tuple | list) else value


def answer_ask(game: Game, state: State, unplaced: tuple[str, ...], ask: Json, number: int) -> Json:
    """Answer one question about a state; one that cannot be answered says why, and the others stand.

    Raises:
        BadInput: nobody knows the question, or it needs positions the situation does not give.
    """
    where = f"ask[{number}]"
    known = {**COMMON, **game.edition.asks}
    unknown = next((name for name in ask if name not in known), None)
    if unknown is not None or len(ask) != 1:
        message = f"{where}: {len(ask)} questions in one" if unknown is None else f"{where}: no question {unknown!r} here"
        raise BadInput("no-such-ask", message, where=where, allowed=", ".join(sorted(known)))
    kind, given = next(iter(ask.items()))
    if unplaced and kind not in PLACELESS:
        raise BadInput("no-position", f"{where}: {unplaced[0]} has no position", where=unplaced[0], allowed="at: [x, y]")
    try:
        reply = known[kind](game, state, given)
    except BadInput as error:
        return {"ask": ask, "value": None, "evidence": NO_EVIDENCE, "clauses": [], "error": refused_json(error)}
    line = None if reply.line is None else [[round(x, 3), round(y, 3)] for x, y in reply.line]
    return {
        "ask": ask,
        "value": _plain(reply.value),
        "evidence": {"line": line, "blockers": list(reply.blockers), **dict(reply.seen)},
        "clauses": list(reply.clauses),
        **({"notes": [note.json() for note in reply.notes]} if reply.notes else {}),
    }


NO_EVIDENCE: Json = {"line": None, "blockers": []}


def refused_json(error: BadInput) -> Json:
    """Why a question has no answer, as the interface words it."""
    return {
        "code": error.code,
        "message": error.message,
        "where": error.where,
        "allowed": error.allowed,
        "clause": error.clause,
    }
