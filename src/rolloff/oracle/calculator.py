"""The calculator: the oracle that answers with every answer at once, each with its exact chance.

Steps in direct style are enumerated. Volleys are not run at all: their attacks are counted and folded through the
target's states (`fold`, `joint`), or walked attack by attack where counting is not enough (`walk`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import groupby
from typing import Any, TypeAlias, TypeVar

import numpy as np
from msgspec import Struct

from rolloff.oracle.aims import apart
from rolloff.oracle.aims import together as whole_law
from rolloff.oracle.counting import (
    FlowPlan,
    attacks_of,
    counted_by_bearer,
    counting_stages,
    number_line,
    planned,
    quick_line,
    tally_line,
)
from rolloff.oracle.enumerator import Enumerator
from rolloff.oracle.flow import (
    ATTACKS,
    BLOCKED,
    DAMAGE,
    MORTAL,
    UNSAVED,
    WASTED,
    WOUNDS,
    Exit,
    Flow,
    Harm,
    Side,
    Tally,
    Volley,
    Wound,
    harm_of,
)
from rolloff.oracle.fold import Fold
from rolloff.oracle.joint import joint_event
from rolloff.oracle.law import Law, Number
from rolloff.oracle.pool import Gathered, WoundPool, plain
from rolloff.oracle.powers import Array, joined, product, raised
from rolloff.oracle.report import Report, report
from rolloff.oracle.roll import Dice, Spent, together
from rolloff.oracle.space import Space
from rolloff.oracle.stage import Stage
from rolloff.oracle.target import AnyTarget, Target, UnitTarget, packet, shared_save
from rolloff.oracle.walk import Taken, Walker, Ways
from rolloff.oracle.waste import Borne, Waste
from rolloff.oracle.waste_law import wasted_law
from rolloff.oracle.words import Counts, Word, added, census, words

T = TypeVar("T")
R = TypeVar("R", bound=Hashable)
S = TypeVar("S", bound=Hashable)
F = TypeVar("F", bound=Hashable)

KEPT = 200
"""How many targets a calculator that is kept may remember."""

STATES = 1_000
"""How many states a target may have for the quick lane."""

QUICK = (WOUNDS, BLOCKED)
"""Counts that may be so much of all an attack sends out."""

BORNE = (WASTED, BLOCKED, MORTAL)
"""What those who bear harm count, looked at together."""

MOST_KINDS = 100
"""How many kinds of harm an event may bring for the quick lane, packets of each size counted."""

BOUNDED = {DAMAGE, WASTED, MORTAL}
"""Counts a target keeps that grow only while its state does."""


AnySpent: TypeAlias = Spent[Any, Any]


class Counting(Struct, Target[tuple[Hashable, Counts]], frozen=True, cache_hash=True):
    """A target together with counts it keeps, as if pairs of both were its states."""

    target: AnyTarget
    tallies: tuple[Tally, ...]

    def gone(self, state: tuple[Hashable, Counts], /) -> bool:
        """Whether nothing is left to harm."""
        found: bool = self.target.gone(state[0])
        return found

    def gathers(self, leaving: Exit, /) -> bool:
        """Whether the target puts such harm by without end."""
        return self.target.gathers(leaving)

    def shared_guard(self, wound: Wound) -> tuple[bool, Stage[bool] | None]:
        """The save all models of the target share, if they do."""
        return shared_save(self.target, wound)


class Calculator(Enumerator, Dice):
    """Exact laws, as floats or as rationals. Outside `law` it has no single answer to give."""

    def __init__(self, exact: bool = False, floor: float = 0.0) -> None:
        """`exact` computes with rationals; numbers of wounds rarer than the ``floor`` are left out, for a quick look."""
        super().__init__(exact)
        self.floor = floor
        self._spaces: dict[Hashable, Space] = {}
        self._plans: dict[tuple[Hashable, Flow, bool], tuple[int, FlowPlan | None]] = {}
        self._words: dict[Hashable, dict[Word, Number]] = {}
        self._wastes: dict[Hashable, Waste] = {}
        self._lines: dict[Hashable, Array] = {}
        self._spanned: tuple[Hashable, ...] = ()
        """The space, the event, the target and the starts whose states were last listed."""
        self.nothing: Array = np.array([self._one], dtype=object if exact else float)
        """The law of what is never counted; not to be written to."""

    @property
    def targets(self) -> int:
        """How many targets it remembers the states of."""
        return len(self._spaces)

    # what rules ask

    def ahead(self, volleys: Sequence[Volley]) -> None:
        """In which order dice are rolled is nothing to a law."""

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
        pooled: bool = False,
    ) -> Spent[S, F]:
        """Branch over what one attack event may leave behind."""
        items = self._spent(together(volleys), target, state, tallies, firer, firer_state)
        found: Spent[S, F] = self._branch(items)
        return found

    # what others ask

    def after(self, volleys: Volley | Sequence[Volley], target: Target[S], start: S | Law[S]) -> Law[S]:
        """The law of the target's state after one attack event, from a state or a law of states."""
        event = together(volleys)
        quick = self._folded(event, target, start)
        if quick is not None:
            space, chances = quick
            return Law(zip(space.states, chances.tolist(), strict=True))
        law = start if isinstance(start, Law) else Law([(start, self._one)])
        found: list[tuple[S, Number]] = []
        for state, share in law.items():
            walked = self._walked(event, target, state, (), None, None)
            found += [(ended, chance * share) for (ended, _, _), chance in walked.items()]
        return Law(found)

    def after_counting(
        self, volleys: Volley | Sequence[Volley], target: Target[S], start: S, *tallies: Tally
    ) -> Law[tuple[S, Counts]]:
        """The joint law of the target's state and of counts it keeps itself, such as damage that was wasted."""
        event = together(volleys)
        none = (0,) * len(tallies)
        bounded = set(tallies) <= BOUNDED and all(volley.flow.counts.keys().isdisjoint(tallies) for volley in event)
        quick = self._folded(event, Counting(target, tallies), (start, none)) if bounded else None
        if quick is not None:
            space, chances = quick
            return Law(zip(space.states, chances.tolist(), strict=True))
        found = self._spent(event, target, start, tallies, None, None)
        return Law(((spent.state, spent.counts), chance) for spent, chance in found)

    def spread_after(
        self,
        volleys: Volley | Sequence[Volley],
        target: Target[S],
        start: S | Law[S],
        reading: Callable[[S], int],
    ) -> list[Number]:
        """The law of a whole number read off the target's state after one attack event, such as the kills."""
        quick = None if self.exact else self._folded(together(volleys), target, start)
        if quick is None:
            return self.after(volleys, target, start).spread(reading)
        space, chances = quick
        found: list[Number] = np.bincount(space.readings(reading), chances).tolist()
        while found and not found[-1]:
            found.pop()
        return found

    def ends(
        self, volleys: Volley | Sequence[Volley], target: Target[S], start: S
    ) -> tuple[Space | None, Sequence[S], Sequence[Number]]:
        """The states an event may lead to and their chances, with the arrays of the target where there are some."""
        event = together(volleys)
        law = self._apart(event, target, start)
        quick = self._folded(event, target, start) if law is None else None
        if quick is not None:
            space, chances = quick
            return space, space.states, chances.tolist()
        law = law or self.after(event, target, start)
        return None, list(law), list(law.values())

    def _apart(self, event: tuple[Volley, ...], target: Target[S], start: S) -> Law[S] | None:
        """The law of the target's state where each model bears alone what was aimed at it; None elsewhere."""
        parts = apart(event, target, start) if all(volley.turned is None for volley in event) else None
        if parts is None:
            return None
        return whole_law(target, start, {aim: self.after(*part) for aim, part in parts.items()}, self._one)

    def wasted(self, volleys: Volley | Sequence[Volley], target: Target[S], start: S, beyond: Target[S]) -> list[Number] | None:
        """The law of damage that found no wound to take, as floats; ``beyond`` is the target that goes on when nobody is left.

        None where attacks must be followed one by one.
        """
        return self._carried(volleys, target, start, WASTED, lambda state, kind: self._wasting(target, beyond, state, kind))

    def noted(self, volleys: Volley | Sequence[Volley], target: Target[S], start: S, tally: Tally) -> list[Number] | None:
        """The law of what the bearers of harm count, such as mortal wounds that are lost, as floats.

        None where attacks must be followed one by one, or where their own dice count it too.
        """
        event = together(volleys)
        if self.exact or any(tally in volley.flow.counts for volley in event):
            return None

        def borne(state: Any, kind: Exit) -> Taken:
            return [((state, (0,)), 1.0)] if target.gone(state) else self._noted(target, state, kind, tally)

        space = self._space_for(event, target, [start])
        if space is not None and space.quiet(_aimed(event, space), (tally,), borne):
            return [1.0]
        return self._carried(event, target, start, tally, borne)

    def _carried(
        self, volleys: Volley | Sequence[Volley], target: AnyTarget, start: Hashable, tally: Tally, borne: Borne
    ) -> list[Number] | None:
        """The law of a count that is carried along with the states as an axis of its own."""
        event = together(volleys)
        space = None if self.exact else self._space_for(event, target, [start])
        if space is None:
            return None
        known = self._wastes.get((target, tally))
        if known is None or known.size != len(space.states):
            known = Waste(space, borne)
            self._kept(self._wastes, (target, tally), known)
        found = wasted_law(known, lambda flow, gather: self._plan(target, space, flow, gather), event, space.index[start])
        return None if found is None else found.tolist()

    def spread(self, volleys: Volley | Sequence[Volley], tally: Tally, target: AnyTarget | None = None) -> list[Number]:
        """The law of one count as if every attack were rolled; with a target, saves its models share count too."""
        event = together(volleys)
        if len(event) == 1:
            return self._volley_line(event[0], tally, target).tolist()  # type: ignore[no-any-return]
        total: Array = np.array([self._one], dtype=object if self.exact else float)
        for volley, same in groupby(event):
            law = raised(self._volley_line(volley, tally, target), sum(1 for _ in same))
            total = law if len(total) == 1 else joined(total, law)
        return total.tolist()  # type: ignore[no-any-return]

    def _volley_line(self, volley: Volley, tally: Tally, target: AnyTarget | None) -> Array:
        """The law of one count of one volley."""
        if tally == ATTACKS:
            return number_line(volley.count, volley.weapons, self.exact)
        line = self.line(volley.flow, tally, target)
        return line if len(line) == 1 else attacks_of(volley, self.exact).raised(line)

    def line(self, flow: Flow, tally: Tally, target: AnyTarget | None) -> Array:
        """The law of one count of one attack, remembered; of the target too where its bearers say what is counted."""
        guarded, verdict = (None, None) if target is None else (target.shared_guard, target.verdict)
        if not self.exact and tally in QUICK:
            found = quick_line(flow, tally, guarded, verdict)
            if found is not None:
                return found
        borne = counted_by_bearer(tally, guarded, verdict)
        if not borne and tally is not UNSAVED and tally not in flow.counts:
            return self.nothing
        key: Hashable = (flow, tally, target) if borne else (counting_stages(flow, tally), flow.start, tally)
        known = self._lines.get(key)
        if known is None:
            known = tally_line(flow, tally, guarded, self.exact, verdict)
            self._kept(self._lines, key, known)
        return known

    def report(self, volleys: Volley | Sequence[Volley], target: UnitTarget[S], start: S) -> Report:
        """The laws of every count on the way, and of what is left of the target."""
        return report(self, volleys, target, start)

    # how it is done

    def _taken(self, target: AnyTarget, state: Hashable, leaving: Exit, tallies: tuple[Tally, ...]) -> Taken:
        like = target.like(state, leaving)
        found = self._law(_bear, (target, like, leaving), tallies)
        if like == state:
            return found
        return [((target.shifted(like, state, after), counts), chance) for (after, counts), chance in found]

    def _wasting(self, target: AnyTarget, beyond: AnyTarget, state: Hashable, leaving: Exit) -> Taken:
        """What one harm wastes: what spills, or finds nobody, is for the target that goes on."""
        on = beyond if harm_of(leaving).spills or target.gone(state) else target
        return self._noted(on, state, leaving, WASTED)

    def _noted(self, target: AnyTarget, state: Hashable, leaving: Exit, tally: Tally) -> Taken:
        """One harm with one of the counts bearers keep: all of them are looked at together, and read one by one."""
        at = BORNE.index(tally)
        return [((after, (counts[at],)), chance) for (after, counts), chance in self._taken(target, state, leaving, BORNE)]

    def space(self, target: AnyTarget) -> Space:
        """The states of a target, known so far."""
        found = self._spaces.get(target)
        if found is None:
            listed = target.states

            def take(state: Any, leaving: Exit) -> Sequence[tuple[Hashable, Number]]:
                if isinstance(target, Counting):
                    taken = self._taken(target.target, state[0], leaving, target.tallies)
                    return [((after, added(state[1], more)), chance) for (after, more), chance in taken]
                # with what bearers count, which is asked for next and costs little more
                return [(after, chance) for (after, _), chance in self._taken(target, state, leaving, BORNE)]

            found = Space(list(listed()) if listed else [], take, target.gone, self.exact, target.as_borne)
            self._kept(self._spaces, target, found)
        return found

    def _space_for(self, event: tuple[Volley, ...], target: AnyTarget, starts: Sequence[Hashable]) -> Space | None:
        """The states an event may lead to; None if they cannot be listed, or are too many."""
        if any(volley.turned is not None for volley in event):
            return None  # they are followed one by one
        space = self.space(target)
        if target.states is not None:
            return space
        asked = (space, event, target, *starts)
        if asked != self._spanned:  # all tables of one question ask the same
            self._spanned = asked if self._spans(space, event, target, starts) else ()
        return space if self._spanned else None

    def _spans(self, space: Space, event: tuple[Volley, ...], target: AnyTarget, starts: Sequence[Hashable]) -> bool:
        """Whether all states an event may lead to can be listed; they are, from now on."""
        kinds: dict[Exit, None] = {}
        for volley in event:
            kinds.update(dict.fromkeys(_arriving(volley, self.exact) if volley.flow.packets else volley.flow.leaving))
        if len(kinds) > MOST_KINDS or any(target.gathers(one) for one in kinds):
            return False
        # a wound that is saved leaves it as it was, and one that is not does what its harm does
        as_harm = target.as_borne is not None and target.shared_guard is not None
        reaching: dict[Exit, None] = {}
        for one in kinds:
            harm = harm_of(one)
            if harm.on is Side.TARGET:
                reaching[space.borne_as(harm)] = None
                if one is not harm and not as_harm:
                    reaching[space.borne_as(one)] = None
        return space.grow(starts, tuple(reaching), STATES)

    def _plan(self, target: AnyTarget, space: Space, flow: Flow, gather: bool) -> FlowPlan | None:
        """How a flow meets a target, remembered while the target's states stay the same."""
        key = (target, flow, gather)
        known, size = self._plans.get(key), len(space.states)
        if known is not None and known[0] == size:
            return known[1]
        found = planned(flow, space, target.shared_guard, gather)
        self._kept(self._plans, key, (size, found))
        if found is None or len(found.slots) < 2:  # there is nothing to gather
            self._plans[target, flow, not gather] = size, found
        return found

    def _folded(self, event: tuple[Volley, ...], target: AnyTarget, start: Hashable) -> tuple[Space, Array] | None:
        """The quick lane: the chances of all states, or None where it does not lead."""
        space = self._space_for(event, target, list(start) if isinstance(start, Law) else [start])
        if space is None:
            return None
        if len(event) == 1 and not isinstance(start, Law):
            alone = self._alone(event[0], target, space, space.index[start])
            if alone is not None:
                return space, alone
        fold = Fold(space, lambda flow, gather: self._plan(target, space, flow, gather))
        if isinstance(start, Law):
            front = space.blank(1)
            for state, chance in start.items():
                front[0, space.index[state]] += chance
            ended = fold.event(event, front, None)
        else:
            ended = fold.event(event, None, space.index[start])
        return None if ended is None else (space, ended[0])

    def _alone(self, volley: Volley, target: AnyTarget, space: Space, at: int) -> Array | None:
        """The chances of all states after a volley by itself whose harm is all of one kind; None for others."""
        attacks, plan = attacks_of(volley, self.exact), self._plan(target, space, volley.flow, True)
        if plan is None or len(plan.slots) != 1 or volley.flow.packets or not attacks.most:
            return None
        counts = plan.counts(attacks, self.exact)
        return product(counts, space.rows(plan.slots[0].kind, at, len(counts) - 1))

    def _joint(
        self, event: tuple[Volley, ...], target: AnyTarget, state: Hashable, tallies: tuple[Tally, ...]
    ) -> tuple[Space, dict[Counts, Array]] | None:
        """The quick lane for counts that come from the flows alone."""
        space = self._space_for(event, target, [state])
        if space is None:
            return None

        def noted(at: Hashable, kind: Exit) -> Taken:
            return self._taken(target, at, kind, tallies)

        lines = joint_event(
            space,
            lambda flow, gather: self._plan(target, space, flow, gather),
            event,
            space.index[state],
            tallies,
            lambda kinds: space.quiet(kinds, tallies, noted),
        )
        return None if lines is None else (space, lines)

    def _walked(
        self,
        event: tuple[Volley, ...],
        target: AnyTarget,
        state: Hashable,
        tallies: tuple[Tally, ...],
        firer: AnyTarget | None,
        firer_state: Hashable,
    ) -> dict[tuple[Any, Any, Counts], Number]:
        """The general lane."""

        def take(side: Side, at: Hashable, leaving: Exit) -> Taken:
            who = target if side is Side.TARGET else firer
            assert who is not None
            return self._taken(who, at, leaving, tallies)

        def gone(side: Side, at: Hashable) -> bool:
            who = target if side is Side.TARGET else firer
            return who is None or who.gone(at)

        walker = Walker(take, gone, len(tallies), self._one, target.turned)
        spoken = [(self._ways(volley, tallies), attacks_of(volley, self.exact).law(self.exact)) for volley in event]
        return walker.event(spoken, state, firer_state if firer is not None else None)

    def _ways(self, volley: Volley, tallies: tuple[Tally, ...]) -> Ways:
        """The words of one attack, at first and once the target has turned."""
        first = self._spoken(volley.flow, tallies)
        return first, first if volley.turned is None else self._spoken(volley.turned, tallies)

    def _spoken(self, flow: Flow, tallies: tuple[Tally, ...]) -> dict[Word, Number]:
        """The words of one attack, remembered."""
        key = (flow, tallies)
        if key not in self._words:
            self._kept(self._words, key, words(flow, tallies, self.exact))
        return self._words[key]

    def _spent(
        self,
        event: tuple[Volley, ...],
        target: AnyTarget,
        state: Hashable,
        tallies: tuple[Tally, ...],
        firer: AnyTarget | None,
        firer_state: Hashable,
    ) -> Sequence[tuple[AnySpent, Number]]:
        """The law of a whole event, remembered."""
        key = (event, target, state, tallies, firer, firer_state)
        known: Any = self._steps.get(key)
        if known is not None:
            return known  # type: ignore[no-any-return]
        found: list[tuple[AnySpent, Number]] = []
        if isinstance(target, WoundPool) and tallies == (WOUNDS,) and all(plain(volley.flow) for volley in event):
            assert isinstance(state, Gathered)
            law = self._likely(self.spread(event, WOUNDS))
            found = [(Spent(target.with_wounds(state, n), (n,)), chance) for n, chance in enumerate(law) if chance]
            self._kept(self._steps, key, found)
            return found
        quick = self._joint(event, target, state, tallies) if firer is None and tallies else None
        if firer is None and not tallies:
            found = [(Spent(ended), chance) for ended, chance in self.after(event, target, state).items()]
        elif quick is not None:
            space, lines = quick
            for counts, front in lines.items():
                chances = zip(space.states, front[0].tolist(), strict=True)
                found += [(Spent(ended, counts), chance) for ended, chance in chances if chance]
        else:
            walked = self._walked(event, target, state, tallies, firer, firer_state)
            for (ended, shooter, counts), chance in walked.items():
                found.append((Spent(ended, counts, shooter), chance))
        self._kept(self._steps, key, found)
        return found

    def _likely(self, law: list[Number]) -> list[Number]:
        """A law without what is rarer than the floor."""
        if not self.floor:
            return law
        kept = [chance if chance >= self.floor else 0.0 for chance in law]
        return [chance / sum(kept) for chance in kept]

    def _counted(self, volley: Volley, tallies: tuple[Tally, ...]) -> dict[Counts, Number]:
        """The joint law of some counts of a volley."""
        walker = Walker(lambda *_: (), lambda *_: True, len(tallies), self._one)
        event = [(self._ways(one, tallies), attacks_of(one, self.exact).law(self.exact)) for one in together(volley)]
        found: dict[Counts, Number] = {}
        for (_, _, counts), chance in walker.event(event, None, None).items():
            found[counts] = found.get(counts, 0) + chance
        return found


