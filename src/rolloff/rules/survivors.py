"""Who may go: casualties chosen so that the survivors still stand together, if any choice leaves them so."""

from __future__ import annotations

from collections.abc import Sequence

from rolloff.geometry.field import Scene
from rolloff.geometry.measure import gaps_among
from rolloff.geometry.moves import Coherency

MOST_TRIED = 4000


class Survivors:
    """The links between the models of one unit, as bit masks, and the search for a coherent rest."""

    def __init__(self, scene: Scene, slots: Sequence[int], coherency: Coherency, leeway: int) -> None:
        """Measure every pair once."""
        self.slots = tuple(slots)
        self.bit = {slot: 1 << k for k, slot in enumerate(self.slots)}
        n = len(self.slots)
        self.linked = [0] * n
        self.apart = [0] * n
        self.connected = coherency.connected
        self.leader = self.bit.get(coherency.leader, 0)
        self.led = coherency.leader >= 0
        link, spread, gaps = coherency.link + leeway, coherency.spread + leeway, iter(gaps_among(scene, self.slots))
        for i in range(n):
            for j in range(i + 1, n):
                between = next(gaps)
                if between <= link:
                    self.linked[i] |= 1 << j
                    self.linked[j] |= 1 << i
                if between > spread:
                    self.apart[i] |= 1 << j
                    self.apart[j] |= 1 << i
        self._tried = 0
        self._known: dict[int, bool] = {}

    def mask(self, slots: Sequence[int]) -> int:
        """Some models as a bit mask."""
        found = 0
        for slot in slots:
            found |= self.bit[slot]
        return found

    def coherent(self, mask: int) -> bool:
        """Whether these models alone would be coherent; one model always is."""
        if mask & (mask - 1) == 0:
            return True
        known = self._known.get(mask)
        if known is None:
            known = self._known[mask] = self._coherent(mask)
        return known

    def _coherent(self, mask: int) -> bool:
        left, linked, apart = mask, self.linked, self.apart
        while left:
            k = left.bit_length() - 1
            if not linked[k] & mask or (apart[k] & mask and not self.led):
                return False
            left ^= 1 << k
        return (not self.led or self._can_be_led(mask)) and (not self.connected or self._one_group(mask))

    def _can_be_led(self, mask: int) -> bool:
        """Whether nobody is too far from the leader; if that one is gone, from somebody who can follow it."""
        heads = self.leader & mask or mask
        return any(heads >> k & 1 and not self.apart[k] & mask for k in range(len(self.slots)))

    def _one_group(self, mask: int) -> bool:
        group = mask & -mask
        while True:
            grown, left = group, group
            while left:
                low = left & -left
                grown |= self.linked[low.bit_length() - 1] & mask
                left ^= low
            if grown == group:
                return group == mask
            group = grown

    def can_lose(self, mask: int, from_: int, count: int) -> bool:
        """Whether ``count`` of the models ``from_`` can go from ``mask`` so that the rest is coherent.

        The search looks at a few thousand sets at most; what it does not find by then it takes for impossible.
        """
        self._tried = 0
        return self._search(mask, from_ & mask, count, set())

    def _search(self, mask: int, from_: int, count: int, seen: set[int]) -> bool:
        if count == 0:
            return self.coherent(mask)
        if mask in seen or self._tried > MOST_TRIED:
            return False
        seen.add(mask)
        self._tried += 1
        left = from_
        later = []
        while left:
            low = left & -left
            left ^= low
            rest = mask ^ low
            if self.coherent(rest):
                if self._search(rest, from_ ^ low, count - 1, seen):
                    return True
            else:
                later.append(low)
        return any(self._search(mask ^ low, from_ ^ low, count - 1, seen) for low in later)

    def choices(self, mask: int, from_: int, count: int) -> tuple[int, ...]:
        """The slots that may go next, when ``count`` of ``from_`` must go: all of them if nothing keeps coherency."""
        candidates = tuple(slot for slot in self.slots if self.bit[slot] & from_ & mask)
        if count >= len(candidates):
            return candidates
        good = tuple(
            slot for slot in candidates if self.can_lose(mask ^ self.bit[slot], (from_ & mask) ^ self.bit[slot], count - 1)
        )
        return good or candidates

    def first(self, mask: int, from_: int, count: int, order: Sequence[int]) -> int:
        """The first in an order of preference of those `choices` would name, without looking at the others."""
        standing = [slot for slot in order if self.bit[slot] & from_ & mask]
        if count < len(standing):
            for slot in standing:
                if self.can_lose(mask ^ self.bit[slot], (from_ & mask) ^ self.bit[slot], count - 1):
                    return slot
        return standing[0]
