"""Declarations: what players say of their units before or during a battle, one unit after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from rolloff.rules.component import Component

if TYPE_CHECKING:
    from rolloff.rules.play import Play

NOBODY = "none"


def name_other(
    play: Play, unit: int, others: Sequence[int], clause: str, point: str, purpose: str, wish: int | None = None
) -> int | None:
    """Another unit that a player names for one of his (to join, to board), or nobody; by default the one it was written for."""
    names = play.game.names
    default = names[wish] if wish is not None and wish in others else NOBODY
    options = (NOBODY, *(names[other] for other in others))
    owner = play.game.side_of(unit)
    answer = str(play.choose(owner, "choose-option", clause, options, default, unit, point, purpose=purpose))
    return None if answer == NOBODY else play.game.numbers[answer]


class Declaration(Component, frozen=True):
    """Something declared of units, in the order of the list: with which others each may do it, and what happens then.

    ``others`` is asked when a unit's turn comes, so what was declared before counts; whoever has none is not asked about.
    """

    purpose: str
    clause: str
    point: str
    others: Callable[[Play, int], Sequence[int]]
    happens: Callable[[Play, int, int], None]


def declare(play: Play, declaration: Declaration, units: Iterable[int]) -> None:
    """A player declares it of as many of these units as he likes."""
    for unit in units:
        others = declaration.others(play, unit)
        if others:
            named = name_other(play, unit, others, declaration.clause, declaration.point, declaration.purpose)
            if named is not None:
                declaration.happens(play, unit, named)
