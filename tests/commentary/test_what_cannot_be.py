"""Moments that cannot be, commands refused by the clause that forbids them, and what a moment means that leaves things out."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rolloff.errors import BadInput
from rolloff.situations.adjudicate import adjudicate
from tests.commentary.desk import EDITION, Json, Ruling, blade, gun, squad
from tests.commentary.referee import FAR, HULL, SIDES, Moment, at, judge, move, part, place, react, says, way

FORT = ["FORTIFICATION", "VEHICLE"]
MAW = squad("a1", "A", 1, at=[(10, 10)], M=8, W=10, keywords=["MONSTER"], rules=["Burrows"])


def one(id: str, x: float, y: float = 10, *weapons: Json, **more: Any) -> Json:
    """A unit of one model, of the side its name begins with."""
    return squad(id, id[0].upper(), 1, *weapons, at=[(x, y)], **{"M": 6, **more})


THRONG = [one(f"b{k}", 6 + 12 * (k % 5), 5 + 10 * (k // 5)) for k in range(15)]
"""Enemies within 9 inches of every spot that is not near their own zone."""


def unit(name: str) -> Json:
    """The unit that is picked."""
    return {"kind": "choose-unit", "value": name}


def rule(units: list[Json], do: Json | None = None, **more: Any) -> Ruling:
    """The ruling on a moment of the second round."""
    case = {"edition": EDITION, "round": 2, "active": "A", "units": units, **({"do": do} if do else {}), **more}
    return Ruling(adjudicate(json.dumps(case).encode()))


STOOD = [
    says(
        f"a unit marked {mark} makes no {action} move",
        "MOVE-4",
        [one("a1", 10, marks=[mark]), FAR],
        move(action),
        {"refused": "MOVE-4"},
    )
    for mark in ("stationary", "remained-stationary")
    for action in ("normal", "advance")
]
STOOD += [
    says(
        "nor does it embark",
        "MOVE-4",
        [one("a1", 10, marks=["stationary"]), one("a2", 12.2, 10, **HULL), FAR],
        move("embark"),
        {"refused": "MOVE-4"},
    ),
    says(
        "who Advanced embarks where it is, without another move",
        "TRANS-3",
        [one("a1", 10, marks=["advanced"]), one("a2", 12.2, 10, **HULL), FAR],
        move("embark"),
        {"where": {"a1": "a2"}, "events": {"moved": 0}},
    ),
    says(
        "in the whole phase it is not offered a move",
        "MOVE-4",
        [one("a1", 10, marks=["stationary"]), FAR],
        {"phase": "movement"},
        {"refused": "ROUND-1"},
        answers=[unit("a1")],
    ),
]
PLACED = [
    says(
        'a Scout move ends more than 9" from enemies',
        "ABIL-9",
        [one("a1", 10, rules=["Scouts 6"]), one("b1", 26)],
        {"step": "scouts"},
        {"refused": "ABIL-9"},
        answers=[unit("a1"), way(a1_1=(16, 10))],
    ),
    says(
        "and goes no further than it may",
        "ABIL-9",
        [one("a1", 10, rules=["Scouts 6"]), FAR],
        {"step": "scouts"},
        {"refused": "ABIL-9"},
        answers=[unit("a1"), way(a1_1=(17, 10))],
    ),
    says(
        'Infiltrators stand more than 9" from enemies',
        "ABIL-6",
        [squad("a1", "A", 1, M=6, where="waiting", rules=["Infiltrators"]), one("b1", 30, 25)],
        {"step": "deploy"},
        {"refused": "ABIL-6"},
        answers=[unit("a1"), place(a1_1=(30, 15.2))],
        sides=SIDES,
    ),
    says(
        "but within their own zone they deploy as everybody does",
        "ABIL-6 MIS-5",
        [squad("a1", "A", 1, M=6, where="waiting", rules=["Infiltrators"]), one("b1", 30, 15)],
        {"step": "deploy"},
        {"at": {"a1.1": [30, 9]}},
        answers=[unit("a1"), place(a1_1=(30, 9))],
        sides=SIDES,
    ),
    says(
        "where enemies are near everywhere, within it",
        "ABIL-6 MIS-5",
        [squad("a1", "A", 1, M=6, where="waiting", rules=["Infiltrators"]), *THRONG],
        {"step": "deploy"},
        {"where": {"a1": "table"}},
        answers=[unit("a1")],
        sides=SIDES,
    ),
    says(
        "not within Engagement Range",
        "ABIL-6 ER-2",
        [squad("a1", "A", 1, M=6, where="waiting", rules=["Infiltrators"]), one("b1", 30, 11)],
        {"step": "deploy"},
        {"refused": "ABIL-6"},
        answers=[unit("a1"), place(a1_1=(30, 9.2))],
        sides=SIDES,
    ),
    says(
        "a unit goes by one of the two rules: who is near an enemy is not spared by a fellow in the zone",
        "ABIL-6",
        [squad("a1", "A", 2, M=6, where="waiting", rules=["Infiltrators"]), one("b1", 30, 15)],
        {"step": "deploy"},
        {"refused": "ABIL-6"},
        answers=[unit("a1"), place(a1_1=(30, 9), a1_2=(30, 10.5))],
        sides=SIDES,
    ),
    says(
        'and more than 9" from the enemy deployment zone',
        "ABIL-6",
        [squad("a1", "A", 1, M=6, where="waiting", rules=["Infiltrators"]), one("b1", 50, 41)],
        {"step": "deploy"},
        {"refused": "ABIL-6"},
        answers=[unit("a1"), place(a1_1=(20, 24.8))],
        sides=SIDES,
    ),
    says(
        "a FORTIFICATION that infiltrates stays in its own zone",
        "MIS-5",
        [squad("a1", "A", 1, M="-", where="waiting", rules=["Infiltrators"], keywords=FORT), one("b1", 50, 41)],
        {"step": "deploy"},
        {"refused": "MIS-5"},
        answers=[unit("a1"), place(a1_1=(20, 18))],
        sides=SIDES,
    ),
    says(
        'who burrows comes up more than 9" from enemies',
        "REPOS-2",
        [MAW, one("b1", 40)],
        {"phase": "reinforcements"},
        {"refused": "AB-T6"},
        answers=[react("Burrows"), place(a1_1=(33, 10))],
    ),
]


@pytest.mark.parametrize("moment", [*STOOD, *PLACED])
def test_refusals_name_the_rule(moment: Moment) -> None:
    """A refusal names the clause that forbids, and says what it forbids."""
    judge(moment)


@pytest.mark.clause(EDITION, "REPOS-2")
def test_who_burrows_is_told_how_near_it_came() -> None:
    """The place is what is refused, not the ability."""
    found = rule([MAW, one("b1", 40)], {"phase": "reinforcements"}, answers=[react("Burrows"), place(a1_1=(33, 10))])
    assert found.refusal and (found.refusal["code"], found.refusal["clause"]) == ("gap-unit", "AB-T6")


@pytest.mark.clause(EDITION, "ABIL-9")
def test_a_scout_is_told_how_near_it_came() -> None:
    """The sentence speaks of the 9", not of Engagement Range."""
    found = rule(
        [one("a1", 10, rules=["Scouts 6"]), one("b1", 26)], {"step": "scouts"}, answers=[unit("a1"), way(a1_1=(16, 10))]
    )
    assert found.refusal and found.refusal["message"] == 'a1.1 would not end more than 9" away from b1'


