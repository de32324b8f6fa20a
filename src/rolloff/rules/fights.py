"""Fights: in which order units strike. An edition's fight is one of these orders, and what a unit does when its turn comes.

`InOrder` has its turns settled when the fight begins: side after side, or in steps. `ByInitiative` goes from the highest step
down, where what is still to come depends on who is left. `AlternatePicks` has the players pick a unit in turn. Called with a
play each is the whole fight; on a quiet play (`rules.laws`) it is the law of it, from the same code. Their functions are those
of a module, as laws are kept by them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TYPE_CHECKING, Generic, TypeVar

from msgspec import Struct

from rolloff.rules.turns import whose_pick

if TYPE_CHECKING:
    from rolloff.rules.play import Play

S = TypeVar("S")
B = TypeVar("B", bound=Hashable)
Scores = tuple[int, int]
"""What the two sides of a fight have caused."""


# turns that are settled when the fight begins


class Turn(Struct, Generic[S], frozen=True, cache_hash=True):
    """Strikes whose losses fall together: whose, and in which step; None where a fight has no steps."""

    sides: tuple[S, ...]
    step: int | None = None


def in_turn(sides: Iterable[S]) -> tuple[Turn[S], ...]:
    """One after the other, each with its losses before the next."""
    return tuple(Turn((side,)) for side in sides)


def in_steps(sides: Iterable[S], steps: Iterable[int]) -> tuple[Turn[S], ...]:
    """All in every step; nobody falls within one."""
    together = tuple(sides)
    return tuple(Turn(together, step) for step in steps)


class InOrder(Struct, Generic[S], frozen=True, cache_hash=True):
    """``turns(play, *args)`` are the turns of the fight; ``strikes(play, turn, *args)`` is one: what both sides cause in it."""

    turns: Callable[..., tuple[Turn[S], ...]]
    strikes: Callable[..., Scores]

    def __call__(self, play: Play, *args: Hashable) -> Scores:
        """What both sides caused in all turns."""
        return play.through(_turn, self.turns(play, *args), (0, 0), self.strikes, *args)


def _turn(play: Play, now: Turn[S], scores: Scores, strikes: Callable[..., Scores], *args: Hashable) -> Scores:
    """One turn; the law of its strikes knows nothing of the score."""
    return _added(scores, play.run(strikes, now, *args))


def _added(scores: Scores, more: Scores) -> Scores:
    return scores[0] + more[0], scores[1] + more[1]


# steps of Initiative


class Combat(Struct, Generic[B], frozen=True, cache_hash=True):
    """How far a fight has come: the step it is at (0: over), both scores, and what was struck already."""

    step: int
    scores: Scores = (0, 0)
    struck: frozenset[B] = frozenset()


class ByInitiative(Struct, Generic[B], frozen=True, cache_hash=True):
    """From the ``highest`` step down.

    ``next_step(play, before, struck, *args)`` is the next below another at which somebody strikes, 0 if there is none;
    ``strikes(play, step, struck, *args)`` is one step: what both sides cause, and everything struck by then.
    """

    highest: int
    next_step: Callable[..., int]
    strikes: Callable[..., tuple[Scores, frozenset[B]]]

    def __call__(self, play: Play, *args: Hashable) -> Scores:
        """What both sides caused in all steps."""
        start: Combat[B] = Combat(play.once(self.next_step, self.highest + 1, frozenset[B](), *args))
        return play.until(_initiative_step, start, _ended, self, *args).scores


def _ended(now: Combat[B]) -> bool:
    """Whether no step is left at which somebody strikes."""
    return now.step == 0


def _initiative_step(play: Play, now: Combat[B], order: ByInitiative[B], *args: Hashable) -> Combat[B]:
    """One step; the law of its strikes knows nothing of the score."""
    more, struck = play.run(order.strikes, now.step, now.struck, *args)
    return Combat(play.once(order.next_step, now.step, struck, *args), _added(now.scores, more), struck)


# alternate picks


class Picks(Struct, frozen=True, cache_hash=True):
    """How far it has come: the step, who picks next, who picks first in each step, and who has fought."""

    step: int
    side: int
    first: int
    fought: tuple[int, ...] = ()


class AlternatePicks(Struct, frozen=True, cache_hash=True):
    """One unit at a time fights, the players pick in turn, those of an earlier step before the others.

    ``first(*args)`` picks first in each of the ``steps``; ``eligible(play, side, step, fought, *args)`` are the units a player
    may pick now; ``act(play, unit, *args)`` has one fight. ``clause`` and ``point`` stand in the request.
    """

    first: Callable[..., int]
    eligible: Callable[..., tuple[int, ...]]
    act: Callable[..., object]
    clause: str
    steps: int = 1
    point: str = ""

    def __call__(self, play: Play, *args: Hashable) -> None:
        """All of it, from the first pick to the last."""
        side = self.first(*args)
        start: Picks | None = Picks(0, side, side)
        play.until(pick, start, _nobody_left, self, *args)


def _nobody_left(now: Picks | None) -> bool:
    return now is None


def pick(play: Play, now: Picks, order: AlternatePicks, *args: Hashable) -> Picks | None:
    """One unit fights, or the next step begins; None when nobody is left. Who has nobody to pick leaves it to the other."""
    due = [play.once(order.eligible, side, now.step, now.fought, *args) for side in (0, 1)]
    if not any(due):
        return Picks(now.step + 1, now.first, now.first, now.fought) if now.step + 1 < order.steps else None
    side = whose_pick(now.side, due)
    names = tuple(play.game.names[unit] for unit in due[side])
    answer = play.choose(side, "choose-unit", order.clause, names, names[0], point=order.point)
    unit = play.game.numbers[str(answer)]
    play.run(order.act, unit, *args)
    return Picks(now.step, 1 - side, now.first, tuple(sorted((*now.fought, unit))))
