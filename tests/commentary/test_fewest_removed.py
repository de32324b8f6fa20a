"""COH-4, DP-51: by default as few models are removed as make a unit coherent."""

from __future__ import annotations

import random
from itertools import combinations
from math import dist

import pytest

from tests.commentary.desk import Json, squad
from tests.commentary.test_phases import rule

END = {"phase": "end-of-turn"}


def coherent(spots: list[tuple[float, float]]) -> bool:
    """COH-1, COH-2 by the book, for bases of an inch."""
    need = 2 if len(spots) >= 7 else 1
    near = [[other for other in spots if other != spot and dist(spot, other) - 1 <= 2.001] for spot in spots]
    group = [spots[0]]
    for spot in group:
        group += [other for other in near[spots.index(spot)] if other not in group]
    return len(spots) == 1 or (len(group) == len(spots) and all(len(others) >= need for others in near))


def most_left(spots: list[tuple[float, float]]) -> int:
    """The size of the largest coherent group, every one tried."""
    sizes = range(len(spots), 0, -1)
    return next(size for size in sizes if any(coherent(list(group)) for group in combinations(spots, size)))


def left(spots: list[tuple[float, float]]) -> int:
    """How many models are left at the end of the turn."""
    far: Json = squad("b1", "B", 1, at=[(50, 40)], M=6)
    found = rule([squad("a1", "A", len(spots), at=spots, M=6), far], END)
    assert found.verdict == "legal", found.refusal
    return len(spots) - sum(len(event["facts"]["models"]) for event in found.events if event["kind"] == "out-of-coherency")


@pytest.mark.clause("commentary-10", "COH-4", "COH-1")
def test_the_smaller_of_two_groups_goes() -> None:
    """Of four and three models that lost touch with one another the three are removed."""
    four = [(10, 10), (11.9, 10), (13.8, 10), (13.8, 11.9)]
    assert left([*four, (20, 10), (21.9, 10), (21.9, 11.9)]) == 4


@pytest.mark.clause("commentary-10", "COH-4", "COH-2")
def test_as_many_stay_as_any_choice_would_leave() -> None:
    """For random units of up to nine models as many are left as the best of all choices leaves."""
    for seed in range(40):
        luck = random.Random(seed)
        count = luck.choice([5, 6, 7, 8, 9])
        grid = luck.sample([(x, y) for x in range(6) for y in range(5)], count)
        spots = [(10 + 2.2 * x + luck.choice([0, 0.4]), 10 + 2.2 * y) for x, y in grid]
        assert left(spots) == most_left(spots), (seed, spots)
