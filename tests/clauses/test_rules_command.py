"""`rolloff rules`: searching, showing, coverage, and what it says when it cannot."""

from __future__ import annotations

import json
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from typing import Any

import jsonschema
import pytest

from rolloff.cli import run
from rolloff.editions.clauses import clause_book


def call(*words: str) -> tuple[int, str, str]:
    """Run the command; its exit code, output and messages."""
    with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
        code = run(["rules", *words])
    return code, out.getvalue(), err.getvalue()


def answer(*words: str) -> tuple[int, dict[str, Any]]:
    """Run the command with --json; its exit code and the object it prints."""
    code, out, _ = call(*words, "--json")
    found: dict[str, Any] = json.loads(out)
    return code, found


def test_a_question_is_answered_best_first() -> None:
    """Words are searched in the edition, and scores fall."""
    code, found = answer("can", "I", "shoot", "after", "running", "--edition", "onepage-3.0")
    assert (code, next(iter(found)), found["schema"]) == (0, "schema", "rolloff.rules/1")
    assert found["hits"][0]["id"] == "ACT-3"
    assert found["hits"][0]["edition"] == "onepage-3.0"
    scores = [hit["score"] for hit in found["hits"]]
    assert scores == sorted(scores, reverse=True)


def test_without_an_edition_relatives_do_not_crowd_the_list() -> None:
    """A clause that several editions share comes once, and what is in force comes first."""
    _, found = answer("what does pinned do")
    ids = [hit["id"] for hit in found["hits"] if not hit["edition"].startswith("comm")]
    assert len(ids) == len(set(ids))
    assert found["hits"][0]["status"] == "in-force"


def test_nothing_found_is_a_well_formed_no() -> None:
    """No hit is exit 1 with an empty list."""
    assert answer("xylophone", "--edition", "onepage-3.0") == (1, {"schema": "rolloff.rules/1", "hits": []})
    assert call("xylophone", "--edition", "onepage-3.0")[0] == 1


def test_an_id_shows_the_clause_whole() -> None:
    """An id, in any case, shows that clause with its rulings."""
    code, out, _ = call("shoot-6", "--edition", "onepage-3.0")
    assert code == 0
    assert "Weapons per model." in out
    assert "Ruling: the owner chooses the weapon" in out
    assert [hit["id"] for hit in answer("SHOOT-6", "--edition", "onepage-3.0")[1]["hits"]] == ["SHOOT-6"]


def test_an_edition_alone_lists_its_clauses() -> None:
    """All clauses in book order."""
    code, found = answer("--edition", "onepage-3.0")
    assert (code, [hit["id"] for hit in found["hits"]]) == (0, list(clause_book("onepage-3.0")))


def test_no_words_at_all_list_the_editions() -> None:
    """What there is, with how much of it is in force."""
    code, found = answer()
    assert (code, len(found["editions"]), found["hits"]) == (0, 5, [])
    assert "onepage-3.0: 323 clauses in force, 0 planned" in call()[1]


COVERAGE = {
    "type": "object",
    "required": ["schema", "edition", "source", "commit", "clauses", "uncovered", "counts"],
    "properties": {
        "schema": {"const": "rolloff.coverage/1"},
        "source": {"enum": ["collected", "shipped"]},
        "commit": {"type": "string"},
        "clauses": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["id", "kind", "text", "status", "tests", "code"],
                "properties": {
                    "kind": {"enum": ["rule", "definition"]},
                    "text": {"type": "string", "minLength": 5},
                    "status": {"enum": ["in-force", "planned"]},
                    "tests": {"type": "array", "items": {"required": ["id", "result"]}},
                    "code": {"type": "array", "items": {"type": "string"}},
                },
            },
        },
        "uncovered": {"type": "array", "items": {"type": "string"}},
        "counts": {"required": ["in_force", "covered", "planned"]},
    },
}


@pytest.mark.parametrize("edition", ["onepage-3.0", "compendium"])
def test_coverage_has_the_agreed_form(edition: str) -> None:
    """The object is as others rely on, adds up, and its exit code says whether anything is uncovered."""
    code, found = answer("--edition", edition, "--coverage")
    jsonschema.validate(found, COVERAGE)
    counts = found["counts"]
    assert code == (1 if found["uncovered"] else 0)
    assert counts["in_force"] - counts["covered"] == len(found["uncovered"])
    assert counts["in_force"] + counts["planned"] == len(found["clauses"]) == len(clause_book(edition))


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--edition", "onepage-9", "move"], "unknown-edition"),
        (["--edition", "onepage-9", "--coverage"], "unknown-edition"),
        (["move", "--coverage"], "too-much"),
        (["m" * 2000], "too-long"),
    ],
)
def test_unusable_input_is_told_in_one_object(words: list[str], code: str) -> None:
    """Exit 2, the error object on output, the same sentence on the error stream, and no traceback."""
    exit_code, out, err = call(*words, "--json")
    found = json.loads(out)
    assert (exit_code, found["schema"], found["error"]["code"]) == (2, "rolloff.error/1", code)
    assert set(found["error"]) == {"code", "message", "where", "allowed", "clause"}
    assert err.strip() == found["error"]["message"]


def test_the_document_is_markdown() -> None:
    """The reference of an edition can be printed."""
    code, out, _ = call("--edition", "onepage-3.0", "--markdown")
    assert code == 0
    assert out.startswith("# Rules reference: onepage-3.0\n")
    assert "- **SHOOT-6** Weapons per model." in out
