"""`rolloff odds luck` as people and programs use it."""

from __future__ import annotations

from pathlib import Path

import jsonschema
import pytest

from rolloff.cli.schema import schema_of
from rolloff.record.lines import text
from tests.cli.conftest import Command
from tests.odds.test_luck import volley


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """The record of a lucky volley."""
    path = tmp_path / "game.jsonl"
    path.write_bytes(text(line.found or {} for line in volley(6, 1)))
    return path


def test_the_output_fits_its_schema(rolloff: Command, record: Path) -> None:
    """One JSON object, the file named without its folder; one attack can be asked for by its number."""
    said = rolloff("odds", "luck", record, "--json")
    assert said.code == 0 and said.err == "" and str(record.parent) not in said.out
    jsonschema.validate(said.json, schema_of("luck"))
    (row,) = said.json["attacks"]
    assert (row["kills"], row["expected_kills"], row["at_least"]) == (5, pytest.approx(1.25), pytest.approx(0.25**5))
    assert [player["name"] for player in said.json["players"]] == ["Ann", "Ben"]
    assert rolloff("odds", "luck", record, "--attack", 1, "--json").json == said.json


def test_people_read_a_table_and_a_line_for_each_player(rolloff: Command, record: Path) -> None:
    """A row for each attack with the round, who, whom, what, seen, expected and the chance; then both players."""
    said = rolloff("odds", "luck", record)
    row = next(line for line in said.out.splitlines() if "shooting" in line)
    assert row.split() == ["1", "4", "A", "a", "B", "b", "shooting", "5", "of", "1.25", "5", "of", "1.25", "0.10%", "1.000"]
    assert "A Ann: luck 1.000" in said.out and "B Ben: luck 0.000" in said.out
    assert "made 1 attacks" in said.out and "suffered no attacks" in said.out
    one = rolloff("odds", "luck", record, "--attack", 1).out
    assert "> 5    0.10%" in one and "line" in one
    assert "\x1b" not in said.out + one


@pytest.mark.parametrize("args", [("--attack", "2"), ("--attack", "0")])
def test_an_attack_that_is_not_there_is_unusable(rolloff: Command, record: Path, args: tuple[str, str]) -> None:
    """The sentence names the number, and the output what is allowed."""
    said = rolloff("odds", "luck", record, *args, "--json")
    assert said.code == 2 and said.json["error"]["allowed"] == "1 to 1"
    jsonschema.validate(said.json, schema_of("error"))


def test_bad_files_are_unusable(rolloff: Command, record: Path) -> None:
    """No file, another file, a cut one: one sentence and exit code 2."""
    cut = record.with_name("cut.jsonl")
    cut.write_bytes(b"".join(record.read_bytes().splitlines(keepends=True)[:-1]))
    other = record.with_name("other.jsonl")
    other.write_text("{}\n")
    for path in (cut, other, record.with_name("none.jsonl"), record.parent):
        said = rolloff("odds", "luck", path)
        assert (said.code, said.out) == (2, "")
        assert len(said.err.splitlines()) == 1 and "Traceback" not in said.err
