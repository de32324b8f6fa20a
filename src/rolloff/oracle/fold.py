"""The quick lane of the calculator: count the harms of a volley, then fold the counts through the target's states.

It serves every event in which each wave of each volley holds one kind of harm (kinds the target cannot tell apart are
one), and at most two waves of a volley depend on each other. Anything else says None and is walked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from rolloff.oracle.flow import ATTACKS, LATE, Exit, Flow, Harm, Node, Side, Tally, Volley, Wave, Wound, harm_of
from rolloff.oracle.powers import MASK, Array, blank, flat, mixed, product, sheet
from rolloff.oracle.space import Kind, Space
from rolloff.oracle.stage import Stage
from rolloff.oracle.target import packet
from rolloff.oracle.words import DIGIT, Poly, census, portion

Guarded = Callable[[Wound], "tuple[bool, Stage[bool] | None]"]
"""Whether all models of the target share a save against a wound, and that save."""


class Slot(NamedTuple):
    """One kind of harm a volley deals in one wave."""

    wave: Wave
    kind: Kind


class Plan(NamedTuple):
    """What one attack of a flow sends at a target: the slots, and the law of how often it fills each."""

    slots: tuple[Slot, ...]
    law: Array
    first: Array
    second: Array
    most: int

    def counts(self, number: Mapping[int, Any], exact: bool) -> Array:
        """The law of the counts of so many attacks: by the count of the second slot if there is one, and the first."""
        if len(self.slots) == 1:
            return mixed(self.law, number)
        width = self.most * max(number) + 1
        at = self.second * width + self.first
        line: Array = blank(int(at.max()) + 1, exact)
        line[at] = self.law
        return sheet(mixed(line, number), width)


class Late(NamedTuple):
    """Harm that waits for the end of the event and depends on nothing else in it."""

    wave: Wave
    kind: Kind | None
    counts: Array
    packets: Harm | None


NOTHING = Plan((), np.ones(1), np.ones(1), np.ones(1), 0)
"""A flow that sends nothing at the target."""


def planned(flow: Flow, space: Space, guarded: Guarded | None, gather: bool) -> Plan | None:
    """Sort the ways out of a flow into slots; None if kinds the target can tell apart share one of two waves.

    gather: count tokens that lead to nothing but the second slot, instead of the harms they lead to.
    """
    slots: dict[Wave, Kind] = {}
    sends: dict[Exit, tuple[Wave, Stage[bool] | None]] = {}
    several = False
    for leaving in flow.exits():
        harm = harm_of(leaving)
        if harm.on is not Side.TARGET:
            continue
        kind: Exit = leaving
        save: Stage[bool] | None = None
        if isinstance(leaving, Wound) and guarded is not None:
            shared, save = guarded(leaving)
            kind = harm if shared else leaving
        wave: Wave = Wave.IN_TURN if harm.wave is Wave.AT_ONCE else harm.wave
        other = slots.setdefault(wave, kind)
        if other != kind and not np.array_equal(space.matrix(other), space.matrix(kind)):
            several = True
        sends[leaving] = (wave, save)
    if len(slots) > 2 or (several and (len(slots) > 1 or flow.packets)):
        return None
    if several:  # every attack counts as one, and does whatever it does in its own order
        line = flat({1: portion(1, 1, space.exact)}, 1, space.exact)
        return Plan((Slot(next(iter(slots)), flow),), line, line, line, 1)
    return _counting(flow, slots, sends, gather, space.exact) if slots else NOTHING


def _counting(
    flow: Flow,
    slots: dict[Wave, Kind],
    sends: dict[Exit, tuple[Wave, Stage[bool] | None]],
    gather: bool,
    exact: bool,
) -> Plan:
    """The law of how often one attack fills each slot."""
    waves = sorted(slots)
    counts: dict[Node, Poly] = {}
    for leaving, (wave, save) in sends.items():
        step = 1 << DIGIT * waves.index(wave)
        whole = 1 if save is None else save.whole
        saved = 0 if save is None else sum(weight for passed, weight in save.law() if passed)
        poly = {0: portion(saved, whole, exact), step: portion(whole - saved, whole, exact)}
        counts[leaving] = {key: chance for key, chance in poly.items() if chance}
    rows = [Slot(wave, slots[wave]) for wave in waves]
    if gather and len(waves) == 2:
        rows[1] = _gathered(flow, rows[1], counts, portion(1, 1, exact))
    poly = census(flow, counts.get, exact)
    if len(waves) < 2:
        line = flat(poly, 1, exact)
        return Plan(tuple(rows), line, line, line, len(line) - 1)
    law: Array = np.array(list(poly.values()), dtype=object if exact else float)
    first, second = np.array([key & MASK for key in poly]), np.array([key >> DIGIT for key in poly])
    return Plan(tuple(rows), law, first, second, int(first.max()))


def _gathered(flow: Flow, slot: Slot, counts: dict[Node, Poly], one: Any) -> Slot:
    """Count a token whose harms all belong to the second slot as one harm, if they all come by one stage."""
    if not all(poly == {1 << DIGIT: one} for poly in counts.values() if max(poly) > MASK):
        return slot
    pure = {name for name in flow.names if _pure(flow, name, slot)}
    entries: set[str] = set()
    for stage in flow.stages[flow.names.index(flow.start) :]:
        if stage.label in pure:
            continue
        for result, _ in stage.law():
            for node in result:
                if isinstance(node, str):
                    entries.update({node} & pure)
                elif not isinstance(node, Tally) and harm_of(node).wave is slot.wave:
                    return slot
    if len(entries) != 1 or flow.start in pure:
        return slot
    entry = entries.pop()
    counts[entry] = {1 << DIGIT: one}
    return Slot(slot.wave, Flow(flow.stages[flow.names.index(entry) :], flow.order))


def _pure(flow: Flow, name: str, slot: Slot) -> bool:
    """Whether all harm from a stage on is of one slot, and there is some."""
    exits = flow.exits(name) if flow.names.index(name) >= flow.names.index(flow.start) else ()
    return bool(exits) and all(harm_of(one).wave is slot.wave and one == slot.kind for one in exits)


def attacks_law(volley: Volley, exact: bool) -> dict[int, Any]:
    """The law of the number of attacks of a volley."""
    if isinstance(volley.count, int):
        return {max(volley.count * volley.weapons, 0): portion(1, 1, exact)}
    each = flat({n: portion(weight, volley.count.whole, exact) for n, weight in volley.count.law()}, 1, exact)
    total = mixed(each, {volley.weapons: portion(1, 1, exact)})
    return {n: chance for n, chance in enumerate(total.tolist()) if chance}


class Fold:
    """One attack event folded through the states of a target."""

    def __init__(self, space: Space, plan: Callable[[Flow, bool], Plan | None]) -> None:
        """`plan` remembers how each flow meets this target."""
        self.space = space
        self._plan = plan
        self._gather = True
        self._late: list[Late] = []
        self._pool: Slot | None = None
        self._at: int | None = None

    def event(self, volleys: Sequence[Volley], start: Array | None, at: int | None) -> Array | None:
        """The chances of each state after the event, from chances or one state; None if it must be walked."""
        found = self._folded(volleys, start, at)
        if found is None and self._pool is not None and isinstance(self._pool.kind, Flow):
            self._gather = False
            found = self._folded(volleys, start, at)
        return found

    def _folded(self, volleys: Sequence[Volley], start: Array | None, at: int | None) -> Array | None:
        """Volley after volley, then the harm that waited."""
        self._at, self._pool, self._late = at, None, []
        front = start if start is not None else self.space.unit(at or 0)
        for volley in volleys:
            number = attacks_law(volley, self.space.exact)
            plan = self._plan(volley.flow, self._gather)
            if plan is None:
                return None
            if not plan.slots or max(number) == 0:
                continue
            further = self._volley(front, volley.flow, plan, number)
            if further is None:
                return None
            front = further
        return self._ended(front)

    def _volley(self, front: Array, flow: Flow, plan: Plan, number: Mapping[int, Any]) -> Array | None:
        """One volley: fold what arrives with it, keep what waits."""
        counts = plan.counts(number, self.space.exact)
        if len(plan.slots) == 2:
            return None if flow.packets else self._coupled(front, plan.slots, counts)
        wave, kind = plan.slots[0]
        packets = kind if isinstance(kind, Harm) and kind.packet else None
        item = Late(wave, None if packets else kind, counts, packets)
        if wave >= LATE:
            self._late.append(item)
            return front
        return self._borne(front, item)

    def _coupled(self, front: Array, slots: Sequence[Slot], counts: Array) -> Array | None:
        """A volley with two slots that depend on each other: fold the first, and carry the second along."""
        first, second = slots
        if first.wave >= LATE:
            return None
        if self._at is not None:
            rows = self.space.rows(first.kind, self._at, counts.shape[1] - 1)
            after = [product(counts, rows)]
        else:
            after = [self._stepped(row, first.kind, counts) for row in front]
        self._at = None
        if second.wave < LATE:
            return np.concatenate([self.space.drained(rows, second.kind) for rows in after])
        if self._pool is not None and self._pool != second:
            return None
        self._pool = second
        if len(after) == 1:
            return after[0]
        total = self.space.blank(len(front) + len(counts) - 1)
        for at, rows in enumerate(after):
            total[at : at + len(rows)] += rows
        return total

    def _stepped(self, row: Array, kind: Kind, counts: Array) -> Array:
        """One row of chances after the first slot, by the count of the second."""
        lines = [self.space.folded(row[None, :], kind, line) for line in counts]
        return np.concatenate(lines)

    def _borne(self, front: Array, item: Late) -> Array:
        """Let a counted harm, or a packet of that size, arrive on every row."""
        at, self._at = self._at, None
        if item.packets is not None:
            total: Array = front * item.counts[0]
            for size, chance in enumerate(item.counts.tolist()[1:], start=1):
                if chance:
                    total = total + product(front, self.space.matrix(packet(item.packets, size))) * chance
            return total
        assert item.kind is not None
        if at is not None:
            return product(item.counts[None, :], self.space.rows(item.kind, at, len(item.counts) - 1))
        return self.space.folded(front, item.kind, item.counts)

    def _ended(self, front: Array) -> Array | None:
        """The harm that waited, wave by wave."""
        pool = self._pool
        for wave in sorted({item.wave for item in self._late} | ({pool.wave} if pool else set())):
            due = [item for item in self._late if item.wave is wave]
            if pool is not None and pool.wave is wave:
                if any(item.kind != pool.kind for item in due):
                    return None
                front = self.space.drained(front, pool.kind)
            for item in due:
                front = self._borne(front, item)
        return front


def tally_law(volley: Volley, tally: Tally, number: Mapping[int, Any], guarded: Guarded | None, exact: bool) -> Array:
    """The law of one count over a volley, as if every attack were rolled."""
    one = portion(1, 1, exact)
    if tally == ATTACKS:
        return flat({n: chance for n, chance in number.items()}, 1, exact)

    def counts_for(node: Node) -> Poly | None:
        if node == tally:
            return {1: one}
        if isinstance(node, Wound) and guarded is not None and tally.name in ("blocked", "unsaved"):
            return _guard_poly(guarded(node), tally, exact)
        if isinstance(node, Harm | Wound) and tally.name == "unsaved":
            return {1: one}
        return None

    return mixed(flat(census(volley.flow, counts_for, exact), 1, exact), number)


def _guard_poly(guard: tuple[bool, Stage[bool] | None], tally: Tally, exact: bool) -> Poly | None:
    """What a wound adds to the saved or the unsaved, if all models share the save."""
    shared, save = guard
    saved = 0 if save is None else sum(weight for passed, weight in save.law() if passed)
    whole = 1 if save is None else save.whole
    if not shared:
        return None
    hit = saved if tally.name == "blocked" else whole - saved
    poly = {0: portion(whole - hit, whole, exact), 1: portion(hit, whole, exact)}
    return {key: chance for key, chance in poly.items() if chance}
