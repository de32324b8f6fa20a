"""From a written situation to its setup: cards, weapons, terrain and table, every number checked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rolloff.armies.bodies import Footprints, by_keyword
from rolloff.errors import BadInput
from rolloff.identity_cache import FormCache, IdentityCache
from rolloff.lengths import INCH, LengthError, degrees, inches
from rolloff.rules.edition import Edition
from rolloff.rules.game import MOST_MODELS, MOST_PIECES
from rolloff.rules.notes import Note, once
from rolloff.rules.play import SIDES
from rolloff.rules.reading import CardReader
from rolloff.situations.forms import (
    BaseForm,
    ModelForm,
    Number,
    ObjectiveForm,
    SituationForm,
    TerrainForm,
    UnitForm,
    WeaponForm,
    fill,
)
from rolloff.table.profile import Base, Card, Model, Rule, Stat, Weapon, read_roll, read_rule
from rolloff.table.setup import Setup, Table, Terrain
from rolloff.table.state import WHERE_NAMES

MOST_POINTS = 1_000_000


def thou(value: Number, where: str, low: int | None = None) -> int:
    """A length in thou, or `BadInput` that says where the bad one stands."""
    try:
        length = inches(value)
    except LengthError as error:
        raise BadInput("bad-number", f"{where}: {error}", where=where, allowed='at most 1000" either way') from None
    if low is not None and length < low:
        raise BadInput("bad-number", f"{where}: {value} is too small", where=where, allowed=f'at least {low / 1000:g}"')
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
        raise BadInput("bad-number", f"{where}: {value} is out of bounds", where=where, allowed=f"{low} to {high}")
    return value


def _stats(stats: dict[str, int | str | list[int]]) -> dict[str, Stat]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in stats.items()} if stats else {}


def _rules(texts: Sequence[str], where: str) -> tuple[Rule, ...]:
    return tuple(read_rule(text, f"{where}.rules") for text in texts)


FITS_ALL = frozenset(WeaponForm.__struct_fields__)
"""The fields of a weapon in the form that fits every edition."""


def _weapons(reader: CardReader, form: ModelForm, unit: UnitForm, where: str) -> tuple[Weapon, ...]:
    """The weapons of a model: in the form that fits every edition, or as its owner writes them."""
    found: list[Weapon] = []
    for k, given in enumerate(form.weapons):
        place = f"{where}.weapons[{k}]"
        if isinstance(given, dict) and "stats" in given and given.keys() <= FITS_ALL:
            found.append(_weapon(given, place))
        else:
            found += reader.weapons(given, unit.stats, place)
    return tuple(found)


def _weapon(given: dict[str, Any], where: str) -> Weapon:
    """A weapon in the form that fits every edition."""
    form = fill(given, WeaponForm, where)
    return Weapon(
        name=form.name,
        reach=None if form.range == "melee" else thou(form.range, f"{where}.range", 0),
        attacks=read_roll(form.A, f"{where}.A"),
        rules=_rules(form.rules, where),
        stats=tuple(_stats(form.stats).items()),
        mount=form.mount,
        barrel=(thou(form.barrel[0], f"{where}.barrel"), thou(form.barrel[1], f"{where}.barrel")),
    )


def _base(form: BaseForm, where: str) -> Base:
    given = [kind for kind in ("circle", "oval", "rect") if getattr(form, kind) is not None]
    if len(given) != 1:
        raise BadInput("bad-base", f"{where}: a base has one shape", where=where, allowed="circle, oval or rect")
    size = getattr(form, given[0])
    lengths = size if isinstance(size, tuple) else (size,)
    return Base(given[0], tuple(thou(length, f"{where}.{given[0]}", 1) for length in lengths))


def _usual(edition: Edition, unit: UnitForm) -> Model:
    """What a model of a unit is like if nobody says: the edition's usual bases and heights, by keyword or by type."""
    if edition.footprints:
        return _of_keywords(edition.footprints, tuple(unit.keywords) or (unit.type,))
    usual = edition.situation.models
    found = usual.get(unit.type)
    if found is None:
        words = {word.strip().casefold() for word in unit.type.split(",")}
        found = next((model for name, model in usual.items() if name in words), None)
    return found or Model("usual")


@lru_cache(maxsize=256)
def _of_keywords(footprints: Footprints, keywords: tuple[str, ...]) -> Model:
    """The usual model of a unit with these keywords; one of which none tells anything is like any other."""
    body = by_keyword(footprints, [word.strip().upper() for word in keywords])
    return Model("usual") if body is None else Model("usual", base=body[0], height=body[1])


def _model(reader: CardReader, form: ModelForm, unit: UnitForm, where: str) -> Model:
    usual = _usual(reader.edition, unit)
    return Model(
        id=form.id,
        name=form.name,
        base=usual.base if form.base is None else _base(form.base, f"{where}.base"),
        height=usual.height if form.height is None else thou(form.height, f"{where}.height", 0),
        rules=reader.rules(form.rules, where),
        weapons=_weapons(reader, form, unit, where),
        stats=tuple(_stats(reader.tidier.stats(form.stats, f"{where}.stats")).items()) if form.stats else (),
    )


