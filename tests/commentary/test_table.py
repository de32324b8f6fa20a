"""The table as rules measure it: lengths, keywords, strength, sight of units, cover, flying over models, and the asks."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rolloff.errors import BadInput
from rolloff.situations.adjudicate import adjudicate
from tests.commentary.desk import EDITION, Json, Ruling, blade, gun, shoot, squad
from tests.commentary.test_phases import HULL, asked, row, rule

FAR = squad("b9", "B", 1, at=[(50, 40)], M=6)
NORMAL = {"phase": "movement", "unit": "a1", "action": "normal"}


def clause(found: Ruling) -> str | None:
    """The clause a ruling was refused by."""
    return found.refusal["clause"] if found.refusal else None


def go(*path: Any) -> list[Json]:
    """The answer that moves the first model of a1."""
    return [{"kind": "move", "value": {"a1.1": [list(at) for at in path]}}]


def replies(units: list[Json], *asks: Json, **more: Any) -> list[Json]:
    """Whole replies to some questions."""
    case = {"edition": EDITION, "units": units, "ask": list(asks), **more}
    found: list[Json] = adjudicate(json.dumps(case).encode())["answers"]
    return found


# -- measuring -------------------------------------------------------------------------------------


@pytest.mark.clause("commentary-10", "GEO-1")
def test_committed_positions_are_rounded() -> None:
    """A position is rounded to a thousandth of an inch and a facing to a tenth of a degree."""
    found = rule([squad("a1", "A", 1, at=[(10, 10)], M=6), FAR], NORMAL, answers=go((12.0006, 10.0004, 45.06)))
    model = found.model("a1.1")
    assert (model["at"], model.get("facing")) == ([12.001, 10.0], 45.1)


@pytest.mark.clause("commentary-10", "GEO-5", "WITHIN-1", "BASE-1")
def test_a_thousandth_is_forgiven() -> None:
    """Bases 24.001" apart are within 24", 24.002" are not: distances are measured from base to base."""
    for x, verdict in ((35.001, "legal"), (35.002, "refused")):
        units = [squad("a1", "A", 1, gun(), at=[(10, 10)]), squad("b1", "B", 1, at=[(x, 10)])]
        assert shoot(units, dice=[1] if verdict == "legal" else []).verdict == verdict


@pytest.mark.clause("commentary-10", "WITHIN-1", "ABIL-1", "ABIL-8")
def test_exactly_so_far_is_within() -> None:
    """Who is exactly 6" from a model with Deadly Demise suffers for it, and a Lone Operative exactly 12" away may be shot."""
    gunner = squad("a1", "A", 1, gun("Torrent", S=20, AP=-6, D=9), at=[(10, 10)])
    doomed = squad("b1", "B", 1, at=[(20, 10)], rules=["Deadly Demise 1"], keywords=["VEHICLE"])
    for y, dead in ((17, ["b1.1", "b2.1"]), (17.002, ["b1.1"])):
        assert sorted(shoot([gunner, doomed, squad("b2", "B", 1, at=[(20, y)])], dice=[2, 6]).dead()) == dead
    for x, verdict in ((23, "legal"), (23.002, "refused")):
        lone = squad("b1", "B", 1, at=[(x, 10)], rules=["Lone Operative"])
        assert shoot([squad("a1", "A", 1, gun(), at=[(10, 10)]), lone], dice=[1] * (x == 23)).verdict == verdict


@pytest.mark.clause("commentary-10", "WITHIN-2")
def test_a_unit_is_as_near_as_its_nearest_model() -> None:
    """A unit is in range if one model of it is, however far the others stand."""
    units = [squad("a1", "A", 1, gun(range=12), at=[(10, 10)]), squad("b1", "B", 3, at=[(20, 10), (22, 10), (24, 10)])]
    assert shoot(units, dice=[1]).verdict == "legal"
    raised = [units[0], squad("b1", "B", 2, at=[(20, 10), (24, 10)], own=[{"z": 1}, {"z": 1}])]
    assert shoot(raised, dice=[1]).verdict == "legal"


