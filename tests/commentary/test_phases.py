"""Parts of a battle through the public way: a unit's part of a phase, what phases do by themselves, reactions, asks."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rolloff.situations.adjudicate import adjudicate
from tests.commentary.desk import EDITION, Json, Ruling, blade, gun, shoot, squad


def rule(units: list[Json], do: Json, dice: Any = (), **more: Any) -> Ruling:
    """A ruling on a command about some units."""
    case: Json = {"edition": EDITION, "units": units, "do": do, "dice": dice if isinstance(dice, dict) else list(dice)}
    return Ruling(adjudicate(json.dumps({"round": 2, "active": "A", **case, **more}).encode()))


def asked(units: list[Json], *asks: Json, **more: Any) -> list[Any]:
    """The values of some questions."""
    case = {"edition": EDITION, "units": units, "ask": list(asks), **more}
    return [row["value"] for row in adjudicate(json.dumps(case).encode())["answers"]]


def row(n: int, x: float, y: float = 10.0, apart: float = 1.5) -> list[tuple[float, float]]:
    """Places in a row along y."""
    return [(x, y + apart * k) for k in range(n)]


def marks(found: Ruling, unit: str) -> set[str]:
    """The marks of a unit afterwards."""
    return {mark if isinstance(mark, str) else next(iter(mark)) for mark in found.unit(unit)["marks"]}


# -- Command ---------------------------------------------------------------------------------------


@pytest.mark.clause("commentary-10", "CMD-1", "CMD-4", "BSHOCK-1", "BSHOCK-2", "LDTEST-1")
def test_the_command_phase() -> None:
    """Both players gain a point; own units Below Half-strength test, and who fails is Battle-shocked; the enemy's do not."""
    units = [
        squad("a1", "A", 4, at=row(4, 10), start_size=10, Ld=7),
        squad("a2", "A", 5, at=row(5, 20), start_size=10, Ld=7),
        squad("b1", "B", 1, at=[(40, 30)], start_size=10, Ld=7),
    ]
    found = rule(units, {"phase": "command"}, [3, 3])
    assert found.verdict == "legal"
    assert "battle-shocked" in marks(found, "a1")
    assert "battle-shocked" not in marks(found, "a2") | marks(found, "b1")
    assert found.json["after"]["sides"]["A"]["marks"] == [{"cp": 1}] or "cp" in str(found.json["after"]["sides"])
    assert "battle-shocked" not in marks(rule(units, {"phase": "command"}, [3, 4]), "a1")


@pytest.mark.clause("commentary-10", "BSHOCK-2", "BSHOCK-5")
def test_battle_shock_is_lifted_at_the_start_of_the_own_command_phase() -> None:
    """The owner's next Command phase frees a unit before anything else; the enemy's does not."""
    units = [squad("a1", "A", 5, at=row(5, 10), marks=["battle-shocked"]), squad("b1", "B", 5, at=row(5, 40))]
    assert "battle-shocked" not in marks(rule(units, {"phase": "command"}), "a1")
    assert "battle-shocked" in marks(rule(units, {"phase": "command"}, active="B"), "a1")


@pytest.mark.clause("commentary-10", "BSHOCK-3", "BSHOCK-4", "BSHOCK-5", "PSY-2")
def test_a_second_test_changes_nothing_about_being_shocked() -> None:
    """AB-R2: a visible enemy within 12" tests; who fails suffers D3 mortal wounds, shocked before or not."""
    for state, events in (([], 1), (["battle-shocked"], 0)):
        units = [squad("a1", "A", 1, at=[(10, 10)], rules=["Dread 12"]), squad("b1", "B", 5, at=row(5, 18), Ld=7, marks=state)]
        answers = [{"kind": "react", "value": "Dread"}]
        found = rule(units, {"phase": "shooting"}, [1, 2, 3], answers=answers)
        assert len(found.dead()) == 2 and "battle-shocked" in marks(found, "b1")
        assert sum(event["kind"] == "battle-shocked" for event in found.events) == events
        passed = rule(units, {"phase": "shooting"}, [6, 6], answers=answers)
        assert passed.dead() == [] and ("battle-shocked" in marks(passed, "b1")) is bool(state)


