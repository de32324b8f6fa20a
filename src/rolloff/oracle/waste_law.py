"""The law of what an event wastes, or of what else its bearers count: the tables of `waste` put to use. Floats only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from rolloff.oracle.counting import Attacks, FlowPlan, attacks_of
from rolloff.oracle.effects import Effect, Front, added, both
from rolloff.oracle.flow import LATE, Flow, Harm, Volley
from rolloff.oracle.powers import Array, multiplied
from rolloff.oracle.space import Kind
from rolloff.oracle.waste import Waste
from rolloff.oracle.waste_many import many_wasted, march_of, moved
from rolloff.oracle.windows import TINY, Window

PAIRS = 6_000
"""The longest law of two counts that is taken apart here."""

TABLE = 12_000
"""Up to so many harms times states, what each number of harms wastes is kept; more are marched through and not kept."""

MARCHED = 60
"""The most attacks that are followed one by one here."""


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
        if len(volleys) == 1 and plan is not None and len(plan.slots) == 1 and attacks.most and not volley.flow.packets:
            return _alone(waste, plan.slots[0].kind, plan.counts(attacks, False), at)
        if plan is None:
            return None
        if not plan.slots or attacks.most == 0:
            continue
        if len(plan.slots) == 2:
            if len(volleys) > 1 or volley.flow.packets:
                return None
            if not plan.marches:
                plan = plan_of(volley.flow, True) or plan  # all harm of one token is counted as one
            return _coupled(waste, plan, attacks, at)
        wave, kind = plan.slots[0]
        packets = kind if isinstance(kind, Harm) and kind.packet else None
        due = int(wave) if wave >= LATE else 0
        bearings.append(Bearing(due, kind, packets, plan.counts(attacks, False)))
    return _borne_in_turn(waste, sorted(bearings, key=lambda one: one.due), at)


def _alone(waste: Waste, kind: Kind, counts: Array, at: int) -> Array | None:
    """Harm of one kind and nothing else, so often."""
    if len(counts) * waste.size > TABLE:
        effect = waste.effect(kind)
        return None if effect is None else marched(waste, effect, counts, at)
    laws = waste.laws(kind, at, len(counts) - 1)
    return None if laws is None else multiplied(counts, laws)


def _borne_in_turn(waste: Waste, bearings: list[Bearing], at: int) -> Array | None:
    """Harm after harm, each counted by itself."""
    if len(bearings) == 1 and bearings[0].packets is None:
        return _alone(waste, bearings[0].kind, bearings[0].counts, at)
    front = waste.start(at)
    for bearing in bearings:
        further = _packets(waste, front, bearing) if bearing.packets is not None else _counted(waste, front, bearing)
        if further is None:
            return None
        front = further
    return front.law()


def marched(waste: Waste, effect: Effect, counts: Array, at: int) -> Array:
    """The same harm by harm in a window of the states and wastes that are likely at all, for very many harms."""
    front, march = waste.start(at), march_of(effect)
    now, gone = Window(0, 0, front.standing), front.gone
    total = np.zeros(1)
    last = int(np.flatnonzero(counts > TINY)[-1])
    for n, chance in enumerate(counts[: last + 1].tolist()):
        if n:
            now, fallen = moved(waste, march, now)
            gone = added(np.convolve(gone, effect.beyond), fallen)
        if chance:
            total = added(total, gone * chance)
            if now.box.size:
                total = added(total, np.concatenate((np.zeros(now.top), now.box.sum(axis=1) * chance)))
    return total


def _counted(waste: Waste, front: Front, bearing: Bearing) -> Front | None:
    effect = waste.effect(bearing.kind)
    if effect is None:
        return None
    total = scaled(front, bearing.counts[-1])
    for chance in bearing.counts[-2::-1].tolist():
        total = both(waste.step(total, effect), scaled(front, chance))
    return total


def scaled(front: Front, by: float) -> Front:
    """A front with all chances multiplied."""
    return Front(front.standing * by, front.gone * by)


def _packets(waste: Waste, front: Front, bearing: Bearing) -> Front | None:
    assert bearing.packets is not None
    effect = waste.packets(bearing.packets, bearing.counts)
    return None if effect is None else waste.step(front, effect)


def _coupled(waste: Waste, plan: FlowPlan, attacks: Attacks, at: int) -> Array | None:
    """Two kinds of harm that depend on each other: the first as it comes, the second after it."""
    if plan.marches:
        return _marched_apart(waste, plan, attacks, at)
    first, second = plan.slots
    ours = waste.effect(first.kind)
    if ours is None or first.wave >= LATE:
        return None
    if plan.size(attacks.most) <= PAIRS:
        counts = plan.counts(attacks, False)
        standing, gone = waste.stacked(first.kind, ours, at, counts.shape[1] - 1)
        after = multiplied(counts, standing.reshape(len(standing), -1)).reshape(len(counts), *standing.shape[1:])
        return waste.drained(after, multiplied(counts, gone), second.kind)
    theirs = waste.effect(second.kind)
    return None if theirs is None else many_wasted(waste, plan, attacks, ours, theirs, at)


def _marched_apart(waste: Waste, plan: FlowPlan, attacks: Attacks, at: int) -> Array | None:
    """Harm of several kinds in its order, attack by attack, and behind it the harm that waits, which is counted."""
    first, second = plan.slots
    number = attacks.law(False)
    last = max(number)
    if last > MARCHED or not isinstance(first.kind, Flow):
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
    return waste.drained(boxes, ended, second.kind)


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
    most = max(effect.most for effect in steps)
    longest = max(len(effect.beyond) for effect in steps) - 1
    pages, rows, _ = box.shape
    found = np.zeros((pages + len(steps) - 1, rows + most, waste.size))
    ended = np.zeros((pages + len(steps) - 1, max(gone.shape[1] + longest, rows + most)))
    for waiting, effect in enumerate(steps):
        standing, fallen = waste.moved(box, effect)
        found[waiting : waiting + pages, : rows + effect.most] += standing
        ended[waiting : waiting + pages, : rows + effect.most] += fallen
        for wasted, chance in enumerate(effect.beyond.tolist()):
            if chance:
                ended[waiting : waiting + pages, wasted : wasted + gone.shape[1]] += gone * chance
    return _narrowed(found, most), _narrowed(ended, longest + most)


def _narrowed(pages: Array, grown: int) -> Array:
    """Pages without rows of no chance behind the last that has one, where some may have been added."""
    if not grown:
        return pages
    kept = np.flatnonzero(pages.any(axis=(0, 2) if pages.ndim == 3 else 0))
    return pages[:, : int(kept[-1]) + 1 if len(kept) else 1]
