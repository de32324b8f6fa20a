"""The words behind the search for clauses: which say nothing, which mean the same, what stems stand for."""

from __future__ import annotations

# Words that a question has and an answer need not.
STOP_WORDS = """
a about actually after again all allowed also am an and any anything are as at be been before being but by
can cannot could count counts did do does doing done ever exactly far for from gain gains get gets give
gives good got had happen happens has have having he help how i if in into is it its just last lasts let
long make makes many may me mean means might much must my need now number of often on or our out over
please put rule rules say says she should so some spot still take takes tell than that the their them then
there these they thing this those to too up us use used using want was we were what when where which while
who whom whose why will with work works would you your
"""

# What players say and what rulebooks say: the words asked with, then the words looked for.
SYNONYMS = """
charge charging: assault charge
assault: charge assault
shoot fire gun: shoot fire ranged
ranged: shoot
sprint dash hurry: run advance
advance: run
run: run advance
walk: walk move
move movement: move allowance walk
fight melee brawl combat hand: melee fight strike assault
die dead kill killed death dies lose lost slain: removed destroyed casualties slain killed
casualty casualties: removed casualties allocate
cast spell magic wizard psychic power mage: manifest psyker power psychic
hide hidden hiding: cover sight
behind: cover behind
see seen look view visible vision los spot: sight sees visible line
save saves armor armour armored armoured: armored save armour block ignore
defend defence defense block: block save
hp health life: wounds tough
flee retreat escape rout broken break: rout routs morale fall back
panic nerve courage leadership: morale test leadership
scared afraid: fear
board embark enter inside aboard passenger passengers: embark embarked aboard transport passengers
exit leave disembark unload: leave disembark walk
teleport reserve reserves reinforcements: reserve deep strike arrives
drop: deep strike
heal repair restore recover: regeneration regain restores frees lifted
win winner winning victory victorious: score wins higher
tie tied draw equal: tie equal draw
points: points score cost limit
hero character: hero character
boss commander: hero leader
touch touching contact: contact base
first start begin: first turn begins winner
order sequence: order first then
measure measuring premeasure: measure distance
far distance reach: range distance within
range: range
forest wood woods jungle tree trees: cover difficult forest wood
ruin ruins building house: cover solid ruin building
wall obstacle: solid impassable obstacle
hill hills high higher above height elevated tower: elevation elevated higher above
swamp mud river slow: difficult
mine mines minefield lava: dangerous
explode explodes explosion wreck wrecked: destroyed wreck explodes
stun stunned shaken: shaken stunned
stuck immobilised immobilized: immobile immobilised
activate activation: activation activates turn
pass skip wait: passing idle hold
deploy setup placing place set: deploy placed set
merge combine merged: merge merged two copies
join attach: join joined attach attached
split different separate several multiple: split different several
tank car truck vehicle: vehicle vehicles
turn rotate pivot: pivot turn
weapon weapons: weapon weapons
attack attacks: attacks attack
bonus extra additional: bonus extra additional
squad coherency together formation spread: coherency coherent
gap close near nearby: within gap closer
list roster army: army list roster
limit maximum max: cap most limit
end ends over finish: ends end
snipe sniper: sniper precise scope precision
suppress suppressed suppression: pinned
pin pinned pinning: pinned idle
half: half
size big large dimensions: size surface
modify modifier modifiers: modifier modifiers modified
stratagem command: stratagem stratagems cp
objective marker objectives: objective marker control controls
blast template: blast marker template
wound wounds damage hurt: wound wounds damage
dice die roll: roll dice die
reroll: reroll
battleshock shock shocked: battle shock shocked leadership
overwatch: overwatch
fnp: feel pain fnp
mw mortal: mortal mw
feel pain: fnp
engagement: er
twice: once
invuln invulnerable: invulnerable
swap exchange: replaced replace
simultaneous: simultaneous
same: same equal
backward backwards reverse: reversing backward
zone strip: strip edge zone
drive driving: move
remove unpin clear: frees lift ends removed
disagree argue dispute: agree common
backlash perils: automatic wounds psyker perils
double: two double
consolidate consolidation: destroyed survives consolidate
buy cost cheap: cost points
edge board tabletop: table edge
inch inches: inches
game: game
spawn summon: placed created
"""

# What the stems of clause ids stand for, where a player would use the word.
STEMS = {
    "ACT": "action",
    "ASLT": "assault",
    "ATK": "attack",
    "CAS": "casualties",
    "CHG": "charge",
    "COH": "coherency",
    "CSTR": "stratagem",
    "DANG": "dangerous terrain",
    "DIFF": "difficult terrain",
    "DMG": "damage",
    "ELEV": "elevation",
    "FGT": "fight",
    "HERO": "hero",
    "IMP": "impassable terrain",
    "INF": "infantry",
    "LOS": "line of sight",
    "MEAS": "measuring",
    "MON": "monster",
    "MOR": "morale",
    "MW": "mortal wounds",
    "OC": "objective control",
    "PIN": "pinned",
    "PSY": "psychic",
    "RSV": "reserves",
    "SUST": "sustained hits",
    "TER": "terrain",
    "TERR": "terrain",
    "TRANS": "transport",
    "VDMG": "vehicle damage",
    "VEH": "vehicle",
    "VIS": "visible",
    "WALK": "walker",
    "WPN": "weapon",
}

NUMBERS = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6"}

IRREGULAR = {
    "ran": "run",
    "shot": "shoot",
    "shots": "shoot",
    "fought": "fight",
    "died": "die",
    "dies": "die",
    "dying": "die",
    "won": "win",
    "saw": "see",
    "seen": "see",
    "hidden": "hide",
    "lost": "lose",
    "struck": "strike",
    "chose": "choose",
    "chosen": "choose",
    "tied": "tie",
}
