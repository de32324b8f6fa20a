"""What a case asks the referee to play: a part of a phase, an attack, something said, or an action of the edition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import partial
from typing import Any

from msgspec.structs import replace

from rolloff.errors import BadInput, IllegalCommand
from rolloff.rules.attack import AttackForm as Attack
from rolloff.rules.edition import Step
from rolloff.rules.effects import Boundary, ended
from rolloff.rules.game import Game
from rolloff.rules.play import OVER, Play
from rolloff.rules.rows import PICKING, parts_of
from rolloff.rules.turns import PICKS, Part, Turns, boundaries_to, table_of
from rolloff.situations.cards import thou
from rolloff.situations.forms import (
    AttackForm,
    PhaseForm,
)
from rolloff.table.event import Done
from rolloff.table.state import MERGED, with_mark

UNIT, ACTION = "choose-unit", "choose-action"


def phase_step(game: Game, form: PhaseForm, timed: bool = False) -> tuple[Step, dict[str, str]]:
    """What a phase command plays, and what it claims; in a situation that is ``timed`` the clock says when it stands.

    Raises:
        BadInput: the edition has no such phase, or nobody takes that action in it.
    """
    phases = parts_of(game.edition)
    parts = phases.get(form.phase)
    if parts is None:
        allowed = ", ".join(phases) or "none: this edition has no phases"
        raise BadInput("unknown-phase", f"do.phase: no phase {form.phase!r}", where="do.phase", allowed=allowed)
    if form.unit is None:
        return partial(_whole_phase, parts, timed), {}
    unit = game.unit_number(form.unit, "do.unit")
    found = [part for part in parts if part.actions and form.action in (None, *part.actions)]
    if not any(part.actions for part in parts):
        message = f"do.unit: no unit has a part of its own in {form.phase}"
        raise BadInput("unknown-action", message, where="do.unit", allowed="the phase without a unit")
    if not found:
        allowed = ", ".join(action for part in parts for action in part.actions)
        raise BadInput("unknown-action", f"do.action: no {form.action!r} in this phase", where="do.action", allowed=allowed)
    claims = {UNIT: form.unit}
    if form.action is not None:
        claims[ACTION] = form.action
    return partial(_part_of, found[0], unit, timed), claims


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


def _note_earlier(play: Play, parts: Iterable[Part]) -> None:
    """What earlier phases of this turn would have noted."""
    for part in parts:
        if part.noted is not None:
            part.noted(play)


def _still_to_do(parts: tuple[Part, ...], row: str) -> list[str]:
    """The marks by which units have had their part in a row of a phase, or in one that is still to come."""
    ahead = parts[[part.row for part in parts].index(row) :]
    return [name for part in ahead for name in part.did]


def _next_round(play: Play, turns: Turns) -> None:
    """From the rows after the turns of a round, where the clock stands: they are played, and the next round begins."""
    late = [step.name for step in turns.after]
    if play.state.clock.phase not in late:
        return
    while play.state.clock.phase in late:
        play.game.edition.steps[play.state.clock.phase](play)
    clock = play.state.clock
    if clock.phase == OVER:
        raise IllegalCommand("over", turns.ends[str(clock.mark("end"))][0], "the last round has been played", clock.round)


def _go_on(play: Play, row: str) -> None:
    """From an earlier phase of the turn, where the clock stands: who acted in it may act again, what lasts so long ends."""
    turns = table_of(play)
    _next_round(play, turns)
    state = play.state
    crossed = boundaries_to(turns, state.clock, row)
    if crossed:
        acted = [Done(k, False) for k in play.game.acted(state)]
        play.emit("next", (turns.clause,), *acted, *ended(play.game, state, *crossed), side=state.clock.active)


def _part_of(part: Part, unit: int, timed: bool, play: Play) -> None:
    """One unit's part of a phase, after the work that opens it."""
    turns, held = table_of(play), play.state.units[unit]
    if held.where == MERGED:
        name, host = play.game.names[unit], play.game.names[play.state.owner_of(play.game.starts[unit])]
        raise IllegalCommand("joined", turns.clause, f"{name} is part of {host}: name that unit", name)
    if timed:
        _go_on(play, part.row)
    _note_earlier(play, [part])
    for row in part.before:
        _at_row(play, row)
        turns.named[row].run(play)
    _at_row(play, part.row, play.game.side_of(unit))
    _lift(play)
    _note_acted(play, part.did)
    barred = part.why(play, unit) if part.why else None
    if barred is not None:
        raise barred
    if part.acts is not None and play.game.side_of(unit) == play.state.clock.active:
        part.acts(play, unit)
        return
    if part.acts is not None or not turns.named[part.row].run(play):
        name = play.game.names[unit]
        raise IllegalCommand("not-offered", turns.clause, f"{name} has no part in this phase", name)


