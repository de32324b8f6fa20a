"""Every way the dice can fall, by brute force: the roller is run with scripted dice until none is left untried.

It knows nothing of laws. It may call only the roller.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from fractions import Fraction
from math import prod
from typing import Any, TypeVar

from rolloff.oracle.flow import Tally, Volley
from rolloff.oracle.roller import Roller
from rolloff.oracle.target import Target

R = TypeVar("R", bound=Hashable)


class Odometer:
    """Faces that count up like an odometer: ones at first, and the last die turns first."""

    def __init__(self) -> None:
        """Begin with no die rolled."""
        self.faces: list[int] = []
        self.sides: list[int] = []
        self.at = 0

    @property
    def ways(self) -> int:
        """How many ways the dice of this path could have fallen."""
        return prod(self.sides[: self.at])

    def roll(self, n: int, label: str, sides: int = 6) -> list[int]:
        """The next `n` faces of this path; dice not rolled on it before show a one."""
        missing = self.at + n - len(self.faces)
        if missing > 0:
            self.faces += [1] * missing
            self.sides += [sides] * missing
        found = self.faces[self.at : self.at + n]
        self.at += n
        return found

    def turn(self) -> bool:
        """Go on to the next path; False after the last."""
        del self.faces[self.at :], self.sides[self.at :]
        self.at = 0
        while self.faces and self.faces[-1] == self.sides[-1]:
            self.faces.pop()
            self.sides.pop()
        if not self.faces:
            return False
        self.faces[-1] += 1
        return True


class TooMany(Exception):
    """More paths than a test has time for."""


def every_path(step: Callable[..., R], *args: Any, to_the_end: bool = True, limit: int | None = None) -> dict[R, Fraction]:
    """The exact law of `step(roller, *args)`, one roller to a path; TooMany if there are more than `limit`."""
    paths = 0
    dice = Odometer()
    seen: Counter[tuple[R, int]] = Counter()
    while True:
        result = step(Roller(dice.roll, to_the_end=to_the_end), *args)
        seen[result, dice.ways] += 1
        paths += 1
        if limit is not None and paths > limit:
            raise TooMany
        if not dice.turn():
            break
    found: dict[R, Fraction] = {}
    for (result, ways), times in seen.items():
        found[result] = found.get(result, Fraction(0)) + Fraction(times, ways)
    return found


def shot(dice: Any, volleys: tuple[Volley, ...], target: Target[Any], state: Any, tallies: tuple[Tally, ...]) -> Any:
    """One attack event as a step: the state it ends in and the counts."""
    spent = dice.volley(volleys, target, state, *tallies)
    return spent.state, spent.counts
