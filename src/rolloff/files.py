"""Files that people name, read with a limit, so that none is read for ever; and those that come with the package."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from rolloff.errors import BadInput

if TYPE_CHECKING:
    from pathlib import Path

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