def _models(reader: CardReader, form: UnitForm, where: str) -> tuple[Model, ...]:
    """The models of a unit; one like the model before it is the same but for its id."""
    found: list[Model] = []
    before: tuple[object, ...] | None = None
    for k, model in enumerate(form.models):
        own = (model.name, model.base, model.height, model.rules, model.weapons, model.stats)
        alike = own == before
        found.append(replace(found[-1], id=model.id) if alike else _model(reader, model, form, f"{where}.models[{k}]"))
        before = own
    return tuple(found)


Read = tuple[Card, tuple[Note, ...]]

_read: IdentityCache[Edition, dict[tuple[bytes, str, bool], Read]] = IdentityCache()
"""Cards read lately, by what was written: the same units come again in question after question."""

_forms: IdentityCache[UnitForm, tuple[Edition, str, bool, Read]] = IdentityCache()
"""The same by the form itself, which is quicker where it comes again."""

MOST_READ = 256


def _card(edition: Edition, form: UnitForm, where: str, ignore_unknown: bool) -> Read:
    """A unit's card, and what in it was read otherwise than written; what was read before is the same card."""
    before = _forms.get(form)
    if before is not None and before[0] is edition and before[1:3] == (where, ignore_unknown):
        return before[3]
    found = _card_of(edition, form, where, ignore_unknown)
    _forms.put(form, (edition, where, ignore_unknown, found))
    return found


def _card_of(edition: Edition, form: UnitForm, where: str, ignore_unknown: bool) -> Read:
    """The same by what the form says."""
    known = _read.get(edition)
    if known is None or len(known) >= MOST_READ:
        known = _read.put(edition, {})
    key = msgspec.json.encode(form), where, ignore_unknown
    found = known.get(key)
    if found is None:
        found = known[key] = _new_card(edition, form, where, ignore_unknown)
    return found


def _new_card(edition: Edition, form: UnitForm, where: str, ignore_unknown: bool) -> Read:
    """A card that was not read before; like models are read once, and so is what units alike but for these say of all."""
    if form.id in WHERE_NAMES.values():
        raise BadInput("bad-id", f"{where}.id: {form.id!r} says where a unit is", where=f"{where}.id")
    size = len(form.models) if form.start_size is None else form.start_size
    standing = len([model for model in form.models if not model.removed])
    reader = CardReader(edition, ignore_unknown)
    models = _models(reader, form, where)
    unit = _whole_unit(edition, form, where, ignore_unknown)
    card = Card(
        id=form.id,
        side=SIDES.index(form.side),
        models=models,
        name=form.name,
        type=form.type,
        quality=unit.quality,
        stats=unit.stats,
        points=unit.points,
        rules=unit.rules,
        keywords=unit.keywords,
        start_size=whole(size, min(standing, MOST_MODELS), MOST_MODELS, f"{where}.start_size"),
    )
    before, behind = unit.notes
    notes = (*before, *reader.tidier.notes, *behind)
    return card, once(notes) if notes else ()


class _WholeUnit(Struct, frozen=True):
    """What a card says of all its models, and the notes on its characteristics and on its rules."""

    stats: dict[str, Stat]
    quality: int
    points: int
    rules: tuple[Rule, ...]
    keywords: tuple[str, ...]
    notes: tuple[tuple[Note, ...], tuple[Note, ...]]


_whole_units: FormCache[Edition, _WholeUnit] = FormCache(MOST_READ)
"""The same of units read lately, by what was written: units that differ in their models alone share it."""


def _whole_unit(edition: Edition, form: UnitForm, where: str, ignore_unknown: bool) -> _WholeUnit:
    """What a card says of all its models; read once for units alike in it."""
    written = msgspec.json.encode((form.stats, form.rules, form.keywords, form.quality, form.points))
    key = written, where, ignore_unknown
    found = _whole_units.get(edition, key)
    return _whole_units.put(edition, key, _new_whole_unit(edition, form, where, ignore_unknown)) if found is None else found


def _new_whole_unit(edition: Edition, form: UnitForm, where: str, ignore_unknown: bool) -> _WholeUnit:
    of_stats, of_rules = CardReader(edition, ignore_unknown), CardReader(edition, ignore_unknown)
    skills = edition.notation.skills
    stats = {name: value for name, value in of_stats.tidier.stats(form.stats, f"{where}.stats").items() if name not in skills}
    quality = _quality(form.quality, f"{where}.quality")
    points = whole(form.points, 0, MOST_POINTS, f"{where}.points")
    rules = of_rules.rules(form.rules, where)
    notes = tuple(of_stats.tidier.notes), tuple(of_rules.tidier.notes)
    return _WholeUnit(_stats(stats), quality, points, rules, tuple(form.keywords), notes)