def _lift(play: Play) -> None:
    """What lasts until the phase starts ends."""
    turns, clock = table_of(play), play.state.clock
    lifted = ended(play.game, play.state, Boundary(f"start-{turns.phase(clock)}", clock.active))
    if lifted:
        play.emit("next", (turns.clause,), *lifted, side=clock.active)


def _whole_phase(parts: tuple[Part, ...], timed: bool, play: Play) -> None:
    """All rows of a phase, one after the other, as they come in a game; those that are left if the clock stands in one."""
    clock, rows, first = play.state.clock, {part.row for part in parts}, parts[0].row
    under_way = timed and clock.phase in rows and clock.phase != first
    if timed and not under_way:
        _go_on(play, first)
    active, number = play.state.clock.active, play.state.clock.round
    _note_earlier(play, parts)
    if under_way:
        _open(play, parts, clock.phase)
    else:
        _at_row(play, first)
        _lift(play)
    clock, entered = play.state.clock, ""
    while clock.phase in rows and (clock.active, clock.round) == (active, number):
        if clock.phase != entered:
            entered = clock.phase
            _note_acted(play, _still_to_do(parts, entered))
        play.game.edition.steps[clock.phase](play)
        clock = play.state.clock


def named_step(game: Game, word: str, row: str) -> tuple[str, Step | None]:
    """The row a step begins at, and what it plays if its word is a phase's: the phase from its first row, or from ``row``.

    A row that is called like its phase is played with the work that opens it; the phase is meant where the clock stands in
    another of its rows.
    """
    parts = parts_of(game.edition).get(word, ())
    if row != word and any(part.row == row for part in parts):
        return row, partial(_until_picked, parts)
    if word in game.edition.steps and any(part.before for part in parts if part.row == word):
        return word, partial(_opened, word, parts)
    if word in game.edition.steps or not parts:
        return word, None
    return parts[0].row, partial(_until_picked, parts)


def _open(play: Play, parts: tuple[Part, ...], row: str) -> None:
    """The work that opens a row of a phase."""
    for opening in dict.fromkeys(name for part in parts if part.row == row for name in part.before):
        _at_row(play, opening)
        table_of(play).named[opening].run(play)
    _at_row(play, row)


def _opened(row: str, parts: tuple[Part, ...], play: Play) -> None:
    """A row of a phase after the work that opens it."""
    _open(play, parts, row)
    _note_acted(play, _still_to_do(parts, row))
    play.game.edition.steps[row](play)


def _until_picked(parts: tuple[Part, ...], play: Play) -> None:
    """The rows of a phase as they come in a game, until a player has been asked which unit acts in one of them."""
    turns, rows = table_of(play), {part.row for part in parts}
    turn = play.state.clock.active, play.state.clock.round
    _note_earlier(play, parts)
    while (row := play.state.clock.phase) in rows and (play.state.clock.active, play.state.clock.round) == turn:
        asked = len(play.answers)
        _note_acted(play, _still_to_do(parts, row))
        play.game.edition.steps[row](play)
        if isinstance(turns.named[row].run, PICKING) and len(play.answers) > asked:
            return


def spoken(do: dict[str, Any]) -> dict[str, Any]:
    """What is said, by its name: written so, under ``talk``, or as a record writes it with ``who``, ``name`` and ``said``."""
    talk = do.get("talk")
    if not isinstance(talk, dict) or len(do) != 1:
        return do
    if "name" not in talk:
        return talk
    said, by = talk.get("said", {}), talk.get("who", talk.get("by"))
    return {str(talk["name"]): {"by": by, **said} if by is not None and isinstance(said, dict) else said}


def talk_step(game: Game, do: dict[str, Any], name: str) -> Step:
    """What players may do at any time, as the edition knows it: a dispute, an override, conceding."""
    given = do[name]
    if len(do) != 1 or not isinstance(given, dict):
        raise BadInput("bad-talk", f"do.{name}: an object of its own is needed", where=f"do.{name}", allowed="one object")
    return lambda play: game.edition.talk[name](play, given)


def attack_step(game: Game, form: AttackForm) -> Step:
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


def action_named(game: Game, action: str) -> str:
    """An action of the edition by its name; `BadInput` if it has none of it."""
    known = [one.name for one in game.edition.actions]
    if known and action not in known:
        raise BadInput("unknown-action", f"do.action: no action {action!r}", where="do.action", allowed=", ".join(known))
    return action
