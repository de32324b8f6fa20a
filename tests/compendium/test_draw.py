"""One among several, each as likely."""

from __future__ import annotations

from collections import Counter

import pytest

from rolloff.editions.compendium.draw import drawn
from rolloff.oracle.dice import SeededDice, seed_bytes
from rolloff.oracle.roller import Roller


def thrown(*faces: int) -> Roller:
    """These faces, in order."""
    left = list(faces)
    return Roller(lambda n, label, sides=6: [left.pop(0) for _ in range(n)])


@pytest.mark.parametrize(
    ("n", "faces", "found"),
    [(1, (), 0), (2, (3,), 0), (2, (4,), 1), (4, (5, 6, 2), 1), (6, (6,), 5), (7, (1, 6), 1), (7, (6, 6, 1, 1), 0)],
)
def test_throws_that_stand_for_nothing_are_made_again(n: int, faces: tuple[int, ...], found: int) -> None:
    """Faces are shared out evenly, and what is left over is thrown again."""
    assert drawn(thrown(*faces), n, "weapon") == found


@pytest.mark.parametrize("n", [2, 3, 4, 5, 7, 10])
def test_each_comes_up_as_often(n: int) -> None:
    """No result is off its mean by more than six standard deviations: a false alarm once in ten million runs."""
    dice = Roller(SeededDice(seed_bytes(4)).faces)
    seen = Counter(drawn(dice, n, "weapon") for _ in range(6000))
    assert set(seen) == set(range(n))
    assert all(abs(seen[k] - 6000 / n) < 6 * (6000 / n) ** 0.5 for k in range(n))
