"""What direct-style rules see of the dice, whoever evaluates them, and what a roll and a volley come back as."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from msgspec import Struct

from rolloff.oracle.flow import Tally, Volley
from rolloff.oracle.stage import Change, Stage

if TYPE_CHECKING:
    from rolloff.oracle.target import Target

T = TypeVar("T")
R = TypeVar("R")
S = TypeVar("S", bound=Hashable)
F = TypeVar("F", bound=Hashable)


class Roll(Struct, frozen=True, cache_hash=True):
    """One entry of the dice log: a handful rolled for one purpose, and what was rolled again."""

    purpose: str
    need: int | None
    faces: tuple[int, ...]
    rerolls: tuple[tuple[int, int], ...]
    successes: int
    clauses: tuple[str, ...]
    sides: int = 6
    treated: tuple[tuple[int, int], ...] = ()
    audit: tuple[Change, ...] = ()


class Lying(Struct, frozen=True):
    """A handful on the table before it is read: for what, the need, the faces, which may not be rolled again, the sides.

    Those are the dice that were rolled again already, and those that count as another face.

    ``clauses`` are what the roll as such is known by: those of its first result, and its signs. ``short``: as it lies, nothing
    of it succeeds.
    """

    purpose: str
    need: int | None
    faces: tuple[int, ...]
    again: tuple[int, ...] = ()
    sides: int = 6
    clauses: tuple[str, ...] = ()
    short: bool = False


class Spent(Struct, Generic[S, F], frozen=True):
    """What a volley left behind: the target's state, the counts asked for in their order, the firer's state."""

    state: S
    counts: tuple[int, ...] = ()
    firer: F | None = None


class Dice(Protocol):
    """All that rules see: one roll, raw faces, a whole volley, a step of its own."""

    def ask(self, stage: Stage[T]) -> T:
        """Roll one stage, its re-roll included, and read the result."""
        ...

    def faces(self, n: int, label: str, *clauses: str, sides: int = 6) -> tuple[int, ...]:
        """Roll `n` plain dice and read them in order."""
        ...

    def note(self, tally: Tally, n: int = 1) -> None:
        """Count something that happened."""
        ...

    def aside(self, step: Callable[[], R]) -> R:
        """Carry out what happens amid an attack and is none of its doing: its tallies are not the attack's."""
        ...

    def run(self, step: Callable[..., R], *args: Hashable) -> R:
        """Carry out `step(dice, *args)`; a calculator remembers its law."""
        ...

    def chain(self, step: Callable[..., S], turns: Sequence[Hashable], state: S) -> S:
        """Carry out `step(dice, turn, state)` for one turn after the other, each from where the one before ended.

        A calculator carries the law of the states along, so that ways which meet are followed once.
        """
        for turn in turns:
            state = self.run(step, turn, state)
        return state

    def ahead(self, volleys: Sequence[Volley]) -> None:
        """Some volleys are rolled as one handful; their tallies are asked for next, in this order."""
        ...

    def tallies(self, volley: Volley, *tallies: Tally) -> tuple[int, ...]:
        """Send a volley through its flow without a target, and read the counts."""
        ...

    def volley(
        self,
        volleys: Volley | Sequence[Volley],
        target: Target[S],
        state: S,
        *tallies: Tally,
        firer: Target[F] | None = None,
        firer_state: F | None = None,
        pooled: bool = False,
    ) -> Spent[S, F]:
        """Resolve one attack event: the volleys in order, or as one handful, and the harm in its waves."""
        ...


def together(volleys: Volley | Sequence[Volley]) -> tuple[Volley, ...]:
    """The volleys of one event, with every weapon that deals packets on its own."""
    if isinstance(volleys, Volley):
        volleys = (volleys,)
    for volley in volleys:
        if volley.flow.packets:
            break
    else:
        return tuple(volleys)
    found: list[Volley] = []
    for volley in volleys:
        if volley.flow.packets and volley.weapons > 1:
            found.extend([Volley(volley.flow, volley.count, 1, volley.turned)] * volley.weapons)
        else:
            found.append(volley)
    return tuple(found)
