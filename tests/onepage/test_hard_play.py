"""Corners of play: answers that look lawful but break the clause behind the question."""

from __future__ import annotations

import pytest

from tests.onepage.desk import Desk, Ruling, answer, box, unit

E = "onepage-3.0"
CARRIER = unit("a9", "A", [(20, 20)], type="vehicle", rules=["Transport(5)", "Tough(3)"])
FAR_OFF = unit("b1", "B", [(60, 40)])
SIDES = {"A": {"marks": {"edge": "bottom"}}, "B": {"marks": {"edge": "top"}}}


def clause(*ids: str) -> pytest.MarkDecorator:
    """Mark the clauses of the third edition a test covers."""
    return pytest.mark.clause(E, *ids)


def refused_by(found: Ruling) -> str | None:
    """The clause that refuses, or None."""
    return None if found.refusal is None else str(found.refusal["clause"])


# -- melee -----------------------------------------------------------------------------------------------------------------


def _piled_in(value: object) -> Ruling:
    """One model assaults the first of three in a row, and the owner of the row answers how it piles in."""
    desk = Desk([unit("a1", "A", [(20, 20)]), unit("b1", "B", [(26, 20), (28, 20), (30, 20)])])
    return desk.activate("a1", "assault", [answer("move", {"a1.1": [[25, 20]]}), answer("move", value)], dice={"seed": 1})


@clause("MELEE-7")
@pytest.mark.parametrize(
    "value",
    [
        "stay",
        {},
        {"b1.3": [[31, 20]]},
        {"b1.1": [[26, 19.9]], "b1.2": [[25.5, 20.87]], "b1.3": [[27, 20]]},
        {"b1.3": [[29.9, 20]]},
        {"b1.2": [[25.5, 20.87]], "b1.3": [[29, 20]]},
        {"b1.2": [[27, 20]], "b1.3": [[28, 20]]},
    ],
)
def test_piling_in_is_compulsory_for_each_model_not_in_contact(value: object) -> None:
    """Every model that can come nearer does, as near as it can; nobody goes further off; whoever is in contact stands."""
    assert refused_by(_piled_in(value)) == "MELEE-7"
    assert _piled_in({"b1.2": [[25.5, 20.87]], "b1.3": [[27, 20]]}).verdict == "legal"


@clause("COH-7")
@pytest.mark.parametrize(("third", "clause_id"), [({"b1.3": [[28, 20]]}, None), ({}, "COH-7")])
def test_those_who_pile_in_keep_together_where_they_can(third: dict[str, list[list[float]]], clause_id: str | None) -> None:
    """The second of three goes into contact; the last, who could follow, may not be left behind."""
    desk = Desk([unit("a1", "A", [(20, 20)]), unit("b1", "B", [(26, 20), (28, 20), (30.9, 20)])])
    said = [answer("move", {"a1.1": [[25, 20]]}), answer("move", {"b1.2": [[25.6, 20.93]], **third})]
    assert refused_by(desk.activate("a1", "assault", said, dice={"seed": 1})) == clause_id


@clause("MELEE-2")
@pytest.mark.parametrize("others", [[], [unit("b3", "B", [(26, 24)])]])
def test_an_enemy_out_of_reach_is_no_target_of_an_assault(others: list[dict[str, object]]) -> None:
    """Whether one or two enemies can be reached, to name another is refused by the clause on valid targets."""
    desk = Desk([unit("a1", "A", [(20, 20)]), unit("b1", "B", [(26, 20)]), unit("b2", "B", [(60, 26)]), *others])
    assert refused_by(desk.activate("a1", "assault", [answer("choose-target", "b2")])) == "MELEE-2"
    aboard = unit("a1", "A", [None], where="a9", rules=["Furious"])
    desk = Desk([CARRIER, aboard, unit("b1", "B", [(26, 20)]), unit("b2", "B", [(60, 26)]), *others])
    assert refused_by(desk.activate("a1", "assault", [answer("choose-target", "b2")])) == "MELEE-2"


