"""Fights by alternate picks: one unit at a time fights, the players in turn, those who fight first before the others.

`pick` is one step of it. A game runs one a command (`rules.rows.Chain`) or all at once; on a quiet play `alternate` gives the
law of the whole, from the same code.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from rolloff.rules.play import Play


class Picks(Struct, frozen=True, cache_hash=True):
    """How far it has come: the step, who picks next, who picks first in each step, and who has fought."""

    step: int
    side: int
    first: int
    fought: tuple[int, ...] = ()


class Fighting(Struct, frozen=True, cache_hash=True):
    """How units fight in an edition. Functions of a module, as laws are kept by them.

    ``eligible(play, side, step, fought, *args)`` are the units a player may pick now; ``act(play, unit, *args)`` has one fight.
    ``steps`` is how many there are; ``clause`` and ``point`` stand in the request.
    """

    eligible: Callable[..., tuple[int, ...]]
    act: Callable[..., object]
    clause: str
    steps: int = 1
    point: str = ""


def begin(first: int) -> Picks:
    """Nobody has fought; this player picks first in each step."""
    return Picks(0, first, first)


def over(now: Picks | None) -> bool:
    """Whether nobody is left to fight."""
    return now is None


def pick(play: Play, now: Picks, fighting: Fighting, *args: Hashable) -> Picks | None:
    """One unit fights, or the next step begins; None when nobody is left. Who has nobody to pick leaves it to the other."""
    due = [play.once(fighting.eligible, side, now.step, now.fought, *args) for side in (0, 1)]
    if not any(due):
        return Picks(now.step + 1, now.first, now.first, now.fought) if now.step + 1 < fighting.steps else None
    side = now.side if due[now.side] else 1 - now.side
    names = tuple(play.game.names[unit] for unit in due[side])
    answer = play.choose(side, "choose-unit", fighting.clause, names, names[0], point=fighting.point)
    unit = play.game.numbers[str(answer)]
    play.run(fighting.act, unit, *args)
    return Picks(now.step, 1 - side, now.first, tuple(sorted((*now.fought, unit))))


def alternate(play: Play, fighting: Fighting, first: int, *args: Hashable) -> None:
    """All of it, from the first pick to the last."""
    start: Picks | None = begin(first)
    play.until(pick, start, over, fighting, *args)
