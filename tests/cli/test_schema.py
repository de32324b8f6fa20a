"""`rolloff schema`: every schema is a schema."""

from __future__ import annotations

import jsonschema
import pytest

from rolloff.cli.shapes import SHAPES
from tests.cli.conftest import Command


@pytest.mark.parametrize("name", list(SHAPES))
def test_every_schema_is_valid(rolloff: Command, name: str) -> None:
    """What is printed is a JSON Schema, by its short and its long name."""
    said = rolloff("schema", name)
    assert said.code == 0
    jsonschema.Draft202012Validator.check_schema(said.json)
    assert rolloff("schema", f"rolloff.{name}/1").out == said.out


def test_names_are_listed_and_unknown_ones_refused(rolloff: Command) -> None:
    """Without a name all are listed; an unknown one is unusable."""
    assert rolloff("schema").json["names"] == list(SHAPES)
    said = rolloff("schema", "poem")
    assert (said.code, said.json["error"]["code"]) == (2, "unknown-schema")
