"""The hull of AIRCRAFT counts for measuring and for sight (GEO-2, B2B-2), though it stands on its base."""

from __future__ import annotations

import random
from math import isqrt
from typing import Any

import pytest

from rolloff.editions.commentary.fighting import CHARGE_MOVE
from rolloff.editions.commentary.hulls import STEP, charge_at_hull, toward_hull
from rolloff.geometry.measure import slots_of
from rolloff.geometry.moves import Order, Shift
from rolloff.oracle.dice import SeededDice
from rolloff.oracle.oracle import Defaults, Oracle
from rolloff.rules.movement import order_for
from rolloff.rules.play import Play
from tests.commentary.desk import Json, blade, gun, situation, squad
from tests.commentary.referee import FAR, Moment, at, judge, move, part, place, says, way
from tests.commentary.test_phases import rule

FLIER = ["INFANTRY", "FLY"]
ASK = {"ask": [{"engaged": "a1"}]}
WALL = {"id": "w", "types": ["wall"], "polygon": [[17, 8.5], [17.2, 8.5], [17.2, 11.5], [17, 11.5]], "height": 9, "solid": True}


def plane(id: str, side: str, spot: tuple[float, float] | None, facing: int = 0, **more: Any) -> Json:
    """A plane as the rulebook makes it: 60 mm of base under a hull of 150 by 120 mm."""
    found = squad(id, side, 1, at=[spot] if spot else (), M="20+", W=12, keywords=["VEHICLE", "FLY", "AIRCRAFT"], **more)
    for model in found["models"]:
        del model["base"]
        model |= {"height": 3, **({"facing": facing} if spot else {})}
    return found


def one(x: float, y: float, *weapons: Json, id: str = "a1", side: str = "A", z: float = 0, **more: Any) -> Json:
    """A single model."""
    return squad(id, side, 1, *weapons, at=[(x, y)], own=[{"z": z, "height": 1.5}], M=6, **more)


def ends(action: str, y: float, dice: tuple[int, ...], expect: Json) -> Any:
    """A model that moves toward the side of a plane, whose hull is 2.362" from its middle there."""
    clauses, units = "GEO-2 AIR-4 ER-2", [one(20, 27), plane("b1", "B", (20, 20))]
    return says(f"{action} to {y}", clauses, units, move(action), expect, dice, [way(a1_1=(20, y))])


MOVES = [
    ends("normal", 23.6, (), {"refused": "ER-2"}),
    ends("normal", 23.88, (), {"at": {"a1.1": [20, 23.88]}}),
    ends("advance", 23.6, (1,), {"refused": "ER-2"}),
    says(
        "straight back would do by bases; a shorter way is proposed that ends clear of the hull too",
        "GEO-2 MOVE-7",
        [one(20, 29.5), plane("b1", "B", (20, 20)), one(20, 31, id="b2", side="B")],
        move("fall-back"),
        {"at": {"a1.1": [20, 25]}},
    ),
    says(
        "a plane does not end with its hull near an enemy",
        "GEO-2 ER-2 AIR-2",
        [plane("a1", "A", (10, 20)), one(30, 23.6, id="b1", side="B")],
        move(),
        {"refused": "ER-2"},
        (),
        [way(a1_1=(30, 20))],
    ),
    says(
        "a plane ends with its hull further than an inch away",
        "GEO-2 AIR-2",
        [plane("a1", "A", (10, 20)), one(30, 23.88, id="b1", side="B")],
        move(),
        {"at": {"a1.1": [30, 20]}},
        (),
        [way(a1_1=(30, 20))],
    ),
]
CHARGES = [
    says(
        "a charge that reaches the hull succeeds",
        "B2B-2 CHG-3 AIR-5",
        [one(20, 28, blade(), keywords=FLIER), plane("b1", "B", (20, 20))],
        part("charge", "a1", "charge"),
        {"events": {"charged": 1}, "asks": [["b1"]]},
        [2, 3],
        [at("b1")],
        **ASK,
    ),
    says(
        "a charge that does not reach the hull fails",
        "B2B-2 CHG-3",
        [one(20, 28, blade(), keywords=FLIER), plane("b1", "B", (20, 20))],
        part("charge", "a1", "charge"),
        {"events": {"charged": 0, "charge-failed": 1}, "asks": [[]]},
        [1, 2],
        [at("b1")],
        **ASK,
    ),
    says(
        "a charge beside the hull of somebody else is proposed clear of it",
        "GEO-2 CHG-3",
        [one(16.5, 25.5, blade()), plane("b1", "B", (20, 20)), one(23.5, 23.6, id="b2", side="B")],
        part("charge", "a1", "charge"),
        {"events": {"charged": 1}, "asks": [["b2"]]},
        [5, 5],
        [at("b2")],
        **ASK,
    ),
]
FLOOR = {
    "id": "r.f",
    "types": ["floor"],
    "polygon": [[10, 10], [20, 10], [20, 20], [10, 20]],
    "height": 6,
    "solid": True,
    "bottom": 5.9,
}
RUIN = {"id": "r", "types": ["ruin"], "polygon": [[10, 10], [20, 10], [20, 20], [10, 20]], "height": 9}
MEASURED = [
    says(
        "the height between a hull and who stands above it is that between their bodies",
        "GEO-3 HULL-1",
        [plane("a1", "A", (12, 13)), one(15, 13, id="b1", side="B", z=6)],
        None,
        {"asks": [3, ["b1"]]},
        table={"terrain": [RUIN, FLOOR]},
        ask=[{"distance": ["a1", "b1"]}, {"engaged": "a1"}],
    ),
    *(
        says(
            f"a plane arrives {what}",
            "GEO-2 RSV-3 GEO-6",
            [plane("a1", "A", None, where="reserve"), one(30, y, id="b1", side="B")],
            part("reinforcements", "a1", "arrive"),
            expect,
            (),
            [place(a1_1=(30, 3, 0, 90))],
        )
        for what, y, expect in (
            ("more than 9 inches away by its base alone", 14.01, {"refused": "RSV-3"}),
            ("more than 9 inches away by its hull", 15.46, {"at": {"a1.1": [30, 3]}}),
        )
    ),
    says(
        "nobody arrives within 9 inches of the hull of a plane",
        "GEO-2 RSV-3 GEO-6",
        [squad("a1", "A", 1, at=(), M=6, where="reserve"), plane("b1", "B", (30, 13), facing=90)],
        part("reinforcements", "a1", "arrive"),
        {"refused": "RSV-3"},
        (),
        [place(a1_1=(30, 2))],
    ),
]
SIGHT = [
    says(
        "a hull is seen past a wall that hides the base",
        "GEO-2 VIS-6",
        [one(10, 10, gun()), plane("b1", "B", (20, 10), facing=90)],
        None,
        {"asks": ["visible"]},
        table={"terrain": [WALL]},
        ask=[{"visible": ["a1.1", "b1.1"]}],
    ),
    says(
        "a hull stands in the way of sight past it",
        "GEO-2 VIS-5",
        [one(10, 11.8), plane("b2", "B", (20, 10), facing=90), one(30, 11.8, id="b1", side="B")],
        None,
        {"asks": ["none"]},
        ask=[{"visible": ["a1.1", "b1.1"]}],
    ),
]


