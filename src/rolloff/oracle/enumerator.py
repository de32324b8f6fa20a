"""The enumerating oracle: runs direct-style code once for each way its dice can fall.

It branches over distinct results, not over faces, and remembers the law of every step that is run inside another.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias, TypeVar

from rolloff.oracle.flow import Tally
from rolloff.oracle.law import Law, Number
from rolloff.oracle.stage import Stage
from rolloff.oracle.words import Counts, added, portion

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)
Taken: TypeAlias = "Sequence[tuple[tuple[Any, Counts], Number]]"
"""What may follow from a step, with its counts, and how likely each is."""
R = TypeVar("R", bound=Hashable)

SHELF = 50_000
"""How many remembered laws are kept before a shelf is cleared."""


class _Path:
    """One way the dice may fall: which result was taken at each branch."""

    __slots__ = ("at", "chance", "counts", "one", "sizes", "taken", "tallies")

    def __init__(self, one: Number, tallies: tuple[Tally, ...]) -> None:
        self.one = one
        self.tallies = tallies
        self.taken: list[int] = []
        self.sizes: list[int] = []
        self.rewind()

    def rewind(self) -> None:
        """Begin again from the first branch."""
        self.at = 0
        self.chance = self.one
        self.counts = [0] * len(self.tallies)

    def branch(self, items: Sequence[tuple[R, Number]]) -> R:
        """The result this path takes here."""
        if len(items) == 1:
            return items[0][0]
        if self.at == len(self.taken):
            self.taken.append(0)
            self.sizes.append(len(items))
        result, chance = items[self.taken[self.at]]
        self.at += 1
        self.chance = self.chance * chance
        return result

    def advance(self) -> bool:
        """Turn to the next path; False when there is none."""
        while self.taken:
            if self.taken[-1] + 1 < self.sizes[-1]:
                self.taken[-1] += 1
                return True
            self.taken.pop()
            self.sizes.pop()
        return False


class Enumerator:
    """Exact laws of direct-style steps, as floats or as rationals. Outside `law` it has no single answer to give."""

    def __init__(self, exact: bool = False) -> None:
        """`exact` computes with rationals."""
        self.exact = exact
        self._one: Number = Fraction(1) if exact else 1.0
        self._path: _Path | None = None
        self._steps: dict[Hashable, Taken] = {}
        self._items: dict[Stage[object], Sequence[tuple[Any, Number]]] = {}

    def ask(self, stage: Stage[T]) -> T:
        """Branch over the distinct results of one stage."""
        items = self._items.get(stage)
        if items is None:
            whole = stage.whole
            items = [(result, portion(weight, whole, self.exact)) for result, weight in stage.law()]
            self._kept(self._items, stage, items)
        result: T = self._branch(items)
        return result

    def faces(self, n: int, label: str, *clauses: str, sides: int = 6) -> tuple[int, ...]:
        """Branch over every roll of `n` dice."""
        chance = portion(1, sides**n, self.exact)
        found: tuple[int, ...] = self._branch([(rolled, chance) for rolled in product(range(1, sides + 1), repeat=n)])
        return found

    def note(self, tally: Tally, n: int = 1) -> None:
        """Count something that happened, if the law being computed asks for it."""
        path = self._path
        if path is not None and tally in path.tallies:
            path.counts[path.tallies.index(tally)] += n

    def aside(self, step: Callable[[], R]) -> R:
        """Carry out what counts for itself."""
        path = self._here()
        counts = list(path.counts)
        found = step()
        path.counts[:] = counts
        return found

    def run(self, step: Callable[..., R], *args: Hashable) -> R:
        """Branch over the results of a step, whose law is remembered."""
        path = self._here()
        result, counts = path.branch(self._law(step, args, path.tallies))
        for at, n in enumerate(counts):
            path.counts[at] += n
        return result  # type: ignore[no-any-return]

    def chain(self, step: Callable[..., R], turns: Sequence[Hashable], state: R) -> R:
        """Branch over where a step leads turn after turn; what each turn does from each state is remembered."""
        path = self._here()
        key = (step, tuple(turns), state, path.tallies)
        known = self._steps.get(key)
        if known is None:
            known = list(self._chained(step, turns, state, path.tallies).items())
            self._kept(self._steps, key, known)
        result, counts = path.branch(known)
        for at, n in enumerate(counts):
            path.counts[at] += n
        return result  # type: ignore[no-any-return]

    def _chained(
        self, step: Callable[..., R], turns: Sequence[Hashable], state: R, tallies: tuple[Tally, ...]
    ) -> dict[tuple[Any, Counts], Number]:
        """Where all turns lead, worked out."""
        front: dict[tuple[Any, Counts], Number] = {(state, (0,) * len(tallies)): self._one}
        for turn in turns:
            further: dict[tuple[Any, Counts], Number] = {}
            for (at, counts), chance in front.items():
                for (after, more), share in self._law(step, (turn, at), tallies):
                    end = after, added(counts, more) if counts else counts
                    further[end] = further[end] + chance * share if end in further else chance * share
            front = further
        return front

    def law(self, step: Callable[..., R], *args: Hashable) -> Law[R]:
        """The exact law of what `step(dice, *args)` returns."""
        return Law((result, chance) for (result, _), chance in self._law(step, args, ()))

    def outcomes(self, step: Callable[..., R], *args: Hashable) -> Taken:
        """The same as a list of results, each with nothing counted, and their chances; it must not be written to."""
        return self._law(step, args, ())

    def _here(self) -> _Path:
        if self._path is None:
            raise RuntimeError("a calculator has no single answer: ask it for the law of a step")
        return self._path

    @property
    def one(self) -> Number:
        """The chance of what is certain, as the numbers it computes with."""
        return self._one

    def branch(self, items: Sequence[tuple[R, Number]]) -> R:
        """Branch over results with their chances, such as the law of a step that somebody else has kept."""
        return self._branch(items)

    def law_of(self, step: Callable[..., R], *args: Hashable) -> dict[R, Number]:
        """The law of what `step(dice, *args)` returns, to be kept by whoever asks: nothing is remembered here."""
        return {result: chance for (result, _), chance in self._enumerated(step, args, ()).items()}

    def _branch(self, items: Sequence[tuple[R, Number]]) -> R:
        return self._here().branch(items)

    def _kept(self, shelf: dict[K, Any], key: K, value: object) -> None:
        """Remember something, clearing the shelf when it is full."""
        if len(shelf) >= SHELF:
            shelf.clear()
        shelf[key] = value

    def _law(self, step: Callable[..., Any], args: tuple[Hashable, ...], tallies: tuple[Tally, ...]) -> Taken:
        """Every result of a step with what it counted, and the chance; each path of the dice is run once."""
        key = (step, args, tallies)
        known = self._steps.get(key)
        if known is not None:
            return known
        items = list(self._enumerated(step, args, tallies).items())
        self._kept(self._steps, key, items)
        return items

    def _enumerated(
        self, step: Callable[..., R], args: tuple[Hashable, ...], tallies: tuple[Tally, ...]
    ) -> dict[tuple[R, Counts], Number]:
        """The same, worked out."""
        found: dict[tuple[R, Counts], Number] = {}
        outer, path = self._path, _Path(self._one, tallies)
        self._path = path
        try:
            while True:
                path.rewind()
                result = (step(self, *args), tuple(path.counts))
                found[result] = found[result] + path.chance if result in found else path.chance
                if not path.advance():
                    break
        finally:
            self._path = outer
        return found
