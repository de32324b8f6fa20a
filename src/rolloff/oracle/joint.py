"""Counts and states together: the quick lane for events whose counts come from the flow alone.

The number of harms and the counts asked for are raised together as one law; for each line of counts the harms are
then folded through the target's states. One slot to a volley; anything else says None and is walked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rolloff.oracle.counting import Attacks, FlowPlan, attacks_of
from rolloff.oracle.flow import ATTACKS, LATE, Exit, Flow, Harm, Node, Side, Tally, Volley, Wound, harm_of
from rolloff.oracle.fold import Late, borne
from rolloff.oracle.law import Number
from rolloff.oracle.powers import MASK, Array, blank
from rolloff.oracle.space import Space
from rolloff.oracle.target import packet
from rolloff.oracle.words import DIGIT, Counts, Poly, added, census, portion, times

SIZE, RATIONAL_SIZE = 4_000, 1_200
"""The most different lines of counts that are still raised in good time, in floats and in rationals."""


def joint_event(
    space: Space,
    plan: Callable[[Flow, bool], FlowPlan | None],
    volleys: Sequence[Volley],
    at: int,
    tallies: tuple[Tally, ...],
    quiet: Callable[[tuple[Exit, ...]], bool],
) -> dict[Counts, Array] | None:
    """For each line of counts, the chances of every state after the event; None if it must be walked.

    `quiet` tells whether the target itself counts none of the tallies when such harm arrives.
    """
    steps: list[tuple[FlowPlan, Poly]] = []
    for volley in volleys:
        found = plan(volley.flow, False)
        if found is None or len(found.slots) > 1 or (found.slots and not found.weighs):
            return None
        law = _raised(_poly(volley.flow, found, tallies, space.exact), attacks_of(volley, space.exact))
        if law is None or not quiet(_arriving(volley.flow, max(key & MASK for key in law))):
            return None
        steps.append((found, law))
    steps.sort(key=_due)
    front: dict[Counts, Array] = {(0,) * len(tallies): space.unit(at)}
    first: int | None = at
    for found, law in steps:
        front = _stepped(space, front, first, found, law, len(tallies))
        first = None if found.slots else first
    return front


def _arriving(flow: Flow, most: int) -> tuple[Exit, ...]:
    """What a volley may arrive as: its wounds, their bare harm, packets of every size."""
    found: dict[Exit, None] = {}
    for leaving in flow.exits():
        if isinstance(leaving, Wound):
            found[leaving] = found[leaving.harm] = None
        elif leaving.packet:
            found.update(dict.fromkeys(packet(leaving, size) for size in range(1, most + 1)))
        else:
            found[leaving] = None
    return tuple(leaving for leaving in found if harm_of(leaving).on is Side.TARGET)


def _due(step: tuple[FlowPlan, Poly]) -> int:
    """When the harm of a volley arrives: in its turn, or with its wave after the last."""
    slots = step[0].slots
    return int(slots[0].wave) if slots and slots[0].wave >= LATE else 0


def _poly(flow: Flow, plan: FlowPlan, tallies: tuple[Tally, ...], exact: bool) -> Poly:
    """What one attack adds: harms in the lowest digit, then the counts asked for."""
    one = portion(1, 1, exact)
    marks: dict[Tally, Poly] = {tally: {1 << DIGIT * place: one} for place, tally in enumerate(tallies, start=1)}

    def weighs(node: Node) -> Poly | None:
        return marks.get(node) if isinstance(node, Tally) else plan.weighs.get(node)

    found = census(flow, weighs, exact, True)
    return times(found, marks[ATTACKS]) if ATTACKS in marks else found


def _raised(poly: Poly, attacks: Attacks) -> Poly | None:
    """The law of a number of attacks; None where it has too many lines."""
    number = attacks.each
    if len(number) == 1:
        return _power(poly, attacks.most)
    each: Poly = {}
    current: Poly = {0: 1}
    for attack in range(max(number) + 1):
        share = number.get(attack)
        if share:
            for key, chance in current.items():
                each[key] = each.get(key, 0) + chance * share
        if len(current) > SIZE:
            return None
        current = times(current, poly)
    return _power(each, attacks.weapons)


def _power(poly: Poly, attacks: int) -> Poly | None:
    """A law joined with itself so many times."""
    if attacks == 0:
        return {0: 1}
    found = poly
    size = SIZE if isinstance(next(iter(poly.values())), float) else RATIONAL_SIZE
    for bit in bin(attacks)[3:]:
        if len(found) > size // 4:
            return None
        found = times(found, found)
        if bit == "1":
            found = times(found, poly)
    return found


def _stepped(
    space: Space, front: dict[Counts, Array], first: int | None, plan: FlowPlan, law: Poly, size: int
) -> dict[Counts, Array]:
    """One volley on every line of counts there is so far."""
    lines: dict[int, dict[int, Number]] = {}
    for key, chance in law.items():
        lines.setdefault(key >> DIGIT, {})[key & MASK] = chance
    found: dict[Counts, Array] = {}
    for key, harms in lines.items():
        extra = tuple([key >> DIGIT * place & MASK for place in range(size)])
        counts = blank(max(harms) + 1, space.exact)
        for count, chance in harms.items():
            counts[count] += chance
        for so_far, row in front.items():
            after = borne(space, row, first, _item(plan, counts))
            total = added(so_far, extra)
            found[total] = found[total] + after if total in found else after
    return found


def _item(plan: FlowPlan, counts: Array) -> Late:
    """The harm of a volley that is counted so."""
    if not plan.slots:
        return Late(LATE, None, counts, None)
    wave, kind = plan.slots[0]
    packets = kind if isinstance(kind, Harm) and kind.packet else None
    return Late(wave, None if packets else kind, counts, packets)