ABOARD = squad("a1", "A", 3, where="a2", M=6)
IMPOSSIBLE = [
    pytest.param([one("a2", 10, 10, **HULL | {"rules": ["Carries 2 INFANTRY"]}), ABOARD], "TRANS-1", id="too many aboard"),
    pytest.param([one("a2", 10, 10, **HULL), ABOARD | {"keywords": ["BEASTS"]}], "TRANS-1", id="the wrong passengers"),
    pytest.param([one("a2", 10), ABOARD], "TRANS-1", id="aboard a unit that carries nobody"),
    pytest.param([one("a2", 10, 10, where="destroyed", **HULL), ABOARD], "TRANS-8", id="aboard a wreck"),
    pytest.param([one("a2", 10), one("a1", 11.2, leading="a2")], "ABIL-7", id="a Leader that is no CHARACTER"),
    pytest.param([one("a2", 10), squad("a1", "A", where="reserve", keywords=FORT)], "MIS-5", id="a FORTIFICATION that waits"),
]


@pytest.mark.parametrize(("units", "clause"), IMPOSSIBLE)
@pytest.mark.clause(EDITION, "TRANS-1", "ABIL-7", "MIS-5")
def test_impossible_moments(units: list[Json], clause: str) -> None:
    """A moment that no game could come to is unusable, and the clause that rules it out is named."""
    with pytest.raises(BadInput) as error:
        rule([*units, FAR])
    assert error.value.clause == clause


