"""What players are told and asked: the edition's questions as sentences, its actions, marks and phases in plain words."""

from __future__ import annotations

from rolloff.editions.commentary.explained import explained, keywords, notes
from rolloff.editions.commentary.points import point_of
from rolloff.editions.commentary.secondaries import ACTIVE, cards
from rolloff.rules.words import Prompt, Words

_YES_NO = {"True": "Yes", "False": "No"}
_PASS = {"pass": "Stop here"}
_DONE = {"pass": "Done"}
_NO = {"pass": "Pass"}
MUSTER, DEPLOY = "muster", "deploy"
_INCHES = {str(far): f'{far}"' for far in range(20, 76)}
_TURNS = {"0": "Straight on", "45": "45° left", "90": "90° left", "-45": "45° right", "-90": "90° right"}

PROMPTS = {
    "DP-2": Prompt(
        "Who is the Unit Champion of {about}?", "It leads the unit; nothing else hangs on it.", {}, MUSTER, "Unit Champion"
    ),
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
    "DP-4": Prompt(
        "Set up {about}",
        "All models together, wholly within your deployment zone; Infiltrators far from it and the enemy.",
        {},
        DEPLOY,
    ),
    "DP-5": Prompt("Set up {about} anew", "As in deployment, all models together.", {}, DEPLOY),
    "DP-6": Prompt("Where does {about} scout?", "Up to its Scout distance, more than 9 inches from all enemies."),
    "DP-14": Prompt(
        "What does {about} do?",
        "Who Advances or Falls Back neither shoots nor charges this turn.",
        {
            "stationary": "Remain Stationary",
            "normal": "Normal move",
            "advance": "Advance",
            "fall-back": "Fall Back",
        },
    ),
    "DP-15:fly": Prompt(
        "How far does {about} fly?", "Straight ahead, at least 20 inches.", {"leave": "Leave the battlefield", **_INCHES}
    ),
    "DP-15:turn": Prompt("How does {about} turn?", "Up to 90 degrees either way.", _TURNS),
    "DP-15": Prompt("Where does {about} go?", "Any models, any way, ending together and away from enemies."),
    "DP-16": Prompt("Which model of {about} is lost?", "A Desperate Escape test failed."),
    "DP-17": Prompt("Shall {about} embark?", "All its models are close to a TRANSPORT with room.", {"none": "Stay outside"}),
    "DP-18:disembark": Prompt(
        "Shall {about} disembark?",
        "After its TRANSPORT moved it moves no further and does not charge.",
        {"disembark": "Disembark", "stay": "Stay inside"},
    ),
    "DP-18": Prompt("Set up {about} beside its TRANSPORT", "Wholly within 3 inches of it, away from enemies."),
    "DP-19": Prompt("Set up the survivors of {about}", "Beside the wreck."),
    "DP-20:arrive": Prompt(
        "How does {about} arrive?",
        "From an edge of the table, or anywhere more than 9 inches from all enemies.",
        {"strategic reserves": "From an edge", "deep strike": "Deep Strike"},
    ),
    "DP-20": Prompt("Set up {about}", "Where Reinforcements may be, more than 9 inches from all enemies."),
    "assign-weapons:ABIL-5": Prompt(
        "Which passengers of {about} fire?", "A ranged weapon each; it counts as the TRANSPORT's own."
    ),
    "assign-weapons": Prompt("Which weapons fire at {target}?", "All attacks of a weapon go at one target."),
    "DP-25": Prompt("Whom does {about} shoot?", "Other weapons may be given another target next.", _PASS),
    "DP-28": Prompt(
        "Whom does {about} shoot instead?", "A target is no longer eligible; without another the attacks are lost.", _PASS
    ),
    "DP-9:weapon": Prompt("Which weapon of {about} shoots again?", "At any target it could be fired at."),
    "DP-29:damage": Prompt("Roll {about}'s damage again? It is {offer}.", "The new roll counts, whatever it shows.", _YES_NO),
    "DP-29": Prompt("{about}: roll a {offer} again?", "The new roll counts; a die is rolled again only once.", _YES_NO),
    "DP-30": Prompt("Which {what} does {about} attack with?", "It may ignore any or all modifiers of it."),
    "DP-31": Prompt("Which instance does {about} use?", "It has the same ability more than once."),
    "DP-32": Prompt("Which model of {about} bears the wound?", "A wounded model bears it first where there is one."),
    "DP-33": Prompt("Shall the CHARACTER bear it?", "A precise wound may be put on a CHARACTER that is seen."),
    "DP-34": Prompt(
        "Which save does {about} take?", "Armour or an invulnerable save; the answer stands for all of this attack."
    ),
    "DP-35": Prompt("Which Feel No Pain does {about} use?", "One for each wound; the answer stands for all of this attack."),
    "DP-36": Prompt("Whose weapon failed?", "A Hazardous weapon rolled a 1; somebody who bears one pays for it."),
    "DP-39": Prompt(
        "Which is the {purpose}?", "Several dice show the same.", {"1": "The first", "2": "The second", "3": "The third"}
    ),
    "DP-41:charge": Prompt("Whom does {about} charge?", "It must reach every target it names.", {"pass": "No more targets"}),
    "DP-42": Prompt("How does {about} charge?", "Within Engagement Range of every target, of nobody else."),
    "DP-47": Prompt("How does {about} pile in?", "Up to 3 inches, closer to the closest enemy."),
    "DP-48:strike": Prompt("Whom does {about} strike?", "Models that cannot reach it are given another target next."),
    "DP-48": Prompt(
        "Which weapons strike {target}?", "A model uses one melee weapon; attacks you hold back go at another unit."
    ),
    "DP-50": Prompt("How does {about} consolidate?", "Up to 3 inches, closer to the closest enemy or marker."),
    "DP-51:coherency": Prompt("Which model of {about} is removed?", "The unit does not hold together."),
    "DP-52": Prompt("Set up the models that join {about}", "Together with the unit, and away from enemies it does not fight."),
    "DP-53": Prompt("Who acts first?", "Each of these acts once before it is removed."),
    "DP-55": Prompt("Who bears the mortal wound?", "A wounded model bears it first where there is one."),
    "DP-58": Prompt(
        "Set up {about}", "In your deployment zone, or more than 9 inches from enemies and their zone.", {}, DEPLOY
    ),
    "DP-54": Prompt("Set up {about} again", "More than 9 inches from all enemies."),
    "DP-61:discount": Prompt("Use the discount of {about}?", "One CP less, once in a battle round.", _YES_NO),
    "DP-67:give up": Prompt(
        "Discard a secondary card?",
        "Your turn ends. In your next Command phase you draw until you have two.",
        {"none": "Keep them"},
    ),
    "DP-68": Prompt(
        "Which of your units is named?", "The enemy drew Named Debt: they score in the turn in which they destroy it."
    ),
    "DP-69": Prompt("By which rule does the model act?", "It is destroyed and acts once before it is removed."),
    "choose-unit:CMD-4": Prompt(
        "Which unit takes its Battle-shock test first?", "Each unit Below Half-strength takes one: 2D6 against its Leadership."
    ),
    "choose-unit:REDEP-1": Prompt("Which unit do you set up anew?", "Both armies stand; some may be placed again.", _DONE),
    "choose-unit:ABIL-9": Prompt("Which unit scouts now?", "Before the first turn it may make a move.", _DONE),
    "choose-unit:MOVE-1": Prompt(
        "Which unit do you move now?", "Each unit once; those you leave out remain stationary.", _DONE
    ),
    "choose-unit:MOVE-10": Prompt("Which Reserves arrive now?", "Those you leave out may come in a later round.", _DONE),
    "choose-unit:SHOOT-1": Prompt("Which unit shoots now?", "Each unit once.", _DONE),
    "choose-unit:CHG-1": Prompt("Which unit charges now?", "Within 12 inches of an enemy; the distance is rolled.", _DONE),
    "choose-unit:FGT-2": Prompt("Which unit fights now?", "You and the enemy pick in turn."),
    "choose-unit": Prompt("Which unit is next?", "", _DONE),
    "order": Prompt("What happens first?", "These happen at the same moment; the active player orders them."),
    "react:rolled": Prompt("{unit} rolls {roll}: {faces}. Change it?", "The dice lie on the table and are not read yet.", _NO),
    "react:command-step": Prompt("The Command phase: use a rule?", "Before the Battle-shock tests.", _NO),
    "react:battle-shock-step": Prompt("Battle-shock tests come next: use a rule?", "Before the first of them.", _NO),
    "react:reinforcements": Prompt("Reinforcements: use a rule?", "Before Reserves arrive.", _NO),
    "react:shooting-starts": Prompt("The Shooting phase begins: use a rule?", "Before the first unit shoots.", _NO),
    "react:flown": Prompt("{unit} has flown: use a rule?", "On whom it passed over.", _NO),
    "react:disembarked": Prompt("{unit} has disembarked: use a rule?", "", _NO),
    "react:paid": Prompt("The enemy paid for a Stratagem: use a rule?", "", _NO),
    "react:attacks-made": Prompt("{unit} has made its attacks: use a rule?", "", _NO),
    "react:demise": Prompt("{unit} is destroyed: use a rule?", "Before it is seen whether it explodes.", _NO),
    "react:targets-chosen": Prompt("{unit} has chosen its targets: do you react?", "Before its dice are rolled.", _NO),
    "react:melee-targets-chosen": Prompt("{unit} has chosen whom to strike: do you react?", "Before its dice are rolled.", _NO),
    "react:selected-to-shoot": Prompt("{unit} is about to shoot: use a rule?", "It counts for these attacks.", _NO),
    "react:selected-to-fight": Prompt("{unit} is about to fight: use a rule?", "It counts for these attacks.", _NO),
    "react:has-shot": Prompt("{unit} has shot: use a rule?", "Before the next unit acts.", _NO),
    "react:fought": Prompt("{unit} has fought: use a rule?", "Before the next unit fights.", _NO),
    "react:charged": Prompt("{unit} has charged: do you react?", "Before anybody fights.", _NO),
    "react:charge-declared": Prompt("{unit} declares a charge: use a rule?", "Before the distance is rolled.", _NO),
    "react:shock-failed": Prompt("{unit} fails its Battle-shock test: use a rule?", "", _NO),
    "react:felled": Prompt("A model of {unit} is destroyed: use a rule?", "Before anything comes of it.", _NO),
    "react:set-up": Prompt("{unit} was set up: do you react?", "", _NO),
    **{
        f"react:{move}-{when}": Prompt(title, "Fire Overwatch hits on sixes alone.", _NO)
        for move in ("normal", "advance", "fall-back", "charge")
        for when, title in (("starts", "{unit} starts to move: do you react?"), ("ended", "{unit} has moved: do you react?"))
    },
    **{
        f"react:end-{phase}": Prompt(f"The {name} ends: use a rule?", "This is the last moment for it.", _NO)
        for phase, name in (
            ("command", "Command phase"),
            ("movement", "Movement phase"),
            ("shooting", "Shooting phase"),
            ("charge", "Charge phase"),
            ("fight", "Fight phase"),
            ("turn", "turn"),
        )
    },
    "react": Prompt("Use a rule now?", "Pass to go on.", _NO),
}
BOOKKEEPING = (
    "away-in-command",
    "boarded",
    "deck",
    "fights-later",
    "near",
    "no-charge-bonus",
    "overwatch",
    "redeployed",
    "repositioned",
    "rolled",
    "split-fire",
    "steady",
    "surging",
    "used",
    "waits",
    "was-charged",
)
"""Marks a player need not see: what they mean is said when it matters."""
WORDS = Words(
    prompts=PROMPTS,
    points=point_of,
    explained=explained,
    notes=notes,
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
        "selected-to-move": "Could not move",
        "charged": "Charged",
        "battle-shocked": "Battle-shocked",
        "cover": "In cover",
        "stealth": "Stealth",
        "disembarked": "Disembarked",
        "arrived": "Arrived this turn",
        "cp": "{value} CP",
        **{f"{ACTIVE}{card.id}": card.name for card in cards().values()},
        "hovers": "Hovers",
        "must-arrive": "Must arrive next",
        "no-charge": "May not charge",
        "grant": "{name}",
        **dict.fromkeys(BOOKKEEPING, ""),
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
    keywords=keywords(),
    rolls={
        "hit": "Skill with the weapon",
        "wound": "Strength against Toughness",
        "save": "Save",
        "feel no pain": "Feel No Pain",
        "battle-shock": "Leadership",
    },
)
