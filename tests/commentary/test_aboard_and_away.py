"""Who is aboard a TRANSPORT or waits off the table: Leaders with their units, wrecks, redeployment, and no room to deploy."""

from __future__ import annotations

from typing import Any

import pytest

from tests.commentary.desk import EDITION, Json, Ruling, gun, squad
from tests.commentary.referee import Moment, at, judge, move, names, part, place, react, says
from tests.commentary.test_on_and_off import FAR, SIDES, clause, ring, waits
from tests.commentary.test_phases import asked, rule

KILLER = squad("b1", "B", 1, gun("Torrent", S=20, D=20, AP=-6), at=[(5, 30)], M=6)
SHOOT = part("shooting", "b1", "shoot")
RICH = {side: {"cp": 3, "marks": held["marks"]} for side, held in SIDES.items()}


def hull(unit: str = "a1", spot: tuple[float, float] = (20, 20), **more: Any) -> Json:
    """A TRANSPORT of two wounds."""
    words: Json = {"keywords": ["VEHICLE", "TRANSPORT"], "rules": ["Carries 12 INFANTRY"], "M": 12, "W": 2}
    return squad(unit, "A", 1, at=[spot], **{**words, **more})


def riders(count: int = 2, **more: Any) -> Json:
    """A unit aboard a1."""
    return squad("a2", "A", count, gun(), **{"M": 6, "where": "a1", **more})


def leader(**more: Any) -> Json:
    """A Leader of A without a place."""
    return squad("x", "A", 1, keywords=["INFANTRY", "CHARACTER"], M=6, W=4, **more)


# -- Leaders of who is off the table -----------------------------------------------------------------


@pytest.mark.clause(EDITION, "ABIL-7", "TRANS-8")
@pytest.mark.parametrize("said", ["where", "leading"])
def test_a_leader_written_inside_a_unit_that_is_aboard_leads_it(said: str) -> None:
    """Where the unit has no place its Leader needs none: it gets out of the wreck with it, and a die is rolled for it too."""
    found = rule([hull(), riders(), leader(**{said: "a2"}), KILLER], SHOOT, [2, 1, 3, 3], answers=[at("a1")], active="B")
    assert found.dead() == ["a1.1", "a2.1"] and found.unit("x")["leading"] == "a2"
    assert found.model("x.1")["at"] is not None


@pytest.mark.clause(EDITION, "ABIL-7", "MOVE-10")
def test_a_leader_written_inside_a_unit_in_reserves_arrives_with_it() -> None:
    """So it is set up with a unit that arrives; a CHARACTER in what carries others is a passenger as before."""
    found = rule([waits(), leader(where="a1"), FAR], part("reinforcements", "a1", "arrive"), sides=SIDES)
    assert found.model("x.1")["at"] is not None and found.unit("x")["leading"] == "a1"
    carrier = squad("a1", "A", 1, where="reserve", keywords=["VEHICLE"], rules=["Carries 12 INFANTRY"], M=12)
    there = rule([carrier, leader(where="a1"), FAR], part("reinforcements", "a1", "arrive"), sides=SIDES)
    assert there.unit("x")["where"] == "a1"


@pytest.mark.clause(EDITION, "ABIL-7", "UNIT-6")
def test_a_leader_whose_models_name_their_unit_stays_with_it() -> None:
    """Written so it is part of that unit like any other Leader, after the ruling as before; it was written as destroyed."""
    guard = squad("a1", "A", 2, at=[(10, 10), (11.2, 10)], M=6)
    units = [guard, leader(at=[(10, 11.2)], own=[{"unit": "a1"}]), FAR]
    found = rule(units, move(), answers=[{"kind": "move", "value": {"shift": [1, 0]}}])
    led = found.unit("x")
    assert (led["where"], led["leading"]) == ("merged", "a1") and found.model("x.1")["at"] == [11.0, 11.2]
    assert asked(found.json["after"]["units"], {"strength": "a1"}) == [{"models": 3, "start": 3, "word": "full"}]


