"""A whole attack event in direct style, for dice and odds alike: group after group, then what rules roll at the end.

Most groups are one volley through one flow. Two rules need more: Master-crafted picks among failed To Hit dice, Deflagrate
counts the unsaved wounds of its group.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import lru_cache
from typing import Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

from rolloff.editions.compendium.crew import Crew, CrewState, hazard
from rolloff.editions.compendium.matchup import AbilityRegistry, Strike
from rolloff.editions.compendium.sequence import first_tables, flow_of
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
    Wave,
    harm_of,
)
from rolloff.oracle.offers import Offer
from rolloff.oracle.roll import Dice, Spent
from rolloff.oracle.stage import Stage, fixed
from rolloff.oracle.target import Target
from rolloff.rules.citing import cites

Counts = tuple[int, ...]

SUMS = (ATTACKS, HITS, WOUNDS, BLOCKED, IGNORED, UNSAVED, DAMAGE, MORTAL)
"""What is told of an attack, in this order; unsaved wounds without the mortal ones."""


class Group(Struct, frozen=True, cache_hash=True):
    """Like attacks rolled together (CF-SHOOT-5): the match-up, how many for each weapon, and whose weapons they are.

    ``arms`` are the weapons by slot and index, ``like`` what makes weapons one group. ``fellows`` are further parts of the
    group, whose dice are rolled in the same handful though something tells them apart.
    """

    strike: Strike
    count: int | Stage[int] = 1
    weapons: int = 1
    bearers: tuple[int, ...] = ()
    name: str = ""
    step: int = 0
    mastered: bool = False
    deflagrates: Strike | None = None
    hazardous: bool = False
    arms: tuple[tuple[int, int], ...] = ()
    like: Hashable = None
    fellows: tuple[Group, ...] = ()

    @property
    def parts(self) -> tuple[Group, ...]:
        """The group part by part, in the order of their dice."""
        return (replace(self, fellows=()), *self.fellows) if self.fellows else (self,)


class Chooser(Protocol):
    """Whoever says whether a Master-crafted weapon's re-roll is made."""

    def __hash__(self) -> int:
        """Steps are remembered by who chooses."""
        ...

    def masters(self, part: Group) -> bool:
        """Whether one failed die of a weapon is rolled again."""
        ...


class Assault(Struct, frozen=True, cache_hash=True):
    """All groups of one attack event on one target; without a crew the firers' own harm is left out.

    ``stops``: groups left when the target is gone are not rolled. ``chooser`` is asked about re-rolls that are optional, and
    takes each if nobody is.
    """

    book: AbilityRegistry
    groups: tuple[Group, ...]
    target: Any
    crew: Crew | None = None
    stops: bool = False
    chooser: Chooser | None = None

    @property
    def plain(self) -> bool:
        """Whether the volleys of the groups say everything about the target."""
        return not any(
            group.deflagrates or any(part.mastered for part in group.parts) or (group.fellows and self._waits(group))
            for group in self.groups
        )

    def _waits(self, group: Group) -> bool:
        """Whether harm of one part of a group waits for the wounds of the others."""
        flows = [flow_of(part.strike, self.book) for part in group.parts]
        return any(harm_of(leaving).wave > Wave.IN_TURN for flow in flows for leaving in flow.exits())

    def volleys(self) -> tuple[Volley, ...]:
        """The groups as volleys, for events that are plain."""
        return tuple(volley_of(part, self.book) for group in self.groups for part in group.parts)


def volley_of(group: Group, book: AbilityRegistry) -> Volley:
    """A group as one volley through the flow of its match-up."""
    return Volley(flow_of(group.strike, book), group.count, group.weapons)


