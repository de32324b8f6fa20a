"""What harm does to states and what it wastes, as blocks: some in a row are a block again, and harm that waits has a table.

A block goes from every state (first place) by what is wasted (second) to every state (third), the last place for whoever is
gone; beside it is the law of what is wasted where nobody is left. Floats only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from rolloff.oracle.flow import Exit
from rolloff.oracle.law import Number
from rolloff.oracle.powers import Array, multiplied, slanted


class Block(NamedTuple):
    """What some harm does, and what it wastes where nobody is left."""

    states: Array
    beyond: Array

    @property
    def most(self) -> int:
        """The most it can waste."""
        return max(int(self.states.shape[1]), len(self.beyond)) - 1


def unmoved(size: int) -> Block:
    """What nothing does to so many states."""
    states = np.zeros((size, 1, size + 1))
    np.fill_diagonal(states[:, 0, :size], 1.0)
    return Block(states, np.ones(1))


def followed(first: Block, second: Block) -> Block:
    """One harm after another."""
    size, wastes, _ = first.states.shape
    more = second.states.shape[1]
    parts = multiplied(first.states[:, :, :size].reshape(size * wastes, size), second.states.reshape(size, -1))
    parts = parts.reshape(size, wastes, more, size + 1)
    found = np.zeros((size, wastes + max(more, len(second.beyond)) - 1, size + 1))
    for wasted in range(more):
        found[:, wasted : wasted + wastes] += parts[:, :, wasted]
    for wasted, chance in enumerate(second.beyond.tolist()):
        if chance:
            found[:, wasted : wasted + wastes, size] += first.states[:, :, size] * chance
    return Block(found, np.convolve(first.beyond, second.beyond))


def weighed(parts: Sequence[tuple[Block, float]]) -> Block:
    """One of several harms, each by its chance."""
    size, _, places = parts[0][0].states.shape
    states = np.zeros((size, max(block.states.shape[1] for block, _ in parts), places))
    beyond = np.zeros(max(len(block.beyond) for block, _ in parts))
    for block, chance in parts:
        states[:, : block.states.shape[1]] += block.states * chance
        beyond[: len(block.beyond)] += block.beyond * chance
    return Block(states, beyond)


def waiting_laws(block: Block, upto: int, known: Array | None) -> Array:
    """The laws of what is wasted, by state (the last for the gone) and by the number of such harms, from none up to so many."""
    size, wastes, places = block.states.shape
    most, done = block.most, 1
    found = np.zeros((places, upto + 1, upto * most + 1))
    found[:, 0, 0] = 1.0
    if known is not None:
        done = known.shape[1]
        found[:, :done, : known.shape[2]] = known
    flat = block.states.reshape(size, wastes * places)
    for n in range(done, upto + 1):
        before, width = found[:, n - 1], (n - 1) * most + 1
        moved = before[:, :width]
        if wastes > 1:  # what is wasted now comes to what is wasted later
            moved = np.zeros((wastes, places, width + wastes - 1))
            for wasted in range(wastes):
                moved[wasted, :, wasted : wasted + width] = before[:, :width]
            moved = moved.reshape(wastes * places, -1)
        found[:size, n, : moved.shape[1]] = multiplied(flat, moved)
        found[size, n, : n * most + 1][: width + len(block.beyond) - 1] = np.convolve(before[size, :width], block.beyond)
    return found


def drained(standing: Array, gone: Array, laws: Array) -> Array:
    """The law of what is wasted when page n of the standing, and row n of the gone, bear n more harms with such laws.

    A page has what was wasted so far as rows and states as columns; a row of the gone has what was wasted.
    """
    pages, rows, size = standing.shape
    laws = laws[:, :pages]
    later = laws[:size].reshape(size * pages, -1)
    stood = multiplied(standing.transpose(1, 2, 0).reshape(rows, size * pages), later)
    fell = multiplied(gone.T, laws[size])
    law, more = slanted(stood[:, :, None])[:, 0], slanted(fell[:, :, None])[:, 0]
    longer, shorter = (law, more) if len(law) >= len(more) else (more, law)
    longer[: len(shorter)] += shorter
    return longer


def in_order(lines: Iterable[tuple[tuple[Exit, ...], Number]], block_of: Callable[[Exit], Block], size: int) -> Block:
    """Harm of several kinds in its order, one of several such lines by its chance; like beginnings are joined once."""
    known: dict[tuple[Exit, ...], Block] = {(): unmoved(size)}
    found: list[tuple[Block, float]] = []
    for line, chance in lines:
        for end in range(1, len(line) + 1):
            if line[:end] not in known:
                known[line[:end]] = followed(known[line[: end - 1]], block_of(line[end - 1]))
        found.append((known[line], float(chance)))
    return weighed(found)