@pytest.mark.clause(EDITION, "MIS-8")
def test_no_battle_has_a_sixth_round() -> None:
    """A moment of the fifth round can be, one of the sixth cannot, and no phase of a turn comes before round one."""
    assert rule([one("a1", 10), FAR], round=5).verdict == "legal"
    for number in (0, 6):
        with pytest.raises(BadInput) as error:
            rule([one("a1", 10), FAR], round=number)
        assert error.value.clause == "MIS-8"


@pytest.mark.parametrize(
    ("markers", "code", "where"),
    [
        ([{"id": "o1", "at": [100, 1]}], "off-table", "objectives[0].at"),
        ([{"id": "o1", "at": [10, 1]}, {"id": "o1", "at": [20, 1]}], "same-id", "objectives[1]"),
    ],
)
def test_markers_that_cannot_be(markers: list[Json], code: str, where: str) -> None:
    """A marker off the table, and a second one of the same id, are refused at their place."""
    with pytest.raises(BadInput) as error:
        rule([one("a1", 10), FAR], objectives=markers)
    assert (error.value.code, error.value.where) == (code, where)


def test_nothing_done_is_no_command() -> None:
    """An empty command is refused with the words there are."""
    case = {"edition": EDITION, "units": [one("a1", 10), FAR], "do": {}}
    with pytest.raises(BadInput) as error:
        adjudicate(json.dumps(case).encode())
    assert error.value.code == "bad-field" and "phase" in str(error.value.allowed)


LEFT_OUT = [
    [one("a2", 10, keywords=["VEHICLE", "TRANSPORT"]), ABOARD],
    [one("a2", 10, keywords=["VEHICLE"]), ABOARD],
    [one("a2", 10, keywords=[]), ABOARD],
    [one("a2", 10, 10, **HULL), ABOARD | {"keywords": []}],
    [one("a2", 10, 10, **HULL), ABOARD | {"keywords": ["CHARACTER"]}],
    [one("a2", 10), one("a1", 11.2, leading="a2", keywords=[])],
    [one("a2", 10), one("a1", 11.2, leading="a2", rules=["Leader"])],
    [one("a2", 10), *(one(name, x, leading="a2", keywords=["CHARACTER"]) for name, x in (("a1", 11.2), ("a3", 8.8)))],
]


@pytest.mark.parametrize("units", LEFT_OUT)
@pytest.mark.clause(EDITION, "TRANS-1", "ABIL-7")
def test_what_is_not_told_is_held_against_nobody(units: list[Json]) -> None:
    """Without a capacity, or without keywords, nobody is too many, of the wrong kind or no Leader."""
    assert rule([*units, FAR]).verdict == "legal"


@pytest.mark.clause(EDITION, "GEO-2")
@pytest.mark.parametrize(
    ("words", "gap"),
    [
        (["INFANTRY"], 18.74),
        (["VEHICLE", "WALKER"], 17.598),
        (["INFANTRY", "CHARACTER"], 18.582),
        (["BEASTS"], 18.189),
        ([], 18.74),
    ],
)
def test_a_model_without_a_base_has_that_of_its_keyword(words: list[str], gap: float) -> None:
    """The first row of the table that fits a unit's keywords gives footprint and height; without keywords its type does."""
    units = [one("a1", 10, keywords=words), one("b1", 30)]
    for row in units:
        del row["models"][0]["base"]
    found = rule(units, ask=[{"distance": ["a1", "b1"]}])
    assert found.json["answers"][0]["value"] == pytest.approx(gap, abs=0.002)


@pytest.mark.clause(EDITION, "GEO-2")
def test_and_its_height() -> None:
    """INFANTRY, 1.5" tall, see each other over debris of 1.2"; a SWARM, 1" tall, is hidden."""
    low = {"id": "d", "types": ["debris"], "polygon": [[19, 5], [21, 5], [21, 15], [19, 15]], "height": 1.2, "solid": True}
    for words, value in ((["INFANTRY"], "visible"), (["SWARM"], "none")):
        units = [one("a1", 10, keywords=words), one("b1", 30, keywords=words)]
        found = rule(units, table={"terrain": [low]}, ask=[{"visible": ["a1.1", "b1.1"]}])
        assert found.json["answers"][0]["value"] == value