def resolve(
    dice: Dice, assault: Assault, state: Any, firers: CrewState | None, tallies: tuple[Tally, ...] = ()
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
    firers: CrewState | None,
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
    for part in group.parts:
        used += part.bearers if part.hazardous else ()
    state, firers = _restored(assault, spent.state, spent.firer)
    rest: Spent[Any, Any]
    rest = dice.run(_onward, assault, at + 1, state, firers, Afterwards(fires, used), tallies)
    return Spent(rest.state, _plus(spent.counts[: len(tallies)], rest.counts), rest.firer)


def _ended(
    dice: Dice, assault: Assault, state: Any, firers: CrewState | None, later: Afterwards, tallies: tuple[Tally, ...]
) -> Spent[Any, Any]:
    """What rules roll after the last group."""
    counts = (0,) * len(tallies)
    for strike, hits in later.fires:
        state, more = dice.run(_burn, assault, strike, hits, state, tallies)
        counts = _plus(counts, more)
    if later.used and firers is not None and assault.crew is not None:
        risks = tuple(hazard(at) for at in later.used)
        firers = dice.volley(risks, assault.target, state, firer=assault.crew, firer_state=firers, pooled=True).firer
    return Spent(state, counts, firers)


@cites("SR-SOUL-LEECH-1", "SR-SOUL-LEECH-2")
def _restored(assault: Assault, state: Any, firers: CrewState | None) -> tuple[Any, CrewState | None]:
    """SR-SOUL-LEECH-1: what a group's wounds restore to their bearers is theirs before the next group."""
    if not state.drunk:
        return state, firers
    if firers is not None and assault.crew is not None:
        firers = assault.crew.restored(firers, state.drunk)
    return state._replace(drunk=()), firers


def _plus(counts: Counts, more: Counts) -> Counts:
    return tuple(one + other for one, other in zip(counts, more, strict=True))


def _group(
    dice: Dice, assault: Assault, group: Group, state: Any, firers: CrewState | None, tallies: tuple[Tally, ...]
) -> Spent[Any, Any]:
    """One group to the end of its wounds."""
    if any(part.mastered for part in group.parts):
        return _mastered(dice, assault, group, state, firers, tallies)
    volleys = tuple(volley_of(part, assault.book) for part in group.parts)
    return _sent(dice, assault, volleys, state, firers, tallies)


def _sent(
    dice: Dice, assault: Assault, volleys: tuple[Volley, ...], state: Any, firers: CrewState | None, tallies: tuple[Tally, ...]
) -> Spent[Any, Any]:
    target: Target[Any] = assault.target
    pooled = len(volleys) > 1
    if assault.crew is None or firers is None or not any(reaches_firers(volley.flow) for volley in volleys):
        spent: Spent[Any, Any] = dice.volley(volleys, target, state, *tallies, pooled=pooled)
        return Spent(spent.state, spent.counts, firers)
    return dice.volley(volleys, target, state, *tallies, firer=assault.crew, firer_state=firers, pooled=pooled)


@lru_cache(maxsize=4096)
def reaches_firers(flow: Flow) -> bool:
    """Whether attacks may harm who makes them."""
    return any(harm_of(leaving).on is Side.FIRER for leaving in flow.exits())


@cites("SR-DEFLAGRATE-1", "SR-DEFLAGRATE-3")
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


class _Opened(Struct, frozen=True, cache_hash=True):
    """The first dice of a match-up, their results numbered: which may still be rolled again, and where each result leads."""

    flow: Flow
    second: Stage[Nodes]
    ways: tuple[Nodes, ...]
    spare: tuple[int, ...]
    rest: tuple[Stage[Nodes], ...]

    def tallies(self) -> tuple[Tally, ...]:
        return tuple(Tally(f"result {at}") for at in range(len(self.ways)))


@lru_cache(maxsize=1024)
def _opened(strike: Strike, book: AbilityRegistry) -> _Opened:
    """Number the results of the first table, first rolls that failed apart from all others."""
    first, second, rest = first_tables(book.settled(strike), book)
    ways: list[tuple[Nodes, bool]] = []

    def numbered(stage: Stage[Nodes], fresh: bool) -> Stage[Nodes]:
        read: list[Nodes | Stage[Nodes]] = []
        for entry, good in zip(stage.read, stage.good, strict=True):
            if isinstance(entry, Stage):
                read.append(numbered(entry, False))
                continue
            assert not isinstance(entry, Offer)
            way = (entry, fresh and not good)
            if way not in ways:
                ways.append(way)
            read.append((Tally(f"result {ways.index(way)}"),))
        why = stage.why if fresh else tuple((*cited, "SR-MASTER-CRAFTED-1") for cited in stage.why)
        return Stage(stage.label, read, why=why, good=stage.good, need=stage.need, dice=stage.dice, keep=stage.keep)

    flow, twin = Flow((numbered(first, True),)), numbered(second, False)
    spare = [at for at, (_, failed) in enumerate(ways) if failed]
    spare.sort(key=lambda at: not any(isinstance(node, Harm) for node in ways[at][0]))
    return _Opened(flow, twin, tuple(nodes for nodes, _ in ways), tuple(spare), rest)


Found = tuple[tuple[Strike, Counts], ...]
"""How often each result of its first table came up for some match-ups."""


def _mastered(
    dice: Dice, assault: Assault, group: Group, state: Any, firers: CrewState | None, tallies: tuple[Tally, ...]
) -> Spent[Any, Any]:
    """SR-MASTER-CRAFTED-1: one failed To Hit die of a weapon may be rolled again; a 1 that would burn before any other."""
    parts = group.parts
    if len(parts) > 1:
        dice.ahead([_first_volley(part, assault.book) for part in parts])
    found, attacks = dice.run(_opening, assault, parts, 0, (), 0)
    volleys = tuple(one for one in (_scored(strike, counts, assault.book) for strike, counts in found) if one is not None)
    if not volleys:
        return Spent(state, tuple(attacks if tally == ATTACKS else 0 for tally in tallies), firers)
    spent = _sent(dice, assault, volleys, state, firers, tallies)
    sent = sum(volley.count for volley in volleys if isinstance(volley.count, int))
    extra = tuple(attacks - sent if tally == ATTACKS else 0 for tally in tallies)
    return Spent(spent.state, _plus(spent.counts, extra), spent.firer)


def _first_volley(part: Group, book: AbilityRegistry) -> Volley:
    return Volley(_opened(part.strike, book).flow, part.count, part.weapons)


def _opening(dice: Dice, assault: Assault, parts: tuple[Group, ...], at: int, found: Found, attacks: int) -> tuple[Found, int]:
    """The first dice of the parts from one on, and what is rolled again; like results add up, so that odds meet them again."""
    if at == len(parts):
        return found, attacks
    part = parts[at]
    opened = _opened(part.strike, assault.book)
    *counts, more = dice.tallies(_first_volley(part, assault.book), *opened.tallies(), ATTACKS)
    rolled = next((at for at in opened.spare if counts[at]), None)
    if part.mastered and rolled is not None and (assault.chooser is None or assault.chooser.masters(part)):
        counts[rolled] -= 1
        (again,) = dice.ask(opened.second)
        assert isinstance(again, Tally)
        counts[opened.tallies().index(again)] += 1
    own = tuple(counts)
    if found and found[-1][0] == part.strike:
        found, own = found[:-1], _plus(found[-1][1], own)
    return dice.run(_opening, assault, parts, at + 1, (*found, (part.strike, own)), attacks + more)


def _scored(strike: Strike, counts: Counts, book: AbilityRegistry) -> Volley | None:
    """What the first dice came to, as a volley that goes on from there; None if that is nothing.

    Hits all alike are so many attacks of one table, which odds know well; else everything leaves one table at once.
    """
    opened = _opened(strike, book)
    leading = [at for at, nodes in enumerate(opened.ways) if nodes and counts[at]]
    if not leading:
        return None
    if len(leading) == 1:
        return Volley(_after(opened, opened.ways[leading[0]]), counts[leading[0]])
    return Volley(_after(opened, _nodes(opened.ways, counts)), 1)


@lru_cache(maxsize=4096)
def _after(opened: _Opened, nodes: Nodes) -> Flow:
    return Flow((fixed("scored", nodes), *opened.rest))


def _nodes(ways: Sequence[Nodes], counts: Sequence[int]) -> Nodes:
    return tuple(node for way, times in zip(ways, counts, strict=True) for node in way * times)
