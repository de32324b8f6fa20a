"""A unit of models with Wounds as a target: who bears a wound, the save, Feel No Pain, Damage (CF-ALLOC, CF-DMG).

States list the models in roster order, whatever order they are allocated wounds in, so that one attack can start from where
another ended. Whoever may choose is asked through a picker: in play a player, for odds a policy.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

from msgspec import Struct
from msgspec.structs import replace

from rolloff.editions.compendium.ability import MELEE, SHOOTING
from rolloff.editions.compendium.harm import (
    DISCOUNTED,
    UNHARMED,
    Body,
    counts_as,
    drunk,
    mortal,
    overpowers,
    pain_roll,
    unsaved,
    unsaved_fate,
    wounds_by_table,
)
from rolloff.editions.compendium.saves import NONE, save_against
from rolloff.editions.compendium.traits import AREA, INSTANT, STRENGTH, Nature, nature
from rolloff.oracle.flow import WASTED, Exit, Harm, Wound, harm_of
from rolloff.oracle.roll import Dice
from rolloff.oracle.stage import Stage, check
from rolloff.oracle.target import UnitTarget
from rolloff.rules.citing import cites

NOBODY = -1


class Standing(NamedTuple):
    """How a unit stands: Wounds left by model, lit up by luminagen, who is dazed (one bit each), Wounds drunk by bearer."""

    left: tuple[int, ...]
    lit: bool = False
    dazed: int = 0
    drunk: tuple[tuple[int, int], ...] = ()


class Picker(Protocol):
    """Whoever chooses for the two sides."""

    def precise(self, squad: Squad, options: tuple[int, ...]) -> int:
        """The attacker says which model bears a precise wound."""
        ...

    def look_out(self, squad: Squad, at: int) -> bool:
        """The owner says whether a Character tries to pass a wound on."""
        ...


class Policy(Struct, frozen=True, cache_hash=True):
    """Choices made in advance: the book's defaults unless stated (DP-17, DP-18)."""

    tries: bool = True

    def precise(self, squad: Squad, options: tuple[int, ...]) -> int:
        """DP-17: the model of the highest value, the first of those that are equal."""
        return max(options, key=lambda at: (squad.bodies[at].worth, -at))

    def look_out(self, squad: Squad, at: int) -> bool:
        """DP-18: always try."""
        return self.tries

    def masters(self, part: object) -> bool:
        """DP-20: a failed die is always rolled again."""
        return True


BY_THE_BOOK = Policy()


