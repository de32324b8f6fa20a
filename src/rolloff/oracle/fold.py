"""The quick lane of the calculator: count the harms of a volley, then fold the counts through the target's states.

It serves every event in which each wave of each volley holds one kind of harm (kinds the target cannot tell apart are
one), and at most two waves of a volley depend on each other. Anything else says None and is walked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from rolloff.oracle.flow import ATTACKS, LATE, Exit, Flow, Harm, Node, Side, Tally, Volley, Wave, Wound, harm_of
from rolloff.oracle.powers import MASK, Array, flat, mixed, sheet
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
    """What one attack of a flow sends at a target: the slots, and what every node counts for."""

    slots: tuple[Slot, ...]
    counts: dict[Node, Poly]


class Late(NamedTuple):
    """Harm that waits for the end of the event and depends on nothing else in it."""

    wave: Wave
    kind: Kind | None
    counts: Array
    packets: Harm | None


def planned(flow: Flow, space: Space, guarded: Guarded | None) -> Plan | None:
    """Sort the ways out of a flow into slots; None if some wave holds kinds the target can tell apart."""
    one: Any = portion(1, 1, space.exact)
    slots: dict[Wave, Kind] = {}
    sends: dict[Exit, tuple[Wave, Stage[bool] | None]] = {}
    for leaving in flow.exits():
        harm = harm_of(leaving)
        if harm.on is not Side.TARGET:
            continue
        kind: Exit = leaving
        save: Stage[bool] | None = None
        if isinstance(leaving, Wound) and guarded is not None:
            shared, save = guarded(leaving)
            kind = harm if shared else leaving
        wave = Wave.IN_TURN if harm.wave is Wave.AT_ONCE else harm.wave
        other = slots.setdefault(wave, kind)
        if other != kind and not np.array_equal(space.matrix(other), space.matrix(kind)):
            return None
        sends[leaving] = (wave, save)
    waves = sorted(slots)
    if len(waves) > 2:
        return None
    counts: dict[Node, Poly] = {}
    for leaving, (wave, save) in sends.items():
        step = 1 << DIGIT * waves.index(wave)
        if save is None:
            counts[leaving] = {step: one}
        else:
            stands = save.whole - sum(weight for saved, weight in save.law() if saved)
            poly = {0: portion(save.whole - stands, save.whole, space.exact)} if stands < save.whole else {}
            counts[leaving] = poly | ({step: portion(stands, save.whole, space.exact)} if stands else {})
    found = Plan(tuple(Slot(wave, slots[wave]) for wave in waves), counts)
    return _gathered(flow, found, one) if len(waves) == 2 else found


def _gathered(flow: Flow, plan: Plan, one: Any) -> Plan:
    """Count a token whose harms all belong to the second slot as one harm, if they all come by one stage."""
    slot = plan.slots[1]
    if not all(poly == {1 << DIGIT: one} for poly in plan.counts.values() if max(poly) > MASK):
        return plan
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
                    return plan
    if len(entries) != 1 or flow.start in pure:
        return plan
    entry = entries.pop()
    at = flow.names.index(entry)
    whole = Flow(flow.stages[at:], flow.order)
    return Plan((plan.slots[0], Slot(slot.wave, whole)), {**plan.counts, entry: {1 << DIGIT: one}})


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

    def __init__(self, space: Space, plan: Callable[[Flow], Plan | None]) -> None:
        """`plan` remembers how each flow meets this target."""
        self.space = space
        self._plan = plan
        self._late: list[Late] = []
        self._pool: Slot | None = None

    def event(self, volleys: Sequence[tuple[Volley, Mapping[int, Any]]], start: Array) -> Array | None:
        """The chances of each state after the event; None if it must be walked."""
        front = start
        for volley, number in volleys:
            plan = self._plan(volley.flow)
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
        exact = self.space.exact
        poly = census(flow, plan.counts.get, exact)
        first = plan.slots[0]
        packets = first.kind if flow.packets else None
        if len(plan.slots) == 1:
            counts = mixed(flat(poly, 1, exact), number)
            if packets is not None and (not isinstance(packets, Harm) or not packets.packet):
                return None
            item = Late(first.wave, None if flow.packets else first.kind, counts, packets)
            if first.wave >= LATE:
                self._late.append(item)
                return front
            return self._borne(front, item)
        if flow.packets:
            return None
        width = max(key & MASK for key in poly) * max(number) + 1
        counts = sheet(mixed(flat(poly, width, exact), number), width)
        return self._coupled(front, plan.slots, counts)

    def _coupled(self, front: Array, slots: Sequence[Slot], counts: Array) -> Array | None:
        """A volley with two slots that depend on each other: fold the first, and carry the second along."""
        first, second = slots
        if first.wave >= LATE:
            return None
        after = [self._stepped(row, first.kind, counts) for row in front]
        if second.wave < LATE:
            return np.concatenate([self.space.drained(rows, second.kind) for rows in after])
        if self._pool is not None and self._pool != second:
            return None
        self._pool = second
        total = self.space.blank(len(front) + len(counts) - 1)
        for at, rows in enumerate(after):
            total[at : at + len(rows)] += rows
        return total

    def _stepped(self, row: Array, kind: Kind, counts: Array) -> Array:
        """One row of chances after the first slot, by the count of the second."""
        (certain,) = np.nonzero(row)
        if len(certain) == 1 and row[certain[0]] == 1:
            found: Array = counts @ self.space.rows(kind, int(certain[0]), counts.shape[1] - 1)
            return found
        lines = [self.space.folded(row[None, :], kind, line) for line in counts]
        return np.concatenate(lines)

    def _borne(self, front: Array, item: Late) -> Array:
        """Let a counted harm, or a packet of that size, arrive on every row."""
        if item.packets is not None:
            total = front * item.counts[0]
            for size, chance in enumerate(item.counts.tolist()[1:], start=1):
                if chance:
                    total = total + front @ self.space.matrix(packet(item.packets, size)) * chance
            return total
        assert item.kind is not None
        if len(front) == 1:
            (certain,) = np.nonzero(front[0])
            if len(certain) == 1 and front[0, certain[0]] == 1:
                rows = self.space.rows(item.kind, int(certain[0]), len(item.counts) - 1)
                found: Array = item.counts[None, :] @ rows
                return found
        return self.space.folded(front, item.kind, item.counts)

    def _ended(self, front: Array) -> Array | None:
        """The harm that waited, wave by wave."""
        pool = self._pool
        for wave in sorted({item.wave for item in self._late} | ({pool.wave} if pool else set())):
            due = [item for item in self._late if item.wave is wave]
            if pool is not None and pool.wave is wave:
                if due:
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
