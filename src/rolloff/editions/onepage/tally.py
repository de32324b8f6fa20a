"""The wounds of an event, gathered before they are allocated: pooled ones, and packets for single models, named or not."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from rolloff.oracle.flow import ATTACKS, BLOCKED, HITS, IGNORED, WOUNDS, Harm, Volley, Wave, Wound
from rolloff.oracle.roll import Dice, Spent

Aimed = tuple[tuple[int, int], ...]
"""Packets for models that were named: which, and how many wounds."""
Pile = tuple[int, tuple[int, ...], Aimed]


class Heap:
    """A target that only gathers: how many pooled wounds, and the size of each packet."""

    def start(self) -> Pile:
        """Nothing yet."""
        return 0, (), ()

    def take(self, dice: Dice, state: Pile, exit: Wound | Harm, times: int = 1) -> Pile:
        """Put wounds on the heap."""
        pooled, packets, aimed = state
        harm = exit if isinstance(exit, Harm) else exit.harm
        damage = harm.damage if isinstance(harm.damage, int) else dice.ask(harm.damage)
        if harm.wave is Wave.PACKETS:
            return pooled, packets + (damage,) * times, aimed
        if harm.aim is not None:
            return pooled, packets, aimed + ((harm.aim, damage),) * times
        return pooled + damage * times, packets, aimed

    def gone(self, state: Pile) -> bool:
        """A heap is never full."""
        return False

    def __hash__(self) -> int:
        return 1

    def __eq__(self, other: object) -> bool:
        return type(other) is Heap


HEAP = Heap()


class Sums(Struct, frozen=True):
    """What the stages of an event came to, and the volleys they were rolled for, with the choices made on the way."""

    attacks: int = 0
    hits: int = 0
    ignored: int = 0
    blocked: int = 0
    wounds: int = 0
    pooled: int = 0
    packets: tuple[int, ...] = ()
    volleys: tuple[Volley, ...] = ()
    aimed: Aimed = ()

    def plus(self, other: Sums) -> Sums:
        """Both together."""
        return Sums(
            self.attacks + other.attacks,
            self.hits + other.hits,
            self.ignored + other.ignored,
            self.blocked + other.blocked,
            self.wounds + other.wounds,
            self.pooled + other.pooled,
            self.packets + other.packets,
            self.volleys + other.volleys,
            self.aimed + other.aimed,
        )


def sums_of(dice: Dice, volleys: Sequence[Volley]) -> Sums:
    """Roll volleys (RES-12: all of them before any wound is allocated) and gather what came of them."""
    spent: Spent[Pile, int] = dice.volley(volleys, HEAP, HEAP.start(), ATTACKS, HITS, IGNORED, BLOCKED, WOUNDS)
    attacks, hits, ignored, blocked, wounds = spent.counts
    pooled, packets, aimed = spent.state
    return Sums(attacks, hits, ignored, blocked, wounds, pooled, packets, tuple(volleys), aimed)