@pytest.mark.clause("commentary-10", "UNIT-1")
def test_a_rule_that_names_neither_side_affects_both() -> None:
    """Deadly Demise hurts friendly and enemy units alike, each with its own number."""
    doomed = squad("b1", "B", 1, at=[(20, 10)], W=1, rules=["Deadly Demise 1"], keywords=["VEHICLE"])
    units = [
        squad("a1", "A", 1, gun("Torrent", S=20, AP=-6, D=9), at=[(10, 10)]),
        doomed,
        squad("a2", "A", 1, at=[(20, 13)]),
        squad("b2", "B", 1, at=[(20, 7)]),
    ]
    assert sorted(shoot(units, dice=[2, 6]).dead()) == ["a2.1", "b1.1", "b2.1"]


@pytest.mark.clause("commentary-10", "UNIT-4")
def test_grammatical_number_of_keywords() -> None:
    """BEAST is BEASTS: such a unit passes through walls, and is what a rule against BEASTS asks for."""
    wall = {"id": "w", "types": ["wall"], "polygon": [[14, 5], [14.5, 5], [14.5, 15], [14, 15]], "height": 6, "solid": True}
    for word, legal in (("BEAST", True), ("VEHICLES", False)):
        units = [squad("a1", "A", 1, at=[(11, 10)], M=6, keywords=[word]), FAR]
        assert (rule(units, NORMAL, answers=go((16, 10)), table={"terrain": [wall]}).refusal is None) is legal


@pytest.mark.clause("commentary-10", "UNIT-10")
def test_an_item_works_while_somebody_carries_it() -> None:
    """A standard gives its unit Feel No Pain; when its bearer is gone so is that."""
    own = [{"rules": ["While Carried: Feel No Pain 5+"]}]
    shooter = squad("a1", "A", 1, gun("Torrent", S=20, AP=-6), at=[(10, 10)])
    answers = [{"kind": "allocate", "value": "b1.2"}]
    carried = squad("b1", "B", 3, at=row(3, 20), own=own)
    assert shoot([shooter, carried], dice=[2, 5], answers=answers).dead() == []
    own[0]["removed"] = True  # type: ignore[assignment]
    fallen = squad("b1", "B", 3, at=row(3, 20), own=own)
    assert shoot([shooter, fallen], dice=[2], answers=answers).dead() == ["b1.2"]


@pytest.mark.clause("commentary-10", "BSS-1", "BSS-2", "UNIT-5")
def test_what_is_left_of_a_unit() -> None:
    """Nine of ten models are Below Starting Strength and four below half; so is a single model that has lost wounds."""
    for models, start, wounds, lost, word in (
        (10, 10, 1, 0, "full"),
        (9, 10, 1, 0, "below-starting"),
        (4, 10, 1, 0, "below-half"),
        (1, 1, 12, 0, "full"),
        (1, 1, 12, 1, "below-starting"),
        (1, 1, 12, 7, "below-half"),
    ):
        unit = squad("a1", "A", models, at=row(models, 10, 2), start_size=start, W=wounds, wounds=[lost])
        (value,) = asked([unit, FAR], {"strength": "a1"})
        assert value == {"models": models, "start": start, "word": word}


@pytest.mark.clause("commentary-10", "FULLW-1", "REGAIN-1")
def test_full_wounds_remaining() -> None:
    """Only a model that has lost wounds regains some: of two, the one with full wounds is left as it is."""
    units = [squad("a1", "A", 2, at=row(2, 10), W=4, wounds=[2, 0], rules=["Mutates"]), FAR]
    clock = {"phase": "round-end", "first": "A"}
    found = rule(units, {"step": "round-end"}, [5, 1], round=2, clock=clock, active="B")
    assert found.wounds("a1") == [1, 0]
    changed = [patch[0] for event in found.events if event["kind"] == "mutated" for patch in event["set"]]
    assert changed == ["a1.1"]


# -- sight and cover -------------------------------------------------------------------------------

RUIN = {"id": "r1", "types": ["ruin"], "polygon": [[10, 10], [16, 10], [16, 16], [10, 16]], "height": 6}