@pytest.mark.clause("commentary-10", "PSY-2", "FNP-1")
def test_mortal_wounds_of_a_psychic_ability_are_psychic_attacks() -> None:
    """AB-R1, AB-R2: who ignores wounds of Psychic Attacks rolls for those of dread as well."""
    answers = [{"kind": "react", "value": "Dread"}]
    for rule_of, left in (("Feel No Pain 4+ against psychic", 2), ("Feel No Pain 4+ against mortal", 2), ("Stealth", 3)):
        target = squad("b1", "B", 1, at=[(18, 10)], Ld=7, W=4, rules=[rule_of])
        units = [squad("a1", "A", 1, at=[(10, 10)], rules=["Dread 12"]), target]
        pain = [4, 3, 2] if left == 2 else []
        found = rule(units, {"phase": "shooting"}, [1, 2, 6, *pain], answers=answers)
        assert found.verdict == "legal" and found.unit("b1")["models"][0]["wounds"] == left


@pytest.mark.clause("commentary-10", "CSTR-4", "CSTR-13")
def test_insane_bravery() -> None:
    """For a point a failed test counts as passed; without a point nobody is asked."""
    units = [squad("a1", "A", 4, at=row(4, 10), start_size=10, Ld=7), squad("b1", "B", 1, at=[(40, 30)])]
    answer = [{"kind": "react", "value": "Insane Bravery"}]
    found = rule(units, {"phase": "command"}, [1, 1], answers=answer, sides={"A": {"cp": 1}})
    assert "battle-shocked" not in marks(found, "a1")
    again = rule(units, {"phase": "command"}, [1, 1], answers=answer, sides={"A": {"cp": 0}, "B": {"cp": 3}})
    assert again.verdict == "legal"  # the point of this phase was gained before
    shocked = rule(units, {"phase": "command"}, [1, 1])
    assert "battle-shocked" in marks(shocked, "a1")


# -- control and score -----------------------------------------------------------------------------

PASS = {"kind": "react", "value": "pass"}
MARKER = [{"id": "o1", "at": [20, 20]}]


@pytest.mark.clause("commentary-10", "OC-1", "OC-2", "OC-3", "OC-4", "CMD-5")
def test_levels_of_control() -> None:
    """DV-30: two models of OC 2 against one of 5; then that one Battle-shocked; then nobody within range."""
    ours = squad("a1", "A", 2, at=[(17, 20), (20, 23)], OC=2)
    big = squad("b1", "B", 1, at=[(23, 20)], OC=5)
    (value,) = asked([ours, big], {"control": "o1"}, objectives=MARKER)
    assert value == {"holder": "B", "levels": {"A": 4, "B": 5}}
    shaken = squad("b1", "B", 1, at=[(23, 20)], OC=5, marks=["battle-shocked"])
    (value,) = asked([ours, shaken], {"control": "o1"}, objectives=MARKER)
    assert value == {"holder": "A", "levels": {"A": 4, "B": 0}}
    far = squad("a1", "A", 2, at=[(30, 30), (32, 30)], OC=2)
    (value,) = asked([far, shaken], {"control": "o1"}, objectives=MARKER)
    assert value == {"holder": None, "levels": {"A": 0, "B": 0}}


@pytest.mark.clause("commentary-10", "OC-5", "OC-3")
@pytest.mark.parametrize(
    ("stored", "holder", "clause"), [("B", "B", "OC-5"), ("A", "A", "OC-5"), (None, "A", "OC-3")], ids=["lost", "kept", "none"]
)
def test_control_stands_until_it_is_judged_again(stored: str | None, holder: str, clause: str) -> None:
    """Who was judged to hold a marker holds it until the next phase ends; where nobody did, the stronger now is named."""
    units = [squad("a1", "A", 2, at=[(18, 20), (22, 20)], OC=2), squad("b1", "B", 1, at=[(20, 18)], OC=1)]
    case = {"edition": EDITION, "units": units, "objectives": [{"id": "o1", "at": [20, 20], "holder": stored}]}
    (found,) = adjudicate(json.dumps(case | {"ask": [{"control": "o1"}]}).encode())["answers"]
    assert found["value"] == {"holder": holder, "levels": {"A": 4, "B": 1}} and found["clauses"] == ["OC-1", clause]
    assert found["evidence"] == {"line": None, "blockers": [], "stored": stored, "stronger": "A"}


