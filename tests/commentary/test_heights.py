"""Up and down: turning, climbing, flying through the air, hills, structures and the floors of ruins."""

from __future__ import annotations

from typing import Any

import pytest

from rolloff.errors import BadInput
from tests.commentary.desk import Json, Ruling, blade, gun, shoot, squad
from tests.commentary.test_phases import asked, rule

FAR = squad("b9", "B", 1, at=[(50, 40)], M=6)
NORMAL = {"phase": "movement", "unit": "a1", "action": "normal"}
MM = 25.4


def clause(found: Ruling) -> str | None:
    """The clause a ruling was refused by."""
    return found.refusal["clause"] if found.refusal else None


def block(id: str, kind: str, x0: float, x1: float, height: float, bottom: float = 0) -> Json:
    """A solid piece across the table's lower part, from one x to another."""
    polygon = [[x0, 5], [x1, 5], [x1, 15], [x0, 15]]
    return {"id": id, "types": [kind], "polygon": polygon, "height": height, "bottom": bottom, "solid": True}


def moved(
    end: list[Any], M: int, *pieces: Json, words: tuple[str, ...] = ("INFANTRY",), start: Any = (10, 10), **more: Any
) -> Ruling:
    """A single model moves to an end."""
    units = [squad("a1", "A", 1, at=[start], M=M, keywords=list(words), **more), FAR]
    answers = [{"kind": "move", "value": {"a1.1": [end]}}]
    return rule(units, NORMAL, answers=answers, table={"terrain": list(pieces)})


@pytest.mark.clause("commentary-10", "MOVE-3")
@pytest.mark.parametrize(
    ("base", "facing", "cost"),
    [
        pytest.param({"oval": [42 / MM, 75 / MM]}, 180, 2.953, id="DV-37 oval by 180"),
        pytest.param({"oval": [42 / MM, 75 / MM]}, 90, 2.088, id="DV-37 oval by 90"),
        pytest.param({"rect": [80 / MM, 120 / MM]}, 90, 4.015, id="DV-37 rectangle by 90"),
        pytest.param({"circle": 3}, 180, 0.0, id="DV-37 circle"),
    ],
)
def test_turning_costs_the_way_of_the_farthest_tip(base: Json, facing: int, cost: float) -> None:
    """DV-37: a turn on the spot costs the straight line of the farthest tip; a round base turns for nothing."""
    found = moved([20, 20, facing], 6, start=(20, 20), own=[{"base": base}])
    assert found.event("moved")["facts"]["longest"] == pytest.approx(cost, abs=0.002)
    both = moved([22, 20, facing], 6, start=(20, 20), own=[{"base": base}])
    expected = cost + 2 if cost < 4 else None
    if expected is None:
        assert clause(both) == "MOVE-5"
    else:
        assert both.event("moved")["facts"]["longest"] == pytest.approx(expected, abs=0.002)


@pytest.mark.clause("commentary-10", "MOVE-3")
@pytest.mark.parametrize(
    ("way", "cost"),
    [
        pytest.param([[20, 20, 90], [20, 20, 0]], 4.176, id="forth and back on the spot"),
        pytest.param([[20, 20, 90], [21, 20], [21, 20, 0]], 5.176, id="sideways through a gap"),
        pytest.param([[21, 20, 90], [22, 20, 0]], 6.176, id="with each step"),
    ],
)
def test_a_turn_that_is_turned_back_costs_both(way: list[Any], cost: float) -> None:
    """Costs of the legs add up, also where a base that is not round ends with the facing it began with."""
    units = [squad("a1", "A", 1, at=[(20, 20)], M=7, own=[{"base": {"oval": [42 / MM, 75 / MM]}}]), FAR]
    answers = [{"kind": "move", "value": {"a1.1": way}}]
    assert rule(units, NORMAL, answers=answers).event("moved")["facts"]["longest"] == pytest.approx(cost, abs=0.002)
    units[0]["stats"]["M"] = int(cost)
    assert clause(rule(units, NORMAL, answers=answers)) == "MOVE-5"