def _arriving(volley: Volley, exact: bool) -> Iterator[Exit]:
    """Every kind of harm or wound a volley may arrive as; packets by their size."""
    for leaving in volley.flow.leaving:
        if isinstance(leaving, Harm) and leaving.packet:
            yield from (packet(leaving, size) for size in range(1, _most_sent(volley, leaving, exact) + 1))
        else:
            yield leaving


def _aimed(event: tuple[Volley, ...], space: Space) -> tuple[Exit, ...]:
    """The harm an event may send at a target, as its states bear it."""
    kinds = [space.borne_as(one) for volley in event for one in _arriving(volley, False)]
    return tuple(dict.fromkeys(one for one in kinds if harm_of(one).on is Side.TARGET))


def _most_sent(volley: Volley, leaving: Harm, exact: bool) -> int:
    """How many harms of one kind all attacks of a volley can send."""
    line = census(volley.flow, lambda node: {1: 1} if node == leaving else None, exact)
    return max(line) * attacks_of(volley, exact).most


class _Threads(threading.local):
    """The calculators of one thread: with floats, and exact."""

    def __init__(self) -> None:
        self.known: dict[bool, Calculator] = {}


_threads = _Threads()


def kept(exact: bool = False) -> Calculator:
    """One calculator for all who ask in a thread, so that attacks much alike are computed once; made anew when it is full."""
    found = _threads.known.get(exact)
    if found is None or found.targets > KEPT:
        found = _threads.known[exact] = Calculator(exact)
    return found


def _bear(dice: Dice, target: Target[S], state: S, leaving: Exit) -> S:
    """One harm, as a step whose law can be remembered."""
    return target.take(dice, state, leaving)