@pytest.mark.clause(EDITION, "ROUND-1")
def test_steps_by_the_names_of_phases() -> None:
    """A step may be named by its phase: what opens the phase is done, and then the first unit is picked."""
    units = [one("a1", 10, 10, gun(), blade()), one("b1", 11.8, 10, gun(), blade())]
    back = [unit("a1"), {"kind": "choose-action", "value": "fall-back"}, {"kind": "move", "value": {"shift": [-5, 0]}}]
    rows: list[tuple[str, list[Json], list[int], str]] = [
        ("shooting", [], [], "charge-starts"),
        ("movement", back, [], "move"),
        ("fight", [unit("b1")], [1], "fights"),
    ]
    for phase, answers, dice, row in rows:
        found = rule(units, {"step": phase}, answers=answers, dice=dice)
        assert (found.refusal, found.json["after"]["clock"]["phase"]) == (None, row)
    with pytest.raises(BadInput) as error:
        rule(units, {"step": "shooting"}, clock={"phase": "movement"})
    assert error.value.code == "wrong-phase"


@pytest.mark.clause(EDITION, "CSTR-5")
def test_reactions_by_the_beginning_of_what_is_offered() -> None:
    """A reaction may be said by its name and who uses it: the first use that begins so."""
    units = [one("a1", 10), one("b1", 20, 10, gun()), one("b2", 20, 14, gun())]
    for said in ("Fire Overwatch", "Fire Overwatch b2", "Fire Overwatch b2 a1"):
        shift = {"kind": "move", "value": {"shift": [1, 0]}}
        found = rule(units, move(), answers=[react(said), shift], dice=[1], sides={"B": {"cp": 1}})
        shot = [row["attacker"] for row in found.json["attacks"]]
        assert (found.refusal, shot) == (None, ["b1" if said == "Fire Overwatch" else "b2"])


@pytest.mark.clause(EDITION, "ATK-4")
def test_allocating_by_a_list() -> None:
    """A list allocates one attack after the other; what is not offered is refused in words people write."""
    units = [one("a1", 10, 10, gun(A=2, S=8)), squad("b1", "B", 3, at=[(20, 10), (20, 11.5), (20, 13)])]
    do, dice = part("shooting", "a1", "shoot"), [6, 6, 6, 6]
    found = rule(units, do, answers=[at("b1"), {"kind": "allocate", "value": ["b1.3", "b1.2"]}], dice=dice)
    assert sorted(found.dead()) == ["b1.2", "b1.3"]
    found = rule(units, do, answers=[at("b1"), {"kind": "allocate", "value": [["b1.3"]]}], dice=dice)
    assert found.refusal and found.refusal["message"] == "['b1.3'] is not among what is offered"


@pytest.mark.clause(EDITION, "ABIL-7")
def test_afterwards_a_leader_is_written_as_one() -> None:
    """The moment after names the unit a Leader leads, as the moment before did."""
    units = [one("a1", 10), one("a2", 11.2, leading="a1", keywords=["CHARACTER"]), FAR]
    found = rule(units, move("stationary"))
    assert found.unit("a2")["leading"] == "a1" and "leading" not in found.unit("a1")


@pytest.mark.parametrize("wrong", [[0, 0, 0], {}, 7, None])
def test_who_is_asked_about_in_no_name_is_nobody(wrong: object) -> None:
    """An ask whose unit is no word is answered with its error, and the one beside it stands."""
    found = rule([one("a1", 10), FAR], ask=[{"visible": ["a1.1", wrong]}, {"distance": ["a1", "b9"]}])
    first, second = found.json["answers"]
    assert first["error"]["code"] == "unknown-unit" and second["value"] is not None


@pytest.mark.parametrize("mark", [{"deck": 1001}, {"deck": "SEC-1 SEC-77"}, {"card:SEC-99": "SEC-99"}])
def test_cards_nobody_knows_are_refused(mark: Json) -> None:
    """A deck or a hand that names a card the book does not have is refused in a sentence."""
    with pytest.raises(BadInput, match="no card"):
        rule(
            [one("a1", 10), FAR],
            {"phase": "command"},
            mission="sealed-instructions",
            sides={"A": {"marks": [mark]}},
            dice={"seed": 1},
        )


@pytest.mark.parametrize("number", [10**30, -(10**30), 2**63])
def test_marks_hold_no_boundless_numbers(number: int) -> None:
    """The number of a mark has bounds, so that every state can be written down."""
    with pytest.raises(BadInput, match="1000000000"):
        rule([one("a1", 10, marks=[{"used:Slows": number}]), FAR])
