"""What was read otherwise than it was written: the notes that go with a result."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from msgspec import Struct

Json = dict[str, Any]


class Note(Struct, frozen=True):
    """Something that was read otherwise than it was written: where, what, as what (None: left out), and why."""

    where: str
    given: object
    read: object
    why: str

    @property
    def said(self) -> tuple[str, object, object]:
        """What makes two notes the same: like models of a unit are noted once."""
        return re.sub(r"models\[\d+\]", "models", self.where), self.given, self.read

    def json(self) -> Json:
        """The note as output has it."""
        return {"where": self.where, "from": self.given, "to": self.read, "why": self.why}


def once(notes: Iterable[Note]) -> tuple[Note, ...]:
    """Notes without those that say the same of another model of the unit."""
    found: dict[str, Note] = {}
    for note in notes:
        found.setdefault(repr(note.said), note)
    return tuple(found.values())
