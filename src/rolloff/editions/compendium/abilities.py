"""All special rules of the book by name, with their clauses, and the other names they go by."""

from __future__ import annotations

from collections.abc import Mapping

from rolloff.editions.compendium.ability import Ability, Noted, Planned, Scope
from rolloff.editions.compendium.matchup import AbilityRegistry
from rolloff.editions.compendium.specials.anti import Anti
from rolloff.editions.compendium.specials.armourbane import Armourbane
from rolloff.editions.compendium.specials.blade_whip import BladeWhip
from rolloff.editions.compendium.specials.bladestorm import Bladestorm
from rolloff.editions.compendium.specials.blast import Blast
from rolloff.editions.compendium.specials.burst_pistol import BurstPistol
from rolloff.editions.compendium.specials.colossal import Colossal
from rolloff.editions.compendium.specials.concussive import Concussive
from rolloff.editions.compendium.specials.counter_attack import CounterAttack
from rolloff.editions.compendium.specials.daemon import Daemon
from rolloff.editions.compendium.specials.decapitating_blow import DecapitatingBlow
from rolloff.editions.compendium.specials.deflagrate import Deflagrate
from rolloff.editions.compendium.specials.destroyer import Destroyer
from rolloff.editions.compendium.specials.devastating_wounds import DevastatingWounds
from rolloff.editions.compendium.specials.distort_scythe import DistortScythe
from rolloff.editions.compendium.specials.entropic_strike import EntropicStrike
from rolloff.editions.compendium.specials.eternal_warrior import EternalWarrior
from rolloff.editions.compendium.specials.extra_attacks import ExtraAttacks
from rolloff.editions.compendium.specials.fatal_precision import FatalPrecision
from rolloff.editions.compendium.specials.feel_no_pain import FeelNoPain
from rolloff.editions.compendium.specials.fight_first import FightsFirst
from rolloff.editions.compendium.specials.fleshbane import Fleshbane
from rolloff.editions.compendium.specials.furious_charge import FuriousCharge
from rolloff.editions.compendium.specials.gets_hot import GetsHot
from rolloff.editions.compendium.specials.graviton import Graviton
from rolloff.editions.compendium.specials.grenades import Grenades
from rolloff.editions.compendium.specials.hammer_of_wrath import HammerOfWrath
from rolloff.editions.compendium.specials.hatred import Hatred
from rolloff.editions.compendium.specials.haywire import Haywire
from rolloff.editions.compendium.specials.hazardous import Hazardous
from rolloff.editions.compendium.specials.heavy import Heavy
from rolloff.editions.compendium.specials.ignores_cover import IgnoresCover
from rolloff.editions.compendium.specials.impact import Impact
from rolloff.editions.compendium.specials.impale import Impale
from rolloff.editions.compendium.specials.indirect_fire import IndirectFire
from rolloff.editions.compendium.specials.instant_death import InstantDeath
from rolloff.editions.compendium.specials.lance import Lance
from rolloff.editions.compendium.specials.lethal_hits import LethalHits
from rolloff.editions.compendium.specials.lethal_precision import LethalPrecision
from rolloff.editions.compendium.specials.lightning_reflexes import LightningReflexes
from rolloff.editions.compendium.specials.lone_operative import LoneOperative
from rolloff.editions.compendium.specials.luminagen import Luminagen
from rolloff.editions.compendium.specials.master_crafted import MasterCrafted
from rolloff.editions.compendium.specials.melee import Melee
from rolloff.editions.compendium.specials.melta import Melta
from rolloff.editions.compendium.specials.missile_lock import MissileLock
from rolloff.editions.compendium.specials.molecular_realignment_field import MolecularRealignmentField
from rolloff.editions.compendium.specials.monofilament import Monofilament
from rolloff.editions.compendium.specials.monster_hunter import MonsterHunter
from rolloff.editions.compendium.specials.moonsilver import Moonsilver
from rolloff.editions.compendium.specials.murderous_strike import MurderousStrike
from rolloff.editions.compendium.specials.neural_shock import NeuralShock
from rolloff.editions.compendium.specials.one_use_only import OneUseOnly
from rolloff.editions.compendium.specials.ordnance import Ordnance
from rolloff.editions.compendium.specials.pistol import Pistol
from rolloff.editions.compendium.specials.poisoned import Poisoned
from rolloff.editions.compendium.specials.precision_shots import PrecisionShots
from rolloff.editions.compendium.specials.precision_strikes import PrecisionStrikes
from rolloff.editions.compendium.specials.preferred_enemy import PreferredEnemy
from rolloff.editions.compendium.specials.psychic import Psychic
from rolloff.editions.compendium.specials.pulverise import Pulverise
from rolloff.editions.compendium.specials.rage import Rage
from rolloff.editions.compendium.specials.rapid_fire import RapidFire
from rolloff.editions.compendium.specials.reaping_blow import ReapingBlow
from rolloff.editions.compendium.specials.rending import Rending
from rolloff.editions.compendium.specials.ritual_pair import RitualPair
from rolloff.editions.compendium.specials.salvo import Salvo
from rolloff.editions.compendium.specials.shred import Shred
from rolloff.editions.compendium.specials.shrouded import Shrouded
from rolloff.editions.compendium.specials.skyfire import Skyfire
from rolloff.editions.compendium.specials.smash import Smash
from rolloff.editions.compendium.specials.sniper import Sniper
from rolloff.editions.compendium.specials.soul_leech import SoulLeech
from rolloff.editions.compendium.specials.specialist import Specialist
from rolloff.editions.compendium.specials.stealth import Stealth
from rolloff.editions.compendium.specials.strafing_run import StrafingRun
from rolloff.editions.compendium.specials.sunder import Sunder
from rolloff.editions.compendium.specials.sustained_hits import SustainedHits
from rolloff.editions.compendium.specials.swarms import Swarms
from rolloff.editions.compendium.specials.tank_hunters import TankHunters
from rolloff.editions.compendium.specials.template import Template
from rolloff.editions.compendium.specials.twin_linked import TwinLinked
from rolloff.editions.compendium.specials.two_handed import TwoHanded
from rolloff.editions.compendium.specials.unwieldy import Unwieldy
from rolloff.editions.compendium.specials.wrath_of_angels import WrathOfAngels
from rolloff.editions.compendium.specials.zealot import Zealot