@pytest.mark.clause("commentary-10", "VIS-4", "VIS-6")
def test_full_visibility_between_units() -> None:
    """A unit is fully visible if all of its models are to all of the other's; one hidden model makes it visible only."""
    wall = {"id": "w", "types": ["wall"], "polygon": [[14, 8], [14.5, 8], [14.5, 9.4], [14, 9.4]], "height": 6, "solid": True}
    watcher = squad("a1", "A", 1, at=[(10, 12)])
    for places, expected in (([(18, 14)], "fully"), ([(18, 14), (18, 6)], "visible"), ([(20, 4.3)], "none")):
        units = [watcher, squad("b1", "B", len(places), at=places)]
        assert asked(units, {"visible": ["a1", "b1"]}, table={"terrain": [wall]})[0] == expected or expected == "none"
    post = {
        "id": "p",
        "types": ["wall"],
        "polygon": [[14, 9.8], [14.2, 9.8], [14.2, 10.2], [14, 10.2]],
        "height": 6,
        "solid": True,
    }
    units = [squad("a1", "A", 1, at=[(12, 10)]), squad("b1", "B", 1, at=[(16, 10)])]
    assert asked(units, {"sight": ["a1", "b1"]}, table={"terrain": [post]}) == [True]


@pytest.mark.clause("commentary-10", "RUIN-4", "RUIN-2")
def test_two_models_in_one_ruin_see_each_other() -> None:
    """Both partly within a ruin, on opposite sides of it, they see each other."""
    units = [squad("a1", "A", 1, at=[(10, 13)]), squad("b1", "B", 1, at=[(16, 13)])]
    assert asked(units, {"sight": ["a1", "b1"]}, {"sight": ["b1", "a1"]}, table={"terrain": [RUIN]}) == [True, True]


@pytest.mark.clause("commentary-10", "TER-9", "TER-5", "TER-6")
def test_cover_behind_ruins_debris_and_hills() -> None:
    """Wholly within a ruin, or partly hidden by debris or a hill, a model has cover by the clause of that feature."""
    debris = {"id": "d", "types": ["debris"], "polygon": [[14, 8], [15, 8], [15, 12], [14, 12]], "height": 2.5, "solid": True}
    hill = debris | {"id": "h", "types": ["hill"]}
    for piece, at, expected in ((RUIN, (13, 13), "TER-9"), (debris, (17, 10), "TER-5"), (hill, (17, 10), "TER-6")):
        units = [squad("a1", "A", 1, at=[(5, 10)]), squad("b1", "B", 1, at=[at], own=[{"height": 1.5}])]
        (found,) = replies(units, {"cover": ["a1", "b1"]}, table={"terrain": [piece]})
        assert found["value"] is True and expected in found["clauses"] and found["evidence"]["blockers"] == [piece["id"]]
    units = [squad("a1", "A", 1, at=[(5, 10)]), squad("b1", "B", 1, at=[(17, 20)])]
    assert asked(units, {"cover": ["a1", "b1"]}, table={"terrain": [debris]}) == [False]


@pytest.mark.clause("commentary-10", "COVER-2")
def test_cover_is_cover_from_any_source() -> None:
    """A unit has the Benefit of Cover by a mark, by an ability of every model, or by where all of them stand."""
    watcher = squad("a1", "A", 1, at=[(5, 13)])
    for more, at, expected in (
        ({"marks": ["cover"]}, [(5, 30)], True),
        ({"rules": ["Benefit of Cover"]}, [(5, 30)], True),
        ({}, [(13, 13), (13, 14.5)], True),
        ({}, [(13, 13), (5, 30)], False),
        ({"own": [{"rules": ["Benefit of Cover"]}]}, [(5, 30), (5, 32)], False),
    ):
        units = [watcher, squad("b1", "B", len(at), at=at, **more)]
        assert asked(units, {"cover": ["a1", "b1"]}, table={"terrain": [RUIN]}) == [expected]


@pytest.mark.clause("commentary-10", "TER-11")
def test_terrain_cannot_be_attacked() -> None:
    """A terrain feature named as a target is no unit, by its clause."""
    units = [squad("a1", "A", 1, gun(), at=[(5, 13)]), squad("b1", "B", 1, at=[(20, 13)])]
    with pytest.raises(BadInput, match="r1 is a terrain feature") as caught:
        shoot(units, table={"terrain": [RUIN]}, do={"attack": {"attacker": "a1", "target": "r1", "kind": "shooting"}})
    assert caught.value.clause == "TER-11"


# -- moving ----------------------------------------------------------------------------------------


