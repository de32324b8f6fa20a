"""What players are told and asked: the family's questions as sentences, its actions with what follows from them."""

from __future__ import annotations

from rolloff.editions.onepage.moving import ASSAULT, HOLD, RUN, WALK, allowance, immobile
from rolloff.editions.onepage.powers import Power
from rolloff.editions.onepage.shooting import no_target
from rolloff.lengths import to_inches
from rolloff.rules.fire import HOLD_FIRE, enemies
from rolloff.rules.play import Play
from rolloff.rules.words import Notes, Prompt, Words
from rolloff.table.request import Request
from rolloff.table.state import TABLE

MUSTER, DEPLOY = "muster", "deploy"
_ACTIONS = {HOLD: "Hold", WALK: "Walk", RUN: "Run", ASSAULT: "Assault", "idle": "Stay idle", "stay": "Stay aboard"}
_YES_NO = {"True": "Yes", "False": "No"}

PROMPTS = {
    "DP-3:merge": Prompt(
        "Shall {about} fight together with another unit?",
        "Two copies of one unit can fight as one for the whole battle.",
        {"none": "Fights alone"},
        MUSTER,
        "Fights together with",
    ),
    "DP-6:leader": Prompt(
        "Who leads {about}?", "The unit moves with its leader and sees what its leader sees.", {}, MUSTER, "{about}"
    ),
    "DP-25:leader": Prompt("Who leads {about} now?", "Its leader has fallen; another takes over at once."),
    "DP-3:join": Prompt(
        "Shall {about} join a unit?",
        "A hero or psyker inside a unit moves, fights and tests with it.",
        {"none": "Fights alone"},
        MUSTER,
        "Joins",
    ),
    "DP-4": Prompt(
        "Shall {about} start aboard a transport?",
        "Who rides is placed with the transport and can get out in any later activation.",
        {"none": "On foot"},
        MUSTER,
        "Rides in",
    ),
    "DP-5": Prompt(
        "Shall {about} wait in reserve?",
        "It arrives in a later round, on a roll, anywhere far enough from the enemy.",
        {"True": "Waits in reserve", "False": "Starts on the table"},
        MUSTER,
        "Starts",
    ),
    "DP-7": Prompt(
        "You won the roll-off: choose your table edge",
        "You deploy along this edge, place the first unit and have the first turn.",
        {"bottom": "Bottom edge", "top": "Top edge", "left": "Left edge", "right": "Right edge"},
    ),
    "DP-8:deploy": Prompt("Which unit do you deploy now?", "You and the enemy place one unit in turn.", {}, DEPLOY),
    "DP-8:make-room": Prompt(
        "There is no room for {about}: shift a unit?",
        "Units already placed can make room; with no room the new one is lost.",
        {"none": "Shift none"},
    ),
    "DP-8": Prompt("Place {about}", "Wholly inside your deployment strip, all models together.", {}, DEPLOY),
    "DP-9:deploy": Prompt("Which scouts do you place now?", "Scouts come after all other units.", {}, DEPLOY),
    "DP-9": Prompt("Place the scouts of {about}", "Anywhere more than 12″ from every enemy.", {}, DEPLOY),
    "DP-10:roll": Prompt("Shall {about} try to arrive?", "Roll for it now, or keep it in reserve.", _YES_NO),
    "DP-10:arrive": Prompt("Shall {about} arrive now?", "It may come in now, or wait for a later round.", _YES_NO),
    "DP-11": Prompt("Where does {about} arrive?", "Anywhere on the table, far enough from every enemy."),
    "DP-12": Prompt("Shift {about}, your enemy's unit", "Its roll failed: you may move where it comes down."),
    "DP-13": Prompt("Which unit acts now?", "Each of your units acts once a round; then it is the enemy's turn."),
    "DP-14": Prompt("What will {about} do?", "One action, for the whole unit.", _ACTIONS),
    "DP-15:walk": Prompt("Walk {about}", "Up to {allowance}″; afterwards it may shoot."),
    "DP-15:run": Prompt("Run with {about}", "Up to {allowance}″; a unit that runs does not shoot."),
    "DP-15:assault": Prompt("{about} storms out", "Up to {allowance}″, into contact with the enemy."),
    "DP-15": Prompt("Move {about}", "Up to {allowance}″."),
    "DP-16": Prompt(
        "Shall {about} get into a transport?", "It walks to the transport and is aboard.", {"none": "Stays on foot"}
    ),
    "DP-17:power": Prompt(
        "Shall {about} use a power?",
        "Choose a power, then its target and how many power dice to spend.",
        {"none": "No power now"},
    ),
    "DP-17:heal": Prompt("Who of {about} is healed?", "Wounds are taken off the model you choose."),
    "DP-17": Prompt("{purpose} of {about}", "The power needs a target and power dice; two sixes strike back."),
    "DP-18": Prompt(
        "Whom does {about} shoot at?", "All its weapons fire at one unit it sees and reaches.", {HOLD_FIRE: "Hold fire"}
    ),
    "DP-19": Prompt("With which weapons does {about} fire?", "A model that walked fires one weapon."),
    "DP-20": Prompt("Which model does {about} aim at?", "A sniper picks who is hit."),
    "DP-21": Prompt("Roll the failed dice of {about} again?", "{dice} dice failed.", _YES_NO),
    "DP-22": Prompt("What do the {hits} hits of {about} pierce?", "Choose before the enemy rolls its blocks."),
    "DP-24": Prompt(
        "Who of {about} falls?",
        "The owner chooses; those who stand on stay together.",
        {"ordinary-first": "Ordinary models first", "tough-first": "Tough models first"},
    ),
    "DP-26": Prompt("Whom does {about} assault?", "It moves into contact and both sides strike."),
    "DP-27": Prompt("Charge {target} with {about}", "Up to {allowance}″, into contact with the enemy."),
    "DP-28": Prompt("Pile in with {about}", "Up to {allowance}″ closer, so that more models can strike."),
    "DP-29:bonus": Prompt("Which weapon gets the extra attack of {about}?", "Furious models strike once more."),
    "DP-29": Prompt("Use {item} now?", "It works once in a battle.", _YES_NO),
    "DP-30": Prompt("Regroup {about}", "The melee is over: up to {allowance}″ in any direction."),
    "DP-32": Prompt("Place {about} beside the wreck", "Its transport is destroyed; everybody gets out here."),
    "DP-33": Prompt("Turn {about}?", "A vehicle that holds may turn on the spot before it shoots."),
    "DP-34": Prompt(
        "Do you agree?", "The enemy proposes to change the table by hand: {what}.", {"True": "Agreed", "False": "No"}
    ),
}


