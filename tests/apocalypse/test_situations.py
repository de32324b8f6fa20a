"""Situations of Apocalypse 3.3, each worked out from the rulebook before it was tried."""

from __future__ import annotations

import pytest

from tests.onepage.desk import FAR_FOE, Json, answer, box, clause_of, desk_of, disc, unit

desk, clause = desk_of("apocalypse-3.3"), clause_of("apocalypse-3.3")
FOREST = disc("f", 20, 20, 3, "cover", "difficult", height=3)
WALL = box("w", 24, 19, 25, 21, "impassable", solid=True, height=9)
GUN = 'Gun (48", A1)'


@clause("MEAS-8", "TERR-FOOT-1", "MEAS-3")
@pytest.mark.parametrize(
    ("ground", "distance"), [([], 12.9), ([FOREST], 11.9), ([FOREST, disc("g", 23, 20, 2)], 9.9), ([disc("g", 23, 20, 2)], 9.9)]
)
def test_who_asks_for_a_distance_gets_the_outline(ground: list[Json], distance: float) -> None:
    """Units are measured from the outline they are within, overlapping pieces as one; two models by their bases."""
    table = desk(unit("a1", "A", [(21.5, 20)]), unit("b1", "B", [(35.4, 20)]), terrain=ground)
    assert (table.ask(distance=["a1", "b1"]), table.ask(distance=["a1.1", "b1.1"])) == (distance, 12.9)


@clause("LOS-11", "LOS-1")
def test_who_asks_for_sight_looks_from_the_leader_or_the_outline() -> None:
    """A wall before the leader hides all from its unit; from the outline of a forest it is passed on both sides."""
    ours, theirs = unit("a1", "A", [(22, 20), (22, 22)]), unit("b1", "B", [(30, 20)])
    bare, wooded = desk(ours, theirs, terrain=[WALL]), desk(ours, theirs, terrain=[WALL, FOREST])
    assert [bare.ask(sight=pair) for pair in (["a1", "b1"], ["b1", "a1"], ["a1.2", "b1.1"])] == [False, True, True]
    assert [wooded.ask(sight=pair) for pair in (["a1", "b1"], ["a1.1", "b1.1"])] == [True, True]


@clause("LOS-11")
def test_a_big_model_in_a_forest_hides_nobody() -> None:
    """The giant between them blocks sight on open ground, and not while it is within a piece."""
    giant = unit("a2", "A", [(20, 20)], height=5, base={"circle": 4})
    units = unit("a1", "A", [(10, 20)], weapons=[GUN]), unit("b1", "B", [(30, 20)]), giant
    assert [desk(*units, terrain=ground).ask(sight=["a1", "b1"]) for ground in ([], [FOREST])] == [False, True]


@clause("UNIT-6")
def test_the_nearest_follows_a_leader_nobody_had_named() -> None:
    """The first model leads a unit without a mark; when it falls the survivor nearest to its place is named."""
    sniper = unit("a1", "A", [(10, 10)], weapons=['Long (48", A1, Sniper)'])
    table = desk(sniper, unit("b1", "B", [(30, 10), (33, 10), (31.5, 10)]))
    said = [answer("choose-target", "b1"), answer("choose-model", "b1.1")]
    found = table.activate("a1", "hold", said, dice=[2, 3])
    assert [model.get("marks", []) for model in found.unit("b1")["models"]] == [[], [], ["leader"]]
    asked = table.activate("a1", "hold", said, dice=[2, 3], unanswered="stop").pending
    assert asked is not None and (asked["clause"], asked["options"]) == ("UNIT-6", ["b1.2", "b1.3"])


@clause("TERR-DANG-1", "TERR-DANG-3", "TERR-GEN-3")
@pytest.mark.parametrize(("leader", "fellow", "faces"), [(15.5, 15.5, 4), (13, 13, 2), (11, 13, 0)])
def test_a_minefield_counts_the_crossings_of_the_leader(leader: float, fellow: float, faces: int) -> None:
    """A die for every model when the leader enters, another when it leaves, none for a fellow set down inside."""
    mines = box("m", 10, 12, 30, 14, "dangerous")
    move = answer("move", {"a1.1": [[20, 10], [20, leader]], "a1.2": [[22, fellow]]})
    table = desk(unit("a1", "A", [(20, 10), (22, 10)]), FAR_FOE, terrain=[mines])
    assert len(table.activate("a1", "walk", [move], dice=[2] * faces).rolled("dangerous")) == faces
