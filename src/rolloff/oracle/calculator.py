"""The calculator: the oracle that answers with every answer at once, each with its exact chance.

`law` runs any direct-style step once for each way its dice can fall, over distinct results only, and remembers the
steps it runs on the way. Volleys are not run at all: their attacks are counted and folded through the target's states
(`fold`), or walked attack by attack where counting is not enough (`walk`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, TypeVar

import numpy as np

from rolloff.oracle.flow import Exit, Flow, Side, Tally, Volley, Wound, harm_of
from rolloff.oracle.fold import Fold, Guarded, Plan, attacks_law, planned, tally_law
from rolloff.oracle.law import Law
from rolloff.oracle.powers import Array
from rolloff.oracle.roll import Dice, Spent, together
from rolloff.oracle.space import Space
from rolloff.oracle.stage import FACES, Stage
from rolloff.oracle.target import Target
from rolloff.oracle.walk import Walker
from rolloff.oracle.words import Counts, Word, portion, words

T = TypeVar("T")
R = TypeVar("R", bound=Hashable)
S = TypeVar("S", bound=Hashable)
F = TypeVar("F", bound=Hashable)

STATES = 1_000
"""How many states a target may have for the quick lane."""

SHELF = 50_000
"""How many remembered laws are kept before a shelf is cleared."""


class _Path:
    """One way the dice may fall: which result was taken at each branch."""

    __slots__ = ("at", "chance", "counts", "one", "sizes", "taken", "tallies")

    def __init__(self, one: Any, tallies: tuple[Tally, ...]) -> None:
        self.one = one
        self.tallies = tallies
        self.taken: list[int] = []
        self.sizes: list[int] = []
        self.rewind()

    def rewind(self) -> None:
        """Begin again from the first branch."""
        self.at = 0
        self.chance = self.one
        self.counts = [0] * len(self.tallies)

    def branch(self, items: Sequence[tuple[Any, Any]]) -> Any:
        """The result this path takes here."""
        if len(items) == 1:
            return items[0][0]
        if self.at == len(self.taken):
            self.taken.append(0)
            self.sizes.append(len(items))
        result, chance = items[self.taken[self.at]]
        self.at += 1
        self.chance = self.chance * chance
        return result

    def advance(self) -> bool:
        """Turn to the next path; False when there is none."""
        while self.taken:
            if self.taken[-1] + 1 < self.sizes[-1]:
                self.taken[-1] += 1
                return True
            self.taken.pop()
            self.sizes.pop()
        return False


class Calculator(Dice):
    """Exact laws, as floats or as rationals. Outside `law` it has no single answer to give."""

    def __init__(self, exact: bool = False) -> None:
        """`exact` reckons with rationals."""
        self.exact = exact
        self._one: Any = Fraction(1) if exact else 1.0
        self._path: _Path | None = None
        self._steps: dict[Hashable, Sequence[tuple[tuple[Any, Counts], Any]]] = {}
        self._items: dict[Stage[Any], Sequence[tuple[Any, Any]]] = {}
        self._spaces: dict[Any, Space] = {}
        self._plans: dict[tuple[Any, Flow, bool], tuple[int, Plan | None]] = {}
        self._words: dict[Hashable, dict[Word, Any]] = {}

    # what rules ask

    def ask(self, stage: Stage[T]) -> T:
        """Branch over the distinct results of one stage."""
        items = self._items.get(stage)
        if items is None:
            whole = stage.whole
            items = [(result, portion(weight, whole, self.exact)) for result, weight in stage.law()]
            self._kept(self._items, stage, items)
        result: T = self._branch(items)
        return result

    def faces(self, n: int, label: str, *clauses: str) -> tuple[int, ...]:
        """Branch over every throw of `n` dice."""
        chance = portion(1, 6**n, self.exact)
        found: tuple[int, ...] = self._branch([(thrown, chance) for thrown in product(FACES, repeat=n)])
        return found

    def note(self, tally: Tally, n: int = 1) -> None:
        """Count something that happened, if the law being reckoned asks for it."""
        path = self._path
        if path is not None and tally in path.tallies:
            path.counts[path.tallies.index(tally)] += n

    def run(self, step: Callable[..., R], *args: Hashable) -> R:
        """Branch over the results of a step, whose law is remembered."""
        path = self._here()
        result, counts = path.branch(self._law(step, args, path.tallies))
        for at, n in enumerate(counts):
            path.counts[at] += n
        return result  # type: ignore[no-any-return]

    def tallies(self, volley: Volley, *tallies: Tally) -> tuple[int, ...]:
        """Branch over the counts of a volley without a target."""
        found: tuple[int, ...] = self._branch(list(self._counted(volley, tallies).items()))
        return found

    def volley(
        self,
        volleys: Volley | Sequence[Volley],
        target: Target[S],
        state: S,
        *tallies: Tally,
        firer: Target[F] | None = None,
        firer_state: F | None = None,
    ) -> Spent[S, F]:
        """Branch over what one attack event may leave behind."""
        items = self._spent(together(volleys), target, state, tallies, firer, firer_state)
        found: Spent[S, F] = self._branch(items)
        return found

    # what others ask

    def law(self, step: Callable[..., R], *args: Hashable) -> Law[R]:
        """The exact law of what `step(dice, *args)` returns."""
        return Law((result, chance) for (result, _), chance in self._law(step, args, ()))

    def after(self, volleys: Volley | Sequence[Volley], target: Target[S], start: S | Law[S]) -> Law[S]:
        """The law of the target's state after one attack event, from a state or a law of states."""
        event = together(volleys)
        quick = self._folded(event, target, start)
        if quick is not None:
            space, chances = quick
            return Law(zip(space.states, chances.tolist(), strict=True))
        law = start if isinstance(start, Law) else Law([(start, self._one)])
        found: list[tuple[S, Any]] = []
        for state, share in law.items():
            walked = self._walked(event, target, state, (), None, None)
            found += [(ended, chance * share) for (ended, _, _), chance in walked.items()]
        return Law(found)

    def spread_after(
        self,
        volleys: Volley | Sequence[Volley],
        target: Target[S],
        start: S | Law[S],
        reading: Callable[[S], int],
    ) -> list[Any]:
        """The law of a whole number read off the target's state after one attack event, such as the kills."""
        quick = None if self.exact else self._folded(together(volleys), target, start)
        if quick is None:
            return self.after(volleys, target, start).spread(reading)
        space, chances = quick
        found: list[float] = np.bincount(space.readings(reading), chances).tolist()
        while found and not found[-1]:
            found.pop()
        return found

    def spread(
        self, volleys: Volley | Sequence[Volley], tally: Tally, target: Target[Any] | None = None
    ) -> list[Any]:
        """The law of one count as if every attack were rolled; with a target, saves its models share count too."""
        guarded = getattr(target, "shared_guard", None)
        total: Array = np.array([self._one], dtype=object if self.exact else float)
        for volley in together(volleys):
            number = attacks_law(volley, self.exact)
            total = np.convolve(total, tally_law(volley, tally, number, guarded, self.exact))
        return total.tolist()  # type: ignore[no-any-return]

    # how it is done

    def _here(self) -> _Path:
        if self._path is None:
            raise RuntimeError("a calculator has no single answer: ask it for the law of a step")
        return self._path

    def _branch(self, items: Sequence[tuple[Any, Any]]) -> Any:
        return self._here().branch(items)

    def _kept(self, shelf: dict[Any, Any], key: Any, value: Any) -> None:
        """Remember something, clearing the shelf when it is full."""
        if len(shelf) >= SHELF:
            shelf.clear()
        shelf[key] = value

    def _law(
        self, step: Callable[..., Any], args: tuple[Hashable, ...], tallies: tuple[Tally, ...]
    ) -> Sequence[tuple[tuple[Any, Counts], Any]]:
        """Every result of a step with what it counted, and the chance; each path of the dice is run once."""
        key = (step, args, tallies)
        known = self._steps.get(key)
        if known is not None:
            return known
        found: dict[tuple[Any, Counts], Any] = {}
        outer, path = self._path, _Path(self._one, tallies)
        self._path = path
        try:
            while True:
                path.rewind()
                result = (step(self, *args), tuple(path.counts))
                found[result] = found[result] + path.chance if result in found else path.chance
                if not path.advance():
                    break
        finally:
            self._path = outer
        items = list(found.items())
        self._kept(self._steps, key, items)
        return items

    def _taken(
        self, target: Any, state: Hashable, leaving: Exit, tallies: tuple[Tally, ...]
    ) -> Sequence[tuple[tuple[Any, Counts], Any]]:
        return self._law(_bear, (target, state, leaving), tallies)

    def _space(self, target: Target[Any]) -> Space:
        """The states of a target, known so far."""
        found = self._spaces.get(target)
        if found is None:
            listed = getattr(target, "states", None)

            def take(state: Hashable, leaving: Exit) -> Sequence[tuple[Any, Any]]:
                return [(after, chance) for (after, _), chance in self._taken(target, state, leaving, ())]

            found = Space(list(listed()) if listed else [], take, target.gone, self.exact)
            self._kept(self._spaces, target, found)
        return found

    def _plan(self, target: Any, space: Space, flow: Flow, gather: bool) -> Plan | None:
        """How a flow meets a target, remembered while the target's states stay the same."""
        key = (target, flow, gather)
        known = self._plans.get(key)
        if known is not None and known[0] == len(space.states):
            return known[1]
        guarded: Guarded | None = getattr(target, "shared_guard", None)
        found = planned(flow, space, guarded, gather)
        self._kept(self._plans, key, (len(space.states), found))
        return found

    def _folded(
        self, event: tuple[Volley, ...], target: Target[S], start: S | Law[S]
    ) -> tuple[Space, Array] | None:
        """The quick lane: the chances of all states, or None where it does not lead."""
        space = self._space(target)
        if getattr(target, "states", None) is None:
            kinds = dict.fromkeys(one for volley in event for one in volley.flow.exits())
            aimed = [one for one in kinds if harm_of(one).on is Side.TARGET]
            if any(volley.flow.packets for volley in event):
                return None
            carried = [one.harm for one in aimed if isinstance(one, Wound)]
            starts = list(start) if isinstance(start, Law) else [start]
            if not space.grow(starts, [*aimed, *carried], STATES):
                return None
        fold = Fold(space, lambda flow, gather: self._plan(target, space, flow, gather))
        if isinstance(start, Law):
            front = space.blank(1)
            for state, chance in start.items():
                front[0, space.index[state]] += chance
            ended = fold.event(event, front, None)
        else:
            ended = fold.event(event, None, space.index[start])
        return None if ended is None else (space, ended[0])

    def _walked(
        self,
        event: tuple[Volley, ...],
        target: Target[Any],
        state: Hashable,
        tallies: tuple[Tally, ...],
        firer: Target[Any] | None,
        firer_state: Hashable,
    ) -> dict[tuple[Any, Any, Counts], Any]:
        """The general lane."""

        def take(side: Side, at: Hashable, leaving: Exit) -> Sequence[tuple[tuple[Any, Counts], Any]]:
            who = target if side is Side.TARGET else firer
            assert who is not None
            return self._taken(who, at, leaving, tallies)

        def gone(side: Side, at: Any) -> bool:
            who = target if side is Side.TARGET else firer
            return who is None or who.gone(at)

        walker = Walker(take, gone, tallies, self._one)
        spoken = [
            (volley, self._spoken(volley.flow, tallies), attacks_law(volley, self.exact)) for volley in event
        ]
        return walker.event(spoken, state, firer_state if firer is not None else None)

    def _spoken(self, flow: Flow, tallies: tuple[Tally, ...]) -> dict[Word, Any]:
        """The words of one attack, remembered."""
        key = (flow, tallies)
        if key not in self._words:
            self._kept(self._words, key, words(flow, tallies, self.exact))
        return self._words[key]

    def _spent(
        self,
        event: tuple[Volley, ...],
        target: Target[Any],
        state: Hashable,
        tallies: tuple[Tally, ...],
        firer: Target[Any] | None,
        firer_state: Hashable,
    ) -> Sequence[tuple[Spent[Any, Any], Any]]:
        """The law of a whole event, remembered."""
        key = (event, target, state, tallies, firer, firer_state)
        known: Any = self._steps.get(key)
        if known is not None:
            return known  # type: ignore[no-any-return]
        found: list[tuple[Spent[Any, Any], Any]] = []
        if firer is None and not tallies:
            found = [(Spent(ended), chance) for ended, chance in self.after(event, target, state).items()]
        else:
            walked = self._walked(event, target, state, tallies, firer, firer_state)
            for (ended, shooter, counts), chance in walked.items():
                found.append((Spent(ended, counts, shooter), chance))
        self._kept(self._steps, key, found)
        return found

    def _counted(self, volley: Volley, tallies: tuple[Tally, ...]) -> dict[Counts, Any]:
        """The joint law of some counts of a volley."""
        walker = Walker(lambda *_: (), lambda *_: True, tallies, self._one)
        event = [
            (one, self._spoken(one.flow, tallies), attacks_law(one, self.exact)) for one in together(volley)
        ]
        found: dict[Counts, Any] = {}
        for (_, _, counts), chance in walker.event(event, None, None).items():
            found[counts] = found.get(counts, 0) + chance
        return found


def _bear(dice: Dice, target: Target[S], state: S, leaving: Exit) -> S:
    """One harm, as a step whose law can be remembered."""
    return target.take(dice, state, leaving)
