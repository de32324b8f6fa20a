"""A uniform draw of one among n by six-sided dice, as weapons are lost and Random Allocation picks models."""

from __future__ import annotations

from rolloff.oracle.roll import Dice


def drawn(dice: Dice, n: int, label: str, *clauses: str) -> int:
    """A whole number from 0 to n - 1, each as likely: a throw that stands for none of them is made again.

    As few dice are thrown at once as can tell n things apart, the first the most significant; one thing is not drawn for.
    """
    if n < 2:
        return 0
    count, whole = 1, 6
    while whole < n:
        count, whole = count + 1, whole * 6
    share = whole // n
    while True:
        read = 0
        for face in dice.faces(count, label, *clauses):
            read = read * 6 + face - 1
        if read // share < n:
            return read // share
