"""Hard cases of Apocalypse 3.3: a second reading of the attack sequence from the text alone, by scripted dice and by odds."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from rolloff.odds import odds_of
from tests.odds.scenes import scene
from tests.odds.scenes import unit as card
from tests.onepage221.desk import attack, squad

EDITION = "apocalypse-3.3"
clause = pytest.mark.clause
LONG, GUN = 'Long (24", A1, Sniper)', 'Gun (24", A1)'


def fired(ours: Any, theirs: Any, dice: list[int], kind: str = "shooting", **form: Any) -> Any:
    """One attack of this edition."""
    return attack(ours, theirs, kind, dice, EDITION, **form)


def purposes(found: Any) -> list[tuple[str, list[int]]]:
    """What was rolled, in order."""
    return [(roll["purpose"], roll["faces"]) for roll in found.rolls]


@clause(EDITION, "RULE-TOUGH-3", "RULE-SNIPER-2")
def test_of_two_wounded_models_odds_and_dice_wound_the_same() -> None:
    """Two Snipers wound two models: a wound of the pool goes to the first of the unit, in odds as at the table."""
    rows = [{"rules": ["Tough(3)"]}, {"rules": ["Tough(2)"]}]
    guns = [{"weapons": [LONG]}, {"weapons": [LONG]}, {"weapons": [GUN]}]
    found = fired(squad("a1", 3, q=2, models=guns), squad("b1", 2, q=6, models=rows), [2, 1, 2, 1, 2, 1])
    assert [model["wounds"] for model in found.unit("b1")["models"]] == [2, 1]
    one = Fraction(25, 36)
    kills = odds_of(scene(card(guns, quality=2), card(rows, quality=6), edition=EDITION), exact=True).kills
    assert list(kills) == [1 - one**2 * (1 - one), one**2 * (1 - one)]  # the second falls if the first was missed


@clause(EDITION, "RULE-SNIPER-1", "RULE-STEALTH-1", "RES-3", "JOIN-6")
def test_a_sniper_sees_through_stealth_and_his_fellows_do_not() -> None:
    """Half of the target is stealthy: hits of the gun may be ignored on 5+, those of the Sniper may not."""
    theirs = squad("b1", 4, q=4, models=[{"rules": ["Stealth"]}, {"rules": ["Stealth"]}, {}, {}])
    ours = squad("a1", 2, q=6, models=[{"weapons": [LONG]}, {"weapons": [GUN]}])
    found = fired(ours, theirs, [2, 4, 6, 4, 3])
    assert purposes(found) == [("hit", [2]), ("block", [4]), ("hit", [6]), ("ignore", [4]), ("block", [3])]
    assert [roll["need"] for roll in found.rolls] == [2, 4, 6, 5, 4]


@clause(EDITION, "RULE-PIERCING-1", "RULE-PIERCING-4", "RULE-PIERCING-5", "RULE-POISON-1")
@pytest.mark.parametrize(
    ("armored", "rules", "dice", "again"),
    [
        (2, "Piercing", [2, 4, 4], []),  # armor counts for half of four, so it is pierced and blocks stand
        (1, "Piercing", [2, 4, 4, 3], [[0, 3]]),  # a quarter is no armor: blocks are rolled again
        (2, "Piercing, Poison", [2, 4, 4, 3], [[0, 3]]),  # the armor is pierced, and poison asks for the block again
    ],
)
def test_piercing_depends_on_armor_that_works(armored: int, rules: str, dice: list[int], again: list[list[int]]) -> None:
    """In cover: the cover die is always rolled, blocks again only by Poison or where no armor works."""
    theirs = squad("b1", 4, q=4, models=[{"rules": ["Armored"] * (k < armored)} for k in range(4)])
    found = fired(squad("a1", q=2, weapons=[f'Gun (24", A1, {rules})']), theirs, dice, cover=True)
    assert [roll["need"] for roll in found.rolls] == [2, 5, 4] and found.rolls[-1]["rerolls"] == again


@clause(EDITION, "WPN-4", "RULE-RENDING-1", "RULE-REGEN-1", "RES-10", "DICE-12")
def test_a_powerfist_rends_and_regeneration_comes_last() -> None:
    """Three blows, one of them a six: one block for the other hit, then one die of Regeneration for each wound."""
    theirs = squad("b1", 5, q=4, rules=["Armored", "Regeneration"])
    found = fired(squad("a1", q=4, weapons=["Heavy Powerfist"]), theirs, [6, 4, 1, 3, 5, 4], "melee", charged=False)
    assert purposes(found) == [("hit", [6, 4, 1]), ("block", [3]), ("regeneration", [5, 4])]
    assert found.attacks[0]["wounds"] == 1


@clause(EDITION, "RULE-UNWIELDY-1", "PIN-2", "RULE-IMPACT-1", "RES-5", "DICE-8")
def test_pinned_chargers_hamper_their_blows_not_their_impact() -> None:
    """Automatic hits are blocked as usual; of the blows, Linked or not, no die is rolled a third time."""
    ours = squad("a1", q=4, rules=["Impact(D3)"], weapons=["Axe (A2, Linked)"], marks=["pinned"])
    found = fired(ours, squad("b1", 9, q=4), [3, 4, 4, 2, 5, 5, 3, 1], "melee", charged=True)
    assert purposes(found) == [("attacks", [3]), ("block", [4, 4]), ("hit", [2, 5]), ("block", [1])]
    assert found.rolls[2]["rerolls"] == [[0, 5], [1, 3]]


@clause(EDITION, "MORALE-2", "MORALE-3", "MORALE-4", "UNIT-4")
@pytest.mark.parametrize(("start", "tests"), [(3, False), (4, True), (5, True), (6, False)])
def test_the_half_is_of_the_starting_size_and_is_crossed_once(start: int, tests: bool) -> None:
    """Three left of so many lose one: units of four and five have just come down to half, one of six was there before."""
    found = fired(squad("a1", q=2, weapons=[GUN]), squad("b1", 3, q=4, start_size=start), [2, 1] + [4] * tests)
    assert found.attacks[0]["morale"] == ("passed" if tests else "none")


@clause(EDITION, "VDMG-1", "TYPE-VEH-2", "MORALE-4")
def test_a_vehicle_only_loses_wounds_and_tests_at_half_of_its_tough() -> None:
    """From the rear two wounds of six leave four: nothing is rolled; two more leave two: one test, no table."""
    ours = squad("a1", q=2, weapons=['Gun (24", A2, Piercing)'])
    for before, dice, morale in ((0, [2, 2, 1, 1], "none"), (2, [2, 2, 1, 1, 1], "pinned")):
        theirs = squad("b1", q=4, type="vehicle", models=[{"rules": ["Tough(6)"], "wounds": before}])
        found = fired(ours, theirs, dice, facing="rear")
        assert found.attacks[0]["morale"] == morale and found.unit("b1")["models"][0]["wounds"] == before + 2


@clause(EDITION, "MELEE-18", "RULE-FEAR-1", "MELEE-20", "MORALE-10")
def test_a_melee_by_hand() -> None:
    """One axe against one blade that frightens: every way it can end, computed on paper."""
    ours, theirs = card(1, weapons=["Axe (A1)"]), card(1, rules=["Fear"], weapons=["Blade (A1)"])
    fought = odds_of(scene(ours, theirs, {"kind": "melee"}, edition=EDITION, exchange=True), exact=True).exchange
    half = Fraction(1, 2)
    first = (half * half + half * half * half) * half  # afraid in half the cases: hits are then rolled again
    back = (1 - first) * half * half
    assert fought is not None
    assert fought.joint == {(0, 0): 1 - first - back, (0, 1): back, (1, 0): first}
    assert (fought.win, fought.tie, fought.lose) == (first, 1 - first - back, back)