@pytest.mark.clause("commentary-10", "MOVE-1")
def test_what_a_unit_may_do_in_the_movement_phase() -> None:
    """Outside Engagement Range a unit moves, advances or stands; within it, it falls back or stands; each once."""
    free = [squad("a1", "A", 1, at=[(10, 10)], M=6), FAR]
    caught = [squad("a1", "A", 1, at=[(10, 10)], M=6), squad("b1", "B", 1, at=[(11.5, 10)], M=6)]
    for units, allowed in ((free, ("normal", "advance", "stationary")), (caught, ("fall-back", "stationary"))):
        for action in ("normal", "advance", "fall-back", "stationary"):
            dice = [3] if action == "advance" and action in allowed else []
            found = rule(units, {**NORMAL, "action": action}, dice)
            assert (found.verdict == "legal") is (action in allowed), action
    done = [squad("a1", "A", 1, at=[(10, 10)], M=6, marks=["activated"]), FAR]
    assert clause(rule(done, NORMAL)) == "MOVE-1"


@pytest.mark.clause("commentary-10", "FLY-1", "FLY-3", "MOM-1", "MOM-2")
def test_flying_over_models_and_landing() -> None:
    """Who flies passes over models and within Engagement Range, a VEHICLE over a VEHICLE, and ends on or near nobody."""
    wall = squad("x", "A", 1, at=[(14, 10)], M=6, keywords=["VEHICLE"])
    enemy = squad("b1", "B", 1, at=[(14, 10)], M=6)
    flyer: list[Any] = ["VEHICLE", "FLY"]
    for words, other, end, expected in (
        (flyer, wall, (18, 10), None),
        (["VEHICLE"], wall, (18, 10), "ER-2"),
        (flyer, enemy, (18, 10), None),
        (flyer, enemy, (15.8, 10), "ER-2"),
        (flyer, wall, (14.2, 10), "GEO-4"),
    ):
        found = rule([squad("a1", "A", 1, at=[(10, 10)], M=10, keywords=words), other, FAR], NORMAL, answers=go(end))
        assert (clause(found) is None) is (expected is None), (words, end, found.refusal)
    mixed = squad("a1", "A", 2, at=[(10, 10), (10, 11.5)], M=10, keywords=["INFANTRY", "FLY"])
    walker = squad("w", "A", 1, at=[(10, 8.5)], M=10, keywords=["CHARACTER"], leading="a1")
    over = [{"kind": "move", "value": {"shift": [8, 0]}}]
    assert rule([mixed, enemy, FAR], NORMAL, answers=over).verdict == "legal"
    assert rule([mixed, walker, enemy, FAR], NORMAL, answers=over).verdict == "refused"


@pytest.mark.clause("commentary-10", "MOM-3", "MOM-1")
def test_a_flying_charge_ends_near_its_targets_only() -> None:
    """A flyer charges over a screen at what is behind it, and may not end within Engagement Range of the screen."""
    units = [
        squad("a1", "A", 1, blade(), at=[(10, 10)], M=10, keywords=["INFANTRY", "FLY"]),
        squad("b1", "B", 1, at=[(13, 10)], M=6),
        squad("b2", "B", 1, at=[(18, 10)], M=6),
        squad("b3", "B", 1, at=[(18, 12.2)], M=6),
    ]
    target = [{"kind": "choose-target", "value": "b2"}, {"kind": "choose-target", "value": "pass"}]
    do = {"phase": "charge", "unit": "a1", "action": "charge"}
    assert rule(units, do, [5, 5], answers=[*target, *go((17.134, 9.5))]).verdict == "legal"
    assert rule(units, do, [5, 5], answers=[*target, *go((17.3, 10.714))]).verdict == "refused"


@pytest.mark.clause("commentary-10", "AIR-4")
def test_moving_over_aircraft() -> None:
    """Anybody passes over AIRCRAFT and near them but ends outside their Engagement Range; near them alone one may move."""
    plane = squad("b1", "B", 1, at=[(14, 10)], M="20+", keywords=["VEHICLE", "FLY", "AIRCRAFT"])
    for end, legal in ((18, True), (15.5, False)):
        units = [squad("a1", "A", 1, at=[(10, 10)], M=10), plane, FAR]
        assert (rule(units, NORMAL, answers=go((end, 10))).refusal is None) is legal
    beside = [squad("a1", "A", 1, at=[(12.5, 10)], M=10), plane, FAR]
    assert rule(beside, NORMAL, answers=go((18, 10))).verdict == "legal"


