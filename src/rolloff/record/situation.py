"""From a written situation to a game and a state: every number checked, every impossibility named."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from rolloff.editions import registry
from rolloff.errors import BadInput
from rolloff.geometry.measure import ground_z
from rolloff.lengths import LengthError, degrees, inches
from rolloff.record.forms import (
    BaseForm,
    MarkList,
    ModelForm,
    Number,
    SituationForm,
    TerrainForm,
    UnitForm,
    WeaponForm,
    fill,
)
from rolloff.record.standing import check_standing
from rolloff.rules.edition import Edition
from rolloff.rules.game import MOST_MODELS, MOST_PIECES, Game
from rolloff.rules.play import OVER, SIDES
from rolloff.table.profile import Base, Card, Model, Rule, Stat, Weapon, read_rule, read_throw
from rolloff.table.setup import Setup, Table, Terrain
from rolloff.table.state import GONE, NOWHERE, TABLE, WHERE_NAMES, Clock, Marks, State, Unit, Value

ACTED = "activated"
"""The mark by which a written unit says that it has acted."""

WHERES = {name: number for number, name in WHERE_NAMES.items()}
MOST_WOUNDS = 1000
MOST_ROUNDS = 1000
Weapons = tuple[tuple[Any, ...], ...]


class Situation(Struct, frozen=True):
    """A game, a state, the models nobody gave a place, and the weapons in their owner's words, by slot."""

    game: Game
    state: State
    unplaced: tuple[str, ...]
    weapons: Weapons


def thou(value: Number, where: str, low: int | None = None) -> int:
    """A length in thou, or `BadInput` that says where the bad one stands."""
    try:
        length = inches(value)
    except LengthError as error:
        raise BadInput(
            "bad-number", f"{where}: {error}", where=where, allowed='at most 1000" either way'
        ) from None
    if low is not None and length < low:
        raise BadInput(
            "bad-number", f"{where}: {value} is too small", where=where, allowed=f'at least {low / 1000:g}"'
        )
    return length


def tenths(value: Number, where: str) -> int:
    """A facing in tenths of a degree, or `BadInput`."""
    try:
        return degrees(value)
    except LengthError as error:
        raise BadInput("bad-number", f"{where}: {error}", where=where, allowed="degrees") from None


def whole(value: int, low: int, high: int, where: str) -> int:
    """A whole number within bounds, or `BadInput`."""
    if not low <= value <= high:
        raise BadInput(
            "bad-number", f"{where}: {value} is out of bounds", where=where, allowed=f"{low} to {high}"
        )
    return value


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


def _stats(stats: dict[str, int | str | list[int]]) -> dict[str, Stat]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in stats.items()}


def _rules(texts: Sequence[str], where: str) -> tuple[Rule, ...]:
    return tuple(read_rule(text, f"{where}.rules") for text in texts)


def _weapon(edition: Edition, given: str | dict[str, Any], where: str) -> Weapon:
    if isinstance(given, str) or "stats" not in given:
        return edition.read_weapon(given, where)
    form = fill(given, WeaponForm, where)
    return Weapon(
        name=form.name,
        reach=None if form.range == "melee" else thou(form.range, f"{where}.range", 0),
        attacks=read_throw(form.A, f"{where}.A"),
        rules=_rules(form.rules, where),
        stats=tuple(_stats(form.stats).items()),
        mount=form.mount,
        barrel=(thou(form.barrel[0], f"{where}.barrel"), thou(form.barrel[1], f"{where}.barrel")),
    )


def _base(form: BaseForm, where: str) -> Base:
    given = [kind for kind in ("circle", "oval", "rect") if getattr(form, kind) is not None]
    if len(given) != 1:
        raise BadInput(
            "bad-base", f"{where}: a base has one shape", where=where, allowed="circle, oval or rect"
        )
    size = getattr(form, given[0])
    lengths = size if isinstance(size, tuple) else (size,)
    return Base(given[0], tuple(thou(length, f"{where}.{given[0]}", 1) for length in lengths))


