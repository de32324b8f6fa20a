"""All abilities of the edition by name, each with its clauses, and the reader that knows them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rolloff.editions.commentary.ability import (
    BEARER,
    MELEE,
    OTHER,
    SHOOTING,
    TARGET,
    Ability,
    Noted,
    NotedChance,
    NotedFigure,
    NotedNumber,
)
from rolloff.editions.commentary.matchup import HIT, IGNORING, WOUND, AbilityRegistry
from rolloff.editions.commentary.specials.anti import Anti
from rolloff.editions.commentary.specials.blast import Blast
from rolloff.editions.commentary.specials.characteristic import Changes
from rolloff.editions.commentary.specials.conditional import Conditional, Counted, Near, OnWeapons, Timed, Written
from rolloff.editions.commentary.specials.counts_as import CountsAs
from rolloff.editions.commentary.specials.criticals import Criticals
from rolloff.editions.commentary.specials.damaged import Damaged
from rolloff.editions.commentary.specials.devastating_wounds import DevastatingWounds
from rolloff.editions.commentary.specials.echo_strike import EchoParry, EchoStrike
from rolloff.editions.commentary.specials.heavy import Heavy
from rolloff.editions.commentary.specials.hunter import AgainstTheWeak
from rolloff.editions.commentary.specials.ignores_cover import IgnoresCover
from rolloff.editions.commentary.specials.ignoring import IgnoreModifiers
from rolloff.editions.commentary.specials.indirect_fire import IndirectFire
from rolloff.editions.commentary.specials.lance import Lance
from rolloff.editions.commentary.specials.leading import WhileLeading
from rolloff.editions.commentary.specials.lethal_hits import LethalHits
from rolloff.editions.commentary.specials.melta import Melta
from rolloff.editions.commentary.specials.mortal_wounds import MortalWounds
from rolloff.editions.commentary.specials.needs import WoundedOn, WoundsOn
from rolloff.editions.commentary.specials.no_pain import FeelNoPain
from rolloff.editions.commentary.specials.noted import WeaponNote
from rolloff.editions.commentary.specials.precision import Precision
from rolloff.editions.commentary.specials.psychic import Psychic
from rolloff.editions.commentary.specials.rapid_fire import RapidFire
from rolloff.editions.commentary.specials.rerolls import DamageRerolls, Rerolls, SaveRerolls
from rolloff.editions.commentary.specials.rolls import RollModifier
from rolloff.editions.commentary.specials.stealth import Stealth
from rolloff.editions.commentary.specials.sustained_hits import SustainedHits
from rolloff.editions.commentary.specials.torrent import Torrent
from rolloff.editions.commentary.specials.twin_linked import TwinLinked
from rolloff.editions.commentary.specials.wards import BenefitOfCover, InvulnerableSave, SaveAgainstDamage
from rolloff.editions.commentary.values import (
    AP,
    ATTACKS,
    CONSOLIDATION,
    CONTROL,
    DAMAGE,
    LEADERSHIP,
    MOVE,
    PILING_IN,
    RANGE,
    SAVE,
    SKILL,
    STRENGTH,
    TOUGHNESS,
)
from rolloff.editions.commentary.weapons import Reader
from rolloff.rules.citing import cites
from rolloff.table.profile import Rule

SPECIALS: Mapping[str, Ability] = {
    # on weapons
    "Anti": Anti("WPN-18"),
    "Assault": WeaponNote("WPN-1"),
    "Blast": Blast(5, "WPN-11"),
    "Devastating Wounds": DevastatingWounds("WPN-15"),
    "Extra Attacks": WeaponNote("WPN-17"),
    "Hazardous": WeaponNote("WPN-14"),
    "Heavy": Heavy("WPN-13"),
    "Ignores Cover": IgnoresCover("WPN-3"),
    "Indirect Fire": IndirectFire("WPN-9"),
    "Lance": Lance("WPN-8"),
    "Lethal Hits": LethalHits("WPN-7", "AUTO-3"),
    "Melta": Melta("WPN-12"),
    "One Shot": WeaponNote("WPN-19"),
    "Pistol": WeaponNote("WPN-5"),
    "Precision": Precision("WPN-10"),
    "Psychic": Psychic("PSY-1", "PSY-3"),
    "Rapid Fire": RapidFire("WPN-2"),
    "Sustained Hits": SustainedHits("WPN-16", "SUST-1", "SUST-2"),
    "Torrent": Torrent("WPN-6", "AUTO-1", "AUTO-2"),
    "Twin-linked": TwinLinked("WPN-4", "REROLL-1"),
    # on units or weapons, for their own attacks
    "Against the Weak": AgainstTheWeak("TCOND-2"),
    "Attacks": Changes(ATTACKS, "MOD-1", samples=("+1", "x2")),
    "Critical Hits": Criticals("Critical Hits", HIT, "CRIT-1"),
    "Critical Wounds": Criticals("Critical Wounds", WOUND, "CRIT-3"),
    "Damage": Changes(DAMAGE, "MOD-1", samples=("+1", "x2")),
    "Damaged": Damaged("UNIT-9"),
    "Hit Rolls": CountsAs("Hit Rolls", HIT, "TREAT-1"),
    IGNORING: IgnoreModifiers("IGN-1"),
    "Mortal Wounds": MortalWounds("MODCH-9"),
    "Penetration": Changes(AP, "MOD-1", samples=("+1", "-1")),
    "Re-roll Damage": DamageRerolls("Re-roll Damage", "damage", "REROLL-2", "REROLL-4"),
    "Re-roll Hits": Rerolls("Re-roll Hits", HIT, "REROLL-5"),
    "Re-roll Wounds": Rerolls("Re-roll Wounds", WOUND, "REROLL-5"),
    "Strength": Changes(STRENGTH, "MOD-1", samples=("+1", "x2")),
    "To Hit": RollModifier("To Hit", HIT, "MOD-1"),
    "To Wound": RollModifier("To Wound", WOUND, "MOD-1"),
    "BS": Changes(SKILL, "MODCH-2", samples=("+1", "-1"), kinds=(SHOOTING,)),
    "WS": Changes(SKILL, "MODCH-1", samples=("+1", "-1"), kinds=(MELEE,)),
    "Wound Rolls": CountsAs("Wound Rolls", WOUND, "TREAT-1"),
    "Wounds On": WoundsOn("MOD-2"),
    # on units, against attacks
    "Benefit of Cover": BenefitOfCover("COVER-1"),
    "Damage Taken": Changes(DAMAGE, "AGAINST-2", part=BEARER, samples=("-1", "/2", "=0")),
    "Feel No Pain": FeelNoPain("FNP-1"),
    "Invulnerable Save": InvulnerableSave("ATK-7"),
    "Penetration Taken": Changes(AP, "MODIMP-4", part=TARGET, samples=("-1",)),
    "Re-roll Saves": SaveRerolls("Re-roll Saves", "save", "REROLL-3"),
    "Save": Changes(SAVE, "USV-2", part=BEARER, samples=("+1", "-1")),
    "Save Against Damage": SaveAgainstDamage("AGAINST-2"),
    "Stealth": Stealth("ABIL-10"),
    "To Be Hit": RollModifier("To Be Hit", HIT, "MOD-1", part=TARGET),
    "To Be Wounded": RollModifier("To Be Wounded", WOUND, "MOD-1", part=TARGET),
    "Toughness": Changes(TOUGHNESS, "MODUNIT-1", part=TARGET, samples=("+1", "-1")),
    "Wounded On": WoundedOn("MOD-2"),
    # read by other parts of the rules
    "Deadly Demise": NotedNumber("ABIL-1"),
    "Deep Strike": Noted("ABIL-2"),
    "Fights First": Noted("ABIL-4"),
    "Firing Deck": NotedFigure("ABIL-5"),
    "Hover": Noted("ABIL-11"),
    "Infiltrators": Noted("ABIL-6"),
    "Leader": Noted("ABIL-7"),
    "Leadership": Changes(LEADERSHIP, "MODUNIT-1", part=BEARER),
    "Lone Operative": Noted("ABIL-8"),
    "Scouts": NotedFigure("ABIL-9"),
    "Second Leader": Noted("ATTACH-1"),
    "While Carried": WhileLeading("UNIT-10"),
    "While Leading": WhileLeading("LEAD-1"),
    # of datasheets, Enhancements, detachments and Stratagems: read by other parts of the rules
    "Afterimage": Noted("TOKEN-1", "TREAT-1"),
    "Against Strong Attacks": Conditional("AGAINST-3"),
    "Aura": Near("UNIT-8"),
    "Bombs": Noted("LINE-1"),
    "Breaks No Detachment": Noted("KEYW-5"),
    "Burrows": Noted("REPOS-1"),
    "Carries": Counted("TRANS-1"),
    "Consolidation": Changes(CONSOLIDATION, "CONSOL-5", part=OTHER, samples=("+1", "+3")),
    "Control": Changes(CONTROL, "MOD-1", part=OTHER, samples=("+1", "-1")),
    "Denies Reinforcements": NotedFigure("PRIO-3"),
    "Dread": NotedFigure("BSHOCK-3"),
    "Dread Aura": NotedFigure("UNIT-8"),
    "Echo Parry": EchoParry("MODCH-4"),
    "Echo Strike": EchoStrike("TREAT-1"),
    "Fights Again": Noted("INDIV-1"),
    "Fights On Death": NotedChance("FIGHTDEATH-1"),
    "Ganging Up": Conditional("TCOND-1"),
    "Halves Control": Noted("MOD-3"),
    "Lamp Tokens": Noted("COVER-1"),
    "Move": Changes(MOVE, "MOD-1", part=OTHER, samples=("+2", "-2")),
    "Mutates": Noted("D66-1"),
    "Near Markers": Conditional("TCOND-1"),
    "Pile-in": Changes(PILING_IN, "PILEIN-6", part=OTHER, samples=("+1", "+3")),
    "Range": Changes(RANGE, "MOD-1", part=OTHER, samples=("+6",)),
    "Redeploys": Counted("REDEP-1"),
    "Regains": Timed("REGAIN-1"),
    "Replaced Once": Noted("REPLACE-1"),
    "Returns Models": NotedNumber("RETURN-1"),
    "Second Birth": NotedFigure("RETURN-4"),
    "Shoots Again": Noted("SHOOTAGAIN-1"),
    "Shoots On Death": NotedChance("SHOOTDEATH-1"),
    "Single Target": Conditional("SINGLE-2"),
    "Single Target Model": Conditional("SINGLE-1"),
    "Slows": NotedFigure("PERSIST-1"),
    "Stratagem Discount": NotedFigure("CPCOST-2"),
    "Taxes": Written("LABEL-1"),
    "Weapon": OnWeapons("ATTR-1"),
}

BOOK = AbilityRegistry(SPECIALS)
READER = Reader(SPECIALS)


def collapsed(rules: Iterable[Rule], specials: Mapping[str, Ability] = SPECIALS) -> tuple[Rule, ...]:
    """DUP: several instances of one core ability count once, the best of them; other rules add up."""
    kept: dict[object, Rule] = {}
    for at, rule in enumerate(rules):
        special = specials[rule.name]
        key: object = at
        if special.core:
            key = _sameness(rule, special)  # DUP-1
        old = kept.get(key)
        kept[key] = rule if old is None else _preferred(old, rule, special)
    return tuple(kept.values())


@cites("DUP-3")
def _sameness(rule: Rule, special: Ability) -> object:
    """DUP-1, DUP-3: what makes two instances the same ability."""
    return rule.name, special.same_as(rule.rating)


def is_same(one: Rule, other: Rule, special: Ability) -> bool:
    """Whether two rules are instances of one ability."""
    return one.name == other.name and _sameness(one, special) == _sameness(other, special)


@cites("DUP-2")
def _preferred(old: Rule, new: Rule, special: Ability) -> Rule:
    """DUP-2: of several instances with numbers the best."""
    return new if special.worth(new.rating) > special.worth(old.rating) else old
