"""Detachments as data (G5, G6): the rule of each, and its Stratagems, as the books write them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any, Literal

import msgspec
from msgspec import Struct

from rolloff.editions.commentary.cards import words_of
from rolloff.editions.commentary.lookups import index_of
from rolloff.errors import BadInput
from rolloff.files import FOLDERS, more_tables, shipped_names, shipped_table
from rolloff.rules.citing import cites
from rolloff.rules.game import Game
from rolloff.typed import convert, misfit

EDITION = "commentary-10"
"""Whose books are read; a book names the editions it is for."""
DETACHMENT = "detachment:"


class Stratagem(Struct, frozen=True, forbid_unknown_fields=True):
    """One Stratagem of a detachment as its book writes it."""

    id: str
    name: str
    labels: tuple[str, ...]
    cost: int
    at: tuple[str, ...]
    turn: Literal["own", "enemy", "other", "either"]
    target: str
    keywords: str
    about: str = ""
    phases: tuple[str, ...] = ()
    gives: tuple[str, ...] = ()
    until: str = "end-phase"
    does: str = ""
    once: str = ""
    equipment: str = ""
    ability: str = ""
    unless: str = ""
    within: int = 0
    armed: bool = False
    engaged: bool | None = None


class Detachment(Struct, frozen=True, forbid_unknown_fields=True):
    """A detachment: the keyword all its models have, its rule, and its Stratagems."""

    id: str
    name: str
    keyword: str
    about: str = ""
    rules: tuple[str, ...] = ()
    stratagems: tuple[Stratagem, ...] = ()


class Found(Struct, frozen=True):
    """A detachment of another content folder, with the keywords and the weapons that units of its book have."""

    detachment: Detachment
    keywords: frozenset[str]
    weapons: frozenset[str]


@cache
def detachments() -> Mapping[str, Detachment]:
    """Every detachment of the shipped books of this edition, by the name lists use."""
    books = {file.rpartition("/")[2]: shipped_table(file) for file in shipped_names("content/commentary/books")}
    return {name: _read(row, name, book) for book, rows in books.items() for name, row in rows.get("detachments", {}).items()}


def detachment(name: str) -> Detachment | None:
    """A detachment by the name lists use: of a shipped book, or of one in another content folder."""
    shipped = detachments().get(name)
    if shipped is not None:
        return shipped
    found = others().get(name)
    return found.detachment if found is not None else None


def others() -> Mapping[str, Found]:
    """The detachments of books in other content folders; `BadInput` says what of them does not fit."""
    return _others(os.environ.get(FOLDERS, ""))


@lru_cache(maxsize=4)
def _others(folders: str) -> Mapping[str, Found]:
    """The same, read once for the folders that are named."""
    found: dict[str, Found] = {}
    for book, table in more_tables("books"):
        rows = table.get("detachments", {}) if EDITION in table.get("editions", ()) else {}
        for name, row in rows.items():
            if name in detachments() or name in found:
                raise BadInput("bad-book", f"{book}: there is another detachment {name!r}", where=book)
            found[name] = Found(_read(row, name, book), *_vocabulary(table))
    return found


def _vocabulary(table: Mapping[str, Any]) -> tuple[frozenset[str], frozenset[str]]:
    """The keywords and the names of the weapons in a book, as far as it is written as books are."""
    units = _tables(table.get("units"))
    options = [
        option for row in _tables(table.get("upgrades")) for option in row.get("options", ()) if isinstance(option, dict)
    ]
    words = {word for unit in units for word in unit.get("keywords", ()) if isinstance(word, str)}
    kit = [*(weapon for unit in units for weapon in unit.get("weapons", ()))]
    kit += [weapon for option in options for weapon in option.get("add", ())]
    weapons = {str(weapon.get(field)) for weapon in kit if isinstance(weapon, dict) for field in ("name", "of")}
    return frozenset(words | {str(table.get("keyword", ""))}), frozenset(weapons)


def _tables(value: object) -> list[dict[str, Any]]:
    """The tables of a table."""
    return [row for row in value.values() if isinstance(row, dict)] if isinstance(value, dict) else []


def _read(row: object, name: str, book: str) -> Detachment:
    """A detachment as its book writes it; `BadInput` names the field that does not fit, and those there are."""
    try:
        return convert(row, Detachment)
    except msgspec.ValidationError as error:
        found = misfit(row, Detachment, f"detachments.{name}")
        where = f"{book}: {found.place}"
        message = (
            f"{where}: {found.name!r} is not known here" if found.name else f"{where}: {str(error).partition(' - at ')[0]}"
        )
        raise BadInput("bad-book", message, where=found.place, allowed=", ".join(found.allowed) or None) from None


def detachment_of(game: Game, side: int) -> str:
    """The detachment a side fields, by the name its list uses; nothing if it names none."""
    lookups = index_of(game)
    found = lookups.fielded.get(side)
    if found is None:
        names = [name for unit in game.units_of[side] for name in words_of(game.cards[unit], DETACHMENT)]
        found = lookups.fielded[side] = min(names) if names else ""
    return found


@cites("KEYW-5")
def detachment_rules(game: Game, side: int) -> tuple[str, ...]:
    """KEYW-5: the rules of a side's detachment, if every model of the army has its keyword or says that it does no harm."""
    lookups = index_of(game)
    key = ("detachment", side)
    kept = lookups.flown.get(key)
    if isinstance(kept, tuple):
        return kept
    name = detachment_of(game, side)
    found = detachment(name) if name else None
    whole = found is not None and all(
        found.keyword in lookups.fighters[slot].keywords or lookups.fighters[slot].has("Breaks No Detachment")
        for unit in game.units_of[side]
        for slot in range(game.starts[unit], game.starts[unit + 1])
    )
    made = found.rules if found is not None and whole else ()
    lookups.flown[key] = made
    return made
