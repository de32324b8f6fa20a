"""Off the table and back: wrecks, arrivals, redeployment, units set up again or replaced, and who cannot be reached there."""

from __future__ import annotations

from math import dist
from typing import Any

import pytest

from rolloff.errors import BadInput
from tests.commentary.desk import Json, Ruling, blade, gun, shoot, squad
from tests.commentary.test_phases import HULL, asked, marks, rule

FAR = squad("b9", "B", 1, at=[(50, 40)], M=6)
SIDES = {"A": {"marks": [{"role": "attacker"}]}, "B": {"marks": [{"role": "defender"}]}}
ARRIVE = {"phase": "reinforcements", "unit": "a1", "action": "arrive"}


def clause(found: Ruling) -> str | None:
    """The clause a ruling was refused by."""
    return found.refusal["clause"] if found.refusal else None


def waits(how: str = "strategic reserves", **more: Any) -> Json:
    """A model of A in Reserves."""
    return squad("a1", "A", 1, gun(), M=6, where="reserve", marks=[{"waits": how}], **more)


# -- wrecks ----------------------------------------------------------------------------------------


def ring(n: int, far: float) -> list[Json]:
    """Enemies all around (20, 20)."""
    spots = [(1, 0), (0, 1), (-1, 0), (0, -1), (0.7, 0.7), (-0.7, 0.7), (0.7, -0.7), (-0.7, -0.7)]
    return [squad(f"c{k}", "B", 1, at=[(20 + far * x, 20 + far * y)]) for k, (x, y) in enumerate(spots[:n])]


@pytest.mark.clause("commentary-10", "TRANS-9")
def test_emergency_disembarkation() -> None:
    """DV-23: where 3" has no room passengers stand wholly within 6" and suffer for each 1 to 3; who finds none is lost."""
    killer = squad("b1", "B", 1, gun("Torrent", S=20, D=20, AP=-6), at=[(5, 30)])
    carrier = squad("a1", "A", 1, at=[(20, 20)], M=12, W=2, **HULL)
    carrier["models"][0]["base"] = {"rect": [3, 3]}
    aboard = squad("a2", "A", 5, M=6, where="a1")
    calm = shoot([killer, carrier, aboard, *ring(4, 8)], dice=[2, 1, 3, 3, 5, 6])
    assert len([name for name in calm.dead() if name.startswith("a2")]) == 1
    tight = shoot([killer, carrier, aboard, *ring(8, 3.6)], dice=[2, 1, 3, 3, 5, 6])
    assert tight.verdict == "legal" and len([name for name in tight.dead() if name.startswith("a2")]) == 3


@pytest.mark.clause("commentary-10", "TRANS-10", "TRANS-8")
def test_a_wreck_explodes_before_its_passengers_get_out() -> None:
    """The Deadly Demise die comes first and its wounds spare the passengers, who then stand beside the hull, not on it."""
    carrier = squad(
        "a1", "A", 1, at=[(20, 20)], M=12, W=2, keywords=HULL["keywords"], rules=[*HULL["rules"], "Deadly Demise 1"]
    )
    units = [
        squad("b1", "B", 1, gun("Torrent", S=20, D=20, AP=-6), at=[(5, 30)]),
        carrier,
        squad("a2", "A", 3, M=6, where="a1"),
    ]
    found = shoot(units, dice=[2, 6, 4, 4, 4])
    assert found.purposes()[:3] == ["wound", "deadly demise", "wreck"]
    assert found.dead() == ["a1.1"]
    for model in found.unit("a2")["models"]:
        x, y = model["at"]
        assert ((x - 20) ** 2 + (y - 20) ** 2) ** 0.5 >= 0.98


@pytest.mark.clause("commentary-10", "DISEMB-1")
def test_models_too_large_for_three_inches() -> None:
    """A model wider than 3" is set up within 1" of its TRANSPORT; further away is refused, and a small one may be there."""
    do = {"phase": "movement", "unit": "a2", "action": "disembark"}
    for width, far, legal in ((3.5, 0.9, True), (3.5, 1.2, False), (1.0, 1.2, True)):
        giant = squad("a2", "A", 1, M=6, where="a1")
        giant["models"][0]["base"] = {"circle": width}
        units = [squad("a1", "A", 1, at=[(20, 20)], M=12, **HULL), giant, FAR]
        at = [20 + 0.5 + width / 2 + far, 20]
        found = rule(units, do, answers=[{"kind": "place", "value": {"a2.1": at}}])
        assert (found.refusal is None) is legal


