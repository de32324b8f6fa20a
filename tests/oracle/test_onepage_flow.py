"""The Quality sequence: hit, ignore, block, regeneration, packets; rolled, exact, and by brute force."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from typing import Any

import pytest

from rolloff.oracle.calculator import Calculator
from rolloff.oracle.dice import EnteredDice
from rolloff.oracle.draft import Draft
from rolloff.oracle.flow import ATTACKS, BLOCKED, DAMAGE, HITS, IGNORED, WASTED, WOUNDS, Flow, Harm, Volley, Wave
from rolloff.oracle.roll import Dice, Roll, Spent
from rolloff.oracle.roller import Roller
from rolloff.oracle.stage import check, number
from rolloff.oracle.target import Ladder, Ladders, Rung
from tests.oracle.brute import every_path, shot
from tests.oracle.pipelines import quality_flow

SQUAD = Ladder((Rung(1, 3),))
TOUGH = Ladder((Rung(3, 2),))


@pytest.fixture(scope="module")
def exact() -> Calculator:
    """A calculator of rationals."""
    return Calculator(exact=True)


def wounds_a_hit(exact: Calculator, **rules: Any) -> Fraction:
    """The chance that one attack ends in a wound."""
    flow = quality_flow(rules.pop("quality", 4), rules.pop("block", 4), **rules)
    spread = exact.spread(Volley(flow), WOUNDS)
    return Fraction(spread[1]) if len(spread) > 1 else Fraction(0)


@pytest.mark.parametrize(("quality", "block"), list(product((2, 4, 6), (3, 5))))
def test_closed_forms(exact: Calculator, quality: int, block: int) -> None:
    """Each rule alone has the chance the contract gives in closed form."""
    p, b = Fraction(7 - quality, 6), Fraction(7 - block, 6)
    to_hit = {"plain": p, "linked": p * (2 - p), "unwieldy": p * p, "both": p}
    rules: dict[str, dict[str, bool]] = {
        "plain": {},
        "linked": {"linked": True},
        "unwieldy": {"unwieldy": True},
        "both": {"linked": True, "unwieldy": True},
    }
    sixes = {"plain": Fraction(1, 6), "linked": (2 - p) / 6, "unwieldy": p / 6, "both": Fraction(1, 6)}
    for name, hit in to_hit.items():
        args: dict[str, Any] = {"quality": quality, "block": block, **rules[name]}
        assert wounds_a_hit(exact, **args) == hit * (1 - b)
        assert wounds_a_hit(exact, **args, ignore=4) == hit / 2 * (1 - b)
        assert wounds_a_hit(exact, **args, ignore=5) == hit * Fraction(2, 3) * (1 - b)
        assert wounds_a_hit(exact, **args, forced=True) == hit * (1 - b * b)
        assert wounds_a_hit(exact, **args, regeneration=True) == hit * (1 - b) * Fraction(2, 3)
        torn = sixes[name] + (hit - sixes[name]) / 2 * (1 - b)
        assert wounds_a_hit(exact, **args, rending=True, ignore=4) == torn


RULES: dict[str, Any] = {
    "linked": True,
    "unwieldy": True,
    "rending": True,
    "ignore": 5,
    "forced": True,
    "regeneration": True,
    "packet": True,
}
SETS = [(), *combinations(RULES, 1), *combinations(RULES, 2), tuple(RULES)]


@pytest.mark.parametrize("names", SETS, ids="+".join)
def test_every_pair_of_rules_equals_every_die(exact: Calculator, names: tuple[str, ...]) -> None:
    """One attack with any pair of rules, and with all: target and counts are what every path of the roller gives."""
    volley = (Volley(quality_flow(4, 5, **{name: RULES[name] for name in names})),)
    tallies = (ATTACKS, HITS, IGNORED, BLOCKED, WOUNDS, DAMAGE, WASTED)
    assert dict(exact.law(shot, volley, SQUAD, 2, tallies)) == every_path(shot, volley, SQUAD, 2, tallies)


@pytest.mark.parametrize(
    ("flags", "attacks"),
    [
        ({}, 3),
        ({"linked": True}, 2),
        ({"packet": True}, 3),
        ({"rending": True, "ignore": 4}, 2),
        ({"unwieldy": True, "packet": True}, 2),
        ({"start": "ignore", "ignore": 4, "regeneration": True}, 2),
        ({"start": "regeneration", "regeneration": True}, 5),
        ({"start": "regeneration"}, 4),
    ],
)
def test_several_attacks_equal_every_die(exact: Calculator, flags: dict[str, Any], attacks: int) -> None:
    """Several attacks on tough models leave the target exactly as every path of the roller does."""
    volley = (Volley(quality_flow(4, 4, **flags), attacks),)
    assert dict(exact.law(shot, volley, TOUGH, 1, ())) == every_path(shot, volley, TOUGH, 1, ())
    tallies = (WOUNDS, WASTED)
    assert dict(exact.law(shot, volley, TOUGH, 1, tallies)) == every_path(shot, volley, TOUGH, 1, tallies)


def test_random_attacks_are_thrown_for_each_weapon(exact: Calculator) -> None:
    """Two weapons of D3 attacks each: the counts before any die are those of two dice."""
    thirds = number("attacks", sides=3)
    tallies = (ATTACKS, WOUNDS)
    one = (Volley(quality_flow(4, 4, start="regeneration", regeneration=True), thirds),)
    assert dict(exact.law(shot, one, SQUAD, 0, tallies)) == every_path(shot, one, SQUAD, 0, tallies)
    volley = (Volley(quality_flow(4, 4, start="regeneration"), thirds, 2),)
    assert dict(exact.law(shot, volley, SQUAD, 0, tallies)) == every_path(shot, volley, SQUAD, 0, tallies)
    assert exact.spread(volley, ATTACKS) == [0, 0, *(Fraction(n, 9) for n in (1, 2, 3, 2, 1))]


def test_a_packet_falls_on_one_model_and_the_rest_is_lost(exact: Calculator) -> None:
    """Packets come first, each on one model; pooled wounds follow; a model already dead takes nothing more."""
    weapon = quality_flow(2, 6, packet=True, start="regeneration")
    pooled = Volley(quality_flow(2, 6, start="regeneration"), 1)
    spent: Spent[Any, Any] = Roller(EnteredDice([]).faces).volley((pooled, Volley(weapon, 5, 2)), TOUGH, 1, WASTED, DAMAGE)
    assert (spent.state, spent.counts) == (6, (5, 5))
    mixed = (pooled, Volley(quality_flow(4, 4, packet=True, start="block"), 2, 2))
    assert dict(exact.law(shot, mixed, TOUGH, 0, ())) == every_path(shot, mixed, TOUGH, 0, ())


def test_dice_come_stage_by_stage_and_rerolls_in_die_order() -> None:
    """Two groups: each rolls its attacks, hits, hit re-rolls, ignore, block, block re-rolls, regeneration."""
    labels: list[tuple[str, int]] = []
    faces = [4, 3, 1, 5, 4, 1, 2, 5, 1, 6, 1, 2, 4, 1, 1]

    def source(n: int, label: str, sides: int = 6) -> list[int]:
        labels.append((label, n))
        return [faces.pop(0) for _ in range(n)]

    rules: dict[str, Any] = {"linked": True, "ignore": 4, "forced": True, "regeneration": True}
    groups = (
        Volley(quality_flow(4, 5, **rules), number("attacks", sides=3)),
        Volley(quality_flow(4, 5), 2),
    )
    Roller(source).volley(groups, SQUAD, 0)
    assert labels == [
        ("attacks", 1),
        ("hit", 2),
        ("hit>", 2),
        ("ignore", 2),
        ("block", 2),
        ("block>", 1),
        ("regeneration", 1),
        ("hit", 2),
        ("block", 1),
    ]
    assert faces == [1]


def test_the_log_tells_faces_rerolls_successes_and_clauses() -> None:
    """A handful is one entry: the first faces, what was rolled again by its place, the successes, the clauses."""
    log: list[Roll] = []
    roller = Roller(EnteredDice([3, 4, 6, 1, 5, 5]).faces, log.append)
    roller.volley(Volley(quality_flow(4, 5, linked=True), 3), SQUAD, 0)
    hit, block = log
    assert (hit.purpose, hit.need, hit.faces, hit.rerolls, hit.successes) == ("hit", 4, (3, 4, 6), ((0, 1),), 2)
    assert hit.clauses == ("SHOOT-9", "RULE-LINKED-1")
    assert (block.purpose, block.faces, block.successes, block.clauses) == ("block", (5, 5), 2, ("SHOOT-10",))


def test_with_and_without_a_log_the_dice_do_the_same() -> None:
    """Keeping a log changes nothing in what is rolled or what comes of it."""
    flow = quality_flow(4, 4, linked=True, rending=True, ignore=5, forced=True, regeneration=True)
    faces = [2, 6, 4, 1, 3, 6, 2, 4, 5, 1, 4, 3, 2, 6, 1, 5, 3, 2, 4, 1, 6, 5]
    silent, spoken = EnteredDice(faces), EnteredDice(faces)
    tallies = (ATTACKS, HITS, IGNORED, BLOCKED, WOUNDS)
    log: list[Roll] = []
    first: Spent[Any, Any] = Roller(silent.faces).volley(Volley(flow, 6), TOUGH, 0, *tallies)
    second: Spent[Any, Any] = Roller(spoken.faces, log.append).volley(Volley(flow, 6), TOUGH, 0, *tallies)
    assert (first, silent.drawn) == (second, spoken.drawn)


def test_a_sniper_names_the_model_and_surplus_is_lost(exact: Calculator) -> None:
    """An aimed packet goes to its own ladder before all else, and what that ladder does not need is gone."""
    unit = Ladders((Ladder((Rung(1, 2),)), Ladder((Rung(2),))))
    aimed = Volley(_aimed(), 2)
    rifles = Volley(quality_flow(2, 6), 1)
    event = (rifles, aimed)
    spent: Spent[Any, Any] = Roller(EnteredDice([5, 1, 6, 6]).faces).volley(event, unit, unit.start(), WASTED)
    assert spent.state == (1, 2)
    assert dict(exact.law(shot, event, unit, (0, 1), (WASTED,))) == every_path(shot, event, unit, (0, 1), (WASTED,))


def _aimed() -> Flow:
    """A flow of one stage whose harm is aimed at the second ladder."""
    harm = Harm(packet=True, aim=1, wave=Wave.AIMED)
    return Flow((Draft("hit", 2, then=(HITS, WOUNDS, harm)).stage(),))


def melee(dice: Dice, mine: Ladder, theirs: Ladder, models: int) -> tuple[int, int, str]:
    """Strike, be struck by the survivors, and test who lost: direct style over both evaluators."""
    flow = quality_flow(4, 4, start="block")
    first: Spent[Any, Any] = dice.volley(Volley(flow, 1, models), theirs, 0, WOUNDS)
    standing = theirs.models - theirs.kills(first.state)
    second: Spent[Any, Any] = dice.volley(Volley(flow, 1, standing), mine, 0, WOUNDS)
    if first.counts == second.counts:
        return first.state, second.state, "tie"
    loser = "theirs" if first.counts > second.counts else "mine"
    held = dice.ask(check("morale", 4, "MORALE-7"))
    return first.state, second.state, "held" if held else loser


def test_a_melee_is_one_joint_law(exact: Calculator) -> None:
    """Strikes, strikes back by whoever is left, and the loser's nerve: joint law as by every path of the dice."""
    pair = Ladder((Rung(1, 2),))
    assert dict(exact.law(melee, pair, pair, 2)) == every_path(melee, pair, pair, 2)