@pytest.mark.clause("commentary-10", "MOVE-11", "MOVE-3")
def test_everything_a_base_sweeps_over_must_be_free() -> None:
    """A long base that turns first sweeps over a friend beside it only where its turn does; a leg that touches is legal."""
    long = [{"base": {"rect": [1, 6]}}]
    beside = squad("x", "B", 1, at=[(20, 12.6)], M=6)
    units = [squad("a1", "A", 1, at=[(20, 10)], M=14, keywords=["VEHICLE"], own=long), beside, FAR]
    turn = [{"kind": "move", "value": {"a1.1": [[20, 10, 180]]}}]
    assert rule(units, NORMAL, answers=turn).refusal is not None
    clear = [*units[:1], squad("x", "B", 1, at=[(20, 18)], M=6), FAR]
    assert rule(clear, NORMAL, answers=turn).verdict == "legal"


@pytest.mark.clause("commentary-10", "MOVE-9", "TER-5")
def test_climbing_over_what_is_tall() -> None:
    """Over debris 2.5" tall a model climbs up and down; over 2" it walks; nobody ends on it; through walls only the slim."""
    tall, low = block("d", "debris", 12, 13, 2.5), block("d", "debris", 12, 13, 2)
    assert clause(moved([15, 10], 9, tall)) == "MOVE-5"
    assert moved([15, 10], 10, tall).event("moved")["facts"]["longest"] == 10.0
    assert moved([15, 10], 5, low).verdict == "legal"
    assert clause(moved([12.5, 10], 12, tall)) == "TER-5"
    wall = block("w", "wall", 12, 12.5, 3)
    assert moved([15, 10], 5, wall).verdict == "legal"
    assert clause(moved([15, 10], 10, wall, words=("VEHICLE",))) == "MOVE-5"
    assert moved([15, 10], 11, wall, words=("VEHICLE",)).verdict == "legal"


@pytest.mark.clause("commentary-10", "TER-6", "TER-12", "GEO-3")
def test_ending_on_a_hill() -> None:
    """A base wholly on a hill stands on its top, at its height; one that overhangs is refused."""
    hill = block("h", "hill", 13, 17, 3)
    on = moved([15, 10], 8, hill)
    assert on.verdict == "legal" and on.model("a1.1")["z"] == 3.0
    assert on.event("moved")["facts"]["longest"] == 8.0
    assert clause(moved([15, 10], 7, hill)) == "MOVE-5"
    assert clause(moved([13.2, 10], 12, hill)) == "TER-6"
    low = block("h", "hill", 13, 17, 1.5)
    assert moved([15, 10], 5, low).model("a1.1")["z"] == 1.5


FLOORS = [
    {"id": "r", "types": ["ruin"], "polygon": [[12, 5], [20, 5], [20, 15], [12, 15]], "height": 9},
    block("r.1", "floor", 13, 19, 3, 2.9),
    block("r.2", "floor", 13, 19, 6, 5.9),
]


@pytest.mark.clause("commentary-10", "TER-8", "TER-12", "MOVE-9")
def test_upper_floors() -> None:
    """INFANTRY goes up to a floor for its height, wholly on it; a VEHICLE does not; where nothing is nobody stands."""
    up = moved([15, 10, 3, None], 8, *FLOORS)
    assert up.verdict == "legal" and up.model("a1.1")["z"] == 3.0 and up.event("moved")["facts"]["longest"] == 8.0
    assert clause(moved([15, 10, 3, None], 7, *FLOORS)) == "MOVE-5"
    assert moved([15, 10], 5, *FLOORS).model("a1.1")["z"] == 0.0
    assert clause(moved([15, 10, 4, None], 12, *FLOORS)) == "TER-8"
    assert clause(moved([13.2, 10, 3, None], 12, *FLOORS)) == "TER-8"
    assert clause(moved([15, 10, 3, None], 12, *FLOORS, words=("VEHICLE",))) == "TER-8"
    stays = moved([17, 10], 2, *FLOORS, start=(15, 10), own=[{"z": 3}])
    assert stays.verdict == "legal" and stays.model("a1.1")["z"] == 3.0
    assert clause(moved([10, 10], 7, *FLOORS, start=(15, 10), own=[{"z": 3}])) == "MOVE-5"
    assert moved([10, 10], 8, *FLOORS, start=(15, 10), own=[{"z": 3}]).model("a1.1")["z"] == 0.0


