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
    first, count = slots[0], len(slots)
    if count == 1 or (slots[-1] - first == count - 1 and tuple(slots) == tuple(range(first, first + count))):
        begin, end = first * size, (first + count) * size  # a run, as most units are
        return buffer if buffer[begin:end] == values else buffer[:begin] + values + buffer[end:]
    item = _ITEMS[size]
    rows = memoryview(bytearray(buffer)).cast(item)
    for slot, value in zip(slots, memoryview(values).cast(item), strict=True):
        rows[slot] = value
    return rows.tobytes()