def _usual(edition: Edition, unit_type: str) -> Model:
    """What a model of that type is like if nobody says: the edition's usual bases and heights."""
    usual = edition.defaults.get("models")
    found = usual.get(unit_type) if isinstance(usual, dict) else None
    return found if isinstance(found, Model) else Model("usual")


def _model(edition: Edition, form: ModelForm, unit_type: str, where: str) -> Model:
    usual = _usual(edition, unit_type)
    return Model(
        id=form.id,
        name=form.name,
        base=usual.base if form.base is None else _base(form.base, f"{where}.base"),
        height=usual.height if form.height is None else thou(form.height, f"{where}.height", 0),
        rules=_rules(form.rules, where),
        weapons=tuple(
            _weapon(edition, given, f"{where}.weapons[{k}]") for k, given in enumerate(form.weapons)
        ),
    )


def _card(edition: Edition, form: UnitForm, where: str) -> Card:
    if form.id in WHERES:
        raise BadInput("bad-id", f"{where}.id: {form.id!r} says where a unit is", where=f"{where}.id")
    size = len(form.models) if form.start_size is None else form.start_size
    standing = sum(not model.removed for model in form.models)
    return Card(
        id=form.id,
        side=SIDES.index(form.side),
        models=tuple(
            _model(edition, model, form.type, f"{where}.models[{k}]") for k, model in enumerate(form.models)
        ),
        name=form.name,
        type=form.type,
        quality=form.quality,
        stats=_stats(form.stats),
        points=whole(form.points, 0, 1_000_000, f"{where}.points"),
        rules=_rules(form.rules, where),
        keywords=tuple(form.keywords),
        start_size=whole(size, min(standing, MOST_MODELS), MOST_MODELS, f"{where}.start_size"),
    )


def _piece(form: TerrainForm, where: str) -> Terrain:
    if (form.polygon is None) == (form.disc is None):
        raise BadInput(
            "bad-terrain", f"{where}: a piece is a polygon or a disc", where=where, allowed="polygon or disc"
        )
    polygon = disc = None
    if form.polygon is not None:
        place = f"{where}.polygon"
        polygon = tuple((thou(x, place), thou(y, place)) for x, y in form.polygon)
    if form.disc is not None:
        x, y, r = form.disc
        disc = (thou(x, f"{where}.disc"), thou(y, f"{where}.disc"), thou(r, f"{where}.disc", 1))
    return Terrain(
        id=form.id,
        types=tuple(form.types),
        polygon=polygon,
        disc=disc,
        height=thou(form.height, f"{where}.height", 0),
        elevation=thou(form.elevation, f"{where}.elevation", 0),
        solid=form.solid,
        name=form.name,
    )


def read_setup(edition: Edition, form: SituationForm) -> Setup:
    """The setup of a written situation; `BadInput` for anything the caps or the edition refuse."""
    models = sum(len(unit.models) for unit in form.units)
    if models > MOST_MODELS or len(form.table.terrain) > MOST_PIECES:
        allowed = f"{MOST_MODELS} models, {MOST_PIECES} pieces of terrain"
        found = f"{models} models and {len(form.table.terrain)} pieces of terrain"
        raise BadInput("too-many", f"{found} are over the cap", where="units", allowed=allowed)
    for name in form.switches:
        if name not in edition.switches:
            allowed = ", ".join(sorted(edition.switches))
            raise BadInput("unknown-switch", f"no switch {name!r}", where=f"switches.{name}", allowed=allowed)
    size = edition.table_size
    if form.table.size is not None:
        size = (thou(form.table.size[0], "table.size", 1), thou(form.table.size[1], "table.size", 1))
    pieces = tuple(_piece(piece, f"table.terrain[{k}]") for k, piece in enumerate(form.table.terrain))
    if len({piece.id for piece in pieces}) != len(pieces):
        raise BadInput("same-id", "two pieces of terrain share an id", where="table.terrain")
    return Setup(
        edition=edition.id,
        table=Table(size, pieces, form.table.name),
        cards=tuple(_card(edition, unit, f"units[{k}]") for k, unit in enumerate(form.units)),
        switches=dict(form.switches),
        mission=form.mission,
        points=whole(form.points, 0, 1_000_000, "points"),
        armies=form.armies,
    )


