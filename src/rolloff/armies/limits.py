"""How large a list may be: its sizes are looked at before anything is built of it."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from rolloff.armies.forms import EntryForm, ListForm
from rolloff.errors import ArmyError
from rolloff.geometry.field import MOST_MODELS

MOST_UNITS: Final = 200
MOST_UPGRADES: Final = 50
"""So many upgrades one unit may have."""
MOST_TEXTS: Final = 3000
"""So many weapons, rules, upgrades, powers and keywords may stand in a list."""
LONGEST_TEXT: Final = 500
LONGEST_NAME: Final = 100
LARGEST_NUMBER: Final = 100_000


def _refuse(message: str, where: str, most: int) -> ArmyError:
    return ArmyError("army-size", message, where=where, allowed=f"at most {most}")


def models_written(entry: EntryForm) -> int:
    """How many models an entry writes out, or asks its book for."""
    return sum(form.count for form in entry.models) if entry.models else entry.size or 1


def _texts(entry: EntryForm) -> int:
    own = len(entry.upgrades) + len(entry.rules) + len(entry.powers) + len(entry.keywords) + len(entry.stats)
    return own + sum(1 + len(form.weapons) + len(form.rules) + len(form.stats) for form in entry.models)


def check_models(count: int, where: str) -> None:
    """Refuse an army of more models than a table takes."""
    if count > MOST_MODELS:
        raise _refuse(f"{where}: {count} models are more than an army may have", where, MOST_MODELS)


def check_sizes(form: ListForm) -> None:
    """Refuse a list of more units, models or texts than an army can have, before any of it is read.

    Raises:
        ArmyError: what there is too much of, and how much there may be; points below nothing.
    """
    where = form.name[:LONGEST_NAME]
    if form.points < 0:
        raise ArmyError(
            "bad-points", f"{where}: points: no battle is of {form.points} points", where="points", allowed="0 or more"
        )
    if len(form.units) > MOST_UNITS:
        raise _refuse(f"{where}: {len(form.units)} units are more than an army may have", where, MOST_UNITS)
    check_models(sum(map(models_written, form.units)), where)
    for number, entry in enumerate(form.units):
        if len(entry.upgrades) > MOST_UPGRADES:
            what = f"{where}: units[{number}]: {len(entry.upgrades)} upgrades are more than a unit may have"
            raise _refuse(what, where, MOST_UPGRADES)
    texts = sum(map(_texts, form.units))
    if texts > MOST_TEXTS:
        raise _refuse(f"{where}: {texts} weapons, rules and upgrades are more than a list may have", where, MOST_TEXTS)


def check_words(form: ListForm) -> None:
    """Refuse a list that a stranger sent if its names are long or its numbers large beyond any use."""
    names = (form.name, *(name for entry in form.units for name in (entry.name, *(one.name for one in entry.models))))
    if any(len(name) > LONGEST_NAME for name in names):
        raise _refuse(f"{form.name[:LONGEST_NAME]}: a name has too many characters", "name", LONGEST_NAME)
    _check_value(msgspec.to_builtins(form), form.name)


def _check_value(value: Any, where: str) -> None:
    match value:
        case str() if len(value) > LONGEST_TEXT:
            raise _refuse(f"{where}: a text has too many characters", where, LONGEST_TEXT)
        case str() if not value.replace("\n", " ").replace("\t", " ").isprintable():
            raise ArmyError("bad-text", f"{where[:LONGEST_NAME]!r}: a text has signs that cannot be shown", where="list")
        case int() | float() if not abs(value) <= LARGEST_NUMBER:
            raise _refuse(f"{where}: a number is too large", where, LARGEST_NUMBER)
        case dict():
            for name, one in value.items():
                _check_value(name, where)
                _check_value(one, where)
        case list():
            for one in value:
                _check_value(one, where)