# -- wrecks ----------------------------------------------------------------------------------------


@pytest.mark.clause(EDITION, "TRANS-9")
def test_too_far_from_a_wreck_by_the_clause_of_the_emergency() -> None:
    """Where 3" have no room, who would stand further than 6" away is refused by TRANS-9; a little nearer stands."""
    units = [hull(), riders(), KILLER, *ring(8, 2.7)]
    for x, refused in ((26.01, "TRANS-9"), (26.0, None)):
        there = place(a2_1=(x, 20), a2_2=(25.5, 21.3))
        found = rule(units, SHOOT, [2, 4, 4], answers=[at("a1"), there], active="B")
        assert clause(found) == refused


@pytest.mark.clause(EDITION, "DISEMB-1", "TRANS-8")
def test_a_model_too_large_for_three_inches_is_refused_by_its_own_clause() -> None:
    """A base wider than 3" stands within exactly 1" of its TRANSPORT, a wreck or not; further away is against DISEMB-1."""
    large = riders(1, own=[{"base": {"circle": 3.5}}])
    for far, refused in ((1.0, None), (1.01, "DISEMB-1")):
        there = place(a2_1=(20.5 + far + 1.75, 20))
        assert clause(rule([hull(), large, FAR], part("movement", "a2", "disembark"), answers=[there])) == refused
        assert clause(rule([hull(), large, KILLER], SHOOT, [2, 3], answers=[at("a1"), there], active="B")) == refused


@pytest.mark.clause(EDITION, "DISEMB-1", "TRANS-9")
def test_a_large_model_gets_out_of_a_wreck_within_six_inches() -> None:
    """Who has no room within 1" of a wreck stands wholly within 6" of it, if the base is not wider than that."""
    large = riders(1, own=[{"base": {"circle": 3.5}}])
    near = [squad(f"c{k}", "B", 1, at=[spot]) for k, spot in enumerate([(22, 20), (18, 20), (20, 22), (20, 18.6)])]
    for y, refused in ((15.25, None), (15.24, "TRANS-9")):
        found = rule([hull(), large, KILLER, *near], SHOOT, [2, 4], answers=[at("a1"), place(a2_1=(20, y))], active="B")
        assert clause(found) == refused and (refused or found.needs("wreck") == [4])


WATCHER = squad("b1", "B", 1, gun("Torrent", S=20, D=20, AP=-6), at=[(35, 20)], M=6)


@pytest.mark.clause(EDITION, "TRANS-6", "TRANS-8")
def test_why_who_got_out_does_nothing_more() -> None:
    """Out of a TRANSPORT that moved, a unit neither moves nor charges by TRANS-6; out of a wreck by TRANS-8."""
    units = [hull(marks=["moved", "activated"], W=10), riders(), FAR]
    there = place(a2_1=(22, 20), a2_2=(22, 21.2))
    out = rule(units, part("movement", "a2", "disembark"), answers=[there])
    shot = rule([hull(), riders(), WATCHER], move(), [2, 3, 3], answers=[react("Fire Overwatch b1 a1")], sides=RICH)
    for found, refused in ((out, "TRANS-6"), (shot, "TRANS-8")):
        after = found.json["after"]["units"]
        assert clause(rule(after, part("movement", "a2", "normal"))) == refused
        assert clause(rule(after, part("charge", "a2", "charge"))) == refused


CROWD = [
    squad(f"c{k}", "B", 1, at=[(20 + 2.4 * x, 20 + 2.4 * y)])
    for k, (x, y) in enumerate((x, y) for x in range(-4, 5) for y in range(-4, 5) if x or y)
]