@pytest.mark.clause("commentary-10", "EMB-2")
def test_embarked_units_cannot_be_targets() -> None:
    """Who is aboard can be shot by nobody and is offered to no rule."""
    units = [
        squad("a1", "A", 1, gun(), at=[(10, 10)]),
        squad("b1", "B", 1, at=[(20, 10)], M=12, **HULL),
        squad("b2", "B", 1, M=6, where="b1"),
    ]
    do = {"phase": "shooting", "unit": "a1"}
    assert rule(units, do, [1]).verdict == "legal"
    refused = rule(units, do, [1], answers=[{"kind": "choose-target", "value": "b2"}])
    assert clause(refused) == "EMB-2"
    with pytest.raises(BadInput, match="no models on the table") as caught:
        shoot([units[0], units[2], units[1]], dice=[1], range=10, visible=True)
    assert caught.value.clause == "EMB-2"


# -- arriving --------------------------------------------------------------------------------------


@pytest.mark.clause("commentary-10", "RSV-5", "ARRIVE-1", "SETUP-1", "EDGE-1")
def test_who_arrived_moves_no_further() -> None:
    """A unit that arrived has, moves no more in that phase, and may shoot and charge; any of the four edges will do."""
    other = squad("a2", "A", 1, at=[(30, 5)])
    for at in ([30, 3], [30, 41], [3, 22], [57, 22]):
        found = rule([waits(), other, squad("b1", "B", 1, at=[(30, 22)])], ARRIVE, sides=SIDES, round=3,
                     answers=[{"kind": "place", "value": {"a1.1": at}}])  # fmt: skip
        assert found.verdict == "legal" and "arrived" in marks(found, "a1")
    there = squad("a1", "A", 1, gun(), at=[(20, 3)], M=6, marks=["arrived", "moved"])
    units = [there, other, squad("b1", "B", 1, at=[(20, 13.5)])]
    moved = rule(units, {"phase": "movement", "unit": "a1", "action": "normal"})
    assert clause(moved) == "RSV-5"
    assert asked(units, {"eligible": ["a1", "shoot"]}, {"eligible": ["a1", "charge"]}) == [True, True]
    assert asked(units, {"eligible": ["a1", "normal"]}) == [False]


@pytest.mark.clause("commentary-10", "DS-1")
def test_deep_strike_from_strategic_reserves() -> None:
    """A unit with Deep Strike that waits in Strategic Reserves may arrive by either rule; without it at an edge only."""
    middle = [{"kind": "place", "value": {"a1.1": [40, 22]}}]
    units = [squad("a2", "A", 1, at=[(30, 5)]), squad("b1", "B", 1, at=[(10, 22)])]
    plain = rule([waits(), *units], ARRIVE, sides=SIDES, answers=middle)
    assert plain.refusal is not None
    pick = {"kind": "choose-option", "value": "deep strike"}
    deep = rule([waits(rules=["Deep Strike"]), *units], ARRIVE, sides=SIDES, answers=[pick, *middle])
    assert deep.verdict == "legal" and deep.model("a1.1")["at"] == [40.0, 22.0]
    edge = {"kind": "choose-option", "value": "strategic reserves"}
    place = {"kind": "place", "value": {"a1.1": [40, 3]}}
    assert rule([waits(rules=["Deep Strike"]), *units], ARRIVE, sides=SIDES, answers=[edge, place]).verdict == "legal"


@pytest.mark.clause("commentary-10", "RESV-3", "RESV-1")
def test_who_never_arrives_is_destroyed() -> None:
    """At the end of round five units still in Reserves, with all aboard them, count as destroyed; in round four they wait."""
    units = [
        waits(),
        squad("a2", "A", 1, at=[(30, 5)], M=6),
        squad("a3", "A", 1, where="reserve", marks=[{"waits": "strategic reserves"}], M=12, **HULL),
        squad("a4", "A", 1, M=6, where="a3"),
        squad("b1", "B", 1, at=[(10, 22)]),
    ]
    for number, lost in ((4, []), (5, ["a1.1", "a3.1", "a4.1"])):
        found = rule(units, {"step": "round-end"}, round=number, clock={"phase": "round-end", "first": "A"}, active="B")
        assert found.dead() == lost


