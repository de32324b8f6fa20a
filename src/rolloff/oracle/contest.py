"""Rolls that more than one die decides: both sides against each other, one of n by lot, two digits of a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from msgspec import Struct

from rolloff.oracle.roll import Dice
from rolloff.oracle.stage import Keep, Stage, numbers, table

R = TypeVar("R")


class Hand(Struct, frozen=True):
    """What one side of a contest rolls: so many dice, how they are read, and what is added."""

    label: str
    plus: int = 0
    dice: int = 1
    sides: int = 6
    keep: Keep = Keep.SUM


def opposed(ours: Hand, theirs: Hand, read: Callable[[int], R], *clauses: str) -> Stage[R]:
    """An opposed roll as one stage: we roll, then they do, and ``read`` says what our margin (ours less theirs) means.

    Both rolls are logged under their own labels, and the stage has the label of our own; an edition lists the other side's
    among its ``defender_rolls``. We succeed where ``read`` gives True, or where it gives no yes or no, with any margin of ours.
    """
    return table(
        ours.label,
        [_answered(rolled + ours.plus, theirs, read, clauses) for rolled in numbers(ours.dice, ours.keep, ours.sides)],
        *clauses,
        dice=ours.dice,
        keep=ours.keep,
        sides=ours.sides,
    )


def _answered(ours: int, theirs: Hand, read: Callable[[int], R], clauses: tuple[str, ...]) -> Stage[R]:
    by = [ours - rolled - theirs.plus for rolled in numbers(theirs.dice, theirs.keep, theirs.sides)]
    results = [read(margin) for margin in by]
    good = [found if isinstance(found, bool) else margin > 0 for found, margin in zip(results, by, strict=True)]
    why = (clauses,) * len(by)
    return Stage(theirs.label, results, why=why, good=good, dice=theirs.dice, keep=theirs.keep, sides=theirs.sides)


def margin(dice: Dice, ours: Hand, theirs: Hand, *clauses: str) -> int:
    """By how much we beat them: more than nothing, and we have won."""
    return dice.ask(opposed(ours, theirs, int, *clauses))


def draw(dice: Dice, n: int, label: str, *clauses: str) -> int:
    """One of n by lot, as a number from 0 to n - 1; a single thing is not drawn for. Entered by people as ``"3/8"``."""
    return dice.faces(1, label, *clauses, sides=n)[0] - 1 if n > 1 else 0


def d66(label: str, results: Sequence[R | Stage[R]], *clauses: str) -> Stage[R]:
    """A table read by two dice as tens and units: its 36 results from 11 to 66."""
    return table(label, results, *clauses, dice=2, keep=Keep.DIGITS)