@pytest.mark.clause("commentary-10", "MOD-2", "MOD-3", "CMD-5", "LEAD-1")
def test_halved_led_and_shaken() -> None:
    """TV-2: OC 2 halved by an enemy and raised by a Leader is 2; Battle-shocked it is 1."""
    for state, expected in (([], 2), (["battle-shocked"], 1)):
        units = [
            squad("a1", "A", 5, at=row(5, 10), OC=2, marks=state),
            squad(
                "x", "A", 1, at=[(8.5, 10)], OC=1, keywords=["CHARACTER"], rules=["While Leading: Control(+1)"], leading="a1"
            ),
            squad("b1", "B", 1, at=[(11.6, 10)], rules=["Halves Control"]),
        ]
        (value,) = asked(units, {"value": ["a1.1", "OC"]})
        assert value["value"] == expected
        assert len(value["audit"]) == (2 if not state else 3)


def line(change: str, before: int | str, after: int | str, *clauses: str) -> Json:
    """A line of an audit."""
    return {"change": change, "from": before, "to": after, "clauses": list(clauses)}


HALVED = squad("b1", "B", 1, at=[(11.6, 10)], rules=["Halves Control"])


@pytest.mark.clause("commentary-10", "MOD-2", "MOD-3", "MOD-4")
def test_an_audit_follows_the_order_of_modifiers() -> None:
    """A value's lines stand in the order they are applied, whatever the order they were given in, and end with its rounding."""
    units = [squad("a1", "A", 1, at=[(10, 10)], OC=3, rules=["Control(-1)", "Control(x3)", "Control(+2)"]), HALVED]
    (value,) = asked(units, {"value": ["a1.1", "OC"]})
    halved = line("OC/2", 3, "3/2", "MOD-3", "AB-T4")
    steps = (("OCx3", "3/2", "9/2"), ("OC+2", "9/2", "13/2"), ("OC-1", "13/2", "11/2"))
    rest = [line(*step, "MOD-1", "MOD-3") for step in steps]
    assert value == {"value": 6, "printed": 3, "audit": [halved, *rest, line("round up", "11/2", 6, "MOD-4")]}
    units = [squad("a1", "A", 1, at=[(10, 10)], OC=3, rules=["Control(+2)", "Control(=1)"])]
    (value,) = asked(units, {"value": ["a1.1", "OC"]})
    assert value["audit"] == [line("OC=1", 3, 1, "MOD-1", "MOD-2"), line("OC+2", 1, 3, "MOD-1", "MOD-3")]


@pytest.mark.clause("commentary-10", "MODCH-5", "MODCH-6", "MODCH-7", "MODCH-8", "MODCH-10", "MODIMP-1")
@pytest.mark.parametrize(
    ("what", "printed", "rule", "last", "cited"),
    [
        ("OC", 1, "Control(-2)", line("limit", -1, 0, "MODCH-6"), ["UNIT-2", "MOD-1", "MOD-3", "MODCH-6"]),
        ("M", 2, "Move(-2)", line("limit", 0, 1, "MODCH-7"), ["UNIT-2", "MOD-1", "MOD-3", "MODCH-7"]),
        ("Ld", 8, "Leadership(-1)", line("limit", 9, 8, "MODCH-5"), ["UNIT-2", "MODUNIT-1", "MOD-3", "MODCH-5"]),
        ("Ld", 9, "Leadership(-1)", line("limit", 10, 9, "MODCH-5", "MODCH-10"), None),
        ("Sv", 2, "Save(+1)", line("limit", 1, 2, "MODIMP-1"), ["UNIT-2", "USV-2", "MOD-3", "MODIMP-1"]),
        ("M", "-", "Move(+2)", line("M+2", "-", "-", "MOD-1", "MODCH-8"), ["UNIT-2", "MOD-1", "MODCH-8"]),
        ("M", "D6", "Move(+2)", line("M+2", "D6", "M+2", "MOD-1"), ["UNIT-2", "MOD-1"]),
        ("M", 6, "Move(+2)", line("M+2", 6, 8, "MOD-1", "MOD-3"), ["UNIT-2", "MOD-1", "MOD-3"]),
        ("OC", 1, "Move(+2)", None, ["UNIT-2"]),
    ],
)
def test_an_audit_cites_what_acted(
    what: str, printed: int | str, rule: str, last: Json | None, cited: list[str] | None
) -> None:
    """The last line of an audit is the limit where one holds; a symbol stays by its own clause, and nothing idle is cited."""
    case = {"edition": "commentary-10", "units": [squad("a1", "A", 1, at=[(10, 10)], rules=[rule], **{what: printed})]}
    (found,) = adjudicate(json.dumps(case | {"ask": [{"value": ["a1.1", what]}]}).encode())["answers"]
    assert (found["value"]["audit"] or [None])[-1] == last
    assert cited is None or found["clauses"] == cited


