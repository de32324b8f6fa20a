"""CHG-3: a charge that can be made is proposed, also where its way is neither into base contact nor straight."""

from __future__ import annotations

from math import cos, dist, pi, sin
from typing import Any

import pytest

from tests.commentary.desk import Json, Ruling, blade, squad
from tests.commentary.test_heights import block
from tests.commentary.test_hulls import one, plane
from tests.commentary.test_phases import marks, rule
from tests.commentary.test_timing import at

CHARGE: Json = {"phase": "charge", "unit": "a1", "action": "charge"}


def charge(units: list[Json], dice: list[int], *targets: str, **more: Any) -> Ruling:
    """A charge whose way nobody names."""
    return rule(units, CHARGE, dice, answers=[at(target) for target in targets or ("b1",)], **more)


def has_charged(found: Ruling) -> bool:
    """Whether it was made, which the judge then found lawful."""
    return "charged" in marks(found, "a1")


def line(count: int, apart: float) -> list[Json]:
    """A unit before two enemies so far from each other, base to base."""
    own = [(20 + 1.5 * (k - (count - 1) / 2), 10.0) for k in range(count)]
    spots = (20 - apart / 2 - 0.5, 15.0), (20 + apart / 2 + 0.5, 15.0)
    enemies = [squad(f"b{k + 1}", "B", 1, at=[spot], M=6) for k, spot in enumerate(spots)]
    return [squad("a1", "A", count, blade(), at=own, M=6), *enemies]


@pytest.mark.parametrize(
    ("count", "apart", "made"), [(2, 5.9, True), (3, 7.5, True), (4, 7.5, True), (3, 8.9, True), (3, 9.1, False)]
)
@pytest.mark.clause("commentary-10", "CHG-3", "COH-1")
def test_a_unit_stretches_between_two_targets(count: int, apart: float, made: bool) -> None:
    """Models two inches apart stand in a row from one target to the other, up to the most that coherency lets them."""
    assert has_charged(charge(line(count, apart), [5, 4], "b1", "b2")) is made


@pytest.mark.clause("commentary-10", "CHG-3", "COH-2")
def test_eight_models_stretch_less() -> None:
    """Seven and more stand nearer to each other: each needs two others."""
    assert has_charged(charge(line(8, 9.5), [6, 5], "b1", "b2"))
    assert not has_charged(charge(line(8, 14.5), [6, 5], "b1", "b2"))


def ringed(spare: int = 0) -> Json:
    """Friends all around an enemy, base to base with it and each other."""
    spots = [(20 + 1.001 * cos(k * pi / 3), 15 + 1.001 * sin(k * pi / 3)) for k in range(6 - spare)]
    return squad("a2", "A", len(spots), at=spots, M=6)


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.clause("commentary-10", "CHG-3", "CHG-4")
def test_a_charge_past_friends_ends_within_engagement_range(count: int) -> None:
    """Friends take all of the target's base: a model ends between two of them, less than an inch from it, others behind."""
    own = [(20 + 1.5 * k, 10.0) for k in range(count)]
    found = charge([squad("a1", "A", count, blade(), at=own, M=6), ringed(), squad("b1", "B", 1, at=[(20, 15)], M=6)], [4, 4])
    assert has_charged(found)
    assert min(dist(model["at"], (20, 15)) for model in found.unit("a1")["models"]) < 2


@pytest.mark.parametrize(
    ("start", "vehicle", "dice", "friends"),
    [
        ((19.1, 9.0), False, [3, 3], [(17.7, 17.1), (19.8, 14.8), (18.3, 15.4), (22.4, 14.8), (20.6, 17.1)]),
        ((19.0, 9.0), True, [3, 4], [(21.5, 14.8), (21.1, 16.0), (17.8, 15.7)]),
    ],
)
@pytest.mark.clause("commentary-10", "CHG-3", "CHG-4", "MOVE-2")
def test_a_charge_goes_beside_friends(start: Any, vehicle: bool, dice: list[int], friends: Any) -> None:
    """Friends stand where a model would come into contact: it goes beside them, to within an inch of the enemy."""
    charger = squad("a1", "A", 1, blade(), at=[start], M=6, keywords=["VEHICLE" if vehicle else "INFANTRY"])
    if vehicle:
        charger["models"][0] |= {"base": {"rect": [4, 3]}, "facing": 90}
    beside = [squad(f"a{k + 2}", "A", 1, at=[spot], M=6) for k, spot in enumerate(friends)]
    assert has_charged(charge([charger, *beside, squad("b1", "B", 1, at=[(20, 16)], M=6)], dice))


@pytest.mark.clause("commentary-10", "CHG-3", "CHG-6", "MOVE-9")
def test_a_charge_over_a_wall_need_not_reach_the_base() -> None:
    """Eleven inches take a model over a wall of three and to an inch from the enemy, though not into contact."""
    units = [squad("a1", "A", 1, blade(), at=[(10, 10)], M=6), squad("b1", "B", 1, at=[(17, 10)], M=6)]
    table = {"terrain": [block("d", "debris", 13, 14, 3)]}
    assert has_charged(charge(units, [5, 6], table=table)) and not has_charged(charge(units, [5, 5], table=table))


@pytest.mark.clause("commentary-10", "CHG-3", "B2B-2")
def test_a_charge_at_a_hull_goes_past_who_stands_before_it() -> None:
    """An enemy that is no target stands between a flier and a plane: the charge is made at another part of the hull."""
    flier = one(20, 28, blade(), keywords=["INFANTRY", "FLY"])
    units = [flier, plane("b1", "B", (20, 20)), one(20, 24.6, id="b2", side="B")]
    assert has_charged(charge(units, [2, 3]))
