"""Match-ups to try every ability in: an attacker with some, a target with others, small enough for every die path.

The abilities come from the registry of the edition, each with the ratings it says it may be tried with, so that a new one
joins by existing. Dice are enumerated on the roller; nothing here knows how odds are computed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

from rolloff.editions.commentary.abilities import BOOK, SPECIALS
from rolloff.editions.commentary.ability import ATTACKER, BEARER, MELEE, OTHER, SHOOTING, TARGET
from rolloff.editions.commentary.attack import Attack, attack_of, company_of, policy_of, target_of, volleys_of
from rolloff.editions.commentary.attack_case import Case
from rolloff.editions.commentary.matchup import hit_draft
from rolloff.editions.commentary.target import TargetState
from rolloff.editions.commentary.v10 import EDITION
from rolloff.oracle.oracle import Defaults, Oracle
from rolloff.oracle.roller import Roller
from rolloff.rules.attack import AttackForm
from rolloff.rules.play import Play
from rolloff.situations.forms import CaseForm, decode
from rolloff.situations.situation import read_situation
from rolloff.table.profile import Rule
from tests.commentary.desk import blade, gun, squad
from tests.commentary.desk import case as written
from tests.oracle.brute import Odometer

HARMLESS = frozenset({"Assault", "Pistol", "One Shot", "Extra Attacks", "Hazardous"})
"""Weapon abilities without a part in the stages: they stand on attacks all the same."""

Lost = tuple[int, ...]


def tried() -> list[Rule]:
    """Every ability that has a part in an attack, with each rating it may be tried with."""
    found = []
    for name, special in SPECIALS.items():
        if special.part != OTHER or name in HARMLESS:
            found += [Rule(name, rating) for rating in special.samples]
    return found


def kinds_of(*rules: Rule) -> list[str]:
    """The kinds of attack all of these can stand on together."""
    return [kind for kind in (SHOOTING, MELEE) if all(kind in SPECIALS[rule.name].kinds for rule in rules)]


def pairs() -> Iterator[tuple[Rule, Rule]]:
    """All pairs of different abilities that can stand on one attack, each with its first rating."""
    first = {rule.name: rule for rule in reversed(tried())}
    for one, other in combinations(sorted(first.values(), key=lambda rule: rule.name), 2):
        if kinds_of(one, other):
            yield one, other


RAISING = frozenset({"Rapid Fire", "Blast", "Attacks"})
"""Abilities that make one attack two or more, which squares the number of die paths."""

MULTIPLYING = RAISING | {"Sustained Hits"}


@cache
def touches_hits(rule: Rule) -> bool:
    """Whether an ability changes the Hit roll, found by building it with and without."""
    kind = kinds_of(rule)[0]
    plain, altered = (built(rules, kind=kind).strikes[0] for rules in ((), (rule,)))
    return hit_draft(plain, BOOK).stage() != hit_draft(altered, BOOK).stage()


def matchup(rules: Sequence[Rule], kind: str = "", **weapon: Any) -> Case:
    """An attack on which all these abilities have something to say, as far as they can together, with few dice.

    Where attacks are multiplied, either nothing is rolled to hit or nobody has a save.
    """
    kind = kind or kinds_of(*rules)[0]
    names = {rule.name for rule in rules}
    many = bool(names & RAISING)
    to_hit = many and any(touches_hits(rule) for rule in rules if rule.name not in RAISING)
    held = {part: [str(rule) for rule in rules if SPECIALS[rule.name].part == part] for part in (ATTACKER, TARGET, BEARER)}
    on_weapon = [str(rule) for rule in rules if SPECIALS[rule.name].on_weapon]
    on_unit = [text for text in held[ATTACKER] if text not in on_weapon]
    if many and not to_hit and kind == SHOOTING:
        on_weapon.append("Torrent")
    arm = (gun if kind == SHOOTING else blade)(*on_weapon, **{"skill": 4, "AP": -1, "D": 2, **weapon})
    heavy = to_hit or any(rule.name in MULTIPLYING and rule.rating != 1 for rule in rules)
    heavy = heavy or ("Feel No Pain" in names and bool(names & MULTIPLYING))
    save = 7 if heavy else 4
    precise = "Precision" in names
    models = 5 if "Blast" in names else 1 if precise else 2
    own = [{"rules": ["W(1)"]}] * (models if precise else 1)
    target = squad("b1", "B", models, Sv=save, W=2, rules=held[TARGET] + held[BEARER], start_size=11, own=own)
    units = [squad("a1", "A", 1, arm, W=4, rules=on_unit), target]
    if precise:
        leads = {"keywords": ["INFANTRY", "CHARACTER"], "rules": held[TARGET], "where": "b1"}
        units.append(squad("x", "B", 1, Sv=7 if heavy else 3, W=2, **leads))
    situation = read_situation(decode(json.dumps(written(units, kind)).encode(), CaseForm))
    seen = precise or "Indirect Fire" not in names
    said = AttackForm(0, 1, kind, range=10_000, visible=seen, cover=True, charged=True, stationary=True, half_range=True)
    return Case(situation.game, situation.state, said)


def lost_by_slot(attack: Attack, target: Any, order: Sequence[int], state: Any) -> Lost:
    """The wounds each model of the target has lost in a state, whatever kind of target it is."""
    if isinstance(state, TargetState):
        return state.lost
    left = state
    taken: dict[int, int] = {}
    wounds = {bearer.slot: bearer.rung.wounds for bearer in attack.bearers}
    for slot in order:
        taken[slot] = min(left, wounds[slot])
        left -= taken[slot]
    return tuple(taken[bearer.slot] for bearer in attack.bearers)


class TooMany(Exception):
    """More die paths than a test can afford."""


def every_end(step: Callable[[Odometer], Lost], most: int) -> dict[Lost, Fraction]:
    """What a step comes to on every path of its dice; `TooMany` if there are more than `most`."""
    dice = Odometer()
    found: dict[Lost, Fraction] = {}
    for _ in range(most):
        ended = step(dice)
        found[ended] = found.get(ended, Fraction(0)) + Fraction(1, 6**dice.at)
        if not dice.turn():
            return found
    raise TooMany


def enumerated(attack: Attack, policies: Mapping[str, str], most: int = 1_000_000) -> dict[Lost, Fraction]:
    """Every die path of an attack as play rolls it: weapon by weapon, model by model."""
    company = company_of(attack, policy_of(policies))
    volleys, start = volleys_of(attack, rolled=True), company.start(attack.touched)

    def step(dice: Odometer) -> Lost:
        return Roller(dice.roll).volley(volleys, company, start).state.lost

    return every_end(step, most)


def played(case: Case, most: int = 1_000_000) -> dict[Lost, Fraction]:
    """Every die path of the whole attack in play, down to the state it leaves, all choices by default."""

    def step(dice: Odometer) -> Lost:
        play = Play(case.game, case.state, Oracle(Rolled(dice), Defaults()))
        assert EDITION.sequence is not None
        EDITION.sequence.run(play, case.form)
        living = {slot for unit in play.state.units for slot in unit.living}
        wounds = {slot: case.lookups.fighters[slot].profile.wounds for slot in case.target.slots}
        return tuple(play.state.wounds_on(slot) if slot in living else wounds[slot] for slot in case.target.slots)

    return every_end(step, most)


class Rolled:
    """An odometer as a source of dice."""

    def __init__(self, dice: Odometer) -> None:
        """Roll its faces."""
        self.dice = dice

    def faces(self, n: int, label: str, sides: int = 6) -> list[int]:
        """The next faces."""
        return self.dice.roll(n, label, sides)


def computed(attack: Attack, policies: Mapping[str, str], calculator: Any) -> dict[Lost, Fraction]:
    """The same from the plan for odds."""
    target, start, order = target_of(attack, policy_of(policies))
    law = calculator.after(volleys_of(attack, rolled=False), target, start)
    found: dict[Lost, Fraction] = {}
    for state, chance in law.items():
        key = lost_by_slot(attack, target, order, state)
        found[key] = found.get(key, Fraction(0)) + chance
    return found


def built(rules: Sequence[Rule], rerolls: str = "failures", asked: bool = False, **weapon: Any) -> Attack:
    """The attack of a match-up."""
    return attack_of(matchup(rules, **weapon), rerolls, asked)
