"""Damage that finds no wound to take, as arrays: states that stand by what was wasted so far, and one row for the gone.

What one harm does to every state is kept as a few moves: so many states further on, with so much wasted. The law of what so
many harms waste, beginning from one state, is kept for the next question with the same harm on the same target. Floats only.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from rolloff.oracle.counting import Attacks, FlowPlan, attacks_of, parted
from rolloff.oracle.flow import LATE, Exit, Flow, Harm, Side, Volley, Wave, harm_of
from rolloff.oracle.law import Number
from rolloff.oracle.powers import Array
from rolloff.oracle.space import Kind, Space
from rolloff.oracle.target import packet
from rolloff.oracle.words import words

MOVES = 400
"""The most moves a harm may consist of for this lane."""

PAIRS = 6_000
"""The longest law of two counts that is taken apart here."""

TABLE = 12_000
"""Up to so many harms times states, what each number of harms wastes is kept; more are marched through and not kept."""

MARCHED = 60
"""The most attacks that are followed one by one here."""

TINY = 1e-40
"""Chances of single places that are left behind on a long march."""

KEPT = 64
"""The most tables kept for one target."""

Borne: TypeAlias = Callable[[Hashable, Exit], Sequence[tuple[tuple[Hashable, tuple[int, ...]], Number]]]
"""The law of one harm on one state, also one that is gone, with what it wasted."""


class Move(NamedTuple):
    """From each state to the one so many places further on, wasting so much, with these chances."""

    along: int
    wasted: int
    chances: Array


class Effect(NamedTuple):
    """What one harm does: to states that stand, and the law of what it wastes where nobody is left."""

    moves: tuple[Move, ...]
    beyond: Array


NOTHING = Effect((), np.zeros(1))
"""What no harm does."""


class Front(NamedTuple):
    """Chances of standing states by what was wasted (rows) and by state (columns), and of the gone by what was wasted."""

    standing: Array
    gone: Array

    def law(self) -> Array:
        """The chances of what was wasted, whoever stands."""
        rows = self.standing.sum(axis=1)
        return added(rows, self.gone)


def added(first: Array, second: Array) -> Array:
    """Two laws of different lengths, added."""
    longer, shorter = (first, second) if len(first) >= len(second) else (second, first)
    found: Array = longer.copy()
    if len(shorter):
        found[: len(shorter)] += shorter
    return found


def _effect(rows: Mapping[tuple[int, int], Array], beyond: Mapping[int, float]) -> Effect:
    law = np.zeros(max(beyond, default=0) + 1)
    for wasted, chance in beyond.items():
        law[wasted] = chance
    return Effect(tuple(Move(along, wasted, chances) for (along, wasted), chances in rows.items()), law)


class Waste:
    """The tables of one target; they hold for the states it has now."""

    def __init__(self, space: Space, borne: Borne) -> None:
        """`borne` gives the law of one harm with what it wasted."""
        self.space, self._borne = space, borne
        self.size = len(space.states)
        self.gone = np.array([space.gone(state) for state in space.states], dtype=bool)
        self._effects: dict[Kind, Effect | None] = {}
        self._fronts: dict[tuple[Kind, int], list[Front]] = {}
        self._laws: dict[tuple[Kind, int], Array] = {}
        self._onward: dict[Kind, Array] = {}
        self._packets: dict[tuple[Harm, bytes], Effect | None] = {}

    def start(self, at: int) -> Front:
        """The certainty of one state, and nothing wasted."""
        standing, gone = np.zeros((1, self.size)), np.zeros(1)
        if self.gone[at]:
            gone[0] = 1.0
        else:
            standing[0, at] = 1.0
        return Front(standing, gone)

    # what one harm does

    def effect(self, kind: Kind) -> Effect | None:
        """What one harm does; None if it would be too many moves."""
        if kind not in self._effects:
            self._effects[kind] = self._effect(kind)
        return self._effects[kind]

    def _effect(self, kind: Kind) -> Effect | None:
        rows: dict[tuple[int, int], Array] = {}
        beyond: dict[int, float] = {}
        known_beyond = False
        for at, state in enumerate(self.space.states):
            if self.gone[at]:
                if not known_beyond:  # whoever fell last, nobody is left to bear it
                    known_beyond = True
                    for (_, wasted), chance in self._once(kind, state):
                        beyond[wasted] = beyond.get(wasted, 0.0) + chance
                continue
            for (after, wasted), chance in self._once(kind, state):
                to = self.space.index.get(after)
                if to is None:
                    return None
                row = rows.setdefault((to - at, wasted), np.zeros(self.size))
                row[at] += chance
        if len(rows) > MOVES:
            return None
        return _effect(rows, beyond)

    def attack(self, flow: Flow, late: Wave) -> tuple[Effect, ...] | None:
        """What one attack does with its harm in order, by how often it sends what waits for a wave; None: too many moves."""
        rows: dict[int, dict[tuple[int, int], Array]] = {}
        beyond: dict[int, dict[int, float]] = {}
        fallen = next((state for at, state in enumerate(self.space.states) if self.gone[at]), None)
        for exits, waiting, chance in parted(flow, late):
            moves, wastes = rows.setdefault(waiting, {}), beyond.setdefault(waiting, {})
            for at, state in enumerate(self.space.states):
                if self.gone[at]:
                    continue
                for (after, wasted), share in self._sent(exits, state).items():
                    to = self.space.index.get(after)
                    if to is None:
                        return None
                    moves.setdefault((to - at, wasted), np.zeros(self.size))[at] += chance * share
            for (_, wasted), share in self._sent(exits, fallen).items():
                wastes[wasted] = wastes.get(wasted, 0.0) + chance * share
        if sum(map(len, rows.values())) > MOVES:
            return None
        return tuple(_effect(rows.get(n, {}), beyond.get(n, {})) for n in range(max(rows) + 1))

    def _sent(self, exits: Sequence[Exit], state: Hashable) -> dict[tuple[Hashable, int], Number]:
        """The law of some harm in its order on one state."""
        line: dict[tuple[Hashable, int], Number] = {(state, 0): 1.0}
        for leaving in exits:
            line = self._further(line, leaving)
        return line

    def packets(self, harm: Harm, counts: Array) -> Effect | None:
        """What one packet does, of a size with these chances; None if it would be too many moves."""
        key = harm, counts.tobytes()
        if key not in self._packets:
            if len(self._packets) > KEPT:
                self._packets.clear()
            self._packets[key] = self._mixed(harm, counts.tolist())
        return self._packets[key]

    def _mixed(self, harm: Harm, counts: list[float]) -> Effect | None:
        rows: dict[tuple[int, int], Array] = {(0, 0): np.where(self.gone, 0.0, counts[0])}
        beyond = np.array(counts[:1])
        for size, chance in enumerate(counts[1:], start=1):
            effect = self.effect(packet(harm, size)) if chance else NOTHING
            if effect is None:
                return None
            for along, wasted, chances in effect.moves:
                known = rows.get((along, wasted))
                rows[along, wasted] = chances * chance if known is None else known + chances * chance
            beyond = added(beyond, effect.beyond * chance)
        if len(rows) > MOVES:
            return None
        return Effect(tuple(Move(along, wasted, chances) for (along, wasted), chances in rows.items()), beyond)

    def _once(self, kind: Kind, state: Hashable) -> list[tuple[tuple[Hashable, int], Number]]:
        """The law of one harm, or of all the harm of one token of a flow."""
        if not isinstance(kind, Flow):
            return [((after, counts[0]), chance) for (after, counts), chance in self._borne(state, kind)]
        total: dict[tuple[Hashable, int], Number] = {}
        for (exits, _), share in words(kind, (), False).items():
            line: dict[tuple[Hashable, int], Number] = {(state, 0): share}
            for leaving in exits:
                if harm_of(leaving).on is Side.TARGET:
                    line = self._further(line, leaving)
            for end, chance in line.items():
                total[end] = total.get(end, 0.0) + chance
        return list(total.items())

    def _further(self, line: dict[tuple[Hashable, int], Number], leaving: Exit) -> dict[tuple[Hashable, int], Number]:
        found: dict[tuple[Hashable, int], Number] = {}
        for (at, wasted), chance in line.items():
            for (after, counts), part in self._borne(at, leaving):
                end = after, wasted + counts[0]
                found[end] = found.get(end, 0.0) + chance * part
        return found

    def step(self, front: Front, effect: Effect) -> Front:
        """One more harm on every state."""
        gone = np.convolve(front.gone, effect.beyond) if len(front.gone) else front.gone
        height = len(front.standing)
        if not height:
            return Front(front.standing, gone)
        most = max((move.wasted for move in effect.moves), default=0)
        found = np.zeros((height + most, self.size))
        for along, wasted, chances in effect.moves:
            part = found[wasted : wasted + height]
            if along > 0:
                part[:, along:] += front.standing[:, :-along] * chances[:-along]
            elif along < 0:
                part[:, :along] += front.standing[:, -along:] * chances[-along:]
            else:
                part += front.standing * chances
        fallen = found[:, self.gone].sum(axis=1)
        found[:, self.gone] = 0.0
        return Front(_trimmed(found), added(gone, np.trim_zeros(fallen, "b")))

    # what many do

    def fronts(self, kind: Kind, effect: Effect, at: int, upto: int) -> list[Front]:
        """The front after 0, 1, 2 ... such harms, beginning from one state; kept."""
        if len(self._fronts) > KEPT:
            self._fronts.clear()
            self._laws.clear()
        found = self._fronts.setdefault((kind, at), [self.start(at)])
        while len(found) <= upto:
            found.append(self.step(found[-1], effect))
        return found

    def laws(self, kind: Kind, effect: Effect, at: int, upto: int) -> Array:
        """Row n: the chances of what n such harms waste."""
        known = self._laws.get((kind, at))
        if known is None or len(known) <= upto:
            lines = [front.law() for front in self.fronts(kind, effect, at, upto)]
            known = np.zeros((len(lines), max(map(len, lines))))
            for row, line in zip(known, lines, strict=True):
                row[: len(line)] = line
            self._laws[kind, at] = known
        return known[: upto + 1]

    def onward(self, kind: Kind, effect: Effect, upto: int) -> Array:
        """Page n: the chances of what n such harms waste (columns) from each state on, the last row from nobody; kept.

        Each page follows from the one before: one harm from every state, then the rest from where it led.
        """
        known = self._onward.get(kind)
        if known is None or len(known) <= upto:
            if len(self._onward) > KEPT:
                self._onward.clear()
            known = self._onward[kind] = self._pages(effect, upto)
        return known[: upto + 1]

    def _pages(self, effect: Effect, upto: int) -> Array:
        most = max(len(effect.beyond) - 1, *(move.wasted for move in effect.moves), 0)
        found = np.zeros((upto + 1, self.size + 1, upto * most + 1))
        found[0, :, 0] = 1.0
        stays = np.where(self.gone, self.size, np.arange(self.size))
        for n in range(1, upto + 1):
            width = n * most + 1
            before, page = found[n - 1, :, :width], found[n, :, :width]
            from_there = before[stays]
            for along, wasted, chances in effect.moves:
                to = slice(max(0, along), self.size + min(0, along))
                at = slice(max(0, -along), self.size - max(0, along))
                page[at, wasted:] += chances[at, None] * from_there[to, : width - wasted]
            for wasted, chance in enumerate(effect.beyond.tolist()):
                page[self.size, wasted:] += chance * before[self.size, : width - wasted]
        return found

    def drained(self, fronts: list[Front], effect: Effect) -> Front:
        """Front n bears n such harms; all together."""
        total = fronts[-1]
        for front in fronts[-2::-1]:
            total = _both(self.step(total, effect), front)
        return total


def _trimmed(rows: Array) -> Array:
    """Without rows of no chance behind the last that has one."""
    last = np.flatnonzero(rows.any(axis=1))
    return rows[: int(last[-1]) + 1 if len(last) else 0]


def _both(first: Front, second: Front) -> Front:
    """Two fronts, added."""
    high, low = (first.standing, second.standing) if len(first.standing) >= len(second.standing) else second[:1] + first[:1]
    standing: Array = high.copy()
    standing[: len(low)] += low
    return Front(standing, added(first.gone, second.gone))


def scaled(front: Front, by: float) -> Front:
    """A front with all chances multiplied."""
    return Front(front.standing * by, front.gone * by)


class Bearing(NamedTuple):
    """Harm of one volley that arrives by itself: its kind or packet, and the law of how often."""

    due: int
    kind: Kind
    packets: Harm | None
    counts: Array


def wasted_law(
    waste: Waste, plan_of: Callable[[Flow, bool], FlowPlan | None], volleys: Sequence[Volley], at: int
) -> Array | None:
    """The law of what an event wastes, beginning from one state; None where this lane does not lead."""
    bearings: list[Bearing] = []
    for volley in volleys:
        attacks, plan = attacks_of(volley, False), plan_of(volley.flow, False)
        if plan is None:
            return None
        if not plan.slots or attacks.most == 0:
            continue
        if len(plan.slots) == 2:
            return _coupled(waste, plan, attacks, at) if len(volleys) == 1 and not volley.flow.packets else None
        wave, kind = plan.slots[0]
        packets = kind if isinstance(kind, Harm) and kind.packet else None
        due = int(wave) if wave >= LATE else 0
        bearings.append(Bearing(due, kind, packets, plan.counts(attacks, False)))
    return _borne_in_turn(waste, sorted(bearings, key=lambda one: one.due), at)


def _borne_in_turn(waste: Waste, bearings: list[Bearing], at: int) -> Array | None:
    """Harm after harm, each counted by itself."""
    if len(bearings) == 1 and bearings[0].packets is None:
        kind, counts = bearings[0].kind, bearings[0].counts
        effect = waste.effect(kind)
        if effect is None:
            return None
        if len(counts) * waste.size > TABLE:
            return marched(waste, effect, counts, at)
        return counts @ waste.laws(kind, effect, at, len(counts) - 1)
    front = waste.start(at)
    for bearing in bearings:
        further = _packets(waste, front, bearing) if bearing.packets is not None else _counted(waste, front, bearing)
        if further is None:
            return None
        front = further
    return front.law()


def marched(waste: Waste, effect: Effect, counts: Array, at: int) -> Array:
    """The same harm by harm in a window of the states and wastes that are likely at all, for very many harms."""
    front = waste.start(at)
    box, low, left, gone = front.standing, 0, 0, front.gone
    total = np.zeros(1)
    for n, chance in enumerate(counts.tolist()):
        if n:
            box, low, left, fallen = _window(waste, effect, box, low, left)
            gone = added(np.convolve(gone, effect.beyond), fallen)
        if chance:
            total = added(total, gone * chance)
            if box.size:
                total = added(total, np.concatenate((np.zeros(low), box.sum(axis=1) * chance)))
    return total


def _window(waste: Waste, effect: Effect, box: Array, low: int, left: int) -> tuple[Array, int, int, Array]:
    """One more harm on a window of standing states: the window after it, its corner, and what fell by what it wasted."""
    if not box.size:
        return box, low, left, np.zeros(0)
    height, width = box.shape
    most, back = max(move.wasted for move in effect.moves), min(0, *(move.along for move in effect.moves))
    start = max(0, left + back)
    end = min(waste.size, left + width + max(0, *(move.along for move in effect.moves)))
    found = np.zeros((height + most, end - start))
    for along, wasted, chances in effect.moves:
        first, last = max(left, -along), min(left + width, waste.size - along)
        if first < last:
            part = box[:, first - left : last - left] * chances[first:last]
            found[wasted : wasted + height, first + along - start : last + along - start] += part
    gone = waste.gone[start:end]
    fallen = np.concatenate((np.zeros(low), found[:, gone].sum(axis=1)))
    found[:, gone] = 0.0
    likely = found > TINY
    rows, columns = np.flatnonzero(likely.any(axis=1)), np.flatnonzero(likely.any(axis=0))
    if not len(rows):
        return np.zeros((0, 0)), 0, 0, fallen
    kept = found[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return kept, low + int(rows[0]), start + int(columns[0]), fallen


def _counted(waste: Waste, front: Front, bearing: Bearing) -> Front | None:
    effect = waste.effect(bearing.kind)
    if effect is None:
        return None
    return waste.drained([scaled(front, chance) for chance in bearing.counts.tolist()], effect)


def _packets(waste: Waste, front: Front, bearing: Bearing) -> Front | None:
    assert bearing.packets is not None
    effect = waste.packets(bearing.packets, bearing.counts)
    return None if effect is None else waste.step(front, effect)


def _coupled(waste: Waste, plan: FlowPlan, attacks: Attacks, at: int) -> Array | None:
    """Two kinds of harm that depend on each other: the first as it comes, the second after it."""
    if plan.marches:
        return _marched_apart(waste, plan, attacks, at)
    first, second = plan.slots
    ours, theirs = waste.effect(first.kind), waste.effect(second.kind)
    if ours is None or theirs is None or first.wave >= LATE or plan.size(attacks.most) > PAIRS:
        return None
    counts = plan.counts(attacks, False)
    fronts = waste.fronts(first.kind, ours, at, counts.shape[1] - 1)[: counts.shape[1]]
    standing, gone = _stacked(fronts, waste.size)
    likely = np.flatnonzero(standing.any(axis=0))
    places = [(at // waste.size, at % waste.size) for at in likely.tolist()]
    later = waste.onward(second.kind, theirs, len(counts) - 1)
    return _followed(waste, counts @ standing[:, likely], places, counts @ gone, later)


def _followed(waste: Waste, standing: Array, places: list[tuple[int, int]], gone: Array, later: Array) -> Array:
    """By how often a second kind follows (rows), what was wasted and the state it finds: then what it wastes from there."""
    found = np.zeros(max([wasted for wasted, _ in places], default=0) + gone.shape[1] + later.shape[2])
    everywhere = places + [(wasted, waste.size) for wasted in range(gone.shape[1])]
    for (wasted, state), follows in zip(everywhere, (*standing.T, *gone.T), strict=True):
        found[wasted : wasted + later.shape[2]] += follows @ later[:, state]
    return np.trim_zeros(found, "b")


def _marched_apart(waste: Waste, plan: FlowPlan, attacks: Attacks, at: int) -> Array | None:
    """Harm of several kinds in its order, attack by attack, and behind it the harm that waits, which is counted."""
    first, second = plan.slots
    theirs, number = waste.effect(second.kind), attacks.law(False)
    last = max(number)
    if theirs is None or last > MARCHED or not isinstance(first.kind, Flow):
        return None
    steps = waste.attack(first.kind, second.wave)
    if steps is None:
        return None
    start = waste.start(at)
    box, gone = start.standing[None], start.gone[None]
    boxes, ended = np.zeros((last * plan.reach + 1, 1, waste.size)), np.zeros((last * plan.reach + 1, 1))
    for attack in range(last + 1):
        share = number.get(attack)
        if share:
            boxes, ended = _laid(boxes, box * share), _laid(ended, gone * share)
        if attack < last:
            box, gone = _after_one(waste, steps, box, gone)
    likely = np.flatnonzero(boxes.any(axis=0).ravel())
    places = [(place // waste.size, place % waste.size) for place in likely.tolist()]
    later = waste.onward(second.kind, theirs, len(boxes) - 1)
    return _followed(waste, boxes.reshape(len(boxes), -1)[:, likely], places, ended, later)


def _laid(first: Array, second: Array) -> Array:
    """Two arrays added that begin at the same corner; the second has no more pages than the first."""
    if first.shape[1] < second.shape[1]:
        wider = np.zeros((first.shape[0], *second.shape[1:]))
        wider[:, : first.shape[1]] = first
        first = wider
    first[: second.shape[0], : second.shape[1]] += second
    return first


def _after_one(waste: Waste, steps: tuple[Effect, ...], box: Array, gone: Array) -> tuple[Array, Array]:
    """One more attack: pages count what waits, rows what was wasted, columns are states; and the same of the gone."""
    most = max((move.wasted for effect in steps for move in effect.moves), default=0)
    longest = max(len(effect.beyond) for effect in steps) - 1
    pages, rows, _ = box.shape
    found = np.zeros((pages + len(steps) - 1, rows + most, waste.size))
    ended = np.zeros((pages + len(steps) - 1, gone.shape[1] + longest))
    for waiting, effect in enumerate(steps):
        for along, wasted, chances in effect.moves:
            to, of = slice(max(0, along), waste.size + min(0, along)), slice(max(0, -along), waste.size - max(0, along))
            found[waiting : waiting + pages, wasted : wasted + rows, to] += box[:, :, of] * chances[of]
        for wasted, chance in enumerate(effect.beyond.tolist()):
            if chance:
                ended[waiting : waiting + pages, wasted : wasted + gone.shape[1]] += gone * chance
    fallen = found[:, :, waste.gone].sum(axis=2)
    found[:, :, waste.gone] = 0.0
    kept = np.flatnonzero(found.any(axis=(0, 2)))
    found = found[:, : int(kept[-1]) + 1 if len(kept) else 1]
    reached = np.flatnonzero(fallen.any(axis=0))
    return found, _laid(ended, fallen[:, : int(reached[-1]) + 1 if len(reached) else 0])


def _stacked(fronts: list[Front], size: int) -> tuple[Array, Array]:
    """Fronts as rows of one array each, for the standing and for the gone."""
    height = max(len(front.standing) for front in fronts)
    standing, gone = np.zeros((len(fronts), height * size)), np.zeros((len(fronts), max(len(front.gone) for front in fronts)))
    for n, front in enumerate(fronts):
        standing[n, : len(front.standing) * size] = front.standing.ravel()
        gone[n, : len(front.gone)] = front.gone
    return standing, gone
