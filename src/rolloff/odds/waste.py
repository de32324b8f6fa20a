"""Damage that finds no wound to take: what a struck model does not need, and all that comes after the last has fallen."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from typing import TypeVar

from msgspec import Struct

from rolloff.oracle.flow import WASTED, WOUNDS, Exit, Flow, Harm, Side, Wound, harm_of
from rolloff.oracle.roll import Dice
from rolloff.oracle.stage import Stage
from rolloff.oracle.target import Ladder, UnitTarget, shared_save, single
from rolloff.rules.attack import Plan

S = TypeVar("S", bound=Hashable)


class Overkill(Struct, UnitTarget[S], frozen=True, cache_hash=True):
    """A target that goes on being struck when nobody is left, and counts that as wasted.

    A save that all its models share is still rolled for nobody, as it is where attacks are counted.
    """

    target: UnitTarget[S]

    def gone(self, state: S, /) -> bool:
        """Attacks never end for want of a target."""
        return False

    def gathers(self, leaving: Exit, /) -> bool:
        """As the target does."""
        return self.target.gathers(leaving)

    def take(self, dice: Dice, state: S, leaving: Exit, times: int = 1, /) -> S:
        """As the target takes it, and beyond."""
        for _ in range(times):
            state = self._once(dice, state, leaving)
        return state

    def _once(self, dice: Dice, state: S, leaving: Exit) -> S:
        harm = harm_of(leaving)
        if self.target.gone(state):
            if isinstance(leaving, Wound):
                shared, save = self.shared_guard(leaving)
                if shared and save is not None and dice.ask(save):
                    return state
            damage = rolled(dice, harm)
            dice.note(WASTED, self.target.unneeded(harm, damage))
            return state
        if not harm.spills or not isinstance(leaving, Harm) or not self.target.spills:
            return self.target.take(dice, state, leaving)
        for _ in range(rolled(dice, harm)):
            if self.target.gone(state):
                dice.note(WASTED)
            else:
                state = self.target.take(dice, state, single(harm))
        return state

    def shared_guard(self, wound: Wound) -> tuple[bool, Stage[bool] | None]:
        """The save all models share, if they do."""
        return shared_save(self.target, wound)


def rolled(dice: Dice, harm: Harm) -> int:
    """The damage of a harm."""
    return harm.damage if isinstance(harm.damage, int) else dice.ask(harm.damage)


def pointwise(plan: Plan) -> bool:
    """Whether every wound that leaves the flows is one point that nothing stops: then wounds beyond the damage are wasted."""
    target = plan.target
    if plan.step is not None or not isinstance(target, Ladder):
        return False
    for rung in target.rungs:
        if rung.shrug is not None or rung.blunt is not None:
            return False
    return not [one for one in plan.volleys if isinstance(one.flow.leaving[0], Wound) or not _points(one.flow)]


@lru_cache(maxsize=4096)
def _points(flow: Flow) -> bool:
    """Whether all that leaves a flow is single points, and each is told as one wound in the same breath."""
    for leaving in flow.exits():
        if not isinstance(leaving, Harm) or leaving.damage != 1 or leaving.on is not Side.TARGET:
            return False
    for stage in flow.stages:
        for nodes, _ in stage.law():
            if sum(isinstance(node, Harm) for node in nodes) != sum(node == WOUNDS for node in nodes):
                return False
    return True


def packeted(plan: Plan) -> bool:
    """Whether some weapon's wounds go to one model together."""
    return any(volley.flow.packets for volley in plan.volleys)


class Nobody(Struct, UnitTarget[S], frozen=True, cache_hash=True):
    """What is left of a target when all have fallen: a save they shared, and nobody to harm."""

    target: UnitTarget[S]

    def gone(self, state: S, /) -> bool:
        """Nobody is left."""
        return True

    def take(self, dice: Dice, state: S, leaving: Exit, times: int = 1, /) -> S:
        """Nobody bears anything."""
        return state

    def shared_guard(self, wound: Wound) -> tuple[bool, Stage[bool] | None]:
        """The save all models shared, if they did."""
        return shared_save(self.target, wound)

    def unneeded(self, harm: Harm, damage: int, /) -> int:
        """The damage a harm would have done."""
        return self.target.unneeded(harm, damage)
