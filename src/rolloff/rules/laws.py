"""Laws of steps: the rule code that plays a fight, run on a quiet play over every fall of the dice at once.

A step is a module function `step(play, *args)`. Its law says for each way it may end the state it leaves and what it returns,
with the chance. Laws are kept by step, state and arguments, and ways that meet between two steps go on as one.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from rolloff.oracle.calculator import Calculator
from rolloff.oracle.dice import EnteredDice
from rolloff.oracle.oracle import Defaults, Oracle, Question
from rolloff.oracle.roll import Dice
from rolloff.rules.game import Game
from rolloff.rules.play import Play
from rolloff.table.event import Fact, Patch, Removed, patched
from rolloff.table.request import Option, Request
from rolloff.table.state import GONE, NOWHERE, State, Unit

A = TypeVar("A")
Ends = dict[tuple[State, Any], Any]
"""The law of a step: its chance for each state it leaves and what it returns."""
Step = Callable[..., Any]
_OFF = struct.pack("<2i", NOWHERE, 0)
_AWAY = Unit((), GONE)


class Policies(Defaults):
    """Policies as a chooser: of the options the one that a policy names, else the default."""

    def __init__(self, policies: Mapping[str, str]) -> None:
        """Remember the words."""
        self.words = frozenset(policies.values())

    def choose(self, request: Question, play: object) -> object:
        """The first of the options that a policy names."""
        options = (request.options or ()) if isinstance(request, Request) else ()
        return next((option for option in options if option in self.words), request.default)


class StepLaws:
    """The laws of the steps of one game under one set of policies, as one calculator computes them."""

    def __init__(self, game: Game, dice: Calculator, policies: Mapping[str, str]) -> None:
        """Nothing is known yet."""
        self.game, self.dice, self.policies = game, dice, policies
        self.oracle = Oracle(EnteredDice(()), Policies(policies))
        self.readings: dict[Hashable, Any] = {}
        self._ends: dict[Hashable, Ends] = {}

    def ends(self, step: Step, state: State, acting: int, args: tuple[Hashable, ...]) -> Ends:
        """The law of `step(play, *args)` from a state, while ``acting`` acts."""
        key = step, state, acting, args
        found = self._ends.get(key)
        if found is None:
            found = self._ends[key] = self.dice.law_of(self._played, *key)
        return found

    def _played(self, dice: Dice, step: Step, state: State, acting: int, args: tuple[Hashable, ...]) -> tuple[State, Hashable]:
        play = QuietPlay(self, state, acting)
        result: Hashable = step(play, *args)
        return play.state, result

    def through(
        self, step: Step, state: State, acting: int, items: tuple[Hashable, ...], carry: Hashable, fixed: tuple[Hashable, ...]
    ) -> Ends:
        """The law of a row of steps; ways that meet between two of them go on as one."""
        key = step, state, acting, items, carry, fixed
        found = self._ends.get(key)
        if found is None:
            found = {(state, carry): self.dice.one}
            for item in items:
                found = self._after(found, step, acting, (item,), fixed)
            self._ends[key] = found
        return found

    def until(
        self, step: Step, state: State, acting: int, carry: Hashable, over: Callable[[Any], bool], fixed: tuple[Hashable, ...]
    ) -> Ends:
        """The law of a step again and again."""
        key = step, state, acting, carry, over, fixed
        found = self._ends.get(key)
        if found is None:
            found = {}
            front: Ends = {(state, carry): self.dice.one}
            while front:
                rest: Ends = {}
                for end, chance in front.items():
                    into = found if over(end[1]) else rest
                    into[end] = into[end] + chance if end in into else chance
                front = self._after(rest, step, acting, (), fixed)
            self._ends[key] = found
        return found

    def _after(self, front: Ends, step: Step, acting: int, before: tuple[Hashable, ...], fixed: tuple[Hashable, ...]) -> Ends:
        """All ways one step further."""
        found: Ends = {}
        for (state, carry), share in front.items():
            for end, chance in self.ends(step, state, acting, (*before, carry, *fixed)).items():
                found[end] = found[end] + share * chance if end in found else share * chance
        return found

    def branch(self, ends: Ends) -> tuple[State, Any]:
        """One of the ends, on the way that is being followed."""
        return self.dice.branch(list(ends.items()))


class QuietPlay(Play):
    """A play nobody reads: events change the state and leave no trace, the dice are a calculator's, choices are policies."""

    __slots__ = ("laws",)

    def __init__(self, laws: StepLaws, state: State, acting: int = -1) -> None:
        """Begin at a state."""
        super().__init__(laws.game, state, laws.oracle, laws.dice)
        self.laws, self.acting, self.policies = laws, acting, laws.policies

    def emit(self, kind: str, clauses: tuple[str, ...], /, *patches: Patch, **facts: Fact) -> None:
        """Let something change the state."""
        removed = [patch for patch in patches if isinstance(patch, Removed)]
        if len(removed) > 2:
            self.state = without(self.state, removed)
            patches = tuple(patch for patch in patches if not isinstance(patch, Removed))
        for patch in patches:
            self.state = patched(self.state, patch)

    def put(self, request: Request, options: tuple[Option, ...], why: object = None) -> Option:
        """The option a policy names, else the default."""
        if len(options) == 1:
            return options[0]
        found: Option = self.oracle.chooser.choose(request, self)  # type: ignore[assignment]
        return found

    def run(self, step: Step, *args: Hashable, about: tuple[int, ...] = ()) -> Any:
        """One of the ends of a step; of one ``about`` some units the law is theirs alone."""
        state = cut_out(self.state, about) if about else self.state
        end, found = self.laws.branch(self.laws.ends(step, state, self.acting, args))
        if about:
            end = grafted(self.state, end, about) if end != state else self.state
        self.state = end
        return found

    def through(self, step: Step, items: Iterable[Hashable], carry: Any, *fixed: Hashable) -> Any:
        """One of the ends of a row of steps."""
        ends = self.laws.through(step, self.state, self.acting, tuple(items), carry, fixed)
        self.state, found = self.laws.branch(ends)
        return found

    def until(self, step: Step, carry: Any, over: Callable[[Any], bool], *fixed: Hashable) -> Any:
        """One of the ends of a step again and again."""
        ends = self.laws.until(step, self.state, self.acting, carry, over, fixed)
        self.state, found = self.laws.branch(ends)
        return found

    def once(self, reading: Step, *args: Hashable) -> Any:
        """What is read off the state, kept."""
        key, known = (reading, self.state, args), self.laws.readings
        if key not in known:
            known[key] = reading(self, *args)
        return known[key]


