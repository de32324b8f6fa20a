"""What one harm does to the states of a target and wastes, as moves; and fronts of chances on their way. Floats only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rolloff.oracle.powers import Array

BLOCK = 20_000
"""The most numbers in the array that stands for the moves of one harm."""


class Move(NamedTuple):
    """From each state to the one so many places further on, wasting so much, with these chances."""

    along: int
    wasted: int
    chances: Array


class Effect(NamedTuple):
    """What one harm does: to states that stand, and the law of what it wastes where nobody is left.

    ``block``: the moves as one array, from each state (rows) by what is wasted and to which state (columns), where states are
    few; whoever is gone is counted in the last column of each waste.
    """

    moves: tuple[Move, ...]
    beyond: Array
    most: int
    """The most a move wastes."""
    block: Array | None


NOTHING = Effect((), np.zeros(1), 0, None)
"""What no harm does."""


class Front(NamedTuple):
    """Chances of standing states by what was wasted (rows) and by state (columns), and of the gone by what was wasted."""

    standing: Array
    gone: Array

    def law(self) -> Array:
        """The chances of what was wasted, whoever stands."""
        rows = self.standing.sum(axis=1)
        return added(rows, self.gone)


def added(first: Array, second: Array) -> Array:
    """Two laws of different lengths, added."""
    longer, shorter = (first, second) if len(first) >= len(second) else (second, first)
    found: Array = longer.copy()
    if len(shorter):
        found[: len(shorter)] += shorter
    return found


def block_of(moves: Sequence[Move], most: int, gone: Array) -> Array | None:
    """The moves as one array (see `Effect`); None where there are too many states for that to be quick."""
    size = len(gone)
    if size * size * (most + 1) > BLOCK:
        return None
    found = np.zeros((size, most + 1, size + 1))
    for along, wasted, chances in moves:
        at = np.arange(max(0, -along), size - max(0, along))
        found[at, wasted, at + along] += chances[at]
    found[:, :, size] = found[:, :, :size][:, :, gone].sum(axis=2)
    found[:, :, :size][:, :, gone] = 0.0
    return found.reshape(size, -1)


def beyond_all(gone: Array, beyond: Array) -> Array:
    """What was wasted by the gone, after one more harm on nobody."""
    if len(beyond) == 1 or not len(gone):
        found: Array = gone * beyond[0]
        return found
    return np.correlate(gone, beyond[::-1], "full")  # which is how a law of a sum is found quickest


def both(first: Front, second: Front) -> Front:
    """Two fronts, added."""
    high, low = (first.standing, second.standing) if len(first.standing) >= len(second.standing) else second[:1] + first[:1]
    standing: Array = high.copy()
    standing[: len(low)] += low
    return Front(standing, added(first.gone, second.gone))