@pytest.mark.clause("commentary-10", "MIS-4", "OC-3", "OC-5")
def test_scoring_at_the_end_of_the_command_phase() -> None:
    """From round two each controlled marker is worth a point, three at the most; not in round one, nor for the enemy's."""
    spots = [(10, 10), (20, 10), (30, 10), (40, 10)]
    objectives = [{"id": f"o{k}", "at": list(at)} for k, at in enumerate(spots)]
    units = [squad(f"a{k}", "A", 1, at=[(x, y + 2)], OC=1) for k, (x, y) in enumerate(spots)]
    units.append(squad("b1", "B", 1, at=[(40, 40)], OC=1))
    for number, expected in ((1, 0), (2, 3)):
        found = rule(units, {"phase": "command"}, objectives=objectives, round=number)
        scored = [event for event in found.events if event["kind"] == "scored"]
        assert sum(event["facts"]["points"] for event in scored) == expected


# -- Movement --------------------------------------------------------------------------------------


@pytest.mark.clause("commentary-10", "MOVE-5", "ER-2", "ER-3", "COH-3", "GEO-4")
@pytest.mark.parametrize(
    ("shift", "clause"),
    [((6, 0), None), ((6.1, 0), "MOVE-5"), ((0, -10.4), "MOVE-5"), ((5.4, 5.2), "MOVE-5"), ((3, 2), None)],
)
def test_a_normal_move(shift: tuple[float, float], clause: str | None) -> None:
    """Up to M inches; further is refused."""
    units = [squad("a1", "A", 3, at=row(3, 10), M=6), squad("b1", "B", 1, at=[(40, 30)], M=6)]
    move = [{"kind": "move", "value": {"shift": list(shift)}}]
    found = rule(units, {"phase": "movement", "unit": "a1", "action": "normal"}, answers=move)
    assert (found.refusal["clause"] if found.refusal else None) == clause
    astray = [{"kind": "move", "value": {"a1.1": [[14, 7]]}}]
    apart = rule(units, {"phase": "movement", "unit": "a1", "action": "normal"}, answers=astray)
    assert apart.refusal is not None and apart.refusal["clause"] == "COH-3"


@pytest.mark.clause("commentary-10", "GEO-4")
def test_nobody_leaves_the_battlefield() -> None:
    """No part of a base passes the edge."""
    units = [squad("a1", "A", 1, at=[(2, 10)], M=6), squad("b1", "B", 1, at=[(40, 30)], M=6)]
    move = [{"kind": "move", "value": {"shift": [-1.6, 0]}}]
    found = rule(units, {"phase": "movement", "unit": "a1", "action": "normal"}, answers=move)
    assert found.refusal is not None and found.refusal["clause"] == "GEO-4"


@pytest.mark.clause("commentary-10", "ER-2", "ER-3")
def test_no_normal_move_ends_or_passes_within_engagement_range() -> None:
    """Ending within an inch of an enemy is refused, and so is passing by that near."""
    for goal in ([17.9, 10], [22, 10]):
        units = [squad("a1", "A", 1, at=[(10, 10)], M=14), squad("b1", "B", 1, at=[(19.5, 11.2 if goal[0] > 20 else 10)], M=6)]
        move = [{"kind": "move", "value": {"a1.1": [goal]}}]
        found = rule(units, {"phase": "movement", "unit": "a1", "action": "normal"}, answers=move)
        assert found.refusal is not None and found.refusal["clause"] == ("ER-3" if goal[0] > 20 else "ER-2")


@pytest.mark.clause("commentary-10", "MOVE-6", "SHOOT-1", "CHG-1", "WPN-1")
def test_who_advanced_neither_shoots_nor_charges() -> None:
    """An Advance adds a die to M; then the unit shoots with Assault weapons only and does not charge."""
    units = [squad("a1", "A", 1, gun(), at=[(10, 10)], M=6), squad("b1", "B", 1, at=[(26, 10)], M=6)]
    move = [{"kind": "move", "value": {"shift": [9, 0]}}]
    found = rule(units, {"phase": "movement", "unit": "a1", "action": "advance"}, [3], answers=move)
    assert found.verdict == "legal" and {"advanced", "moved"} <= marks(found, "a1")
    moved = [squad("a1", "A", 1, gun(), at=[(19, 10)], M=6, marks=["advanced"]), units[1]]
    for do, clause in (({"phase": "shooting", "unit": "a1"}, "SHOOT-1"), ({"phase": "charge", "unit": "a1"}, "CHG-1")):
        refused = rule(moved, do)
        assert refused.refusal is not None and refused.refusal["clause"] == clause
    assault = [squad("a1", "A", 1, gun("Assault"), at=[(19, 10)], M=6, marks=["advanced"]), units[1]]
    assert rule(assault, {"phase": "shooting", "unit": "a1"}, [1]).verdict == "legal"