@pytest.mark.clause(EDITION, "SETUP-3", "TRANS-9", "DEST-4")
def test_who_finds_no_room_by_a_wreck_is_lost_in_silence() -> None:
    """Where nobody can be set up passengers are destroyed by nobody: no die, no Deadly Demise, no Second Birth."""
    bearer = leader(where="a1", rules=["Second Birth 2+", "Deadly Demise 3"])
    units = [hull(), bearer, squad("a9", "A", 1, at=[(50, 40)]), KILLER, *CROWD]
    picks = [{"kind": "choose-unit", "value": "b1"}, at("a1")]
    found = rule(units, {"phase": "shooting"}, [2], answers=picks, active="B", sides=SIDES)
    assert found.dead() == ["a1.1", "x.1"] and found.purposes() == ["wound"]
    gone = {event["facts"]["unit"]: event["facts"]["destroyer"] for event in found.events if event["kind"] == "unit-destroyed"}
    assert gone == {"x": None, "a1": "B"}


@pytest.mark.clause(EDITION, "RESV-3", "UNIT-7", "DEST-2")
def test_each_part_of_who_never_arrived_is_destroyed() -> None:
    """At the end of the battle Reserves, their Leaders and their passengers are each reported destroyed, by nobody."""
    carrier = squad("a1", "A", 1, where="reserve", M=12, **CARRIER)
    units = [carrier, riders(), leader(where="a2"), squad("a9", "A", 1, at=[(30, 5)]), FAR]
    clock = {"phase": "round-end", "first": "A"}
    found = rule(units, {"step": "round-end"}, round=5, clock=clock, active="B")
    gone = [event["facts"]["unit"] for event in found.events if event["kind"] == "unit-destroyed"]
    assert sorted(gone) == ["a1", "a2", "x"]


# -- what a unit may be asked ----------------------------------------------------------------------


@pytest.mark.clause(EDITION, "EMB-1", "TRANS-4", "TRANS-7", "MOVE-10", "RSV-4")
def test_who_may_get_out_and_who_may_arrive() -> None:
    """Whether a unit may disembark or arrive may be asked like the rest; who is aboard does nothing else."""

    def ask(units: list[Json], unit: str, *whats: str, **more: Any) -> list[Any]:
        return asked(units, *({"eligible": [unit, what]} for what in whats), **more)

    still = [hull(), riders(), FAR]
    assert ask(still, "a2", "disembark", "normal", "stationary", "charge", "fight", "shoot") == [True, *[False] * 5]
    assert ask([hull(marks=["advanced"]), riders(), FAR], "a2", "disembark") == [False]
    assert ask(still, "a1", "disembark", "stationary") == [False, True]
    assert ask([hull(), BESIDE, FAR], "a2", "embark") == [True]
    assert ask([hull(rules=["Carries 0 INFANTRY"]), BESIDE, FAR], "a2", "embark") == ask(still, "a2", "embark") == [False]
    here = [waits(), squad("a2", "A", 1, at=[(30, 5)]), FAR]
    assert ask(here, "a1", "arrive", sides=SIDES, round=2) == [True]
    assert ask(here, "a1", "arrive", sides=SIDES, round=1) == ask(here, "a2", "arrive", sides=SIDES, round=2) == [False]


AWAY = [
    says(f"who is aboard may not {action}", "EMB-1", [hull(), riders(), FAR], part(phase, "a2", action), {"refused": "EMB-1"})
    for phase, action in (("shooting", "shoot"), ("charge", "charge"), ("fight", "fight"), ("movement", "normal"))
] + [
    says(f"who waits in Reserves may not {action}", why, [waits(), FAR], part(phase, "a1", action), {"refused": why})
    for phase, action, why in (("shooting", "shoot", "SHOOT-1"), ("charge", "charge", "CHG-1"), ("fight", "fight", "FGT-1"))
]


@pytest.mark.parametrize("moment", AWAY)
def test_who_is_off_the_table_has_no_part(moment: Moment) -> None:
    """Embarked units do nothing, and units in Reserves are on no battlefield."""
    judge(moment)


