"""A fight kept joint: the odds of an exchange are those of both units' attacks as play rolls them, one after the other."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from rolloff.editions.commentary.v10 import EDITION
from rolloff.errors import BadInput
from rolloff.odds.compute import odds_of
from rolloff.odds.results import ExchangeOdds
from rolloff.odds.scenarios import Scenario, read_scenario
from rolloff.oracle.oracle import Defaults, Oracle
from rolloff.rules.attack import AttackForm
from rolloff.rules.play import Play
from rolloff.table.state import State
from tests.commentary.desk import EDITION as NAME
from tests.commentary.desk import Json, blade, gun, squad
from tests.commentary.matchups import Rolled
from tests.oracle.brute import Odometer, every_path

Joint = dict[tuple[int, int], Fraction]
F = Fraction


def scene(units: list[Json], *attacks: Json, **more: Any) -> Scenario:
    """``a1`` charges ``b1``, unless the attacks say otherwise."""
    forms = [{"attacker": "a1", "target": "b1", "kind": "melee", **attack} for attack in attacks or ({},)]
    written = {"edition": NAME, "units": units, "attacks": forms, "exchange": True, **more}
    return read_scenario(json.dumps(written).encode())


def exchange(case: Scenario) -> ExchangeOdds:
    """The exact odds of the exchange."""
    found = odds_of(case, exact=True).exchange
    assert found is not None
    return found


def alive(state: State, slots: tuple[int, ...]) -> int:
    """How many of some models are left."""
    return len({slot for unit in state.units for slot in unit.living} & set(slots))


def fought(case: Scenario, order: str) -> Joint:
    """Every fall of the dice of play: the units attack in an order, each as it stands when its turn comes."""
    sides = [tuple(range(case.game.starts[k], case.game.starts[k] + len(case.game.cards[k].models))) for k in (0, 1)]
    back = AttackForm(1, 0, "melee", charged=False)
    dice, found = Odometer(), Joint()
    while True:
        play = Play(case.game, case.state, Oracle(Rolled(dice), Defaults()))
        for who in order:
            if alive(play.state, sides[0]) and alive(play.state, sides[1]):
                assert EDITION.sequence is not None
                EDITION.sequence.run(play, case.forms[0] if who == "a" else back)
        key = len(sides[1]) - alive(play.state, sides[1]), len(sides[0]) - alive(play.state, sides[0])
        found[key] = found.get(key, F(0)) + F(1, 6**dice.at)
        if not dice.turn():
            return found


SURE: Json = {"skill": 2, "S": 8}
RARE: Json = {"skill": 6}
"""A skill that leaves few falls of the dice to try."""


@pytest.mark.clause("commentary-10", "FGT-1", "CHG-5")
def test_who_charged_fights_first() -> None:
    """The charger's casualties do not fight back; the joint law is that of play."""
    units = [squad("a1", "A", 1, blade(**RARE)), squad("b1", "B", 2, blade(**RARE))]
    case = scene(units)
    found = exchange(case)
    assert found.joint == fought(case, "ab")
    assert found.joint != fought(case, "ba")
    assert found.win + found.tie + found.lose == 1
    assert found.rout_a == found.rout_b == 0


@pytest.mark.clause("commentary-10", "FGT-2", "ABIL-4")
def test_fights_first_on_the_other_side() -> None:
    """A charged unit whose every model has Fights First is selected before the charger, by the reactive player."""
    units = [squad("a1", "A", 1, blade(**RARE)), squad("b1", "B", 2, blade(**RARE), rules=["Fights First"])]
    case = scene(units)
    assert exchange(case).joint == fought(case, "ba")
    units[1] = squad("b1", "B", 2, blade(**RARE), own=[{"rules": ["Fights First"]}])
    assert exchange(scene(units)).joint == fought(case, "ab")


@pytest.mark.clause("commentary-10", "FGT-2")
@pytest.mark.parametrize(("active", "order"), [("A", "ba"), ("B", "ab")])
def test_without_a_charge_the_reactive_player_selects_first(active: str, order: str) -> None:
    """In an old fight neither side has Fights First: whose turn it is fights second."""
    units = [squad("a1", "A", 1, blade(**RARE)), squad("b1", "B", 2, blade(**RARE))]
    case = scene(units, {"charged": False}, active=active)
    assert exchange(case).joint == fought(case, order)