@pytest.mark.clause("commentary-10", "FLY-4", "FLY-5")
def test_flying_through_the_air() -> None:
    """DV-16, DV-17: to a floor 6" up over 8" costs 10"; over what is low it is the plan; over a tall block a taut string."""
    fly = ("VEHICLE", "FLY")
    start = (7, 10)
    high = moved([15, 10, 6, None], 10, *FLOORS, words=fly, start=start)
    assert high.verdict == "legal" and high.event("moved")["facts"]["longest"] == 10.0
    assert clause(moved([15, 10, 6, None], 9, *FLOORS, words=fly, start=start)) == "MOVE-5"
    assert moved([17, 10], 10, block("b", "debris", 11, 12, 1.9), words=fly, start=start).verdict == "legal"
    tall = block("b", "debris", 12, 12.1, 4)
    over = moved([17, 10], 13, tall, words=fly, start=start)
    assert over.verdict == "legal" and over.event("moved")["facts"]["longest"] == pytest.approx(12.83, abs=0.03)
    assert clause(moved([17, 10], 12, tall, words=fly, start=start)) == "MOVE-5"


@pytest.mark.clause("commentary-10", "CHG-6", "CHARGE-4", "FLY-4")
def test_charging_over_terrain() -> None:
    """A charge climbs as any move does, and a flying one goes through the air."""
    wall = block("d", "debris", 13, 14, 3)
    target = [{"kind": "choose-target", "value": "b1"}]
    do = {"phase": "charge", "unit": "a1", "action": "charge"}
    for words, dice, verdict in (
        (["INFANTRY"], [5, 6], "refused"),
        (["INFANTRY"], [6, 6], "legal"),
        (["INFANTRY", "FLY"], [4, 5], "legal"),
        (["INFANTRY", "FLY"], [4, 3], "refused"),
    ):
        units = [squad("a1", "A", 1, blade(), at=[(10, 10)], M=6, keywords=words), squad("b1", "B", 1, at=[(17, 10)], M=6)]
        answers = [*target, {"kind": "move", "value": {"a1.1": [[16, 10]]}}]
        found = rule(units, do, dice, answers=answers, table={"terrain": [wall]})
        assert found.verdict == verdict, (words, dice, found.refusal)


def test_floors_keep_enemies_apart() -> None:
    """An enemy more than 5" above is neither engaged nor in the way of who walks below it."""
    enemy = squad("b1", "B", 1, at=[(15, 10)], M=6, own=[{"z": 6}])
    units = [squad("a1", "A", 1, gun(), at=[(14.5, 10)], M=6), enemy]
    assert asked(units, {"engaged": "a1"}, table={"terrain": FLOORS}) == [[]]
    below = [squad("a1", "A", 1, at=[(10, 10)], M=8), enemy, FAR]
    go = [{"kind": "move", "value": {"a1.1": [[15, 10, 0, None]]}}]
    assert rule(below, NORMAL, answers=go, table={"terrain": FLOORS}).verdict == "legal"


# -- plunging fire ---------------------------------------------------------------------------------


@pytest.mark.clause("commentary-10", "TER-10", "GROUND-1", "GROUND-2")
def test_plunging_fire() -> None:
    """From 6" up in a ruin AP is improved by 1 against a unit on the ground, be it on a plinth."""
    for z, heights, need in ((6, (0, 0), 5), (3, (0, 0), 4), (6, (0, 0.5), 5), (6, (0, 1), 4)):
        shooter = squad("a1", "A", 1, gun("Torrent", "Ignores Cover", S=20), at=[(18.5, 10)], own=[{"z": z}])
        target = squad("b1", "B", 2, at=[(30, 10), (30, 12)], Sv=4, own=[{"z": h} for h in heights])
        found = shoot([shooter, target], dice=[2, 4], table={"terrain": FLOORS})
        assert (found.dead() != []) is (need == 5), (z, heights)