BESIDE = squad("a2", "A", 1, at=[(23, 20)], M=6)
EMBARK = part("movement", "a2", "embark")
BOARDING = [
    says(
        "who arrived does not embark",
        "RSV-5",
        [hull(), BESIDE | {"marks": ["arrived", "moved"]}, FAR],
        EMBARK,
        {"refused": "RSV-5"},
    ),
    says(
        "nor who is held fast",
        "MVER-1 TRANS-3",
        [hull(), BESIDE, squad("b1", "B", 1, at=[(24.5, 20)])],
        EMBARK,
        {"refused": "MVER-1"},
    ),
    says(
        "nor who cannot move",
        "UNIT-2 TRANS-3",
        [hull(), squad("a2", "A", 1, at=[(23, 20)]), FAR],
        EMBARK,
        {"refused": "UNIT-2"},
    ),
    says("nor in the opponent's turn", "ROUND-1", [hull(), BESIDE, FAR], EMBARK, {"refused": "ROUND-1"}, active="B"),
    says(
        "but who fell back may",
        "TRANS-3 MOVE-7",
        [hull(), BESIDE | {"marks": ["fell-back", "moved"]}, FAR],
        EMBARK,
        {"where": {"a2": "a1"}},
    ),
]


@pytest.mark.parametrize("moment", BOARDING)
def test_who_ends_no_move_does_not_embark(moment: Moment) -> None:
    """A unit embarks after a Normal, Advance or Fall Back move of its own turn, and after nothing else."""
    judge(moment)


# -- added models, replaced units, and who comes back ------------------------------------------------


@pytest.mark.clause(EDITION, "ADD-2")
def test_added_models_keep_from_enemies_by_their_own_clause() -> None:
    """A returned model may not come within reach of an enemy that is not within reach of its unit already."""
    guard = squad("a1", "A", 2, at=[(10, 10)], M=6, own=[{}, {"removed": True}], start_size=2)
    units = [guard, leader(at=[(10, 11.2)], leading="a1", rules=["Returns Models 1"]), squad("b1", "B", 1, at=[(10, 7.6)])]
    found = rule(units, {"phase": "command"}, answers=[react("Returns Models a1"), place(a1_2=(10, 8.9))], sides=SIDES)
    assert clause(found) == "ADD-2"


@pytest.mark.clause(EDITION, "REPLACE-2", "START-1", "ONESHOT-1")
def test_a_replacement_has_used_up_nothing() -> None:
    """A new unit has its own uses of what works once a battle, but for the rule that replaced it."""
    old = squad("a1", "A", 1, gun("One Shot"), at=[(10, 10)], M=6, rules=["Replaced Once", "Afterimage"])
    old |= {"marks": [{"used:Afterimage": "game"}]}
    old["models"][0]["marks"] = ["fired:0"]
    mate = squad("a2", "A", 1, at=[(30, 5)], M=6)
    found = rule([old, mate, FAR], {"phase": "reinforcements"}, answers=[react("Replaced Once")], sides=SIDES)
    assert {name for name in names(found, "a1") if name.startswith("used:")} == {"used:Replaced Once"}
    assert not found.model("a1.1").get("marks")


@pytest.mark.clause(EDITION, "REPOS-4", "CSTR-10")
def test_who_was_away_tests_also_when_it_comes_by_rapid_ingress() -> None:
    """Who was off the battlefield in its own Command phase is tested whenever it is back, in the opponent's turn too."""
    gone = squad(
        "b1", "B", 2, M=6, where="reserve", start_size=10, marks=[{"waits": "strategic reserves"}, {"repositioned": 1}]
    )
    units = [gone, squad("b2", "B", 1, at=[(30, 35)]), squad("a1", "A", 1, at=[(5, 20)], M=6)]
    for phase, side in (("command", "B"), ("end-of-turn", "B")):
        units = rule(units, {"phase": phase}, sides=RICH, active=side).json["after"]["units"]
    answers = [{"kind": "choose-unit", "value": "pass"}, react("Rapid Ingress b1")]
    found = rule(units, {"phase": "movement"}, [1, 1], answers=answers, sides=RICH, round=3)
    assert {"arrived", "battle-shocked"} <= names(found, "b1") and "away-in-command" not in names(found, "b1")
    units[0]["start_size"] = 4
    calm = rule(units, {"phase": "movement"}, answers=answers, sides=RICH, round=3)
    assert names(calm, "b1") == {"arrived", "moved"}