def read_clock(edition: Edition, form: SituationForm) -> Clock:
    """The clock of a written situation; without one, the phase in which units are activated."""
    usual = edition.defaults.get("activate-phase", edition.opening.phase)
    phase = str(usual) if form.clock is None else form.clock.phase
    if phase != OVER and phase not in edition.steps:
        allowed = ", ".join(sorted(edition.steps))
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


def _models(form: SituationForm) -> Iterator[tuple[int, UnitForm, ModelForm, str]]:
    for number, unit in enumerate(form.units):
        for k, model in enumerate(unit.models):
            yield number, unit, model, f"units[{number}].models[{k}]"


def _units(game: Game, form: SituationForm, owner: list[int], dead: set[int]) -> tuple[Unit, ...]:
    marked = game.edition.defaults.get("marks")
    units = []
    for number, unit in enumerate(form.units):
        where = _where(game, unit, number)
        living = tuple(slot for slot, owned in enumerate(owner) if owned == number and slot not in dead)
        if unit.living is not None:
            named = tuple(game.slot_number(name, f"units[{number}].living") for name in unit.living)
            if sorted(named) != list(living):
                raise BadInput(
                    "bad-living", f"{unit.id}: living names other models", where=f"units[{number}].living"
                )
            living = named
        marks = read_marks(unit.marks)
        done = bool(marks.pop(ACTED, 0))
        for name in marks:
            if isinstance(marked, tuple | frozenset) and name not in marked:
                allowed = ", ".join(sorted({ACTED, *marked}))
                raise BadInput(
                    "unknown-mark", f"no mark {name!r}", where=f"units[{number}].marks", allowed=allowed
                )
        gone = where == TABLE and not living
        units.append(Unit(living, GONE if gone else where, done, _sorted(marks)))
    return tuple(units)


def _removed(game: Game, form: SituationForm) -> tuple[list[int], set[int]]:
    """Who owns each slot, and which models are out of the game."""
    owner, dead = [], set()
    for slot, (number, unit, model, where) in enumerate(_models(form)):
        owner.append(number if model.unit is None else game.unit_number(model.unit, f"{where}.unit"))
        if model.removed or unit.where == WHERE_NAMES[GONE]:
            dead.add(slot)
    return owner, dead


def read_state(game: Game, form: SituationForm) -> tuple[State, tuple[str, ...]]:
    """The state of a written situation, and the models on the table to which it gives no place."""
    owner, dead = _removed(game, form)
    units = _units(game, form, owner, dead)
    xy, z, facing, wounds, unplaced, marks = bytearray(), bytearray(), bytearray(), bytearray(), [], []
    ground = game.field.ground
    for slot, (_, _, model, where) in enumerate(_models(form)):
        standing = slot not in dead and units[owner[slot]].where == TABLE
        x, y, base = NOWHERE, 0, 0
        if standing and model.at is None:
            unplaced.append(model.id)
        elif standing and model.at is not None:
            x, y = (thou(length, f"{where}.at") for length in model.at)
            base = ground_z(ground, x, y)
        xy += struct.pack("<2i", x, y)
        z += struct.pack("<i", base if model.z is None else thou(model.z, f"{where}.z"))
        facing += struct.pack("<h", tenths(model.facing, f"{where}.facing"))
        wounds += struct.pack("<h", whole(model.wounds, 0, MOST_WOUNDS, f"{where}.wounds"))
        marks += [(slot, name, value) for name, value in _sorted(read_marks(model.marks))]
    sides = [_sorted(read_marks(form.sides[side].marks)) if side in form.sides else () for side in SIDES]
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


def read_situation(form: SituationForm) -> Situation:
    """The game and the state a written situation stands for.

    Raises:
        UnknownEdition: nobody knows the edition.
        BadInput: something in it is malformed, out of bounds or impossible.
    """
    edition = registry.edition(form.edition)
    game = Game(edition, read_setup(edition, form))
    state, unplaced = read_state(game, form)
    check_standing(game, state)
    if edition.check_state:
        edition.check_state(game, state)
    weapons = tuple(tuple(model.weapons) for unit in form.units for model in unit.models)
    return Situation(game, state, unplaced, weapons)
