"""What stands on a table for sight by samples, compiled once: solid parts, screens and features.

A screen is a footprint that stops sight by itself and that models may lift, each by where it stands. A feature is a group of
prisms that may hide a part of somebody.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from functools import lru_cache
from struct import pack
from typing import Any, Final

from rolloff.geometry import kernels
from rolloff.geometry.field import Field
from rolloff.geometry.plain.samples import Prism
from rolloff.geometry.samples import leaving
from rolloff.geometry.shapes import Base

OPEN: Final = 0
"""In a row of a model, by feature: it gives no cover there."""
HIDING: Final = 1
"""It gives cover if it hides a part of the model."""
COVERED: Final = 2
"""It gives cover there whoever looks."""


@lru_cache(maxsize=256)
def _ways_out(base: Base) -> bytes:
    """Where lines of sight leave a base, packed."""
    return b"".join([pack("<2i", *point) for point in leaving(base)])


class Backdrop:
    """Prisms by number, the solid ones first; of each further one its screen; of each feature its prisms."""

    def __init__(
        self,
        field: Field,
        solids: Sequence[Prism],
        screens: Sequence[tuple[bool, Sequence[Prism]]],
        features: Sequence[tuple[Sequence[int], Sequence[int]]],
    ) -> None:
        """From solid parts, screens (woody: for full visibility alone) and features (their solids and screens by number)."""
        self.solids = len(solids)
        self.prisms = [*solids, *(prism for _, prisms in screens for prism in prisms)]
        self.screen = [-1] * len(solids) + [k for k, (_, prisms) in enumerate(screens) for _ in prisms]
        self.woody = bytes(woody for woody, _ in screens)
        self.screens, self.features = len(screens), len(features)
        self.wide = 2 * self.screens + self.features
        """How long the row of a model is: a byte by screen as an observer and as a target, and one by feature."""
        self.parts = [
            (*own, *(k for k, screen in enumerate(self.screen) if screen >= 0 and screen in numbers))
            for own, numbers in features
        ]
        self._keep: list[Any] = []
        self._row: tuple[Any, ...] = ()
        self.handle: Any = self._before(field) if kernels.COMPILED else None

    def before(self, field: Field) -> Backdrop:
        """The same prisms, screens and features before the models of another field."""
        found: Backdrop = copy(self)
        found._keep = [*self._keep]
        found.handle = found._before(field) if kernels.COMPILED else None
        return found

    def _new(self, kind: str, rows: Sequence[Any]) -> Any:
        """A C array that lives as long as this backdrop."""
        array = kernels.ffi.new(kind, rows or 1)
        self._keep.append(array)
        return array

    def _held(self, kind: str, rows: bytes) -> Any:
        """The same of numbers that are packed already."""
        array = kernels.ffi.from_buffer(kind, rows)
        self._keep.append(array)
        return array

    def _before(self, field: Field) -> Any:
        """The C structure that the compiled kernels read."""
        self._row = self._row or self._resident()
        bases = self._held("int32_t[]", b"".join(map(_ways_out, field.bases)))
        return kernels.ffi.new("Backdrop *", (*self._row, bases))

    def _resident(self) -> tuple[Any, ...]:
        """All of it but for the models."""
        points: list[float] = []
        rows = []
        for corners, r, z0, z1, box in self.prisms:
            rows.append((r, z0, z1, *box, len(points) // 2, len(corners)))
            points += [c for corner in corners for c in corner]
        firsts = [0]
        for parts in self.parts:
            firsts.append(firsts[-1] + len(parts))
        return (
            self.solids,
            len(rows),
            self.screens,
            self.features,
            self._new("Prism[]", rows),
            self._new("double[]", points),
            self._new("int32_t[]", self.screen),
            self._new("char[]", self.woody),
            self._new("int32_t[]", firsts),
            self._new("int32_t[]", [k for parts in self.parts for k in parts]),
        )
