"""`rolloff rules`: searching, showing, coverage, and what it says when it cannot."""

from __future__ import annotations

import json
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from rolloff.cli import run
from rolloff.editions.clauses import FAMILIES, clause_book
from rolloff.lab.duel import Match, play_row


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
    assert (code, [row["edition"] for row in found["editions"]][:5], found["hits"]) == (0, list(FAMILIES), [])
    assert f"onepage-3.0: {len(clause_book('onepage-3.0'))} clauses in force, 0 planned" in call()[1]


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


def test_an_unknown_id_says_so_and_names_the_nearest() -> None:
    """A clause that is not there is unusable input, with the ids that come nearest."""
    code, found = answer("SHOOT-99", "--edition", "onepage-3.0")
    assert (code, found["error"]["code"], found["error"]["allowed"]) == (2, "unknown-clause", "SHOOT-14, SHOOT-13, SHOOT-12")
    assert "the nearest are SHOOT-14" in call("SHOOT-99", "--edition", "onepage-3.0")[2]
    assert answer("SHOT-6", "--edition", "onepage-3.0")[1]["error"]["allowed"].startswith("SHOOT-6")


def test_a_clause_is_compared_across_its_family() -> None:
    """Every edition of the family in its own words, null where it has no such clause, and whether they differ."""
    code, found = answer("shoot-6", "--compare")
    assert (code, found["schema"], found["id"], found["differs"]) == (0, "rolloff.compare/1", "SHOOT-6", True)
    assert list(found["editions"]) == ["onepage-2.21", "onepage-3.0", "apocalypse-3.3"]
    assert found["editions"]["onepage-3.0"] == clause_book("onepage-3.0")["SHOOT-6"].wording
    assert answer("ARMY-4", "--compare")[1]["editions"]["onepage-3.0"] is None
    assert not answer("DICE-2", "--compare")[1]["differs"]
    assert list(answer("SHOOT-6", "--compare", "--edition", "commentary-10")[1]["editions"]) == ["commentary-10"]


def test_differences_are_marked_in_the_text() -> None:
    """Where there are no colours, what is gone and what is new stand in brackets."""
    out = call("COH-1", "--compare")[1]
    assert "[-1-]{+2+}" in out
    assert "(has no such clause)" in call("ARMY-4", "--compare")[1]


def test_what_changed_between_two_editions() -> None:
    """Changed clauses with both wordings, and those only one edition has; relatives only."""
    code, found = answer("--diff", "onepage-2.21", "onepage-3.0")
    assert (code, found["schema"]) == (0, "rolloff.diff/1")
    changed = {row["id"]: (row["from"], row["to"]) for row in found["changed"]}
    assert changed["COH-1"][0].endswith('1".') and changed["COH-1"][1].endswith('2".')
    assert "ARMY-4" in found["only"]["onepage-2.21"]
    assert "RULE-STEALTH-1" in found["only"]["onepage-3.0"]
    assert "Only in onepage-2.21" in call("--diff", "onepage-2.21", "onepage-3.0")[1]
    code, found = answer("--diff", "onepage-3.0", "compendium")
    assert (code, found["error"]["code"]) == (2, "no-relatives")


def test_where_a_clause_acted_in_a_game(tmp_path: Path) -> None:
    """Each use with its line, round and sentence; without an id, how often every clause acted."""
    play_row(Match("onepage-3.0", ("random", "random"), seed=3, record=str(tmp_path)), 0)
    record = str(next(tmp_path.glob("*.jsonl")))
    code, found = answer("DEPLOY-1", "--used-in", record)
    assert (code, found["schema"], found["edition"]) == (0, "rolloff.used/1", "onepage-3.0")
    assert found["uses"][0]["round"] == 0
    lines = Path(record).read_text("utf-8").splitlines()
    assert all("DEPLOY-1" in json.loads(lines[use["line"] - 1])["clauses"] for use in found["uses"])
    everything = answer("--used-in", record)[1]["counts"]
    assert everything["DEPLOY-1"] == len(found["uses"])
    assert call("RULE-SNIPER-1", "--used-in", record)[0] == 2
    assert call("GEN-7", "--used-in", record)[0] == 1


def test_one_thing_at_a_time() -> None:
    """Options that ask for different pages do not go together; --compare wants an id."""
    assert answer("--coverage", "--markdown")[1]["error"]["code"] == "too-much"
    assert answer("--compare")[1]["error"]["code"] == "no-clause"
