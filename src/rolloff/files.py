"""Files that people name: read with a limit, so that none is read for ever."""

from __future__ import annotations

from pathlib import Path

from rolloff.errors import BadInput

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