class Squad(Struct, UnitTarget[Standing], frozen=True, cache_hash=True):
    """A unit as a target. ``order`` is who is allocated wounds, the closest first; models not in it cannot be reached.

    ``glows``: whether it may be lit up by luminagen while it is attacked, and whether it may not.
    """

    bodies: tuple[Body, ...]
    order: tuple[int, ...]
    kind: str = SHOOTING
    picker: Picker = BY_THE_BOOK
    glows: tuple[bool, ...] = (False, True)

    def start(self, *left: int, lit: bool = False) -> Standing:
        """The state with these Wounds left, or whole."""
        return Standing(left or tuple([body.wounds for body in self.bodies]), lit)

    @property
    def models(self) -> int:
        """How many models there are at first."""
        return len(self.bodies)

    @property
    def whole(self) -> int:
        """All Wounds of all models."""
        return sum(body.wounds for body in self.bodies)

    def kills(self, state: Standing, /) -> int:
        """How many models are gone."""
        return state.left.count(0)

    def gone(self, state: Standing, /) -> bool:
        """Whether the last model fell."""
        return not any(state.left)

    def lost_on_next(self, state: Standing, /) -> int:
        """How many Wounds the model next to bear one has lost."""
        at = next((at for at in self.order if state.left[at]), NOBODY)
        return 0 if at == NOBODY else self.bodies[at].wounds - state.left[at]

    def losses(self, start: Standing, end: Standing, order: Sequence[int], /) -> Iterator[tuple[int, int, int]]:
        """Slot, Wounds lost since a state and Wounds left in it, for each model, those that can be reached first.

        ``order`` are the slots in that order where the models have none themselves.
        """
        for k, at in enumerate(self.places()):
            yield order[k] if order else self.bodies[at].slot, start.left[at] - end.left[at], start.left[at]

    def places(self) -> tuple[int, ...]:
        """All models by their places, those that can be reached first."""
        if len(self.order) == len(self.bodies):
            return self.order
        return (*self.order, *(at for at in range(len(self.bodies)) if at not in self.order))

    def shared_guard(self, wound: Wound) -> tuple[bool, Stage[bool] | None]:
        """Whether every model would take the same save whatever happened before, and that save."""
        return _shared_guard(self, wound)

    def guard_of_all(self, wound: Wound) -> tuple[bool, Stage[bool] | None]:
        """The same, worked out."""
        read = nature(wound.harm.traits)
        if (
            read.destroyer
            or read.luminagen
            or read.aim is not None
            or read.reach is not None
            or any(body.look_out < NONE and body.fellows for body in self.bodies)
        ):
            return False, None
        if len(self.order) < len(self.bodies):
            return False, None
        saves = {self.save(body, wound, lit) for body in self.bodies for lit in self.glows}
        return (True, saves.pop()) if len(saves) == 1 else (False, None)

    def as_borne(self, leaving: Exit) -> Exit:
        """The same harm without the words that say nothing to these models: its Strength where it slays all or none of them."""
        return _as_borne(self, leaving)

    def plainly(self, leaving: Exit) -> Exit:
        """The same, worked out."""
        harm = harm_of(leaving)
        plain = _said(harm, frozenset(body.toughness for body in self.bodies), any(body.swarm for body in self.bodies))
        if plain is harm:
            return leaving
        return plain if isinstance(leaving, Harm) else Wound(plain, leaving.ap, leaving.traits)

    def verdict(self, leaving: Exit) -> Stage[bool] | None:
        """The die by which the bearer of a hit learns whether it is a wound, where that is not settled before."""
        read = nature(harm_of(leaving).traits)
        return wounds_by_table(read) if read.destroyer else None

    def rolls(self, wounds: Iterable[Wound]) -> Iterator[Stage[bool]]:
        """The saves and Feel No Pain rolls these wounds may come to, for tables of odds."""
        alike = {(body.armour, body.invulnerable, body.cover, body.shift, body.pain): body for body in self.bodies}
        for wound in wounds:
            for body in alike.values():
                save = self.save(body, wound, False)
                if save is not None:
                    yield save
                if body.pain < NONE:
                    yield pain_roll(body.pain)

    def save(self, body: Body, wound: Wound, lit: bool) -> Stage[bool] | None:
        """The save of one model against a wound; cover never helps in close combat."""
        shift = body.shift - lit  # SR-LUMINAGEN-1
        return save_against(body.armour, body.invulnerable, body.cover, shift, wound.ap, wound.traits, self.kind != MELEE)

    # bearing

    def take(self, dice: Dice, state: Standing, leaving: Exit, times: int = 1, /) -> Standing:
        """Bear a wound or harm so many times over."""
        harm = harm_of(leaving)
        read = nature(harm.traits)
        for _ in range(times):
            if self.gone(state):
                break
            if read.mortal:
                state = self._mortals(dice, state, harm, read)
            else:
                state = self._wound(dice, state, leaving, read)
        return state

    def _wound(self, dice: Dice, state: Standing, leaving: Exit, read: Nature) -> Standing:
        """CF-DMG-5: allocate, Look Out, Sir, save, counts as two, Feel No Pain, Instant Death, Damage."""
        at = self._bearer(state, read)
        if at == NOBODY:
            return state  # CF-ALLOC-3
        if not read.stays:  # CF-ALLOC-4
            at = self._looked_out(dice, state, at)  # CF-DMG-5
        fate = unsaved_fate(dice, leaving, read, lambda wound: self.save(self.bodies[at], wound, state.lit))
        return state if fate == UNHARMED else self._unsaved(dice, state, at, harm_of(leaving), read, fate)

    def _unsaved(self, dice: Dice, state: Standing, at: int, harm: Harm, read: Nature, fate: str) -> Standing:
        body = self.bodies[at]
        deadly = read.instant or overpowers(read.strength, body.toughness)
        for event in range(counts_as(body, read, deadly)):
            if not state.left[at]:
                break
            left = state.left[at]
            struck = dice.run(unsaved, body, left, harm, read, deadly, "" if event else fate)
            if struck != DISCOUNTED:
                state = _after(state, at, left - struck, read)
        return state

    def _mortals(self, dice: Dice, state: Standing, harm: Harm, read: Nature) -> Standing:
        """CF-DMG-3: on a unit one at a time, a model short of Wounds first, else the closest; on a model until it dies."""
        at = self._bearer(state, read) if read.on_model else NOBODY
        points = harm.damage if isinstance(harm.damage, int) else dice.ask(harm.damage)
        for k in range(points):
            if not read.on_model:
                at = self._next_mortal(state)
            if at == NOBODY or not state.left[at]:
                dice.note(WASTED, points - k)
                break
            if dice.run(mortal, self.bodies[at].pain):
                state = _after(state, at, state.left[at] - 1, read)
        return state

    # who

    def _bearer(self, state: Standing, read: Nature) -> int:
        """CF-ALLOC-1: the closest model that can be reached; a precise wound goes where the attacker says."""
        order = self.order if read.reach is None else read.reach
        reached = tuple(at for at in order if state.left[at])
        if read.precise:
            aims = reached if read.aim is None else tuple(at for at in self._all() if at in read.aim and state.left[at])
            if aims or self.kind == SHOOTING:
                reached = aims
            if len(reached) > 1:
                return self.picker.precise(self, reached)
        return reached[0] if reached else NOBODY

    def _all(self) -> tuple[int, ...]:
        """Every model, those that can be reached first."""
        return (*self.order, *(at for at in range(len(self.bodies)) if at not in self.order))

    @cites("CF-DMG-3")
    def _next_mortal(self, state: Standing) -> int:
        """CF-DMG-3: who bears a mortal wound on the unit."""
        alive = [at for at in self._all() if state.left[at]]
        short = [at for at in alive if state.left[at] < self.bodies[at].wounds]
        return (short or alive or [NOBODY])[0]

    @cites("CF-ALLOC-2", "SR-PRECISION-SHOTS-2", "SR-PRECISION-STRIKES-2")
    def _looked_out(self, dice: Dice, state: Standing, at: int) -> int:
        """CF-ALLOC-2: a Character may roll to pass the wound on to the closest model of its unit within 6"."""
        need = self.bodies[at].look_out
        other = next((one for one in self.bodies[at].fellows if state.left[one]), NOBODY)
        if need >= NONE or other == NOBODY or not self.picker.look_out(self, at):
            return at
        return other if dice.ask(check("look out", need, "CF-ALLOC-2")) else at


