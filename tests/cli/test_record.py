"""`rolloff record`: verify and show as programs use them."""

from __future__ import annotations

from pathlib import Path

import jsonschema
import msgspec
import pytest

from rolloff.cli.schema import schema_of
from tests.cli.conftest import Command
from tests.record.conftest import play_coin


@pytest.fixture(scope="module")
def record() -> bytes:
    """The record of a toy game."""
    return play_coin().record


def test_true_and_false_records_have_exit_codes(rolloff: Command, tmp_path: Path, record: bytes) -> None:
    """All verified is 0, one difference is 1; the output fits its schema and names files without their folder."""
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    good.write_bytes(record)
    bad.write_bytes(record.replace(b'"kind":"placed"', b'"kind":"missed"', 1))
    said = rolloff("record", "verify", good, "--json")
    assert said.code == 0
    jsonschema.validate(said.json, schema_of("verify"))
    said = rolloff("record", "verify", good, bad, "--json")
    assert said.code == 1
    jsonschema.validate(said.json, schema_of("verify"))
    assert [row["verified"] for row in said.json["files"]] == [True, False]
    assert said.json["files"][1]["difference"]["kind"] == "event"
    assert str(tmp_path) not in said.out
    assert "good.jsonl: verified" in rolloff("record", "verify", good, bad).out


def test_what_is_no_record_is_exit_2(rolloff: Command, tmp_path: Path) -> None:
    """A file of another kind, or none, is unusable."""
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"hello\n")
    for name in (path, tmp_path / "none.jsonl"):
        said = rolloff("record", "verify", name, "--json")
        assert said.code == 2
        jsonschema.validate(said.json, schema_of("error"))


def test_what_is_shown_fits_its_schema_and_is_ruled_on(rolloff: Command, tmp_path: Path, record: bytes) -> None:
    """The table at a line is a case `adjudicate` takes."""
    path = tmp_path / "game.jsonl"
    path.write_bytes(record)
    said = rolloff("record", "show", path, "--at", 30, "--json")
    assert said.code == 0
    jsonschema.validate(said.json, schema_of("show"))
    shown = tmp_path / "shown.json"
    shown.write_bytes(msgspec.json.encode(said.json))
    assert rolloff("adjudicate", shown).json["verdict"] == "pending"
    assert "must decide" in rolloff("record", "show", path, "--at", 30).out
    assert rolloff("record", "show", path, "--at", 100_000, "--json").code == 2
