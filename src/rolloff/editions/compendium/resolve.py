"""A whole attack event in direct style, for dice and odds alike: group after group, then what rules throw at the end.

Most groups are one volley through one flow. Two rules need more: Master-crafted picks among failed To Hit dice, Deflagrate
counts the unsaved wounds of its group.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct

from rolloff.editions.compendium.crew import Crew, Muster, hazards
from rolloff.editions.compendium.sequence import flow_of, hit_tables, stages_after_hit
from rolloff.editions.compendium.strike import Book, Strike
from rolloff.oracle.flow import (
    ATTACKS,
    BLOCKED,
    DAMAGE,
    HITS,
    IGNORED,
    MORTAL,
    UNSAVED,
    WOUNDS,
    Flow,
    Harm,
    Nodes,
    Side,
    Tally,
    Volley,
    harm_of,
)
from rolloff.oracle.roll import Dice, Spent
from rolloff.oracle.stage import Stage, fixed
from rolloff.oracle.target import Target
from rolloff.rules.citing import cites

Counts = tuple[int, ...]

SUMS = (ATTACKS, HITS, WOUNDS, BLOCKED, IGNORED, UNSAVED, DAMAGE, MORTAL)
"""What is told of an attack, in this order; unsaved wounds without the mortal ones."""


class Group(Struct, frozen=True, cache_hash=True):
    """Like attacks rolled together (CF-SHOOT-5): the match-up, how many for each weapon, and whose weapons they are."""

    strike: Strike
    count: int | Stage[int] = 1
    weapons: int = 1
    bearers: tuple[int, ...] = ()
    name: str = ""
    step: int = 0
    mastered: bool = False
    deflagrates: Strike | None = None
    hazardous: bool = False


class Assault(Struct, frozen=True, cache_hash=True):
    """All groups of one attack event on one target; without a crew the firers' own harm is left out.

    ``stops``: groups left when the target is gone are not rolled.
    """

    book: Book
    groups: tuple[Group, ...]
    target: Any
    crew: Crew | None = None
    stops: bool = False

    @property
    def plain(self) -> bool:
        """Whether the volleys of the groups say everything about the target."""
        return not any(group.mastered or group.deflagrates for group in self.groups)

    def volleys(self) -> tuple[Volley, ...]:
        """The groups as volleys, for events that are plain."""
        return tuple(volley_of(group, self.book) for group in self.groups)


def volley_of(group: Group, book: Book) -> Volley:
    """A group as one volley through the flow of its match-up."""
    return Volley(flow_of(group.strike, book), group.count, group.weapons)


def resolve(
    dice: Dice, assault: Assault, state: Any, firers: Muster | None, tallies: tuple[Tally, ...] = ()
) -> Spent[Any, Any]:
    """The event to its end: where target and firers stand, and the counts asked for."""
    return dice.run(_onward, assault, 0, state, firers, Afterwards(), tallies)


class Afterwards(Struct, frozen=True, cache_hash=True):
    """What waits for the end of an event: fires with the hits they bring, and whose Hazardous weapons were used."""

    fires: tuple[tuple[Strike, int], ...] = ()
    used: tuple[int, ...] = ()


def _onward(
    dice: Dice,
    assault: Assault,
    at: int,
    state: Any,
    firers: Muster | None,
    later: Afterwards,
    tallies: tuple[Tally, ...],
) -> Spent[Any, Any]:
    """The groups from one on; each goes on from where the one before may have ended, so that odds meet states again."""
    if at == len(assault.groups) or (assault.stops and assault.target.gone(state)):
        return _ended(dice, assault, state, firers, later, tallies)
    group = assault.groups[at]
    asked = tuple(dict.fromkeys((*tallies, UNSAVED, MORTAL))) if group.deflagrates else tallies
    spent: Spent[Any, Any] = dice.run(_group, assault, group, state, firers, asked)
    fires, used = later.fires, later.used
    if group.deflagrates:
        unsaved = (spent.counts[asked.index(tally)] for tally in (UNSAVED, MORTAL))
        fires = (*fires, (group.deflagrates, sum(unsaved)))  # SR-DEFLAGRATE-4
    if group.hazardous:
        used += group.bearers
    rest: Spent[Any, Any]
    rest = dice.run(_onward, assault, at + 1, spent.state, spent.firer, Afterwards(fires, used), tallies)
    return Spent(rest.state, _plus(spent.counts[: len(tallies)], rest.counts), rest.firer)


def _ended(
    dice: Dice, assault: Assault, state: Any, firers: Muster | None, later: Afterwards, tallies: tuple[Tally, ...]
) -> Spent[Any, Any]:
    """What rules throw after the last group."""
    counts = (0,) * len(tallies)
    for strike, hits in later.fires:
        state, more = dice.run(_burn, assault, strike, hits, state, tallies)
        counts = _plus(counts, more)
    if later.used and firers is not None and assault.crew is not None:
        firers = dice.run(hazards, assault.crew, firers, later.used)
    return Spent(state, counts, firers)


def _plus(counts: Counts, more: Counts) -> Counts:
    return tuple(one + other for one, other in zip(counts, more, strict=True))


def _group(
    dice: Dice, assault: Assault, group: Group, state: Any, firers: Muster | None, tallies: tuple[Tally, ...]
) -> Spent[Any, Any]:
    """One group to the end of its wounds."""
    if group.mastered:
        return _mastered(dice, assault, group, state, firers, tallies)
    return _sent(dice, assault, volley_of(group, assault.book), state, firers, tallies)


def _sent(
    dice: Dice, assault: Assault, volley: Volley, state: Any, firers: Muster | None, tallies: tuple[Tally, ...]
) -> Spent[Any, Any]:
    target: Target[Any] = assault.target
    if assault.crew is None or firers is None or not _reaches_firers(volley.flow):
        spent: Spent[Any, Any] = dice.volley(volley, target, state, *tallies)
        return Spent(spent.state, spent.counts, firers)
    return dice.volley(volley, target, state, *tallies, firer=assault.crew, firer_state=firers)


def _reaches_firers(flow: Flow) -> bool:
    return any(harm_of(leaving).on is Side.FIRER for leaving in flow.exits())


@cites(
    "SR-DEFLAGRATE-1", "SR-DEFLAGRATE-3", off=lambda dice, assault, strike, hits, state, tallies: (state, (0,) * len(tallies))
)
def _burn(
    dice: Dice, assault: Assault, strike: Strike, hits: int, state: Any, tallies: tuple[Tally, ...]
) -> tuple[Any, Counts]:
    """SR-DEFLAGRATE-1: as many automatic hits as the group caused unsaved wounds; they cause no more of them."""
    if not hits or assault.target.gone(state):
        return state, (0,) * len(tallies)
    spent: Spent[Any, Any] = dice.volley(Volley(flow_of(strike, assault.book), hits), assault.target, state, *tallies)
    attacks = tuple(hits if tally == ATTACKS else 0 for tally in tallies)
    return spent.state, tuple(n - less for n, less in zip(spent.counts, attacks, strict=True))


# Master-crafted


class _Sorted(Struct, frozen=True):
    """The To Hit table with its results numbered: which dice may still be thrown again, and where each result leads."""

    flow: Flow
    second: Stage[Nodes]
    ways: tuple[Nodes, ...]
    spare: tuple[int, ...]

    def tallies(self) -> tuple[Tally, ...]:
        return tuple(Tally(f"result {at}") for at in range(len(self.ways)))


@lru_cache(maxsize=1024)
def _sorted(strike: Strike, book: Book) -> _Sorted:
    """Number the results of the To Hit table, first throws that failed apart from all others."""
    first, second = hit_tables(book.settled(strike), book)
    ways: list[tuple[Nodes, bool]] = []

    def numbered(stage: Stage[Nodes], fresh: bool) -> Stage[Nodes]:
        read: list[Nodes | Stage[Nodes]] = []
        for entry, good in zip(stage.read, stage.good, strict=True):
            if isinstance(entry, Stage):
                read.append(numbered(entry, False))
                continue
            way = (entry, fresh and not good)
            if way not in ways:
                ways.append(way)
            read.append((Tally(f"result {ways.index(way)}"),))
        why = stage.why if fresh else tuple((*cited, "SR-MASTER-CRAFTED-1") for cited in stage.why)
        return Stage(stage.label, read, why=why, good=stage.good, need=stage.need, dice=stage.dice, keep=stage.keep)

    flow, twin = Flow((numbered(first, True),)), numbered(second, False)
    spare = [at for at, (_, failed) in enumerate(ways) if failed]
    spare.sort(key=lambda at: not any(isinstance(node, Harm) for node in ways[at][0]))
    return _Sorted(flow, twin, tuple(nodes for nodes, _ in ways), tuple(spare))


def _mastered(
    dice: Dice, assault: Assault, group: Group, state: Any, firers: Muster | None, tallies: tuple[Tally, ...]
) -> Spent[Any, Any]:
    """SR-MASTER-CRAFTED-1: one failed To Hit die is thrown again; a 1 that would burn the firer before any other."""
    sorts = _sorted(group.strike, assault.book)
    volley = Volley(sorts.flow, group.count, group.weapons)
    *found, attacks = dice.run(_results, volley, (*sorts.tallies(), ATTACKS))
    thrown = next((at for at in sorts.spare if found[at]), None)
    if thrown is not None:
        found[thrown] -= 1
        (again,) = dice.ask(sorts.second)
        assert isinstance(again, Tally)
        found[sorts.tallies().index(again)] += 1
    scored = _scored(sorts, tuple(found), group.strike, assault.book)
    if scored is None:
        return Spent(state, tuple(attacks if tally == ATTACKS else 0 for tally in tallies), firers)
    spent = _sent(dice, assault, scored, state, firers, tallies)
    assert isinstance(scored.count, int)
    extra = tuple(attacks - scored.count if tally == ATTACKS else 0 for tally in tallies)
    return Spent(spent.state, _plus(spent.counts, extra), spent.firer)


def _results(dice: Dice, volley: Volley, tallies: tuple[Tally, ...]) -> Counts:
    """How often each result came up; a step of its own, so that odds reckon it once."""
    return dice.tallies(volley, *tallies)


def _scored(sorts: _Sorted, found: Counts, strike: Strike, book: Book) -> Volley | None:
    """What the To Hit dice came to, as a volley that goes on from there; None if that is nothing.

    Hits all alike are so many attacks of one table, which odds know well; else everything leaves one table at once.
    """
    leading = [at for at, nodes in enumerate(sorts.ways) if nodes and found[at]]
    if not leading:
        return None
    if len(leading) == 1:
        return Volley(_from_hits(strike, book, sorts.ways[leading[0]]), found[leading[0]])
    return Volley(_from_hits(strike, book, _nodes(sorts.ways, found)), 1)


@lru_cache(maxsize=4096)
def _from_hits(strike: Strike, book: Book, nodes: Nodes) -> Flow:
    return Flow((fixed("scored", nodes), *stages_after_hit(book.settled(strike), book)))


def _nodes(ways: Sequence[Nodes], found: Sequence[int]) -> Nodes:
    return tuple(node for way, times in zip(ways, found, strict=True) for node in way * times)
