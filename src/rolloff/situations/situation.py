"""From a written situation to a game and a state: every number checked, every impossibility named."""

from __future__ import annotations

import struct
from fnmatch import fnmatchcase
from functools import lru_cache
from itertools import accumulate, chain, compress, pairwise
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rolloff.editions import registry
from rolloff.errors import BadInput
from rolloff.geometry.measure import ground_z
from rolloff.identity_cache import IdentityCache
from rolloff.rules.edition import Edition
from rolloff.rules.game import Game
from rolloff.rules.notes import Note
from rolloff.rules.objectives import HOLDS
from rolloff.rules.play import OVER, SIDES
from rolloff.situations.cards import read_setup, tenths, thou, whole
from rolloff.situations.fallen import with_the_fallen
from rolloff.situations.forms import MarkList, SituationForm, UnitForm
from rolloff.situations.standing import UNPLACED, check_standing
from rolloff.table.state import GONE, MERGED, NOWHERE, TABLE, WHERE_NAMES, Clock, Marks, State, Unit, Value

ACTED = "activated"
"""The mark by which a written unit says that it has acted."""

WHERES = {name: number for number, name in WHERE_NAMES.items()}
MOST_WOUNDS = 1000
MOST_ROUNDS = 1000
MOST_POINTS = 100_000
Weapons = tuple[tuple[Any, ...], ...]


class Situation(Struct, frozen=True):
    """A game, a state, the models nobody gave a place, the weapons in their owner's words, and what was read otherwise."""

    game: Game
    state: State
    unplaced: tuple[str, ...]
    weapons: Weapons
    notes: tuple[Note, ...] = ()


def read_marks(marks: MarkList) -> dict[str, Value]:
    """Marks by name; a plain name stands for the value 1."""
    if isinstance(marks, dict):
        return dict(marks)
    found: dict[str, Value] = {}
    for mark in marks:
        found.update({mark: 1} if isinstance(mark, str) else mark)
    return found


def _sorted(marks: dict[str, Value]) -> Marks:
    return tuple(sorted(marks.items(), key=lambda pair: pair[0]))


def read_clock(edition: Edition, form: SituationForm) -> Clock:
    """The clock of a written situation; without one, the phase in which units are activated."""
    phase = edition.situation.phase or edition.opening.phase if form.clock is None else form.clock.phase
    if phase not in edition.steps and phase in edition.parts:
        phase = edition.parts[phase][0].row  # a phase by the rulebook's word for it begins with its first row
    if phase != OVER and phase not in edition.steps:
        allowed = ", ".join(sorted({*edition.parts, *edition.steps}))
        raise BadInput("unknown-phase", f"no phase {phase!r}", where="clock.phase", allowed=allowed)
    active = 0 if form.active is None else SIDES.index(form.active)
    first = active
    if form.clock is not None and form.clock.first is not None:
        first = SIDES.index(form.clock.first)
    return Clock(
        phase=phase,
        round=whole(1 if form.round is None else form.round, 0, MOST_ROUNDS, "round"),
        active=active,
        first=first,
        marks=() if form.clock is None else _sorted(read_marks(form.clock.marks)),
    )


def _where(game: Game, form: UnitForm, number: int) -> int:
    if form.leading is not None:
        if form.leading == form.id:
            itself = f"{form.id} cannot lead itself"
            raise BadInput("bad-where", itself, where=f"units[{number}].leading", allowed="another unit of its side")
        return MERGED
    if form.where in WHERES:
        return WHERES[form.where]
    host = game.numbers.get(form.where)
    if host is None or host == number or game.sides[host] != game.sides[number]:
        allowed = ", ".join([*WHERES, "or the id of the unit it is aboard"])
        raise BadInput(
            "bad-where",
            f"{form.id}: {form.where!r} is no place for it",
            where=f"units[{number}].where",
            allowed=allowed,
        )
    return host


def _host(game: Game, joined: str, number: int, where: str) -> int:
    """The unit a model has joined: one of its own side."""
    host = game.unit_number(joined, where)
    if game.sides[host] != game.sides[number]:
        other = f"{game.names[number]} cannot join {joined}, which is of the other side"
        raise BadInput("bad-where", other, where=where, allowed="a unit of its own side")
    return host


def _unsaid(unit: UnitForm) -> bool:
    """Whether nothing is said of the models of a unit but what they are."""
    for model in unit.models:
        if model.at is not None or model.z is not None or model.facing or model.wounds or model.marks:
            return False
        if model.removed or model.unit is not None:
            return False
    return True


def _unit_marks(edition: Edition, marks: MarkList, where: str) -> tuple[dict[str, Value], dict[str, Value]]:
    """The marks of a unit, and those written on it that belong to each of its models."""
    known, single = edition.situation.marks, edition.situation.model_marks
    ours, theirs = {}, {}
    written = read_marks(marks)
    for name in [name for name in written if name in edition.situation.synonyms]:
        written |= edition.situation.synonyms[name]
        del written[name]
    for name, value in written.items():
        if name in single:
            theirs[name] = value
        elif name == ACTED or known is None or any(fnmatchcase(name, one) for one in known):
            ours[name] = value
        else:
            allowed = ", ".join((ACTED, *known, *single, *edition.situation.synonyms))
            raise BadInput("unknown-mark", f"{where}: no mark {name!r}", where=where, allowed=allowed)
    return ours, theirs


