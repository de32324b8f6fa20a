"""The kinds of events of the edition: what each may cite, and how the log tells it."""

from __future__ import annotations

from rolloff.editions.commentary.abilities import SPECIALS
from rolloff.rules.edition import EventKind


def _kind(says: str, *clauses: str) -> EventKind:
    return EventKind(frozenset(clauses), says)


_DICE = frozenset({
    "ABIL-1", "AGAINST-2", "ATK-2", "ATK-3", "ATK-6", "ATK-7", "ATK-8", "BGNT-3", "BSHOCK-1", "CRIT-1", "CRIT-2", "CRIT-3",
    "DICE-5", "FNP-1", "IGN-2", "LDTEST-1", "MODROLL-4", "MW-4", "REROLL-3", "SCORE-1", "TER-1", "WPN-14", "WPN-15",
})  # fmt: skip
_ABILITIES = frozenset(clause for ability in SPECIALS.values() for clause in ability.clauses)

KINDS = {
    "rolled": EventKind(_DICE | _ABILITIES, "{unit} rolls {purpose}: {faces}"),
    "attached": _kind("{unit} leads {into}", "ABIL-7"),
    "shot": _kind("{unit} shoots at {target} with {weapons}", "SHOOT-2", "WPN-19"),
    "struck": _kind("{unit} fights {target} with {weapons}", "FGT-6"),
    "attacked": _kind(
        "{attacks} attacks on {target}: {hits} hits, {wounds} wounds, {blocked} saved, {damage} damage", "ATK-1"
    ),
    "casualties": _kind(
        "{unit} loses {removed} models", "DEST-1", "ATK-9", "MW-2", "ABIL-1", "WPN-14"
    ),
    "parted": _kind("{unit} has lost its Bodyguard; its Leaders stand alone", "LEAD-5", "UNIT-6"),
}  # fmt: skip
