"""The written form of a situation: every field a file may hold, and the sentences for files that do not fit.

Lengths are inches, angles degrees, sides ``A`` and ``B``. A field nobody knows is refused, so that a misspelt
one cannot pass unseen. The same structs print the JSON Schema.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct, field

from rolloff.errors import BadInput
from rolloff.typed import convert, read_json

MOST_BYTES = 4 * 1024 * 1024
"""No input may be larger than this."""

MOST_DICE = 10_000
"""Nobody may enter more dice than this at once."""

Number = int | float
Side = Literal["A", "B"]
MOST_MARKED = 10**9
"""No number of a mark may be larger than this."""
MarkValue = bool | Annotated[int, Meta(ge=-MOST_MARKED, le=MOST_MARKED)] | str
MarkList = list[str | dict[str, MarkValue]] | dict[str, MarkValue]
T = TypeVar("T")


class BaseForm(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A base: the diameter of a circle, or width and length of an oval or a rectangle."""

    circle: Number | None = None
    oval: tuple[Number, Number] | None = None
    rect: tuple[Number, Number] | None = None


class ModelForm(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One model. Without ``at`` it has no place yet; ``unit`` names the unit it has joined, if any."""

    id: str
    name: str = ""
    at: tuple[Number, Number] | None = None
    z: Number | None = None
    facing: Number = 0
    base: BaseForm | None = None
    height: Number | None = None
    wounds: int = 0
    rules: list[str] = []
    weapons: list[str | dict[str, Any]] = []
    marks: MarkList = []
    removed: bool = False
    unit: str | None = None
    stats: dict[str, int | str | list[int]] = {}


class WeaponForm(Struct, forbid_unknown_fields=True):
    """A weapon as situations write it when its owner's own words are not at hand: it fits every edition."""

    name: str
    stats: dict[str, int | str | list[int]]
    range: Number | Literal["melee"] = "melee"
    A: int | str = 1
    rules: list[str] = []
    mount: str = ""
    barrel: tuple[Number, Number] = (0, 0)


class UnitForm(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One unit; ``where``: table, reserve, waiting, destroyed, merged, or the id of the unit it is aboard.

    ``leading`` is the id of the unit its models have joined.
    """

    id: str
    side: Side
    models: list[ModelForm]
    name: str = ""
    type: str = "infantry"
    quality: int | str = 4
    stats: dict[str, int | str | list[int]] = {}
    points: int = 0
    rules: list[str] = []
    keywords: list[str] = []
    start_size: int | None = None
    where: str = "table"
    marks: MarkList = []
    living: list[str] | None = None
    leading: str | None = None


class TerrainForm(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One terrain piece: a polygon, or a disc [x, y, radius]."""

    id: str
    types: list[str] = []
    polygon: list[tuple[Number, Number]] | None = None
    disc: tuple[Number, Number, Number] | None = None
    height: Number = 0
    elevation: Number = 0
    solid: bool = False
    name: str = ""
    bottom: Number = 0


class TableForm(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The table and its terrain; without a size it has the edition's."""

    size: tuple[Number, Number] | None = None
    terrain: list[TerrainForm] = []
    name: str = ""


class ClockForm(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What the clock says beside round and active side."""

    phase: str
    first: Side | None = None
    marks: MarkList = []


class SideForm(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What is marked on a player; points to spend and points scored where the edition has them."""

    marks: MarkList = []
    cp: int | None = None
    score: int | None = None


class ObjectiveForm(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A marker to be held: its middle, and the side that controls it."""

    id: str
    at: tuple[Number, Number]
    holder: Side | None = None


class SituationForm(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A whole situation: the setup and the state of one moment.

    ``ignore_unknown``: special rules nobody knows are left out and noted in the result, instead of refused.
    """

    edition: str
    units: list[UnitForm]
    schema: str = ""
    switches: dict[str, bool] = {}
    round: int | None = None
    active: Side | None = None
    table: TableForm = field(default_factory=TableForm)
    clock: ClockForm | None = None
    sides: dict[Side, SideForm] = {}
    mission: str = ""
    points: int = 0
    armies: tuple[str, str] = ("A", "B")
    ignore_unknown: bool = False
    objectives: list[ObjectiveForm] = []


class AnswerForm(Struct, forbid_unknown_fields=True):
    """One answer: the kind of request it is for, and its value."""

    kind: str
    value: Any


class SeedForm(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Dice of a stream: a number or 64 hex digits, from any die of it on."""

    seed: int | str
    from_: int = field(default=0, name="from")


class ActivateForm(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A unit is activated and takes an action."""

    activate: str
    action: str | None = None


class PhaseForm(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A unit's part of a phase is played; without a unit what the phase does by itself."""

    phase: str
    unit: str | None = None
    action: str | None = None


class StepForm(Struct, forbid_unknown_fields=True):
    """The step of a phase is played."""

    step: str


class AttackForm(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One attack; what is left out comes from the positions."""

    attacker: str
    target: str
    kind: str = "shooting"
    weapons: Literal["all"] | list[tuple[str, int]] = "all"
    range: Number | None = None
    visible: bool | None = None
    cover: bool | None = None
    facing: Literal["front", "side", "rear"] | None = None
    moved: bool | None = None
    charged: bool | None = None
    stationary: bool | None = None
    half_range: bool | None = None


class DoAttackForm(Struct, forbid_unknown_fields=True):
    """An attack is resolved by itself."""

    attack: AttackForm


class CaseForm(SituationForm, forbid_unknown_fields=True, omit_defaults=True):
    """What `adjudicate` takes: a situation, what is done in it, and what is asked about it."""

    do: dict[str, Any] | None = None
    answers: list[AnswerForm] = []
    unanswered: Literal["default", "stop"] = "default"
    dice: list[Any] | dict[str, Any] | None = None
    ask: list[dict[str, Any]] = []
    decision: Any = None


SITUATION_FIELDS = tuple(SituationForm.__struct_fields__)

_AT = re.compile(r" - at `(?P<where>[^`]*)`$")
_KEY = re.compile(r" - at `key` in `(?P<where>[^`]*)`$")
_UNKNOWN = re.compile(r"unknown field `(?P<name>.*)`")


def _refusal(error: Exception, form: Any = None) -> BadInput:
    text = str(error)
    match = _AT.search(text) or _KEY.search(text)
    place = match["where"].removeprefix("$").removeprefix(".") if match else ""
    sentence = text[: match.start()] if match else text
    if not isinstance(error, msgspec.ValidationError):
        return BadInput("bad-json", f"this is not JSON: {sentence[:200]}")
    unknown = _UNKNOWN.search(sentence)
    if unknown:
        place = f"{place}.{unknown['name']}".removeprefix(".")
        return BadInput("unknown-field", f"there is no field {place!r}", where=place, allowed=_allowed(form, place))
    sentence = f"{place}: {sentence}" if place else sentence
    return BadInput("bad-field", sentence[:300], where=place or None, allowed=_allowed(form, place))


def _allowed(form: Any, place: str) -> str | None:
    """What may stand at a place of a form: the words of a field that takes words only, or the fields there are."""
    *path, name = re.sub(r"\[[^]]*\]", "", place).split(".")
    for part in path:
        hint = get_type_hints(form).get(part) if _is_form(form) else None
        form = next((found for found in _within(hint) if _is_form(found)), None)
    if not _is_form(form):
        return None
    if name not in form.__struct_fields__:
        return ", ".join(form.__struct_fields__) if name else None
    words = [word for found in _within(get_type_hints(form)[name]) if get_origin(found) is Literal for word in get_args(found)]
    return ", ".join(map(str, words)) or None


def _is_form(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Struct)


def _within(hint: Any) -> Iterator[Any]:
    """A type and those it is made of."""
    yield hint
    for part in () if get_origin(hint) is Literal else get_args(hint):
        yield from _within(part)


def _guarded(read: Callable[[], T], form: Any = None) -> T:
    try:
        return read()
    except RecursionError:
        raise BadInput("bad-json", "this JSON is nested too deeply", allowed="a few levels") from None
    except (msgspec.MsgspecError, ValueError) as error:
        raise _refusal(error, form) from None


def _capped(raw: bytes) -> bytes:
    if len(raw) > MOST_BYTES:
        raise BadInput("too-large", f"{len(raw)} bytes are more than 4 MiB", allowed="4 MiB")
    return raw


def decode_json(raw: bytes) -> Any:
    """Any JSON; `BadInput` for what is none or is over the cap."""
    return _guarded(lambda: msgspec.json.decode(_capped(raw)))


def decode(raw: bytes, form: type[T]) -> T:
    """Read a form from JSON; `BadInput` names the field that does not fit."""
    return _guarded(lambda: read_json(_capped(raw), form), form)


def fill(value: Any, form: type[T], where: str = "") -> T:
    """Fit decoded JSON into a form; `BadInput` names the field that does not fit, inside ``where``."""
    try:
        return _guarded(lambda: convert(value, form), form)
    except BadInput as error:
        place = ".".join(part for part in (where, error.where) if part)
        message = f"{where}: {error.message}" if where else error.message
        raise BadInput(error.code, message, where=place or None, allowed=error.allowed) from None
