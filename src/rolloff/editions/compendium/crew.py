"""The firing side as a target of its own weapons: Gets Hot and Hazardous."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct

from rolloff.editions.compendium.harm import pained
from rolloff.editions.compendium.saves import NONE, save_against
from rolloff.editions.compendium.traits import HAZARD, borne_by, nature
from rolloff.oracle.flow import Exit, Flow, Harm, Nodes, Side, Volley, Wave, harm_of
from rolloff.oracle.roll import Dice
from rolloff.oracle.stage import Stage, number, table
from rolloff.oracle.target import Target
from rolloff.rules.citing import cites

COOLS = table("overheat", (False, False, False, True, True, True), "SR-GETS-HOT-2")
BACKLASH = number("wounds", sides=3, clauses=("SR-HAZARDOUS-1",))


Drunk = tuple[tuple[int, int], ...]
"""Wounds regained, by the place of the bearer."""


class Hand(Struct, frozen=True, cache_hash=True):
    """One model of the firing unit. ``sturdy``: a Character, Monster or Vehicle."""

    wounds: int
    armour: int = NONE
    invulnerable: int = NONE
    pain: int = NONE
    vehicle: bool = False
    sturdy: bool = False


class CrewState(NamedTuple):
    """How the firing unit stands: Wounds or Hull Points left."""

    left: tuple[int, ...]


class Crew(Struct, Target[CrewState], frozen=True, cache_hash=True):
    """The firing unit, in roster order."""

    hands: tuple[Hand, ...]

    def start(self, *left: int) -> CrewState:
        """The state with these Wounds left, or whole."""
        return CrewState(left or tuple(hand.wounds for hand in self.hands))

    def gone(self, state: CrewState, /) -> bool:
        """Whether nobody is left."""
        return not any(state.left)

    def take(self, dice: Dice, state: CrewState, leaving: Exit, times: int = 1, /) -> CrewState:
        """SR-GETS-HOT-1: each To Hit roll of 1 gives the firing model a wound at once."""
        read = nature(harm_of(leaving).traits)
        at = read.bearer
        for _ in range(times):
            if not state.left[at]:
                break
            if read.hazard:
                state = lessened(state, at, dice.run(backfires, self.hands[at], state.left[at]))
            elif dice.run(burns, self.hands[at]):
                state = lessened(state, at, 1)
        return state

    def restored(self, state: CrewState, drunk: Drunk) -> CrewState:
        """SR-SOUL-LEECH-1: the state after bearers have regained lost Wounds, never above what they started with."""
        left = list(state.left)
        for at, more in drunk:
            if left[at]:
                left[at] = min(self.hands[at].wounds, left[at] + more)
        return CrewState(tuple(left))


def lessened(state: CrewState, at: int, by: int) -> CrewState:
    """The state after a model lost Wounds or Hull Points."""
    left = max(state.left[at] - by, 0)
    return state._replace(left=(*state.left[:at], left, *state.left[at + 1 :]))


@cites("SR-GETS-HOT-5")
def burns(dice: Dice, hand: Hand) -> bool:
    """SR-GETS-HOT-5: a wound of AP 0 and Damage 1 with armour or invulnerable save and Feel No Pain; whether it stands.

    On a vehicle it is a glancing hit, on a further 1 to 3 alone, with the same saves.
    """
    if hand.vehicle and dice.ask(COOLS):  # SR-GETS-HOT-2
        return False
    save = save_against(hand.armour, hand.invulnerable, NONE, 0, 0, (), False)
    if save is not None and dice.ask(save):
        return False
    return hand.vehicle or not pained(dice, hand.pain)


def backfires(dice: Dice, hand: Hand, left: int) -> int:
    """SR-HAZARDOUS-1: the Wounds a 1 costs the bearer: all of them, or D3 mortal wounds of the sturdy."""
    if not hand.sturdy:  # SR-HAZARDOUS-1
        return left
    lost = 0
    for _ in range(dice.ask(BACKLASH)):
        if lost < left and (hand.vehicle or not pained(dice, hand.pain)):
            lost += 1
    return lost


@lru_cache(maxsize=256)
def hazard(bearer: int) -> Volley:
    """SR-HAZARDOUS-1: a die for a weapon that was used; on a 1 its bearer suffers."""
    harm = Harm(1, (HAZARD, borne_by(bearer)), Wave.IN_TURN, Side.FIRER)
    stage: Stage[Nodes] = Stage(
        "hazardous",
        ((harm,), *((),) * 5),
        why=(("SR-HAZARDOUS-1",),) * 6,
        good=(False, *(True,) * 5),
        need=2,
    )
    return Volley(Flow((stage,)))
