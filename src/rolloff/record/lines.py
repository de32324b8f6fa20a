"""The lines of a record: JSON objects, each sealed with a hash of the seal before it and its own content.

The first key of a line, ``t``, says what it is: ``header``, ``step`` (a command: the step the clock names),
``answer``, ``talk`` (what a player said instead of an answer), ``roll``, ``event``, ``check`` (the state's hash),
``gave-up`` (a machine that is stuck) or ``end``. Then comes ``h``, which is ``sha256(previous h + content)``, the content
being the line's JSON without ``h`` and without blanks, and the first previous h an empty text. A server that signs its
records adds ``s``, the signature of ``h``, to header, checks and end. There is one way to write a line: other bytes for the
same content are refused.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import re
import stat
import zlib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from rolloff.errors import RecordError

FORMAT = "rolloff.record/2"
OLD = {"rolloff.record/1": "it binds neither armies, table nor concessions, so nothing could be proved by it"}
"""Formats that are no longer read, and why."""
MOST_BYTES = 64 * 1024 * 1024
"""No record may be larger than this when unpacked."""
MOST_LINES = 200_000
LONGEST_LINE = 4 * 1024 * 1024
FEW = 4
"""Lines are read anew when they are needed; so many stay read."""

Json = dict[str, Any]
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode
_GZIP = b"\x1f\x8b"

_NEWER = re.compile(r"rolloff\.record/[0-9]{1,4}")

KINDS = {
    "header": "header",
    "step": "command",
    "answer": "answer",
    "talk": "answer",
    "gave-up": "answer",
    "roll": "die",
    "event": "event",
    "check": "hash",
    "end": "end",
}
"""What a difference in a line of each type is called."""


def content(line: Json) -> Json:
    """A line without its seal and signature."""
    return {key: value for key, value in line.items() if key not in ("h", "s")}


def plain(line: Json) -> bytes:
    """The content of a line as the bytes that are hashed."""
    return _encode(content(line))


def seal(previous: str, line: Json) -> str:
    """The seal of a line that follows another."""
    return "sha256:" + hashlib.sha256(previous.encode() + plain(line)).hexdigest()


def sealed(lines: Iterable[Json], previous: str = "") -> list[Json]:
    """Lines with their seals, made anew from the first on; signatures stay as they are."""
    found = []
    for line in lines:
        previous = seal(previous, line)
        signature = {"s": line["s"]} if "s" in line else {}
        found.append({**content(line), "h": previous, **signature})
    return found


def text(lines: Iterable[Json]) -> bytes:
    """Lines as the bytes of a file."""
    return b"".join(_encode(line) + b"\n" for line in lines)


@lru_cache(FEW)
def _parsed(raw: bytes) -> Json | None:
    try:
        found = _decode(raw)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


class Line(Struct, frozen=True):
    """A line as it was found: its number from 1 on, its bytes, and whether it was ended. It is read when asked for."""

    number: int
    raw: bytes
    ended: bool = True

    @property
    def found(self) -> Json | None:
        """Its content, or None if it is no JSON object."""
        return _parsed(self.raw)

    @property
    def canonical(self) -> bool:
        """Whether it is written the one way a line is written."""
        found = self.found
        if found is None or not self.ended:
            return False
        ending = {key: found[key] for key in ("h", "s") if key in found}
        return _encode({**content(found), **ending}) == self.raw

    @property
    def type(self) -> str:
        """What the line says it is."""
        kind = self.get("t")
        return kind if isinstance(kind, str) else ""

    def get(self, key: str) -> Any:
        """A field of the line, or None."""
        found = self.found
        return found.get(key) if found else None


def _unpacked(raw: bytes, name: str) -> bytes:
    if not raw.startswith(_GZIP):
        return raw
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(raw)) as packed:
            return packed.read(MOST_BYTES + 1)
    except (OSError, EOFError, zlib.error):
        raise RecordError("not-a-record", f"{name} is packed but cannot be unpacked", where=name) from None


def _rows(raw: bytes, name: str) -> list[bytes]:
    """The rows of a record, none longer and no more than allowed."""
    if len(raw) > MOST_BYTES:
        raise _too_large(name, f"{MOST_BYTES >> 20} MiB")
    if raw.count(b"\n") > MOST_LINES:
        raise _too_large(name, f"{MOST_LINES} lines")
    rows = raw.split(b"\n")
    if not rows[-1]:
        rows.pop()
    if any(len(row) > LONGEST_LINE for row in rows):
        raise _too_large(name, f"{LONGEST_LINE >> 20} MiB in a line")
    return rows


def _too_large(name: str, allowed: str) -> RecordError:
    return RecordError("too-large", f"{name} is larger than a record may be", where=name, allowed=allowed)


def parse(raw: bytes, name: str) -> list[Line]:
    """The lines of a record.

    Raises:
        RecordError: it is too large, does not begin like a record, or is of a format that is no longer read.
    """
    raw = _unpacked(raw, name)
    rows = _rows(raw, name)
    ended = raw.endswith(b"\n")
    lines = [Line(number, row, ended or number < len(rows)) for number, row in enumerate(rows, 1)]
    written = lines[0].get("format") if lines and lines[0].type == "header" else None
    if isinstance(written, str) and written in OLD:
        message = f"{name} is a record of the older format {written}, which is not read any more: {OLD[written]}"
        raise RecordError("old-format", message, where=name, allowed=FORMAT)
    if isinstance(written, str) and _NEWER.fullmatch(written) and written != FORMAT:
        message = f"{name} is a record of the format {written}, which this version does not know"
        raise RecordError("other-format", message, where=name, allowed=f"{FORMAT}, or a newer Rolloff")
    if written != FORMAT:
        raise RecordError("not-a-record", f"{name} is not a game record", where=name, allowed=FORMAT)
    return lines


def load(path: Path) -> list[Line]:
    """The lines of a record file; `RecordError` if it cannot be read as one."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise RecordError("unreadable", f"{path.name} is no file", where=path.name, allowed="a file")
        with path.open("rb") as file:
            raw = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        why = (isinstance(error, OSError) and error.strerror) or "it is no file"
        raise RecordError("unreadable", f"{path.name} cannot be read: {why}", where=path.name) from None
    return parse(raw, path.name)


class Break(Struct, frozen=True):
    """The first line whose seal does not fit, and what was altered: its content, or the seal (chain)."""

    line: int
    kind: str


def first_break(lines: list[Line]) -> Break | None:
    """Where the chain of seals breaks first, if it does."""
    previous = ""
    for at, line in enumerate(lines):
        if line.found is None or not line.canonical:
            return Break(line.number, "chain" if line.ended else "end")
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
