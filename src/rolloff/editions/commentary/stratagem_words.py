"""The words of which books make detachments and Stratagems, and the refusals of others: when, on whom, what, how long."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache

from rolloff.editions.commentary.abilities import READER, SPECIALS
from rolloff.editions.commentary.ability import ATTACKER, OTHER
from rolloff.editions.commentary.afterlife import FIGHTS, SHOOTS
from rolloff.editions.commentary.conditions import WEAPON
from rolloff.editions.commentary.detachments import Found, Stratagem, detachments, others
from rolloff.editions.commentary.doings import DOINGS
from rolloff.editions.commentary.specials.characteristic import Changes
from rolloff.editions.commentary.specials.conditional import Conditional, OnWeapons
from rolloff.editions.commentary.stratagems import LABELS
from rolloff.editions.commentary.turn import EFFECTS, MOMENTS, PARTS
from rolloff.errors import ArmyError, BadInput
from rolloff.table.profile import Rule

PHASES = tuple(phase for phase in PARTS if phase not in ("reinforcements", "end-of-turn"))
ONCE = ("", "end-phase", "end-turn", "end-round", "game")
SELECTED = ("targets-chosen", "melee-targets-chosen", "has-shot", "charge-declared", "charged")
FALLEN = ("felled", "demise", "attacks-made")
OF_NOBODY = (
    "start-command",
    "command-step",
    "battle-shock-step",
    "reinforcements",
    "shooting-starts",
    *(name for name in MOMENTS if name.startswith("end-")),
)
"""Moments that are of no unit."""
ANY = tuple(name for name in MOMENTS if name not in ("rolled", "paid"))
OF_UNITS = tuple(name for name in ANY if name not in OF_NOBODY)

AT: Mapping[str, Collection[str]] = {
    "acting": OF_UNITS,
    "acting-model": OF_UNITS,
    "near": OF_UNITS,
    "targeted": SELECTED,
    "hurt": ("has-shot",),
    "fallen": FALLEN,
    "free": ANY,
    "below-half": ANY,
}
"""Whom a Stratagem may be used on, and the moments at which there are such."""
DOES_AT: Mapping[str, Collection[str]] = {
    **dict.fromkeys(DOINGS, ANY),
    "shoot-back": OF_UNITS,
    "shoot-arrivals": ("set-up",),
    "may-charge": ("disembarked",),
    "steady": ("battle-shock-step",),
    "surge": ("charge-declared",),
    "weapon-again": ("has-shot",),
    "fight-on-death": ("felled",),
    "sure-demise": ("demise",),
}
"""What a Stratagem may do beside giving abilities, and at which moments."""
AT_WHOM: Mapping[str, Collection[str]] = {
    "shoot-back": ("targeted", "hurt", "near"),
    "shoot-arrivals": ("near",),
    "fight-on-death": ("fallen",),
    "sure-demise": ("fallen",),
    "weapon-again": ("acting",),
    "may-charge": ("acting",),
    "surge": ("acting",),
}
"""What only makes sense for some of those it may be used on."""
WARLORD, LAMPS = "WARLORD", "Lamp Tokens"
Fault = tuple[str, str, Collection[str]]
"""A field, what stands there, and what may."""


def check_fielded(names: Iterable[str]) -> None:
    """ARMY-2: the detachments somebody fields are there, and their books say of them what can be played.

    Raises:
        ArmyError: there is no such detachment.
        BadInput: the first word that is not known, and those that are.
    """
    for name in names:
        if not _known(name):
            allowed = ", ".join((*detachments(), *others()))
            raise ArmyError(
                "unknown-detachment", f"there is no detachment {name!r}", where="detachment", allowed=allowed, clause="ARMY-2"
            )


@lru_cache(maxsize=64)
def _shipped(name: str) -> bool:
    return name in detachments()


def _known(name: str) -> bool:
    if _shipped(name):
        return True
    found = others().get(name)
    if found is not None:
        check_words(found)
    return found is not None


def check_words(found: Found) -> None:
    """Refuse a detachment that says what nobody knows, with the place and what may stand there."""
    camp, names = found.detachment, _taken()
    for number, text in enumerate(camp.rules):
        where = f"{camp.name}: rules[{number}]"
        if not _for_attacks(READER.rule(text, where)):
            raise BadInput("bad-book", f"{where}: {text!r} is no rule for attacks, as those of detachments are", where=where)
    _refuse(camp.name, ("keyword", camp.keyword, tuple(found.keywords)) if camp.keyword not in found.keywords else None)
    for row in camp.stratagems:
        where = f"{camp.name}: {row.name}"
        if row.name in names:
            raise BadInput("bad-book", f"{where}: there is another Stratagem of that name", where=where)
        names.add(row.name)
        _refuse(where, next(faults(row), None))
        for number, text in enumerate(row.gives):
            if not _lasting(READER.rule(text, f"{where}: gives[{number}]")):
                raise BadInput("bad-book", f"{where}: {text!r} cannot be given for a while", where=f"{where}: gives[{number}]")
        _refuse(where, next(_foreign(row, found), None))


def _for_attacks(rule: Rule) -> bool:
    """Whether the attacks of an army can have a rule; tokens on markers are the other thing a detachment may bring."""
    special = SPECIALS[rule.name]
    inner = special.inner(rule.rating)
    return special.part == ATTACKER or rule.name == LAMPS or bool(inner and _for_attacks(READER.rule(inner, rule.name)))


def _lasting(rule: Rule) -> bool:
    """Whether a unit can have an ability for a while: those of attacks and against them, what changes numbers, last deeds."""
    special = SPECIALS[rule.name]
    if special.inner(rule.rating):
        return type(special) in (Conditional, OnWeapons)
    return special.part != OTHER or isinstance(special, Changes) or rule.name in (FIGHTS, SHOOTS)


def _taken() -> set[str]:
    """The names of the Stratagems there are."""
    return {*LABELS, *(row.name for camp in detachments().values() for row in camp.stratagems)}


def _refuse(where: str, fault: Fault | None) -> None:
    if fault is not None:
        field, said, allowed = fault
        message = f"{where}: {field} {said!r} is not known" if allowed else f"{where}: {field} {said}"
        raise BadInput("bad-book", message, where=f"{where}: {field}", allowed=", ".join(sorted(allowed)) or None)


def _foreign(row: Stratagem, found: Found) -> Iterator[Fault]:
    """Keywords and weapons of which the book has none: nobody could ever use it."""
    words = {*found.keywords, WARLORD, "or"}
    for field, said in (("keywords", row.keywords), ("unless", row.unless)):
        yield from ((field, word, tuple(found.keywords)) for word in said.split() if not _is_word(word, said, words))
    named = [("equipment", row.equipment)] if row.equipment else []
    for text in row.gives:
        rule = READER.rule(text, row.name)
        if rule.name == WEAPON:
            named.append(("gives: Weapon", str(rule.rating).partition(":")[0]))
    weapons = (*found.weapons, "ranged")
    yield from ((field, said, weapons) for field, said in named if said not in weapons)


def _is_word(word: str, said: str, words: Collection[str]) -> bool:
    """Whether a word is a keyword of the book, or part of one of several words that stands there."""
    return word in words or any(word in known.split() and known in said for known in words)


def faults(row: Stratagem) -> Iterator[Fault]:
    """What a Stratagem says that nobody knows, or that does not go together."""
    words = [
        ("target", row.target, AT),
        ("until", row.until, EFFECTS.words),
        ("once", row.once, ONCE),
    ]
    words += [("at", name, ANY) for name in row.at] + [("phases", name, PHASES) for name in row.phases]
    words += [("does", row.does, DOINGS)] if row.does else []
    yield from ((field, said, tuple(known)) for field, said, known in words if said not in known)
    yield from (("at", f"{name!r} is no moment for target {row.target!r}", ()) for name in row.at if name not in AT[row.target])
    if row.does:
        yield from (("does", f"{row.does!r} is not done at {name!r}", ()) for name in row.at if name not in DOES_AT[row.does])
        if row.target not in AT_WHOM.get(row.does, AT):
            yield "does", f"{row.does!r} is not done to target {row.target!r}", ()
    if (row.target == "near") != (row.within > 0):
        yield "within", f"{row.within} does not go with target {row.target!r}", ()
    if row.ability and READER.names.find(row.ability) is None:
        yield "ability", row.ability, READER.names.names
    if row.cost < 0:
        yield "cost", f"{row.cost} is less than 0", ()