# -- across barricades -----------------------------------------------------------------------------

BARRICADE = block("w", "barricade", 12, 12.5, 1)
TABLE = {"terrain": [BARRICADE]}


@pytest.mark.clause("commentary-10", "TER-4", "ACAP-1", "ACAP-2", "LIC-1")
def test_fighting_across_a_barricade() -> None:
    """DV-40: 1.6" apart across a barricade units charge and fight each other; in the next turn they are not locked."""
    do = {"phase": "charge", "unit": "a1", "action": "charge"}
    mine, theirs = squad("a1", "A", 1, blade(), gun(), at=[(8, 10)], M=6), squad("b1", "B", 1, blade(), at=[(13.6, 10)], M=6)
    near = rule([mine, theirs], do, [1, 3], table=TABLE, answers=[{"kind": "move", "value": {"a1.1": [[11.5, 10]]}}])
    assert near.verdict == "legal" and "charged" in str(near.unit("a1")["marks"]), near.refusal
    short = rule([mine, theirs], do, [1, 3], table=TABLE, answers=[{"kind": "move", "value": {"a1.1": [[11.2, 10]]}}])
    assert short.refusal is not None
    there = squad("a1", "A", 1, blade(), gun(), at=[(11.5, 10)], M=6)
    broad = {"terrain": [block("w", "barricade", 12, 13, 1)]}
    further = squad("b1", "B", 1, blade(), at=[(14.05, 10)], M=6)
    stays = rule([there, further], do, [1, 1], table=broad, answers=[{"kind": "move", "value": "stay"}])
    assert stays.verdict == "legal" and "charged" in str(stays.unit("a1")["marks"])
    fought = rule([there, theirs], {"phase": "fight", "unit": "b1", "action": "fight"}, [1], table=TABLE)
    assert fought.attack["attacks"] == 1
    free: list[Json] = [
        {"eligible": ["a1", "shoot"]},
        {"eligible": ["a1", "normal"]},
        {"engaged": "a1"},
        {"eligible": ["a1", "fight"]},
    ]
    assert asked([there, theirs], *free, table=TABLE) == [True, True, [], True]
    open_ground = asked([there, theirs], {"eligible": ["a1", "fight"]})
    assert open_ground == [False]


@pytest.mark.clause("commentary-10", "TER-4", "CHG-3")
@pytest.mark.parametrize(("x", "reached"), [(13.9, True), (14.0, True), (14.1, False), (14.4, False)])
def test_a_charge_reaches_further_only_behind_a_barricade(x: float, reached: bool) -> None:
    """The 2" of a charge hold for a target within 1" of the barricade; one further behind it is charged as in the open."""
    do = {"phase": "charge", "unit": "a1", "action": "charge"}
    thin = {"terrain": [block("w", "barricade", 12.3, 12.5, 1)]}
    units = [squad("a1", "A", 1, blade(), at=[(8, 10)], M=6), squad("b1", "B", 1, blade(), at=[(x, 10)], M=6)]
    found = rule(units, do, [2, 2], table=thin)
    assert found.verdict == "legal" and ("charged" in str(found.unit("a1")["marks"])) is reached
    there = [squad("a1", "A", 1, blade(), at=[(11.7, 10)], M=6), units[1]]
    assert asked(there, {"eligible": ["a1", "fight"]}, table=thin) == [x <= 14.7]


@pytest.mark.clause("commentary-10", "B2B-2")
def test_the_hull_of_aircraft() -> None:
    """AIRCRAFT are measured to their hull where that is nearer than the base, and touched there."""
    words = ["VEHICLE", "FLY", "AIRCRAFT"]
    plane = squad("b1", "B", 1, at=[(20, 20)], M="20+", keywords=words, own=[{"base": {"circle": 60 / MM}, "height": 3}])
    for x, expected in ((20 - 75 / MM - 1.4, ["b1"]), (20 - 75 / MM - 1.6, [])):
        units = [squad("a1", "A", 1, blade(), at=[(x, 20)], M=6, keywords=["INFANTRY", "FLY"]), plane]
        assert asked(units, {"engaged": "a1"}) == [expected]


