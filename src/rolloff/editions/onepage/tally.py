"""The wounds of an event, gathered before they are allocated: pooled ones, and packets for single models, named or not."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from rolloff.oracle.flow import ATTACKS, BLOCKED, HITS, IGNORED, WOUNDS, Volley
from rolloff.oracle.pool import Aimed, Gathered, WoundPool
from rolloff.oracle.roll import Dice, Spent

POOL = WoundPool()


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


def sums_of(dice: Dice, volleys: Sequence[Volley], logged: bool = True) -> Sums:
    """Roll volleys (RES-12: all of them before any wound is allocated) and gather what came of them.

    What only a log would tell is left out where nobody reads one.
    """
    if not logged:
        wounded: Spent[Gathered, int] = dice.volley(volleys, POOL, POOL.start(), WOUNDS)
        pooled, packets, aimed = wounded.state
        return Sums(wounds=wounded.counts[0], pooled=pooled, packets=packets, aimed=aimed)
    spent: Spent[Gathered, int] = dice.volley(volleys, POOL, POOL.start(), ATTACKS, HITS, IGNORED, BLOCKED, WOUNDS)
    attacks, hits, ignored, blocked, wounds = spent.counts
    pooled, packets, aimed = spent.state
    return Sums(attacks, hits, ignored, blocked, wounds, pooled, packets, tuple(volleys), aimed)