def _living(game: Game, unit: UnitForm, living: tuple[int, ...], where: str) -> tuple[int, ...]:
    """The living models in the order a situation gives them, if it gives one."""
    if unit.living is None:
        return living
    named = tuple(game.slot_number(name, where) for name in unit.living)
    if sorted(named) != list(living):
        raise BadInput("bad-living", f"{unit.id}: living names other models", where=where)
    return named


def _units(game: Game, form: SituationForm, owner: list[int], dead: set[int]) -> tuple[Unit, ...]:
    units = []
    for number, unit in enumerate(form.units):
        where = _where(game, unit, number)
        living = tuple([slot for slot, owned in enumerate(owner) if owned == number and slot not in dead])
        living = _living(game, unit, living, f"units[{number}].living")
        marks, _ = _unit_marks(game.edition, unit.marks, f"units[{number}].marks")
        done = bool(marks.pop(ACTED, 0))
        if where == TABLE and not living:
            own = range(game.starts[number], game.starts[number + 1])
            where = MERGED if any(owner[slot] != number and slot not in dead for slot in own) else GONE
        units.append(Unit(living, where, done, _sorted(marks)))
    return tuple(units)


def _removed(game: Game, form: SituationForm) -> tuple[list[int], set[int]]:
    """Who owns each slot, and which models are out of the game."""
    owner: list[int] = []
    dead: set[int] = set()
    for number, unit in enumerate(form.units):
        gone = unit.where == WHERE_NAMES[GONE]
        for k, model in enumerate(unit.models):
            if gone or model.removed:
                dead.add(len(owner))
            joined = model.unit or unit.leading
            where = f"units[{number}].models[{k}].unit" if model.unit else f"units[{number}].leading"
            owner.append(number if joined is None else _host(game, joined, number, where))
    return owner, dead


def _side_marks(edition: Edition, form: SituationForm, side: str) -> Marks:
    """What is marked on a player: written marks, points to spend, points scored, and the markers the player controls."""
    given = next((held for name, held in form.sides.items() if name == side), None)
    marks = {} if given is None else read_marks(given.marks)
    law = edition.situation
    for name, value in (("cp", None if given is None else given.cp), ("score", None if given is None else given.score)):
        mark = law.purse if name == "cp" else law.score
        if value is not None and not mark:
            raise BadInput("no-such-points", f"sides.{side}.{name}: {edition.id} has none", where=f"sides.{side}.{name}")
        points = 0 if value is None else whole(value, 0, MOST_POINTS, f"sides.{side}.{name}")
        if value is not None and points != marks.get(mark, 0):  # no points are the same as none ever marked
            marks[mark] = points
    marks |= {HOLDS + marker.id: 1 for marker in form.objectives if marker.holder == side}
    return _sorted(marks)


_bare: IdentityCache[UnitForm, tuple[str, ...]] = IdentityCache()
"""The models of units that say nothing but what they are, or none for others."""


def _bare_models(unit: UnitForm) -> tuple[str, ...]:
    """The models of a unit on the table of which nothing is said but what they are; empty for any other unit."""
    found = _bare.get(unit)
    if found is None:
        plain = unit.where == WHERE_NAMES[TABLE] and not unit.marks and unit.living is None and unit.leading is None
        found = _bare.put(unit, tuple([model.id for model in unit.models]) if plain and _unsaid(unit) else ())
    return found


@lru_cache(maxsize=256)
def _bare_state(sizes: tuple[int, ...], clock: Clock) -> State:
    """The state of units of these sizes that stand on the table nobody knows where, as the game begins."""
    total, ends = sum(sizes), list(accumulate(sizes, initial=0))
    units = tuple([Unit(tuple(range(*span)), TABLE) for span in pairwise(ends)])
    owner = b"".join([struct.pack("<h", number) * size for number, size in enumerate(sizes)])
    nothing = bytes(2 * total)
    return State(UNPLACED * total, bytes(4 * total), nothing, nothing, owner, units, ((), ()), (), clock)