@pytest.mark.clause(EDITION, "DS-1", "AIR-1")
@pytest.mark.parametrize(("number", "refused"), [(1, "RSV-4"), (2, None)])
def test_a_plane_with_deep_strike_arrives_by_either_rule(number: int, refused: str | None) -> None:
    """AIRCRAFT wait as Strategic Reserves: with Deep Strike they need no edge, and none of them comes in round one."""
    plane = squad("a1", "A", 1, where="reserve", marks=[{"waits": "aircraft"}], keywords=["VEHICLE", "FLY", "AIRCRAFT"],
                  rules=["Deep Strike"], M="20+")  # fmt: skip
    answers = [{"kind": "choose-option", "value": "deep strike"}, place(a1_1=(30, 22))]
    units = [plane, squad("a2", "A", 1, at=[(30, 5)]), FAR]
    found = rule(units, part("reinforcements", "a1", "arrive"), answers=answers, sides=SIDES, round=number)
    assert clause(found) == refused


# -- before the battle -----------------------------------------------------------------------------


@pytest.mark.clause(EDITION, "REDEP-1", "EMB-1", "RESV-4")
def test_who_is_aboard_redeploys_nobody() -> None:
    """A rule that redeploys works from Reserves, where it needs no position, but not from inside a TRANSPORT."""
    bearer = squad("a2", "A", 1, M=6, rules=["Redeploys 1 MANDATE"])
    other = squad("a3", "A", 1, at=[(30, 5)], M=6, keywords=["INFANTRY", "MANDATE"])
    more: Json = {"sides": SIDES, "clock": {"phase": "redeploy", "first": "A"}, "mission": "default", "round": 0}
    for where, verdict in (("a1", "legal"), ("reserve", "pending")):
        units = [hull(spot=(20, 5)), bearer | {"where": where}, other, squad("b1", "B", 1, at=[(30, 40)])]
        assert rule(units, {"step": "redeploy"}, unanswered="stop", **more).verdict == verdict


def giant(points: int, **more: Any) -> Json:
    """A unit that is too big for its zone."""
    return squad("a1", "A", 1, M=6, where="waiting", points=points, own=[{"base": {"circle": 10.5}}],
                 **{"keywords": ["VEHICLE"], **more})  # fmt: skip


def standing(count: int, points: int = 100) -> list[Json]:
    """Units that are deployed."""
    return [squad(f"a{k}", "A", 1, at=[(5 * k, 5)], points=points) for k in range(3, 3 + count)]


PLANE = squad("a9", "A", 1, where="reserve", marks=[{"waits": "aircraft"}], keywords=["VEHICLE", "FLY", "AIRCRAFT"], M="20+",
              points=100)  # fmt: skip
WAITER = squad("a8", "A", 1, where="reserve", marks=[{"waits": "strategic reserves"}], points=20)
CARRIER: Json = {"keywords": ["VEHICLE", "TRANSPORT"], "rules": ["Carries 12 INFANTRY"]}