@pytest.mark.clause("commentary-10", "SETUP-3")
def test_who_finds_no_room_to_deploy() -> None:
    """A unit too big for its zone goes into Strategic Reserves; a FORTIFICATION, or one worth too much, is destroyed."""
    clock = {"phase": "deploy", "first": "A"}
    for words, points, where in (
        (["VEHICLE"], 100, "reserve"),
        (["VEHICLE"], 900, "destroyed"),
        (["FORTIFICATION"], 100, "destroyed"),
    ):
        giant = squad("a1", "A", 1, M=6, where="waiting", keywords=words, points=points)
        giant["models"][0]["base"] = {"circle": 10.5}
        rest = [squad(f"a{k}", "A", 1, at=[(5 * k, 5)], points=100) for k in range(2, 5)]
        units = [giant, *rest, squad("b1", "B", 1, at=[(30, 40)], M=6)]
        found = rule(units, {"step": "deploy"}, sides=SIDES, clock=clock, mission="default", round=0)
        assert found.unit("a1")["where"] == where


@pytest.mark.clause("commentary-10", "ABIL-6")
@pytest.mark.parametrize(
    ("markers", "near"),
    [([(30, 21), (30, 15), (48, 22)], 1), ([(30, 22), (26, 14)], 1), ([(30, 5), (12, 22), (30, 20)], 2), ([(20, 5)], 0)],
)
def test_infiltrators_stand_by_the_marker_nearest_to_their_zone(markers: list[tuple[int, int]], near: int) -> None:
    """DP-58: by default beyond the zone at the nearest marker there, not at the one in the table's middle."""
    units = [squad("a1", "A", 1, M=6, where="waiting", rules=["Infiltrators"]), squad("b1", "B", 1, at=[(30, 42)], M=6)]
    spots = [{"id": f"o{k}", "at": list(at)} for k, at in enumerate(markers)]
    clock = {"phase": "deploy", "first": "A"}
    found = rule(units, {"step": "deploy"}, sides=SIDES, clock=clock, mission="default", round=0, objectives=spots)
    assert dist(found.model("a1.1")["at"], markers[near]) < 2


# -- redeploying -----------------------------------------------------------------------------------


@pytest.mark.clause("commentary-10", "REDEP-1", "REDEP-2")
def test_redeployment() -> None:
    """Before the first turn a rule's units are taken up and deployed again in their zone; the players alternate."""
    clock = {"phase": "redeploy", "first": "A"}
    units = [
        squad("a1", "A", 1, at=[(10, 5)], M=6, rules=["Redeploys 2 MANDATE"], keywords=["INFANTRY", "MANDATE"]),
        squad("a2", "A", 1, at=[(20, 5)], M=6, keywords=["INFANTRY", "MANDATE"]),
        squad("b1", "B", 1, at=[(30, 40)], M=6, rules=["Redeploys 1 REACH"], keywords=["INFANTRY", "REACH"]),
    ]
    pick = {"kind": "choose-unit", "value": "a2"}
    again = {"kind": "place", "value": {"a2.1": [50, 8]}}
    do = {"step": "redeploy"}
    found = rule(units, do, sides=SIDES, clock=clock, mission="default", round=0, answers=[pick, again])
    assert found.model("a2.1")["at"] == [50.0, 8.0] and found.json["after"]["active"] == "B"
    out = {"kind": "place", "value": {"a2.1": [50, 18]}}
    assert clause(rule(units, do, sides=SIDES, clock=clock, mission="default", round=0, answers=[pick, out])) == "MIS-5"
    pick = {"kind": "choose-unit", "value": "b1"}
    other = rule(units, do, sides=SIDES, clock=clock, mission="default", round=0, active="B", answers=[pick])
    assert other.event("redeployed")["facts"]["unit"] == "b1"
    none = [squad("a1", "A", 1, at=[(10, 5)], M=6), units[2] | {"rules": []}]
    assert rule(none, do, sides=SIDES, clock=clock, mission="default", round=0).json["after"]["clock"]["phase"] == "first-turn"


# -- set up again ----------------------------------------------------------------------------------

BURROW = [{"kind": "choose-unit", "value": "pass"}, {"kind": "react", "value": "Burrows"}]


def burrower(**more: Any) -> Json:
    """A MONSTER that burrows."""
    return squad("a1", "A", 1, blade(), at=[(10, 10)], M=8, W=10, keywords=["MONSTER", "TIDE"], rules=["Burrows"], **more)