@pytest.mark.clause("commentary-10", "MOVE-7", "MOVE-8", "MVER-1", "CMD-5")
def test_falling_back() -> None:
    """DV-22: a Battle-shocked unit of five that Falls Back rolls for every model and loses one for each 1 or 2."""
    units = [squad("a1", "A", 5, at=row(5, 10), M=6, marks=["battle-shocked"]), squad("b1", "B", 1, at=[(11.5, 13)], M=6)]
    found = rule(units, {"phase": "movement", "unit": "a1", "action": "fall-back"}, [1, 2, 4, 4, 6])
    assert found.verdict == "legal" and len(found.dead()) == 2
    assert "fell-back" in marks(found, "a1")
    refused = rule(units, {"phase": "movement", "unit": "a1", "action": "normal"})
    assert refused.refusal is not None
    calm = [squad("a1", "A", 5, at=row(5, 10), M=6), units[1]]
    assert rule(calm, {"phase": "movement", "unit": "a1", "action": "fall-back"}).dead() == []


@pytest.mark.clause("commentary-10", "TER-8", "MOVE-9", "OBJ-2")
def test_walls_and_markers() -> None:
    """Infantry passes through a wall, a vehicle does not; nobody ends inside one or on a marker."""
    wall = {"id": "w", "types": ["wall"], "polygon": [[14, 5], [14.5, 5], [14.5, 15], [14, 15]], "height": 6, "solid": True}
    move = {"phase": "movement", "unit": "a1", "action": "normal"}
    for words, goal, legal in ((["INFANTRY"], 16, True), (["VEHICLE"], 16, False), (["INFANTRY"], 14.2, False)):
        units = [squad("a1", "A", 1, at=[(11, 10)], M=6, keywords=words), squad("b1", "B", 1, at=[(40, 30)], M=6)]
        answers = [{"kind": "move", "value": {"a1.1": [[goal, 10]]}}]
        found = rule(units, move, answers=answers, table={"terrain": [wall]})
        assert (found.refusal is None) is legal
    units = [squad("a1", "A", 1, at=[(11, 10)], M=8), squad("b1", "B", 1, at=[(40, 30)], M=6)]
    for goal, legal in ((14, False), (17, True)):
        answers = [{"kind": "move", "value": {"a1.1": [[goal, 10]]}}]
        found = rule(units, move, answers=answers, objectives=[{"id": "o1", "at": [14, 10]}])
        assert (found.refusal is None) is legal


# -- transports and reserves -----------------------------------------------------------------------

HULL = {"keywords": ["VEHICLE", "TRANSPORT"], "rules": ["Carries 12 INFANTRY"]}


@pytest.mark.clause("commentary-10", "TRANS-4", "TRANS-5", "TRANS-6", "TRANS-7")
def test_getting_out() -> None:
    """Out of a TRANSPORT that stood a unit may still move; out of one that moved it is done and does not charge."""
    for hull_marks, moved in (([], False), (["moved"], True)):
        units = [
            squad("a1", "A", 1, gun(), at=[(20, 20)], M=12, marks=hull_marks, **HULL),
            squad("a2", "A", 3, M=6, where="a1"),
            squad("b1", "B", 1, at=[(50, 40)], M=6),
        ]
        found = rule(units, {"phase": "movement", "unit": "a2", "action": "disembark"})
        assert found.verdict == "legal" and found.unit("a2")["where"] == "table"
        assert ("no-charge" in marks(found, "a2")) is moved
        assert ("activated" in marks(found, "a2")) is moved
    hasty = [squad("a1", "A", 1, gun(), at=[(20, 20)], M=12, marks=["advanced"], **HULL), squad("a2", "A", 3, M=6, where="a1")]
    enemy = squad("b1", "B", 1, at=[(50, 40)], M=6)
    refused = rule([*hasty, enemy], {"phase": "movement", "unit": "a2", "action": "disembark"})
    assert refused.refusal is not None and refused.refusal["clause"] == "TRANS-7"


