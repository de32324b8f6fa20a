"""Missions as data: a file of an edition's content, each mission by its id, the usual one first."""

from __future__ import annotations

from functools import cached_property
from pkgutil import get_data
from typing import Generic, TypeVar

from msgspec import Struct

from rolloff.errors import BadInput
from rolloff.table.setup import Setup
from rolloff.typed import convert

M = TypeVar("M", bound=Struct)


class Missions(Generic[M]):
    """The missions of an edition: a file in the package's content, read when it is first needed."""

    def __init__(self, kind: type[M], file: str, usual: str, package: str = "rolloff") -> None:
        """Say what a mission is, where they are written, and which one is played if none is named."""
        self.kind, self.file, self.usual, self.package = kind, file, usual, package

    @cached_property
    def all(self) -> dict[str, M]:
        """Every mission by its id, in the order of the file."""
        import tomllib

        raw = get_data(self.package, self.file)
        if raw is None:
            raise FileNotFoundError(self.file)
        return {id: convert(row, self.kind) for id, row in tomllib.loads(raw.decode("utf-8")).items()}

    def of(self, setup: Setup) -> M:
        """The mission of a setup; `BadInput` for one nobody knows."""
        id = setup.mission or self.usual
        found = self.all.get(id)
        if found is None:
            raise BadInput("unknown-mission", f"no mission {id!r}", where="mission", allowed=", ".join(self.all))
        return found