def _elevated(edition: Edition, form: TerrainForm, where: str) -> tuple[int, int]:
    """How high a piece is, and how high models stand on it; where they stand on tops, these are one."""
    height, elevation = thou(form.height, f"{where}.height", 0), thou(form.elevation, f"{where}.elevation", 0)
    tops = edition.situation.tops
    if not elevation or not tops:
        return height, elevation
    place, kind = f"{where}.elevation", " and ".join(form.types) or "no type"
    if tops.isdisjoint(form.types):
        message = f"{place}: models stand above the ground on {', '.join(sorted(tops))}, not on {kind}"
        raise BadInput("bad-terrain", message, where=place, allowed="0")
    if height not in (0, elevation):
        message = f"{place}: models stand on top of it, {height / INCH:g} inches up"
        raise BadInput("bad-terrain", message, where=place, allowed=f"{height / INCH:g}, or nothing")
    return elevation, elevation


def _piece(edition: Edition, form: TerrainForm, where: str) -> Terrain:
    if (form.polygon is None) == (form.disc is None):
        raise BadInput("bad-terrain", f"{where}: a piece is a polygon or a disc", where=where, allowed="polygon or disc")
    polygon = disc = None
    if form.polygon is not None:
        place = f"{where}.polygon"
        polygon = tuple((thou(x, place), thou(y, place)) for x, y in form.polygon)
    if form.disc is not None:
        x, y, r = form.disc
        disc = (thou(x, f"{where}.disc"), thou(y, f"{where}.disc"), thou(r, f"{where}.disc", 1))
    height, elevation = _elevated(edition, form, where)
    return Terrain(
        id=form.id,
        types=tuple(form.types),
        polygon=polygon,
        disc=disc,
        height=height,
        elevation=elevation,
        solid=form.solid,
        name=form.name,
        bottom=thou(form.bottom, f"{where}.bottom", 0),
    )


def _quality(given: int | str, where: str) -> int:
    """A number, or one written ``4+``."""
    text = given.strip().removesuffix("+") if isinstance(given, str) else given
    if isinstance(text, str) and not (text.isdecimal() and len(text) < 4):
        raise BadInput("bad-number", f"{where}: {given!r} is no number", where=where, allowed="4 or 4+")
    return int(text)


def _marker(edition: Edition, form: ObjectiveForm, number: int, size: tuple[int, int]) -> Terrain:
    """A marker to be held, as a piece of the table; `BadInput` where the edition has none."""
    where = f"objectives[{number}]"
    kind, radius = edition.situation.marker
    if not kind:
        raise BadInput("no-markers", f"{where}: {edition.id} has no markers of its own", where=where, allowed="a mission")
    x, y = (thou(length, f"{where}.at") for length in form.at)
    if not (0 <= x <= size[0] and 0 <= y <= size[1]):
        allowed = f"0 to {size[0] / 1000:g} and 0 to {size[1] / 1000:g}"
        raise BadInput("off-table", f"{where}: {form.id} lies off the table", where=f"{where}.at", allowed=allowed)
    return Terrain(form.id, (kind,), disc=(x, y, radius))


def read_setup(edition: Edition, form: SituationForm) -> tuple[Setup, tuple[Note, ...]]:
    """The setup of a written situation, and what in it was read otherwise than written.

    Raises:
        BadInput: anything the caps or the edition refuse.
    """
    models = sum([len(unit.models) for unit in form.units])
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
    pieces = _pieces(edition, form, size) if form.table.terrain or form.objectives else ()
    read = [_card(edition, unit, f"units[{k}]", form.ignore_unknown) for k, unit in enumerate(form.units)]
    setup = Setup(
        edition=edition.id,
        table=Table(size, pieces, form.table.name),
        cards=tuple([card for card, _ in read]),
        switches=dict(form.switches),
        mission=form.mission,
        points=whole(form.points, 0, MOST_POINTS, "points"),
        armies=form.armies,
    )
    return setup, tuple([note for _, notes in read for note in notes])


def _pieces(edition: Edition, form: SituationForm, size: tuple[int, int]) -> tuple[Terrain, ...]:
    """The terrain of a table, its markers among it."""
    pieces = tuple(_piece(edition, piece, f"table.terrain[{k}]") for k, piece in enumerate(form.table.terrain))
    pieces += tuple(_marker(edition, marker, k, size) for k, marker in enumerate(form.objectives))
    seen: set[str] = set()
    for number, piece in enumerate(pieces):
        if piece.id in seen:
            marker = number - len(form.table.terrain)
            where = f"objectives[{marker}]" if marker >= 0 else f"table.terrain[{number}]"
            raise BadInput(
                "same-id", f"{where}: there is a {piece.id!r} already", where=where, allowed="an id of its own for each"
            )
        seen.add(piece.id)
    return pieces