@pytest.mark.clause("commentary-10", "RSV-3", "RSV-4", "RESV-2", "MOVE-10", "GEO-6", "SETUP-2")
def test_strategic_reserves() -> None:
    """They arrive from round two near an edge, more than 9" from enemies, and count as having moved."""
    units = [
        squad("a1", "A", 3, M=6, where="reserve", marks=[{"waits": "strategic reserves"}]),
        squad("a2", "A", 1, at=[(30, 5)]),
        squad("b1", "B", 1, at=[(5, 20)], M=6),
    ]
    do = {"phase": "reinforcements", "unit": "a1", "action": "arrive"}
    sides = {"A": {"marks": [{"role": "attacker"}]}, "B": {"marks": [{"role": "defender"}]}}
    found = rule(units, do, sides=sides)
    assert found.verdict == "legal" and {"moved", "arrived"} <= marks(found, "a1")
    near = {f"a1.{k + 1}": [2 + 1.2 * k, 25] for k in range(3)}
    refused = rule(units, do, sides=sides, answers=[{"kind": "place", "value": near}])
    assert refused.refusal is not None
    assert rule(units, do, sides=sides, round=1).refusal is not None
    scattered = {f"a1.{k + 1}": [20 + 8 * k, 3] for k in range(3)}
    apart = rule(units, do, sides=sides, answers=[{"kind": "place", "value": scattered}])
    assert apart.refusal is not None and apart.refusal["clause"] == "COH-3"


# -- Shooting, reactions ---------------------------------------------------------------------------


@pytest.mark.clause("commentary-10", "CSTR-7", "JUST-3", "COVER-1", "STRAT-3", "CSTR-13")
def test_go_to_ground() -> None:
    """DV-42: a targeted INFANTRY unit may go to ground for a point; without points or Battle-shocked nobody is asked."""
    target = squad("b1", "B", 1, at=[(20, 10)], Sv=7, M=6)
    units = [squad("a1", "A", 1, gun(AP=-3), at=[(10, 10)], M=6), target]
    do = {"phase": "shooting", "unit": "a1"}
    target_first = {"kind": "choose-target", "value": "b1"}
    answer = [target_first, {"kind": "react", "value": "Go to Ground"}]
    found = rule(units, do, [3, 4, 6], answers=answer, sides={"B": {"cp": 1}})
    assert found.verdict == "legal" and found.attack["blocked"] == 1
    for poor in ({"B": {"cp": 0}}, {"B": {"cp": 2, "marks": [{"used:Go to Ground": "end-phase"}]}}):
        refused = rule(units, do, [3, 4], sides=poor, answers=answer)
        assert refused.refusal is not None and refused.refusal["code"] == "nothing-asked"
    pending = rule(units, do, [3, 4], sides={"B": {"cp": 1}}, unanswered="stop", answers=[target_first])
    assert pending.pending is not None and pending.pending["kind"] == "react"
    shaken = [units[0], squad("b1", "B", 1, at=[(20, 10)], Sv=7, M=6, marks=["battle-shocked"])]
    assert rule(shaken, do, [3, 4], sides={"B": {"cp": 1}}, answers=answer).refusal is not None


@pytest.mark.clause("commentary-10", "CSTR-9")
def test_smokescreen() -> None:
    """SMOKE gives cover and Stealth: a shot that needs 3+ needs 4+."""
    units = [squad("a1", "A", 1, gun(), at=[(10, 10)]), squad("b1", "B", 1, at=[(20, 10)], keywords=["VEHICLE", "SMOKE"])]
    answer = [{"kind": "choose-target", "value": "b1"}, {"kind": "react", "value": "Smokescreen"}]
    found = rule(units, {"phase": "shooting", "unit": "a1"}, [3], answers=answer, sides={"B": {"cp": 1}})
    assert found.attack["hits"] == 0


@pytest.mark.clause("commentary-10", "CSTR-5", "CRIT-2", "OOP-1")
def test_fire_overwatch() -> None:
    """DV-27: when an enemy moves a unit within 24" shoots it, hitting on natural 6s only, once a turn."""
    units = [squad("a1", "A", 1, at=[(10, 10)], M=6), squad("b1", "B", 1, gun(A=3, skill=2), at=[(20, 10)], M=6)]
    answers = [{"kind": "react", "value": "Fire Overwatch"}]
    do = {"phase": "movement", "unit": "a1", "action": "normal"}
    found = rule(units, do, [5, 5, 6, 4], answers=answers, sides={"B": {"cp": 3}})
    assert found.verdict == "legal" and found.attack["hits"] == 1


