"""Steps of a game played over every fall of the dice: a logged play with scripted dice, again and again until none is untried.

It knows nothing of laws and quiet plays. Dice whose faces are only compared with a few numbers are drawn by class: a face that
stands for all that no rule tells apart, with the weight of the class.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from rolloff.oracle.oracle import Defaults, Oracle
from rolloff.rules.attack import FightResult
from rolloff.rules.game import Game
from rolloff.rules.laws import Policies
from rolloff.rules.play import Play
from rolloff.table.state import State
from tests.oracle.brute import TooMany

R = TypeVar("R", bound=Hashable)
Classes = Sequence[tuple[int, int]]
"""A face for each class of faces, and how many faces it stands for."""
FULL: Classes = tuple((face, 1) for face in range(1, 7))


def classes(*needs: int) -> Classes:
    """Faces that differ by whether they reach one of the numbers."""
    edges = sorted({1, *needs})
    return tuple((low, high - low) for low, high in zip(edges, [*edges[1:], 7], strict=True))


class WeightedDice:
    """Faces of one path, by class; the last die turns first."""

    def __init__(self, usual: Classes, whole: frozenset[str]) -> None:
        """Dice for a label of ``whole`` show every face."""
        self.usual, self.whole = usual, whole
        self.taken: list[int] = []
        self.rows: list[Classes] = []
        self.begin()

    def begin(self) -> None:
        """From the first die again."""
        self.at, self.weight, self.drawn = 0, Fraction(1), 0

    def faces(self, n: int, label: str, sides: int = 6) -> tuple[int, ...]:
        """The next faces of this path."""
        return tuple(self._face(FULL if label.rstrip(">") in self.whole else self.usual) for _ in range(n))

    def _face(self, row: Classes) -> int:
        if self.at == len(self.taken):
            self.taken.append(0)
            self.rows.append(row)
        face, weight = self.rows[self.at][self.taken[self.at]]
        self.at += 1
        self.drawn += 1
        self.weight *= Fraction(weight, 6)
        return face

    def turn(self) -> bool:
        """The next path; False after the last."""
        del self.taken[self.at :], self.rows[self.at :]
        while self.taken and self.taken[-1] + 1 == len(self.rows[-1]):
            self.taken.pop()
            self.rows.pop()
        if not self.taken:
            return False
        self.taken[-1] += 1
        self.begin()
        return True


def every_play(
    game: Game,
    state: State,
    step: Callable[[Play], R],
    dice: WeightedDice,
    policies: Mapping[str, str] | None = None,
    limit: int | None = None,
) -> dict[R, Fraction]:
    """The exact law of what a step returns, each path a play of its own with a log; TooMany beyond the limit of paths."""
    found: dict[R, Fraction] = {}
    chooser: Any = Defaults() if policies is None else Policies(policies)
    paths = 0
    while True:
        play = Play(game, state, Oracle(dice, chooser))
        result = step(play)
        found[result] = found.get(result, Fraction(0)) + dice.weight
        paths += 1
        if limit is not None and paths > limit:
            raise TooMany
        if not dice.turn():
            return found


def seen_in(game: Game, ends: Iterable[FightResult]) -> set[str]:
    """What a fight shows: rules of units and weapons, their types, and every word for what became of a side."""
    units = {rule.name for card in game.cards for rule in card.rules} | {card.type for card in game.cards}
    weapons = {rule.name for model in game.models for weapon in model.weapons for rule in weapon.rules}
    return units | weapons | {word for end in ends for word in (end.ours, end.theirs)}
