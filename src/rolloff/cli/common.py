"""What the commands share: one JSON object on standard output, input from a file or a pipe."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import msgspec

from rolloff.errors import BadInput

MOST_BYTES = 4 * 1024 * 1024


def print_json(found: Any) -> None:
    """Print one JSON object: on one line, or spread out for a person at a terminal."""
    raw = msgspec.json.encode(found)
    if sys.stdout.isatty():
        raw = msgspec.json.format(raw, indent=2)
    print_bytes(raw + b"\n")


def print_bytes(raw: bytes) -> None:
    """Print bytes as they are; a closed pipe is the caller's to handle."""
    sys.stdout.flush()
    stream = getattr(sys.stdout, "buffer", None)
    if stream is None:
        sys.stdout.write(raw.decode())
    else:
        stream.write(raw)
        stream.flush()


def read_input(name: str) -> bytes:
    """The bytes of a file, or of standard input for ``-``.

    Raises:
        BadInput: it cannot be read, or is larger than 4 MiB.
    """
    try:
        if name == "-":
            raw = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            with Path(name).open("rb") as file:
                raw = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is no file"
        shown = Path(name).name
        raise BadInput("unreadable", f"{shown} cannot be read: {why}", where=shown) from None
    if len(raw) > MOST_BYTES:
        raise BadInput("too-large", "the input is larger than 4 MiB", where=None, allowed="4 MiB")
    return raw
