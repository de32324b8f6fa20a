"""How often attacks do what: what one attack sends at a target, slot by slot, and the law of many."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from rolloff.identity_cache import Recent
from rolloff.oracle.flow import (
    BLOCKED,
    MEMO,
    UNSAVED,
    WOUNDS,
    Exit,
    Flow,
    Node,
    Nodes,
    Side,
    Tally,
    Volley,
    Wave,
    Wound,
    harm_of,
    leads_of,
)
from rolloff.oracle.law import Number
from rolloff.oracle.powers import MASK, SMALL, Array, blank, flat, mixed, raised
from rolloff.oracle.space import Kind, Space
from rolloff.oracle.stage import Stage
from rolloff.oracle.target import Guarded, Verdict
from rolloff.oracle.words import DIGIT, UNIT, Poly, census, portion, times, words


class Attacks:
    """The law of the number of attacks of each weapon, and how many weapons; ``most`` is the greatest number there can be."""

    __slots__ = ("_known", "each", "fixed", "most", "weapons")

    def __init__(self, each: Mapping[int, Number], weapons: int) -> None:
        """Take the law of one weapon."""
        self.each, self.weapons = each, weapons
        self.most = max(each) * weapons
        self.fixed = self.most if len(each) == 1 else None
        self._known: Recent[bytes, Array] = Recent(256)

    def raised(self, law: Array) -> Array:
        """The law of a count over all attacks, from that of one; not to be written to."""
        size = len(law)
        if size == 1:  # nothing is counted, whatever their number
            return law
        if self.fixed is not None:
            return raised(law, self.fixed)
        if size > SMALL or law.dtype == object:
            return self._mixed(law)
        key = law.tobytes()
        found = self._known.get(key)
        if found is None:
            found = self._known.keep(key, self._mixed(law))
        return found

    def _mixed(self, law: Array) -> Array:
        """The same of a random number of them, worked out."""
        found = mixed(law, self.each)
        return found if self.weapons == 1 else raised(found, self.weapons)

    def law(self, exact: bool) -> dict[int, Number]:
        """The law of the number of attacks of all weapons."""
        if len(self.each) == 1 and self.weapons == 1:
            return dict(self.each)
        line = flat({1: portion(1, 1, exact)}, 1, exact)
        return {n: chance for n, chance in enumerate(self.raised(line).tolist()) if chance}


def attacks_of(volley: Volley, exact: bool) -> Attacks:
    """The number of attacks of a volley; a roll below nothing is no attack."""
    return _attacks(volley.count, volley.weapons, exact)


@lru_cache(maxsize=4096)
def _attacks(count: int | Stage[int], weapons: int, exact: bool) -> Attacks:
    if isinstance(count, int):
        return Attacks({max(count * weapons, 0): portion(1, 1, exact)}, 1)
    each: dict[int, Number] = {}
    for n, weight in count.law():
        each[max(n, 0)] = each.get(max(n, 0), 0) + portion(weight, count.whole, exact)
    return Attacks(each, weapons)


@lru_cache(maxsize=4096)
def number_line(count: int | Stage[int], weapons: int, exact: bool) -> Array:
    """The chances of every number of attacks of so many weapons; kept, and not to be written to."""
    found = flat(_attacks(count, weapons, exact).law(exact), 1, exact)
    found.flags.writeable = False
    return found


NONE: Array = np.zeros(0, dtype=int)


class Slot(NamedTuple):
    """One kind of harm a volley deals in one wave."""

    wave: Wave
    kind: Kind


class FlowPlan(NamedTuple):
    """What one attack of a flow sends at a target: the slots, and the law of how often it fills each.

    With two slots the law goes along the pairs of counts in `first` and `second`, of which `most` and `reach` are the
    greatest; with one it goes by the count itself. `weighs` says what every node counts for.
    """

    slots: tuple[Slot, ...]
    law: Array
    most: int
    first: Array = NONE
    second: Array = NONE
    reach: int = 0
    weighs: Mapping[Node, Poly] = MappingProxyType({})
    marches: bool = False
    """Whether the first slot is the whole flow, harm by harm in its order, and the second what waits: attack by attack."""

    def size(self, attacks: int) -> int:
        """How long the law of both counts of so many attacks is."""
        return self.reach * attacks * (self.most * attacks + 1)

    def counts(self, attacks: Attacks, exact: bool) -> Array:
        """The law of the counts of so many attacks; with two slots by the second count and then the first.

        The tables of one question ask for the same one after the other, so the last is kept; it is not to be written to.
        """
        latest = _latest[0]
        if latest is None or latest[0] is not self or latest[1] is not attacks:
            latest = _latest[0] = self, attacks, self._counts(attacks, exact)
        return latest[2]

    def _counts(self, attacks: Attacks, exact: bool) -> Array:
        if len(self.slots) == 1:
            return attacks.raised(self.law)
        width = self.most * attacks.most + 1
        line = blank(self.reach * width + self.most + 1, exact)
        line[self.second * width + self.first] = self.law
        return attacks.raised(line).reshape(self.reach * attacks.most + 1, width)

    def halves(self, attacks: int) -> tuple[Array, Array]:
        """The laws of both counts of one half of the attacks and of the other, which may be one more."""
        less, more = attacks // 2, attacks - attacks // 2
        width = self.most * more + 1
        line = np.zeros(self.reach * width + self.most + 1)
        line[self.second * width + self.first] = self.law
        fewer = raised(line, less)
        full = np.convolve(fewer, line) if more > less else fewer
        laid = np.zeros((self.reach * less + 1) * width)
        laid[: len(fewer)] = fewer
        return laid.reshape(-1, width), full.reshape(-1, width)


_latest: list[tuple[FlowPlan, Attacks, Array] | None] = [None]
"""The law of counts that was asked for last."""

NOTHING = FlowPlan((), NONE, 0)
"""A flow that sends nothing at the target."""


def planned(flow: Flow, space: Space, guarded: Guarded | None, gather: bool) -> FlowPlan | None:
    """Sort the ways out of a flow into slots; None if kinds the target can tell apart share one of two waves.

    gather: count tokens that lead to nothing but the second slot, instead of the harms they lead to.
    """
    exits = flow.leaving
    if len(exits) == 1:
        return _single(flow, exits[0], space, guarded)
    slots: dict[Wave, Kind] = {}
    sends: dict[Exit, tuple[Wave, Stage[bool] | None]] = {}
    several: set[Wave] = set()
    for leaving, harm in zip(exits, flow.harms, strict=True):
        if harm.on is not Side.TARGET:
            continue
        kind: Exit = leaving
        save: Stage[bool] | None = None
        if isinstance(leaving, Wound) and guarded is not None:
            shared, save = guarded(leaving)
            kind = harm if shared else leaving
        kind = space.borne_as(kind)
        wave: Wave = Wave.IN_TURN if harm.wave is Wave.AT_ONCE else harm.wave
        other = slots.setdefault(wave, kind)
        if other != kind and not np.array_equal(space.matrix(other), space.matrix(kind)):
            several.add(wave)
        sends[leaving] = (wave, save)
    if len(slots) > 2 or (flow.packets and len(sends) > 1):
        return None  # packets are tied only when all dice lie, so that they cannot be counted with other harm
    if several and len(slots) > 1:
        first, second = sorted(slots)
        if several != {first} or space.exact:
            return None
        sent = census(flow, lambda node: {1: 1.0} if node in sends and sends[node][0] is second else None, False)
        return FlowPlan((Slot(first, flow), Slot(second, slots[second])), NONE, 1, reach=max(sent), marches=True)
    if several:  # every attack counts as one, and does whatever it does in its own order
        line = flat({1: portion(1, 1, space.exact)}, 1, space.exact)
        return FlowPlan((Slot(next(iter(slots)), flow),), line, 1)
    return _counting(flow, slots, sends, gather, space.exact) if slots else NOTHING


def _single(flow: Flow, leaving: Exit, space: Space, guarded: Guarded | None) -> FlowPlan:
    """The same for a flow that sends out one kind of harm."""
    harm, kind, exact = flow.harms[0], leaving, space.exact
    if harm.on is not Side.TARGET:
        return NOTHING
    failed: Poly = {1: portion(1, 1, exact)}
    if isinstance(leaving, Wound) and guarded is not None:
        shared, save = guarded(leaving)
        kind = harm if shared else leaving
        failed = failed if save is None else _failed(save, 1, exact)
    weighs: Mapping[Node, Poly] = {leaving: failed}
    line = flat(census(flow, weighs.get, exact), 1, exact) if exact else thinned(sent_out(flow), failed)
    wave = Wave.IN_TURN if harm.wave is Wave.AT_ONCE else harm.wave
    return FlowPlan((Slot(wave, space.borne_as(kind)),), line, len(line) - 1, weighs=weighs)


def parted(flow: Flow, late: Wave) -> Iterator[tuple[tuple[Exit, ...], int, Number]]:
    """What one attack may send at a target: harm in its order, how often it sends what waits for a wave, and the chance."""
    for (exits, _), chance in words(flow, (), False).items():
        aimed = [leaving for leaving in exits if harm_of(leaving).on is Side.TARGET]
        waiting = sum(harm_of(leaving).wave is late for leaving in aimed)
        yield tuple(leaving for leaving in aimed if harm_of(leaving).wave is not late), waiting, chance


def _counting(
    flow: Flow,
    slots: dict[Wave, Kind],
    sends: dict[Exit, tuple[Wave, Stage[bool] | None]],
    gather: bool,
    exact: bool,
) -> FlowPlan:
    """The law of how often one attack fills each slot."""
    waves = sorted(slots)
    one = portion(1, 1, exact)
    counts: dict[Node, Poly] = {}
    for leaving, (wave, save) in sends.items():
        step = 1 << DIGIT * waves.index(wave)
        counts[leaving] = {step: one} if save is None else _failed(save, step, exact)
    rows = [Slot(wave, slots[wave]) for wave in waves]
    if len(waves) < 2:
        line = _one_count(flow, counts, exact)
        return FlowPlan(tuple(rows), line, len(line) - 1, weighs=counts)
    if gather:
        rows[1] = _gathered(flow, rows[1], counts, one)
    poly = census(flow, counts.get, exact)
    law: Array = np.array(list(poly.values()), dtype=object if exact else float)
    first, second = [key & MASK for key in poly], [key >> DIGIT for key in poly]
    return FlowPlan(tuple(rows), law, max(first), np.array(first), np.array(second), max(second), counts)


def _one_count(flow: Flow, counts: Mapping[Node, Poly], exact: bool) -> Array:
    """The law of one count of one attack, from what each way out counts for."""
    polys = list(counts.values())
    if exact or len(counts) < len(flow.leaving) or polys.count(polys[0]) < len(polys):
        return flat(census(flow, counts.get, exact), 1, exact)
    return thinned(sent_out(flow), polys[0])


def sent_out(flow: Flow) -> Array:
    """The law of how much one attack sends out, of whatever kind; the last is kept, and not to be written to."""
    kept = _sent[0]
    if kept is None or kept[0] is not flow:
        poly = _sent_out(flow)
        kept = _sent[0] = flow, flat(poly, 1, False)
    return kept[1]


def _sent_out(flow: Flow) -> Poly:
    """The same as a census in which whatever leaves the flow counts for one."""
    known: dict[Node, Poly] = {}
    for stage in reversed(flow.stages[flow.names.index(flow.start) :]):
        leads = stage.leads or leads_of(stage)
        found: Poly = {}
        for nodes, weight in leads.results:
            share, out, line = weight / leads.whole, 0, UNIT
            for node in nodes:
                if node in known:
                    line = known[node] if line is UNIT else times(line, known[node])
                else:
                    out += 1
            if line is UNIT:
                found[out] = found[out] + share if out in found else share
                continue
            for count, chance in line.items():
                both = count + out
                found[both] = found[both] + chance * share if both in found else chance * share
        known[stage.label] = found
    return known[flow.start]


_sent: list[tuple[Flow, Array] | None] = [None]


def thinned(line: Array, poly: Poly) -> Array:
    """The law of a count of which every one counts, or does not, by chances of its own."""
    size = len(line)
    if 0 not in poly or size == 1:
        return line
    if 1 not in poly:
        return np.array([line.sum()])
    missed, counted = poly[0], poly[1]
    if size == 2:
        none, once = line.tolist()
        return np.array([none + once * missed, once * counted])
    found, each = line[-1:], np.array([missed, counted])
    for chance in line[-2::-1].tolist():
        found = np.convolve(found, each)
        found[0] += chance
    return found


@lru_cache(maxsize=4096)
def _failed(save: Stage[bool], step: int, exact: bool) -> Poly:
    """What a wound counts for that a save may stop; kept, and not to be written to."""
    saved = sum(weight for passed, weight in save.law() if passed)
    poly = {0: portion(saved, save.whole, exact), step: portion(save.whole - saved, save.whole, exact)}
    return {key: chance for key, chance in poly.items() if chance}


def _gathered(flow: Flow, slot: Slot, counts: dict[Node, Poly], one: Number) -> Slot:
    """Count a token whose harms all belong to the second slot as one harm, if they all come by one stage."""
    kind, step = slot.kind, {1 << DIGIT: one}
    if any(poly != step for leaving, poly in counts.items() if leaving == kind or max(poly) > MASK):
        return slot
    entries: set[str] = set()
    for stage in flow.stages[flow.names.index(flow.start) :]:
        if flow.exits(stage.label) == (kind,):
            continue
        leads = leads_of(stage)
        if kind in leads.exits:
            return slot
        entries.update([label for label in leads.labels if flow.exits(label) == (kind,)])
    if len(entries) != 1 or flow.start in entries:
        return slot
    entry = entries.pop()
    counts[entry] = step
    stages = flow.stages[flow.names.index(entry) :]
    found = _parts.get(stages)
    if found is None:
        if len(_parts) >= MEMO:
            _parts.clear()
        found = _parts[stages] = Flow(stages, flow.order)
    return Slot(slot.wave, found)


_parts: dict[tuple[Stage[Nodes], ...], Flow] = {}
"""Ends of flows that were counted as one."""


def counted_by_bearer(tally: Tally, guarded: Guarded | None, verdict: Verdict | None) -> bool:
    """Whether what a count comes to depends on who bears the harm, and not on the flow alone."""
    return (verdict is not None and tally == WOUNDS) or (guarded is not None and tally in (BLOCKED, UNSAVED))


def counting_stages(flow: Flow, tally: Tally) -> tuple[Stage[Nodes], ...]:
    """The stages of a flow up to the last that counts something; what comes after it adds nothing."""
    return flow.stages[: flow.counts.get(tally, 0)]


def quick_line(flow: Flow, tally: Tally, guarded: Guarded | None, verdict: Verdict | None) -> Array | None:
    """The law of one count of one attack where that is so much of all it sends out, as floats; None where it is not."""
    if tally == WOUNDS:
        told = flow.told and not (verdict and [one for one in flow.leaving if verdict(one) is not None])
        return sent_out(flow) if told else None
    if tally == BLOCKED and guarded is not None and tally not in flow.counts:
        saved = _saved_alike(flow, guarded)
        if saved is not None:
            return thinned(sent_out(flow), saved)
    return None


def tally_line(flow: Flow, tally: Tally, guarded: Guarded | None, exact: bool, verdict: Verdict | None = None) -> Array:
    """The law of one count of one attack."""
    weighs: dict[Node, Poly | None] = {tally: {1: portion(1, 1, exact)}}
    if tally in (WOUNDS, BLOCKED, UNSAVED):
        weighs |= {node: _borne_count(node, tally, guarded, exact, verdict) for node in flow.leaving}
    return flat(census(flow, weighs.get, exact, True), 1, exact)


def _saved_alike(flow: Flow, guarded: Guarded) -> Poly | None:
    """What every wound of a flow adds to the saved, where all that leaves it are wounds with one and the same save."""
    guard: tuple[bool, Stage[bool] | None] | None = None
    for leaving in flow.leaving:
        if not isinstance(leaving, Wound):
            return None
        found = guarded(leaving)
        if guard is not None and found != guard:
            return None
        guard = found
    return None if guard is None else _guard_poly(guard, BLOCKED, False)


def _borne_count(leaving: Exit, tally: Tally, guarded: Guarded | None, exact: bool, verdict: Verdict | None) -> Poly | None:
    """What leaves a flow as its bearer counts it; None for what is not counted."""
    if tally == WOUNDS:
        die = None if verdict is None else verdict(leaving)
        return None if die is None else _chance_poly(sum(weight for good, weight in die.law() if good), die.whole, exact)
    if isinstance(leaving, Wound) and guarded is not None:
        return _guard_poly(guarded(leaving), tally, exact)
    return {1: portion(1, 1, exact)} if tally == UNSAVED else None


@lru_cache(maxsize=4096)
def _guard_poly(guard: tuple[bool, Stage[bool] | None], tally: Tally, exact: bool) -> Poly | None:
    """What a wound adds to the saved or the unsaved, if all models share the save; kept, and not to be written to."""
    shared, save = guard
    saved = 0 if save is None else sum(weight for passed, weight in save.law() if passed)
    whole = 1 if save is None else save.whole
    if not shared:
        return None
    hit = saved if tally == BLOCKED else whole - saved
    return _chance_poly(hit, whole, exact)


def _chance_poly(hit: int, whole: int, exact: bool) -> Poly:
    """One with so many chances of the whole, else nothing."""
    poly = {0: portion(whole - hit, whole, exact), 1: portion(hit, whole, exact)}
    return {key: chance for key, chance in poly.items() if chance}
