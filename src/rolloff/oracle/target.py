"""Targets: what harm does when it arrives, in direct style over small states.

A ladder is a unit in the order its models fall. Its state is one number: the wounds gone so far, in that order.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any, ClassVar, Generic, Protocol, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from rolloff.oracle.flow import BLOCKED, DAMAGE, MORTAL, UNSAVED, WASTED, Exit, Harm, Wound, harm_of
from rolloff.oracle.offers import Offer
from rolloff.oracle.roll import Dice
from rolloff.oracle.stage import Stage

S = TypeVar("S", bound=Hashable)

Guard: TypeAlias = Callable[[Wound], "Stage[bool] | None"]
"""The save a model takes against a wound, or None; True is saved. Must hash by value."""

Shrug: TypeAlias = Callable[[Harm], "Stage[bool] | None"]
"""The roll by which a model ignores harm that was not saved; True is ignored. Must hash by value."""


class Blunt(Protocol):
    """The damage of a harm as a model takes it. Must hash by value."""

    def __call__(self, harm: Harm, damage: int, /) -> int:
        """The damage as this model takes it."""
        ...

    def own(self, harm: Harm, damage: int, /) -> int:
        """The damage as the attack itself has it, whoever bears it."""
        ...

    @property
    def stated(self) -> bool:
        """Whether the model states the damage, so that there is nothing to roll for."""
        ...


MORTAL_TRAIT = "mortal"

DEEPEST = 64
"""How many points of damage are followed one by one, each from where the one before may have led."""


Guarded: TypeAlias = Callable[[Wound], "tuple[bool, Stage[bool] | None]"]
"""Whether every model would take the same save against a wound, and that save."""

Verdict: TypeAlias = Callable[[Exit], "Stage[bool] | None"]
"""The die by which the bearer of a hit learns whether it is a wound, where that is not settled before."""


class Target(Generic[S]):
    """Whoever harm befalls; hashable by value, with small hashable states.

    ``states`` lists every state there can be, where that is quickly told; ``shared_guard`` and ``verdict`` are what
    some targets know of their saves and wounds, and spare others to ask model by model. ``as_borne`` gives the harm or
    wound that does the same to every state as another, where a target bears many alike; a wound it saves changes nothing.
    """

    shared_guard: Guarded | None = None
    verdict: Verdict | None = None
    as_borne: Callable[[Exit], Exit] | None = None
    states: Callable[[], Sequence[S]] | None = None

    def take(self, dice: Dice, state: S, leaving: Exit, times: int = 1, /) -> S:
        """Bear a wound or harm so many times over: who bears it, the save, the damage. Ends when gone."""
        raise NotImplementedError

    def gone(self, state: S, /) -> bool:
        """Whether nothing is left to harm."""
        raise NotImplementedError

    def gathers(self, leaving: Exit, /) -> bool:
        """Whether such harm is only put by, any number of times, so that the states it leads to are without end."""
        return False

    def turned(self, state: S, /) -> bool:
        """Whether attacks that begin now are made by other dice than those that began at first (`Volley.turned`)."""
        return False

    def like(self, state: S, leaving: Exit, /) -> S:
        """The state that stands for all to which one such harm does the same, counted from where each begins."""
        return state

    def shifted(self, like: S, state: S, after: S, /) -> S:
        """Where a harm leads from a state that leads from one like it to ``after``."""
        return after

    def apart(self, state: S, aim: int, /) -> tuple[UnitTarget[S], S] | None:
        """What harm with an aim befalls, as a target of its own, and its state; None if such harm may befall others too."""
        return None

    def whole_of(self, state: S, ends: Mapping[int, S], /) -> S:
        """A state in which what is aimed at has come to these ends by itself."""
        raise NotImplementedError


AnyTarget: TypeAlias = Target[Any]
"""A target whose states are only handed on, whatever they are."""


def shared_save(target: Target[S], wound: Wound) -> tuple[bool, Stage[bool] | None]:
    """Whether every model of a target is known to take the same save against a wound, and that save."""
    return (False, None) if target.shared_guard is None else target.shared_guard(wound)


class UnitTarget(Target[S]):
    """A unit as a target: what odds read off its states. What few units have to say has a plain answer here.

    ``converts``: other harm than that with the trait may become mortal wounds on it.
    """

    converts: bool = False

    spills: ClassVar[bool] = False
    """Whether harm that spills goes on from model to model point by point, each like the first."""

    def kills(self, state: S, /) -> int:
        """How many models are gone."""
        raise NotImplementedError

    def lost_on_next(self, state: S, /) -> int:
        """How many wounds the model next to fall has lost already."""
        raise NotImplementedError

    def losses(self, start: S, end: S, order: Sequence[int], /) -> Iterator[tuple[int, int, int]]:
        """Slot, wounds lost between two states and wounds left in the first, for each model.

        ``order`` names the models in the order they fall, for a target that does not know them itself.
        """
        raise NotImplementedError

    def damage(self, start: S, end: S, /) -> int:
        """The wounds lost between two states."""
        return sum(lost for _, lost, _ in self.losses(start, end, ()))

    def rolls(self, wounds: Iterable[Wound], /) -> Iterator[Stage[bool]]:
        """The saves and the like these wounds may come to, for tables of odds."""
        return iter(())

    def unneeded(self, harm: Harm, damage: int, /) -> int:
        """The damage a harm would have done when nobody is left to take it."""
        return damage


class Rung(Struct, frozen=True, cache_hash=True):
    """Like models that fall one after the other."""

    wounds: int = 1
    models: int = 1
    guard: Guard | None = None
    shrug: Stage[bool] | Shrug | None = None
    blunt: Blunt | None = None

    def shrugs(self, harm: Harm) -> Stage[bool] | None:
        """The roll to ignore this harm, if there is one."""
        if self.shrug is None or isinstance(self.shrug, Stage):
            return self.shrug
        return self.shrug(harm)


class Ladder(Struct, UnitTarget[int], frozen=True, cache_hash=True):
    """A unit in the order its models fall; the state counts the wounds gone, from 0 to `whole`.

    shrug_whole: one roll ignores a whole wound before its damage is known, and not each point by itself.
    """

    rungs: tuple[Rung, ...]
    shrug_whole: bool = False
    spills: ClassVar[bool] = True

    @property
    def whole(self) -> int:
        """All wounds of all models: the state in which nothing is left."""
        return len(_steps(self)) - 1

    @property
    def models(self) -> int:
        """How many models there were at first."""
        return sum(rung.models for rung in self.rungs)

    def start(self, kills: int = 0, lost: int = 0) -> int:
        """The state after so many models fell and the next lost so many wounds."""
        if not kills:
            return lost
        steps = _steps(self)
        return next(state for state, step in enumerate(steps) if step[0] == kills) + lost

    def kills(self, state: int, /) -> int:
        """How many models are gone."""
        return _steps(self)[state][0]

    def lost_on_next(self, state: int, /) -> int:
        """How many wounds the model next to fall has lost already."""
        return _steps(self)[state][1]

    def states(self) -> range:
        """Every state there can be."""
        return range(self.whole + 1)

    def gone(self, state: int, /) -> bool:
        """Whether the last model fell."""
        return state >= len(_steps(self)) - 1

    def losses(self, start: int, end: int, order: Sequence[int], /) -> Iterator[tuple[int, int, int]]:
        """Slot, wounds lost and wounds there were, for each model; nothing is lost at the start."""
        wholes = [rung.wounds for rung in self.rungs for _ in range(rung.models)]
        kills, lost = self.kills(end), self.lost_on_next(end)
        for at, (slot, whole) in enumerate(zip(order, wholes, strict=True)):
            yield slot, whole if at < kills else lost if at == kills else 0, whole

    def damage(self, start: int, end: int, /) -> int:
        """The wounds lost between two states."""
        return end - start

    def rolls(self, wounds: Iterable[Wound], /) -> Iterator[Stage[bool]]:
        """The saves of each rung against each wound, and what may ignore it."""
        wounds = list(wounds)
        found: list[Stage[bool] | None] = []
        for rung in self.rungs:
            found += [rung.guard(wound) for wound in wounds] if rung.guard is not None else []
            found += [rung.shrugs(wound.harm) for wound in wounds] if rung.shrug is not None else []
        return iter([save for save in found if save is not None and save.dice])

    def unneeded(self, harm: Harm, damage: int, /) -> int:
        """The damage as the attack itself has it."""
        blunt = self.rungs[0].blunt
        return damage if blunt is None else blunt.own(harm, damage)

    def shared_guard(self, wound: Wound) -> tuple[bool, Stage[bool] | None]:
        """Whether every model would take the same save against a wound, and that save."""
        return _shared_guard(self, wound)

    def like(self, state: int, leaving: Exit, /) -> int:
        """The first model of the rung that has lost as much; harm that spills goes on to whoever comes next."""
        return state if harm_of(leaving).spills else _likes(self)[state]

    def shifted(self, like: int, state: int, after: int, /) -> int:
        """So many wounds further on."""
        return after + state - like

    def take(self, dice: Dice, state: int, leaving: Exit, times: int = 1, /) -> int:
        """Bear a wound or harm so many times over, model after model."""
        if isinstance(leaving, Harm) and leaving.damage == 1 and self._bare():
            return self._fall(dice, state, leaving, times)
        steps = _steps(self)
        for _ in range(times):
            if state >= len(steps) - 1:
                break
            _, lost, rung = steps[state]
            if not harm_of(leaving).spills:
                state += bear(dice, rung, rung.wounds - lost, leaving, self.shrug_whole)
            elif not blocked(dice, rung, leaving):
                dice.note(UNSAVED)
                state = self._spill(dice, state, harm_of(leaving))
        return state

    def _bare(self) -> bool:
        """Whether no model has anything to say about harm."""
        return all(rung.shrug is None and rung.blunt is None for rung in self.rungs)

    def _fall(self, dice: Dice, state: int, harm: Harm, times: int) -> int:
        """Single points that nothing stops: plain counting."""
        end = min(state + times, self.whole)
        borne = end - state
        dice.note(UNSAVED, borne)
        dice.note(DAMAGE, borne)
        if MORTAL_TRAIT in harm.traits:
            dice.note(MORTAL, borne)
        return end

    def _spill(self, dice: Dice, state: int, harm: Harm) -> int:
        """Damage that goes on from model to model, point by point."""
        point = single(harm)
        damage = harm.damage if isinstance(harm.damage, int) else dice.ask(harm.damage)
        steps = _steps(self)
        for _ in range(damage):
            if state >= len(steps) - 1:
                break
            _, lost, rung = steps[state]
            state += dice.run(struck, rung, rung.wounds - lost, point, self.shrug_whole)
        return state


@lru_cache(maxsize=1024)
def _steps(ladder: Ladder) -> tuple[tuple[int, int, Rung], ...]:
    """For each state: models gone, wounds the next has lost, and its rung."""
    found: list[tuple[int, int, Rung]] = []
    fallen = 0
    for rung in ladder.rungs:
        for _ in range(rung.models):
            found.extend((fallen, lost, rung) for lost in range(rung.wounds))
            fallen += 1
    found.append((fallen, 0, ladder.rungs[-1]))
    return tuple(found)


@lru_cache(maxsize=1024)
def _likes(ladder: Ladder) -> tuple[int, ...]:
    """For each state the first in which a model of the same rung has lost as many wounds."""
    first: dict[tuple[int, int], int] = {}
    steps = _steps(ladder)
    found = [first.setdefault((lost, id(rung)), state) for state, (_, lost, rung) in enumerate(steps[:-1])]
    return (*found, len(steps) - 1)


@lru_cache(maxsize=4096)
def _shared_guard(ladder: Ladder, wound: Wound) -> tuple[bool, Stage[bool] | None]:
    found = {None if rung.guard is None else rung.guard(wound) for rung in ladder.rungs}
    return (True, found.pop()) if len(found) == 1 else (False, None)


@lru_cache(maxsize=1024)
def single(harm: Harm) -> Harm:
    """One point of a harm that spills."""
    return Harm(1, harm.traits, harm.wave, harm.on, False, False, harm.aim)


def bear(dice: Dice, rung: Rung, left: int, leaving: Exit, shrug_whole: bool) -> int:
    """One model with so many wounds left bears a wound or harm that does not spill; the wounds it loses."""
    if isinstance(leaving, Harm):
        harm = leaving
    elif blocked(dice, rung, leaving):
        return 0
    else:
        harm = leaving.harm
    dice.note(UNSAVED)
    return dice.run(struck, rung, left, harm, shrug_whole)


def blocked(dice: Dice, rung: Rung, leaving: Exit) -> bool:
    """Whether a model saves a wound; against harm nobody saves."""
    guard = rung.guard
    if guard is None or not isinstance(leaving, Wound):
        return False
    save = guard(leaving)
    if save is None or not dice.ask(save):
        return False
    dice.note(BLOCKED)
    return True


def struck(dice: Dice, rung: Rung, left: int, harm: Harm, shrug_whole: bool) -> int:
    """One model with so many wounds left is struck; the wounds it loses. What it does not need is wasted."""
    shrug = None if rung.shrug is None else rung.shrugs(harm)
    if shrug is not None and shrug_whole and dice.ask(shrug):
        return 0
    damage = harm.damage if isinstance(harm.damage, int) else dice.ask(as_needed(harm.damage, rung, left, harm, shrug_whole))
    if rung.blunt is not None:
        damage = rung.blunt(harm, damage)
    if shrug is None or shrug_whole:
        lost = min(damage, left)
        spare = damage - lost
    else:
        lost, spare = dice.run(shrugged, shrug, damage, left)
    dice.note(DAMAGE, lost)
    if spare:
        dice.note(WASTED, spare)
    if MORTAL_TRAIT in harm.traits:
        dice.note(MORTAL, lost)
    return lost


def as_needed(roll: Stage[int], rung: Rung, left: int, harm: Harm, shrug_whole: bool) -> Stage[int]:
    """A damage roll whose results may be rolled again: by default those from which a model loses less than from another."""
    return _as_needed(roll, rung, left, harm, shrug_whole) if roll.offers else roll


@lru_cache(maxsize=1024)
def _as_needed(roll: Stage[int], rung: Rung, left: int, harm: Harm, shrug_whole: bool) -> Stage[int]:
    shrug = None if shrug_whole else rung.shrugs(harm)
    hurts = Fraction(1) if shrug is None else 1 - shrug.success()

    def loss(damage: int) -> Fraction:
        return _expected_loss(damage if rung.blunt is None else rung.blunt(harm, damage), left, hurts)

    def worth(offer: Offer[int]) -> bool:
        again = sum([loss(damage) * weight for damage, weight in offer.again.law()], Fraction(0))
        return loss(offer.keep) * offer.again.whole < again

    read = [replace(one, default=worth(one)) if isinstance(one, Offer) else one for one in roll.read]
    return Stage(
        roll.label, read, why=roll.why, good=roll.good, dice=roll.dice, keep=roll.keep, sides=roll.sides, signs=roll.signs
    )


def _expected_loss(damage: int, left: int, hurts: Fraction) -> Fraction:
    """The wounds a model with so many left loses on average to damage of which each point hurts by some chance."""
    if hurts == 1:
        return Fraction(min(damage, left))
    chances = [comb(damage, n) * hurts**n * (1 - hurts) ** (damage - n) for n in range(damage + 1)]
    return sum([min(n, left) * chance for n, chance in enumerate(chances)], Fraction(0))


def shrugged(dice: Dice, shrug: Stage[bool], damage: int, left: int) -> tuple[int, int]:
    """A roll for each point while the model stands: the wounds it loses, and the points it did not need."""
    hurt = 0
    for _ in range(-(-damage // DEEPEST)):  # one, so that odds meet the same numbers again; more where there are very many
        if hurt < left:
            damage -= 1
            hurt += not dice.ask(shrug)
    if not damage or hurt == left:
        return hurt, damage
    lost, spare = dice.run(shrugged, shrug, damage, left - hurt)
    return hurt + lost, spare


class Ladders(Struct, UnitTarget[tuple[int, ...]], frozen=True, cache_hash=True):
    """Several ladders in one unit: harm with an aim goes to its ladder, the rest to the first that still stands.

    overflow: what is aimed at a ladder already gone goes to the others instead of being lost.
    """

    ladders: tuple[Ladder, ...]
    overflow: bool = False

    def start(self, *states: int) -> tuple[int, ...]:
        """The state with these states of the ladders; the ones not named are untouched."""
        return states + (0,) * (len(self.ladders) - len(states))

    def gone(self, state: tuple[int, ...], /) -> bool:
        """Whether every ladder is gone."""
        return all(ladder.gone(one) for ladder, one in zip(self.ladders, state, strict=True))

    def take(self, dice: Dice, state: tuple[int, ...], leaving: Exit, times: int = 1, /) -> tuple[int, ...]:
        """Send each wound or harm to the ladder that must bear it."""
        harm = harm_of(leaving)
        for _ in range(times):
            points, send = 1, leaving
            if harm.spills and isinstance(leaving, Harm):
                points = harm.damage if isinstance(harm.damage, int) else dice.ask(harm.damage)
                send = single(harm)
            for _ in range(points):
                at = self._bearer(state, harm)
                if at is None:
                    break
                state = (*state[:at], self.ladders[at].take(dice, state[at], send), *state[at + 1 :])
        return state

    def kills(self, state: tuple[int, ...], /) -> int:
        """How many models are gone, of all ladders."""
        return sum(ladder.kills(one) for ladder, one in zip(self.ladders, state, strict=True))

    def lost_on_next(self, state: tuple[int, ...], /) -> int:
        """How many wounds the model has lost that bears the next harm without an aim."""
        at = self._bearer(state, Harm())
        return 0 if at is None else self.ladders[at].lost_on_next(state[at])

    def _bearer(self, state: tuple[int, ...], harm: Harm) -> int | None:
        """The ladder that bears harm now, or None if it is lost."""
        if harm.aim is not None:
            if not self.ladders[harm.aim].gone(state[harm.aim]):
                return harm.aim
            if not self.overflow:
                return None
        standing = (at for at, ladder in enumerate(self.ladders) if not ladder.gone(state[at]))
        return next(standing, None)


@lru_cache(maxsize=4096)
def packet(harm: Harm, times: int) -> Harm:
    """So many harms of one weapon as the single harm they arrive as."""
    assert isinstance(harm.damage, int)
    return Harm(harm.damage * times, harm.traits, harm.wave, harm.on, harm.spills, False, harm.aim)
