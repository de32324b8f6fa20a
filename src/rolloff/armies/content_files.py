"""Where content lies: in this package, in packages with an entry point ``rolloff.content``, and where ROLLOFF_CONTENT says.

Each family of editions has a folder of its own with ``books``, ``lists``, ``tables``, a terrain ``kit.toml`` and
``missions.toml``; every book, list and table says which editions it is for.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from rolloff.armies.forms import BookForm, ListForm, decode, read_book, read_list
from rolloff.errors import ArmyError
from rolloff.files import more_content


def _families() -> Iterator[Any]:
    """The content folders of all families, those of this package first."""
    for root in (files("rolloff").joinpath("content"), *more_content()):
        if root.is_dir():
            yield from sorted((family for family in root.iterdir() if family.is_dir()), key=lambda family: str(family.name))


def _written(folder: Any) -> Iterator[tuple[str, Any]]:
    """The TOML and JSON files of a folder, by their bare names."""
    if folder.is_dir():
        for file in sorted(folder.iterdir(), key=lambda file: str(file.name)):
            stem, dot, ending = str(file.name).rpartition(".")
            if dot and ending in ("toml", "json"):
                yield stem, file


def shelf(folder: str) -> dict[str, Any]:
    """Every file of a folder of any family, by its bare name; the first of a name is found."""
    found: dict[str, Any] = {}
    for family in _families():
        for stem, file in _written(family.joinpath(folder)):
            found.setdefault(stem, file)
    return found


@cache
def book(name: str) -> BookForm:
    """A book by its name; `ArmyError` if there is none."""
    found = shelf("books")
    if name not in found:
        raise ArmyError("unknown-book", f"no book {name!r}", where="book", allowed=", ".join(sorted(found)))
    return read_book(found[name].read_bytes(), name)


@cache
def books(edition: str) -> tuple[str, ...]:
    """The names of the books for an edition."""
    return tuple(name for name in sorted(shelf("books")) if edition in book(name).editions)


@cache
def stored_list(name: str) -> ListForm:
    """A ready-made list of a content folder."""
    return read_list(shelf("lists")[name].read_bytes(), name)


@cache
def stored_lists(edition: str) -> tuple[str, ...]:
    """The names of the ready-made lists of the content folders for an edition."""
    return tuple(name for name in sorted(shelf("lists")) if stored_list(name).edition == edition)


@cache
def stored_tables(edition: str) -> dict[str, bytes]:
    """The fixed tables for an edition, as they lie on the shelf."""
    raw = {name: file.read_bytes() for name, file in sorted(shelf("tables").items())}
    return {name: text for name, text in raw.items() if edition in decode(text, name).get("editions", ())}


@cache
def tables_for(edition: str, points: int) -> tuple[str, ...]:
    """The names of the fixed tables that are laid out for a size of game; those that name no size are for all."""
    sizes = {name: decode(text, name).get("points", ()) for name, text in stored_tables(edition).items()}
    return tuple(name for name, named in sizes.items() if not named or points in named)


@cache
def _editions_of(family: Any) -> frozenset[str]:
    """The editions some list, book or table of a family is for; read once, for there are hundreds of files."""
    found: set[str] = set()
    for folder in ("books", "lists", "tables"):
        for stem, file in _written(family.joinpath(folder)):
            data = decode(file.read_bytes(), stem)
            found.update(data.get("editions", ()), {data["edition"]} if "edition" in data else ())
    return frozenset(found)


@cache
def plain_file(name: str) -> bytes:
    """A file for all editions whose family has none of the kind."""
    return bytes(files("rolloff").joinpath("content", name).read_bytes())


@cache
def family_file(edition: str, name: str) -> bytes | None:
    """A file that all editions of a family share, or None if no family has this edition."""
    for family in _families():
        file = family.joinpath(name)
        if file.is_file() and edition in _editions_of(family):
            return bytes(file.read_bytes())
    return None
