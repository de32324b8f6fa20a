"""ARMY-1, MIS-9: tables of another size than those that are shipped are played on, and refused where they cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest

from rolloff.editions.commentary.missions import map_of
from rolloff.errors import BadInput
from rolloff.lab.duel import Match, play_row, setup_of
from tests.commentary.desk import Json, squad
from tests.commentary.test_phases import rule

ARMIES = ("verdigris-mandate-500", "hollow-tide-500")


def match(folder: Path, size: str, terrain: str = "") -> Match:
    """A battle on a table that somebody wrote."""
    path = folder / "own.toml"
    path.write_text(f'name = "own"\nsize = [{size}]\n{terrain}', encoding="utf-8")
    return Match("commentary-10", ("greedy", "random"), ARMIES, str(path), "", 500, 3)


@pytest.mark.clause("commentary-10", "ARMY-1", "MIS-4")
def test_a_table_of_another_size_has_the_markers_of_its_mission(tmp_path: Path) -> None:
    """Zones and markers are those of the nearest size, stretched, so that a battle there is scored."""
    found = match(tmp_path, "48, 36")
    chart = map_of(setup_of(found, 0))
    assert chart.zones[0][:3] == (0, 0, 48) and chart.zones[0][3] == pytest.approx(8.4)
    assert [pytest.approx(spot) for spot in ((24, 4.2), (24, 31.8))] == list(chart.markers[:2])
    assert sum(play_row(found, 0)["score"]) > 0


@pytest.mark.clause("commentary-10", "ARMY-1", "MIS-4")
def test_a_table_written_the_other_way_round_is_the_same_table() -> None:
    """44 by 60 is 60 by 44: its zones lie along the sides of 60 inches, and the markers where they would."""
    units = [squad("a1", "A", 1, at=[(22, 14)], OC=1), squad("b1", "B", 1, at=[(39, 28)], OC=1)]
    sides = {"A": {"marks": [{"role": "attacker"}]}, "B": {"marks": [{"role": "defender"}]}}
    table: Json = {"size": [44, 60]}
    found = rule(units, {"phase": "command"}, sides=sides, table=table, mission="default")
    assert found.json["after"]["sides"]["A"]["score"] == 1
    other = rule(units, {"phase": "command"}, sides=sides, table=table, mission="default", active="B")
    assert other.json["after"]["sides"]["B"]["score"] == 1


LONE = '[[terrain]]\nid = "w"\ntypes = ["debris"]\npolygon = [[10, 10], [12, 10], [12, 12], [10, 12]]\nheight = 3\n'


@pytest.mark.parametrize(("size", "terrain", "clause"), [("10, 8", "", "ARMY-1"), ("48, 36", LONE, "MIS-9")])
@pytest.mark.clause("commentary-10", "ARMY-1", "MIS-9")
def test_tables_without_room_or_with_two_unlike_sides_are_refused(tmp_path: Path, size: str, terrain: str, clause: str) -> None:
    """A table too small for two armies, and one whose sides are not alike, are refused in a sentence with its clause."""
    with pytest.raises(BadInput) as caught:
        setup_of(match(tmp_path, size, terrain), 0)
    assert caught.value.clause == clause and caught.value.message
