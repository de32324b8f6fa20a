"""Windows: the part of a large array of chances that is likely at all, with where it lies. Floats only."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rolloff.oracle.counting import Attacks, FlowPlan
from rolloff.oracle.powers import Array

TINY = 1e-20
"""Chances of single places that are left behind on a long march: all of them together stay far below what is reported."""


class Window(NamedTuple):
    """A part of a large array: its corner, and what it holds."""

    top: int
    left: int
    box: Array

    @property
    def bottom(self) -> int:
        """The first row after it."""
        return self.top + len(self.box)

    @property
    def right(self) -> int:
        """The first column after it."""
        return self.left + len(self.box[0]) if len(self.box) else self.left


NOWHERE = Window(0, 0, np.zeros((0, 0)))


def likely(found: Window) -> Window:
    """A window without the margins of no chance to speak of."""
    there = found.box > TINY
    rows, columns = np.flatnonzero(there.any(axis=1)), np.flatnonzero(there.any(axis=0))
    if not len(rows):
        return NOWHERE
    box = found.box[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return Window(found.top + int(rows[0]), found.left + int(columns[0]), box)


def spanning(windows: list[Window]) -> tuple[int, int]:
    """How many rows and columns hold all of some windows."""
    return max(one.bottom for one in windows), max(one.right for one in windows)


def pairs(plan: FlowPlan, attacks: Attacks) -> Array:
    """The chances of how often the second kind arrives (rows) and the first (columns), over all attacks."""
    number = attacks.law(False)
    terms = list(zip(plan.second.tolist(), plan.first.tolist(), plan.law.tolist(), strict=True))
    now, parts = Window(0, 0, np.ones((1, 1))), []
    for attack in range(max(number) + 1):
        if attack in number:
            parts.append(Window(now.top, now.left, now.box * number[attack]))
        height, width = now.box.shape
        further = np.zeros((height + plan.reach, width + plan.most))
        for second, first, chance in terms:
            further[second : second + height, first : first + width] += now.box * chance
        now = likely(Window(now.top, now.left, further))
    total = np.zeros(spanning(parts))
    for part in parts:
        total[part.top : part.bottom, part.left : part.right] += part.box
    return total
