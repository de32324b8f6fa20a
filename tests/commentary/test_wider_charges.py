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


CROWDED = [
    (  # the roll falls short of contact, so that the target lies beyond what anybody could touch
        [2, 0.787, (30, 22), (28.701, 22.923)],
        [0.63, (33.209, 15.921), (34.002, 18.353), (33.835, 20.297), (34.472, 15.713), (33.816, 17.087)],
        [0.63, (30.992, 20.436), (32.088, 19.814), (28.895, 20.453), (31.751, 18.579), (29.971, 19.697)],
        [1, 1],
    ),
    (  # who follows finds room no nearer to the target than the one in front of him
        [3, 0.787, (30, 22), (31.566, 22.298), (32.022, 24.08)],
        [1.181, (25.798, 14.22), (24.572, 16.239)],
        [0.63, (29.612, 19.4), (30.115, 16.913), (28.856, 16.974), (28.761, 20.357), (31.754, 20.173)],
        [3, 2],
    ),
    (  # and that one has few places to go to
        [2, 0.63, (30, 22), (31.978, 21.768)],
        [0.5, (20.16, 21.491), (21.141, 21.211), (22.092, 21.521), (20.941, 20.133), (20.004, 22.499)],
        [0.5, (26.862, 20.723), (27.688, 20.159), (25.126, 22.144), (25.908, 21.211), (25.033, 19.767),
         (22.927, 22.317), (23.166, 20.624), (22.067, 22.828), (21.138, 23.199), (22.322, 23.816)],
        [5, 1],
    ),
]  # fmt: skip


def crowd(id: str, side: str, radius: float, spots: Any) -> Json:
    """A unit on bases of one size."""
    own = [{"base": {"circle": round(2 * radius, 3)}}] * len(spots)
    return squad(id, side, len(spots), at=spots, own=own, M=6)


@pytest.mark.parametrize(("unit", "enemy", "friends", "dice"), CROWDED)
@pytest.mark.clause("commentary-10", "CHG-3", "COH-1")
def test_a_charge_through_a_crowd_ends_within_engagement_range(unit: Any, enemy: Any, friends: Any, dice: list[int]) -> None:
    """One model comes within an inch of the target between its friends, and those behind it go after it so far as they must."""
    units = [
        crowd("a1", "A", unit[1], unit[2:]),
        crowd("b1", "B", enemy[0], enemy[1:]),
        crowd("a2", "A", friends[0], friends[1:]),
    ]
    assert has_charged(charge(units, dice))


@pytest.mark.parametrize(
    ("unit", "enemy", "friends"),
    [
        (
            [0.787, (30, 22), (31.566, 22.298), (32.022, 24.08)],
            [1.181, (27.479, 17.332), (26.253, 19.351)],
            [0.63, (29.719, 20.116), (30.222, 17.629), (28.868, 21.073), (28.486, 22.274), (32.191, 17.608)],
        ),
        (
            [0.787, (30, 22), (30.033, 23.594), (31.326, 21.116)],
            [1.181, (26.666, 19.302), (25.007, 21.011)],
            [0.5, (29.044, 20.35), (28.64, 21.265), (27.659, 21.07), (26.561, 17.384), (27.527, 17.056), (28.412, 17.522)],
        ),
    ],
)
@pytest.mark.clause("commentary-10", "PILEIN-2", "PILEIN-5")
def test_a_pile_in_through_a_crowd_ends_within_engagement_range(unit: Any, enemy: Any, friends: Any) -> None:
    """Nobody finds room in contact, nor do all by one step: one model goes near the enemy, and the others after it."""
    units = [
        crowd("a1", "A", unit[0], unit[1:]),
        crowd("b1", "B", enemy[0], enemy[1:]),
        crowd("a2", "A", friends[0], friends[1:]),
    ]
    units[0]["marks"] = ["charged"]
    found = rule(units, {"phase": "fight", "unit": "a1", "action": "fight"}, [])
    reach = unit[0] + enemy[0] + 1.001
    assert min(dist(model["at"], spot) for model in found.unit("a1")["models"] for spot in enemy[1:]) <= reach
    assert found.event("piled-in")["facts"]["longest"] > 0


TO_MARKER = [
    ([0.5, (10, 10)], [0.5, (12.7, 10)], (16.687, 10)),  # a friend stands where it would end, and a little aside there is room
    (  # only one of the unit has a way, and the others are near enough to stay
        [0.63, (29.207, 22.134), (31.133, 23.685), (27.95, 22.374), (28.388, 21.15), (26.129, 21.703), (32.029, 22.648),
         (32.394, 23.854)],
        [0.5, (27.097, 19.338), (26.314, 18.684), (27.099, 20.338), (28.055, 18.484), (25.764, 19.543)],
        (27.023, 16.071),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("unit", "friends", "marker"), TO_MARKER)
@pytest.mark.clause("commentary-10", "CONSOL-2")
def test_a_consolidation_past_friends_ends_within_range_of_the_marker(unit: Any, friends: Any, marker: Any) -> None:
    """One step of all, or of one model alone, is looked for on all sides of the straight one to the marker."""
    units = [crowd("a1", "A", unit[0], unit[1:]), crowd("a2", "A", friends[0], friends[1:])]
    units += [squad("b1", "B", 1, at=[(50, 40)], M=6)]
    units[0]["marks"] = ["charged"]
    objectives = [{"id": "o1", "at": list(marker)}]
    found = rule(units, {"phase": "fight", "unit": "a1", "action": "fight"}, [], objectives=objectives)
    assert min(dist(model["at"], marker) for model in found.unit("a1")["models"]) <= unit[0] + 0.788 + 3
    assert found.event("consolidated")["facts"]["longest"] > 0


@pytest.mark.clause("commentary-10", "PILEIN-3")
def test_nobody_piles_in_away_from_his_closest_enemy() -> None:
    """Where all go by one step, those whom it brings no closer to the enemy closest to them stay."""
    crowds: dict[str, Any] = {
        "a1": [0.787, (30, 22), (28.998, 20.786), (31.78, 21.001), (33.374, 21.029), (31.421, 22.723), (34.401,
              22.222), (30.913, 18.983), (29.219, 24.022), (29.617, 25.545), (27.714, 24.483)],
        "b1": [0.5, (28.253, 22.394), (27.258, 22.618), (26.336, 22.23), (26.386, 24.777), (25.401, 21.822),
              (26.198, 23.241), (27.275, 21.618), (25.369, 24.852)],
        "b2": [0.787, (27.241, 26.735), (27.039, 28.316), (27.917, 29.646), (30.179, 27.157), (24.973, 30.285)],
        "b3": [0.5, (27.833, 19.875), (28.692, 19.362)],
    }  # fmt: skip
    units = [crowd(name, name[0].upper(), row[0], row[1:]) for name, row in crowds.items()]
    units[0]["marks"] = ["charged"]
    found = rule(units, {"phase": "fight", "unit": "a1", "action": "fight"}, [])
    ends = {name: at for name, what, at in found.event("piled-in")["set"] if what == "at"}
    enemies = [(row[0], spot) for name, row in crowds.items() if name[0] == "b" for spot in row[1:]]
    for k, start in enumerate(crowds["a1"][1:]):
        far, end = min((dist(start, spot) - radius, spot) for radius, spot in enemies), ends[f"a1.{k + 1}"]
        assert tuple(end) == start or dist(end, far[1]) < dist(start, far[1])
