"""The kinds of events of the edition: what each may cite, and how the log tells it."""

from __future__ import annotations

from rolloff.editions.compendium.abilities import SPECIALS
from rolloff.rules.edition import EventKind


def _kind(says: str, *clauses: str) -> EventKind:
    return EventKind(frozenset(clauses), says)


_FRAME = (
    "CF-SHOOT-3", "CF-SHOOT-4", "CF-ASLT-7", "CF-ASLT-18", "CF-WOUND-1", "CF-WOUND-2", "CF-SAVE-1", "CF-AP-1", "CF-DICE-5",
    "CF-DICE-12", "CF-ALLOC-2", "CF-VEH-1", "CF-VEH-4", "CF-VEH-6", "CF-VEH-9", "SR-DESTROYER-2", "SR-GETS-HOT-2",
    "SR-OPEN-TOPPED-1", "SR-SNIPER-4",
)  # fmt: skip
_RULES = tuple(clause for special in SPECIALS.values() for clause in special.clauses)

KINDS = {
    "rolled": _kind("{unit} rolls {purpose}: {faces}", *_FRAME, *_RULES),
    "shot": _kind("{unit} shoots at {target} with {weapons}", "CF-SHOOT-1", "CF-SHOOT-5", "SR-ONE-USE-ONLY-2"),
    "struck": _kind("{unit} strikes {target}", "CF-ASLT-5", "CF-ASLT-8", "SR-ONE-USE-ONLY-2"),
    "attacked": _kind(
        "{attacks} attacks on {target}: {hits} hits, {wounds} wounds, {blocked} saved, {ignored} shrugged off, {mortal} mortal",
        "CF-SHOOT-3", "CF-ASLT-7", "CF-WOUND-1", "CF-VEH-1", "CF-VEH-6",
    ),
    "casualties": _kind(
        "{unit} loses {removed} models", "CF-DMG-1", "CF-ALLOC-1", "CF-VEH-3", "CF-VEH-7", "CF-DMG-3", "CF-DMG-5"
    ),
    "burnt": _kind("{unit} is harmed by its own weapons", "SR-GETS-HOT-1", "SR-GETS-HOT-2", "SR-HAZARDOUS-1", "SR-HAZARDOUS-2"),
    "mastered": _kind("{unit} tries a blow or shot again", "SR-MASTER-CRAFTED-1"),
    "concussed": _kind("Models of {unit} drop to Initiative 1", "SR-CONCUSSIVE-1", "SR-CONCUSSIVE-2"),
    "feared": _kind("{unit} is afraid", "SR-FEAR-1"),
    "combat-tied": _kind("{unit} and {target} fight to a draw", "CF-ASLT-9"),
    "combat-won": _kind("{unit} wins by {by}; of {target}: {word}", "CF-ASLT-9", "CF-ASLT-10"),
    "lit": _kind("{unit} glows", "SR-LUMINAGEN-1"),
    "leeched": _kind("{unit} drinks what it spilt", "SR-SOUL-LEECH-1"),
    "shaken": _kind("The crew of {unit} is shaken", "CF-VEH-6"),
    "stunned": _kind("The crew of {unit} is stunned", "CF-VEH-6"),
    "disarmed": _kind("{unit} loses a weapon", "CF-VEH-6"),
    "immobile": _kind("{unit} is Immobilised", "CF-VEH-6"),
    "exploded": _kind("{unit} explodes, {reach} inches round", "CF-VEH-6", "CF-VEH-7"),
}  # fmt: skip