@pytest.mark.clause("commentary-10", "REPOS-1", "REPOS-2", "REPOS-3", "REPOS-5", "REPOS-6")
def test_a_unit_that_is_set_up_again() -> None:
    """TV-23: also after it moved it is set up again, more than 9" from enemies; it has moved, and keeps wounds and shock."""
    enemy = squad("b1", "B", 1, at=[(30, 30)])
    shaken = burrower(marks=["moved", "battle-shocked", "activated"], wounds=[3])
    units = [shaken, squad("a2", "A", 1, at=[(12, 10)], rules=["Aura 6 TIDE: Feel No Pain 6+"], keywords=["TIDE"]), enemy]
    near = {"kind": "place", "value": {"a1.1": [30, 22]}}
    assert rule(units, {"phase": "movement"}, answers=[*BURROW, near]).refusal is not None
    away = {"kind": "place", "value": {"a1.1": [50, 10]}}
    found = rule(units, {"phase": "movement"}, answers=[*BURROW, away])
    assert found.verdict == "legal", found.refusal
    assert found.model("a1.1")["at"] == [50.0, 10.0] and found.wounds("a1") == [3]
    assert {"moved", "arrived", "battle-shocked"} <= marks(found, "a1")
    denied = [*units[:2], squad("b1", "B", 1, at=[(39, 10)], rules=["Denies Reinforcements 12"])]
    assert rule(denied, {"phase": "movement"}, answers=[*BURROW, away]).refusal is not None


@pytest.mark.clause("commentary-10", "REPOS-4", "REPOS-2")
def test_who_was_away_in_its_command_phase_tests_when_it_is_back() -> None:
    """Below Half-strength and removed before its owner's Command phase it tests once it is set up; at half it does not."""
    sides = {"A": {"marks": [{"role": "attacker"}]}, "B": {"marks": [{"role": "defender"}]}}
    for size, dice in ((10, [1, 1]), (4, [])):
        gone = squad("a1", "A", 2, M=6, where="reserve", start_size=size, Ld=7,
                     marks=[{"waits": "strategic reserves"}, {"repositioned": 1}])  # fmt: skip
        units = [gone, squad("a2", "A", 1, at=[(30, 5)]), squad("b1", "B", 1, at=[(5, 20)], M=6)]
        after = rule(units, {"phase": "command"}, sides=sides)
        assert "away-in-command" in marks(after, "a1")
        gone["marks"].append("away-in-command")
        found = rule(units, ARRIVE, dice, sides=sides)
        assert ("battle-shocked" in marks(found, "a1")) is bool(dice)
        gone["marks"].pop()
        assert "battle-shocked" not in marks(rule(units, ARRIVE, sides=sides), "a1")


@pytest.mark.clause("commentary-10", "REPOS-2")
def test_who_sank_away_must_come_back() -> None:
    """A unit removed into Strategic Reserves that must arrive does so at the end of the Reinforcements step, if it can."""
    sides = {"A": {"marks": [{"role": "attacker"}]}, "B": {"marks": [{"role": "defender"}]}}
    pass_all = [{"kind": "choose-unit", "value": "pass"}] * 2
    for more, where in (([{"must-arrive": 1}], "table"), ([], "reserve")):
        gone = squad("a1", "A", 1, M=6, where="reserve", marks=[{"waits": "strategic reserves"}, *more])
        units = [gone, squad("a2", "A", 1, at=[(30, 5)], M=6), squad("b1", "B", 1, at=[(5, 20)], M=6)]
        assert rule(units, {"phase": "movement"}, sides=sides, answers=pass_all).unit("a1")["where"] == where


@pytest.mark.clause("commentary-10", "LINE-1")
def test_a_line_is_a_millimetre_wide() -> None:
    """A bomber's line passes over a base half a millimetre beside its path, and not over one further off."""
    plane = squad("a1", "A", 1, at=[(10, 20)], M="20+", keywords=["VEHICLE", "FLY", "AIRCRAFT"], rules=["Bombs"])
    do = {"phase": "movement", "unit": "a1", "action": "normal"}
    for y, dice in ((20.515, [1]), (20.54, [])):
        units = [plane, squad("b1", "B", 1, at=[(20, y)]), FAR]
        assert rule(units, do, dice, answers=[]).verdict == "legal"
    wide = squad("b1", "B", 1, at=[(20, 22.4)], own=[{"base": {"oval": [1, 5]}}])
    assert rule([plane, wide, FAR], do, []).verdict == "legal"
