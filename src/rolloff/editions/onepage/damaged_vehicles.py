"""Units that roll on the table of damage (VDMG), as a target for odds: wounds first, then what the table does to the wounded.

A state says how every model stands, not what it has lost, so that an attack can be planned anew from where another ended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from rolloff.editions.onepage.book import book_of
from rolloff.editions.onepage.lookups import has, tough
from rolloff.editions.onepage.vehicles import IMMOBILE, SHAKEN, goes_on
from rolloff.oracle.flow import WASTED, WOUNDS, Exit, Tally, Volley, harm_of
from rolloff.oracle.roll import Dice, Spent
from rolloff.oracle.stage import Stage, check
from rolloff.oracle.target import Ladder, Rung, UnitTarget
from rolloff.rules.attack import Plan
from rolloff.rules.citing import cites
from rolloff.rules.game import Game
from rolloff.table.event import Event, ModelMarked, Patch, Removed, Wounded, apply
from rolloff.table.state import State

MORE = Tally("more")
"""Wounds the table of damage added (VDMG-8)."""


class VehicleState(NamedTuple):
    """How one model stands: wounds it has left, and what the table has done to it."""

    left: int
    shaken: bool = False
    immobile: bool = False


class Standing(NamedTuple):
    """How the models of a unit stand, in the order of the roster."""

    hulks: tuple[VehicleState, ...]

    @property
    def left(self) -> tuple[int, ...]:
        """The wounds each has left."""
        return tuple(hulk.left for hulk in self.hulks)

    def but(self, at: int, hulk: VehicleState) -> Standing:
        """The same with one model as it is now."""
        return Standing((*self.hulks[:at], hulk, *self.hulks[at + 1 :]))


class Hulls(Struct, UnitTarget[Standing], frozen=True, cache_hash=True):
    """A unit of such models: who they are, what they bear unhurt, in which order they fall, and the table they roll on."""

    unit: int
    slots: tuple[int, ...]
    tough: tuple[int, ...]
    order: tuple[int, ...]
    table: Callable[[int, str], Stage[str]]
    facing: str
    again: bool = False
    mends: Stage[bool] | None = None

    @property
    def models(self) -> int:
        """How many models there are."""
        return len(self.slots)

    def gone(self, state: Standing, /) -> bool:
        """Whether none is left."""
        return not any(state.left)

    def kills(self, state: Standing, /) -> int:
        """How many are gone."""
        return state.left.count(0)

    def lost_on_next(self, state: Standing, /) -> int:
        """Wounds on the model that is hurt and lives."""
        return next((whole - left for whole, left in zip(self.tough, state.left, strict=True) if 0 < left < whole), 0)

    def take(self, dice: Dice, state: Standing, leaving: Exit, times: int = 1, /) -> Standing:
        """Bear wounds in the order of casualties; the table has its say when an event is over."""
        ladder, alive = self.ladder(state)
        return self.bereft(state, alive, ladder, ladder.take(dice, ladder.start(), harm_of(leaving), times))

    def ladder(self, state: Standing) -> tuple[Ladder, tuple[int, ...]]:
        """The living in the order they fall."""
        alive = tuple(at for at in self.order if state.left[at])
        hurt = [at for at in alive if state.left[at] < self.tough[at]]
        falling = (*hurt, *(at for at in alive if at not in hurt))
        return Ladder(tuple(Rung(wounds=state.left[at]) for at in falling)), falling

    def bereft(self, state: Standing, falling: tuple[int, ...], ladder: Ladder, end: int) -> Standing:
        """How they stand after these wounds."""
        kills, lost = ladder.kills(end), ladder.lost_on_next(end)
        for at in falling[:kills]:
            state = state.but(at, VehicleState(0))
        if lost:
            at = falling[kills]
            state = state.but(at, state.hulks[at]._replace(left=state.left[at] - lost))
        return state

    def event(
        self, dice: Dice, volleys: tuple[Volley, ...], state: Standing, tallies: tuple[Tally, ...]
    ) -> Spent[Standing, int]:
        """One attack event: its volleys, then the table; ``tallies`` may ask for what the table added and for waste."""
        rolled = self.rolled(dice, volleys, state, tallies)
        ended, more = self.settled(dice, state, rolled.end)
        counts = {**rolled.counts, MORE: more}
        return Spent(ended, tuple(counts[tally] for tally in tallies), None)

    def rolled(self, dice: Dice, volleys: tuple[Volley, ...], state: Standing, tallies: tuple[Tally, ...]) -> Rolled:
        """The dice of the volleys, and where the wounds end on the ladder of the living."""
        ladder, _ = self.ladder(state)
        needed = (*tallies, WOUNDS) if WASTED in tallies else tallies
        asked = tuple(tally for tally in dict.fromkeys(needed) if tally not in (MORE, WASTED))
        spent: Spent[int, int] = dice.volley(volleys, ladder, ladder.start(), *asked)
        counts = dict(zip(asked, spent.counts, strict=True))
        return Rolled(spent.state, {**counts, WASTED: counts.get(WOUNDS, spent.state) - spent.state})

    def settled(self, dice: Dice, state: Standing, end: int) -> tuple[Standing, int]:
        """The wounds are allocated, then the table has its say; the wounds it added."""
        ladder, falling = self.ladder(state)
        ended, lost = self.bereft(state, falling, ladder, end), ladder.lost_on_next(end)
        return self.tabled(dice, ended, falling[ladder.kills(end)], lost) if lost else (ended, 0)

    @cites("VDMG-2", "VDMG-12")
    def tabled(self, dice: Dice, ended: Standing, at: int, lost: int) -> tuple[Standing, int]:
        """VDMG-2, VDMG-12: a model that was wounded and lives rolls once, in melee after the casualties of the step."""
        return self.damaged(dice, ended, at, self.table(lost, self.facing))

    @cites("VDMG-8")
    def damaged(self, dice: Dice, state: Standing, at: int, stage: Stage[str]) -> tuple[Standing, int]:
        """VDMG-6 to VDMG-8: what the table does to a model, as in play; an extra wound may be rolled for again."""
        more = 0
        while True:
            result, hulk = dice.ask(stage), state.hulks[at]
            if result == SHAKEN:
                return state.but(at, hulk._replace(shaken=True)), more
            if result != IMMOBILE or not hulk.immobile:
                return state.but(at, hulk._replace(immobile=hulk.immobile or result == IMMOBILE)), more
            if self.mends is not None and dice.ask(self.mends):
                return state, more
            more += 1
            state = state.but(at, hulk._replace(left=hulk.left - 1) if hulk.left > 1 else VehicleState(0))
            if not self.again or not state.left[at]:
                return state, more

    def standing(self, state: State, ended: Standing) -> State:
        """The game state in which the models stand so."""
        patches: list[Patch] = []
        for slot, whole, hulk in zip(self.slots, self.tough, ended.hulks, strict=True):
            if not hulk.left:
                patches.append(Removed(slot, self.unit))
                continue
            if whole - hulk.left != state.wounds_on(slot):
                patches.append(Wounded(slot, whole - hulk.left))
            for name, value, holds in ((SHAKEN, "next", hulk.shaken), (IMMOBILE, 1, hulk.immobile)):
                if holds and state.model_mark(slot, name) is None:
                    patches.append(ModelMarked(slot, name, value))
        return apply(state, Event("odds", (), tuple(patches))) if patches else state

    def losses(self, start: Standing, end: Standing, order: Sequence[int], /) -> Iterator[tuple[int, int, int]]:
        """Slot, wounds lost and wounds there were, for each model."""
        for slot, before, now in zip(self.slots, start.left, end.left, strict=True):
            yield slot, before - now, before

    def onto(self, other: Hulls, ended: Standing) -> Standing:
        """How all stand when those who could be struck by another attack stand so now; the others fell before it."""
        now = dict(zip(other.slots, ended.hulks, strict=True))
        return Standing(tuple(now.get(slot, VehicleState(0)) for slot in self.slots))


def left_standing(game: Game, state: State, plan: Plan, end: Standing) -> State:
    """The game state an attack on hulls leaves that was planned from one (`rules.attack.Left`)."""
    assert isinstance(plan.target, Hulls)
    return plan.target.standing(state, end)


class Rolled(NamedTuple):
    """The dice of an event before its wounds are allocated."""

    end: int
    counts: dict[Tally, int]


def hulls_of(game: Game, state: State, unit: int, order: tuple[int, ...], facing: str) -> tuple[Hulls, Standing]:
    """A unit as such a target, and how it stands."""
    book, slots = book_of(game), state.units[unit].living
    assert book.damage is not None
    mends = None
    if has(game, state, unit, "Regeneration"):
        mends = check("regeneration", book.regeneration, "RULE-REGEN-1", "VDMG-8")
    wholes = tuple(tough(game, slot) for slot in slots)
    hulls = Hulls(unit, slots, wholes, tuple(slots.index(slot) for slot in order), book.damage, facing, goes_on(game), mends)
    hulks = [
        VehicleState(
            whole - state.wounds_on(slot),
            state.model_mark(slot, SHAKEN) is not None,
            state.model_mark(slot, IMMOBILE) is not None,
        )
        for slot, whole in zip(slots, wholes, strict=True)
    ]
    return hulls, Standing(tuple(hulks))
