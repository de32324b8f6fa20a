"""The firing side as a target of its own weapons: Gets Hot and Hazardous."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct

from rolloff.editions.compendium.harm import pained
from rolloff.editions.compendium.saves import NONE, save_against
from rolloff.editions.compendium.traits import nature
from rolloff.oracle.flow import Exit, harm_of
from rolloff.oracle.roll import Dice
from rolloff.oracle.stage import number, table
from rolloff.rules.citing import cites

COOLS = table("overheat", (False, False, False, True, True, True), "SR-GETS-HOT-2")
HAZARD = table("hazardous", (False, True, True, True, True, True), "SR-HAZARDOUS-1")
BACKLASH = number("wounds", sides=3, clauses=("SR-HAZARDOUS-1",))


class Hand(Struct, frozen=True, cache_hash=True):
    """One model of the firing unit. ``sturdy``: a Character, Monster or Vehicle."""

    wounds: int
    armour: int = NONE
    invulnerable: int = NONE
    pain: int = NONE
    vehicle: bool = False
    sturdy: bool = False


class Muster(NamedTuple):
    """How the firing unit stands: Wounds or Hull Points left, and whose weapon is the next to run hot."""

    left: tuple[int, ...]
    of: tuple[int, ...] = ()
    next: int = 0


class Crew(Struct, frozen=True, cache_hash=True):
    """The firing unit, in roster order."""

    hands: tuple[Hand, ...]

    def start(self, *left: int) -> Muster:
        """The state with these Wounds left, or whole."""
        return Muster(left or tuple(hand.wounds for hand in self.hands))

    def gone(self, state: Muster, /) -> bool:
        """Whether nobody is left."""
        return not any(state.left)

    def take(self, dice: Dice, state: Muster, leaving: Exit, times: int = 1, /) -> Muster:
        """SR-GETS-HOT-1: each To Hit roll of 1 gives the firing model a wound at once."""
        read = nature(harm_of(leaving).traits)
        for _ in range(times):
            at = read.bearers[0]
            if read.in_turn:
                place = state.next if state.of == read.bearers else 0
                at = read.bearers[min(place, len(read.bearers) - 1)]
                state = state._replace(of=read.bearers, next=place + 1)
            if state.left[at] and dice.run(burns, self.hands[at]):
                state = lessened(state, at, 1)
        return state


def lessened(state: Muster, at: int, by: int) -> Muster:
    """The state after a model lost Wounds or Hull Points."""
    left = max(state.left[at] - by, 0)
    return state._replace(left=(*state.left[:at], left, *state.left[at + 1 :]))


@cites("SR-GETS-HOT-5", off=True)
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


def hazards(dice: Dice, crew: Crew, state: Muster, users: tuple[int, ...]) -> Muster:
    """SR-HAZARDOUS-1: a die for each weapon used; on a 1 its bearer is destroyed, or bears D3 mortal wounds."""
    safe = [dice.ask(HAZARD) for _ in users]
    for at, unharmed in zip(users, safe, strict=True):
        if unharmed or not state.left[at]:
            continue
        hand = crew.hands[at]
        if not hand.sturdy:  # SR-HAZARDOUS-1
            state = lessened(state, at, state.left[at])
            continue
        for _ in range(dice.ask(BACKLASH)):
            if state.left[at] and not (not hand.vehicle and pained(dice, hand.pain)):
                state = lessened(state, at, 1)
    return state
