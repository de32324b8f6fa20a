"""One Page odds: equal, as rationals, to every fall of the dice of the roller."""

from __future__ import annotations

import random
from contextlib import suppress
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

from rolloff.editions import registry
from rolloff.editions.onepage.book import FamilyEdition
from rolloff.errors import RolloffError
from rolloff.odds import attack, odds_of
from tests.odds.scenes import Json, held, scene, unit
from tests.oracle.brute import TooMany, every_path

EDITION = "onepage-3.0"
FAMILY = ("onepage-2.21", EDITION, "apocalypse-3.3")
RATED = {"Tough": "Tough(2)", "Impact": "Impact(1)", "Transport": "Transport(6)", "Psyker": "Psyker(1)", "Fast": "Fast"}


Rules = tuple[tuple[str, str], ...]


def _names(edition: str) -> list[str]:
    """Every special rule of the edition, with a rating where it takes one."""
    return [RATED.get(name, name) for name in registry.edition(edition).specials]


def _allowed(edition: str, where: str) -> list[str]:
    """The rules that can stand on a weapon, on the one who uses it, or on the target."""
    found = []
    for name in _names(edition):
        try:
            _one((where, name), kind="shooting", edition=edition)
            found.append(name)
        except RolloffError:
            continue
    return found


def _one(*rules: tuple[str, str], kind: str, attacks: int = 1, edition: str = EDITION, charged: bool = True) -> Any:
    """A weapon on two models, with these rules."""
    on = {place: [name for at, name in rules if at == place] for place in ("weapon", "striker", "target")}
    reach = ['30"'] if kind == "shooting" else []
    weapons = [f"Gun ({', '.join([*reach, f'A{attacks}', *on['weapon']])})"]
    attacker = unit(1, quality=4, rules=on["striker"], weapons=weapons)
    target = unit(2, quality=5, rules=on["target"])
    form: Json = {"kind": kind, "charged": charged} if kind == "melee" else {}
    return scene(attacker, target, form, edition=edition)


PLACES = {id: [(where, name) for where in ("weapon", "striker", "target") for name in _allowed(id, where)] for id in FAMILY}


@pytest.mark.parametrize(
    ("edition", "some"),
    [
        ("onepage-2.21", {("weapon", "Scope"), ("striker", "Hatred"), ("weapon", "Strikes First"), ("weapon", "Poison")}),
        (EDITION, {("weapon", "Linked"), ("weapon", "Piercing"), ("target", "Armored"), ("target", "Regeneration")}),
        ("apocalypse-3.3", {("weapon", "Sniper"), ("weapon", "Unwieldy"), ("target", "Stealth"), ("striker", "Impact(1)")}),
    ],
)
def test_the_registry_gives_the_combinations(edition: str, some: set[tuple[str, str]]) -> None:
    """The rules tried below come from the edition itself, so that a new one joins by existing."""
    assert len(PLACES[edition]) > 20
    assert some <= set(PLACES[edition])


def _can(rules: Rules, kind: str, edition: str) -> bool:
    """Whether the edition lets these rules stand together."""
    try:
        case = _one(*rules, kind=kind, edition=edition)
        case.plan(0, case.state)
    except RolloffError:
        return False
    return True


ALONE = [(id, kind, rule) for id in FAMILY for kind in ("shooting", "melee") for rule in PLACES[id] if _can((rule,), kind, id)]


@pytest.mark.clause(EDITION, "RES-2", "RES-4", "RES-6", "RES-8")
@pytest.mark.parametrize(("edition", "kind", "rule"), ALONE, ids=lambda part: part if isinstance(part, str) else " ".join(part))
def test_each_rule_alone(edition: str, kind: str, rule: tuple[str, str]) -> None:
    """Every rule by itself gives the odds of every fall of the dice."""
    rules = registry.edition(edition)
    assert isinstance(rules, FamilyEdition)
    more = rules.book.assault_attacks if kind == "melee" else 0
    held(_one(rule, kind=kind, attacks=2 - more, edition=edition))


