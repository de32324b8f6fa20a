"""A pool of wounds: a target that only gathers what an attack event came to, for rules that allocate it afterwards."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct

from rolloff.oracle.flow import Exit, Flow, Harm, Side, Wave, harm_of
from rolloff.oracle.roll import Dice
from rolloff.oracle.target import Target

Aimed = tuple[tuple[int, int], ...]
"""Packets for models that were named: which, and how many wounds."""


class Gathered(NamedTuple):
    """Wounds of an event: how many for anybody, packets that go to one model each, packets for models that were named."""

    pooled: int = 0
    packets: tuple[int, ...] = ()
    aimed: Aimed = ()


class WoundPool(Struct, Target[Gathered], frozen=True, cache_hash=True):
    """The target that is never gone. Where all harm is plain, its state is a number: see `plain`."""

    def start(self) -> Gathered:
        """Nothing yet."""
        return Gathered()

    def take(self, dice: Dice, state: Gathered, leaving: Exit, times: int = 1, /) -> Gathered:
        """Put wounds into the pool."""
        pooled, packets, aimed = state
        harm = harm_of(leaving)
        damage = harm.damage if isinstance(harm.damage, int) else dice.ask(harm.damage)
        if harm.wave is Wave.PACKETS:
            return Gathered(pooled, packets + (damage,) * times, aimed)
        if harm.aim is not None:
            return Gathered(pooled, packets, aimed + ((harm.aim, damage),) * times)
        return Gathered(pooled + damage * times, packets, aimed)

    def gone(self, state: Gathered, /) -> bool:
        """A pool is never full."""
        return False

    def with_wounds(self, state: Gathered, wounds: int) -> Gathered:
        """So many plain wounds at once."""
        return state._replace(pooled=state.pooled + wounds)


def plain(flow: Flow) -> bool:
    """Whether all that comes of a flow is single wounds for anybody: then their number says all."""
    return not flow.packets and all(
        isinstance(one, Harm) and one.damage == 1 and one.aim is None and one.on is Side.TARGET and one.wave is not Wave.PACKETS
        for one in flow.exits()
    )
