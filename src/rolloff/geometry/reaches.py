"""How far the weapons of all models of a field reach, for the kernels that ask who has anybody in aim."""

from __future__ import annotations

from collections.abc import Sequence
from struct import pack
from typing import Any

from rolloff.geometry import kernels


class Reaches:
    """Of each model how far those of its weapons reach that need sight, and those that are fired unseen; below 0 for none.

    There may be several rows of all models, one behind the other: the same models with other weapons.
    """

    def __init__(self, seen: Sequence[float], unseen: Sequence[float]) -> None:
        """Keep all of it, for the compiled kernels as C arrays."""
        self.seen, self.unseen = seen, unseen
        self.handles: tuple[Any, Any] | None = (_held(seen), _held(unseen)) if kernels.COMPILED else None


def _held(numbers: Sequence[float]) -> Any:
    """Numbers as a C array."""
    return kernels.ffi.from_buffer("double[]", pack(f"<{len(numbers)}d", *numbers))
