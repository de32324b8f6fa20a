"""The kinds of events of the family: what each may cite, and how the log tells it."""

from __future__ import annotations

from rolloff.rules.edition import EventKind


def _kind(says: str, *clauses: str) -> EventKind:
    return EventKind(frozenset(clauses), says)


_DICE = (
    "DICE-2", "DICE-4", "DICE-5", "DICE-9", "DICE-10", "SHOOT-8", "SHOOT-9", "SHOOT-10", "MELEE-13", "RES-4", "RES-6", "RES-7",
    "RES-8", "RES-10", "RULE-ARMORED-1", "TERR-COVER-2", "TERR-COVER-3", "RULE-STEALTH-1", "ELEV-3", "ELEV-4",
    "RULE-INDIRECT-1", "RULE-LINKED-1", "RULE-UNWIELDY-1", "RULE-RENDING-1", "RULE-PRECISE-1", "RULE-POISON-1",
    "RULE-PIERCING-1", "RULE-REGEN-1",
    "PIN-2", "RULE-FEAR-1", "VDMG-4", "VDMG-6", "VDMG-8", "MORALE-7", "RULE-FEARLESS-1", "TERR-DANG-1", "TERR-DANG-2",
    "DEPLOY-1", "RULE-SCOUT-1", "RULE-DEEPSTRIKE-2", "RULE-DEEPSTRIKE-5", "RULE-PSYKER-1", "RULE-PSYKER-5", "RULE-PSYKER-7",
    "RULE-PSYKER-8", "WPN-2", "GEN-7", "RULE-IMPACT-1", "MELEE-10", "RULE-TRANSPORT-8",
    "RULE-HATRED-1", "RULE-SCOPE-1", "RULE-SNIPER-1", "TYPE-VEH-2", "VDMG-3",
)  # fmt: skip