def _tells(kind: str, rule: tuple[str, str], edition: str) -> bool:
    """Whether a rule changes the odds of an attack at all."""
    plain, ruled = _one(kind=kind, edition=edition), _one(rule, kind=kind, edition=edition)
    before, after = plain.plan(0, plain.state), ruled.plan(0, ruled.state)
    return (before.volleys, before.target) != (after.volleys, after.target)


def _pairs(edition: str, kind: str) -> list[Rules]:
    """Every two rules that change something and may stand on one attack."""
    telling = [rule for id, same, rule in ALONE if (id, same) == (edition, kind) and _tells(kind, rule, edition)]
    pairs: list[Rules] = list(combinations(telling, 2))
    if kind == "shooting":
        pairs += [(("weapon", "Piercing"), rule) for rule in PLACES[edition] if rule[0] == "target"]
    return [pair for pair in dict.fromkeys(pairs) if _can(pair, kind, edition)]


@pytest.mark.parametrize("kind", ["shooting", "melee"])
@pytest.mark.parametrize("edition", FAMILY)
def test_each_pair_of_rules(edition: str, kind: str) -> None:
    """Every two rules that can stand on one attack combine as they do on the dice; charges as far as there is time."""
    pairs = _pairs(edition, kind)
    assert len(pairs) > 10
    for pair in pairs:
        try:
            held(_one(*pair, kind=kind, edition=edition), limit=20_000)
        except TooMany:
            held(_one(*pair, kind=kind, edition=edition, charged=False))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("edition", FAMILY)
def test_random_sets_of_rules(edition: str, seed: int) -> None:
    """Larger sets of rules, drawn at random, still give the odds of every fall of the dice."""
    luck = random.Random(f"{edition} {seed}")
    kind = luck.choice(["shooting", "melee"])
    for _ in range(1000):
        rules = tuple(luck.sample(PLACES[edition], luck.randint(3, 6)))
        with suppress(TooMany):
            if _can(rules, kind, edition):
                held(_one(*rules, kind=kind, edition=edition), limit=20_000)
                return
    pytest.fail("no set of rules was small enough")


@pytest.mark.clause(EDITION, "RULE-ARMORED-2", "JOIN-5")
def test_rules_follow_who_is_left() -> None:
    """When casualties bring the Armored models to half, the next attack meets them."""
    mixed = [{"rules": ["Armored", "Tough(2)"]}, {}, {}]
    attacker = unit(1, quality=3, weapons=['Gun (30", A1)'])
    found = held(scene(attacker, unit(mixed, quality=5), {}, {}))
    plain = held(scene(attacker, unit([{"rules": ["Tough(2)"]}, {}, {}], quality=5), {}, {}))
    assert found.kills.mean < plain.kills.mean
    assert found[0].kills == plain[0].kills


@pytest.mark.clause(EDITION, "MORALE-2", "MORALE-7", "MORALE-8")
def test_wounds_already_taken_and_morale() -> None:
    """A unit that starts wounded and under strength falls and tests as it stands."""
    squad = unit([{"rules": ["Tough(3)"], "wounds": 2}, {"rules": ["Tough(3)"]}], quality=4, start_size=3)
    found = held(scene(unit(1, quality=3, weapons=['Gun (30", A2)']), squad, {}))
    assert found.morale["pinned"] > 0
    assert found.last.left_on_next.exactly(2) == found.kills.exactly(0)
    assert found.last.left_on_next.exactly(1) > 0


@pytest.mark.parametrize("rules", [("Linked",), ("Unwieldy",), ("Linked", "Unwieldy"), ("Rending",), ()])
def test_closed_forms(rules: tuple[str, ...]) -> None:
    """The chances of a hit and of a wound are those of the contract's closed forms."""
    for quality in range(2, 7):
        p, b = Fraction(7 - quality, 6), Fraction(7 - 5, 6)
        hit = p * (2 - p) if rules == ("Linked",) else p * p if rules == ("Unwieldy",) else p
        six = Fraction(1, 6) if rules == ("Rending",) else Fraction(0)
        weapon = f'Gun (30", {", ".join(["A1", *rules])})'
        found = attack(unit(1, quality=quality, weapons=[weapon]), unit(1, quality=5), exact=True)
        assert found.last.hits.exactly(1) == hit
        assert found.kills.exactly(1) == six + (hit - six) * (1 - b)