@pytest.mark.clause("commentary-10", "B2B-2", "SHOOT-2")
@pytest.mark.parametrize(("gap", "expected"), [(23.9, True), (24.1, False)])
def test_the_hull_of_aircraft_is_shot_at(gap: float, expected: bool) -> None:
    """A gun of 24" may be fired at a hull within 24", though the base below it is further away, and not beyond."""
    words = ["VEHICLE", "FLY", "AIRCRAFT"]
    plane = squad("b1", "B", 1, at=[(40, 20)], M="20+", keywords=words, own=[{"base": {"circle": 60 / MM}, "height": 3}])
    units = [squad("a1", "A", 1, gun(range=24), at=[(40 - 75 / MM - gap - 0.5, 20)], M=6), plane]
    found = rule(units, {"phase": "shooting", "unit": "a1", "action": "shoot"}, {"seed": 1})
    assert (found.verdict == "legal") == expected


# -- replaced --------------------------------------------------------------------------------------


@pytest.mark.clause("commentary-10", "REPLACE-1", "REPLACE-2")
def test_a_unit_is_replaced_by_a_new_one() -> None:
    """AB-T3: also after it moved and within Engagement Range it is removed, and a full, unhurt unit arrives at an edge."""
    sides = {"A": {"marks": [{"role": "attacker"}]}, "B": {"marks": [{"role": "defender"}]}}
    swarm = squad("a1", "A", 3, at=[(30, 22), (31.2, 22), (32.4, 22)], M=6, W=2, wounds=[1, 0, 0], start_size=3,
                  rules=["Replaced Once"], marks=["moved", "activated", "battle-shocked"])  # fmt: skip
    swarm["models"][2]["removed"] = True
    units = [swarm, squad("a2", "A", 1, at=[(30, 5)], M=6, marks=["activated"]), squad("b1", "B", 1, at=[(30, 23.5)], M=6)]
    use = [{"kind": "react", "value": "Replaced Once"}]
    found = rule(units, {"phase": "movement"}, answers=use, sides=sides)
    assert found.verdict == "legal", found.refusal
    models = found.unit("a1")["models"]
    assert [model["wounds"] for model in models] == [0, 0, 0] and not any(model.get("removed") for model in models)
    x, y = models[0]["at"]
    assert min(x, y, 60 - x, 44 - y) <= 6
    held = str(found.unit("a1")["marks"])
    assert "arrived" in held and "moved" in held and "battle-shocked" not in held
    unlisted = rule([swarm | {"models": swarm["models"][:2], "start_size": 5}, *units[1:]], {"phase": "movement"}, answers=use,
                    sides=sides)  # fmt: skip
    assert len(unlisted.wounds("a1")) == 5  # as many as it started with, though only who is left of it was written down
    early = rule(units, {"phase": "movement"}, answers=use, sides=sides, round=1)
    assert early.refusal is not None


def upstairs(z: float) -> list[Json]:
    """A unit at some height of a ruin that gets two models back."""
    own = [{"z": z}] * 3 + [{"removed": True}] * 2
    guard = squad("a1", "A", 5, at=[(15, 10), (15, 11.5), (15, 13)], M=6, own=own)
    boss = squad("x", "A", 1, at=[(16.2, 10)], own=[{"z": z}], keywords=["INFANTRY", "CHARACTER"], leading="a1")
    return [guard, boss | {"rules": ["Returns Models 2"]}, FAR]


@pytest.mark.clause("commentary-10", "ADD-1", "RETURN-1")
def test_models_return_to_the_floor_where_their_unit_stands() -> None:
    """By default they stand up there beside the others; where the floor has no room for them, on the ground below."""
    back: Json = {"kind": "react", "value": "Returns Models a1"}
    for z in (0, 3, 6):
        found = rule(upstairs(z), {"phase": "command"}, answers=[back], table={"terrain": FLOORS})
        assert [found.model(f"a1.{k}")["z"] for k in (4, 5)] == [z, z]
    ledge = {**FLOORS[1], "polygon": [[14.4, 9.4], [16.8, 9.4], [16.8, 10.6], [15.6, 10.6], [15.6, 13.6], [14.4, 13.6]]}
    narrow = rule(upstairs(3), {"phase": "command"}, answers=[back], table={"terrain": [FLOORS[0], ledge]})
    assert [narrow.model(f"a1.{k}")["z"] for k in (4, 5)] == [0, 0]