def over_any_dice(
    game: Game, state: State, policies: Mapping[str, str], step: Callable[..., A], *args: Hashable
) -> Callable[[Dice], A]:
    """A step of play as odds ask for it: over any dice, what it returns. A calculator answers from its law."""
    known: list[StepLaws] = []

    def result(dice: Dice) -> A:
        if isinstance(dice, Calculator):
            laws = next((laws for laws in known if laws.dice is dice), None)
            if laws is None:
                laws = StepLaws(game, dice, policies)
                known.append(laws)
            found: A = laws.branch(laws.ends(step, state, -1, args))[1]
            return found
        play = Play(game, state, Oracle(EnteredDice(()), Policies(policies)), dice)
        play.policies = policies
        return step(play, *args)

    return result


def without(state: State, patches: Sequence[Removed]) -> State:
    """Many models removed at once: as one after the other, and quicker."""
    xy, units = bytearray(state.xy), list(state.units)
    gone = {patch.slot for patch in patches}
    for slot in gone:
        xy[8 * slot : 8 * slot + 8] = _OFF
    for number in {patch.unit for patch in patches}:
        unit = units[number]
        living = tuple(slot for slot in unit.living if slot not in gone)
        units[number] = replace(unit, living=living, where=unit.where if living else GONE)
    return replace(state, xy=bytes(xy), units=tuple(units))


def cut_out(state: State, units: tuple[int, ...]) -> State:
    """The state as if only these units were in the game."""
    slots = {slot for unit in units for slot in state.units[unit].living}
    xy, wounds = bytearray(_OFF * (len(state.xy) // 8)), bytearray(len(state.wounds))
    for slot in slots:
        xy[8 * slot : 8 * slot + 8] = state.xy[8 * slot : 8 * slot + 8]
        wounds[2 * slot : 2 * slot + 2] = state.wounds[2 * slot : 2 * slot + 2]
    kept = tuple(unit if number in units else _AWAY for number, unit in enumerate(state.units))
    models = tuple(mark for mark in state.models if mark[0] in slots)
    return replace(state, xy=bytes(xy), wounds=bytes(wounds), units=kept, models=models)


def grafted(state: State, end: State, units: tuple[int, ...]) -> State:
    """The state in which these units are as in another."""
    slots = [slot for unit in units for slot in state.units[unit].living]
    buffers = [bytearray(buffer) for buffer in (state.xy, state.z, state.facing, state.wounds)]
    for size, buffer, new in zip((8, 4, 2, 2), buffers, (end.xy, end.z, end.facing, end.wounds), strict=True):
        for slot in slots:
            buffer[size * slot : size * slot + size] = new[size * slot : size * slot + size]
    xy, z, facing, wounds = map(bytes, buffers)
    kept = tuple(end.units[number] if number in units else unit for number, unit in enumerate(state.units))
    models = (*(mark for mark in state.models if mark[0] not in slots), *end.models)
    models = tuple(sorted(models, key=lambda mark: mark[:2]))
    return replace(state, xy=xy, z=z, facing=facing, wounds=wounds, units=kept, models=models)
