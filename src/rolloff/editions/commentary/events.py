"""The kinds of events of the edition: what each may cite, and how the log tells it."""

from __future__ import annotations

from rolloff.editions.commentary.abilities import SPECIALS
from rolloff.rules.edition import EventKind


def _kind(says: str, *clauses: str) -> EventKind:
    return EventKind(frozenset(clauses), says)


_DICE = frozenset({
    "ABIL-1", "AGAINST-2", "ATK-2", "ATK-3", "ATK-6", "ATK-7", "ATK-8", "BGNT-3", "BSHOCK-1", "CRIT-1", "CRIT-2", "CRIT-3",
    "AB-R2", "AB-R9", "AB-T8", "ENH-R2", "OOP-1", "D66-1", "SEQ-2",
    "FIGHTDEATH-1", "SHOOTDEATH-1", "RETURN-1", "ENH-T1", "ENH-M2", "AB-M3", "MSN-3", "AB-R10", "AB-R11",
    "CHG-2", "CSTR-6", "CSTR-8", "DICE-4", "DICE-5", "FNP-1", "MIS-1", "MIS-3", "MOVE-6", "MOVE-8", "TRANS-8", "TRANS-9",
    "IGN-2", "LDTEST-1", "MODROLL-4", "MW-4", "REROLL-3", "SCORE-1", "TER-1", "WPN-14", "WPN-15",
})  # fmt: skip
_ABILITIES = frozenset(clause for ability in SPECIALS.values() for clause in ability.clauses)

ABILITIES_USED = frozenset(f"AB-{f}{k}" for f in "MTR" for k in range(1, 12)) | frozenset(
    {"DET-R", "REGAIN-1", "FIGHTDEATH-3", "ENH-M2", "ENH-R1", "ENH-T1"}
)
STRATAGEMS = frozenset(f"CSTR-{k}" for k in range(1, 14)) | frozenset(f"STR-{f}{k}" for f in "MTR" for k in range(1, 7))
GRANTED = STRATAGEMS | {"COVER-1", "YUNIT-1", "WPN-3", "TRANS-6", "AUTO-4", "DISCARD-1", "AB-M6", "PERSIST-1"}
CARDS = frozenset({"MSN-3", "CSTR-12", *(f"SEC-{k}" for k in range(1, 13))})