# -- asks ------------------------------------------------------------------------------------------


@pytest.mark.clause("commentary-10", "MOVE-5", "MOVE-6")
def test_asking_how_far() -> None:
    """The reach of a move in inches, with the least and the most where a die is added; other words are refused."""
    units = [squad("a1", "A", 1, at=[(10, 10)], M=6), FAR]
    found = asked(units, {"reach": ["a1", "normal"]}, {"reach": ["a1", "advance"]})
    assert found == [6.0, {"least": 7.0, "most": 12.0}]
    (bad,) = replies(units, {"reach": ["a1", "hop"]})
    assert bad["error"]["code"] == "bad-ask" and "normal" in bad["error"]["allowed"]


@pytest.mark.clause("commentary-10", "AIR-2", "MIN-1", "UNIT-2")
def test_asking_how_far_who_has_no_move_in_inches() -> None:
    """AIRCRAFT go 20 inches or more and make no other move; whose Move is a dash makes none of any kind."""
    asks = {"reach": ["a1", "normal"]}, {"reach": ["a1", "advance"]}, {"reach": ["a1", "fall-back"]}
    plane = squad("a1", "A", 1, at=[(10, 10)], M='20+"', keywords=["VEHICLE", "FLY", "AIRCRAFT"])
    assert asked([plane, FAR], *asks) == [{"least": 20.0, "most": None}, 0.0, 0.0]
    assert asked([{**plane, "marks": ["hovers"]}, FAR], *asks) == [20.0, {"least": 21.0, "most": 26.0}, 20.0]
    assert asked([squad("a1", "A", 1, at=[(10, 10)], M="-"), FAR], *asks) == [0.0, 0.0, 0.0]


def test_asking_who_is_under_a_disc() -> None:
    """The models a disc touches; this rulebook has no other template, and questions nobody knows are refused by name."""
    units = [squad("a1", "A", 2, at=[(10, 10), (13, 10)]), FAR]
    assert asked(units, {"under": {"disc": [11, 10, 1]}}, {"under": {"disc": [11.5, 10, 1]}}) == [["a1.1"], ["a1.1", "a1.2"]]
    (bad,) = replies(units, {"under": {"template": [1, 1, 0]}})
    assert bad["error"]["code"] == "bad-ask"
    with pytest.raises(BadInput) as caught:
        asked(units, {"colour": "a1"})
    assert caught.value.code == "no-such-ask"


@pytest.mark.clause("commentary-10", "MOVE-1", "SHOOT-1")
def test_asking_who_may_after_a_move() -> None:
    """Who moved may still shoot and charge, and moves no more; that it was selected counts in that phase alone."""
    kinds = ("shoot", "charge", "normal", "advance")
    for phase, marked, expected in (
        ("movement", ["moved", "activated"], [True, True, False, False]),
        ("movement", ["activated"], [True, True, False, False]),
        ("shooting", ["moved", "activated"], [False, True, False, False]),
        ("charge", ["activated"], [True, False, True, True]),
    ):
        units = [squad("a1", "A", 1, gun(), at=[(10, 10)], M=6, marks=marked), squad("b1", "B", 1, at=[(18, 10)])]
        asks = [{"eligible": ["a1", kind]} for kind in kinds]
        assert asked(units, *asks, clock={"phase": phase, "first": "A"}) == expected, (phase, marked)


def test_asking_who_may() -> None:
    """Eligibility says by which clause not, and which enemies are in the way."""
    units = [squad("a1", "A", 1, gun(), at=[(10, 10)], M=6), squad("b1", "B", 1, at=[(11.5, 10)]), squad("a2", "A", 1, **HULL)]
    units[2]["models"][0]["at"] = [30, 30]
    shooting, moving, charging = replies(
        units, {"eligible": ["a1", "shoot"]}, {"eligible": ["a1", "normal"]}, {"eligible": ["a2", "charge"]}
    )
    assert (shooting["value"], shooting["clauses"], shooting["evidence"]["blockers"]) == (False, ["LIC-1"], ["b1"])
    assert (moving["value"], moving["clauses"], moving["evidence"]["blockers"]) == (False, ["MOVE-1"], ["b1"])
    assert (charging["value"], charging["clauses"]) == (False, ["CHG-1"])
