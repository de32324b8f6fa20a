"""The keyword sequence: one attack at a time, criticals, mortal wounds after normal damage, feel no pain."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

from rolloff.oracle.calculator import Calculator
from rolloff.oracle.dice import EnteredDice
from rolloff.oracle.draft import Draft
from rolloff.oracle.flow import (
    ATTACKS,
    BLOCKED,
    DAMAGE,
    HITS,
    MORTAL,
    UNSAVED,
    WASTED,
    WOUNDS,
    Flow,
    Harm,
    Order,
    Volley,
    Wound,
)
from rolloff.oracle.roll import Spent
from rolloff.oracle.roller import Roller
from rolloff.oracle.stage import check, number
from rolloff.oracle.target import Ladder, Ladders, Rung
from tests.oracle.brute import every_path, shot
from tests.oracle.pipelines import D3, Armour, keyword_flow

PLAIN = Ladder((Rung(2, 2, guard=Armour(4)),))
STUBBORN = Ladder((Rung(2, 2, guard=Armour(4), shrug=check("feel no pain", 5)),))

RULES: dict[str, Any] = {
    "sustained": 1,
    "lethal": True,
    "devastating": True,
    "anti": 4,
    "twin": True,
    "torrent": True,
    "ones": True,
    "damage": 2,
    "ap": -2,
    "modifier": -2,
}


@pytest.fixture(scope="module")
def exact() -> Calculator:
    """A calculator of rationals."""
    return Calculator(exact=True)


def rolled(volley: Volley, ladder: Ladder, faces: list[int], *tallies: Any) -> tuple[int, tuple[int, ...]]:
    """Roll exactly these faces: the state and the counts."""
    dice = EnteredDice(faces)
    spent: Spent[Any, Any] = Roller(dice.faces).volley(volley, ladder, 0, *tallies)
    dice.finish()
    return spent.state, spent.counts


@pytest.mark.parametrize("names", [(), *combinations(RULES, 1), *combinations(RULES, 2)], ids="+".join)
def test_every_pair_of_rules_equals_every_die(exact: Calculator, names: tuple[str, ...]) -> None:
    """One attack with any pair of rules: state and counts together are what every path of the roller gives."""
    volley = (Volley(keyword_flow(**{name: RULES[name] for name in names})),)
    tallies = (ATTACKS, HITS, WOUNDS, BLOCKED, DAMAGE, WASTED, MORTAL)
    assert dict(exact.law(shot, volley, PLAIN, 1, tallies)) == every_path(shot, volley, PLAIN, 1, tallies)
    assert dict(exact.law(shot, volley, PLAIN, 1, ())) == every_path(shot, volley, PLAIN, 1, ())


@pytest.mark.parametrize(
    "rules",
    [
        {"damage": D3},
        {"lethal": True, "damage": D3},
        {"devastating": True, "damage": D3, "torrent": True},
        {"sustained": number("extra", sides=2), "lethal": True, "to_wound": 6},
    ],
)
def test_random_damage_and_feel_no_pain_equal_every_die(exact: Calculator, rules: dict[str, Any]) -> None:
    """Rolled damage, each point shrugged off by itself: as by every path, with and without the counts."""
    ladder = STUBBORN if "sustained" not in rules else PLAIN
    volley = (Volley(keyword_flow(**rules)),)
    assert dict(exact.law(shot, volley, ladder, 0, ())) == every_path(shot, volley, ladder, 0, ())
    tallies = (DAMAGE, WASTED)
    assert dict(exact.law(shot, volley, ladder, 0, tallies)) == every_path(shot, volley, ladder, 0, tallies)


@pytest.mark.parametrize("rules", [{}, {"torrent": True, "devastating": True}, {"torrent": True, "damage": 2}])
def test_two_attacks_equal_every_die(exact: Calculator, rules: dict[str, Any]) -> None:
    """Two attacks with models to lose between them: as by every path of the roller."""
    volley = (Volley(keyword_flow(**rules), 2),)
    ladder = Ladder((Rung(1, 1, guard=Armour(5)), Rung(2, 1, guard=Armour(3))))
    assert dict(exact.law(shot, volley, ladder, 0, ())) == every_path(shot, volley, ladder, 0, ())


def test_a_critical_hit_with_lethal_and_sustained() -> None:
    """The critical hit wounds without a die, its save comes first, and the extra hit rolls one wound die."""
    volley = Volley(keyword_flow(sustained=1, lethal=True))
    assert rolled(volley, PLAIN, [6, 4, 1], HITS, WOUNDS, BLOCKED) == (0, (2, 1, 1))


def test_lethal_hits_never_devastate() -> None:
    """An automatic wound is no critical wound: it goes to the save."""
    volley = Volley(keyword_flow(lethal=True, devastating=True))
    assert rolled(volley, PLAIN, [6, 1], MORTAL, UNSAVED) == (1, (0, 1))


def test_mortal_wounds_wait_for_normal_damage_and_spill() -> None:
    """Three mortal wounds of the first attack arrive after the second attack's damage, and go on to the next model."""
    volley = Volley(keyword_flow(devastating=True, damage=D3), 2)
    ladder = Ladder((Rung(2, 3, guard=Armour(7)),))
    state, counts = rolled(volley, ladder, [3, 6, 5, 3, 4, 3, 1], MORTAL, DAMAGE)
    assert (ladder.kills(state), ladder.lost_on_next(state), counts) == (2, 0, (3, 4))