def _action_notes(play: Play, unit: int) -> Notes:
    if play.state.units[unit].where != TABLE:
        return {
            "stay": "does not get out this round",
            WALK: "gets out, up to its walk from the hull, then may shoot",
            ASSAULT: "gets out and straight into melee",
        }
    far = {action: f"{to_inches(allowance(play.game, play.state, unit, action)):g}″" for action in (WALK, RUN, ASSAULT)}
    return {
        HOLD: "no move, then shoot with every weapon",
        WALK: f"up to {far[WALK]}, then shoot with one weapon each",
        RUN: f"up to {far[RUN]}, no shooting",
        ASSAULT: f"up to {far[ASSAULT]} into contact, then melee",
    }


def notes(play: Play, request: Request) -> Notes:
    """What the options of a question mean for this unit: how far, and what it may still do."""
    if request.point == "DP-14" and request.about >= 0:
        return _action_notes(play, request.about)
    if request.point == "DP-17" and isinstance(request.order, dict):
        return {name: _power_note(found[1]) for name, found in request.order.items()}
    return {}


def _power_note(power: Power) -> str:
    whom = {"friend": "a friend", "enemy": "an enemy", "self": "itself"}[power.target]
    reach = "" if power.target == "self" else f" within {power.range}″"
    return f"needs {power.number}+, at {whom}{reach}"


def missing(play: Play, request: Request) -> Notes:
    """Why an action or a target a player would look for is not offered."""
    offered = request.options or ()
    if request.point == "DP-18":
        found = {play.game.names[k]: no_target(play, request.about, play.game.names[k]) for k in enemies(play, request.about)}
        return {name: error.message for name, error in found.items() if name not in offered and error is not None}
    if request.point != "DP-14" or play.state.units[request.about].where != TABLE:
        return {}
    still = immobile(play.state, request.about)
    reach = f"{to_inches(allowance(play.game, play.state, request.about, ASSAULT)):g}″"
    why = {
        HOLD: "the unit is scattered and must come together first",
        WALK: "it is immobile" if still else "walking would not bring the unit together",
        RUN: "it is immobile",
        ASSAULT: "it is immobile" if still else f"no enemy can be reached within {reach}",
    }
    return {action: reason for action, reason in why.items() if action not in offered}


WORDS = Words(
    prompts=PROMPTS,
    stats={"quality": ("Quality", "{}+")},
    marks={
        "pinned": "Pinned",
        "shaken": "Shaken",
        "immobile": "Immobile",
        "start_size": "",
        "points": "",
        "left": "",
        "grant": "{name}",
        "grant-weapons": "{name} on all weapons",
        "edge": "",
        "power-dice": "{value} power dice",
    },
    phases={
        "roll-off": "Roll-off",
        "declare": "Preparing the armies",
        "deploy": "Deployment",
        "scout": "Scouts",
        "round": "A new round",
        "activate": "Activations",
        "over": "The battle is over",
    },
    by_hand=("pinned",),
    rolls={
        "hit": "Quality of the attacker",
        "ignore": "Armour or cover",
        "block": "Quality of the unit that is hit",
        "regeneration": "Regeneration",
        "morale": "Quality",
        "fear": "Quality",
    },
    notes=notes,
    missing=missing,
)
