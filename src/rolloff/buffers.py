"""Buffers with one entry for each roster slot: some entries replaced by others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

_ITEMS: Final[dict[int, Literal["h", "i", "q"]]] = {2: "h", 4: "i", 8: "q"}
"""How `memoryview` calls entries of so many bytes."""


def spliced(buffer: bytes, size: int, slots: Sequence[int], values: bytes) -> bytes:
    """A buffer with new entries of a size (2, 4 or 8 bytes) for some slots, in order; a run that is so already: itself."""
    if not slots:
        return buffer
    first = slots[0]
    after = first + len(slots)
    if slots[-1] == after - 1 and (after == first + 1 or tuple(slots) == tuple(range(first, after))):
        begin, end = first * size, after * size  # a run, as most units are
        return buffer if buffer[begin:end] == values else buffer[:begin] + values + buffer[end:]
    item = _ITEMS[size]
    rows = memoryview(bytearray(buffer)).cast(item)
    for slot, value in zip(slots, memoryview(values).cast(item), strict=True):
        rows[slot] = value
    return rows.tobytes()