TIER_ONE: Mapping[str, Ability] = {
    "Anti": Anti("SR-ANTI-1", "SR-ANTI-2", "SR-ANTI-3"),
    "Armourbane": Armourbane("SR-ARMOURBANE-1", "SR-ARMOURBANE-3"),
    "Bladestorm": Bladestorm("SR-BLADESTORM-1", "SR-BLADESTORM-2"),
    "Blade Whip": BladeWhip("SR-BLADE-WHIP-1"),
    "Burst Pistol": BurstPistol("SR-BURST-PISTOL-1"),
    "Colossal": Colossal("SR-COLOSSAL-1", "SR-COLOSSAL-2"),
    "Concussive": Concussive("SR-CONCUSSIVE-1"),
    "Daemon": Daemon("SR-DAEMON-1"),
    "Decapitating Blow": DecapitatingBlow("SR-DECAPITATING-BLOW-1", "SR-DECAPITATING-BLOW-2"),
    "Deflagrate": Deflagrate("SR-DEFLAGRATE-1", "SR-DEFLAGRATE-4"),
    "Destroyer": Destroyer("SR-DESTROYER-1"),
    "Devastating Wounds": DevastatingWounds("SR-DEVASTATING-WOUND-1", "SR-DEVASTATING-WOUND-2"),
    "Distort Scythe": DistortScythe("SR-DISTORT-SCYTHE-1", "SR-DISTORT-SCYTHE-2"),
    "Entropic Strike": EntropicStrike("SR-ENTROPIC-STRIKE-1"),
    "Eternal Warrior": EternalWarrior("SR-ETERNAL-WARRIOR-1", "SR-ETERNAL-WARRIOR-2"),
    "Extra Attacks": ExtraAttacks("SR-EXTRA-ATTACKS-1"),
    "Fatal Precision": FatalPrecision("SR-FATAL-PRECISION-1", "SR-FATAL-PRECISION-2"),
    "Feel No Pain": FeelNoPain("SR-FEEL-NO-PAIN-1"),
    "Fights First": FightsFirst("SR-FIGHT-FIRST-1"),
    "Fleshbane": Fleshbane("SR-FLESHBANE-1"),
    "Furious Charge": FuriousCharge("SR-FURIOUS-CHARGE-1"),
    "Gets Hot": GetsHot("SR-GETS-HOT-1", "SR-GETS-HOT-3"),
    "Graviton": Graviton("SR-GRAVITON-1", "SR-GRAVITON-2"),
    "Hammer of Wrath": HammerOfWrath("SR-HAMMER-OF-WRATH-1"),
    "Hatred": Hatred("SR-HATRED-1", "SR-HATRED-2"),
    "Haywire": Haywire("SR-HAYWIRE-1", "SR-HAYWIRE-2"),
    "Hazardous": Hazardous("SR-HAZARDOUS-1", "SR-HAZARDOUS-2"),
    "Heavy": Heavy("SR-HEAVY-1"),
    "Ignores Cover": IgnoresCover("SR-IGNORES-COVER-1", "SR-IGNORES-COVER-2"),
    "Impact": Impact("SR-IMPACT-1"),
    "Impale": Impale("SR-IMPALE-1"),
    "Indirect Fire": IndirectFire("SR-INDIRECT-FIRE-2"),
    "Instant Death": InstantDeath("SR-INSTANT-DEATH-1"),
    "Lance": Lance("SR-LANCE-1", "SR-LANCE-2", "SR-LANCE-3"),
    "Lethal Hits": LethalHits("SR-LETHAL-HIT-1", "SR-LETHAL-HIT-2"),
    "Lethal Precision": LethalPrecision("SR-LETHAL-PRECISION-1", "SR-LETHAL-PRECISION-2"),
    "Lightning Reflexes": LightningReflexes("SR-LIGHTNING-REFLEXES-1"),
    "Lone Operative": LoneOperative("SR-LONE-OPERATIVE-1", "SR-LONE-OPERATIVE-2"),
    "Luminagen": Luminagen("SR-LUMINAGEN-1", "SR-LUMINAGEN-3"),
    "Master-crafted": MasterCrafted("SR-MASTER-CRAFTED-1", "SR-MASTER-CRAFTED-2"),
    "Melee": Melee("SR-MELEE-1"),
    "Melta": Melta("SR-MELTA-1", "SR-MELTA-3"),
    "Molecular Realignment Field": MolecularRealignmentField("SR-MOLECULAR-REALIGNMENT-FIELD-1"),
    "Monofilament": Monofilament("SR-MONOFILAMENT-1", "SR-MONOFILAMENT-2"),
    "Monster Hunter": MonsterHunter("SR-MONSTER-HUNTER-1"),
    "Moonsilver": Moonsilver("SR-MOONSILVER-1", "SR-MOONSILVER-2"),
    "Murderous Strike": MurderousStrike("SR-MURDEROUS-STRIKE-1", "SR-MURDEROUS-STRIKE-2"),
    "Neural Shock": NeuralShock("SR-NEURAL-SHOCK-1"),
    "One Use Only": OneUseOnly("SR-ONE-USE-ONLY-1"),
    "Ordnance": Ordnance("SR-ORDNANCE-1", "SR-ORDNANCE-2", "SR-ORDNANCE-4", "SR-ORDNANCE-5"),
    "Pistol": Pistol("SR-PISTOL-1"),
    "Poisoned": Poisoned("SR-POISONED-1", "SR-POISONED-2"),
    "Precision Shots": PrecisionShots("SR-PRECISION-SHOTS-1"),
    "Precision Strikes": PrecisionStrikes("SR-PRECISION-STRIKES-1"),
    "Preferred Enemy": PreferredEnemy("SR-PREFERRED-ENEMY-1", "SR-PREFERRED-ENEMY-2"),
    "Pulverise": Pulverise("SR-PULVERISE-1", "SR-PULVERISE-2"),
    "Rapid Fire": RapidFire("SR-RAPID-FIRE-1"),
    "Reaping Blow": ReapingBlow("SR-REAPING-BLOW-1", "SR-REAPING-BLOW-2"),
    "Rending": Rending("SR-RENDING-1", "SR-RENDING-2"),
    "Ritual Pair": RitualPair("SR-RITUAL-PAIR-1", "SR-RITUAL-PAIR-2", "SR-RITUAL-PAIR-3"),
    "Salvo": Salvo("SR-SALVO-1", "SR-SALVO-2"),
    "Shred": Shred("SR-SHRED-1", "SR-SHRED-2"),
    "Shrouded": Shrouded("SR-SHROUDED-1", "SR-SHROUDED-2"),
    "Smash": Smash("SR-SMASH-1"),
    "Sniper": Sniper("SR-SNIPER-1", "SR-SNIPER-2", "SR-SNIPER-3"),
    "Soul-leech": SoulLeech("SR-SOUL-LEECH-1", "SR-SOUL-LEECH-2"),
    "Specialist": Specialist("SR-SPECIALIST-1"),
    "Stealth": Stealth("SR-STEALTH-1", "SR-STEALTH-2", "SR-STEALTH-3"),
    "Sunder": Sunder("SR-SUNDER-1", "SR-SUNDER-2"),
    "Sustained Hits": SustainedHits("SR-SUSTAINED-HIT-1", "SR-SUSTAINED-HIT-2"),
    "Swarms": Swarms("SR-SWARMS-1", "SR-SWARMS-2", "SR-SWARMS-4"),
    "Tank Hunters": TankHunters("SR-TANK-HUNTERS-1", "SR-TANK-HUNTERS-2", "SR-TANK-HUNTERS-3"),
    "Twin-linked": TwinLinked("SR-TWIN-LINKED-1", "SR-TWIN-LINKED-3"),
    "Two-handed": TwoHanded("SR-TWO-HANDED-1"),
    "Unwieldy": Unwieldy("SR-UNWIELDY-1"),
    "Wrath of Angels": WrathOfAngels("SR-WRATH-OF-ANGELS-1", "SR-WRATH-OF-ANGELS-2"),
}

