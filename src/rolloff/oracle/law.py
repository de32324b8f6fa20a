"""Laws: exact distributions over results of any kind, as floats or as rationals."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Generic, TypeAlias, TypeVar

R = TypeVar("R", bound=Hashable)
Q = TypeVar("Q", bound=Hashable)

Number: TypeAlias = float | Fraction


def _as_number(result: object) -> Number:
    """A result that is a number itself."""
    assert isinstance(result, int | float | Fraction)
    return result


class Law(Mapping[R, Number], Generic[R]):
    """What may happen, and how likely each is; only possible results are listed, in the order they were found."""

    __slots__ = ("_chances",)

    def __init__(self, chances: Mapping[R, Number] | Iterable[tuple[R, Number]]) -> None:
        """Add up the chances of equal results, and leave out what cannot happen."""
        pairs = chances.items() if isinstance(chances, Mapping) else chances
        found: dict[R, Number] = {}
        for result, chance in pairs:
            if chance:
                found[result] = found[result] + chance if result in found else chance
        self._chances = found

    def __getitem__(self, result: R) -> Number:
        """The chance of one result; KeyError if it cannot happen."""
        return self._chances[result]

    def __iter__(self) -> Iterator[R]:
        """The possible results."""
        return iter(self._chances)

    def __len__(self) -> int:
        """How many results are possible."""
        return len(self._chances)

    def __repr__(self) -> str:
        """The results with their chances."""
        return f"Law({self._chances!r})"

    def map(self, reading: Callable[[R], Q]) -> Law[Q]:
        """The law of something read off the result."""
        return Law((reading(result), chance) for result, chance in self._chances.items())

    def mean(self, reading: Callable[[R], Number] | None = None) -> Number:
        """The average of the result, or of something read off it."""
        read = reading or _as_number
        return sum(read(result) * chance for result, chance in self._chances.items())

    def chance(self, holds: Callable[[R], bool]) -> Number:
        """How likely it is that something holds of the result."""
        return sum(chance for result, chance in self._chances.items() if holds(result))

    def total(self) -> Number:
        """The sum of all chances: one, but for rounding."""
        return sum(self._chances.values())

    def spread(self, reading: Callable[[R], int] | None = None) -> list[Number]:
        """The chances by whole number, from 0 up to the highest that can happen."""
        read: dict[int, Number] = {}
        for result, chance in self._chances.items():
            value: int = result if reading is None else reading(result)  # type: ignore[assignment]
            read[value] = read[value] + chance if value in read else chance
        return [read.get(value, 0) for value in range(max(read, default=-1) + 1)]

    def at_least(self, reading: Callable[[R], int] | None = None) -> list[Number]:
        """For each whole number from 0 up, how likely the result is that or more; summed from the far end."""
        sums: list[Number] = []
        running: Number = 0
        for chance in reversed(self.spread(reading)):
            running = running + chance
            sums.append(running)
        return sums[::-1]