@lru_cache(maxsize=4096)
def _as_borne(squad: Squad, leaving: Exit) -> Exit:
    return squad.plainly(leaving)


@lru_cache(maxsize=4096)
def _shared_guard(squad: Squad, wound: Wound) -> tuple[bool, Stage[bool] | None]:
    return squad.guard_of_all(wound)


@lru_cache(maxsize=4096)
def _said(harm: Harm, toughness: frozenset[int], swarms: bool) -> Harm:
    """A harm in the words that matter to models of these kinds (CF-WOUND-3, SR-SWARMS-2)."""
    read = nature(harm.traits)
    deadly = {overpowers(read.strength, one) for one in toughness}
    if len(deadly) > 1:
        return harm
    said = [word for word in harm.traits if not word.startswith(f"{STRENGTH}:") and (swarms or word != AREA)]
    if deadly == {True} and INSTANT not in said:
        said.append(INSTANT)
    return replace(harm, traits=tuple(sorted(said)))


def _after(state: Standing, at: int, left: int, read: Nature) -> Standing:
    """The state after a model suffered an unsaved wound, and what else the weapon does with it."""
    lost = (*state.left[:at], left, *state.left[at + 1 :])
    dazed = state.dazed & ~(1 << at)
    if left and (read.concussive or state.dazed >> at & 1):
        dazed |= 1 << at
    return Standing(lost, state.lit or read.luminagen, dazed, drunk(state.drunk, read))
