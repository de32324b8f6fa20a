"""`rolloff adjudicate`: exit codes, one JSON object, and bad input without a traceback."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from rolloff.cli.schema import schema_of
from tests.cli.conftest import Command, program
from tests.record.test_situation import example

Json = dict[str, Any]


def case_file(folder: Path, **more: Any) -> Path:
    """A case in a file."""
    path = folder / "case.json"
    path.write_bytes(msgspec.json.encode(example() | more))
    return path


@pytest.mark.parametrize(
    ("more", "code", "verdict"),
    [
        ({"do": {"activate": "a1", "action": "toss"}, "dice": [6]}, 0, "legal"),
        ({"do": {"activate": "a1"}, "unanswered": "stop"}, 0, "pending"),
        ({"do": {"activate": "b1"}}, 1, "refused"),
        ({"ask": [{"distance": ["a1", "b1"]}, {"sight": ["a1", "b1"]}]}, 0, "legal"),
    ],
)
def test_verdicts_have_exit_codes_and_fit_the_schema(
    rolloff: Command, tmp_path: Path, more: Json, code: int, verdict: str
) -> None:
    """Legal and pending are 0, refused is 1; the output fits its schema, and so does the situation after."""
    said = rolloff("adjudicate", case_file(tmp_path, **more))
    assert (said.code, said.json["verdict"], said.err) == (code, verdict, "")
    jsonschema.validate(said.json, schema_of("adjudicate"))
    jsonschema.validate(said.json["after"], schema_of("situation"))
    assert said.out == rolloff("adjudicate", case_file(tmp_path, **more)).out


BIG = {"edition": "coin-1", "units": [], "decision": "x" * (4 * 1024 * 1024)}


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b'{"edition":"coin-1","units":[],"round":NaN}',
        b'{"edition":"coin-1","units":[],"round":1e999}',
        b'{"edition":"chess","units":[]}',
        b'{"edition":"coin-1","units":[],"colour":1}',
        b"[" * 100_000,
        b"\xff\xfe",
        msgspec.json.encode(BIG),
    ],
)
def test_unusable_input_is_exit_2_with_the_error_object(rolloff: Command, tmp_path: Path, raw: bytes) -> None:
    """The error object is all of standard output, and its sentence is on standard error."""
    path = tmp_path / "case.json"
    path.write_bytes(raw)
    said = rolloff("adjudicate", path)
    assert said.code == 2
    jsonschema.validate(said.json, schema_of("error"))
    assert said.json["error"]["message"] == said.err.strip()
    assert str(tmp_path) not in said.out


def test_a_missing_file_is_exit_2(rolloff: Command, tmp_path: Path) -> None:
    """A file that is not there, or is a folder, cannot be read."""
    for path in (tmp_path / "none.json", tmp_path):
        assert rolloff("adjudicate", path).code == 2


def test_standard_input_is_read() -> None:
    """A dash reads the case from a pipe."""
    said = program("adjudicate", "-", text="{}")
    assert said.code == 2
    assert said.json["error"]["code"] == "bad-field"
    assert "Traceback" not in said.err
