"""Army law (ARMY, BLINE, WARLORD): what a roster may hold, judged whole and before the battle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rolloff.editions.commentary.cards import keywords_of, words_of
from rolloff.editions.commentary.detachments import DETACHMENT, detachment
from rolloff.editions.commentary.layouts import check_layout
from rolloff.editions.commentary.starts_law import starts_problem
from rolloff.editions.commentary.stratagem_words import check_fielded
from rolloff.errors import ArmyError
from rolloff.rules.citing import cites
from rolloff.table.profile import Card
from rolloff.table.setup import Setup

SIZES = (500, 1000, 2000, 3000)
FACTION, ENHANCEMENT, BATTLELINE, WARLORD_LAW = "faction:", "enhancement:", "battleline:", "warlord:"
WARLORD = "WARLORD"
BREAKS_NONE = "Breaks No Detachment"
SIDES = "AB"
NOBODY = ("A", "B")
"""What armies are called of which no list is told: part of a battle somebody laid out."""


def check_setup(setup: Setup) -> None:
    """Refuse an army its law does not allow; moments without a battle size, or of no named list, are nobody's roster."""
    check_fielded(sorted({name for card in setup.cards for name in words_of(card, DETACHMENT)}))
    if not setup.points or setup.armies == NOBODY:
        return
    check_layout(setup)
    for side in (0, 1):
        cards = [card for card in setup.cards if card.side == side]
        for clause, message in _problems_of(cards, setup.points):
            raise ArmyError("illegal-army", f"{setup.armies[side]}: {message}", where=setup.armies[side], clause=clause)


_judged: dict[tuple[int, ...], tuple[list[Card], tuple[tuple[str, str], ...]]] = {}
"""Rosters judged lately, by the identity of their cards, which are kept alive: ready-made ones come before every game."""
MOST_JUDGED = 64


def _problems_of(cards: list[Card], size: int) -> tuple[tuple[str, str], ...]:
    """The problems of a roster, found once while its cards are the same."""
    key = size, *map(id, cards)
    kept = _judged.get(key)
    if kept is None:
        if len(_judged) >= MOST_JUDGED:
            _judged.clear()
        kept = _judged[key] = cards, tuple(problems(cards, size))
    return kept[1]


def problems(cards: list[Card], size: int) -> Iterator[tuple[str, str]]:
    """Everything a roster does that its law forbids: clause and sentence."""
    for judge in (_size, _faction, _copies, _enhancements, _warlord, _starts):
        found = judge(cards, size)
        if found:
            yield found


@cites("ARMY-1", "POINTS-1")
def _size(cards: list[Card], size: int) -> tuple[str, str] | None:
    """ARMY-1, POINTS-1: the points of all units together do not exceed the battle size, which is one of four."""
    total = sum(card.points for card in cards)
    if size not in SIZES:
        return "ARMY-1", f"no battle is of {size} points, but of {', '.join(map(str, SIZES))}"
    return ("ARMY-1", f"{total} points are more than {size}") if total > size else None


@cites("ARMY-2")
def _faction(cards: list[Card], size: int) -> tuple[str, str] | None:
    """ARMY-2: one faction and one detachment, which takes every unit."""
    factions = sorted({name for card in cards for name in words_of(card, FACTION)})
    camps = sorted({name for card in cards for name in words_of(card, DETACHMENT)})
    if len(factions) > 1:
        return "ARMY-2", f"units of {' and '.join(factions)} make no army"
    if len(camps) != 1:
        return "ARMY-2", f"an army has one detachment, not {' and '.join(camps) or 'none'}"
    return _detachment(cards, camps[0])


def _detachment(cards: list[Card], name: str) -> tuple[str, str] | None:
    """ARMY-2, KEYW-5: a detachment there is, of models with its keyword; who says that it breaks none does not count."""
    found = detachment(name)
    if found is None:
        return "ARMY-2", f"there is no detachment {name!r}"
    for card in cards:
        if found.keyword not in keywords_of(card) and not any(rule.name == BREAKS_NONE for rule in card.rules):
            return "ARMY-2", f"{found.name} takes {found.keyword} units, and {card.name} is none"
    return None


@cites("ARMY-3", "BLINE-1")
def _copies(cards: list[Card], size: int) -> tuple[str, str] | None:
    """ARMY-3, BLINE-1: three of one datasheet, six of BATTLELINE and DEDICATED TRANSPORT, one of each EPIC HERO."""
    line = {name for card in cards for name in words_of(card, BATTLELINE)}
    for name, count in Counter(card.name for card in cards).items():
        words = keywords_of(next(card for card in cards if card.name == name))
        many = name in line or "BATTLELINE" in words or "DEDICATED TRANSPORT" in words
        most = 1 if "EPIC HERO" in words else 6 if many else 3
        if count > most:
            return "ARMY-3", f"{count} units of {name}, at most {most} are allowed"
    return None


@cites("ARMY-4")
def _enhancements(cards: list[Card], size: int) -> tuple[str, str] | None:
    """ARMY-4: at most three Enhancements, all different, on CHARACTER units that may bear them and are no EPIC HERO."""
    held = [(card, word) for card in cards for word in words_of(card, ENHANCEMENT)]
    ids = [word.split(" ", 1)[0] for _, word in held]
    twice = next((name for name, count in Counter(ids).items() if count > 1), None)
    if twice is not None:
        return "ARMY-4", f"{twice} is taken twice; all Enhancements of an army are different"
    if len(ids) > 3:
        return "ARMY-4", f"{len(ids)} Enhancements, at most 3 are allowed"
    for card, word in held:
        words = set(keywords_of(card))
        if "EPIC HERO" in words:
            return "ARMY-4", f"{card.name} is an EPIC HERO, who bears no Enhancement"
        bearer = word.split(" ", 1)[1].removesuffix(" with Leader")
        fits = card.name == bearer or set(bearer.split()) <= words
        leads = not word.endswith(" with Leader") or any(rule.name == "Leader" for rule in card.rules)
        if "CHARACTER" not in words or not fits or not leads:
            return "ARMY-4", f"{card.name} cannot bear {word.split(' ', 1)[0]}, which is for {word.split(' ', 1)[1]}"
    return None


@cites("ABIL-7")
def _starts(cards: list[Card], size: int) -> tuple[str, str] | None:
    """ABIL-7, TRANS-1, RSV-2, RSV-6: whom a list lets lead, ride and wait must be able to."""
    return starts_problem(cards, size)


@cites("ARMY-5", "WARLORD-1", "WARLORD-2")
def _warlord(cards: list[Card], size: int) -> tuple[str, str] | None:
    """ARMY-5, WARLORD-1, WARLORD-2: one CHARACTER is the WARLORD: one that must, never one that cannot."""
    leaders = [card for card in cards if WARLORD in keywords_of(card)]
    if len(leaders) != 1:
        return "ARMY-5", f"one CHARACTER is the WARLORD, not {len(leaders)} units"
    if "CHARACTER" not in keywords_of(leaders[0]):
        return "ARMY-5", f"the WARLORD is a CHARACTER, and {leaders[0].name} is none"
    if "never" in words_of(leaders[0], WARLORD_LAW):
        return "WARLORD-2", f"{leaders[0].name} cannot be the WARLORD"
    must = [card for card in cards if "must" in words_of(card, WARLORD_LAW) and "never" not in words_of(card, WARLORD_LAW)]
    if must and leaders[0] not in must:
        return "WARLORD-1", f"{must[0].name} must be the WARLORD"
    return None
