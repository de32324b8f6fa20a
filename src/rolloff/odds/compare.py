"""Comparisons: every attacker against every target, and one number as something about the attack changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, TypeVar

from msgspec import Struct

from rolloff.json_value import Json
from rolloff.odds.build import attack
from rolloff.odds.results import Odds
from rolloff.oracle.calculator import Calculator
from rolloff.oracle.law import Number

Reading = Callable[[Odds], Number]
Written = Json
V = TypeVar("V")


def mean_kills(found: Odds) -> Number:
    """The models that fall on average."""
    return found.kills.mean


def return_per_point(worth: float, cost: float) -> Reading:
    """Points of the target that fall on average for each point of the attacker: ``worth`` of a model, ``cost`` of the unit."""
    return lambda found: float(found.kills.mean) * worth / cost


class Matrix(Struct, Generic[V], frozen=True):
    """One number for each attacker and target; ``matrix[attacker, target]`` reads one."""

    attackers: tuple[str, ...]
    targets: tuple[str, ...]
    values: tuple[tuple[V, ...], ...]

    def __getitem__(self, pair: tuple[str, str]) -> V:
        """The number of one pair."""
        return self.values[self.attackers.index(pair[0])][self.targets.index(pair[1])]


def matrix(
    attackers: Mapping[str, Written] | Iterable[str],
    targets: Mapping[str, Written] | Iterable[str],
    read: Reading = mean_kills,
    **more: Any,
) -> Matrix[Number]:
    """Every attacker against every target, units by name or names of profiles; ``more`` is what `attack` takes."""
    ours, theirs = (side if isinstance(side, Mapping) else {name: name for name in side} for side in (attackers, targets))
    more.setdefault("calculator", Calculator(bool(more.get("exact"))))  # one for all: like flows and targets are met again
    rows = [tuple(read(attack(one, other, **more)) for other in theirs.values()) for one in ours.values()]
    return Matrix(tuple(ours), tuple(theirs), tuple(rows))


def sweep(values: Iterable[V], attack_at: Callable[[V], Odds], read: Reading = mean_kills) -> dict[V, Number]:
    """One number for each value of a parameter: a range, a number of models, cover or not."""
    return {value: read(attack_at(value)) for value in values}