# Rules of later tiers that change an attack by itself in few words.
FURTHER: Mapping[str, Ability] = {
    "Blast": Blast(scope=Scope.WEAPON),
    "Counter-attack": CounterAttack("SR-COUNTER-ATTACK-1"),
    "Grenades": Grenades("SR-GRENADES-2", "SR-GRENADES-3"),
    "Missile Lock": MissileLock("SR-MISSILE-LOCK-1"),
    "Psychic": Psychic("SR-PSYCHIC-1"),
    "Rage": Rage("SR-RAGE-1"),
    "Skyfire": Skyfire("SR-SKYFIRE-1"),
    "Strafing Run": StrafingRun("SR-STRAFING-RUN-1"),
    "Template": Template(),
    "Zealot": Zealot("SR-ZEALOT-2"),
}

# Rules that other parts ask for by name: what a model is, or how it moves, takes cover and stands its ground.
NOTED: Mapping[str, Ability] = {
    "And They Shall Know No Fear": Noted(scope=Scope.UNIT_ANY),
    "Assault": Noted(scope=Scope.WEAPON),
    "Brotherhood of Psykers": Noted(),
    "Chariot": Noted(),
    "Crusader": Noted(scope=Scope.UNIT_ANY),
    "Fast": Noted(),
    "Fear": Noted(scope=Scope.MODEL),
    "Fearless": Noted(scope=Scope.UNIT_ANY),
    "Heavyweights": Noted(),
    "Independent Character": Noted(),
    "Jink": Noted(scope=Scope.MODEL),
    "Open-topped": Noted(),
    "Power of the Machine Spirit": Noted(scope=Scope.VEHICLE),
    "Primary": Noted(scope=Scope.WEAPON),
    "Psychic Pilot": Noted(),
    "Psyker": Noted(),
    "Relentless": Noted(scope=Scope.MODEL),
    "Skilled Rider": Noted(scope=Scope.UNIT_ANY),
    "Skimmer": Noted(),
    "Slow and Purposeful": Noted(scope=Scope.UNIT_ANY),
    "Smoke Launchers": Noted(scope=Scope.VEHICLE),
    "Squadron": Noted(),
    "Stubborn": Noted(scope=Scope.UNIT_ANY),
    "Tank": Noted(),
    "Transport": Noted(),
    "Walker": Noted(),
}