KINDS = {
    "rolled": _kind("{unit} rolls {purpose}: {faces}", *_DICE),
    "sides-chosen": _kind("Player {side} won the roll-off and deploys along the {edge} edge", "DEPLOY-1", "DEPLOY-2"),
    "declaring": _kind("Player {side} declares merging, joining, embarking and reserves", "DEPLOY-7"),
    "merged": _kind("{unit} and {into} fight as one unit", "JOIN-1", "JOIN-2", "JOIN-4", "UNIT-4"),
    "joined": _kind("{unit} joins {into}", "JOIN-3", "JOIN-4", "UNIT-4"),
    "boarded": _kind("{unit} is aboard {transport}", "RULE-TRANSPORT-2", "RULE-TRANSPORT-3"),
    "reserved": _kind("{unit} is kept in reserve", "RULE-DEEPSTRIKE-1"),
    "deploying": _kind("Player {side} places a unit", "DEPLOY-4", "RULE-SCOUT-1"),
    "deployed-unit": _kind("{unit} is deployed", "DEPLOY-3", "DEPLOY-5", "DEPLOY-6", "DEPLOY-10", "RULE-SCOUT-1"),
    "deployed": _kind("Both armies are deployed", "DEPLOY-4"),
    "lost": _kind("{unit} loses models that find no room", "DEPLOY-10", "RULE-TRANSPORT-8", "RULE-DEEPSTRIKE-3"),
    "round-began": _kind("Round {round} begins", "TURN-1", "TURN-2"),
    "power-dice": _kind("Player {side} has {dice} power dice", "RULE-PSYKER-1"),
    "held-back": _kind("{unit} stays in reserve", "RULE-DEEPSTRIKE-2"),
    "arrived": _kind("{unit} arrives", "RULE-DEEPSTRIKE-2", "RULE-DEEPSTRIKE-3", "RULE-DEEPSTRIKE-4"),
    "shifted": _kind("{unit} is shifted by the enemy", "RULE-DEEPSTRIKE-5"),
    "turns-began": _kind("Player {side} has the first turn", "TURN-2", "TURN-3"),
    "finished": _kind("No unit left to activate: {sides}", "TURN-6"),
    "turn-passed": _kind("Player {side} is next", "TURN-4", "TURN-5"),
    "round-ended": _kind("Round {round} ends; player {side} goes first in the next", "TURN-5", "TURN-6"),
    "game-ended": _kind("The game ends: {score}, winner {winner}", "TURN-9", "SCORE-1", "SCORE-2"),
    "activated": _kind(
        "{unit}: {action}",
        "TURN-4", "ACT-5", "ACT-1", "ACT-2", "ACT-3", "ACT-4", "ACT-6", "PIN-3", "RULE-TRANSPORT-5",
    ),
    "moved": _kind(
        "{unit} moves ({action}, {longest}\")",
        "ACT-2", "ACT-3", "ACT-4", "ACT-10", "MOVE-7", "MOVE-12", "MELEE-3", "MELEE-5", "MELEE-24", "MELEE-25", "TERR-DIFF-1",
        "TYPE-VEH-4", "RULE-FAST-1", "RULE-STRIDER-1", "RULE-FLYING-1", "RULE-FLYING-2",
    ),
    "disembarked": _kind("{unit} gets out of {transport}", "RULE-TRANSPORT-5", "RULE-FURIOUS-2"),
    "placed": _kind("{unit} stands beside the wreck", "RULE-TRANSPORT-8", "DEPLOY-5"),
    "shot": EventKind(
        frozenset({"SHOOT-1", "SHOOT-8", "RULE-LIMITED-1", "RULE-RELENTLESS-1"}),
        "{unit} shoots at {target} with {weapons}",
        sight=True,
    ),
    "struck": _kind(
        "{unit} strikes {target}",
        "MELEE-9", "MELEE-10", "MELEE-14", "RULE-LIMITED-1", "RULE-IMPACT-1", "RULE-FURIOUS-1", "TYPE-VEH-2",
        "RULE-STRIKES-1", "ELEV-3", "PIN-2", "RULE-FEAR-1",
    ),
    "attacked": _kind(
        "{attacks} attacks on {target}: {hits} hits, {ignored} ignored, {blocked} blocked, {wounds} wounds",
        "SHOOT-9", "SHOOT-10", "SHOOT-14", "MELEE-13", "TERR-DANG-1", "TERR-DANG-2", "RULE-TRANSPORT-8", "RULE-PSYKER-8",
        "ROUT-2",
    ),
    "casualties": _kind(
        "{unit} loses {removed} of its models; wounds on a survivor: {lost}",
        "CAS-1", "CAS-2", "CAS-4", "CAS-7", "RULE-TOUGH-1", "RULE-SNIPER-2",
    ),
    "piled-in": _kind("{unit} piles in", "MELEE-7", "MELEE-5"),
    "fear-tested": _kind("{unit} faces its fear: {passed}", "MELEE-8", "RULE-FEAR-1", "MORALE-13"),
    "melee-won": _kind("{unit} wins the melee against {target}, {wounds} to {against}", "MELEE-20", "MELEE-22", "MORALE-6"),
    "melee-tied": _kind("{unit} and {target} tie, {wounds} wounds each", "MELEE-21"),
    "stepped-back": _kind("{unit} steps back", "MELEE-26"),
    "morale-passed": _kind("{unit} holds its nerve", "MORALE-1", "MORALE-2", "MORALE-7", "MELEE-20", "RULE-PSYKER-8"),
    "pinned": _kind("{unit} is pinned", "PIN-1", "MORALE-8", "MORALE-9", "RULE-PSYKER-8", "RULE-TRANSPORT-8"),
    "unpinned": _kind("{unit} is no longer pinned", "PIN-3"),
    "routed": _kind("{unit} routs", "MORALE-10", "ROUT-1"),
    "glanced": _kind("{unit} is only glanced", "VDMG-5"),
    "shaken": _kind("{unit} is shaken", "VDMG-6"),
    "leader-named": _kind("{model} leads {unit}", "UNIT-6", "DEPLOY-7"),
    "immobile": _kind("{unit} is immobile", "VDMG-7"),
    "wounded-more": _kind("{unit} takes one wound more", "VDMG-8"),
    "regenerated": _kind("{unit} shrugs the extra wound off", "VDMG-8", "RULE-REGEN-1"),
    "recovered": _kind("{unit} is no longer shaken", "VDMG-6"),
    "still-shaken": _kind("{unit} stays shaken until its next activation ends", "VDMG-6"),
    "cast": _kind("{unit} tries {power} with {dice} dice", "RULE-PSYKER-2", "RULE-PSYKER-5", "RULE-PSYKER-6"),
    "manifested": _kind("{power} takes hold of {target}", "RULE-PSYKER-5", "RULE-PSYKER-8"),
    "fizzled": _kind("{power} fails", "RULE-PSYKER-5"),
    "granted": _kind("{unit} has {rule} for a while", "RULE-PSYKER-8"),
    "power-ended": _kind("What a power gave {unit} ends", "RULE-PSYKER-8"),
    "power-lasts": _kind("What a power gave {unit} lasts until its next activation ends", "RULE-PSYKER-8"),
    "healed": _kind("{unit} is healed", "RULE-PSYKER-8"),
    "repaired": _kind("{unit} is repaired", "RULE-PSYKER-8", "TYPE-VEH-10"),
    "ruled": _kind("The die is cast: player {side} decides on {topic}: {text}", "GEN-7"),
    "overridden": _kind("By agreement: {what}", "GEN-6"),
    "not-agreed": _kind("Not agreed: {what}", "GEN-6"),
    "conceded": _kind("Player {side} concedes", "SCORE-1"),
    "backlash": _kind("The power strikes back at {unit}: {wounds} wounds", "RULE-PSYKER-7"),
}  # fmt: skip