KINDS = {
    "rolled": EventKind(_DICE | _ABILITIES, "{unit} rolls {purpose}: {faces}"),
    "attached": _kind("{unit} leads {into}", "ABIL-7"),
    "shot": _kind("{unit} shoots at {target} with {weapons}", "SHOOT-2", "WPN-19"),
    "struck": _kind("{unit} fights {target} with {weapons}", "FGT-6"),
    "attacked": _kind(
        "{attacks} attacks on {target}: {hits} hits, {wounds} wounds, {blocked} saved, {damage} damage", "ATK-1"
    ),
    "attacked-late": _kind("{target} suffers {mortal} mortal wounds of all these attacks", "MW-4"),
    "casualties": _kind(
        "{unit} loses {removed} models", "ATK-4", "AB-R2", "PSY-2", "AB-R9", "LINE-1",
        "DEST-1", "ATK-9", "MW-2", "ABIL-1", "WPN-14", "TRANS-8", "CSTR-6", "CSTR-8"
    ),
    "unit-destroyed": _kind("{unit} is destroyed", "DEST-2", "DEST-3", "DEST-4"),
    "felled-leader": _kind("", "DEST-3"),
    "lingers": _kind("{model} acts before it is removed", "FIGHTDEATH-1", "SHOOTDEATH-1"),
    "stands-aside": _kind("", "FIGHTDEATH-3"),
    "stands-again": _kind("", "FIGHTDEATH-3"),
    "demise-waits": _kind("", "FIGHTDEATH-3", "SHOOTDEATH-2"),
    "demise-due": _kind("", "FIGHTDEATH-5"),
    "gone-after-acting": _kind("{unit} loses {models}", "FIGHTDEATH-5"),
    "returned": _kind("{models} come back to {unit}", "RETURN-1", "RETURN-4", "ADD-1"),
    "fell": _kind("", "ENH-T1"),
    "no-room": _kind("there is no room for {models} of {unit}", "ADD-3"),
    "firing-deck": _kind("", "ABIL-5"),
    "gained-point": _kind("{side} gains 1 CP", "CMD-2", "ENH-M2"),
    "card-drawn": EventKind(CARDS, "{side} draws {card}"),
    "card-scored": EventKind(CARDS, "{side} scores {points} by {card}"),
    "card-given-up": EventKind(CARDS, "{side} gives {card} up"),
    "cards-noted": EventKind(CARDS, ""),
    "sides-chosen": _kind("{side} is the Attacker", "MIS-1", "CMD-6"),
    "declaring": _kind("both players declare their formations", "MIS-2"),
    "champion": _kind("{model} is the Unit Champion of {unit}", "CHAMP-1", "CHAMP-2"),
    "hovering": _kind("{unit} hovers", "ABIL-11"),
    "embarked": _kind("{unit} embarks in {transport}", "TRANS-2", "TRANS-3", "EMB-1"),
    "boards": _kind("", "TRANS-3"),
    "reserved": _kind("{unit} waits in Reserves ({how})", "RSV-1", "RSV-2", "ABIL-2", "AIR-1", "SETUP-3", "AIR-3", "REPOS-2"),
    "lost": _kind("{unit} is lost", "ARMY-6", "SETUP-3", "TRANS-8", "TRANS-9", "RESV-3", "DEST-4"),
    "deploying": _kind("{side} deploys", "MIS-6", "REDEP-2"),
    "deployed-unit": _kind("{unit} deploys", "MIS-5", "ABIL-6"),
    "deployed": _kind("both armies are deployed", "MIS-6", "MIS-3"),
    "taken-up": _kind("{unit} is taken up again", "REDEP-1", "REPOS-1"),
    "redeployed": _kind("{unit} is deployed again", "MIS-5", "ABIL-6"),
    "first-turn": _kind("{side} has the first turn", "MIS-3"),
    "scouting": _kind("{side} may scout", "ABIL-9"),
    "battle-begins": _kind("the battle begins", "ROUND-1"),
    "next": _kind("", "ROUND-1"),
    "picked": _kind("", "FGT-2"),
    "picks-next": _kind("{unit} fights next", "CSTR-2"),
    "activated": _kind(
        "{unit}: {action}",
        "ABIL-9", "CMD-4", "MOVE-1", "MOVE-4", "MOVE-10", "TRANS-3", "TRANS-4", "TRANS-5", "TRANS-6",
        "SHOOT-1", "CHG-1", "FGT-4",
    ),
    "command-points": _kind("both players gain 1 CP", "CMD-1"),
    "shock-passed": _kind("{unit} passes its Battle-shock test", "BSHOCK-1", "BSHOCK-3", "REPOS-4", "AUTO-4", "CSTR-4"),
    "battle-shocked": _kind("{unit} is Battle-shocked", "BSHOCK-1", "BSHOCK-3", "REPOS-4", "TRANS-8"),
    "control": _kind("control of {markers} changes", "OC-3", "OC-4"),
    "scored": _kind("{side} scores {points}", "MIS-4", "MSN-1", "MSN-2", "MSN-3"),
    "moved": _kind("{unit} moves ({action})", "MOVE-5", "MOVE-6", "MOVE-7", "ABIL-9", "CHG-3", "AIR-2", "MIN-1"),
    "turned": _kind("{unit} turns on the spot", "AIR-2"),
    "move-rolled": _kind("", "DICE-5"),
    "stood-still": _kind("", "STAT-1"),
    "kept-from-moving": _kind("{unit} cannot move after all", "MOVE-7", "STAT-1"),
    "destroyed": _kind("{unit} loses {models}", "MOVE-8", "DEST-4"),
    "disembarked": _kind("{unit} disembarks", "TRANS-4", "TRANS-8", "TRANS-9"),
    "escaped": _kind("{unit} gets out of the wreck", "TRANS-8"),
    "arrived": _kind("{unit} arrives", "RSV-3", "ABIL-2"),
    "reinforced": _kind("", "RESV-2", "ARRIVE-1", "SHOOTDEATH-3", "REPOS-3", "REPLACE-2"),
    "split-fire": _kind("", "SHOOT-3"),
    "overwatch": _kind("{unit} fires overwatch", "CSTR-5"),
    "attacks-resolved": _kind("", "RESOLVE-2"),
    "near": _kind("", "CHG-1"),
    "away": _kind("", "REPOS-4"),
    "fights-later": _kind("", "FGT-3"),
    "charge-declared": _kind("{unit} declares a charge at {targets}", "CHG-2"),
    "charge-failed": _kind("the charge of {unit} fails", "CHG-3"),
    "charged": _kind("{unit} has charged {targets}", "CHG-5", "CHARGE-5", "CHARGE-6"),
    "piled-in": _kind("{unit} piles in", "PILEIN-2"),
    "consolidated": _kind("{unit} consolidates", "CONSOL-1", "CONSOL-2"),
    "out-of-coherency": _kind("{unit} loses {models}, out of coherency", "COH-4", "DEST-4"),
    "stratagem": EventKind(STRATAGEMS, "{side} uses {reaction} with {unit}"),
    "granted": EventKind(GRANTED, ""),
    "regained": _kind("{unit} regains lost wounds", "REGAIN-1", "ENH-T1"),
    "ability": EventKind(ABILITIES_USED, "{unit} uses {reaction}"),
    "mutated": EventKind(frozenset({"D66-1", *(f"MUT-{k}" for k in range(1, 14))}), "{unit} mutates"),
    "lamp": _kind("{side} lays a lamp token", "ENDCMD-1", "DET-R", "TOKEN-1"),
    "discounted": _kind("{unit} pays one point less", "CPCOST-2", "AB-M2"),
    "set-up-again": _kind("{unit} is set up again", "REPOS-2", "REPLACE-2"),
    "replaced": _kind("{unit} is replaced by a new unit", "REPLACE-1", "AB-T3"),
    "game-ended": _kind("the battle is over: {score}", "MIS-4", "MIS-8"),
    "parted": _kind("{unit} has lost its Bodyguard; its Leaders stand alone", "LEAD-4", "LEAD-5", "UNIT-6"),
}  # fmt: skip