# -- what begins above the ground ------------------------------------------------------------------

UPSTAIRS = [{"z": 3}]


@pytest.mark.clause("commentary-10", "MOVE-11", "TER-8")
@pytest.mark.parametrize("kind", ["wall", "block"])
def test_a_base_passes_beneath_what_begins_above_it(kind: str) -> None:
    """A wall or a block from 3" up stops no VEHICLE on the ground, which may end beneath it; one from the ground up does."""
    for end in ([16, 10], [12.5, 10]):
        found = moved(end, 6, block("w", kind, 12, 13, 6, bottom=3), words=("VEHICLE",))
        assert found.verdict == "legal", found.refusal
        assert found.event("moved")["facts"]["longest"] == end[0] - 10
        assert moved(end, 6, block("w", kind, 12, 13, 6), words=("VEHICLE",)).verdict == "refused"


@pytest.mark.clause("commentary-10", "MOVE-11", "MOVE-9")
@pytest.mark.parametrize(("bottom", "cost"), [(3, 3 + 6.0), (3.5, 3.0)])
def test_what_begins_as_high_as_a_base_stands_is_in_its_way(bottom: float, cost: float) -> None:
    """On a hill a VEHICLE climbs 3" up and down over a wall that stands on it, and passes beneath one that begins higher."""
    hill, wall = block("h", "hill", 5, 25, 3), block("w", "wall", 12, 12.2, 6, bottom=bottom)
    found = moved([13.5, 10, 3, 0], 9, hill, wall, words=("VEHICLE",), start=(10.5, 10), own=UPSTAIRS)
    assert found.verdict == "legal", found.refusal
    assert found.event("moved")["facts"]["longest"] == pytest.approx(cost, abs=0.01)
    if cost > 3:
        assert clause(moved([13.5, 10, 3, 0], 8, hill, wall, words=("VEHICLE",), start=(10.5, 10), own=UPSTAIRS)) == "MOVE-5"


@pytest.mark.clause("commentary-10", "TER-8", "MOVE-11")
@pytest.mark.parametrize(
    ("bottom", "top", "ends"), [(3, 6, False), (0, 6, False), (3.5, 6, True), (0, 3, True), (0, 2.5, True)]
)
def test_nobody_ends_inside_a_wall_at_his_height(bottom: float, top: float, ends: bool) -> None:
    """On a floor INFANTRY pass through a wall and do not end in it where it reaches higher; beneath it or on top they do."""
    floor, wall = block("f", "floor", 5, 25, 3, bottom=2.9), block("w", "wall", 12, 13, top, bottom=bottom)
    past = moved([14, 10, 3, 0], 6, floor, wall, own=UPSTAIRS)
    assert past.verdict == "legal" and past.event("moved")["facts"]["longest"] == 4, past.refusal
    assert (moved([12.5, 10, 3, 0], 6, floor, wall, own=UPSTAIRS).verdict == "legal") == ends


@pytest.mark.clause("commentary-10", "TER-8", "MOVE-11")
def test_models_are_set_up_beneath_a_wall_and_not_inside_it() -> None:
    """On the ground beneath a wall that begins higher there is room; on the floor it stands on there is none inside it."""
    pieces = [block("f", "floor", 5, 25, 3, bottom=2.9), block("w", "wall", 12, 13, 6, bottom=3)]
    units = [squad("a1", "A", 1, M=6, where="waiting"), squad("b1", "B", 1, at=[(50, 40)], M=6)]
    sides = {"A": {"marks": [{"role": "attacker"}]}, "B": {"marks": [{"role": "defender"}]}}
    for end, verdict in (([12.5, 8], "legal"), ([12.5, 8, 3, 0], "refused"), ([9, 8, 3, 0], "legal")):
        answers = [{"kind": "choose-unit", "value": "a1"}, {"kind": "place", "value": {"a1.1": end}}]
        found = rule(units, {"step": "deploy"}, answers=answers, sides=sides, table={"terrain": pieces})
        assert found.verdict == verdict, (end, found.refusal)


