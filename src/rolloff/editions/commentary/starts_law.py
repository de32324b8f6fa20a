"""What a list may say about the start of its units (ABIL-7, ATTACH-1, TRANS-1, RSV-2): who leads, rides and waits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from rolloff.editions.commentary.cards import keywords_of, words_of
from rolloff.editions.commentary.lookups import read_ability
from rolloff.editions.commentary.roster import BESIDE, DEEP_STRIKE, LEADS, STARTS, STRATEGIC
from rolloff.table.profile import Card, Rule

Problem = tuple[str, str]


def starts_problem(cards: list[Card]) -> Problem | None:
    """The first thing a list says about how its units start that the rules forbid: clause and sentence."""
    return next(_problems(cards), None)


def _problems(cards: list[Card]) -> Iterator[Problem]:
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
    for number, units in aboard.items():
        riders = units | {leader for at in units for leader in led[at]}
        yield from _may_ride(cards[number], [cards[at] for at in sorted(riders)])


def _ability(card: Card, name: str) -> Rule | None:
    """An ability of a datasheet, or of some model of it."""
    written = (*card.rules, *(rule for model in card.models for rule in model.rules))
    return next((rule for rule in (read_ability(str(one)) for one in written) if rule.name == name), None)


def _may_lead(leader: Card, unit: Card, before: list[Card]) -> Iterator[Problem]:
    """ABIL-7, ATTACH-1: a Leader leads a unit its datasheet names, a second one beside whom it names."""
    if _ability(leader, "Leader") is None or unit.name not in words_of(leader, LEADS):
        able = ", ".join(words_of(leader, LEADS)) or "nobody"
        yield "ABIL-7", f"{leader.name} may not lead {unit.name}, but {able}"
    elif before and (len(before) > 1 or not _beside(leader, before[0])):
        yield "ATTACH-1", f"{leader.name} may not lead {unit.name} beside {' and '.join(card.name for card in before)}"


def _beside(one: Card, other: Card) -> bool:
    return other.name in words_of(one, BESIDE) or one.name in words_of(other, BESIDE)


def _may_wait(card: Card, how: str) -> Iterator[Problem]:
    """RSV-2, ABIL-2: FORTIFICATIONS never wait, and by Deep Strike waits who has it."""
    if how in (STRATEGIC, DEEP_STRIKE) and "FORTIFICATION" in keywords_of(card):
        yield "RSV-2", f"{card.name} is a FORTIFICATION and cannot start in Reserves"
    elif how == DEEP_STRIKE and _ability(card, "Deep Strike") is None:
        yield "ABIL-2", f"{card.name} has no Deep Strike"


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