def read_state(game: Game, form: SituationForm) -> tuple[State, tuple[str, ...]]:
    """The state of a written situation, and the models on the table to which it gives no place."""
    if not form.sides and not form.objectives:
        bare = [_bare_models(unit) for unit in form.units]
        if all(bare):
            state = _bare_state(tuple([len(models) for models in bare]), read_clock(game.edition, form))
            return state, tuple(chain.from_iterable(bare))
    owner, dead = _removed(game, form)
    units = _units(game, form, owner, dead)
    xy, z, facing, wounds, unplaced, marks = bytearray(), bytearray(), bytearray(), bytearray(), [], []
    slot = -1
    for number, unit in enumerate(form.units):
        _, shared = _unit_marks(game.edition, unit.marks, f"units[{number}].marks") if unit.marks else ({}, {})
        for k, model in enumerate(unit.models):
            slot += 1
            where = f"units[{number}].models[{k}]"
            x, y, base = NOWHERE, 0, 0
            standing = slot not in dead and units[owner[slot]].where == TABLE
            if standing and model.at is None:
                unplaced.append(model.id)
            elif standing and model.at is not None:
                x, y = (thou(length, f"{where}.at") for length in model.at)
                base = _lifted(game, x, y)
            xy += struct.pack("<2i", x, y)
            z += struct.pack("<i", base if model.z is None else thou(model.z, f"{where}.z"))
            facing += struct.pack("<h", tenths(model.facing, f"{where}.facing"))
            wounds += struct.pack("<h", whole(model.wounds, 0, MOST_WOUNDS, f"{where}.wounds"))
            theirs = {} if slot in dead else shared
            marks += [(slot, name, value) for name, value in _sorted(theirs | read_marks(model.marks))]
    sides = [_side_marks(game.edition, form, side) for side in SIDES]
    state = State(
        xy=bytes(xy),
        z=bytes(z),
        facing=bytes(facing),
        wounds=bytes(wounds),
        owner=struct.pack(f"<{len(owner)}h", *owner),
        units=units,
        sides=(sides[0], sides[1]),
        models=tuple(marks),
        clock=read_clock(game.edition, form),
    )
    return state, tuple(unplaced)


def _lifted(game: Game, x: int, y: int) -> int:
    """How high a model stands whose height is not said: by the elevation of what it is on."""
    if not game.edition.situation.tops:
        return ground_z(game.field.ground, x, y)
    pieces = zip(game.field.ground.places, game.table.terrain, strict=True)
    return max([0, *[piece.elevation for place, piece in pieces if piece.elevation and place.contains(x, y)]])


def _with_leaders(game: Game, form: SituationForm) -> SituationForm:
    """The situation with units as ``leading`` that are written inside one they lead, on the table with places or off it.

    Who has none beside a unit on the table is there on paper alone, as attacks apart from a game need no more. Whoever leads
    a unit of which nobody is left is a unit of its own.
    """
    leads = game.edition.situation.leads
    inside = [unit.leading is None and unit.where not in WHERES and unit.where in game.numbers for unit in form.units]
    if leads is None or not (any(inside) or any(unit.leading is not None for unit in form.units)):
        return form
    units = form.units.copy()
    for k in compress(range(len(units)), inside):
        unit, host = units[k], game.numbers[units[k].where]
        away = form.units[host].where not in (WHERE_NAMES[TABLE], WHERE_NAMES[GONE])
        placed = away or any(model.at is not None for model in unit.models)
        if placed and host != k and game.sides[host] == game.sides[k] and leads(game.cards[k], game.cards[host]):
            units[k] = replace(unit, where=WHERE_NAMES[TABLE], leading=unit.where)
    for k, unit in enumerate(units):
        led = None if unit.leading is None else game.numbers.get(unit.leading)
        if led is not None and led != k and _left_alone(unit, units[led]):
            units[k] = replace(unit, where=WHERE_NAMES[TABLE], leading=None)
    for k, unit in enumerate(units):
        led = None if unit.leading is None or not unit.marks else game.numbers.get(unit.leading)
        if led is not None and led != k and game.sides[led] == game.sides[k]:
            units[led] = replace(units[led], marks=read_marks(units[led].marks) | _of_the_whole(game.edition, unit.marks))
    return replace(form, units=units)


def _of_the_whole(edition: Edition, marks: MarkList) -> dict[str, Value]:
    """Those of the marks of a unit that leads another which are about both: what they did so far, and what lasts for a time."""
    known = {ACTED, *edition.effects.marks, *edition.situation.synonyms}
    return {name: value for name, value in read_marks(marks).items() if name in known}


def _left_alone(unit: UnitForm, led: UnitForm) -> bool:
    """Whether a unit that leads another has models with places left and that one none; unless they say whose they are."""
    if unit.where == WHERE_NAMES[GONE] or any(model.unit is not None for model in unit.models):
        return False
    left = [model for model in unit.models if not model.removed and model.at is not None]
    return bool(left) and (led.where == WHERE_NAMES[GONE] or all(model.removed for model in led.models))


def read_situation(form: SituationForm) -> Situation:
    """The game and the state a written situation stands for.

    Raises:
        UnknownEdition: nobody knows the edition.
        BadInput: something in it is malformed, out of bounds or impossible.
    """
    edition = registry.edition(form.edition)
    form = with_the_fallen(edition, form)
    setup, notes = read_setup(edition, form)
    game = Game(edition, setup)
    state, unplaced = read_state(game, _with_leaders(game, form))
    check_standing(game, state)
    if edition.check_state:
        edition.check_state(game, state)
    weapons = tuple([tuple(model.weapons) for unit in form.units for model in unit.models])
    return Situation(game, state, unplaced, weapons, notes)