@pytest.mark.clause("commentary-10", "WPN-14", "RESOLVE-2")
def test_hazardous_weapons_take_their_bearers() -> None:
    """A charger destroyed by its own weapon is lost before the others strike back."""
    units = [squad("a1", "A", 1, blade("Hazardous", **RARE)), squad("b1", "B", 1, blade("Hazardous", **RARE), W=2)]
    case = scene(units)
    assert exchange(case).joint == fought(case, "ab")


@pytest.mark.clause("commentary-10", "ABIL-1")
def test_a_demise_reaches_the_enemy() -> None:
    """A model with Deadly Demise takes the enemy before it along, whether or not positions are known."""
    sure = blade(**SURE)
    placed = [
        squad("a1", "A", 1, sure, at=[(10, 10)], W=2),
        squad("b1", "B", 1, sure, rules=["Deadly Demise 2"], at=[(11, 10)]),
    ]
    case = scene(placed)
    found = exchange(case)
    assert found.joint == fought(case, "ab")
    assert found.joint[1, 1] == F(25, 36) * F(1, 6)
    bare = [squad("a1", "A", 1, sure, W=2), squad("b1", "B", 1, sure, rules=["Deadly Demise 2"])]
    assert exchange(scene(bare)).joint == found.joint


def test_leaders_fight_on_without_their_bodyguard() -> None:
    """An Attached unit that loses its Bodyguard strikes back with its Leader, as in play."""
    units = [
        squad("a1", "A", 1, blade(A=2, skill=6)),
        squad("b1", "B", 1, blade(**RARE)),
        squad("x", "B", 1, blade(**RARE), W=2, keywords=["INFANTRY", "CHARACTER"], where="b1"),
    ]
    case = scene(units)
    step = case.strikes_back()[0](case.game, case.state, case.forms, case.policies)
    law = every_path(step)
    assert exchange(case).joint[1, 1] == sum(p for clash, p in law.items() if (clash.kills, clash.losses) == (1, 1)) > 0


def test_named_weapons_of_the_fallen_are_not_used() -> None:
    """Weapons a form names strike only if whoever bears them lives to use them."""
    units = [squad("a1", "A", 2, blade(**SURE)), squad("b1", "B", 1, blade(**SURE), rules=["Fights First"], W=2)]
    case = scene(units, {"weapons": [["a1.1", 0]]})
    assert exchange(case).joint == {(0, 1): F(25, 36), (0, 0): F(11, 36)}


@pytest.mark.clause("commentary-10", "FGT-8")
def test_who_has_nothing_to_strike_with_makes_no_attacks() -> None:
    """A target without melee weapons loses models and takes none; an attacker without is refused by name."""
    units = [squad("a1", "A", 1, blade(**SURE)), squad("b1", "B", 1, gun())]
    assert exchange(scene(units)).joint == {(0, 0): F(11, 36), (1, 0): F(25, 36)}
    with pytest.raises(BadInput, match="no model of the attacker may strike"):
        exchange(scene([squad("a1", "A", 1, gun()), squad("b1", "B", 1, blade())]))


def test_the_battle_shock_it_leads_to() -> None:
    """A unit the fight brings Below Half-strength tests in its next Command phase; one at exactly half does not."""
    units = [squad("a1", "A", 1, blade(**SURE), W=4), squad("b1", "B", 1, blade(A=1, D=3, **SURE), start_size=2, Ld=7, W=2)]
    found = exchange(scene(units))
    hit = F(25, 36)
    assert found.morale_a["battle-shocked"] == hit * F(15, 36)
    assert found.morale_a["passed"] == hit * F(21, 36)
    assert found.morale_b["none"] == 1


def test_wounds_lost_decide_who_won() -> None:
    """The side that lost fewer wounds has won; none on either side is a tie."""
    units = [squad("a1", "A", 1, blade(**SURE), W=4), squad("b1", "B", 1, blade(D=3, **SURE), W=2)]
    hit = F(25, 36)
    found = exchange(scene(units))
    assert (found.win, found.tie, found.lose) == (hit * (1 - hit), (1 - hit) ** 2, hit)


def test_attacks_before_the_fight_count() -> None:
    """Shots of another unit come first: the fight begins with what they left."""
    units = [
        squad("a1", "A", 1, blade(**SURE)),
        squad("b1", "B", 2, blade(**SURE)),
        squad("a2", "A", 1, gun("Torrent", S=8)),
    ]
    shot = {"attacker": "a2", "kind": "shooting", "range": 6, "visible": True}
    found = exchange(scene(units, shot, {}))
    hit, felled = F(25, 36), F(5, 6)
    assert found.joint[0, 0] == (1 - hit) * ((1 - felled) * (1 - hit) ** 2 + felled * (1 - hit))
