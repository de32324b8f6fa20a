"""What players are told and asked: the edition's questions as sentences, its actions, marks and phases in plain words."""

from __future__ import annotations

from rolloff.rules.words import Prompt, Words

_YES_NO = {"True": "Yes", "False": "No"}
_PASS = {"pass": "Stop here"}
MUSTER, DEPLOY = "muster", "deploy"

PROMPTS = {
    "DP-3:hover": Prompt("Shall {about} hover?", "It then moves 20 inches like a flying vehicle.", _YES_NO, MUSTER, "Hovers"),
    "DP-3:attach": Prompt("Whom shall {about} lead?", "A Leader is part of its unit.", {"none": "Nobody"}, MUSTER, "Leads"),
    "DP-3:embark": Prompt(
        "Shall {about} start in a TRANSPORT?", "It is set up with it.", {"none": "On foot"}, MUSTER, "Rides in"
    ),
    "DP-3:reserve": Prompt(
        "Where does {about} start?",
        "Reserves arrive from an edge from round two, by Deep Strike anywhere far from enemies.",
        {"zone": "In the deployment zone", "strategic reserves": "Strategic Reserves", "deep strike": "Deep Strike"},
        MUSTER,
        "Starts",
    ),
    "DP-4:deploy": Prompt("Which unit do you deploy now?", "You and the enemy set up one unit in turn.", {}, DEPLOY),
    "DP-4": Prompt("Set up {about}", "Wholly within your deployment zone, all models together.", {}, DEPLOY),
    "DP-6": Prompt("Where does {about} scout?", "Up to its Scout distance, more than 9 inches from all enemies."),
    "DP-14": Prompt(
        "What does {about} do?",
        "Who Advances or Falls Back neither shoots nor charges this turn.",
        {
            "stationary": "Remain Stationary",
            "normal": "Normal move",
            "advance": "Advance",
            "fall-back": "Fall Back",
            "disembark": "Disembark",
            "stay": "Stay inside",
        },
    ),
    "DP-15:fly": Prompt("How far does {about} fly?", "Straight ahead, at least 20 inches.", {"leave": "Leave the battlefield"}),
    "DP-15:turn": Prompt("How does {about} turn?", "Up to 90 degrees either way."),
    "DP-15": Prompt("Where does {about} go?", "Any models, any way, ending together and away from enemies."),
    "DP-16": Prompt("Which model is lost?", "A Desperate Escape test failed."),
    "DP-17": Prompt("Shall {about} embark?", "All its models are close to a TRANSPORT with room.", {"none": "Stay outside"}),
    "DP-18": Prompt("Set up {about} beside its TRANSPORT", "Wholly within 3 inches of it, away from enemies."),
    "DP-19": Prompt("Set up the survivors of {about}", "Beside the wreck."),
    "DP-20:arrive": Prompt("How does {about} arrive?", "By the rule it waits under."),
    "DP-20": Prompt("Set up {about}", "Where Reinforcements may be, more than 9 inches from all enemies."),
    "DP-24": Prompt("Which weapons fire?", "All attacks of a weapon go at one target."),
    "DP-25": Prompt("Whom does {about} shoot?", "Other weapons may be given another target next.", _PASS),
    "DP-32": Prompt("Who bears the wound?", "A wounded model bears it first where there is one."),
    "DP-33": Prompt("Shall the CHARACTER bear it?", "A precise wound may be put on a CHARACTER that is seen."),
    "DP-41:charge": Prompt("Whom does {about} charge?", "It must reach every target it names.", {"pass": "No more targets"}),
    "DP-42": Prompt("How does {about} charge?", "Within Engagement Range of every target, of nobody else."),
    "DP-47": Prompt("How does {about} pile in?", "Up to 3 inches, closer to the closest enemy."),
    "DP-48:strike": Prompt("Whom does {about} strike?", "Models that cannot reach it are given another target next."),
    "DP-50": Prompt("How does {about} consolidate?", "Up to 3 inches, closer to the closest enemy or marker."),
    "DP-51:coherency": Prompt("Which model is removed?", "The unit does not hold together."),
    "DP-54": Prompt("Set up {about} again", "More than 9 inches from all enemies."),
}
WORDS = Words(
    prompts=PROMPTS,
    stats={
        "M": ("Move", '{value}"'),
        "T": ("Toughness", "{value}"),
        "Sv": ("Save", "{value}"),
        "W": ("Wounds", "{value}"),
        "Ld": ("Leadership", "{value}"),
        "OC": ("Objective Control", "{value}"),
        "Inv": ("Invulnerable save", "{value}"),
    },
    marks={
        "advanced": "Advanced",
        "fell-back": "Fell Back",
        "moved": "Moved",
        "stationary": "Remained Stationary",
        "charged": "Charged",
        "battle-shocked": "Battle-shocked",
        "cover": "In cover",
        "stealth": "Stealth",
        "disembarked": "Disembarked",
        "arrived": "Arrived this turn",
    },
    phases={
        "sides": "Roll-off",
        "declare": "Declare formations",
        "deploy": "Deployment",
        "redeploy": "Redeployment",
        "first-turn": "First turn",
        "scouts": "Scout moves",
        "command": "Command phase",
        "shock-starts": "Battle-shock",
        "battle-shock": "Battle-shock",
        "command-end": "End of the Command phase",
        "move": "Movement phase",
        "stationary": "Movement phase",
        "reinforcements": "Reinforcements",
        "movement-end": "End of the Movement phase",
        "shooting-starts": "Shooting phase",
        "shoot": "Shooting phase",
        "shooting-end": "End of the Shooting phase",
        "charge-starts": "Charge phase",
        "charge": "Charge phase",
        "charge-end": "End of the Charge phase",
        "fights-first": "Fight phase: Fights First",
        "fights": "Fight phase",
        "fight-end": "End of the Fight phase",
        "turn-end": "End of the turn",
        "coherency": "End of the turn",
        "round-end": "End of the battle round",
    },
    by_hand=("battle-shocked",),
    rolls={
        "hit": "Skill with the weapon",
        "wound": "Strength against Toughness",
        "save": "Save",
        "feel no pain": "Feel No Pain",
        "battle-shock": "Leadership",
    },
)
