"""Whole battles of the commentary edition: the shipped lists, tables and missions, played by lot and checked."""

from __future__ import annotations

from pathlib import Path

import pytest

from rolloff.armies import library
from rolloff.editions import registry
from rolloff.lab.duel import Match, duel, setup_of
from rolloff.record.verify import verify
from rolloff.rules.game import Game
from rolloff.table.state import TABLE

EDITION = "commentary-10"
POINTS = {
    "verdigris-mandate-500": 500,
    "verdigris-mandate-1000": 975,
    "verdigris-mandate-2000": 2000,
    "hollow-tide-500": 490,
    "hollow-tide-1000": 1000,
    "hollow-tide-2000": 1995,
    "lantern-reach-500": 490,
    "lantern-reach-1000": 975,
    "lantern-reach-2000": 1945,
}


@pytest.mark.clause("commentary-10", "POINTS-1", "GEO-2")
def test_the_shipped_lists_cost_what_they_say() -> None:
    """Nine lists, each worth the sum of its units and Enhancements; models stand on the footprint of their keywords."""
    assert set(library.lists(EDITION)) == set(POINTS)
    for name, points in POINTS.items():
        assert library.army(EDITION, name, 0).points == points
    colossus = next(card for card in library.army(EDITION, "lantern-reach-2000", 0).cards if card.name == "Prism Colossus")
    assert (colossus.models[0].base.kind, colossus.models[0].height) == ("oval", 8000)


@pytest.mark.clause("commentary-10", "MIS-4", "OBJ-1")
@pytest.mark.parametrize("table", ["ledger-yard", "drowned-terraces", "toll-crossing", "glass-quarter"])
def test_layouts_are_legal_for_every_mission(table: str) -> None:
    """Each table is its own image under a half turn, and no marker lies within 3" of a wall or block."""
    from rolloff.geometry.measure import piece_gap

    points = 1000 if table in ("ledger-yard", "drowned-terraces") else 500
    for mission in library.missions(EDITION):
        setup = library.setup_for(EDITION, "hollow-tide-500", "hollow-tide-500", table, mission, points)
        game = Game(registry.edition(EDITION), setup)
        ground, pieces = game.field.ground, game.table.terrain
        width, height = game.table.size
        outlines = {frozenset(piece.polygon) for piece in pieces if piece.polygon}
        assert {frozenset((width - x, height - y) for x, y in outline) for outline in outlines} == outlines
        discs = {piece.disc for piece in pieces if piece.disc}
        assert {(width - x, height - y, r) for x, y, r in discs} == discs
        markers = [k for k, piece in enumerate(pieces) if "objective" in piece.types]
        solid = [k for k, piece in enumerate(pieces) if piece.solid and "floor" not in piece.types]
        assert len(markers) in (3, 4, 5)
        assert all(piece_gap(ground, k, other) >= 3000 for k in markers for other in solid)


@pytest.mark.parametrize(
    ("armies", "table", "points"),
    [
        (("verdigris-mandate-500", "hollow-tide-500"), "toll-crossing", 500),
        (("lantern-reach-500", "verdigris-mandate-500"), "glass-quarter", 500),
        (("hollow-tide-1000", "lantern-reach-1000"), "ledger-yard", 1000),
    ],
)
def test_battles_by_lot_end_and_verify(armies: tuple[str, str], table: str, points: int, tmp_path: Path) -> None:
    """Random players play a battle from deployment to the end; nothing offered is refused, and the record verifies."""
    match = Match(EDITION, ("random", "random"), armies, table, "", points, 5, str(tmp_path))
    report = duel(match, 0, 1)
    assert all(row["finished"] and row["rounds"] <= 5 for row in report["games"])
    assert report["totals"]["offered_refused"] == 0
    for row in report["games"]:
        assert verify(tmp_path / str(row["record"])).verified


@pytest.mark.clause("commentary-10", "MIS-5", "MIS-7", "TRANS-2")
def test_units_deploy_in_their_zones() -> None:
    """By default armies stand wholly within their zones, passengers inside their transports and Leaders with their units."""
    from rolloff.editions.commentary.missions import zone_of
    from rolloff.oracle.dice import SeededDice
    from rolloff.oracle.oracle import Defaults, Oracle
    from rolloff.rules.play import play_step

    match = Match(EDITION, ("random", "random"), ("verdigris-mandate-1000", "hollow-tide-1000"), "ledger-yard", "", 1000, 1)
    game = Game(registry.edition(EDITION), setup_of(match, 0))
    state, oracle = game.start(), Oracle(SeededDice(b"deploy"), Defaults())
    while state.clock.phase in ("sides", "declare", "deploy"):
        state = play_step(game, state, oracle).state
    hauler = game.numbers["a7"]
    assert state.units[game.numbers["a3"]].where == hauler
    assert len(state.units[game.numbers["a3"]].living) == 12
    for number, unit in enumerate(state.units):
        if unit.where == TABLE and game.cards[number].name != "Veil Reaper":
            x0, y0, x1, y1 = zone_of(game, state, game.side_of(number))
            assert all(x0 <= x <= x1 and y0 <= y <= y1 for x, y in map(state.at, unit.living))
