"""Profiles of one weapon, results that count as others, mortal wounds besides, limits of rolls, attacks in order."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from rolloff.editions.commentary.rolls import rolled
from rolloff.editions.commentary.unit_values import best, worst
from rolloff.editions.commentary.values import AP, LEADERSHIP
from rolloff.errors import BadInput
from rolloff.odds.compute import odds_of
from rolloff.odds.results import Odds
from rolloff.odds.scenarios import read_scenario
from tests.commentary.desk import EDITION, Json, blade, fight, gun, shoot, squad

F = Fraction


def odds(units: list[Json], *attacks: Json, **more: Any) -> Odds:
    """Exact odds of attacks of the first unit on the second, ten inches off and in sight."""
    stated = {"attacker": "a1", "target": "b1", "kind": "shooting", "range": 10, "visible": True, "cover": False}
    forms = [{**stated, **attack} for attack in attacks or ({},)]
    return odds_of(
        read_scenario(json.dumps({"edition": EDITION, "units": units, "attacks": forms, **more}).encode()), exact=True
    )


@pytest.mark.clause("commentary-10", "WORST-1")
def test_tv_7_worst_leadership() -> None:
    """TV-7: of one 6+, one 7+ and nine 8+ the worst is 8+; symbols are passed over, and AP 0 is the worst AP."""
    values = [6, 7, *[8] * 9]
    assert (best(LEADERSHIP, values), worst(LEADERSHIP, values)) == (6, 8)
    assert worst(LEADERSHIP, [7, "-", 6]) == 7
    assert worst(AP, [-1, 0, -3]) == 0


@pytest.mark.clause("commentary-10", "MODROLL-2", "MODROLL-3")
def test_tv_36_modified_rolls() -> None:
    """TV-36: a natural 6 with +1 is a 7, which saves on 7+; a natural 1 with -1 is a 1."""
    assert (rolled(6, 1), rolled(1, -1)) == (7, 1)
    units = [squad("a1", "A", 1, gun()), squad("b1", "B", 1, Sv=7)]
    assert shoot(units, [5, 5, 6], cover=True).attack["blocked"] == 1
    assert shoot(units, [5, 5], cover=False).dead() == ["b1.1"]


BEAM = [
    gun("Sustained Hits D3", A=3, skill=2, S=6, AP=-1, D="D3", name="beam, spread") | {"of": "beam"},
    gun("Hazardous", A=6, skill=2, S=7, AP=-2, D="D3", name="beam, focused") | {"of": "beam"},
]


@pytest.mark.clause("commentary-10", "UNIT-3")
def test_one_profile_of_a_weapon() -> None:
    """The first profile is used unless another is named; both at once are refused."""
    units = [squad("a1", "A", 1, *BEAM, gun(name="pistol")), squad("b1", "B", 1, W=20)]
    plain = shoot(units, {"seed": 1})
    assert plain.event("shot")["facts"]["weapons"] == ["beam, spread", "pistol"]
    named = shoot(units, {"seed": 1}, weapons=[["a1.1", 1]])
    assert named.event("shot")["facts"]["weapons"] == ["beam, focused"]
    both = shoot(units, [], weapons=[["a1.1", 0], ["a1.1", 1]])
    assert both.refusal and both.refusal["clause"] == "UNIT-3"


@pytest.mark.clause("commentary-10", "UNIT-3", "FGT-6")
def test_profiles_in_melee() -> None:
    """In melee a model uses one weapon by one profile: the one that promises most, or the one named."""
    sweep, strike = blade(A=6, name="sweep") | {"of": "axe"}, blade(S=9, D=6, name="strike") | {"of": "axe"}
    units = [squad("a1", "A", 1, sweep, strike, blade(name="knife")), squad("b1", "B", 1, W=12, Sv=2)]
    assert fight(units, {"seed": 1}).event("struck")["facts"]["weapons"] == ["strike"]
    two = fight(units, [], weapons=[["a1.1", 0], ["a1.1", 2]])
    assert two.refusal and two.refusal["clause"] == "FGT-6"


@pytest.mark.clause("commentary-10", "ONESHOT-1")
def test_one_shot_by_any_profile() -> None:
    """A One Shot weapon fired by one profile is spent for the other."""
    rounds = [gun("One Shot", name=f"round {k}") | {"of": "launcher"} for k in range(2)]
    first = squad("a1", "A", 1, *rounds, own=[{"marks": ["fired:0"]}])
    again = shoot([first, squad("b1", "B")], [], weapons=[["a1.1", 1]])
    assert again.refusal and again.refusal["clause"] == "ONESHOT-1"


def test_a_profile_names_its_weapon() -> None:
    """The weapon a profile is of has a name."""
    with pytest.raises(BadInput, match=r"weapons\[0\]\.of"):
        shoot([squad("a1", "A", 1, gun() | {"of": 3}), squad("b1", "B")])


@pytest.mark.clause("commentary-10", "TREAT-1")
def test_a_result_that_counts_as_another() -> None:
    """A 1 that counts as a 6 is critical before modifiers; it is no failure to be rolled again."""
    units = [squad("a1", "A", 1, gun("Hit Rolls(1 as 6)", "Lethal Hits", "To Hit(-1)", "Re-roll Hits(ones)")), squad("b1", "B")]
    assert shoot(units, [1]).dead() == ["b1.1"]
    spoilt = [squad("a1", "A", 1, gun("Hit Rolls(5 as 1)", "Re-roll Hits(ones)")), squad("b1", "B")]
    assert shoot(spoilt, [5]).attack["hits"] == 0


@pytest.mark.clause("commentary-10", "MODCH-9")
def test_mortal_wounds_in_addition_are_not_changed() -> None:
    """A Critical Wound inflicts its mortal wounds besides the damage, and they stay what they are when Damage changes."""
    target = squad("b1", "B", 1, W=9)
    plain = shoot([squad("a1", "A", 1, gun("Mortal Wounds 2", D=2)), target], [5, 6])
    assert (plain.attack["damage"], plain.attack["mortal"]) == (4, 2)
    raised = shoot([squad("a1", "A", 1, gun("Mortal Wounds 2", "Damage(x2)", D=2)), target], [5, 6])
    assert (raised.attack["damage"], raised.attack["mortal"]) == (6, 2)
    none = shoot([squad("a1", "A", 1, gun("Mortal Wounds 2", D=2)), target | {"rules": ["Damage Taken(=0)"]}], [5, 6])
    assert (none.attack["damage"], none.attack["mortal"]) == (2, 2)


@pytest.mark.clause("commentary-10", "ATK-4")
def test_allocation_goes_on_in_the_next_attack() -> None:
    """A CHARACTER whom a precise attack was allocated to, though saved, bears the next once the Bodyguard is gone."""
    leads: Json = {"keywords": ["INFANTRY", "CHARACTER"], "where": "b1"}
    units = [
        squad("a1", "A", 1, gun("Precision", "Torrent", S=8, name="long")),
        squad("b1", "B", 1, Sv=7),
        squad("x", "B", 1, W=1, Sv=2, rules=["Second Leader"], **leads),
        squad("y", "B", 1, W=3, Sv=7, **leads),
        squad("a2", "A", 1, gun("Torrent", S=8, D=3, name="axe"), gun("Torrent", S=8, D=3, name="bow")),
    ]
    later = {"attacker": "a2"}
    found = odds(units, {}, later, policies={"allocation": "most-wounds"})
    # The second volley fells the guard; its second hit must go to x if the first attack was allocated to it.
    wounded, x_saves = F(5, 6), F(5, 6)
    both = F(5, 6) ** 2
    touched = wounded * x_saves * both * (1 - x_saves)
    fresh = (1 - wounded) * both
    dead = wounded * (1 - x_saves) * 2 * F(5, 6) * F(1, 6)
    assert found.results[1].kills.exactly(2) == touched + fresh + dead


def test_attacks_on_who_is_left_of_an_attached_unit() -> None:
    """When the Bodyguard has fallen the next attack meets the Leader alone, with its own Toughness."""
    units = [
        squad("a1", "A", 1, gun("Torrent", S=8)),
        squad("b1", "B", 1, T=4),
        squad("x", "B", 1, T=8, keywords=["INFANTRY", "CHARACTER"], where="b1"),
    ]
    found = odds(units, {}, {})
    assert found.results[1].kills.exactly(2) == F(5, 6) * F(1, 2)
