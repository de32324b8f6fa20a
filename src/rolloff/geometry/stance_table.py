"""What places say of models, as a table: a byte for each column, by how a model stands to the piece of that column."""

from __future__ import annotations

from collections.abc import Sequence
from struct import pack
from typing import Any, Final

from rolloff.geometry import kernels

FOOTINGS: Final = 8
"""As many ways there are to stand to a piece (`measure.footings`)."""


class StanceTable:
    """Pieces with the limits by which models are beside them, and what columns say by sort of models and footing.

    Each column belongs to one of the pieces, by its place among them (``about``); ``says`` has a row of all columns for each
    sort, and in it for each footing. ``sort`` is that of every model of a field.
    """

    def __init__(
        self,
        pieces: Sequence[int],
        limits: Sequence[float],
        depth: float,
        about: Sequence[int],
        says: bytes,
        sort: bytes,
    ) -> None:
        """Keep all of it, for the compiled kernels in one structure."""
        self.pieces, self.limits, self.depth = pieces, limits, depth
        self.about, self.says, self.sort = about, says, sort
        self.size = len(about) * len(sort)
        self._keep: list[Any] = []
        self.handle: Any = self._resident() if kernels.COMPILED else None

    def _resident(self) -> Any:
        """The C structure that the compiled kernels read."""
        kept, held = self._keep, kernels.ffi.from_buffer
        for kind, code, numbers in (
            ("int32_t[]", "i", self.pieces),
            ("double[]", "d", self.limits),
            ("int32_t[]", "i", self.about),
        ):
            kept.append(held(kind, pack(f"<{len(numbers)}{code}", *numbers)))
        kept.append(held("char[]", self.says))
        kept.append(held("char[]", self.sort))
        return kernels.ffi.new("Stances *", (len(self.pieces), len(self.about), self.depth, *kept))
