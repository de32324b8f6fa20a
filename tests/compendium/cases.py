"""Small attacks made up from the registry of special rules, so that a new rule is tried by existing.

A rule is put where its scope says: on the weapon, on the attacker, on the target. A set of rules stands on one attack if all
of its attacking rules take part in one kind of attack.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

from msgspec.structs import replace

from rolloff.editions.compendium.abilities import FURTHER, SPECIALS, TIER_ONE
from rolloff.editions.compendium.ability import MELEE, SHOOTING, Ability, Scope
from rolloff.editions.compendium.attack_sequence import prepare
from rolloff.editions.compendium.picking import Policies
from rolloff.editions.compendium.places import Places
from rolloff.editions.compendium.resolve import SUMS, Assault, Group, resolve
from rolloff.editions.compendium.squad import Policy
from rolloff.oracle.calculator import Calculator
from rolloff.oracle.dice import EnteredDice
from rolloff.oracle.law import Number
from rolloff.oracle.oracle import Defaults, Oracle
from rolloff.rules.attack import AttackForm
from rolloff.rules.play import Play
from rolloff.situations.forms import CaseForm, decode
from rolloff.situations.situation import read_situation
from rolloff.table.profile import Rating, Rule
from tests.oracle.brute import every_path

TRIED = {**TIER_ONE, **FURTHER}
WARDS = ("Daemon", "Eternal Warrior", "Feel No Pain", "Lightning Reflexes", "Lone Operative", "Shrouded", "Stealth", "Swarms")
FLESH: dict[str, Any] = {"M": 6, "WS": 3, "CT": 3, "S": 3, "T": 5, "W": 2, "I": 3, "A": 1, "Ld": 7, "Sv": 5}
HULL: dict[str, Any] = {"M": 9, "CT": 3, "AV": [10, 10, 10], "HP": 4}
ATTACKER = FLESH | {"WS": 1, "CT": 2, "S": 5, "W": 3, "Sv": 4}
Case = tuple[Assault, Any, Any]


def written(rules: Iterable[Rule]) -> list[str]:
    """Rules as they are printed."""
    return [str(rule) for rule in rules]


def on_target(rule: Rule) -> bool:
    """Whether a rule helps whoever is attacked."""
    return rule.name in WARDS


def on_weapon(rule: Rule) -> bool:
    """Whether a rule is printed on the weapon."""
    special: Ability = SPECIALS[rule.name]
    return special.stands_on_weapons() and special.scope not in (Scope.UNIT_ANY, Scope.UNIT_ALL)


def kinds_of(rules: Iterable[Rule]) -> tuple[str, ...]:
    """The kinds of attack all of these rules can stand on."""
    found = [SHOOTING, MELEE]
    for rule in rules:
        kinds = (MELEE,) if rule.name == "Melee" else SPECIALS[rule.name].kinds
        found = [kind for kind in found if kind in kinds or on_target(rule)]
    return tuple(found)


def samples(names: Iterable[str] = tuple(TRIED)) -> list[Rule]:
    """Every rule with every rating it is to be tried with."""
    return [Rule(name, rating) for name in names for rating in TRIED[name].samples]


def pairs() -> Iterator[tuple[Rule, ...]]:
    """All pairs of rules that can stand on one attack, each with its first rating."""
    firsts: list[tuple[str, Rating]] = [(name, TRIED[name].samples[0]) for name in TRIED]
    for one, other in combinations(firsts, 2):
        pair = (Rule(*one), Rule(*other))
        if kinds_of(pair):
            yield pair


def situation(rules: tuple[Rule, ...], kind: str, vehicle: bool, attacks: int, damage: object, frail: bool) -> dict[str, Any]:
    """An attacker with one weapon, and a target of two models or one vehicle, with these rules; a frail one falls at once."""
    held: dict[str, Any] = {"name": "arm", "range": 24 if kind == SHOOTING else "melee", "A": attacks, "AP": -1, "D": damage}
    held["S"] = 5 if vehicle and not frail else 4
    held["rules"] = written(rule for rule in rules if on_weapon(rule))
    own = written(rule for rule in rules if not on_weapon(rule) and not on_target(rule))
    wards = written(rule for rule in rules if on_target(rule))
    models: list[dict[str, Any]] = [{"id": "b.1", "wounds": 1}, {"id": "b.2"}]
    target: dict[str, Any] = {"type": "infantry, monster, daemon", "stats": FLESH, "models": models[:1] if frail else models}
    if vehicle:
        hull = {"id": "b.1", "wounds": 3 if frail else 1, "weapons": [held]}
        target = {"type": "vehicle", "stats": HULL, "models": [hull]}
    elif "Lone Operative" in {rule.name for rule in rules}:
        target |= {"type": "infantry, independent character", "models": models[:1]}
    if {rule.name for rule in rules} >= {"Skyfire"} and {rule.name for rule in rules} & {"Blast", "Template", "Ordnance"}:
        target["type"] += ", skimmer" if vehicle else ", flying monster"  # such a weapon is never a Snap Shot
    attacker: dict[str, Any] = {
        "id": "a",
        "side": "A",
        "type": "infantry, psyker",
        "stats": ATTACKER | {"A": attacks, "CT": 1 if frail else 2},
    }
    attacker |= {"rules": own, "models": [{"id": "a.1", "wounds": 2, "weapons": [held]}]}
    return {"edition": "compendium", "units": [attacker, {"id": "b", "side": "B", "rules": wards, **target}]}


def ready(rules: tuple[Rule, ...], kind: str, vehicle: bool, attacks: int = 1, damage: object = 2, frail: bool = False) -> Case:
    """The attack as it is resolved: groups and targets, and how both sides stand."""
    given = situation(rules, kind, vehicle, attacks, damage, frail)
    found = read_situation(decode(json.dumps(given).encode(), CaseForm))
    form = AttackForm(
        0, 1, kind, range=6000 if kind == SHOOTING else None, visible=True, cover=True, facing="front", charged=kind == MELEE
    )
    play = Play(found.game, found.state, Oracle(EnteredDice(()), Defaults()))
    made = prepare(Places(play, form), Policies({"weapons": "first", "smash": "never"}), Policy())
    assault = made.assault
    groups = small(assault.groups, attacks)
    return Assault(assault.book, groups, assault.target, assault.crew), made.start, made.muster


def small(groups: tuple[Group, ...], attacks: int) -> tuple[Group, ...]:
    """The same match-ups with few dice: each once, and no more attacks than that."""
    found: dict[object, Group] = {}
    for part in (part for group in groups for part in group.parts):
        strike = replace(part.strike, pooled=False)
        count = min(part.count, attacks) if isinstance(part.count, int) else part.count
        found.setdefault(strike, replace(part, strike=strike, count=count))
    return tuple(found.values())


def key_of(case: Case) -> object:
    """What decides the law of a case: two with the same key need not both be tried."""
    assault, start, muster = case
    plain = assault.volleys() if assault.plain else assault.groups
    hazards = tuple(group.hazardous for group in assault.groups)
    return plain, assault.target, assault.crew, start, muster, hazards


def exact(case: Case) -> dict[Any, Number]:
    """The law by the calculator, as rationals: where both sides end, and every count."""
    return dict(Calculator(exact=True).law(resolve, *case, SUMS))


def rolled(case: Case, limit: int | None = None) -> dict[Any, Fraction]:
    """The same law by rolling every way the dice can fall."""
    return every_path(resolve, *case, SUMS, limit=limit)


def targets_of(rules: Iterable[Rule]) -> tuple[bool, ...]:
    """Flesh, and a vehicle where the rules can stand before one."""
    return (False,) if any(rule.name == "Lone Operative" for rule in rules) else (False, True)
