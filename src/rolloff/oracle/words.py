"""The law of one attack: what may leave a flow, with its chances.

A word is what one attack sends out, in order. A census only counts it, which is all that is needed where every wave
holds one kind of harm.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TypeAlias

from rolloff.oracle.flow import ATTACKS, Exit, Flow, Node, Nodes, Order, Tally, leads_of
from rolloff.oracle.law import Number

Counts: TypeAlias = tuple[int, ...]
Word: TypeAlias = tuple[tuple[Exit, ...], Counts]
Poly: TypeAlias = dict[int, Number]
"""Chances by count; several counts are packed into one whole number, DIGIT bits each."""

DIGIT = 20


def portion(weight: int, whole: int, exact: bool) -> Number:
    """A chance as the rational or the float it is."""
    return Fraction(weight, whole) if exact else weight / whole


def added(counts: Counts, more: Counts) -> Counts:
    """Two lines of counts, summed."""
    return tuple(one + other for one, other in zip(counts, more, strict=True))


def words(flow: Flow, tallies: tuple[Tally, ...], exact: bool) -> dict[Word, Number]:
    """Every word of one attack, with the counts asked for; in the order the flow's dice would send it."""
    ones = {tally: tuple(int(tally == other) for other in tallies) for tally in tallies}
    none: Counts = (0,) * len(tallies)
    begin: Counts = ones.get(ATTACKS, none)
    if flow.order is Order.BY_ATTACK:
        found = _by_attack(flow, ones, none, exact)[flow.start]
        return {(exits, added(counts, begin)): chance for (exits, counts), chance in found.items()}
    return _by_stage(flow, ones, none, begin, exact)


def _by_attack(flow: Flow, ones: Mapping[Tally, Counts], none: Counts, exact: bool) -> dict[str, dict[Word, Number]]:
    """Each token to its end before the next one: words of the nodes of a result, one after the other."""
    known: dict[str, dict[Word, Number]] = {}

    def of(node: Node) -> dict[Word, Number]:
        if isinstance(node, str):
            return known[node]
        if isinstance(node, Tally):
            return {((), ones.get(node, none)): 1}
        return {((node,), none): 1}

    for stage in reversed(flow.stages):
        found: dict[Word, Number] = {}
        for result, weight in stage.law():
            line: dict[Word, Number] = {((), none): portion(weight, stage.whole, exact)}
            for node in result:
                line = _followed(line, of(node))
            for word, chance in line.items():
                found[word] = found.get(word, 0) + chance
        known[stage.label] = found
    return known


def _followed(first: dict[Word, Number], second: dict[Word, Number]) -> dict[Word, Number]:
    """One independent word after another."""
    found: dict[Word, Number] = {}
    for (exits, counts), chance in first.items():
        for (more, extra), other in second.items():
            word = (exits + more, added(counts, extra))
            found[word] = found.get(word, 0) + chance * other
    return found


def _by_stage(flow: Flow, ones: Mapping[Tally, Counts], none: Counts, begin: Counts, exact: bool) -> dict[Word, Number]:
    """All tokens of one attack through one stage before any goes on."""
    start = tuple(int(name == flow.start) for name in flow.names)
    front: dict[tuple[Counts, Word], Number] = {(start, ((), begin)): Fraction(1) if exact else 1.0}
    places = {name: at for at, name in enumerate(flow.names)}
    for at, stage in enumerate(flow.stages):
        results = [(_effect(result, places, ones, none), portion(weight, stage.whole, exact)) for result, weight in stage.law()]
        done: dict[tuple[Counts, Word], Number] = {}
        while front:
            further: dict[tuple[Counts, Word], Number] = {}
            for (waiting, (exits, counts)), chance in front.items():
                if not waiting[at]:
                    key = (waiting, (exits, counts))
                    done[key] = done.get(key, 0) + chance
                    continue
                fewer = (*waiting[:at], waiting[at] - 1, *waiting[at + 1 :])
                for (tokens, more, extra), other in results:
                    key = (added(fewer, tokens), (exits + more, added(counts, extra)))
                    further[key] = further.get(key, 0) + chance * other
            front = further
        front = done
    found: dict[Word, Number] = {}
    for (_, word), chance in front.items():
        found[word] = found.get(word, 0) + chance
    return found


def _effect(
    result: Nodes, places: Mapping[str, int], ones: Mapping[Tally, Counts], none: Counts
) -> tuple[Counts, tuple[Exit, ...], Counts]:
    """A result as tokens by stage, exits, and counts."""
    tokens = [0] * len(places)
    exits: list[Exit] = []
    counts = none
    for node in result:
        if isinstance(node, str):
            tokens[places[node]] += 1
        elif isinstance(node, Tally):
            counts = added(counts, ones.get(node, none))
        else:
            exits.append(node)
    return tuple(tokens), tuple(exits), counts


def census(flow: Flow, poly_of: Callable[[Node], Poly | None], exact: bool, tallies: bool = False) -> Poly:
    """The counts one attack adds, stage by stage from the last: `poly_of` says what a node counts for.

    A node that is a stage is looked up too, so that all that comes after it can be counted as one; None goes on.
    `tallies`: nodes that only count are looked up as well.
    """
    known: dict[str, Poly] = {}
    for stage in reversed(flow.stages[flow.names.index(flow.start) :]):
        given = poly_of(stage.label)
        if given is not None:
            known[stage.label] = given
            continue
        whole = stage.whole
        found: Poly = {}
        for result, weight in stage.law() if tallies else leads_of(stage).results:
            line = UNIT
            for node in result:
                more = known[node] if isinstance(node, str) else poly_of(node)
                if more is not None:
                    line = more if line is UNIT else times(line, more)
            share = Fraction(weight, whole) if exact else weight / whole
            for key, chance in line.items():
                found[key] = found[key] + chance * share if key in found else chance * share
        known[stage.label] = found
    return known[flow.start]


UNIT: Poly = {0: 1}
"""Nothing counted, for sure."""


def times(first: Poly, second: Poly) -> Poly:
    """Two independent counts, summed."""
    found: Poly = {}
    for key, chance in first.items():
        for more, other in second.items():
            both = key + more
            found[both] = found[both] + chance * other if both in found else chance * other
    return found
