"""What a list may say about the start of its units (ABIL-7, ATTACH-1, TRANS-1, RSV-2, RSV-6): who leads, rides and waits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from msgspec import Struct

from rolloff.editions.commentary.cards import keywords_of, words_of
from rolloff.editions.commentary.lookups import read_ability
from rolloff.editions.commentary.roster import AIRCRAFT, BESIDE, DEEP_STRIKE, HOVER, LEADS, SHARE, STARTS, STRATEGIC, ZONE
from rolloff.table.profile import Card, Rule

Problem = tuple[str, str]


def starts_problem(cards: list[Card], size: int) -> Problem | None:
    """The first thing a list says about how its units start that the rules forbid: clause and sentence."""
    return next(_problems(cards, size), None)


def _problems(cards: list[Card], size: int) -> Iterator[Problem]:
    led: dict[int, list[int]] = defaultdict(list)
    aboard: dict[int, set[int]] = defaultdict(set)
    for at, card in enumerate(cards):
        for said in words_of(card, STARTS):
            head, _, tail = said.partition(" ")
            number = int(tail) - 1 if head in ("leads", "in") and tail.isdecimal() else -1
            if head in ("leads", "in") and not 0 <= number < len(cards):
                yield "ABIL-7" if head == "leads" else "TRANS-1", f"{card.name} names unit {tail}, which the list does not have"
            elif head == "leads":
                yield from _may_lead(card, cards[number], [cards[k] for k in led[number]])
                led[number].append(at)
            elif head == "in":
                aboard[number].add(at)
            else:
                yield from _may_wait(card, said)
    for number, leaders in led.items():
        yield from _together(cards[number], [cards[at] for at in leaders])
    for number, units in aboard.items():
        riders = units | {leader for at in units for leader in led[at]}
        yield from _may_ride(cards[number], [cards[at] for at in sorted(riders)])
    yield from Waiting(cards, led, aboard).problems(size)


def _ability(card: Card, name: str) -> Rule | None:
    """An ability of a datasheet, or of some model of it."""
    written = (*card.rules, *(rule for model in card.models for rule in model.rules))
    return next((rule for rule in (read_ability(str(one)) for one in written) if rule.name == name), None)


def _may_lead(leader: Card, unit: Card, before: list[Card]) -> Iterator[Problem]:
    """ABIL-7, ATTACH-1: a Leader leads a unit its datasheet names, a second one beside whom it names."""
    if _ability(leader, "Leader") is None or unit.name not in words_of(leader, LEADS):
        able = ", ".join(words_of(leader, LEADS))
        yield "ABIL-7", f"{leader.name} may not lead {unit.name}, but {able}" if able else f"{leader.name} leads no unit"
    elif before and (len(before) > 1 or not _beside(leader, before[0])):
        yield "ATTACH-1", f"{leader.name} may not lead {unit.name} beside {' and '.join(card.name for card in before)}"


def _beside(one: Card, other: Card) -> bool:
    return other.name in words_of(one, BESIDE) or one.name in words_of(other, BESIDE)


def _together(unit: Card, leaders: list[Card]) -> Iterator[Problem]:
    """ABIL-7, ABIL-2: a Leader starts with whom it leads; all of them wait by Deep Strike, or none does."""
    with_unit = words_of(unit, STARTS)
    for leader in leaders:
        apart = [said for said in words_of(leader, STARTS) if not said.startswith("leads ") and said not in (ZONE, *with_unit)]
        if apart:
            yield "ABIL-7", f"{leader.name} leads {unit.name} and starts with it, not apart ({apart[0]})"
        if DEEP_STRIKE in with_unit and _ability(leader, "Deep Strike") is None:
            yield "ABIL-2", f"{leader.name}, who leads {unit.name}, has no Deep Strike"


WAYS = {DEEP_STRIKE: ("ABIL-2", "Deep Strike"), HOVER: ("ABIL-11", "Hover"), "infiltrators": ("ABIL-6", "Infiltrators")}
"""Ways to start that ask for an ability, and the clause of each."""


def _may_wait(card: Card, how: str) -> Iterator[Problem]:
    """RSV-2, AIR-1, ABIL-2, ABIL-6, ABIL-11: FORTIFICATIONS never wait; whoever starts in a way of its own must have it."""
    if how in (STRATEGIC, DEEP_STRIKE) and "FORTIFICATION" in keywords_of(card):
        yield "RSV-2", f"{card.name} is a FORTIFICATION and cannot start in Reserves"
    elif how == AIRCRAFT and AIRCRAFT.upper() not in keywords_of(card):
        yield "AIR-1", f"{card.name} is no AIRCRAFT"
    elif how == ZONE and AIRCRAFT.upper() in keywords_of(card):
        yield "AIR-1", f"{card.name} is AIRCRAFT and starts in Reserves, unless it hovers"
    elif how in WAYS:
        clause, name = WAYS[how]
        if _ability(card, name) is None:
            yield clause, f"{card.name} has no {name}"
    elif how not in (ZONE, STRATEGIC, AIRCRAFT):
        yield (
            "MIS-2",
            f"{card.name} cannot start {how!r}, but {', '.join((ZONE, STRATEGIC, AIRCRAFT, *WAYS))} or in a TRANSPORT",
        )


class Waiting(Struct, frozen=True):
    """Who of a list starts in Reserves: its cards, the Leaders of each, and who is aboard of which, by place in the list."""

    cards: list[Card]
    led: Mapping[int, list[int]]
    aboard: Mapping[int, set[int]]

    def problems(self, size: int) -> Iterator[Problem]:
        """RSV-2, RSV-6: Strategic Reserves of a quarter of the size, Reserves of half the units and points at most."""
        places = range(len(self.cards))
        flying = {part for at in places if self._flies(at) for part in self._group(at)}
        army = [at for at in places if at not in flying]
        strategic, deep = (
            {part for at in army if how in self._says(at) for part in self._group(at)} for how in (STRATEGIC, DEEP_STRIKE)
        )
        worth = self._worth(strategic)
        if SHARE * worth > size:
            yield "RSV-2", f"{worth} points in Strategic Reserves are more than a quarter of {size}"
        both = strategic | deep
        if 2 * len(both) > len(army):
            yield "RSV-6", f"{len(both)} of {len(army)} units in Reserves are more than half"
        if 2 * self._worth(both) > self._worth(army):
            yield "RSV-6", f"{self._worth(both)} of {self._worth(army)} points in Reserves are more than half"

    def _says(self, at: int) -> tuple[str, ...]:
        """How a unit says it starts; who is led or aboard starts with others."""
        away = {*chain.from_iterable(self.led.values()), *chain.from_iterable(self.aboard.values())}
        return () if at in away else words_of(self.cards[at], STARTS)

    def _flies(self, at: int) -> bool:
        """RSV-6: an AIRCRAFT that does not hover."""
        return AIRCRAFT.upper() in keywords_of(self.cards[at]) and HOVER not in words_of(self.cards[at], STARTS)

    def _group(self, at: int) -> list[int]:
        """A unit with its Leaders, and everybody aboard with theirs."""
        parts = [at, *sorted(self.aboard.get(at, ()))]
        return [one for part in parts for one in (part, *self.led.get(part, ()))]

    def _worth(self, units: Iterable[int]) -> int:
        return sum(self.cards[at].points for at in units)


def _may_ride(hull: Card, riders: list[Card]) -> Iterator[Problem]:
    """TRANS-1: a TRANSPORT takes as many models as it has room for, of its kind; Leaders ride with whom they lead."""
    carries = _ability(hull, "Carries")
    if carries is None:
        yield "TRANS-1", f"{hull.name} carries nobody"
        return
    room, *words = str(carries.rating).split()
    for rider in riders:
        if not set(words) <= set(keywords_of(rider)):
            yield "TRANS-1", f"{hull.name} carries {' '.join(words)} models, and {rider.name} is none"
    models = sum(len(rider.models) for rider in riders)
    if models > int(room):
        yield "TRANS-1", f"{models} models are too many for {hull.name}, which carries {room}"