@pytest.mark.parametrize("seed", range(6))
def test_two_weapons_in_either_order(seed: int) -> None:
    """Two kinds of weapons into an unwounded uniform unit kill alike in either order."""
    luck = random.Random(seed)
    pool = ["Linked", "Unwieldy", "Rending", "Piercing", "Poison"]
    guns = [f'Gun{k} (30", A{luck.randint(1, 9)}, {luck.choice(pool)})' for k in range(2)]
    attacker = unit(1, quality=luck.randint(2, 6), weapons=guns)
    tough = f"Tough({luck.randint(2, 4)})"
    target = unit(luck.randint(2, 8), quality=luck.randint(2, 6), rules=[tough, luck.choice(["Armored", "Regeneration"])])
    first, second = ({"weapons": [["a.1", k]]} for k in range(2))
    one = odds_of_scene(attacker, target, first, second)
    other = odds_of_scene(attacker, target, second, first)
    assert one.kills == other.kills
    assert one.last.wasted == other.last.wasted


def odds_of_scene(attacker: Json, target: Json, *attacks: Json) -> Any:
    """Exact odds of attacks in order."""
    return odds_of(scene(attacker, target, *attacks), exact=True)


def test_sums_and_tails() -> None:
    """Distributions sum to one, are nowhere negative, and small chances agree with rationals to twelve digits."""
    attacker = unit(1, quality=4, weapons=['Gun (30", A60, Linked)'])
    target = unit(40, quality=5, rules=["Armored"])
    floats, exact = attack(attacker, target), attack(attacker, target, exact=True)
    for name in ("attacks", "hits", "ignored", "blocked", "wounds", "damage", "kills", "wasted", "left_on_next"):
        near, true = getattr(floats.last, name), getattr(exact.last, name)
        assert abs(sum(near) - 1) < 1e-12 and sum(true) == 1
        assert min(near) >= 0 and len(near) == len(true)
        for k, chance in enumerate(true.tails()):
            assert near.tails()[k] == pytest.approx(float(chance), rel=1e-12, abs=0)


@pytest.mark.clause(EDITION, "MELEE-18", "MELEE-20", "MELEE-21", "MORALE-9", "MORALE-10", "RULE-FEAR-1")
@pytest.mark.parametrize("fear", ["", "attacker", "target"])
def test_the_exchange_is_the_melee_of_the_roller(fear: str) -> None:
    """Strikes, strikes back, result and morale: the joint law is that of every fall of the dice."""
    ours = unit(1, quality=4, rules=["Fear"] if fear == "attacker" else [], weapons=["Axe (A1)"])
    theirs = unit(1 if fear else 2, quality=5, rules=["Fear"] if fear == "target" else [], weapons=["Club (A1)"])
    case = scene(ours, theirs, {"kind": "melee"}, exchange=True)
    found = odds_of(case, exact=True).exchange
    assert found is not None
    exchange, _ = case.strikes_back()
    law = every_path(exchange(case.game, case.state, case.forms, case.policies))
    joint: dict[tuple[int, int], Fraction] = {}
    for clash, chance in law.items():
        joint[clash.kills, clash.losses] = joint.get((clash.kills, clash.losses), Fraction(0)) + chance
    assert found.joint == joint
    assert found.win == sum(chance for clash, chance in law.items() if clash.edge > 0)
    assert found.rout_b == sum(chance for clash, chance in law.items() if clash.theirs == "routed")
    assert found.rout_a == sum(chance for clash, chance in law.items() if clash.ours == "routed")
    assert found.win + found.tie + found.lose == 1