@pytest.mark.clause("commentary-10", "CRIT-2")
def test_overwatch_is_cited_once_a_die() -> None:
    """What makes a natural 6 the only hit and the only Critical Hit is one clause, and cited once, hit or miss."""
    units = [squad("a1", "A", 1, gun(A=2), marks=["overwatch"]), squad("b1", "B", 1)]
    cited = [roll["clauses"] for roll in shoot(units, dice=[5, 6, 1]).json["rolls"] if roll["purpose"] == "hit"]
    assert [clauses.count("CRIT-2") for clauses in cited] == [1] * len(cited) and len(cited) == 2


@pytest.mark.clause("commentary-10", "CSTR-1", "STRAT-2", "STRAT-3", "REROLL-1")
def test_command_reroll() -> None:
    """A failed Hit roll is rolled again for a point; DV-32: not for a Battle-shocked unit."""
    units = [squad("a1", "A", 1, gun(), at=[(10, 10)]), squad("b1", "B", 1, at=[(20, 10)])]
    do = {"phase": "shooting", "unit": "a1"}
    answers = [{"kind": "react", "value": "Command Re-roll"}]
    found = rule(units, do, [1, 3, 1], answers=[{"kind": "choose-target", "value": "b1"}, *answers], sides={"A": {"cp": 1}})
    assert found.verdict == "legal" and found.attack["hits"] == 1
    units[0]["marks"] = ["battle-shocked"]
    refused = rule(units, do, [1], answers=[{"kind": "choose-target", "value": "b1"}, *answers], sides={"A": {"cp": 1}})
    assert refused.refusal is not None and refused.refusal["code"] == "nothing-asked"


@pytest.mark.clause("commentary-10", "CSTR-1")
def test_what_passed_is_not_asked_about() -> None:
    """Nobody is asked about a re-roll of a Hit roll and a Wound roll that passed; of a Wound roll that failed, yes."""
    units = [squad("a1", "A", 1, gun(), at=[(10, 10)]), squad("b1", "B", 1, at=[(20, 10)])]
    do = {"phase": "shooting", "unit": "a1"}
    answers = [{"kind": "choose-target", "value": "b1"}, {"kind": "react", "value": "Command Re-roll"}]
    passed = rule(units, do, [3, 6], answers=answers[:1], sides={"A": {"cp": 1}}, unanswered="stop")
    assert passed.verdict == "legal" and passed.pending is None
    failed = rule(units, do, [3, 1, 6], answers=answers, sides={"A": {"cp": 1}})
    assert failed.verdict == "legal" and failed.attack["wounds"] == 1


@pytest.mark.clause("commentary-10", "LIC-1", "SHOOT-1", "ELIG-2")
def test_who_is_locked_in_combat_does_not_shoot() -> None:
    """Within Engagement Range a unit without Pistols does not shoot, and asks say so."""
    units = [squad("a1", "A", 1, gun(), at=[(10, 10)]), squad("b1", "B", 1, at=[(11.5, 10)])]
    refused = rule(units, {"phase": "shooting", "unit": "a1"})
    assert refused.refusal is not None and refused.refusal["clause"] == "LIC-1"
    assert asked(units, {"eligible": ["a1", "shoot"]}, {"engaged": "a1"}, {"eligible": ["a1", "fight"]}) == [
        False,
        ["b1"],
        True,
    ]


# -- Charge and Fight ------------------------------------------------------------------------------


@pytest.mark.clause("commentary-10", "CHG-3", "CHG-5", "CHARGE-2", "CHARGE-5")
def test_a_charge() -> None:
    """DV-19: over a gap of 6" a roll of 5 gets there and a roll of 4 does not; nobody moves then."""
    units = [squad("a1", "A", 1, blade(), at=[(10, 10)], M=6), squad("b1", "B", 1, at=[(17, 10)], M=6)]
    do = {"phase": "charge", "unit": "a1", "action": "charge"}
    found = rule(units, do, [2, 3])
    assert found.verdict == "legal" and "charged" in marks(found, "a1") and "no-charge-bonus" not in marks(found, "a1")
    failed = rule(units, do, [2, 2])
    assert failed.verdict == "legal" and failed.event("charge-failed")
    assert failed.model("a1.1")["at"] == [10.0, 10.0] and "charged" not in marks(failed, "a1")