def test_damage_does_not_spill_and_feel_no_pain_stops_with_the_model() -> None:
    """Three damage on a model with two wounds: dice for each point until it dies, the rest is never rolled."""
    ladder = Ladder((Rung(2, 5, shrug=check("feel no pain", 5)),))
    volley = Volley(keyword_flow(torrent=True, damage=3))
    assert rolled(volley, ladder, [4, 1, 2], DAMAGE, WASTED) == (2, (2, 1))
    assert rolled(volley, ladder, [4, 1, 6, 2], DAMAGE, WASTED) == (2, (2, 0))


def test_attacks_at_nothing_are_not_rolled() -> None:
    """Once the last model fell the attacks left are lost, unless all are to be rolled for the sake of odds."""
    lone = Ladder((Rung(1),))
    volley = Volley(keyword_flow(torrent=True), 5)
    assert rolled(volley, lone, [4], ATTACKS, WOUNDS) == (1, (1, 1))
    dice = EnteredDice([4, 4, 4, 4, 4])
    spent: Spent[Any, Any] = Roller(dice.faces, to_the_end=True).volley(volley, lone, 0, ATTACKS, WOUNDS)
    assert (spent.counts, dice.drawn) == ((5, 5), 5)


def test_a_shared_save_gives_the_same_in_the_flow_and_in_the_target(exact: Calculator) -> None:
    """A save all models share may stand in the flow or with the models: the target ends alike."""
    inside = Volley(keyword_flow(save_in_flow=4, damage=D3, ap=-1), 4)
    outside = Volley(keyword_flow(damage=D3, ap=-1), 4)
    bare, armed = Ladder((Rung(2, 3),)), Ladder((Rung(2, 3, guard=Armour(4)),))
    assert dict(exact.after(inside, bare, 0)) == dict(exact.after(outside, armed, 0))
    assert exact.spread(inside, BLOCKED) == exact.spread(outside, BLOCKED, armed)


def test_precision_goes_to_the_character(exact: Calculator) -> None:
    """Harm aimed at a character's ladder is borne there while it stands, the rest by the bodyguard."""
    unit = Ladders((Ladder((Rung(1, 2, guard=Armour(6)),)), Ladder((Rung(2, guard=Armour(3)),))))
    wound = Draft("wound", 4, then=(Wound(Harm()),)).react(6, become=(Wound(Harm(2, aim=1)),))
    volley = (Volley(Flow((wound.stage(),), Order.BY_ATTACK), 3),)
    assert dict(exact.law(shot, volley, unit, (0, 0), ())) == every_path(shot, volley, unit, (0, 0), ())


def test_known_means(exact: Calculator) -> None:
    """Ten plain attacks, 3+ to hit, 4+ to wound, 4+ save: the mean damage is ten times the product."""
    wide = Ladder((Rung(40, guard=Armour(4)),))
    law = exact.after(Volley(keyword_flow(), 10), wide, 0)
    assert law.mean() == 10 * Fraction(2, 3) * Fraction(1, 2) * Fraction(1, 2)
    assert law.total() == 1
