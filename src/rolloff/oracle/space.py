"""The states of a target as the rows of arrays: what one harm does to each, and what many do."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from rolloff.oracle.flow import Exit, Flow, Harm, Side, Tally, harm_of
from rolloff.oracle.law import Number
from rolloff.oracle.powers import Array, product
from rolloff.oracle.target import packet
from rolloff.oracle.words import words

Kind: TypeAlias = Exit | Flow
"""What is counted: one harm, or a token at the start of a flow whose harms are all of one kind."""

Noted: TypeAlias = Callable[[Hashable, Exit], Sequence[tuple[tuple[Hashable, tuple[int, ...]], Number]]]
"""The law of one harm on one state, with what it counted."""

ROOM = 2_000_000
"""The most numbers kept in one table of powers."""


KINDS = 1_000
"""The most kinds of harm whose arrays are kept for one target."""

LISTS = 16
"""The most lists of classes kept for one target."""


class Space:
    """All states of one target that can be reached, and the arrays of what harm does to them."""

    def __init__(
        self,
        states: Sequence[Hashable],
        take: Callable[[Hashable, Exit], Sequence[tuple[Hashable, Number]]],
        gone: Callable[[Any], bool],
        exact: bool,
        as_borne: Callable[[Exit], Exit] | None,
    ) -> None:
        """`take` gives the law of one harm on one state; ``as_borne`` says which harm stands for all that are borne alike."""
        self.states: list[Any] = list(states)
        self.index = {state: at for at, state in enumerate(self.states)}
        self.exact = exact
        self._certainty: Number = Fraction(1) if exact else 1.0
        self._as_borne = as_borne
        self._take = take
        self._gone = gone
        self._matrices: dict[Kind, Array] = {}
        self._rows: dict[tuple[Kind, int], Array] = {}
        self._powers: dict[Kind, Array] = {}
        self._packets: dict[tuple[Harm, tuple[Number, ...]], Array] = {}
        self._readings: dict[Hashable, Array] = {}
        self._classes: dict[Hashable, tuple[Array, list[Hashable]]] = {}
        self._quiet: dict[Hashable, bool] = {}
        self._certain: dict[int, Array] = {}
        self._closed: set[Exit] = set()
        """Harms that lead from every state to states that are known."""

    def borne_as(self, leaving: Exit) -> Exit:
        """The harm or wound that stands for all the target bears like this one."""
        return leaving if self._as_borne is None else self._as_borne(leaving)

    def gone(self, state: Hashable) -> bool:
        """Whether nothing is left in a state."""
        return self._gone(state)

    def blank(self, rows: int) -> Array:
        """An array of so many rows of no chance at all."""
        shape = (rows, len(self.states))
        return np.full(shape, Fraction(0), dtype=object) if self.exact else np.zeros(shape)

    def unit(self, at: int) -> Array:
        """The certainty of one state."""
        found = self.blank(1)
        found[0, at] = self._certainty
        return found

    def certain(self, at: int) -> Array:
        """The same, kept; it must not be written to."""
        found = self._certain.get(at)
        if found is None:
            found = self._certain[at] = self.unit(at)
        return found

    def one(self) -> Array:
        """From each state to itself: what nothing does."""
        found = self.blank(len(self.states))
        np.fill_diagonal(found, self._certainty)
        return found

    def quiet(self, kinds: tuple[Exit, ...], tallies: tuple[Tally, ...], noted: Noted) -> bool:
        """Whether no state counts any of these when such harm arrives; `noted` gives the law with its counts."""
        key = (kinds, tallies, len(self.states))
        found = self._quiet.get(key)
        if found is None:
            found = self._quiet[key] = not any(
                any(counts)
                for state in self.states
                if not self._gone(state)
                for kind in kinds
                for (_, counts), _ in noted(state, kind)
            )
        return found

    def grow(self, starts: Sequence[Hashable], kinds: Sequence[Exit], most: int) -> bool:
        """Add every state these harms can lead to; False if there would be more than `most`."""
        if self._closed.issuperset(kinds) and self.index.keys() >= set(starts):
            return True
        known = len(self.states)
        todo = [state for state in starts if self._add(state)]
        todo += self.states[:known]
        while todo and len(self.states) <= most:
            state = todo.pop()
            if not self._gone(state):
                todo += [found for kind in kinds for found, _ in self._take(state, kind) if self._add(found)]
        if len(self.states) > known:
            self._forget()
            self._readings.clear()
            self._classes.clear()
            self._certain.clear()
            self._closed.clear()
        if not todo:
            self._closed.update(kinds)
        return not todo

    def _forget(self) -> None:
        """Let go of every array."""
        self._matrices.clear()
        self._rows.clear()
        self._packets.clear()
        self._powers.clear()

    def readings(self, reading: Callable[[Any], int], key: Hashable = None) -> Array:
        """A whole number read off each state, kept by the reading itself or by a key that says as much.

        States that come before the start of an event read as less than nothing, and are never reached: they count as nothing.
        """
        known = reading if key is None else key
        found = self._readings.get(known)
        if found is None:
            found = self._readings[known] = np.array([max(0, reading(state)) for state in self.states])
        return found

    def classes(self, reading: Callable[[Hashable], Hashable], key: Hashable) -> tuple[Array, list[Hashable]]:
        """The number of the class of each state, and a state of each class: its last. States are of one class that read alike.

        ``key`` says as much as the reading itself, and the classes by a few are kept.
        """
        found = self._classes.get(key)
        if found is None:
            if len(self._classes) >= LISTS:
                self._classes.clear()
            read = [reading(state) for state in self.states]
            last = dict(zip(read, self.states, strict=True))
            number = {kind: at for at, kind in enumerate(last)}
            found = self._classes[key] = np.array([number[kind] for kind in read]), list(last.values())
        return found

    def _add(self, state: Hashable) -> bool:
        """Whether a state is new; it is known from now on."""
        if state in self.index:
            return False
        self.index[state] = len(self.states)
        self.states.append(state)
        return True

    def matrix(self, kind: Kind) -> Array:
        """From state to state: the chances when one such harm arrives."""
        found = self._matrices.get(kind)
        if found is None:
            if len(self._matrices) >= KINDS:
                self._forget()
            found = self._flowed(kind) if isinstance(kind, Flow) else self._borne(kind)
            self._matrices[kind] = found
        return found

    def _borne(self, leaving: Exit) -> Array:
        """The chances of one harm, state by state."""
        size, index = len(self.states), self.index
        places: list[int] = []
        chances: list[Number] = []
        for at, state in enumerate(self.states):
            law = [(state, self._certainty)] if self._gone(state) else self._take(state, leaving)
            places += [at * size + index[after] for after, _ in law]
            chances += [chance for _, chance in law]
        if not self.exact:
            return np.bincount(places, np.array(chances, dtype=float), size * size).reshape(size, size)
        found = self.blank(size)
        for place, chance in zip(places, chances, strict=True):
            found[divmod(place, size)] += chance
        return found

    def _flowed(self, flow: Flow) -> Array:
        """The chances of all the harm one token brings, in the order it is sent."""
        size = len(self.states)
        total = self.blank(size)
        for (exits, _), chance in words(flow, (), self.exact).items():
            line = self.one()
            for leaving in exits:
                if harm_of(leaving).on is Side.TARGET:
                    line = product(line, self.matrix(self.borne_as(leaving)))
            total = total + line * chance
        return total

    def packets(self, harm: Harm, counts: Array) -> Array:
        """From state to state: the chances when one packet arrives, of a size with these chances."""
        key = harm, tuple(counts.tolist())
        found = self._packets.get(key)
        if found is None:
            if len(self._packets) >= KINDS:
                self._packets.clear()
            found = self.one() * counts[0]
            for size, chance in enumerate(key[1][1:], start=1):
                if chance:
                    found = found + self.matrix(packet(harm, size)) * chance
            self._packets[key] = found
        return found

    def rows(self, kind: Kind, at: int, upto: int) -> Array:
        """Row n: the chances of each state after n such harms, beginning from one state."""
        found = self._rows.get((kind, at))
        if found is None or len(found) <= upto:
            matrix = self.matrix(kind)
            known = self.unit(at) if found is None else found
            found = self.blank(upto + 1)
            found[: len(known)] = known
            for n in range(len(known), upto + 1):
                found[n] = product(found[n - 1], matrix)
            self._rows[kind, at] = found
        return found[: upto + 1]

    def powers(self, kind: Kind, upto: int) -> Array | None:
        """For each n: from state to state after n such harms; None where that table would be too big."""
        size = len(self.states)
        if (upto + 1) * size * size > ROOM:
            return None
        found = self._powers.get(kind)
        if found is None or len(found) <= upto:
            matrix = self.matrix(kind)
            lines = [self.one()] if found is None else list(found)
            while len(lines) <= upto:
                lines.append(product(lines[-1], matrix))
            found = self._powers[kind] = np.array(lines)
        return found[: upto + 1]

    def folded(self, front: Array, kind: Kind, counts: Array) -> Array:
        """Each row of chances after a random number of such harms."""
        powers = self.powers(kind, len(counts) - 1)
        if powers is not None:
            size = len(self.states)
            step = product(counts[None, :], powers.reshape(len(counts), size * size)).reshape(size, size)
            return product(front, step)
        matrix = self.matrix(kind)
        total: Array = front * counts[-1]
        for chance in counts[-2::-1]:
            total = product(total, matrix) + front * chance
        return total

    def drained(self, front: Array, kind: Kind) -> Array:
        """Row n of the front bears n such harms; all rows together."""
        powers = self.powers(kind, len(front) - 1)
        size = len(self.states)
        if powers is not None:
            return product(front.reshape(1, len(front) * size), powers.reshape(len(front) * size, size))
        matrix = self.matrix(kind)
        total = front[-1:]
        for at in range(len(front) - 2, -1, -1):
            total = product(total, matrix) + front[at : at + 1]
        return total