# Rules that are not in force yet: whoever says one is refused (CF-PROF-9).
_PLANNED = (
    "Absorbed Warp Charge", "Acute Senses", "Adamantium Will", "Assault Vehicle", "Barrage", "Bio-cataclysm", "Blind", "Bombs",
    "Bulky", "Crawling Fire", "Deep Strike", "Dragon's Breath", "Earthshatter", "Fleet", "Flyer", "Force", "Hellstorm",
    "Hit & Run", "Infiltrate", "Interceptor", "It Will Not Die", "Line of Effect", "Lingering Death", "Move Through Cover",
    "Night Fighting", "Night Vision", "Outflank", "Pinning", "Psy-Shock", "Rampage", "Scout", "Searchlight", "Skyburst",
    "Snatched", "Soul Blaze", "Soulfright", "Strikedown", "Super-heavy", "Super-heavy Walker", "Supersonic", "Vector Dancer",
    "Vector Strike", "Vortex", "Warp Mutation",
)  # fmt: skip

SPECIALS: Mapping[str, Ability] = {**TIER_ONE, **FURTHER, **NOTED, **{name: Planned() for name in _PLANNED}}

# The other names rules go by: short names of the data, and headings of the source.
ALIASES: Mapping[str, str] = {
    "anti x": "Anti",
    "apocalyptic barrage": "Barrage",
    "apocalyptic blast": "Blast",
    "assault grenades": "Grenades(assault)",
    "assault weapon": "Assault",
    "bomb": "Bombs",
    "brotherhood": "Brotherhood of Psykers",
    "brotherhood of sorcerers": "Brotherhood of Psykers",
    "decapiting blow": "Decapitating Blow",
    "defensive grenades": "Grenades(defensive)",
    "destroyers": "Destroyer",
    "devastating wound": "Devastating Wounds",
    "dragons breath": "Dragon's Breath",
    "extremely bulky": "Bulky",
    "fight first": "Fights First",
    "frag grenades": "Grenades(frag)",
    "haywire grenades": "Grenades(haywire)",
    "heavy weapon": "Heavy",
    "hellstorm weapons": "Hellstorm",
    "hit and run": "Hit & Run",
    "hover": "Flyer",
    "how": "Hammer of Wrath",
    "invincible behemoth": "Super-heavy",
    "krak grenades": "Grenades(krak)",
    "large blast": "Blast",
    "lethal hit": "Lethal Hits",
    "massive blast": "Blast",
    "melta bombs": "Grenades(melta)",
    "plasma grenades": "Grenades(plasma)",
    "preferred ennemy": "Preferred Enemy",
    "psychic tag": "Psychic",
    "sky fire": "Skyfire",
    "smoke launcher": "Smoke Launchers",
    "stomp": "Super-heavy Walker",
    "strike down": "Strikedown",
    "super heavy flyer": "Super-heavy Walker",
    "super heavy vehicle": "Super-heavy",
    "sustained hit": "Sustained Hits",
    "tanks": "Tank",
    "thunder blitz": "Super-heavy",
    "thunderblitz": "Super-heavy",
    "very bulky": "Bulky",
}

BOOK = AbilityRegistry(SPECIALS)