# -- transports ------------------------------------------------------------------------------------------------------------


@clause("RULE-TRANSPORT-5", "COH-5")
@pytest.mark.parametrize(
    ("other", "clause_id"),
    [([[23, 21], [27, 21.5]], None), ([[17, 20], [14, 20]], "COH-5"), ([[23, 21], [27, 23.02]], "COH-5")],
)
def test_passengers_end_coherent_wherever_they_get_out(other: list[list[float]], clause_id: str | None) -> None:
    """Two models may not leave a hull to its two sides, nor end more than two inches apart."""
    aboard = unit("a1", "A", [None, None], where="a9")
    way = answer("move", {"a1.1": [[23, 20], [27, 20]], "a1.2": other})
    assert refused_by(Desk([CARRIER, aboard, FAR_OFF]).activate("a1", "walk", [way])) == clause_id


@clause("RULE-TRANSPORT-3", "COH-6")
@pytest.mark.parametrize(
    ("way", "clause_id"),
    [
        ({"a1.1": [[23, 20]], "a1.2": [[25, 20]]}, None),
        ({"a1.1": [[23, 20]]}, "COH-6"),
        ({"a1.2": [[27, 20]]}, "RULE-TRANSPORT-3"),
    ],
)
def test_a_unit_found_astray_boards_only_together(way: dict[str, list[list[float]]], clause_id: str | None) -> None:
    """One model at the hull does not bring aboard a fellow eight inches off; without contact nobody boards."""
    astray = unit("a1", "A", [(25, 20), (33, 20)])
    said = [answer("choose-option", "a9"), answer("move", way)]
    assert refused_by(Desk([CARRIER, astray, FAR_OFF]).activate("a1", "run", said)) == clause_id


# -- reserves --------------------------------------------------------------------------------------------------------------


@clause("RULE-DEEPSTRIKE-5")
@pytest.mark.parametrize(("spot", "legal"), [([30, 20, 90], True), ([30, 20], True), ([30, 20, 45], False)])
def test_a_shift_turns_nobody(spot: list[float], legal: bool) -> None:
    """The enemy may shift an arrived vehicle by a vector, not turn it."""
    hull = unit("a1", "A", [None], type="vehicle", where="reserve", rules=["Deep Strike"])
    desk = Desk([hull, unit("b1", "B", [(36, 44)])], round=1, clock={"phase": "round", "first": "A"}, sides=SIDES)
    said = [answer("yes-no", True), answer("yes-no", True), answer("place", {"a1.1": [36, 20, 90]})]
    found = desk.step("round", [*said, answer("place", {"a1.1": spot})], dice=[4, 2])
    assert refused_by(found) == (None if legal else "RULE-DEEPSTRIKE-5")


# -- missions --------------------------------------------------------------------------------------------------------------


@clause("SCORE-1")
@pytest.mark.parametrize(
    ("mission", "at", "score"),
    [
        ("by-the-book", (36, 24), 100),
        ("hold-the-ground", (36, 27.51), 175),
        ("hold-the-ground", (36, 27.52), 100),
        ("breakthrough", (36, 36.49), 170),
        ("breakthrough", (36, 36.48), 100),
    ],
)
def test_the_score_that_is_told_is_that_of_the_mission(mission: str, at: tuple[float, float], score: int) -> None:
    """Asked for, a score has what the mission adds to a Pinned enemy, at the edges of a marker and of the enemy's strip."""
    pieces = [box(f"t{k}", 1 + 2 * k, 0.2, 2 + 2 * k, 0.4, "open") for k in range(10)]
    units = [unit("a1", "A", [at], points=70), unit("b1", "B", [(10, 24)], marks=["pinned"])]
    assert Desk(units, pieces, mission=mission, points=750, sides=SIDES).ask(score="A") == score