@pytest.mark.clause(EDITION, "SETUP-3", "RSV-2", "RSV-6")
@pytest.mark.parametrize(
    ("units", "size", "where"),
    [
        pytest.param(
            [giant(100), leader(leading="a1", points=50), *standing(3, 120)], 500, "destroyed", id="150 with a Leader"
        ),
        pytest.param([giant(75), leader(leading="a1", points=50), *standing(3, 120)], 500, "reserve", id="125 with a Leader"),
        pytest.param([giant(100), PLANE], 1000, "destroyed", id="1 of 1 beside AIRCRAFT"),
        pytest.param([giant(20), WAITER, *standing(1)], 1000, "destroyed", id="2 of 3"),
        pytest.param(
            [giant(20), WAITER, *standing(1), leader(leading="a3", at=[(15, 6.2)])], 1000, "reserve", id="2 of 4 with a Leader"
        ),
        pytest.param([giant(50, **CARRIER), riders(points=50), *standing(1)], 1000, "destroyed", id="2 of 3 with passengers"),
        pytest.param([giant(50, **CARRIER), riders(points=50), *standing(2)], 1000, "reserve", id="2 of 4 with passengers"),
    ],
)
def test_who_finds_no_room_counts_as_on_the_roster(units: list[Json], size: int, where: str) -> None:
    """Leaders, passengers and AIRCRAFT count for who may still wait as they do in a list; with who is lost all aboard are."""
    more: Json = {"sides": SIDES, "clock": {"phase": "deploy", "first": "A"}, "mission": "default", "round": 0}
    enemy = squad("b1", "B", 1, at=[(30, 40)])
    found: Ruling = rule([*units, enemy], {"step": "deploy"}, points=size, **more)
    assert found.unit("a1")["where"] == where
    if any(unit["id"] == "a2" for unit in units):
        assert found.unit("a2")["where"] == ("destroyed" if where == "destroyed" else "a1")


@pytest.mark.clause(EDITION, "SCOUT-1", "ABIL-9")
@pytest.mark.parametrize(("far", "refused"), [(6, None), (6.5, "SCOUT-1")])
def test_who_scouts_further_than_the_shortest(far: float, refused: str | None) -> None:
    """TV-25: a unit with Scouts 6" and Scouts 9" goes no further than 6"; it is SCOUT-1 that says so."""
    led = leader(at=[(11.2, 9)], leading="a1", rules=["Scouts 9"])
    units = [squad("a1", "A", 1, at=[(10, 9)], M=8, rules=["Scouts 6"]), led, squad("b1", "B", 1, at=[(30, 40)])]
    more: Json = {"sides": SIDES, "clock": {"phase": "scouts", "first": "A"}, "mission": "default", "round": 0}
    answers = [{"kind": "choose-unit", "value": "a1"}, {"kind": "move", "value": {"shift": [0, far]}}]
    assert clause(rule(units, {"step": "scouts"}, answers=answers, **more)) == refused


REDEPLOYS = squad("a1", "A", 1, at=[(10, 5)], rules=["Redeploys 1 INFANTRY"], M=6)
INFILTRATES = squad("a1", "A", 1, where="waiting", rules=["Infiltrators"], M=6)


@pytest.mark.clause(EDITION, "TRANS-4", "REDEP-1", "ABIL-6")
@pytest.mark.parametrize(
    ("units", "do", "phase", "answers", "point", "default"),
    [
        ([hull(), riders(), FAR], {"phase": "movement"}, "move", ["a2"], "DP-18", "stay"),
        ([REDEPLOYS, FAR], {"step": "redeploy"}, "redeploy", ["a1"], "DP-5", None),
        ([INFILTRATES, FAR], {"step": "deploy"}, "deploy", [], "DP-58", None),
    ],
)
def test_questions_name_their_own_points(
    units: list[Json], do: Json, phase: str, answers: list[str], point: str, default: str | None
) -> None:
    """Getting out (by default nobody does), being redeployed and infiltrating are decisions of their own."""
    more: Json = {"sides": SIDES, "clock": {"phase": phase, "first": "A"}, "mission": "default", "unanswered": "stop"}
    picks = [{"kind": "choose-unit", "value": name} for name in answers]
    pending = rule(units, do, answers=picks, **more, round=2 if phase == "move" else 0).pending
    assert pending and pending["point"] == point and default in (None, pending["default"])