@pytest.mark.parametrize("moment", [*MOVES, *CHARGES, *MEASURED, *SIGHT])
def test_hulls_count(moment: Moment) -> None:
    """Whatever is measured or seen, but overlap and the edge, goes by the hull of a plane as well."""
    judge(moment)


@pytest.mark.clause("commentary-10", "GEO-2", "RSV-3")
def test_a_plane_is_proposed_a_place_its_hull_may_have() -> None:
    """Where the first room by its base has the hull too near to an enemy, other room is proposed."""
    unit = plane("a1", "A", None, where="reserve")
    moment = Moment(
        [unit, one(30, 14.01, id="b1", side="B"), FAR], part("reinforcements", "a1", "arrive"), {"where": {"a1": "table"}}
    )
    judge(moment)


@pytest.mark.clause("commentary-10", "GEO-2", "TRANS-9")
@pytest.mark.parametrize("spot", [(20, 15.5), (15.4, 20), (16.5, 16.5), (20, 15)])
def test_passengers_of_a_wreck_get_out_clear_of_a_hull(spot: tuple[float, float]) -> None:
    """Beside their wreck there is room by bases where the hull of a plane is too near; the place proposed is another."""
    hauler = {"keywords": ["VEHICLE", "TRANSPORT"], "rules": ["Carries 12 INFANTRY"]}
    units = [
        one(40, 20, gun("Torrent", S=20, AP=-6, D=20)),
        squad("b1", "B", 1, at=[(20, 20)], M=12, W=5, **hauler),
        squad("b2", "B", 6, M=6, where="b1"),
        plane("a3", "A", spot),
    ]
    found = rule(units, part("shooting"), {"seed": 3}, ask=[{"engaged": "b2"}])
    assert found.verdict == "legal" and found.unit("b2")["where"] == "table" and found.json["answers"][0]["value"] == []


def every_step(play: Play, order: Order) -> Shift | None:
    """The longest way straight at a hull that is a charge, every one of them tried."""
    bx, by = play.state.at(play.state.units[order.targets[0]].living[0])
    for slot in slots_of(play.scene, order.unit):
        ax, ay = play.state.at(slot)
        span = max(1, isqrt((bx - ax) ** 2 + (by - ay) ** 2))
        for far in range(min(order.allowance, span), 0, -STEP):
            way = Shift((bx - ax) * far // span, (by - ay) * far // span)
            if charge_at_hull(play, order, way) is not None:
                return way
    return None


@pytest.mark.clause("commentary-10", "B2B-2", "CHG-3")
def test_ways_at_a_hull_are_the_longest_that_do() -> None:
    """Around a plane, with somebody else in the way or not, the way that is found is the first of all that are tried."""
    luck, found = random.Random(7), list[bool]()
    for _ in range(24):
        x, y = luck.uniform(13, 27), luck.uniform(24, 29)
        own = [(x + 1.4 * k, y) for k in range(luck.choice((1, 1, 3)))]
        units = [
            squad("a1", "A", len(own), blade(), at=own, M=6),
            plane("b1", "B", (20, 20), facing=luck.choice((0, 45, 90))),
            one(luck.choice((16.5, 17.5, 22.5, 24.0)), luck.uniform(17, 22.5), id="b2", side="B"),
        ]
        setting = situation(units)
        play = Play(setting.game, setting.state, Oracle(SeededDice(b""), Defaults()))
        order = order_for(play, 0, CHARGE_MOVE, luck.choice((2000, 5000, 9000)), (1,))
        way = toward_hull(play, order)
        straight = every_step(play, order)
        assert way == straight or (straight is None and way is not None and charge_at_hull(play, order, way) is not None)
        found.append(way is not None)
    assert any(found)
    assert not all(found)
