"""The lines of a record: JSON objects, each sealed with a hash of the seal before it and its own content.

The first key of a line, ``t``, says what it is: ``header``, ``step`` (a command: the step the clock names),
``answer``, ``talk`` (what a player said instead of an answer), ``roll``, ``event``, ``check`` (the state's hash) or
``end``. The last, ``h``, is ``sha256(previous h + content)``, the content being the line's JSON without ``h`` and
without blanks, and the first previous h an empty text.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from rolloff.errors import RecordError

FORMAT = "rolloff.record/1"
MOST_BYTES = 256 * 1024 * 1024
"""No record may be larger than this when unpacked."""

Json = dict[str, Any]
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode
_GZIP = b"\x1f\x8b"

KINDS = {
    "header": "header",
    "step": "command",
    "answer": "answer",
    "talk": "answer",
    "roll": "die",
    "event": "event",
    "check": "hash",
    "end": "end",
}
"""What a difference in a line of each type is called."""


def content(line: Json) -> Json:
    """A line without its seal."""
    return {key: value for key, value in line.items() if key != "h"}


def plain(line: Json) -> bytes:
    """The content of a line as the bytes that are hashed."""
    return _encode(content(line))


def seal(previous: str, line: Json) -> str:
    """The seal of a line that follows another."""
    return "sha256:" + hashlib.sha256(previous.encode() + plain(line)).hexdigest()


def sealed(lines: Iterable[Json], previous: str = "") -> list[Json]:
    """Lines with their seals, made anew from the first on."""
    found = []
    for line in lines:
        previous = seal(previous, line)
        found.append({**content(line), "h": previous})
    return found


def text(lines: Iterable[Json]) -> bytes:
    """Lines as the bytes of a file."""
    return b"".join(_encode(line) + b"\n" for line in lines)


class Line(Struct, frozen=True):
    """A line as it was found: its number from 1 on and its content, or None if it is no JSON object."""

    number: int
    found: Json | None

    @property
    def type(self) -> str:
        """What the line says it is."""
        kind = self.found.get("t") if self.found else None
        return kind if isinstance(kind, str) else ""

    def get(self, key: str) -> Any:
        """A field of the line, or None."""
        return self.found.get(key) if self.found else None


def _parsed(number: int, raw: bytes) -> Line:
    try:
        found = _decode(raw)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return Line(number, None)
    return Line(number, found if isinstance(found, dict) else None)


def _unpacked(raw: bytes, name: str) -> bytes:
    if not raw.startswith(_GZIP):
        return raw
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(raw)) as packed:
            return packed.read(MOST_BYTES + 1)
    except (OSError, EOFError, zlib.error):
        raise RecordError("not-a-record", f"{name} is packed but cannot be unpacked", where=name) from None


def parse(raw: bytes, name: str) -> list[Line]:
    """The lines of a record.

    Raises:
        RecordError: it is too large or does not begin like a record.
    """
    raw = _unpacked(raw, name)
    if len(raw) > MOST_BYTES:
        raise RecordError("too-large", f"{name} is larger than a record may be", where=name, allowed="256 MiB")
    rows = raw.split(b"\n")
    if rows and not rows[-1].strip():
        rows.pop()
    lines = [_parsed(number, row) for number, row in enumerate(rows, 1)]
    if not lines or lines[0].type != "header" or lines[0].get("format") != FORMAT:
        raise RecordError("not-a-record", f"{name} is not a game record", where=name, allowed=FORMAT)
    return lines


def load(path: Path) -> list[Line]:
    """The lines of a record file; `RecordError` if it cannot be read as one."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise RecordError("unreadable", f"{path.name} cannot be read: {error.strerror}", where=path.name) from None
    return parse(raw, path.name)


class Break(Struct, frozen=True):
    """The first line whose seal does not fit, and what was altered: its content, or the seal (chain)."""

    line: int
    kind: str


def first_break(lines: list[Line]) -> Break | None:
    """Where the chain of seals breaks first, if it does."""
    previous = ""
    for at, line in enumerate(lines):
        if line.found is None:
            kind = "end" if at == len(lines) - 1 else "chain"
            return Break(line.number, kind)
        due = seal(previous, line.found)
        if line.get("h") != due:
            return Break(line.number, _altered(lines, at, due))
        previous = due
    return None


def _altered(lines: list[Line], at: int, due: str) -> str:
    """What was altered: the next line still rests on the seal as it was, or on the seal as it should be."""
    line = lines[at]
    following = lines[at + 1].found if at + 1 < len(lines) else None
    seal_alone = seal(due, following) == following.get("h") if following is not None else not isinstance(line.get("h"), str)
    return "chain" if seal_alone else KINDS.get(line.type, "chain")