@pytest.mark.clause("commentary-10", "TER-8", "TER-12")
@pytest.mark.parametrize(("spot", "ends"), [([12.5, 10, 3, 0], True), ([12.5, 10, 0, 0], False), ([12.5, 10], False)])
def test_a_roof_covers_its_walls(spot: list[float], ends: bool) -> None:
    """On a floor that lies on top of a wall a base may end over it, climbing there; on the ground it would be inside."""
    pieces = [block("f", "floor", 5, 25, 3, bottom=2.9), block("w", "wall", 12, 13, 3)]
    found = moved(spot, 6, *pieces)
    assert (found.verdict == "legal") is ends, found.refusal
    sides = {"A": {"marks": [{"role": "attacker"}]}, "B": {"marks": [{"role": "defender"}]}}
    units = [squad("a1", "A", 1, M=6, where="waiting"), FAR]
    answers = [{"kind": "choose-unit", "value": "a1"}, {"kind": "place", "value": {"a1.1": [12.5, 8, *spot[2:]]}}]
    set_up = rule(units, {"step": "deploy"}, answers=answers, sides=sides, table={"terrain": pieces})
    assert (set_up.verdict == "legal") is ends, set_up.refusal


# -- the elevation of a piece ----------------------------------------------------------------------


def elevated(kind: str, **lie: float) -> Json:
    """A piece that says how high models stand on it."""
    return {"id": "t1", "types": [kind], "polygon": [[8, 8], [16, 8], [16, 16], [8, 16]], "solid": True, **lie}


@pytest.mark.clause("commentary-10", "TER-6", "TER-12", "MOVE-9")
@pytest.mark.parametrize("lie", [{"elevation": 3}, {"height": 3}, {"height": 3, "elevation": 3}], ids=["it", "height", "both"])
@pytest.mark.parametrize(("M", "refused"), [(7, None), (6, "MOVE-9")])
def test_an_elevation_is_the_height_of_the_top(lie: dict[str, float], M: int, refused: str | None) -> None:
    """A hill of an elevation is as high as one of that height: it is climbed, at the price of the climb."""
    units = [squad("a1", "A", 1, at=[(12, 6.5)], M=M, keywords=["INFANTRY"]), FAR]
    answers = [{"kind": "move", "value": {"a1.1": [[12, 10]]}}]
    found = rule(units, NORMAL, answers=answers, table={"terrain": [elevated("hill", **lie)]})
    assert (found.verdict == "legal") is (refused is None)
    assert found.model("a1.1").get("z", 0) == (0 if refused else 3)


@pytest.mark.clause("commentary-10", "TER-12")
def test_a_model_stands_on_what_is_elevated() -> None:
    """Without a height of its own a model on such a piece is on its top; beneath a floor it walks on the ground."""
    hill = {"terrain": [elevated("hill", elevation=4)]}
    units = [squad("a1", "A", 1, at=[(12, 12)], M=6), squad("b1", "B", 1, at=[(12, 20)], M=6)]
    (far,) = asked(units, {"distance": ["a1", "b1"]}, table=hill)
    assert far == pytest.approx((7**2 + 4**2) ** 0.5, abs=0.001)
    found = moved([12, 10], 6, elevated("floor", elevation=3, bottom=2.9), start=(12, 6.5))
    assert found.model("a1.1")["z"] == 0


@pytest.mark.parametrize(
    ("piece", "says"),
    [(elevated("hill", height=3, elevation=2), "on top of it, 3 inches up"), (elevated("woods", elevation=2), "not on woods")],
)
def test_an_elevation_that_cannot_be(piece: Json, says: str) -> None:
    """An elevation that is not the top, or of a piece nobody stands on top of, is refused with a sentence."""
    with pytest.raises(BadInput, match=says):
        moved([12, 6], 6, piece, start=(12, 5))
