"""What the commands share: one JSON object on standard output, input from a file or a pipe."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

import msgspec

from rolloff.errors import BadInput, RolloffError
from rolloff.files import MOST_BYTES, bounded, read_file

if TYPE_CHECKING:
    from pathlib import Path

_QUOTED = re.compile(r"['\"]([^'\"]+)['\"]")


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


def safe(text: str) -> str:
    """A text for a terminal: what would move the cursor, ring or colour shows as a sign, whatever a file holds."""
    return "".join(sign if sign.isprintable() else " " if sign in "\n\t" else "\ufffd" for sign in text)


MOST_ALLOWED = 100
"""What is allowed is told whole up to so many characters; the rules there are, always."""


def nearest(error: RolloffError) -> str:
    """The allowed name that is spelt most like the one that was refused; else what is allowed, if that is short."""
    from difflib import get_close_matches

    found = _QUOTED.search(error.message)
    names = [name.strip() for name in (error.allowed or "").split(",")]
    asked = [found[1], found[1].rpartition(".")[2]] if found else []  # of a field in a place its own name as well
    alike = next(filter(None, (get_close_matches(name, names, 1, 0.6) for name in asked)), [])
    if alike and not any(said in error.message.lower() for said in ("did you mean", "the nearest is")):
        return f"; did you mean {alike[0]!r}?"
    short = error.code == "unknown-rule" or (len(error.allowed or "") <= MOST_ALLOWED and not alike)
    shown = error.allowed and short and error.allowed not in error.message
    return f" (allowed: {error.allowed})" if shown else ""


def read_input(name: str) -> bytes:
    """The bytes of a file, or of standard input for ``-``.

    Raises:
        BadInput: it cannot be read, or is larger than 4 MiB.
    """
    from pathlib import Path

    return bounded(sys.stdin.buffer.read(MOST_BYTES + 1)) if name == "-" else read_file(Path(name))


def write_output(path: Path, text: str) -> None:
    """Write a file; `BadInput` if that cannot be done."""
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise BadInput("not-written", f"{path.name} cannot be written: {error.strerror}", where=path.name) from None
