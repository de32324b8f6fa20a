"""Files that people name, read with a limit, so that none is read for ever; and those that come with the package."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from rolloff.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FOLDERS: Final = "ROLLOFF_CONTENT"
"""The variable that names content folders of one's own, separated as in ``PATH``."""
OFFERS: Final = "rolloff.content"
"""The entry-point group under which other packages offer content; each value is a package that holds families' folders."""
MOST_BYTES = 4 * 1024 * 1024
"""What people write by hand or by program for one question is no larger."""


def read_file(path: Path) -> bytes:
    """The bytes of a file; `BadInput` if it cannot be read or is larger than 4 MiB."""
    try:
        with path.open("rb") as file:
            raw = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        why = (isinstance(error, OSError) and error.strerror) or "it is no file"
        raise BadInput("unreadable", f"{path.name} cannot be read: {why}", where=path.name) from None
    return bounded(raw)


def bounded(raw: bytes) -> bytes:
    """What was read, unless it is too much."""
    if len(raw) > MOST_BYTES:
        raise BadInput("too-large", "the input is larger than 4 MiB", where=None, allowed="4 MiB")
    return raw


def shipped(name: str) -> bytes:
    """The bytes of a file of this package by its path in it; importlib.resources would take longer to import than to read."""
    with open(os.path.join(os.path.dirname(__file__), name), "rb") as file:
        return file.read()


def shipped_table(name: str) -> dict[str, Any]:
    """A TOML file of this package."""
    import tomllib

    return tomllib.loads(shipped(name).decode("utf-8"))


def shipped_names(folder: str) -> list[str]:
    """The paths of the files of a folder of this package, sorted."""
    return [f"{folder}/{name}" for name in sorted(os.listdir(os.path.join(os.path.dirname(__file__), folder)))]


@cache
def offered() -> tuple[str, ...]:
    """The packages that offer content by entry points, by the names of their modules."""
    from importlib.metadata import entry_points

    return tuple(sorted(point.value for point in entry_points(group=OFFERS)))


def more_content() -> Iterator[Any]:
    """The folders of content beside this package's: those of packages that offer some, and those FOLDERS names.

    Raises:
        BadInput: what is named is no folder, or is itself the folder of a family.
    """
    if offered():
        from importlib.resources import files

        yield from map(files, offered())
    from pathlib import Path

    for name in os.environ.get(FOLDERS, "").split(os.pathsep):
        if name:
            _check_folder(name, Path(name))
            yield Path(name)


def _check_folder(name: str, folder: Path) -> None:
    if not folder.is_dir():
        raise BadInput("no-folder", f"{FOLDERS} names {name!r}, which is no folder", where=FOLDERS)
    if (folder / "books").is_dir() or (folder / "lists").is_dir():
        message = f"{FOLDERS} names {name!r}, in which books or lists lie: name the folder around it"
        raise BadInput("no-folder", message, where=FOLDERS)


def more_tables(folder: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The TOML and JSON files of a folder of every family of `more_content`, by their names; `BadInput` for what is neither."""
    families = [family for root in more_content() if root.is_dir() for family in root.iterdir() if family.is_dir()]
    for family in sorted(families, key=lambda family: str(family.name)):
        shelf = family.joinpath(folder)
        for file in sorted(shelf.iterdir(), key=lambda file: str(file.name)) if shelf.is_dir() else ():
            if str(file.name).endswith((".toml", ".json")):
                yield str(file.name), _table(bounded(file.read_bytes()), str(file.name))


def _table(raw: bytes, name: str) -> dict[str, Any]:
    """TOML, or JSON if it begins with a brace."""
    import json
    import tomllib

    try:
        return dict(json.loads(raw)) if raw.lstrip()[:1] == b"{" else tomllib.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise BadInput("bad-file", f"{name}: {str(error)[:200]}", where=name, allowed="TOML or JSON") from None
