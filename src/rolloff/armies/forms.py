"""The written forms of books and lists (TOML or JSON), and the sentences for files that do not fit.

A field nobody knows is refused, so that a misspelt one cannot pass unseen.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct

from rolloff.errors import ArmyError
from rolloff.typed import convert, misfit

MOST_BYTES = 4 * 1024 * 1024
"""No file may be larger than this."""

T = TypeVar("T")
Number = int | float
WeaponText = str | dict[str, Any]


class OptionForm(Struct, forbid_unknown_fields=True):
    """One upgrade: for ``one`` model (up to ``most`` times), for the ``first`` model, or for ``all`` of them."""

    id: str
    text: str
    models: Literal["one", "first", "all"] = "one"
    most: int = 1
    remove: list[str] = []
    add: list[WeaponText] = []
    rules: list[str] = []
    powers: list[str] = []
    cost: int | None = None


class UpgradesForm(Struct, forbid_unknown_fields=True):
    """A list of upgrades that units name by its letter."""

    title: str
    options: list[OptionForm]


class ProfileForm(Struct, forbid_unknown_fields=True):
    """A unit of a book: its size (or least and greatest), Quality or characteristics, kit, rules, and its upgrade lists.

    ``points`` (for the unit) or ``each`` (for a model) is its price where it is not priced by the formula. ``champion`` names
    the first model, or with ``champion_per`` one of so many. ``leads`` are the units it may lead, ``beside`` the leaders it may
    join there; ``warlord`` is ``must`` or ``never``; ``battleline`` are units that count as such beside it.
    """

    name: str
    quality: int = 4
    size: int | tuple[int, int] = 1
    type: str = "infantry"
    role: str = ""
    rules: list[str] = []
    weapons: list[WeaponText] = []
    powers: list[str] = []
    upgrades: list[str] = []
    body: str = ""
    base: str = ""
    height: Number | None = None
    about: str = ""
    stats: dict[str, int | str | list[int]] = {}
    keywords: list[str] = []
    points: int | None = None
    each: int | None = None
    champion: str = ""
    champion_per: int = 0
    leads: list[str] = []
    beside: list[str] = []
    warlord: Literal["", "must", "never"] = ""
    battleline: list[str] = []


class EnhancementForm(Struct, forbid_unknown_fields=True):
    """Something one model of a kind may have beside its kit: its price, who may bear it, and the rules it brings."""

    id: str
    name: str
    points: int
    bearer: str
    rules: list[str] = []
    leader: bool = False
    about: str = ""


class BookForm(Struct, forbid_unknown_fields=True):
    """A faction: its units and the upgrade lists they share; its enhancements and detachments, as its edition reads them."""

    faction: str
    editions: list[str]
    units: dict[str, ProfileForm]
    upgrades: dict[str, UpgradesForm] = {}
    about: str = ""
    keyword: str = ""
    enhancements: dict[str, EnhancementForm] = {}
    detachments: dict[str, dict[str, Any]] = {}


class ModelsForm(Struct, forbid_unknown_fields=True):
    """Like models of a unit that is written out in a list."""

    weapons: list[WeaponText] = []
    rules: list[str] = []
    count: int = 1
    name: str = ""
    body: str = ""
    base: str = ""
    height: Number | None = None
    stats: dict[str, int | str | list[int]] = {}


class EntryForm(Struct, forbid_unknown_fields=True):
    """A unit of a list: one of a book (``unit``), or one written out (``models``).

    ``leads`` is the number of the unit in the list it is to lead, ``starts`` how it starts unless its player says otherwise.
    """

    unit: str = ""
    book: str = ""
    name: str = ""
    size: int | None = None
    upgrades: list[str] = []
    quality: int = 4
    type: str = "infantry"
    rules: list[str] = []
    powers: list[str] = []
    keywords: list[str] = []
    stats: dict[str, int | str | list[int]] = {}
    models: list[ModelsForm] = []
    points: int | None = None
    leads: int = 0
    starts: str = ""
    warlord: bool = False
    enhancement: str = ""


class ListForm(Struct, forbid_unknown_fields=True):
    """An army list: the edition it is legal in, the game size it is for, its detachment if it has one, and its units."""

    name: str
    edition: str
    units: list[EntryForm]
    points: int = 0
    book: str = ""
    detachment: str = ""
    about: str = ""


_AT = re.compile(r" - at `[^`]*`$")


def decode(raw: bytes, where: str) -> Any:
    """TOML, or JSON if it begins with a brace; `ArmyError` for what is neither or is over the cap."""
    if len(raw) > MOST_BYTES:
        raise ArmyError("too-large", f"{where}: {len(raw)} bytes are more than 4 MiB", where=where, allowed="4 MiB")
    try:
        if raw.lstrip()[:1] == b"{":
            return msgspec.json.decode(raw)
        return tomllib.loads(raw.decode("utf-8"))
    except RecursionError:
        raise ArmyError("bad-file", f"{where}: this is nested too deeply", where=where) from None
    except UnicodeDecodeError as error:
        message = f"{where}: this is no text: byte {error.start} is not UTF-8"
        raise ArmyError("bad-file", message, where=where, allowed="TOML or JSON") from None
    except (msgspec.MsgspecError, ValueError) as error:
        raise ArmyError("bad-file", f"{where}: {str(error)[:200]}", where=where, allowed="TOML or JSON") from None


def fit(value: Any, form: type[T], where: str) -> T:
    """Fit decoded data into a form; `ArmyError` names the field that does not fit, and those there are."""
    try:
        return convert(value, form)
    except RecursionError:
        raise ArmyError("bad-file", f"{where}: this is nested too deeply", where=where) from None
    except msgspec.ValidationError as error:
        raise misfitting(value, form, where, str(error)) from None


def misfitting(value: Any, form: type[Any], where: str, said: str) -> ArmyError:
    """The refusal of data that does not fit a form."""
    found = misfit(value, form)
    place = found.place or where
    before = f"{where}: {found.place}" if found.place else where
    if not found.name:
        return ArmyError("bad-file", f"{before}: {_AT.sub('', said)}"[:300], where=place)
    message = f"{before}: {found.name!r} is not known here"
    return ArmyError("bad-file", message[:300], where=place, allowed=", ".join(found.allowed))


def read_book(raw: bytes, where: str) -> BookForm:
    """A book from the bytes of its file."""
    return fit(decode(raw, where), BookForm, where)


def read_list(raw: bytes, where: str) -> ListForm:
    """A list from the bytes of its file."""
    return fit(decode(raw, where), ListForm, where)
