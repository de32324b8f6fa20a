"""Decision requests: who must answer, what kind, the options or the constraint, the default and the clause.

Interface, opponents, network, replay and environments all answer the same requests. A request with `options` is answered by one
of them; one without carries an `order` that a judge knows, and a default that passes it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from rolloff.table.event import Fact

Option = str | int | bool
PASS = "pass"
"""The option of doing nothing, where that is one."""


class Later(Struct, frozen=True):
    """A default that takes some computing, done only for whoever asks for it."""

    compute: Callable[[], object]


class Request(Struct, frozen=True):
    """One question to one player. ``default`` is an answer that is always legal; it may be computed late."""

    who: int
    kind: str
    clause: str
    options: tuple[Option, ...] | None
    fallback: object
    about: int = -1
    point: str = ""
    order: object = None
    facts: tuple[tuple[str, Fact], ...] = ()

    @property
    def default(self) -> object:
        """An answer that is always legal."""
        return self.fallback.compute() if isinstance(self.fallback, Later) else self.fallback


class Talk(Struct, frozen=True):
    """What a player says at any time instead of an answer: a dispute, an override, conceding. The question stands."""

    who: int
    name: str
    said: Mapping[str, Any]