@pytest.mark.clause("commentary-10", "CHG-1", "UNIT-2")
def test_who_may_not_charge() -> None:
    """Nobody more than 12" away, nobody who cannot move, nobody within Engagement Range."""
    do = {"phase": "charge", "unit": "a1", "action": "charge"}
    for x, move in ((24, 6), (15, "-"), (11.5, 6)):
        units = [squad("a1", "A", 1, blade(), at=[(10, 10)], M=move), squad("b1", "B", 1, at=[(x, 10)], M=6)]
        refused = rule(units, do)
        assert refused.refusal is not None and refused.refusal["clause"] == "CHG-1"


@pytest.mark.clause("commentary-10", "FGT-1", "FGT-4", "FGT-5", "PILEIN-2", "CONSOL-1")
def test_a_fight() -> None:
    """A unit piles in, strikes with those within Engagement Range, and consolidates; who is not engaged does not fight."""
    units = [
        squad("a1", "A", 2, blade(), at=[(10, 10), (10, 11.5)], M=6),
        squad("b1", "B", 1, blade(), at=[(11.5, 10)], M=6, W=9),
        squad("b2", "B", 1, blade(), at=[(40, 30)], M=6),
    ]
    found = rule(units, {"phase": "fight", "unit": "a1", "action": "fight"}, [1, 1])
    assert found.verdict == "legal" and found.attack["attacks"] == 2
    far = [{"kind": "move", "value": "stay"}, {"kind": "move", "value": {"a1.2": [[10, 16]]}}]
    too_far = rule(units, {"phase": "fight", "unit": "a1", "action": "fight"}, [1, 1], answers=far)
    assert too_far.refusal is not None and too_far.refusal["clause"] == "CONSOL-1"
    refused = rule(units, {"phase": "fight", "unit": "b2", "action": "fight"})
    assert refused.refusal is not None and refused.refusal["clause"] == "FGT-1"


@pytest.mark.clause("commentary-10", "CSTR-11", "CSTR-8")
def test_heroic_intervention_and_tank_shock() -> None:
    """When a charge has ended a friend within 6" may charge the charger; a VEHICLE that charged rams for mortal wounds."""
    units = [
        squad("a1", "A", 1, blade(S=6), at=[(10, 10)], M=6, keywords=["VEHICLE"]),
        squad("b1", "B", 1, at=[(15, 10)], M=6, W=9),
        squad("b2", "B", 1, blade(), at=[(15, 14)], M=6),
    ]
    do = {"phase": "charge", "unit": "a1", "action": "charge"}
    answers = [{"kind": "choose-target", "value": "b1"}, {"kind": "choose-target", "value": "pass"}]
    tank = rule(
        units,
        do,
        [6, 6, 5, 5, 1, 1, 1, 1, 1, 1],
        answers=[*answers, PASS, {"kind": "move", "value": {"a1.1": [[14, 10]]}}, {"kind": "react", "value": "Tank Shock"}],
        sides={"A": {"cp": 1}},
    )
    assert tank.verdict == "legal", tank.refusal
    assert tank.wounds("b1") == [2]
    foot = [squad("a1", "A", 1, blade(), at=[(10, 10)], M=6), *units[1:]]
    go = {"kind": "move", "value": {"a1.1": [[14, 10]]}}
    helped = [*answers, go, {"kind": "react", "value": "Heroic Intervention"}]
    found = rule(foot, do, [6, 6, 6, 6], answers=helped, sides={"B": {"cp": 2}})
    assert found.verdict == "legal" and {"charged", "no-charge-bonus"} <= marks(found, "b2")


# -- the end of a turn -----------------------------------------------------------------------------


@pytest.mark.clause("commentary-10", "COH-1", "COH-2", "COH-4")
def test_incoherent_units_lose_models() -> None:
    """DV-10, DV-12: a chain of seven is incoherent and of six coherent; two groups apart lose models until one is left."""
    enemy = squad("b1", "B", 1, at=[(50, 40)])
    chain = [(5 + 3 * k, 10.0) for k in range(7)]
    assert rule([squad("a1", "A", 6, at=chain[:6]), enemy], {"phase": "end-of-turn"}).dead() == []
    assert len(rule([squad("a1", "A", 7, at=chain), enemy], {"phase": "end-of-turn"}).dead()) == 1
    trios = [(10, 10), (11.2, 10), (12.4, 10), (17.4, 10), (18.6, 10), (19.8, 10)]
    assert len(rule([squad("a1", "A", 6, at=trios), enemy], {"phase": "end-of-turn"}).dead()) == 3
